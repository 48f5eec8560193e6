# Everything needs only git, make and Python 3.11. Set-up is kept in .venv and not repeated.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
RUN_READY := .make/run
DEV_READY := .make/dev
WORKERS := -n 3 --dist loadfile --no-loadscope-reorder
CODE := src tests tools benchmarks examples config pipeline.py

.PHONY: demo test lint run-tests coverage soak bench readme docs schemas site plugin dist dist-check clean

demo: $(RUN_READY)
	$(BIN)/python -m pipeline --with-fact-checker --sources examples/sources examples/brief.md

# The types take one core for a minute, in which tests that wait leave the other one free.
test:
	$(MAKE) -j2 lint run-tests

lint: $(DEV_READY)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/pyright
	$(BIN)/lint-imports

# Hundreds of processes start: none should compile the package again. Integration tests come first,
# so that unit tests fill the time in which they wait; that leaves room for a third worker on two
# cores. The short files come last, so that all workers end together.
run-tests: export PYTHONDONTWRITEBYTECODE :=
run-tests: $(DEV_READY)
	$(BIN)/pytest -m "not soak" $(WORKERS) tests/integration tests/golden tests/unit

# To count lines takes half as long again. The unit tests reach the whole.
coverage: export PYTHONDONTWRITEBYTECODE :=
coverage: $(DEV_READY)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m "not soak" $(WORKERS) tests/unit
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# The property-based tests of `make test`, too, with twenty times the examples.
soak: $(DEV_READY)
	$(BIN)/pytest -m "soak or hypothesis" --hypothesis-profile=many

bench: $(DEV_READY)
	for file in benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

# Puts the real output of its commands into README.md.
readme: $(DEV_READY)
	$(BIN)/python tools/readme.py

# Puts the real output of its commands into every page of the documentation.
docs: $(DEV_READY)
	$(BIN)/python tools/pages.py

# Makes the JSON Schemas of all files that are written and read.
schemas: $(DEV_READY)
	$(BIN)/python tools/schemas.py

# Builds the documentation as a site, in site/; a warning is an error.
site: export NO_MKDOCS_2_WARNING := 1
site: $(DEV_READY)
	$(BIN)/mkdocs build --strict

# Makes the texts of the Claude Code plugin from config/prompts.
plugin: $(DEV_READY)
	$(BIN)/python tools/plugin_texts.py

dist: $(DEV_READY)
	rm -rf dist build
	$(BIN)/python -m build --outdir dist

# The wheel in an environment of its own, outside the checkout.
dist-check: dist
	$(BIN)/python tools/wheel_check.py dist

$(BIN)/python:
	$(PYTHON) -m venv .venv

$(RUN_READY): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --constraint constraints.txt --editable .
	mkdir -p .make && touch $@

$(DEV_READY): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev]'
	mkdir -p .make && touch $(RUN_READY) $@

clean:
	rm -rf .venv .make build dist site foureyes.egg-info .coverage .coverage.*
