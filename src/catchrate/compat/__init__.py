"""Other tools' interfaces. Each is built on the same measures and alignment as everything else."""
