"""Null: takes every call, draws nothing. For the decoder's tests and for measuring links without a driver."""
