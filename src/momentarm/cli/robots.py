"""momentarm robots."""

from __future__ import annotations

from momentarm.cli import talk
from momentarm.cli.argument import Json, robot_of


def robots(*, json: Json = False) -> None:
    """The bundled robots, each a ROBOT by its name.

    Try:
      momentarm robots
    """
    import tomllib

    from momentarm.robots import names, path

    rows = []
    for name in names():
        described = tomllib.loads(path(name).read_text(encoding="utf-8"))
        rows.append((name, robot_of(name).n, described.get("description", "")))
    if json:
        keys = ("name", "coordinates", "description")
        talk.data_as_json([dict(zip(keys, row, strict=True)) for row in rows])
    else:
        talk.data(talk.aligned([("name", "n", "description"), *rows], right=(1,)))
