"""Modules with the interface of other robots.txt parsers, and the answers of Verger.

- `verger.compat.protego`: that of Protego 0.7;
- `verger.compat.robotparser`: that of `urllib.robotparser` in the standard library.

An import is all that changes. `docs/compat.md` of the package lists the answers that do.
"""
