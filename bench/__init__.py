"""How fast feedsvc is beside its peers: `python -m bench [ROW…]` (`make bench`); docs/performance.md holds a run."""
