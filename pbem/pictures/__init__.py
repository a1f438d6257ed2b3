"""Boards painted: the shapes of a scene as SVG, and that as PNG."""
