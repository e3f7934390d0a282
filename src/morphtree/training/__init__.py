"""Training: data, objective, AdaGrad, cross-fitting, checkpoints."""
