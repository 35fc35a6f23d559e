"""The public names: all there, each in one place only."""

import inspect
from collections import Counter

import momentarm as ma


def public_modules():
    return {name: getattr(ma, name) for name in ma.__all__ if inspect.ismodule(getattr(ma, name))}


def test_every_public_name_resolves():
    """Each name in momentarm.__all__ is listed once and is an attribute of momentarm."""
    twice = [name for name, count in Counter(ma.__all__).items() if count > 1]
    missing = [name for name in ma.__all__ if not hasattr(ma, name)]
    assert not twice, f"listed twice: {twice}"
    assert not missing, f"not there: {missing}"


def test_nothing_leaks_into_the_namespace():
    """dir(momentarm) has no public name besides modules that is not in momentarm.__all__."""
    leaked = [
        name
        for name in dir(ma)
        if not name.startswith("_")
        and name not in ma.__all__
        and not inspect.ismodule(getattr(ma, name))
    ]
    assert not leaked, f"rename with _, delete, or list in __all__: {leaked}"


def test_a_public_name_has_one_import_path():
    """No public object has two names in momentarm, nor a second home in a public module."""
    homes: dict[int, list[str]] = {}
    for name in ma.__all__:
        homes.setdefault(id(getattr(ma, name)), []).append(f"momentarm.{name}")
    for module_name, module in public_modules().items():
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if callable(thing) or inspect.ismodule(thing):
                homes.setdefault(id(thing), []).append(f"momentarm.{module_name}.{name}")
    assert not (many := [paths for paths in homes.values() if len(paths) > 1]), many


def test_every_public_object_is_documented():
    """Each public class, function and module of momentarm has a docstring of its own."""
    bare = [
        name
        for name in ma.__all__
        if (inspect.ismodule(thing := getattr(ma, name)) or callable(thing))
        and not (thing.__doc__ or "").strip()
    ]
    assert not bare, f"no docstring: {bare}"
