# SPDX-License-Identifier: Apache-2.0
"""Predicts programs of a Graphcore IPU, as the program `ipusim` does.

    import ipusim
    result = ipusim.run("configs/runs/quickstart.toml", {"workload.m": 512})
    table = ipusim.sweep("configs/runs/quickstart.toml", {"workload.n": [64, 128, 256]})
"""
import os
import pathlib


def _find_home():
    """Machines and configs of an installed ipusim lie in share/ipusim of the prefix of this module."""
    if "IPUSIM_HOME" not in os.environ:
        for folder in pathlib.Path(__file__).resolve().parents:
            if (folder / "share/ipusim/configs").is_dir():
                os.environ["IPUSIM_HOME"] = str(folder / "share/ipusim")
                return


_find_home()

from ._ipusim import ConfigError, commit, version  # noqa: E402  (after the folder of configs)
from .results import Memory, OutOfMemory, Result, Step, Time  # noqa: E402
from .runs import run, sweep  # noqa: E402

__all__ = ["ConfigError", "Memory", "OutOfMemory", "Result", "Step", "Time", "commit", "run", "sweep", "version"]
