"""Strings in, strings out: clean, absolutise, flatten, cut; addresses, ids, dates."""
