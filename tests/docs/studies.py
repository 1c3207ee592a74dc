# SPDX-License-Identifier: Apache-2.0
"""Prints a table of a study of the docs, from sweeps and runs of ./ipusim in the current folder.

usage: studies.py NAME
"""
import csv
import sys
import tempfile

from tables import QUICK, ipusim, result, table


def sweep(name, *arguments):
    """The points of configs/sweeps/NAME.toml, in order."""
    with tempfile.TemporaryDirectory() as folder:
        ipusim("sweep", f"configs/sweeps/{name}.toml", "--out", folder, *arguments)
        with open(f"{folder}/results.csv", newline="") as file:
            return list(csv.DictReader(file))


def figures(headings, rows):
    """A table whose columns behind the first stand to the right."""
    lines = table(headings, rows).splitlines()
    first = lines[1].split("|")[1]
    lines[1] = f"|{first}|" + " ---: |" * (len(headings) - 1)
    return "\n".join(lines)


def three_digits(value):
    """Without an exponent."""
    digits = f"{value:.3g}"
    return digits if "e" not in digits else f"{float(digits):.0f}"


def time_text(seconds):
    return f"{three_digits(1e6 * seconds)} µs" if seconds < 0.9995e-3 else f"{three_digits(1e3 * seconds)} ms"


def counted(value):
    """Three digits and thousands apart."""
    return f"{float(f'{value:.3g}'):,.0f}"


# docs/studies/butterfly.md

def by_size():
    plain, fused = ({}, {})
    for point in sweep("butterfly_sizes"):
        (plain if point["workload.lowering"] == "framework" else fused)[int(point["workload.features"])] = point
    pixelfly = {int(point["workload.features"]): point for point in sweep("pixelfly_sizes")}
    pixelfly[4096] = result_point("configs/runs/pixelfly.toml", **{"features": 4096, "batch": 4096, "block": 256, "rank": 128})
    rows = []
    for size, point in plain.items():
        points = [point, fused[size], pixelfly.get(size)]
        fits = lambda one, prefix="": one is not None and one[f"{prefix}fits"] == "true"
        time = lambda one: "-" if one is None else time_text(float(one["time.seconds"])) if fits(one) else "does not fit"
        dense = time_text(float(point["dense.seconds"])) if fits(point, "dense.") else "does not fit"
        sets = [point["dense.graph.compute_sets"], *("-" if one is None else one["graph.compute_sets"] for one in points)]
        memory = ["-" if value is None else f"{float(value) / 1e6:.0f}" for value in
                  [point["dense.total_bytes"], *(None if one is None else one["memory.total_bytes"] for one in points)]]
        rows.append([str(size), dense, *map(time, points), " / ".join(sets), " / ".join(memory)])
    return figures(["N", "dense", "butterfly", "fused butterfly", "pixelfly", "compute sets", "memory, MB"], rows)


def result_point(config, **keys):
    """A run as a sweep has it."""
    sets = [word for key, value in keys.items() for word in ("--set", f"workload.{key}={value}")]
    one = result(config, *QUICK, "--no-advice", *sets)
    return {"fits": str(one["fits"]).lower(), "time.seconds": one["time"]["seconds"],
            "graph.compute_sets": str(one["graph"]["compute_sets"]), "memory.total_bytes": one["memory"]["total_bytes"]}


# docs/studies/pod16.md

def step_of(point):
    """Microseconds, samples per second, and the shares of work, collectives and updates."""
    if point["fits"] != "true":
        return ["does not fit", "-", "-", "-", "-"]
    seconds = float(point["step.seconds"])
    shares = [f"{100 * float(point[f'step.{part}_seconds']) / seconds:.1f} %" for part in ("work", "collectives", "update")]
    return [f"{1e6 * seconds:.0f}", counted(float(point["step.samples_per_second"])), *shares]


def shared_batch():
    both = [sweep(f"pod16_fixed_batch_{hidden}") for hidden in ("pixelfly", "butterfly")]
    rows = [[pixelfly["parallel.replicas"], *step_of(pixelfly), *step_of(butterfly)] for pixelfly, butterfly in zip(*both)]
    parts = ["samples/s", "work", "collectives", "update"]
    return figures(["IPUs", "pixelfly, µs per step", *parts, "butterfly, µs per step", *parts], rows)


def micro_batches():
    rates = {}
    for point in sweep("pod16_replicas"):
        rates[int(point["parallel.micro_batches"]), int(point["parallel.replicas"])] = float(point["step.samples_per_second"])
    rows = [[str(count), counted(rates[count, 1]), counted(rates[count, 16]),
             f"{100 * rates[count, 16] / 16 / rates[count, 1]:.0f} %"] for count in sorted({key[0] for key in rates})]
    return figures(["micro-batches per update", "samples/s on 1 IPU", "samples/s on 16 IPUs", "share of the linear rate"], rows)


# docs/studies/structured-layers.md

TABLE_4 = {"baseline": ("baseline", 24.69), "low-rank": ("low_rank", 21.75), "butterfly": ("butterfly", 37.73),
           "fastfood": ("fastfood", 60.70), "pixelfly, blocks of 32": ("pixelfly", 71.62), "circulant": ("circulant", 21.82)}


def trainings():
    rows = []
    for name, (hidden, paper) in TABLE_4.items():
        one = result(f"configs/runs/shl_training_{hidden}.toml", *QUICK, "--no-advice", "--set", "workload.dense=no")
        seconds = one["training"]["seconds"]
        error = "set" if hidden in ("baseline", "low_rank") else f"{100 * (seconds / paper - 1):+.0f} %"
        memory = one["memory"]["total_bytes"] / 1e6
        step = one["time"]["seconds"] / (one["training"]["steps"] * one["training"]["epochs"])
        rows.append([name, f"{one['model']['parameters']:,}", str(one["graph"]["compute_sets"]),
                     f"{float(f'{memory:.3g}'):.{1 if memory < 99.95 else 0}f} MB", time_text(step), f"{seconds:.1f} s",
                     f"{paper:.2f} s", error])
    return figures(["network", "parameters", "compute sets", "memory", "a step on the chip", "training", "paper", ""], rows)


TABLE_5 = {"butterfly size 2 to 256, blocks of 32": ("butterfly_size", "372 ± 107 s"), "block 8 to 128": ("block", "465 ± 192 s"),
           "rank 2 to 256, blocks of 16": ("rank", "465 ± 18 s")}


def pixelfly_trainings():
    rows = []
    for name, (key, paper) in TABLE_5.items():
        seconds = [float(point["training.seconds"]) for point in sweep(f"pixelfly_training_{key}") if point["fits"] == "true"]
        rows.append([name, f"{sum(seconds) / len(seconds):.0f} s", paper])
    return figures(["sweep", "here", "paper"], rows)


STUDIES = [by_size, shared_batch, micro_batches, trainings, pixelfly_trainings]

if __name__ == "__main__":
    print({make.__name__: make for make in STUDIES}[sys.argv[1]]())
