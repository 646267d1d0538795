"""The use cases, and their frozen results: one module, or one package, for each."""
