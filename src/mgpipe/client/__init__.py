"""A session seen from the program: connecting, starting a server, forking, losing it."""
