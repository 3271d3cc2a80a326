"""Texels in the program's formats and in ours: conversion that both sides of the boundary use."""
