"""How entries come in: a file's bytes or a source's answer → Entry."""
