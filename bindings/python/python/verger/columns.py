"""Check columns of URLs, with pyarrow, Polars, DuckDB and any other package that supports Arrow.

    >>> import polars as pl
    >>> from verger import columns
    >>> bodies = pl.DataFrame({"authority": ["https://example.com"], "robots": ["User-agent: *\\nDisallow: /a"]})
    >>> urls = pl.DataFrame({"url": ["https://example.com/a", "https://example.com/b", None]})
    >>> pl.DataFrame(columns.check(urls, bodies, "ExampleBot"))["allowed"].to_list()
    [False, True, None]

Data is exchanged through the Arrow PyCapsule interface (`__arrow_c_stream__`, `__arrow_c_array__`), so no other package
is imported.

A column of URLs gives a column of results, row by row. A table gives the same table with the new columns appended. It
is processed in batches as it is read, so it may be larger than memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from verger._arrow import ArrowArray, ArrowData, ArrowStream, ReadableFile
from verger._names import Dialect, ReadingOption, say_where_they_are
from verger._verger import (
    Captures,
    Columns,
    Crawler,
    ProductToken,
    RobotsTxt,
    Rulebook,
    authority_column,
    captures_of,
    class_column,
)

__all__ = [
    "ArrowArray",
    "ArrowData",
    "ArrowStream",
    "Captures",
    "Columns",
    "ReadableFile",
    "Rulebook",
    "authority",
    "captures",
    "check",
    "classes",
]


_Agent: TypeAlias = str | ProductToken | Crawler | Sequence[str | ProductToken]


def authority(urls: ArrowData, *, url: str = "url") -> Columns:
    """Return the authority of each URL, such as `https://example.com`, to join by. Null if a URL is null or has none.

    A column of URLs gives a column. A table gives its own columns and `authority`. `url` names the column of a table.
    `verger.authority` takes a single URL.

    URLs must be written in full: `https:/a.example/x` has no authority, although browsers repair it.

    Raises `TypeError` and `ValueError`, like `check`.
    """
    return authority_column(urls, url=url)


def check(
    urls: ArrowData,
    bodies: ArrowData | RobotsTxt,
    crawlers: _Agent | Sequence[_Agent],
    *,
    by: str | None = None,
    url: str = "url",
    dialect: Dialect | str | None = None,
    options: Iterable[ReadingOption | str] | None = None,
    cache_bytes: int = 256 << 20,
) -> Columns:
    """Check whether crawlers may fetch each URL, and why. Short for `Rulebook(bodies, crawlers, ...).check(urls)`.

    Without `dialect`, each `verger.Crawler` is judged as its operator reads, and all others by RFC 9309.

    `bodies` is a table with the columns `authority` and `robots`. With `by="id"` it has the columns `id` and `robots`,
    and the table of URLs also has a column `id`. A single `RobotsTxt` applies to all URLs.

    For one crawler, the result has the columns `allowed`, `reason`, `line` and `rule`. For a list of crawlers, it has a
    struct column of these four for each crawler, named after the crawler.

    Raises `TypeError` if a column has the wrong type, and `ValueError` if a column is missing, already present or
    malformed. Crawlers and dialects raise the same exceptions as in `RobotsTxt.policy`. Errors while a table is read
    are raised by the package that reads it.
    """
    book = Rulebook(bodies, crawlers, by=by, dialect=dialect, options=options, cache_bytes=cache_bytes)
    return book.check(urls, url=url)


def classes(
    bodies: ArrowData,
    crawlers: _Agent | Sequence[_Agent],
    *,
    robots: str = "robots",
    dialect: Dialect | str | None = None,
    options: Iterable[ReadingOption | str] | None = None,
) -> Columns:
    """Classify how much each body disallows to crawlers: everything, some or nothing, with a shortest path for each.

    A column of bodies gives only the result columns. A table gives its own columns and then these. `robots` names the
    column of a table.

    For one crawler, the columns are `disallowed` (`everything`, `some` or `nothing`), `group_line`, `group_named`,
    `disallowed_url`, `disallowed_line`, `allowed_url`, `allowed_line` and `states`. `disallowed` is null if the body is
    null, or if the budget ran out. In that case `states` is the number of states visited. For a list of crawlers, there
    is a struct column of these for each. Equal bodies are read once.

    Raises `TypeError` and `ValueError`, like `check`.
    """
    return class_column(bodies, crawlers, robots=robots, dialect=dialect, options=options)


def captures(file: str | os.PathLike[str] | ReadableFile, *, name: str | None = None) -> Captures:
    """Read the captures of robots.txt in a WARC file, one per row. The file may be gzip, Zstandard or plain.

    `file` is a path, or an object with a method `read(size)` that returns bytes, as from `open(path, "rb")`, `fsspec`
    or `pyarrow.fs`. The columns are those of `verger bulk captures`. The column `file` is `name`, or the name of the
    file object. Damage gives a row with a mark and a problem. Captures can be read only once.

    Raises `OSError` if a path cannot be opened, and `TypeError` if `file` is neither a path nor a file. Errors while
    the file is read are raised by the package that reads it, with the file and offset.
    """
    return captures_of(file, name=name)


say_where_they_are(__name__, globals())
