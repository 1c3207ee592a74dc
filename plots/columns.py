# SPDX-License-Identifier: Apache-2.0
"""What columns of results are called in figures, and the units of their values."""

# The first ending that fits. The values of a rate in G are drawn as they stand.
UNITS = [
    ("gflops_per_second", "GFLOP/s"), ("_bytes_per_second", "B/s"), ("_bytes_per_cycle", "B/cycle"),
    ("samples_per_second", "samples/s"), ("_per_second", "1/s"), ("bytes", "B"), ("cycles", "cycles"),
    ("seconds", "s"), ("_hz", "Hz"), ("_percent", "%"), ("joules_per_sample", "J"), ("joules", "J"), ("watts", "W"),
    ("picojoules_per_flop", "pJ/FLOP"), ("_mm2", "mm²"),
]
# Where the key alone does not say it.
NAMES = {
    "time.seconds": "time",
    "time.cycles": "time",
    "work.gflops_per_second": "throughput",
    "work.peak_fraction": "share of the machine's peak",
    "memory.total_bytes": "memory of all tiles",
    "memory.max_tile_bytes": "memory of the fullest tile",
    "memory.capacity_tile_bytes": "what a tile has",
    "memory.total_including_gaps_bytes": "memory of all tiles, with gaps",
    "machine.total_sram_bytes": "memory of the machine",
    "machine.sram_per_tile_bytes": "memory of a tile",
    "machine.streaming_bytes_per_second": "rate of the streaming memory",
    "graph.compute_sets": "compute sets",
    "workload.in": "input features",
    "workload.out": "output features",
    "workload.batch": "rows of the batch",
    "dense.seconds": "time of the dense layer",
    "dense.total_bytes": "memory of the dense layer",
    "energy.joules": "energy, rough",
    "energy.joules_per_sample": "energy of a sample, rough",
    "energy.watts": "mean power, rough",
    "area.die_mm2": "area of the die, rough",
    "joules": "energy, rough",
    "seconds": "time",
    "gflops_per_second": "throughput",
}


def words(key):
    """A key as people write it: message_buffers -> message buffers."""
    return key.replace("_", " ")


def unit_of(column):
    """The unit that the end of a column names; empty for a count."""
    last = column.rpartition(".")[2]
    return next((unit for end, unit in UNITS if last.endswith(end)), "")


def gpu_words(name):
    """a30_tf32 -> A30 with TF32."""
    gpu, _, cores = name.partition("_")
    return gpu.upper() + (f" with {cores.upper()}" if cores else "")


def name_of(column):
    """A column in words, without its unit: compare.a30_tf32.seconds -> time on the A30 with TF32."""
    if column in NAMES:
        return NAMES[column]
    parts = column.split(".")
    if parts[0] == "compare" and len(parts) > 2:
        return f"{name_of('.'.join(parts[2:]))} on the {gpu_words(parts[1])}"
    if parts[0] == "dense" and len(parts) > 1:
        return f"{name_of('.'.join(parts[1:]))} of the dense layer"
    last = parts[-1]
    for end, _ in UNITS:
        if end.startswith("_") and last.endswith(end):
            last = last[:-len(end)]
            break
    return words(last)


def label_of(column):
    """What stands at an axis: the name, and the unit in brackets where there is one."""
    unit = unit_of(column)
    return f"{name_of(column)} ({unit})" if unit else name_of(column)
