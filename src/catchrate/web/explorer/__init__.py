"""The explorer's half of the app: sets that are open, what arrives for them, and the workers that hold them."""
