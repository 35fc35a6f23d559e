"""The command, run in a folder of its own."""

import io
import sys
from types import SimpleNamespace

import pytest

from momentarm import cli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.fixture
def run(capsys, monkeypatch):
    """run("info", "panda", stdin=b"") gives code, out and err."""

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = cli.main(list(arguments))
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return run
