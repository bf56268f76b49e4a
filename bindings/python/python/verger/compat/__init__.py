"""Drop-in replacements for other robots.txt parsers, with Verger's answers.

- `verger.compat.protego` replaces Protego 0.7.
- `verger.compat.robotparser` replaces `urllib.robotparser` of the standard library.

Only the import changes. `docs/compat.md` of the package lists the answers that differ.
"""
