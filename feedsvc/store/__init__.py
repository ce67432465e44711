"""What is remembered: sources with their state, entries of strangers; one code for SQLite and PostgreSQL.

schema    the tables, and what a column may hold
migrate   from any earlier version to this one
connect   opening a store, transactions, and the exceptions of SQLAlchemy, which end there
together  what several threads write at one moment, in one transaction
rows      values ↔ rows
leases    who may ask which source: claim, start, finish, release
entries   entries of strangers, and their channels
store     the whole, as the rest of the house sees it
"""
