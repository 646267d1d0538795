# catchrate: `make demo` sets everything up and runs the main job; `make test` sets everything up and passes the tests.

PYTHON ?= python3
VENV ?= .venv
TESTS ?=
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check bench bench-scale cover lock clean

DEMO := src/catchrate/demo src/catchrate/demo/runs/bm25.trec src/catchrate/demo/runs/dense.trec

demo: $(READY)  ## evaluate the two bundled runs, compare them, and write a report
	$(BIN)/catchrate report $(DEMO) -o demo-report.html

test: $(READY)  ## run all tests
	$(BIN)/python -m pytest $(TESTS)

check: $(READY)  ## style, types, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

bench: $(READY)  ## time and memory against the neighbours, all in one run
	$(BIN)/python -m pip install --quiet -r requirements/bench.txt
	$(BIN)/python -m bench

bench-scale: $(READY)  ## runs larger than memory, Spark (needs Java), 200 runs, and how cost grows; 8 GB of disk, removed after
	$(BIN)/python -m bench.scale

cover: $(READY)  ## which lines the tests reach
	$(BIN)/python -m pytest --cov=catchrate --cov-report=term-missing:skip-covered

lock:  ## write the exact versions of today's newest dependencies
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip install --quiet --upgrade pip
	.venv-lock/bin/python -m pip install --quiet --group dev -e .
	.venv-lock/bin/python -m pip freeze --exclude-editable --exclude pip --exclude setuptools > requirements/dev.txt
	.venv-lock/bin/python -m pip install --quiet --group bench
	.venv-lock/bin/python -m pip freeze --exclude-editable --exclude pip --exclude setuptools > requirements/bench.txt
	rm -rf .venv-lock

$(READY): pyproject.toml requirements/dev.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "catchrate needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $(READY)

clean:
	rm -rf $(VENV)
