"""Marks around text that others wrote, so that an agent can tell it from what we say."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.tasks import digest


@dataclass(frozen=True, slots=True)
class UntrustedText:
    """Puts fetched text between two marks with the same code (decision 19)."""

    code: str

    @classmethod
    def of(cls, *secrets: str) -> UntrustedText:
        """Marks with a code that no page can know beforehand.

        It is made from `secrets` (the draft, which pages do not know) and not drawn by chance, so
        that a resumed run hands out the same files.
        """
        return cls(digest([*secrets, ""])[:16])

    def mark(self, text: str, kind: str = "source text") -> str:
        """`text` between marks that name its `kind`; the code is taken out of the text itself."""
        inside = text.replace(self.code, "")
        return f"<<<{kind} {self.code}>>>\n{inside}\n<<<end of {kind} {self.code}>>>"
