# `make run` starts the pet, `make test` checks everything; `make help` lists the rest.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
NOT_INSTALLED := { echo; echo "Eko is not installed: what pip could not do stands above. Mostly it is the network or a full disk. The same command tries again; make clean begins anew."; exit 1; }

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## Say what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

.PHONY: run
run: $(VENV)/.installed ## Start the pet (the first time, install it)
	@exec $(BIN)/eko run

# Hundreds of processes begin, and would each compile everything where Python may keep no bytecode.
.PHONY: test
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/.installed-dev ## Check form, style, types, imports, and run every test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -n auto --dist worksteal

.PHONY: wheel
wheel: $(VENV)/.installed-dev ## Build the wheel, and try it as a tool on each Python here
	.ci/wheel

# mkdocs-material notes on each start that it reaches its end of life in May 2027.
.PHONY: site
site: export NO_MKDOCS_2_WARNING := 1
site: $(VENV)/.installed-dev ## Build the documents as a site, and check every link
	$(BIN)/mkdocs build --quiet

# Each takes its size (N) and, to do the same again, its SEED.
HARNESS = $(BIN)/python -m tests.harness.$@ $(if $(N),--n $(N)) $(if $(SEED),--seed $(SEED)) $(if $(CLOCK),--clock $(CLOCK))

.PHONY: attacks
attacks: $(VENV)/.installed-dev ## Attack the pet as visitors do (N=, SEED=; all attacks without N)
	$(HARNESS)

.PHONY: leaks
leaks: $(VENV)/.installed-dev ## Look for what was told elsewhere (N= canaries, SEED=)
	$(HARNESS)

.PHONY: crash
crash: $(VENV)/.installed-dev ## Kill a daemon under load N times (60), and compare what is kept
	$(HARNESS)

.PHONY: faults
faults: $(VENV)/.installed-dev ## Let its services fail N times (21), and see who is answered
	$(HARNESS)

.PHONY: soak
soak: $(VENV)/.installed-dev ## Live a day of N messages (6000) in minutes; by the clock with CLOCK=1h
	$(HARNESS)

.PHONY: proof
proof: $(VENV)/.installed-dev ## Measure what the pet promises, on one page (N= times the size)
	$(BIN)/python -m benchmarks.proof $(if $(N),--n $(N))

.PHONY: format
format: $(VENV)/.installed-dev ## Write the code in the agreed form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: example
example: $(VENV)/.installed ## Write eko.example.toml from the settings
	$(BIN)/python -m config.example > eko.example.toml

.PHONY: constraints
constraints: ## Take the newest versions that pyproject.toml allows, and pin them
	rm -rf $(VENV)-constraints
	@$(MAKE) --no-print-directory $(VENV)-constraints/bin/python VENV=$(VENV)-constraints
	$(VENV)-constraints/bin/python -m pip --disable-pip-version-check install -e '.[dev]'
	$(VENV)-constraints/bin/python -m pip --disable-pip-version-check freeze --exclude-editable \
		| grep -E '^[A-Za-z0-9._-]+==' > constraints.txt
	rm -rf $(VENV)-constraints

.PHONY: clean
clean: ## Remove what was installed and built, and nothing that the pet remembers
	rm -rf $(VENV) $(VENV)-constraints dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf .import_linter_cache
	find bot memory observers config tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The signal as it is by default: Python would answer Ctrl-C with a page of traceback.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "Eko needs Python 3.11 or newer: $(PYTHON) was not found. Install it, or say where it is: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Eko needs Python 3.11 or newer: $$($(PYTHON) --version 2>&1) is too old. Say which one to use: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Making an environment for Eko in $(VENV) ..."
	@$(PYTHON) -c 'import signal, venv; signal.signal(signal.SIGINT, signal.SIG_DFL); venv.create("$(VENV)", symlinks=True, with_pip=True)'

# The stamps say when the environment last matched the two files that decide what is in it.
$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Eko into $(VENV): the first time some 100 packages, 100 MB to download, 440 MB on disk, one to five minutes."
	@$(PIP) install -c constraints.txt -e . || $(NOT_INSTALLED)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what the tests need ..."
	@$(PIP) install -c constraints.txt -e '.[dev]' || $(NOT_INSTALLED)
	@touch $@
