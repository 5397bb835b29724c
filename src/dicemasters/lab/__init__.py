"""The lab: simulation, evaluation, training, studies and benchmarks."""
