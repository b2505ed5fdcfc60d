# Every chore by name. All of them build the environment in .venv first, from constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test check format docs pictures quality bench latency clean

demo: .venv/demo.installed        ## sample knowledge base, build, an answer, an abstention, a why-not
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/demo.sh

test: .venv/test.installed        ## the whole test suite
	$(BIN)/pytest

check: .venv/test.installed       ## style, types, generated documents
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python scripts/document.py --check
	$(BIN)/python scripts/golden.py --check

format: .venv/test.installed      ## put style right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/test.installed        ## write the generated documents anew
	$(BIN)/python scripts/document.py

pictures: .venv/test.installed    ## draw the pictures of README and docs from the sample
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/pictures.sh

quality: .venv/test.installed     ## retrieval quality on SciFact and Cranfield (EVIDEX_SHARED names their folder)
	$(BIN)/python benchmarks/quality.py

PEERS := build/bench/venv
bench: $(PEERS)/peers.installed   ## speed beside other engines, which get an environment of their own; more than an hour
	$(PEERS)/bin/python -m benchmarks bm25 --size 1000000
	$(PEERS)/bin/python -m benchmarks bm25 --size 100000
	$(PEERS)/bin/python -m benchmarks tokenise
	$(PEERS)/bin/python -m benchmarks dense
	$(PEERS)/bin/python -m benchmarks dense --collection scifact
	$(PEERS)/bin/python -m benchmarks hybrid
	$(PEERS)/bin/python -m benchmarks maxsim
	$(PEERS)/bin/python -m benchmarks encoding
	$(PEERS)/bin/python -m benchmarks visibility
	$(PEERS)/bin/python -m benchmarks worst
	$(PEERS)/bin/python -m benchmarks incremental
	$(PEERS)/bin/python -m benchmarks threads
	$(PEERS)/bin/python -m benchmarks growth
	$(PEERS)/bin/python -m benchmarks significance

latency: .venv/test.installed     ## how long a search takes on the sample, stage by stage
	$(BIN)/python benchmarks/latency.py

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/demo.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) --editable '.[local]'
	@touch $@

$(PEERS)/peers.installed: pyproject.toml constraints.txt benchmarks/peers/requirements.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --disable-pip-version-check --editable '.[all,dev]' \
	  --requirement benchmarks/peers/requirements.txt
	@touch $@

.venv/test.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) --editable '.[all,dev]'
	@touch $@ .venv/demo.installed
