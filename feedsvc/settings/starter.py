"""What `feedsvc init` writes: a configuration to edit and a first post to replace."""

import json
from collections.abc import Mapping
from datetime import datetime

from feedsvc.settings.addresses import base
from feedsvc.settings.defaults import default_authority
from feedsvc.settings.faults import Unfit

CONFIG = "config/feedsvc.toml"
POST_PATH = "posts/a-first-post.md"

CONFIGURATION = """\
# Configuration of feedsvc. Only title, url and author.name must be written; every other key has a default.
# Lines that begin with "# " and a key show that default. `feedsvc check` says what is wrong in here, with the line.

[site]
title = {title}
url = {url}
author = {{ name = {author} }}
# description = ""
# language = "en"
# timezone = "UTC"                     # of dates that carry none

# Part of the id of every feed and post. Set it once, to a host that is yours and a year in which it was; then never
# change it again, also when the address of the site changes: readers would show all posts as new.
id_authority = {authority}

[posts]
# directory = "posts"                  # from the project folder: the parent of config/
permalink = "{{slug}}/"                  # address of a post below url; also {{year}} {{month}} {{day}}

[teaser]
# words = 55
# more = "Read more"                   # or by language: {{ en = "Read more", de = "Weiterlesen" }}

[output]
# directory = "public"                 # what a web server publishes
# url = {url}    # where it is published
# formats = ["atom", "rss", "json"]
# tags = true                          # a feed for each tag

# These two feeds are there where none is written, the second one as soon as there are sources.
# [[feeds]]
# name = "posts"                       # part of the feed's id: never change it
# path = ""                            # the top of the output folder
# include = ["posts"]
# content = "teaser"                   # or "full", "title"
# limit = 20

# [[feeds]]
# name = "planet"
# include = ["posts", "sources"]
# limit = 60
# per_source = 5                       # at most so many entries of one source

# Other blogs follow below: `feedsvc sources add URL` finds the feed of a site and writes it here.
"""

POST = """\
---
title: A first post
date: {date}
tags: [hello]
---

This is a first post, to be replaced. Its first paragraph is its teaser in feeds; *emphasis*, `code` and links stay.

<!--more-->

What stands below the line above is for those who read more. Without that line the first 55 words are the teaser.
"""


def starter(title: str, url: str, author: str, now: datetime) -> Mapping[str, str]:
    """Return the files of a new project: path → text. Texts are spelled so that TOML and YAML read them back."""
    values = {"title": title, "url": url, "author": author, "authority": _authority(url)}
    config = CONFIGURATION.format_map({key: _quoted(value) for key, value in values.items()})
    return {CONFIG: config, POST_PATH: POST.format(date=now.strftime("%Y-%m-%dT%H:%M:%SZ"))}


def _authority(url: str) -> str:
    """Return the authority that `load` would take; of a bad address any, since `load` says what is wrong with it."""
    try:
        return default_authority(base(url))
    except Unfit:
        return ""


def _quoted(text: str) -> str:
    """Return a TOML string: JSON escapes what TOML does, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
