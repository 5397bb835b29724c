"""The card language: the words of abilities, their metadata and the semantic checks."""
