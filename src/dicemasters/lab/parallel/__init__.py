"""Work on several processes or machines."""
