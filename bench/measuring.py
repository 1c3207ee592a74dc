# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share: runs of programs measured, medians, slopes, tables."""
import collections
import csv
import math
import os
import pathlib
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = "build/release/bin/ipusim"

# What a run took: seconds of all its processors, seconds of the clock, MiB of its largest process.
Taken = collections.namedtuple("Taken", "cpu wall mebibytes")
# One entry per run that ended well; the output of the last one; None, or why a run did not end well.
Case = collections.namedtuple("Case", "taken output fault")


def run(command, limit=math.inf, folder=None):
    """A Case of one run. The peak of memory is at least that of this script, some 15 MiB."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        begin = time.perf_counter()
        try:
            process = subprocess.Popen(command, stdout=output, stderr=errors, cwd=folder,
                                       start_new_session=True)
        except OSError as error:
            return Case([], "", f"{command[0]}: {error.strerror}")
        timer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
        if limit < math.inf:
            timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode == 0:
            output.seek(0)
            taken = Taken(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)
            return Case([taken], output.read(), None)
        errors.seek(0)
        lines = errors.read().strip().splitlines() or [""]
        return Case([], "", f"over {limit:g} s" if wall >= limit else
                    f"ended with {process.returncode}: {lines[-1][:100]}")


def interleaved(commands, runs, limit=math.inf):
    """A Case per command. The commands take turns, so that other work of the machine slows all of
    them alike. A command that has failed is not tried again."""
    cases = [Case([], "", None) for _ in commands]
    for _ in range(runs):
        for index, command in enumerate(commands):
            if cases[index].fault is None:
                one = run(command, limit)
                cases[index] = Case(cases[index].taken + one.taken, one.output, one.fault)
    return cases


def medians(taken):
    return Taken(*(statistics.median(values) for values in zip(*taken)))


def exponent(xs, ys):
    """The slope of a line through the larger half of the points on logarithmic axes, least squares.
    Among the smaller points the start of the program outweighs the work. None of fewer than two."""
    points = sorted(zip(xs, ys))[len(xs) // 2 if len(xs) > 3 else 0:]
    logs = [(math.log(x), math.log(y)) for x, y in points if y > 0]
    if len({x for x, _ in logs}) < 2:
        return None
    return statistics.linear_regression(*zip(*logs)).slope


def exponent_text(xs, ys):
    value = exponent(xs, ys)
    return "-" if value is None else f"{value:.2f}"


def machine():
    """The processor, its cores and the load of this machine, in one line."""
    name = platform.processor() or platform.machine()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{name}, {os.cpu_count()} cores, load average {load}"


def print_table(header, rows):
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        cells = [str(cell).ljust(width) if i == 0 else str(cell).rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip(), flush=True)


def write_csv(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def style():
    """The module of the figures. It is read after the last run: its memory would count as theirs."""
    sys.path.insert(0, str(ROOT / "plots"))
    import style as module  # pylint: disable=import-outside-toplevel
    return module


def folder_of(name):
    folder = pathlib.Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"{folder}: {error.strerror}")
    return folder
