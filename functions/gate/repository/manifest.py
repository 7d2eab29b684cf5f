"""What is known of a repository at one commit, and the questions that a citation asks of it. Pure."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

from gate.repository.ignoring import Ignores

SITE_FILES = frozenset(
    {
        "mkdocs.yml", "mkdocs.yaml", "docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs",
        "_config.yml", "_config.yaml", "hugo.toml", "hugo.yaml", "book.toml", "conf.py", "astro.config.mjs",
        "astro.config.ts", "docfx.json", "antora.yml", "_toc.yml", "_toctree.yml", ".vitepress", ".vuepress",
        "vocs.config.ts", "vocs.config.tsx", "docs.json", "mint.json", "_sidebar.md", "next.config.js",
        "next.config.mjs", "next.config.ts", "gatsby-config.js", "angular.json", "nuxt.config.ts", "theme.toml",
        "SUMMARY.md", "toc.yml", "_quarto.yml", "sphinx_conf.py", "eleventy.config.js", ".eleventy.js", "website.json",
    }
)  # fmt: skip
"""Files and folders that say a site generator builds pages from the folder they are in."""
_HUGO_FOLDERS = ("archetypes", "themes", "layouts")
"""Folders beside `content` where Hugo makes the site."""
SITE_ROOTS = ("docs", "doc", "content", "static", "public", "src", "source", "pages", "site", "assets", "images")
"""Folders below a site's own from which its root-absolute links start."""
PAGE_ENDINGS = (".md", ".mdx", ".rst", ".ipynb", ".markdown", ".html", ".adoc", ".txt", ".tsx", ".vue")
INDEX_NAMES = ("index", "README", "readme", "_index", "Index")
COMMON_NAMES = 3
"""A base name that more files than this share says nothing about where a file went."""
CLOSE = 0.8
"""Similarity from which two base names are taken for a slip of the pen."""


_VARIANT = (
    r"js|javascript|ts|typescript|java|py|python|csharp|dotnet|go|ruby|php|kotlin|swift|rust|[a-z]{2}(?:-[a-z]{2})?"
)
_NUMBERED_PAGE = re.compile(r"(?:^|/)\d{1,2}[-_.](?!\d)[^/]*\.mdx?$")
MOST_NAMES = 1_000
"""A folder with more names than this is not searched for close ones, nor are more files of one name."""


Contents = Callable[[Callable[[str], bool]], Iterator[tuple[str, bytes | None]]]
"""Gives the plain files whose paths are wanted, each with what it holds; None: it cannot be read. Files that are too
large to be read by people are passed over."""


@dataclass(frozen=True)
class Repository:
    """Names in a repository, POSIX and relative to its root.

    Attributes:
        files: every file, links included, in the order of the source.
        links: symbolic links and what they hold, as stored.
        texts: contents of the few files that say how paths are meant (each `.gitignore`).
        submodules: folders whose files belong to another repository.
        problems: entries that were left out, each with the reason.
        name: what the repository is called, where that is known: documents often write it in front of a path.
        contents: what the files hold, read when it is asked for; None: only names are known.
        stays: the files lie on this machine, and stay there after the run.
    """

    files: tuple[str, ...]
    links: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    submodules: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    name: str = ""
    contents: Contents | None = field(default=None, compare=False, repr=False)
    stays: bool = field(default=False, compare=False)

    @cached_property
    def known(self) -> frozenset[str]:
        """Every file and every folder above one; `.` is the root."""
        folders = {"."}
        for path in self.files:
            while (path := path.rpartition("/")[0]) and path not in folders:
                folders.add(path)
        return frozenset(folders.union(self.files, self.submodules))

    @cached_property
    def by_name(self) -> Mapping[str, list[str]]:
        """Files and folders by base name."""
        names: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.known):
            names[path.rpartition("/")[2]].append(path)
        return names

    @cached_property
    def site_folders(self) -> frozenset[str]:
        """Folders that a site generator is configured in."""
        return frozenset(path.rpartition("/")[0] for name in SITE_FILES for path in self.by_name.get(name, ()))

    @cached_property
    def _aliases(self) -> Mapping[str, list[str]]:
        """Where links point: target path → paths of the links."""
        targets: dict[str, list[str]] = defaultdict(list)
        for link, target in self.links.items():
            targets[posixpath.normpath(posixpath.join(posixpath.dirname(link), target))].append(link)
        return targets

    @cached_property
    def _ignores(self) -> Ignores:
        rules = Ignores()
        for path, text in self.texts.items():
            folder, _, name = path.rpartition("/")
            if name == ".gitignore":
                rules.add(_encoded(folder), _encoded(text))
        return rules

    def has(self, path: str) -> bool:
        """Whether a normalised path is a file or folder here, also through a linked folder."""
        if path in self.known:
            return True
        return bool(self.links) and any(target in self.known for target in self._through_links(path))

    def is_folder(self, path: str) -> bool:
        """Whether a normalised path is a folder that holds something."""
        return path in self._children

    def folders_in(self, folder: str) -> list[str]:
        """Names of the folders in a folder; the root is the empty string."""
        return [name for name in self._children.get(folder, ()) if self.is_folder(posixpath.join(folder, name))]

    def _through_links(self, path: str) -> Iterator[str]:
        parts = path.split("/")
        for n in range(1, len(parts) + 1):
            head = "/".join(parts[:n])
            if head in self.links:
                target = posixpath.join(posixpath.dirname(head), self.links[head], *parts[n:])
                yield posixpath.normpath(target)

    def also_at(self, path: str) -> list[str]:
        """Other paths that a document is reached by: links to it, or to a folder above it."""
        found = list(self._aliases.get(path, ()))
        head = path
        while head := posixpath.dirname(head):
            found += [posixpath.join(link, posixpath.relpath(path, head)) for link in self._aliases.get(head, ())]
        return found

    def in_submodule(self, path: str) -> bool:
        """Whether a path belongs to a submodule, whose files are not listed here."""
        return any(path == folder or path.startswith(f"{folder}/") for folder in self.submodules)

    def ignored(self, path: str) -> bool:
        """Whether the repository's own `.gitignore` says that this path is made, not kept.

        A folder that keeps files in spite of the pattern says otherwise.
        """
        folder = path.rpartition("/")[0]
        kept = self._children.get(folder, [])[:1] if folder else []
        return self._matched(path) and not any(self._matched(f"{folder}/{name}") for name in kept)

    def _matched(self, path: str) -> bool:
        name = _encoded(path)
        return self._ignores.covers(name) or self._ignores.covers(name, folder=True)

    @cached_property
    def scripts(self) -> Mapping[str, list[str]]:
        """Programs by the bare letters of their names: `dataset_zoo.py` under `datasetzoo`."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.files:
            stem, dot, ending = path.rpartition("/")[2].rpartition(".")
            if dot and ending in ("py", "js", "mjs", "ts", "sh", "go", "rb"):
                found[re.sub(r"[\W_]+", "", stem).lower()].append(path)
        return found

    @cached_property
    def numbered_folders(self) -> frozenset[str]:
        """Folders whose pages have their order before their names: what makes a site of them leaves it out."""
        return frozenset(path.rpartition("/")[0] for path in self.files if _NUMBERED_PAGE.search(path))

    @cached_property
    def endings(self) -> frozenset[str]:
        """Lower-case endings of the files that are here."""
        names = (path.rpartition("/")[2] for path in self.files)
        return frozenset(name.rpartition(".")[2].lower() for name in names if "." in name[1:])

    def ending_with(self, path: str) -> list[str]:
        """Paths that have this one as their end: `gate/model.py` for `model.py`."""
        return [whole for whole in self.by_name.get(path.rpartition("/")[2], ()) if f"/{whole}".endswith(f"/{path}")]

    def site_of(self, path: str) -> str | None:
        """The nearest folder above a document that a site generator is configured in; None: plain files."""
        head = path
        while head:
            head = posixpath.dirname(head)
            if head in self.site_folders:
                return head
        return None

    def is_hugo_page(self, path: str) -> bool:
        """Whether Hugo builds a page from this file: a folder of its own, where its links start."""
        head, _, _ = f"/{path}".partition("/content/")
        return head != f"/{path}" and any(self.is_folder(posixpath.join(head[1:], name)) for name in _HUGO_FOLDERS)

    def is_myst_page(self, path: str) -> bool:
        """Whether Sphinx builds a page from this Markdown, whose links may name labels of all its pages."""
        site = self.site_of(path) if path.endswith(".md") else None
        return site is not None and posixpath.join(site, "conf.py") in self.known

    def neighbour(self, path: str) -> str | None:
        """A path that the writer may have meant.

        The same uncommon name elsewhere, a close name beside it, the same path below a folder of close name, or the one
        path that ends in the same folder and name.
        """
        name = path.rpartition("/")[2]
        beside = self.close_name(path, cutoff=0.95)
        same = self.by_name.get(name, ())
        if beside is None and 0 < len(same) <= COMMON_NAMES:
            return max(same, key=lambda candidate: (shared_tail(candidate, path), _shared_parts(candidate, path)))
        return beside or self.close_name(path) or self.close_folder(path) or self._moved(path)

    def _moved(self, path: str) -> str | None:
        """The one path that ends as this one does, in two parts or more: a folder above was renamed or moved."""
        folder, _, name = path.rpartition("/")
        if not folder or len(self.by_name.get(name, ())) > MOST_NAMES:
            return None
        alike = self.ending_with(f"{folder.rpartition('/')[2]}/{name}")
        longest = max((shared_tail(candidate, path) for candidate in alike), default=0)
        found = [candidate for candidate in alike if shared_tail(candidate, path) == longest]
        return found[0] if len(found) == 1 else None

    def variants(self, path: str) -> bool:
        """Whether a page is kept once for each language, so that the site's builder finds it under another name.

        `guide.md` for `guide-js.md`, `guide.de.md` or `de/guide.md` beside it.
        """
        folder, _, name = path.rpartition("/")
        stem, _, ending = name.rpartition(".") if "." in name[1:] else (name, "", "")
        pattern = re.compile(rf"{re.escape(stem)}[-_.](?:{_VARIANT})\.{re.escape(ending) or '[a-z]+'}$", re.IGNORECASE)
        return any(pattern.match(other) for other in self._children.get(folder, ()))

    def close_folder(self, path: str) -> str | None:
        """The same path below a folder whose name is nearly one of its own."""
        parts = path.split("/")
        for n in range(len(parts) - 1):
            close = self.close_name("/".join(parts[: n + 1]))
            candidate = f"{close}/{'/'.join(parts[n + 1 :])}"
            if close and candidate in self.known:
                return candidate
        return None

    def close_name(self, path: str, *, cutoff: float = CLOSE) -> str | None:
        """A path in the same folder whose name is nearly this one's, and of the same kind."""
        folder, _, name = path.rpartition("/")
        names = self._children.get(folder, [])
        if len(names) > MOST_NAMES:
            return None
        same = next((other for other in names if other.lower() == name.lower()), None)
        close = [same] if same else difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
        return posixpath.join(folder, close[0]) if close else None

    @cached_property
    def _children(self) -> Mapping[str, list[str]]:
        children: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.known):
            folder, _, name = path.rpartition("/")
            children[folder].append(name)
        return children


def shared_tail(one: str, other: str) -> int:
    """How many parts two paths share, counted from the end."""
    pairs = zip(reversed(one.split("/")), reversed(other.split("/")), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _shared_parts(one: str, other: str) -> int:
    return len(set(one.split("/")) & set(other.split("/")))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
