# SPDX-License-Identifier: Apache-2.0
"""Runs a program that was written for PopTorch.

usage: python3 -m poptorch run [--machine NAME] [--system NAME] [--report FOLDER] SCRIPT.py [ARGS...]
"""
import argparse
import os
import runpy
import sys


def _parsed(words):
    parser = argparse.ArgumentParser(prog="ipusim poptorch run",
                                     description="Runs a program that was written for PopTorch on the simulated IPU")
    parser.add_argument("--machine", help="the IPU: a preset, or a path; IPUSIM_MACHINE, or gc200")
    parser.add_argument("--system", help="the system of several IPUs; IPUSIM_SYSTEM, or one that is large enough")
    parser.add_argument("--report", help="a folder for the report of each model; IPUSIM_REPORT, or none")
    parser.add_argument("script", help="the program, a file of Python")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="its arguments")
    return parser.parse_args(words)


def main(words):
    """Runs the script as __main__."""
    if not words or words[0] != "run":
        print("ipusim poptorch: wanted `run SCRIPT.py`, found " + (repr(words[0]) if words else "nothing"),
              file=sys.stderr)
        return 2
    options = _parsed(words[1:])
    for name in ("machine", "system", "report"):
        if getattr(options, name):
            os.environ[f"IPUSIM_{name.upper()}"] = getattr(options, name)
    if not os.path.isfile(options.script):
        print(f"ipusim poptorch: SCRIPT: wanted a file of Python, found {options.script!r}", file=sys.stderr)
        return 2
    try:
        import poptorch  # noqa: F401  pylint: disable=import-outside-toplevel,import-self,unused-import
    except ImportError as error:
        print(f"ipusim poptorch: {error}", file=sys.stderr)
        return 2
    sys.argv = [options.script, *options.args]
    sys.path[0] = os.path.dirname(os.path.abspath(options.script))
    runpy.run_path(options.script, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
