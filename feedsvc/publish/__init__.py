"""Refuse the invalid; compare, write beside, swap."""
