"""Jobs in several processes or on several machines."""
