# Melete. `make run` opens the window, `make test` proves it. Both set up everything they need in .venv.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CORE := .venv-core
CORE_STAMP := $(CORE)/.installed
OFFSCREEN := QT_QPA_PLATFORM=offscreen
PYTEST := $(BIN)/python -m pytest --import-mode=importlib
QT_OPTIONS := -o qt_api=pyside6 -o qt_log_level_fail=WARNING
OUT ?= out
# Every worker and every child process would compile the whole house again.
unexport PYTHONDONTWRITEBYTECODE
# Thousands of small homes that are synced to the disk would make the tests wait for it; memory does where there is enough.
# `make cases`, which kills and waits, stays on the disk.
QUICK_TMP := $(shell test -w /dev/shm && df -Pk /dev/shm | awk 'NR == 2 && $$4 > 2000000 { print "TMPDIR=/dev/shm" }')
# The properties try few examples here and their full number in `make cases`. A file stays with one worker, so that what
# it reads or loads for all of its tests (the whole source, the SDK) is not read by each worker again.
QUICK := -q -n 3 --dist loadfile --hypothesis-profile=quick -m "not slow"

.PHONY: help run test cases bench lint tour shots setup format clean

help: ## Show what can be made
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort

$(STAMP): pyproject.toml .ci/setup.sh
	bash .ci/setup.sh python $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	touch $@

$(CORE_STAMP): pyproject.toml .ci/setup.sh
	bash .ci/setup.sh python $(CORE)
	$(CORE)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(CORE)/bin/python .ci/core.py | xargs -d '\n' $(CORE)/bin/python -m pip install --quiet --disable-pip-version-check
	touch $@

setup: $(STAMP) ## Make .venv and check what the system must bring
	bash .ci/setup.sh libraries offscreen

run: $(STAMP) ## Open the window (without a display: play the tour offscreen)
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ] || [ "$$(uname)" = Darwin ]; then \
	  bash .ci/setup.sh libraries window; $(BIN)/melete; \
	else \
	  echo "There is no display here, so the tour is played offscreen; its pictures go to $(OUT)/tour."; \
	  bash .ci/setup.sh libraries offscreen; $(BIN)/melete tour --offscreen --out $(OUT)/tour; \
	fi

test: $(STAMP) $(CORE_STAMP) ## Run the tests (the rooms below the bridge also without Qt installed)
	bash .ci/setup.sh libraries offscreen
	$(QUICK_TMP) $(CORE)/bin/python -m pytest --import-mode=importlib $(QUICK) --reruns 1 tests/unit
	$(QUICK_TMP) $(OFFSCREEN) $(PYTEST) $(QT_OPTIONS) $(QUICK) --reruns 2 tests/arch tests/bridge tests/widgets tests/flows tests/cases

cases: $(STAMP) ## Run what must wait, loop or kill, and the properties with their full number of examples
	bash .ci/setup.sh libraries offscreen
	$(OFFSCREEN) $(PYTEST) $(QT_OPTIONS) -q --reruns 2 -m "slow or hypothesis" tests --ignore tests/unit
	$(PYTEST) -q -n 2 --reruns 1 -m "slow or hypothesis" tests/unit

bench: $(STAMP) ## Measure speed against the bars, print the table, keep it as JSON in out/bench.json
	bash .ci/setup.sh libraries offscreen
	$(OFFSCREEN) $(BIN)/python -m tests.bench $(OUT)/bench.json

lint: $(STAMP) ## Style, types and the rules of the house
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP) ## Put the code into the house's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

tour: $(STAMP) ## Play the whole loop on a sample library; pictures and reports go to out/tour
	bash .ci/setup.sh libraries offscreen
	$(BIN)/melete tour --offscreen --out $(OUT)/tour

shots: $(STAMP) ## Take a picture of every page, light and dark, in three sizes, into out/shots
	bash .ci/setup.sh libraries offscreen
	$(OFFSCREEN) $(BIN)/python -m tests.shots $(OUT)/shots

clean: ## Remove environments and results
	rm -rf $(VENV) $(CORE) $(OUT) build dist
