"""The command line and what it shows a person."""
