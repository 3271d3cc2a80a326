"""What a server draws with: a driver's function table found and filled in."""
