"""Time and memory of catchrate beside its neighbours, all in one run: `python -m bench`."""
