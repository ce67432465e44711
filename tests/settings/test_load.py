"""A configuration is read whole: what is right becomes one value, what is wrong is told all at once."""

import subprocess
import sys
from pathlib import Path

import pytest

from feedsvc.errors import ConfigError
from feedsvc.model import Show
from feedsvc.settings.load import load, read
from feedsvc.settings.tree import Settings

LEAST = """\
[site]
title = "GPU Notes"
url = "https://gpu-notes.example"
author = { name = "Ann" }
"""


def faults(text: str) -> list[str]:
    """Return the diagnostics of a text as they are printed."""
    with pytest.raises(ConfigError) as caught:
        read(text, "feedsvc.toml")
    return [str(found) for found in caught.value.diagnostics]


def told(text: str) -> str:
    """Return the one diagnostic of a text."""
    found = faults(text)
    assert len(found) == 1, found
    return found[0]


def with_site(lines: str) -> str:
    """Return a configuration with more keys in [site] or more tables."""
    return LEAST + lines


def test_three_keys_are_enough() -> None:
    """Everything has a default except site.title, site.url and site.author.name (interface, Configuration)."""
    settings = read(LEAST, "feedsvc.toml")
    assert settings.site.url == "https://gpu-notes.example/"
    assert settings.site.id_authority == "gpu-notes.example,2026"
    assert settings.output.url == settings.site.url
    assert settings.polling.contact == settings.site.url
    assert [feed.name for feed in settings.feeds] == ["posts"]
    assert settings.feeds[0].path == ""


def test_every_missing_key_is_named_with_the_line_of_its_table() -> None:
    """Interface, Configuration: the keys without a default."""
    assert faults("\n[site]\nurl = 'https://a.example/'\n") == [
        'feedsvc.toml:2: error: site.title: is missing; write title = "…" in [site] [missing-key]',
        'feedsvc.toml:2: error: site.author.name: is missing; write name = "…" in [site.author] [missing-key]',
    ]
    assert [line.split(" is missing")[0] for line in faults("")] == [
        f"feedsvc.toml:1: error: site.{key}:" for key in ("title", "url", "author.name")
    ]


def test_a_misspelled_key_is_not_missing_as_well() -> None:
    """One slip, one fault."""
    assert told(LEAST.replace("title", "titel")).endswith(
        'site.titel: unknown key; did you mean "title"? [unknown-key]'
    )
    assert told(LEAST.replace("[site]", "[Site]")).endswith('Site: unknown key; did you mean "site"? [unknown-key]')


def test_the_planet_is_there_where_sources_are() -> None:
    """Interface: the default feeds are posts and planet, planet only where there are sources."""
    settings = read(with_site('[[sources]]\nurl = "https://blog.example/feed"\n'), "feedsvc.toml")
    planet = settings.feeds[1]
    assert (planet.name, planet.path, planet.include) == ("planet", "planet", ("posts", "sources"))
    assert (planet.limit, planet.per_source, planet.content) == (60, 5, Show.TEASER)


def test_a_feed_lies_in_the_folder_of_its_name() -> None:
    """Interface, feeds.path."""
    settings = read(with_site('[[feeds]]\nname = "main"\n[[feeds]]\nname = "b"\npath = "x/y/"\n'), "feedsvc.toml")
    assert [feed.path for feed in settings.feeds] == ["main", "x/y"]


def test_durations_sizes_and_shares_become_numbers() -> None:
    """Interface: "1h", "10 MiB", "10%"."""
    text = (
        '[polling]\ninterval = "90s"\nmax_interval = "2d"\ntimeout = "1m"\nmax_bytes = "3 KB"\nhost_delay = "0s"\n'
        '[schedule]\nbuild = "1w"\njitter = "12.5%"\n[store]\nretention = "730d"\n'
    )
    settings = read(with_site(text), "feedsvc.toml")
    assert (settings.polling.interval, settings.polling.max_interval, settings.polling.timeout) == (90, 172800, 60)
    assert (settings.polling.max_bytes, settings.polling.host_delay) == (3000, 0)
    assert (settings.schedule.build, settings.schedule.jitter) == (604800, 0.125)
    assert settings.store.retention == 730 * 86400


@pytest.mark.parametrize(
    "written", ['"90"', '"1.5h"', '"1h30m"', '"-1s"', '"1H"', '" 1h"', '"٣h"', '"0s"', "90", "1.5"]
)
def test_a_bad_duration_is_told_how_durations_are_written(written: str) -> None:
    """Interface: durations; the message names the forms."""
    assert '"90s"' in told(with_site(f"[polling]\ntimeout = {written}\n"))


@pytest.mark.parametrize("written", ['"10"', '"10 MIB"', '"1.5 MiB"', '"0 B"', '"ten MiB"', "10485760"])
def test_a_bad_size_is_told_how_sizes_are_written(written: str) -> None:
    """Interface: polling.max_bytes."""
    assert '"10 MiB"' in told(with_site(f"[polling]\nmax_bytes = {written}\n"))


@pytest.mark.parametrize("written", ['"10"', '"101%"', '"-1%"', '"100.5%"', "0.1", "10"])
def test_a_bad_share_is_told_how_shares_are_written(written: str) -> None:
    """Interface: schedule.jitter."""
    assert '"10%"' in told(with_site(f"[schedule]\njitter = {written}\n"))


def test_all_faults_are_told_at_once_in_the_order_of_the_file() -> None:
    """Interface: unknown keys, wrong types and contradictions are errors that name file, line and key."""
    text = """\
[site]
title = "GPU Notes"
url = "ftp://gpu-notes.example/"
author = { name = "Ann", emial = "ann@gpu-notes.example" }

[teaser]
wrods = 55
words = "55"

[[feeds]]
name = "posts"
path = ""

[[feeds]]
name = "Posts"
include = ["posts",
  "kronos"]

[[sources]]
id = "khronos"
url = "https://blog.example/feed"
"""
    assert [line.replace("feedsvc.toml", "f", 1) for line in faults(text)] == [
        'f:3: error: site.url: must begin with https:// or http://, found "ftp" [bad-value]',
        'f:4: error: site.author.emial: unknown key; did you mean "email"? [unknown-key]',
        'f:7: error: teaser.wrods: unknown key; did you mean "words"? [unknown-key]',
        'f:8: error: teaser.words: must be a whole number, found the text "55" [wrong-type]',
        "f:15: error: feeds[1].name: has the same name as feeds[0].name (line 11) [duplicate-name]",
        'f:17: error: feeds[1].include[1]: names no source: "kronos"; did you mean "khronos"? [unknown-source]',
    ]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[teazer]\nwords = 3\n", 'teazer: unknown key; did you mean "teaser"?'),
        ("[feed]\nname = 'a'\n", 'feed: unknown key; did you mean "feeds"?'),
        ("[output]\nwords = 3\n", 'output.words: unknown key; did you mean "teaser.words"?'),
        ("[polling]\nmax-interval = '48h'\n", 'polling.max-interval: unknown key; did you mean "max_interval"?'),
        ("[polling]\nMax_Bytes = '1 MiB'\n", 'polling.Max_Bytes: unknown key; did you mean "max_bytes"?'),
        ("[posts]\ndir = 'p'\n", 'posts.dir: unknown key; did you mean "directory"?'),
        ("[posts]\nxyzzy = 1\n", "posts.xyzzy: unknown key; known here: directory, permalink, default_time"),
        ("[posts]\n'a.b c' = 1\n", 'posts."a.b c": unknown key'),
        ("[[sources]]\nurl = 'https://a.example/'\nadress = 1\n", "sources[0].adress: unknown key; known here: "),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_one(text: str, hint: str) -> None:
    """Interface: suggest the nearest key."""
    assert f"error: {hint}" in told(with_site(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("posts = 3\n", "posts: must be a table, found the number 3"),
        ("posts = [1]\n", "posts: must be a table, found an array"),
        ("feeds = 'x'\n", 'feeds: must be an array, found the text "x"'),
        ("[feeds]\nname = 'x'\n", "feeds: must be an array of tables: [[feeds]], found a table"),
        ("feeds = ['x']\n", 'feeds[0]: must be a table, found the text "x"'),
        ("[output]\ntags = 'yes'\n", 'output.tags: must be true or false, found the text "yes"'),
        ("[output]\ntags = 1\n", "output.tags: must be true or false, found the number 1"),
        ("[output]\nformats = 'atom'\n", 'output.formats: must be an array, found the text "atom"'),
        ("[output]\nformats = []\n", "output.formats: must name at least one of atom, rss, json"),
        ("[output]\nformats = ['rs']\n", 'output.formats[0]: must be one of atom, json, rss, found "rs"; did you mean'),
        ("[output]\ncompress = ['zip']\n", 'output.compress[0]: must be one of br, gzip, zstd, found "zip"'),
        ("[teaser]\nwords = 0\n", "teaser.words: must be from 1 to 1000, found the number 0"),
        ("[teaser]\nwords = true\n", "teaser.words: must be a whole number, found true"),
        ("[teaser]\nwords = 5.5\n", "teaser.words: must be a whole number, found the number 5.5"),
        ("[teaser]\nmore = 3\n", "teaser.more: must be text, found the number 3"),
        ("[teaser]\nmore = ''\n", "teaser.more: must not be blank"),
        ("[teaser]\nmore = { deutsch = 'w' }\n", 'teaser.more.deutsch: is no language tag (BCP 47): "deutsch"'),
        ("[teaser]\nmore = { de = '' }\n", "teaser.more.de: must not be blank"),
        ("[teaser]\nmore = { de = 1 }\n", "teaser.more.de: must be text, found the number 1"),
        ("[serve]\nport = 65536\n", "serve.port: must be from 0 to 65535, found the number 65536"),
        ("[serve]\nport = 8081\n", "serve.admin_port: must not be serve.port"),
        ("[serve]\nhost = '0.0.0.0:80'\n", "serve.host: must be an address alone"),
        ("[serve]\nhost = 'a b'\n", 'serve.host: is no host: "a b"'),
        ("[posts]\ndefault_time = 12:00:00\n", "posts.default_time: must be a time in quotes, such as"),
        ("[posts]\ndefault_time = '24:00'\n", 'posts.default_time: is no time of day: "24:00"'),
        ("[posts]\ndirectory = ' '\n", "posts.directory: must be a path of a folder"),
        ("[posts]\ndirectory = '~/posts'\n", "posts.directory: must be written out"),
        ("[[feeds]]\npath = 'x'\n", 'feeds[0].name: is missing; write name = "…" in [[feeds]]'),
        ("[[feeds]]\nname = 'x'\nlimit = 0\n", "feeds[0].limit: must be from 1 to 5000"),
        ("[[feeds]]\nname = 'x'\nper_source = 0\n", "feeds[0].per_source: must be at least 1"),
        ("[[feeds]]\nname = 'x'\ncontent = 'ful'\n", "feeds[0].content: must be one of title, teaser, full, found"),
        ("[[feeds]]\nname = 'x'\ninclude = []\n", "feeds[0].include: must name"),
        ("[[feeds]]\nname = 'x'\nkeep = [' ']\n", "feeds[0].keep[0]: must not be blank"),
        ("[[topics]]\nname = 'a'\nmatch = []\n", "topics[0].match: must hold at least one word"),
        ("[[topics]]\nname = 'A B'\nmatch = ['x']\n", "topics[0].name: must be small letters"),
        ("[[topics]]\nname = 'a'\n", 'topics[0].match: is missing; write match = ["…"] in [[topics]]'),
        ("[[sources]]\nid = 'x'\n", "sources[0].url: is missing"),
        ("[[sources]]\nid = 'X'\nurl = 'https://a.example/'\n", "sources[0].id: must be small letters"),
        ("[[sources]]\nid = 'posts'\nurl = 'https://a.example/'\n", 'sources[0].id: must not be "posts"'),
        ("[store]\nurl = 'mysql://x/y'\n", 'store.url: must begin with sqlite:/// or postgresql://, found "mysql"'),
        ("[store]\nurl = 'feeds.db'\n", "store.url: must begin with sqlite:/// or postgresql://, found neither"),
        ("[store]\nurl = 'sqlite://'\n", "store.url: must name a file"),
        ("[store]\nurl = 'sqlite:///:memory:'\n", "store.url: must name a file"),
        ("[store]\nurl = 'sqlite:///public/f.db'\n", "store.url: must not be below output.directory"),
        ("[websub]\nhubs = ['hub.example']\n", "websub.hubs[0]: must begin with https:// or http://"),
        ("[websub]\ncallback_url = 'ftp://a.example'\n", "websub.callback_url: must begin with https:// or http://"),
        ("[output]\ndirectory = '.'\n", "output.directory: must be a folder of its own"),
        ("[output]\ndirectory = '..'\n", "output.directory: must be a folder of its own"),
        ("[output]\ndirectory = 'posts/../posts'\n", "output.directory: must not hold posts.directory"),
        ("[output]\ndirectory = 'config'\n", "output.directory: must not hold the configuration"),
        ("[posts]\ndirectory = 'public/posts'\n", "output.directory: must not hold posts.directory"),
        ("[polling]\nmax_interval = '30m'\n", "polling.max_interval: must not be shorter than polling.interval"),
        ("[polling]\nallow_private = ['localhost']\n", 'polling.allow_private[0]: is no network: "localhost"'),
        ("[polling]\nallow_private = ['127.0.0.1/8']\n", 'did you mean "127.0.0.0/8"?'),
        ("[schedule]\nbuild = '5m'\ncron = '* * * * *'\n", "schedule.cron: must not stand beside schedule.build"),
    ],
)
def test_what_cannot_be_meant_is_told(text: str, said: str) -> None:
    """Interface: wrong types and contradictions, S-06; one fault each, and nothing that only follows from it."""
    top, table = (text, "") if not text.startswith("[") else ("", text)
    assert said in told(top + LEAST + table)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('title = " "', "site.title: must not be blank"),
        ('title = "GPU\\u0000Notes"', 'site.title: must be one line without control characters: "GPU\\u0000Notes"'),
        ('title = "GPU\\nNotes"', "site.title: must be one line"),
        ('author = { name = "" }', "site.author.name: must not be blank"),
        ('author = { name = "ann@a.example" }', "site.author.name: must be a name, not an address"),
        ('author = { name = "https://a.example/" }', "site.author.name: must be a name, not an address"),
        ('author = "Ann"', 'site.author: must be a table, found the text "Ann"'),
        ('author = { name = "A", email = "ann" }', 'site.author.email: is no mail address: "ann"'),
        ('author = { name = "A", url = "a.example" }', "site.author.url: must begin with https:// or http://"),
        ('url = "https://ann:secret@gpu-notes.example/"', "site.url: must not hold a user name or password"),
        ('url = "https://gpu-notes.example/?a=b"', "site.url: must not have a ? or # part"),
        ('url = "https://gpu-notes.example/a/../b"', "site.url: must not have . or .. in its path"),
        ('url = "https://"', "site.url: has no host"),
        ('url = "https:gpu-notes.example"', "site.url: must begin with"),
        ('url = "https://gpu notes.example/"', "site.url: must not hold blanks"),
        ('url = "https://gpu-notes.example:6000/"', "site.url: has the port 6000"),
        ('url = "https://gpu-notes.example:99999/"', "site.url: is no address"),
        ('url = "https://[::1/"', "site.url: is no address"),
        ('url = "https://a..example/"', "site.url: has no valid host"),
        (f'url = "https://{"a." * 130}example/"', "site.url: has no valid host"),
        ('url = "https://127.0.0.1\\\\@ok.example/"', "site.url: must not hold blanks, backslashes"),
        ('url = "https://[::1]/"', "site.id_authority: must be written"),
        ('language = "english"', 'site.language: is no language tag (BCP 47): "english"'),
        ('language = "en_US"', 'did you mean "en-US"?'),
        ('language = ""', "site.language: is no language tag"),
        ('timezone = "Mars/Olympus"', 'site.timezone: is no time zone: "Mars/Olympus"'),
        ('timezone = "Europe"', "site.timezone: is no time zone"),
        ('timezone = "../../etc/passwd"', "site.timezone: is no time zone"),
        ('timezone = "localtime"', "site.timezone: is no time zone"),
        ('timezone = ""', "site.timezone: is no time zone"),
        ('icon = "javascript:alert(1)"', "site.icon: must begin with https:// or http://"),
        ('id_authority = "gpu-notes.example"', "site.id_authority: is no authority"),
        ('id_authority = "gpu-notes.example,2026-13"', "site.id_authority: is no authority"),
        ('id_authority = "gpu-notes.example,2026-02-30"', "site.id_authority: is no authority"),
        ('id_authority = "bücher.example,2026"', "site.id_authority: is no authority"),
        ('id_authority = "a:b,2026"', "site.id_authority: is no authority"),
        ("description = 2026-05-01", "site.description: must be text, found the date or time 2026-05-01"),
    ],
)
def test_a_slip_in_site_is_told_with_its_line(line: str, said: str) -> None:
    """S-01 addresses, S-35 headers, BCP 47, RFC 4151; the password of an address is never repeated (S-36)."""
    key = line.partition(" =")[0]
    rows = [row for row in LEAST.splitlines() if not row.startswith(key)]
    found = told("\n".join([*rows, line]) + "\n")
    assert said in found
    assert "secret" not in found
    assert found.startswith(f"feedsvc.toml:{1 if 'must be written' in said else len(rows) + 1}: error: ")


@pytest.mark.parametrize(
    "written",
    ["ann@gpu-notes.example,2026-05", "gpu-notes.example,2024-02-29", "localhost,2026", "a-b.example,1999"],
)
def test_an_authority_is_what_rfc_4151_says(written: str) -> None:
    """RFC 4151 section 2.1."""
    assert read(with_site(f'id_authority = "{written}"\n'), "f").site.id_authority == written


def test_an_authority_is_in_lower_case() -> None:
    """Generating I3."""
    assert (
        read(with_site('id_authority = "GPU-Notes.Example,2026"\n'), "f").site.id_authority == "gpu-notes.example,2026"
    )


@pytest.mark.parametrize("tag", ["de", "de-AT", "zh-Hans", "zh-Hant-TW", "es-419", "sl-rozaj-biske", "hsb", "x-ours"])
def test_a_language_tag_is_kept_as_it_is(tag: str) -> None:
    """BCP 47 (RFC 5646 section 2.1)."""
    assert read(with_site(f'language = "{tag}"\n'), "f").site.language == tag


@pytest.mark.parametrize(
    "tag", ["german", "xx", "e", "en-", "en--US", "de-1996-1996", "en-a-bb-a-cc", "en-US-", "dé", "i-klingon"]
)
def test_a_word_that_is_no_language_tag_is_refused(tag: str) -> None:
    """BCP 47 (RFC 5646 section 2.1); names of languages are no tags."""
    assert "is no language tag" in told(with_site(f'language = "{tag}"\n'))


@pytest.mark.parametrize("contact", ["a\\r\\nX: y", "a\\nb", "a\\u0000b", "Jürgen <j@a.example>", "a\\tb"])
def test_a_contact_that_cannot_be_a_header_is_refused(contact: str) -> None:
    """S-35."""
    assert "polling.contact: goes into an HTTP header" in told(with_site(f'[polling]\ncontact = "{contact}"\n'))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("tags/x", 'must not begin with "tags/"'),
        ("Authors", 'must not begin with "authors/"'),
        ("topics", 'must not begin with "topics/"'),
        ("ASSETS/a", 'must not begin with "assets/"'),
        ("archive", 'must not hold "archive"'),
        ("a/Archive", 'must not hold "Archive"'),
        ("atom.xml", 'must not hold "atom.xml"'),
        ("planet/feed.json", 'must not hold "feed.json"'),
        ("fragment.html", 'must not hold "fragment.html"'),
        ("/planet", "must be relative"),
        ("//x.example/a", "must be relative"),
        ("../planet", "must be names"),
        ("a/../b", "must be names"),
        ("a//b", "must be names"),
        (".hidden", "must be names"),
        ("a\\\\b", "must be names"),
        ("a b", "must be names"),
        ("a%2e", "must be names"),
        ("a?b", "must be names"),
    ],
)
def test_a_feed_stays_in_a_folder_of_its_own(path: str, said: str) -> None:
    """Interface, Published files; S-29."""
    assert said in told(with_site(f'[[feeds]]\nname = "x"\npath = "{path}"\n'))


def test_a_name_that_cannot_be_a_folder_needs_a_path() -> None:
    """Interface: feeds.path defaults to the name."""
    assert "write a path beside it" in told(with_site('[[feeds]]\nname = "Tags"\n'))
    assert "write a path beside it" in told(with_site('[[feeds]]\nname = "GPU news"\n'))
    assert read(with_site('[[feeds]]\nname = "GPU news"\npath = "news"\n'), "f").feeds[0].name == "GPU news"


@pytest.mark.parametrize(
    ("first", "second"), [('path = "news"', 'path = "News"'), ('path = "b"', ""), ('path = ""', 'path = ""')]
)
def test_two_feeds_in_one_folder_are_refused(first: str, second: str) -> None:
    """A feed is four files at its path; case is folded, for file systems that do."""
    assert "has the same path as feeds[0].path" in told(
        with_site(f'[[feeds]]\nname = "a"\n{first}\n[[feeds]]\nname = "B"\n{second}\n')
    )


@pytest.mark.parametrize(
    "other",
    [
        "http://blog.example/feed",
        "HTTPS://Blog.Example:443/feed",
        "https://blog.example/feed?",
        "https://blog.example/feed#x",
    ],
)
def test_the_same_feed_twice_is_refused_with_the_id_that_is_there(other: str) -> None:
    """SO-04."""
    text = f'[[sources]]\nid = "one"\nurl = "https://blog.example/feed"\n[[sources]]\nid = "two"\nurl = "{other}"\n'
    assert 'sources[1].url: has the same address as source "one" (line 7)' in told(with_site(text))


def test_an_id_in_two_sources_is_refused() -> None:
    """S-38: an entry's key is (source, id)."""
    text = '[[sources]]\nid = "a"\nurl = "https://a.example/"\n[[sources]]\nid = "a"\nurl = "https://b.example/"\n'
    assert "sources[1].id: has the same id as sources[0].id (line 6)" in told(with_site(text))


@pytest.mark.parametrize("table", ["topics", "feeds"])
def test_two_of_one_name_are_refused(table: str) -> None:
    """Interface, Configuration: contradictions."""
    rest = 'match = ["x"]' if table == "topics" else ""
    text = f'[[{table}]]\nname = "a"\n{rest}\n[[{table}]]\nname = "a"\n{rest}\n'
    assert f"{table}[1].name: has the same name as {table}[0].name" in told(with_site(text))


def test_a_value_stands_once_in_a_list() -> None:
    """Interface, Configuration: contradictions."""
    assert "output.formats[1]: has the same value as output.formats[0]" in told(
        with_site('[output]\nformats = ["atom", "atom"]\n')
    )


def test_a_fault_hides_what_only_follows_from_it() -> None:
    """A source without a usable id may be the one that a feed names."""
    text = '[[sources]]\nidd = "khronos"\nurl = "https://a.example/"\n[[feeds]]\nname = "x"\ninclude = ["khronos"]\n'
    assert 'sources[0].idd: unknown key; did you mean "id"?' in told(with_site(text))
    assert "polling.interval: is no duration" in told(with_site('[polling]\ninterval = "x"\nmax_interval = "1m"\n'))


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("posts/", "must hold {slug}"),
        ("{slug}/{title}", 'unknown field "{title}"'),
        ("{slug", "a brace that is not closed"),
        ("{slug}}", "a brace that is not closed"),
        ("/{slug}/", "must be relative to site.url"),
        ("https://a.example/{slug}", "must be relative to site.url"),
        ("../{slug}", "must not hold empty parts"),
        ("a//{slug}", "must not hold empty parts"),
        ("{slug} /", "must not hold blanks"),
    ],
)
def test_a_permalink_is_told_what_it_lacks(link: str, said: str) -> None:
    """Interface, posts.permalink."""
    assert said in told(with_site(f"[posts]\npermalink = '{link}'\n"))


@pytest.mark.parametrize(
    "link", ["{slug}/", "{year}/{month}/{day}/{slug}.html", "?p={slug}", "{slug}", "notes/#{slug}"]
)
def test_a_permalink_may_have_many_shapes(link: str) -> None:
    """Interface, posts.permalink."""
    assert read(with_site(f"[posts]\npermalink = '{link}'\n"), "f").posts.permalink == link


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[site]\ntitle = GPU Notes\n",
            "feedsvc.toml:2: error: is no valid TOML: Invalid value, column 9; text needs quotes",
        ),
        (
            '[site]\ntitle = "a"\ntitle = "b"\n',
            'feedsvc.toml:3: error: is no valid TOML: Cannot overwrite a value, column 12; "title" stands here a',
        ),
        ("[site]\ntitle\n", "feedsvc.toml:2: error: is no valid TOML: Expected '=' after a key"),
        ('[site]\nx = """\n\n', "feedsvc.toml:2: error: is no valid TOML: Unterminated string, at the end of the file"),
        (f"x = {'9' * 5000}", "feedsvc.toml: error: is no valid TOML: Exceeds the limit"),
        ("x = " + "[" * 100_000, "feedsvc.toml: error: is nested too deep [bad-toml]"),
    ],
)
def test_broken_toml_is_told_with_its_line(text: str, said: str) -> None:
    """Interface, Configuration: file and line."""
    assert told(text).startswith(said)


def test_relative_paths_start_at_the_project_folder(tmp_path: Path) -> None:
    """Interface, Configuration: the config file's folder, or its parent when that folder is called config."""
    for config in (tmp_path / "a" / "feedsvc.toml", tmp_path / "a" / "config" / "feedsvc.toml"):
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(LEAST)
        project = load(config)
        root = tmp_path / "a"
        assert (project.config, project.root) == (config, root)
        assert (project.posts, project.output, project.state) == (root / "posts", root / "public", root / "var")
        assert project.store_url == f"sqlite:///{root}/var/feedsvc.db"


def test_absolute_paths_stay(tmp_path: Path) -> None:
    """Interface, Configuration."""
    config = tmp_path / "feedsvc.toml"
    config.write_text(LEAST + '[store]\nurl = "sqlite:////srv/state/f.db"\n[output]\ndirectory = "/srv/www"\n')
    project = load(config)
    assert (project.output, project.state) == (Path("/srv/www"), Path("/srv/state"))
    assert project.store_url == "sqlite:////srv/state/f.db"


def test_a_postgresql_store_leaves_the_state_folder_in_the_project(tmp_path: Path) -> None:
    """The lock needs a folder of its own (S-31, V-33)."""
    config = tmp_path / "feedsvc.toml"
    config.write_text(LEAST + '[store]\nurl = "postgresql://feeds:pw@db.example/feeds"\n')
    assert (load(config).state, load(config).store_url) == (tmp_path / "var", "postgresql://feeds:pw@db.example/feeds")


def test_an_output_folder_that_holds_the_project_is_refused_by_its_absolute_path(tmp_path: Path) -> None:
    """Publishing replaces the output folder."""
    config = tmp_path / "feedsvc.toml"
    config.write_text(LEAST + f'[output]\ndirectory = "{tmp_path}"\n')
    with pytest.raises(ConfigError, match=r"output.directory: must be a folder of its own"):
        load(config)


def test_a_file_that_is_not_there_is_told_what_to_do(tmp_path: Path) -> None:
    """A usage or configuration error (exit status 2)."""
    with pytest.raises(ConfigError, match=r"feedsvc.toml: error: does not exist; `feedsvc init` writes one") as caught:
        load(tmp_path / "feedsvc.toml")
    assert caught.value.exit_status == 2
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load(tmp_path)


def test_bytes_that_are_no_utf_8_are_told_with_their_line(tmp_path: Path) -> None:
    """TOML is UTF-8; a byte order mark is none of our business."""
    config = tmp_path / "feedsvc.toml"
    config.write_bytes(b'[site]\ntitle = "B\xfccher"\n')
    with pytest.raises(ConfigError, match=r"feedsvc.toml:2: error: is not UTF-8: byte 0xfc"):
        load(config)
    config.write_bytes(b"\xef\xbb\xbf" + LEAST.replace("\n", "\r\n").encode())
    assert load(config).settings.site.title == "GPU Notes"


def test_addresses_are_ascii_and_percent_encoded_once() -> None:
    """A1: canonical addresses; what is encoded already stays."""
    text = LEAST.replace("https://gpu-notes.example", "HTTPS://Bücher.Example:443/über%20uns/a%zz")
    settings: Settings = read(text, "f")
    assert settings.site.url == "https://xn--bcher-kva.example/%C3%BCber%20uns/a%25zz/"
    assert settings.site.id_authority == "xn--bcher-kva.example,2026"


def test_loading_needs_no_tomlkit() -> None:
    """A build of a hundred posts takes 0.2 s: nothing is imported for faults and edits alone."""
    code = "import sys, feedsvc.settings.load; print('tomlkit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
