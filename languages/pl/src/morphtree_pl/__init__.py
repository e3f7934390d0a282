"""Polish for morphtree; the model is found by its entry point."""
