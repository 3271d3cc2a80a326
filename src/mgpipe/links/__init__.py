"""How records and bytes reach the other side: ring, shadow segment, doorbell."""
