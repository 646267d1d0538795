"""Texts to items: which retrieved chunk holds which gold text."""
