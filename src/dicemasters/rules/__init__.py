"""The rules as a document (docs/rules.md): read, looked up by number or word, kept equal with switches and scenarios."""
