"""Melete: a desktop app for the skills an AI agent learns."""

__version__ = "0.1.0"
