"""What each result says: one function a result, which returns a view."""
