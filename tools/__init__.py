"""Development tools, not for users: benchmarks, load and chaos tests, verification and code generation."""
