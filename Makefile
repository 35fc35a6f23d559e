# make demo | test | test-peers | lint | clean
#
# Needs Python >= 3.11 with pip and venv, nothing else. Everything is installed into .venv;
# a stamp file per set of extras says that it is done. Another interpreter: make PYTHON=python3.12 test

PYTHON ?=
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --no-input

.PHONY: help demo test test-peers lint clean
.DELETE_ON_ERROR:
.NOTPARALLEL:

help:
	@echo "make demo        the tour: a robot's torques, its motion back, counts and timings -> demo-output/"
	@echo "make test        the test suite (no other robotics library needed)"
	@echo "make test-peers  the tests against Pinocchio, MuJoCo, modern_robotics, Robotics Toolbox"
	@echo "make lint        ruff, mypy, the import contracts"
	@echo "make clean       remove everything that was made"

demo: $(VENV)/.with-plot
	$(BIN)/momentarm demo --out demo-output

test: $(VENV)/.with-test,plot,symbolic
	$(BIN)/python -m pytest -q -n 2 -m "not peers"

test-peers: $(VENV)/.with-test,plot,symbolic $(VENV)/.with-peers
	$(BIN)/python -m pytest -q -n 2 -m peers

lint: $(VENV)/.with-lint
	@failed=0; for tool in "ruff check" "mypy" "lint-imports --no-logo --no-cache"; do \
	  echo "$(BIN)/$$tool"; $(BIN)/$$tool || failed=1; \
	done; exit $$failed

clean:
	rm -rf $(VENV) demo-output build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf .import_linter_cache
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

# .with-EXTRAS: the package, editable, with these extras. Redone when pyproject.toml changes.
$(VENV)/.with-%: pyproject.toml $(VENV)/.created
	@echo "installing momentarm[$*] into $(VENV)"
	@$(PIP) install -q -e ".[$*]"
	@touch "$@"

$(VENV)/.created:
	@python="$(PYTHON)"; \
	if [ -z "$$python" ]; then \
	  for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	    if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	      python=$$p; break; \
	    fi; \
	  done; \
	fi; \
	if [ -z "$$python" ]; then \
	  echo "momentarm needs Python 3.11 or newer; none found on PATH." >&2; \
	  echo "Install one, or name it: make PYTHON=/path/to/python3 ..." >&2; exit 1; \
	fi; \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$$python is not a Python 3.11 or newer." >&2; exit 1; }; \
	"$$python" -c 'import venv, ensurepip' || { \
	  echo "$$python cannot create virtual environments: its venv or ensurepip is missing." >&2; \
	  echo "On Debian and Ubuntu: sudo apt install python3-venv" >&2; \
	  echo "Or name another Python: make PYTHON=/path/to/python3 ..." >&2; exit 1; }; \
	"$$python" -m venv --clear $(VENV) && touch $@
