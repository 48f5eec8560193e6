"""Who fills a template: a model (claude), rules (offline), or an earlier run (replay)."""
