"""Results to terminal, HTML, PDF, LaTeX, Markdown, JSON and tables.

A report computes nothing, and all escaping of foreign text happens here.
"""
