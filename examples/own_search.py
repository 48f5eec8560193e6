"""A search provider of your own: here a list of files on this machine."""

from pathlib import Path

from foureyes import SearchAnswer, SearchHit, run_analysis

FILES = {
    "about.md": "The Arnsund tidal power station began regular service on 4 May 2019.\n",
    "mussels.md": "Mussels grow on the blades of turbines.\n",
}
DRAFT = """# The station of Arnsund

The Arnsund tidal power station began regular service on 4 May 2019.
"""


class Shelf:
    """Finds the files that hold most words of a query.

    `local` says that queries stay on this machine, and lets hits be paths below `station`.
    """

    name = "shelf"
    local = True

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """At most `limit` files, the best first."""
        print("asked:", query)
        words = set(query.lower().split())
        hits = [
            (len(words & set(text.lower().split())), SearchHit(name, name, text))
            for name, text in FILES.items()
        ]
        best = sorted(hits, key=lambda one: -one[0])
        return SearchAnswer(tuple(hit for score, hit in best if score > 1)[:limit])


if __name__ == "__main__":
    Path("station").mkdir(exist_ok=True)
    for name, text in FILES.items():
        Path("station", name).write_text(text, encoding="utf-8")
    result = run_analysis(
        draft=DRAFT, sources=["station"], with_fact_checker=True, search=Shelf(), fetch="none"
    )
    print(result.status, result.analysis, sep="\n")
