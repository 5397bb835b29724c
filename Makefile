# Needs Python 3.11 or newer with venv. Choose another one with: make setup PYTHON=python3.13
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip --disable-pip-version-check --no-input -qq install --no-compile --no-build-isolation --use-pep517
STAMP  := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help play test lint setup clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo "play and test take further arguments in ARGS, as in: make test ARGS='-k dice'"

play: $(STAMP) ## Play a game in the terminal
	@$(VENV)/bin/dicemasters play $(ARGS)

test: $(STAMP) ## Run the tests and the doctests
	$(PY) -m pytest -n auto $(ARGS)

lint: $(STAMP) ## Check style, formatting and types
	$(VENV)/bin/ruff check src tests
	$(VENV)/bin/ruff format --check src tests
	$(VENV)/bin/mypy

setup: $(STAMP) ## Make .venv with everything in it (done by the others when needed)
	@echo "Ready: $(VENV)"

clean: ## Remove .venv, caches and build products
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# An environment only works where it was made: make it anew if the checkout was moved or copied.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
endif

$(STAMP): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "error: '$(PYTHON)' is missing or older than Python 3.11; choose another with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
		|| { echo "error: '$(PYTHON)' lacks the venv module; install it or choose another with PYTHON=..." >&2; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)
	@echo "Installing the build backend from requirements.lock"
	@sed -n '/^setuptools==/,/^ *#/p' requirements.lock > $(VENV)/backend.lock
	@$(PIP) --require-hashes -r $(VENV)/backend.lock
	@echo "Installing the dependencies from requirements.lock"
	@$(PIP) --require-hashes -r requirements.lock
	@echo "Installing dicemasters (editable)"
	@$(PIP) --no-deps -e .
	@echo "$(CURDIR)" > $@
