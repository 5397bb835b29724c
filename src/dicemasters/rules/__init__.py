"""The rules as a document (docs/rules.md): parsing, lookup by number or words, and its generated parts."""
