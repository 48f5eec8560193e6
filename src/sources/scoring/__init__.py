"""Sources to scores, tiers, gaps and citations, by rules alone.

registry = load_scoring()
given = scoring_input(source, text, registry.rules.features)
score = score_source(given, registry, as_of=date(2026, 2, 3), topic="pod scheduling")
score.total, score.tier, score.badge, score.mark, score.authority.reason, score.review
gaps = detect_gaps([score], registry.rules.gaps, as_of=date(2026, 2, 3))
"""
