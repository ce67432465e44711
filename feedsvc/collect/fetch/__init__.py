"""One polite request: the only room that asks strangers for anything (polling.md, security.md S-01 to S-18).

fetcher      the redirect loop, one guard for every hop; an answer becomes a value
transport    requests and urllib3; their exceptions end there
connections  what of them is our own: connections, pools, the adapter
head         lines of an answer's head that can be read
resolve      name → checked numeric addresses → socket
lookups      threads that look names up, and may be left behind
exchange     the time a poll has left, and the socket that is shut when it is over
deadlines    one thread that watches over the time of all
body         the bytes of an answer, counted, decoded and whole
"""

from feedsvc.collect.fetch.fetcher import Fetcher, FetchPolicy, user_agent

__all__ = ["FetchPolicy", "Fetcher", "user_agent"]
