"""Tools of the project that no user runs: benchmarks, load and chaos tests, verification, code generation."""
