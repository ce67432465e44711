"""`python -m feedsvc`."""

from feedsvc.cli.main import main

main()
