"""Texts to items: which chunk holds which gold text."""
