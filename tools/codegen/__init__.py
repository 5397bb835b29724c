"""Code generators."""
