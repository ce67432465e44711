"""Feeds for the tests of pages: a small one of each kind, and a river of as many entries as wanted."""

from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from feedsvc.model import Copy, Enclosure, Entry, Feed, Item, Origin, Person, Related, Show, Teaser

TOP = "https://gpu-notes.example/"
FORMATS = {"atom": "atom.xml", "rss": "rss.xml", "json": "feed.json"}
NOON = datetime(2026, 5, 1, 12, 0, 23, tzinfo=UTC)
KHRONOS = Origin(
    "https://www.khronos.example/feed",
    "Khronos Group",
    "https://www.khronos.example/feed",
    "https://www.khronos.example/",
)


def urls(path: str) -> dict[str, str]:
    """Return the addresses of a feed's documents, as a feed at `path` has them."""
    return {name: f"{TOP}{path and path + '/'}{file}" for name, file in FORMATS.items()}


def related(kind: str, label: str, path: str) -> Related:
    """Return another feed of ours."""
    return Related(kind, label, f"GPU Notes: {label}", f"{TOP}{path and path + '/'}", urls(path))


RELATED = (
    related("main", "Posts", ""),
    related("main", "Planet", "planet"),
    related("topic", "AMD ROCm", "topics/rocm"),
    related("topic", "Vulkan", "topics/vulkan"),
    related("tag", "CUDA", "tags/cuda"),
    related("tag", "Triton", "tags/triton"),
    related("author", "Mira Okafor", "authors/mira-okafor"),
)


def item(title: str = "A post", text: str = "Some words.", **changes: Any) -> Item:
    """Return an own entry with a teaser, changed as told; `copies` and `show` go to the item."""
    about = {name: changes.pop(name) for name in ("copies", "show") if name in changes}
    link = changes.get("link", f"{TOP}a-post/")
    entry = Entry(
        "tag:gpu-notes.example,2026:a-post",
        "a-post",
        f"{TOP}a-post/",
        title,
        NOON,
        NOON,
        authors=(Person("Mira Okafor"),),
    )
    teaser = Teaser(f'<p>{text} <a href="{link}">Read more</a></p>', text)
    return replace(Item(replace(entry, **changes), teaser, Show.TEASER, title), **about)


def feed(*items: Item, path: str = "", **changes: Any) -> Feed:
    """Return a feed of these items at `path`, changed as told."""
    made = Feed(
        name="posts",
        kind="main",
        id="tag:gpu-notes.example,2026:feed/posts",
        title="GPU Notes",
        path=path,
        home=TOP,
        page=f"{TOP}{path and path + '/'}",
        urls=urls(path),
        updated=NOON,
        items=items,
        description="Notes on GPU computing: kernels, drivers and the tools around them.",
        related=RELATED,
        rights="© 2026 GPU Notes",
    )
    return replace(made, **changes)


AUTOTUNER = """The autotuner tries each configuration on the shapes it meets and keeps the fastest. That sounds like a
free lunch until a batch of odd sizes arrives and every one of them pays for its own search. A key that rounds
<code>M</code> up to the next power of two cuts the searches from hundreds to nine, and costs two per cent of the
speed."""
NSIGHT = """A timeline first, a kernel profile second. Nsight Systems shows where the device waits for the host;
Nsight Compute explains one kernel in depth, and replays it <em>dozens</em> of times to do so. Starting with the
second is how an afternoon is lost on a kernel that takes three per cent of the frame."""
MEMORY = """Unified memory does not make copies free: it moves them to the first touch. On Apple silicon the page is
shared and the touch costs nothing; on a discrete card it is a fault, a migration and a stall of some 20 µs, for each
of the pages that <code>cudaMemPrefetchAsync</code> would have brought in one go."""
PARAGRAPHS = (AUTOTUNER, NSIGHT, MEMORY)
TITLES = (
    "What Triton’s autotuner measures, and what it keeps",
    "Nsight Systems first, Nsight Compute second",
    "Unified memory: who pays for the first touch?",
    "wgpu compute shaders from a Rust command line, start to finish",
    "ROCm through WSL 2",
    "SYCL, OpenCL or Vulkan compute: choosing for the next ten years",
    "cuDF and Arrow without a copy",
)


def river(count: int) -> tuple[Item, ...]:
    """Return entries of several origins as a planet has them, newest first."""
    return tuple(_drop(number) for number in range(count))


def _drop(number: int) -> Item:
    title, text = TITLES[number % len(TITLES)], PARAGRAPHS[number % len(PARAGRAPHS)]
    moment = NOON - timedelta(days=3 * number, hours=number)
    link = f"{TOP}{number}-{title.split()[0].lower()}/"
    changes: dict[str, Any] = {
        "link": link,
        "published": moment,
        "updated": moment,
        "tags": ("CUDA", "Triton", "compilers")[: number % 4],
    }
    if number % 3 == 1:
        changes |= {
            "source": "khronos",
            "origin": KHRONOS,
            "link": f"https://www.khronos.example/blog/{number}",
            "tags": ("Vulkan", "SPIR-V"),
        }
        changes["copies"] = (
            (Copy("Planet Graphics", "https://planet.example/1"), Copy("Phoronix", "https://news.example/2"))
            if number % 2
            else ()
        )
    return item(title, f"{text} …", id=f"tag:gpu-notes.example,2026:{number}", **changes)


FOREIGN = (
    item(
        "عن CUDA والذاكرة الموحدة",
        "الذاكرة الموحدة لا تجعل النسخ مجانيًا: إنها تؤجله إلى أول لمسة.",
        lang="ar",
        source="s",
        origin=KHRONOS,
    ),
    item(
        "統一メモリの最初のタッチ",
        "統一メモリはコピーを無料にするわけではありません。最初のアクセスに移すだけです。",
        lang="ja",
    ),
    item(
        "Nur der Titel",
        "nothing to see",
        show=Show.TITLE,
        lang="de",
        source="s",
        origin=KHRONOS,
        authors=(Person("Khronos Group"),),
    ),
    item(
        "An episode", "With sound.", enclosures=(Enclosure("https://cdn.example/ep%201.mp3", "audio/mpeg", 12_345_678),)
    ),
    item("", "A note without a title.", updated=NOON + timedelta(days=40)),
)
