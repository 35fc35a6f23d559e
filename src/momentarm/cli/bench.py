"""momentarm bench."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from momentarm.cli import talk
from momentarm.cli.argument import Json

Peers = Annotated[bool, Parameter(help="Compare with the libraries that are here.")]
Quick = Annotated[bool, Parameter(help="Leave out what takes minutes.")]


def bench(*, peers: Peers = False, quick: Quick = False, json: Json = False) -> None:
    """Time this machine: the project's own table of speeds, counts and ratios.

    Try:
      momentarm bench --quick
      momentarm bench --peers --json
    """
    from momentarm import bench as benchmark

    report = benchmark.run(peers=peers, quick=quick, progress=talk.note)
    if json:
        talk.data_as_json(report.as_dict())
    else:
        talk.data(report.table())
