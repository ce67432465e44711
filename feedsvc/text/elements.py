"""The names of HTML's elements, by what the parser and the cleaner do with them."""


def names(words: str) -> frozenset[str]:
    """Return the words of a line as a set."""
    return frozenset(words.split())


INLINE = names(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr q rp rt ruby s samp"
    " small span strike strong sub sup time tt u var wbr"
)
CODE = names("pre code samp kbd tt listing")
VOID = names("area base basefont bgsound br col embed frame hr img input link meta param source track wbr")
RAW = names("script style textarea title iframe noembed noframes noscript xmp plaintext")
CLOSES_P = names(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1"
    " h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul"
    " xmp"
)
TABLE_PARTS = names("caption colgroup col tbody thead tfoot tr td th")
BLOCK = (CLOSES_P | TABLE_PARTS | names("body html optgroup option br")) - {"col", "colgroup"}
HEADINGS = names("h1 h2 h3 h4 h5 h6")
FOREIGN = frozenset({"svg", "math"})
INTEGRATION = names("foreignobject desc title mtext mi mo mn ms annotation-xml")
BREAKS_OUT = names(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta"
    " nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
SILENT = names("script style noscript iframe noembed noframes")
KNOWN = (
    INLINE
    | CODE
    | VOID
    | RAW
    | CLOSES_P
    | TABLE_PARTS
    | FOREIGN
    | names(
        "applet audio blink body button canvas datalist frameset head html legend map marquee meter object optgroup"
        " option output picture progress select slot template video"
    )
)
# Elements that mostly have no end tag, and in which of others each may stand; whole documents are none of a post.
PARENTS = (
    dict.fromkeys(TABLE_PARTS, frozenset({"table"}))
    | dict.fromkeys(("dt", "dd"), frozenset({"dl"}))
    | dict.fromkeys(("rt", "rp"), frozenset({"ruby"}))
    | dict.fromkeys(("option", "optgroup"), names("select datalist optgroup"))
    | dict.fromkeys(("html", "head", "body"), frozenset[str]())
    | {"li": names("ul ol menu dir")}
)
# What the start of an element closes without saying so: the nearest of the first names, not beyond one of the second.
IMPLIED_ENDS = {
    "li": (frozenset({"li"}), (CLOSES_P | TABLE_PARTS) - {"address", "div", "p", "li"}),
    "dt": (frozenset({"dt", "dd"}), (CLOSES_P | TABLE_PARTS) - {"address", "div", "p", "dt", "dd"}),
    "dd": (frozenset({"dt", "dd"}), (CLOSES_P | TABLE_PARTS) - {"address", "div", "p", "dt", "dd"}),
    "option": (frozenset({"option"}), frozenset({"select", "datalist"})),
    "td": (frozenset({"td", "th"}), frozenset({"table", "tr"})),
    "th": (frozenset({"td", "th"}), frozenset({"table", "tr"})),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
} | {
    part: (frozenset({"tbody", "thead", "tfoot", "caption", "colgroup"}), frozenset({"table"}))
    for part in ("tbody", "thead", "tfoot", "caption", "colgroup")
}
