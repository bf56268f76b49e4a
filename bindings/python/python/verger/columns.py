"""Columns of URLs in, columns of answers out: pyarrow, Polars, DuckDB and all that speak Arrow.

    >>> import polars as pl
    >>> from verger import columns
    >>> bodies = pl.DataFrame({"authority": ["https://example.com"], "robots": ["User-agent: *\\nDisallow: /a"]})
    >>> urls = pl.DataFrame({"url": ["https://example.com/a", "https://example.com/b", None]})
    >>> pl.DataFrame(columns.check(urls, bodies, "ExampleBot"))["allowed"].to_list()
    [False, True, None]

Data comes and goes through the PyCapsule interface of Arrow (`__arrow_c_stream__`, `__arrow_c_array__`); no
package is imported for it.

A column of URLs gives a column of answers, row by row. A table gives the table with new columns after its
own, batch by batch as it is read, so that it may be longer than memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from verger._arrow import ArrowArray, ArrowData, ArrowStream, ReadableFile
from verger._names import Dialect, ReadingOption
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
    """The authority of each URL, such as `https://example.com`, to join by; null where a URL is null or has
    none.

    A column of URLs gives a column, a table its columns and `authority`. `url` names the column of a table.
    For one URL there is `verger.access.authority`, which reads a URL as browsers do: it trims spaces and mends
    `https:/a.example/x`, `https:a.example` and `\\` for `/`, which have no authority here.

    Raises `TypeError` and `ValueError`, as `check`.
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
    """Whether crawlers may fetch each URL, and why: `Rulebook(bodies, crawlers, ...).check(urls)`.

    `bodies` is a table with the columns `authority` and `robots`, or with `by="id"` of `id` and `robots`, the
    table of URLs having a column `id` as well; or one `RobotsTxt` that applies to all URLs.

    One crawler has the columns `allowed`, `reason`, `line` and `rule`. A list of crawlers has a struct column
    of these four for each, named after it.

    Raises `TypeError` where a column is of another type than it has to be, `ValueError` where one is not
    there, is there already or is broken, and for crawlers and dialects as `RobotsTxt.policy` does. What goes
    wrong in a table while it is read is an error of the package that reads it.
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
    """How much each body disallows to crawlers: everything, some or nothing, with a shortest path each way.

    A column of bodies gives the columns, a table its own and these after them; `robots` names the column of a
    table. One crawler has the columns `disallowed` (`everything`, `some`, `nothing`; null where the body is, or
    where the budget did not suffice, and then `states` says how many were visited), `group_line`, `group_named`,
    `disallowed_url`, `disallowed_line`, `allowed_url`, `allowed_line` and `states`; a list of crawlers has a
    struct column of these for each. Equal bodies are read once.

    Raises `TypeError` and `ValueError`, as `check`.
    """
    return class_column(bodies, crawlers, robots=robots, dialect=dialect, options=options)


def captures(file: str | os.PathLike[str] | ReadableFile, *, name: str | None = None) -> Captures:
    """The captures of robots.txt in a WARC file, one a row, as they are read: gzip, Zstandard and plain.

    `file` is a path, or an object with a method `read(size)` that gives bytes, such as what `open(path, "rb")`,
    `fsspec` and `pyarrow.fs` give. The columns are those of `verger bulk captures`; `file` among them is `name`, or
    what the file calls itself. Damage is a row with a mark and a problem. Captures are read once.

    Raises `OSError` where a path cannot be opened, and `TypeError` where it is neither. What goes wrong while it is
    read is an error of the package that reads, with file and offset.
    """
    return captures_of(file, name=name)
