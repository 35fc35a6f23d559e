"""momentarm bench."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from momentarm.cli import talk
from momentarm.cli.argument import Json

Peers = Annotated[bool, Parameter(negative="", help="Compare with the libraries that are here.")]


def bench(*, peers: Peers = False, json: Json = False) -> None:
    """Time this machine: the project's own table of speeds, counts and ratios.

    Example:
      momentarm bench
      momentarm bench --peers --json
    """
    from momentarm import bench as benchmark

    report = benchmark.run(peers=peers)
    if json:
        talk.data_as_json(report.as_dict())
    else:
        talk.data(report.table())
