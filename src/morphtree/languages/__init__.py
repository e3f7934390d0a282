"""Languages: a description of each, the recipe that builds its model, and those installed."""
