"""What changed since the last verb, pushed through the function tables just before the next one."""
