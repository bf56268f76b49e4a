"""Everything public has a docstring, which `help()` shows."""

from __future__ import annotations

import enum
import importlib
import inspect
import types
from collections.abc import Iterator

import pytest

import verger

MODULES = (
    "verger",
    "verger.access",
    "verger.columns",
    "verger.compat",
    "verger.compat.protego",
    "verger.compat.robotparser",
    "verger.gate",
    "verger.gate.aiohttp",
    "verger.gate.httpx",
    "verger.gate.requests",
    "verger.owner",
    "verger.scrapy",
    "verger.spark",
)


def public(module: types.ModuleType) -> Iterator[tuple[str, object]]:
    """The classes and functions of a module, and what the classes define beside special methods."""
    names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
    for name in names:
        value = getattr(module, name)
        if not inspect.isclass(value):
            if callable(value) and value.__module__.startswith("verger"):
                yield name, value
            continue
        if not value.__module__.startswith("verger"):
            continue
        yield name, value
        for member in vars(value):
            if not member.startswith("_"):
                yield f"{name}.{member}", getattr(value, member)


def is_documented(value: object) -> bool:
    """Whether a docstring is its own, or that of the method that it replaces. Attributes have none."""
    if inspect.isclass(value):
        text = vars(value).get("__doc__") or ""
        # What `dataclass` and `Enum` write where there is none.
        return bool(text) and not text.startswith(f"{value.__name__}(") and text != enum.Enum.__doc__
    is_slot = isinstance(value, types.MemberDescriptorType)
    if is_slot or not (callable(value) or inspect.isdatadescriptor(value)):
        return True
    return bool(inspect.getdoc(value))


@pytest.mark.parametrize("name", MODULES)
def test_what_is_public_is_documented(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    found = dict(public(module))
    assert found or name == "verger.compat"
    assert [name for name, value in found.items() if not is_documented(value)] == []


@pytest.mark.parametrize("name", MODULES)
def test_what_can_be_called_has_a_signature_and_sentences(name: str) -> None:
    for path, value in public(importlib.import_module(name)):
        is_exception = inspect.isclass(value) and issubclass(value, (BaseException, enum.Enum))
        of_others = not (getattr(value, "__module__", None) or "verger").startswith("verger")
        if not callable(value) or is_exception or of_others:
            continue
        # Raises ValueError where a compiled function states a default that cannot be evaluated.
        if not inspect.isclass(value) or "__new__" in vars(value):
            inspect.signature(value)
        if path.count(".") == 0:
            assert value.__module__ == name or not value.__module__.startswith("verger._"), path
        first = (inspect.getdoc(value) or "").split("\n\n")[0]
        assert (first[:1].isupper() or first[:1] == "`") and " " in first and first[-1] in ".:?", (path, first)


def test_compiled_methods_and_properties_are_among_them() -> None:
    found = dict(public(verger))
    for name in ("Pacing", "Pacing.wait_milliseconds", "Pacing.crawl_delay", "Policy.check_many", "parse"):
        assert inspect.getdoc(found[name])
    assert "Dialect" in found and "Rule.pattern_bytes" in found
