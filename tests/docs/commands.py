# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of pages as a reader would, each page in an empty copy of the tree's folders.

usage: commands.py PROGRAM [--slow] [--write] PAGE...

Every fenced block of language sh is run by bash, in the order of the page. The info string says what
is special about a block:
  ```sh                  ends with exit code 0
  ```sh exit=2           ends with that exit code
  ```sh slow             takes long: run with --slow only
  ```sh skip="reason"    needs what a test has not (a cluster, the network); printed, not run
  ```text output         no command: stands in what the last block that was run printed, as it is

Tables and numbers that a command makes are compared with what it prints; held.py says how a page names
the command. With --write they are replaced, and nothing is compared.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import held
import pages

# What a page's commands may name. All but the program are links to the tree.
LINKED = ["configs", "plots", "bench", "tests", "docs", "README.md", "models", "examples"]
LIMIT_SECONDS = 3600


def scratch_tree(folder, program):
    """The tree as a reader has it, but for the launcher: the program that was built stands there."""
    for name in LINKED:
        if (pages.ROOT / name).exists():
            (folder / name).symlink_to(pages.ROOT / name)
    (folder / "ipusim").symlink_to(program)
    (folder / "build" / "release" / "bin").mkdir(parents=True)
    (folder / "build" / "release" / "bin" / "ipusim").symlink_to(program)


def run_block(block, folder):
    """What it printed, and what went wrong or None."""
    wanted = int((re.search(r"exit=(\d+)", block.info) or [0, 0])[1])
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", block.text], cwd=folder,
                          capture_output=True, text=True, timeout=LIMIT_SECONDS,
                          env={**os.environ, "MPLBACKEND": "Agg"})
    printed = done.stdout + done.stderr
    if done.returncode == wanted:
        return printed, None
    return printed, f"wanted exit code {wanted}, found {done.returncode}\n{block.text}{done.stderr}"


def is_left_out(block, slow):
    return "skip=" in block.info or ("slow" in block.info and not slow)


def blocks_of(page):
    """The commands of a page, and the outputs that it shows."""
    found = [block for part in pages.sections(page.read_text()) for block in part.blocks]
    return [block for block in found
            if block.language == "sh" or (block.language, block.info) == ("text", "output")]


def run_page(page, program, slow=False):
    """The faults of a page, one text per fault. A fault ends the page: later blocks build on it."""
    printed = None
    with tempfile.TemporaryDirectory() as folder:
        scratch_tree(pathlib.Path(folder), pathlib.Path(program).resolve())
        for block in blocks_of(page):
            place = f"{page}:{block.line}"
            fault = None
            if block.language == "text":
                if printed is not None and block.text not in printed:
                    fault = f"is not what the command before it prints:\n{block.text}"
            elif is_left_out(block, slow):
                print(f"{place}: not run ({block.info})")
                printed = None if "slow" in block.info else printed
            else:
                printed, fault = run_block(block, folder)
            if fault:
                return [f"{place}: {fault}"]
        return held.page_faults(page, folder, slow)


def write_page(page, program, slow):
    with tempfile.TemporaryDirectory() as folder:
        scratch_tree(pathlib.Path(folder), pathlib.Path(program).resolve())
        held.write(page, folder, slow)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program", type=pathlib.Path)
    arguments.add_argument("--slow", action="store_true")
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("pages", type=pathlib.Path, nargs="+")
    given = arguments.parse_args()
    if given.write:
        for page in given.pages:
            write_page(page, given.program, given.slow)
        return
    faults = [fault for page in given.pages for fault in run_page(page, given.program, given.slow)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
