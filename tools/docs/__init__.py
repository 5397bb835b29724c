"""Generated parts of the documentation site; docs/conf.py calls them."""
