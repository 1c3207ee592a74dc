# SPDX-License-Identifier: Apache-2.0
"""Holds docs/reference against the program: config keys, JSON keys, CSV columns, options.

usage: reference_test.py PROGRAM CONFIG_KEYS [TEST...]
"""
import csv
import json
import pathlib
import sys
import tempfile
import unittest

import links
import pages
import reference

PROGRAM, CONFIG_KEYS = sys.argv[1:3]
PAGES = pages.ROOT / "docs" / "reference"

# Runs that show every JSON key between them, each small.
SMALL_PRODUCT = ["configs/runs/quickstart.toml", "--set", "workload.m=64", "--set", "workload.k=64",
                 "--set", "workload.n=64"]
JSON_RUNS = [
    ["configs/runs/matmul.toml", "--set", "workload.m=2500", "--set", "workload.k=2500", "--set", "workload.n=31"],
    SMALL_PRODUCT + ["--stats", "--set", "host.copy_in=true"],
    ["configs/runs/matmul_a30.toml", "--set", "workload.m=64", "--set", "workload.k=64", "--set",
     "workload.n=64"],
    ["configs/runs/matmul_a30.toml", "--set", "workload.m=64", "--set", "workload.k=64", "--set",
     "workload.n=64", "--set", "workload.variant=naive"],
    SMALL_PRODUCT + ["--set", "machine.sram_per_tile_bytes=8192", "--set", "machine.code_region_bytes=4096"],
    ["configs/runs/sparse_matmul.toml", "--set", "workload.m=64", "--set", "workload.k=64", "--set",
     "workload.n=64"],
    ["configs/runs/shl_training_fastfood.toml", "--set", "workload.features=16", "--set",
     "workload.steps=3", "--set", "workload.epochs=1"],
    ["configs/runs/amp_codelet.toml", "--set", "compare.gpu=a30"],
    ["configs/runs/butterfly.toml", "--set", "workload.features=32", "--set", "workload.batch=8",
     "--set", "machine.sram_per_tile_bytes=4096", "--set", "machine.code_region_bytes=2048",
     "--set", "compare.gpu=a30"],
    ["configs/runs/butterfly.toml", "--set", "workload.features=32", "--set", "workload.batch=8"],
    ["configs/runs/exchange_latency.toml"],
    ["configs/runs/matmul.toml", "--set", "machine=toy", "--set", "workload.m=100", "--set", "workload.k=100",
     "--set", "workload.n=100"],
    ["configs/traces/squares_measured.toml"],
    ["configs/runs/pod_all_reduce.toml", "--set", "machine.ipus=4"],
    ["tests/docs/offload.toml"],
    ["configs/runs/topology.toml", "--set", "workload.file=configs/networks/attention.csv"],
    ["configs/runs/network.toml", "--set", "workload.compile=separate", "--set", "compare.gpu=a30", "--set",
     "workload.input=[32]", "--set", "workload.layers=linear 8; relu; relu; linear 4"],
    ["tests/docs/unknown_operator.toml"],
    ["configs/runs/network.toml", "--set", "workload.input=[32]", "--set", "workload.layers=linear 8; gelu; linear 4"],
    ["configs/runs/network.toml", "--set", "workload.input=[32]", "--set", "workload.layers=linear 8; relu; linear 4",
     "--set", "workload.compress.codec=quantise"],
]
GPU_RUNS = [
    ["configs/gpu_runs/layer.toml"],
    ["configs/gpu_runs/product.toml"],
    ["configs/gpu_runs/elementwise.toml"],
    ["configs/gpu_runs/product.toml", "--set", "program.m=1000000", "--set", "program.k=1000000"],
]
SMALL_PIPELINE = ["configs/parallel/mlp_pipeline.toml", "--set", "workload.dims=[32, 32, 32, 32, 32]",
                  "--set", "workload.batch=8", "--set", "machine=pod16", "--set", "parallel.stages=4",
                  "--set", "parallel.replicas=2"]
SMALL_PHASES = ["configs/parallel/mlp_phased.toml", "--set", "workload.dims=[32, 32, 32, 32, 32]",
                "--set", "workload.batch=8", "--set", "parallel.phases=2", "--set",
                'machine={base = "m2000", ipu = {base = "gc200", tiles = 96}}']
PARALLEL_RUNS = [
    SMALL_PIPELINE,
    SMALL_PIPELINE + ["--set", "workload.dims=[2048, 2048, 32, 32, 32]", "--set",
                      'machine={base = "pod16", ipu = {base = "gc200", tiles = 16}}'],
    SMALL_PIPELINE + ["--set", 'parallel.offload=["activations"]', "--set",
                      'machine={base = "pod16", streaming_bytes = 1000}'],
    ["tests/docs/sharded_lamb.toml"],
    SMALL_PIPELINE + ["--set", "parallel.spill=true"],
    SMALL_PHASES,
    SMALL_PHASES + ["--set", "workload.dims=[64, 2048, 2048, 32, 32]"],
]
CHECKS = [
    ["tests/docs/unknown_operator.toml"],
    ["configs/runs/network.toml", "--set", "workload.input=[32]", "--set", "workload.layers=linear 8; relu; linear 4"],
    ["configs/runs/network.toml", "--set", "workload.input=[8]", "--set", "workload.batch=4",
     "--set", "workload.layers=linear 8; relu; linear 4", "--set", "workload.compile=separate"],
    ["configs/traces/butterfly_64.ipt.zst"],
    ["configs/runs/butterfly.toml", "--set", "workload.features=32", "--set", "workload.batch=8",
     "--set", "machine.sram_per_tile_bytes=4096", "--set", "machine.code_region_bytes=2048"],
]
# Held as "config": whatever the run config has.
OPAQUE = {"config": {}}


def section(page, title):
    parts = [part for part in pages.sections((PAGES / page).read_text()) if part.title == title]
    if len(parts) != 1:
        raise ValueError(f"{page}: wanted one section {title}, found {len(parts)}")
    return parts[0]


def results(runs):
    """What `run --json` prints. The names of GPUs, which are keys, become GPU, in an object each."""
    objects = []
    for arguments in runs:
        text = reference.run(PROGRAM, "run", *arguments, "--json", *engine(arguments))
        one = {**json.loads(text), **OPAQUE}
        compared = one.pop("compare", {})
        objects += [one] + [{"compare": {"GPU": value}} for value in compared.values()]
    return objects


def engine(arguments):
    return [] if "gpu_runs" in arguments[0] else ["--engine", "closed-form"]


def header(text):
    return next(csv.reader(text.splitlines()))


class Reference(unittest.TestCase):
    def expect_none(self, faults):
        self.assertFalse(faults, "\n".join([""] + faults))

    def testConfigKeysAreThoseThatReadersAskFor(self):
        keys = reference.ConfigKeys(CONFIG_KEYS)
        parts = [part for part in pages.config_sections() if part.directive]
        self.assertGreater(len(parts), 50)
        self.expect_none([fault for part in parts for fault in reference.config_faults(part, keys)])

    def testEveryKindHasASection(self):
        titles = {part.title for part in pages.config_sections()}
        names = lambda what: [line.split()[0] for line in reference.run(PROGRAM, "list", what).splitlines()]
        wanted = names("workloads") + [f"Codelet {name}" for name in names("codelets")]
        self.assertFalse([title for title in wanted if title not in titles])

    def testKeysThatNoExampleReadsHaveEntries(self):
        keys = reference.keys_in_sources()
        self.assertGreater(len(keys), 80)
        self.expect_none(reference.source_faults(pages.config_sections(), keys))

    def testJsonKeysAreThoseOfRuns(self):
        self.expect_none(reference.json_faults(section("json.md", "A run on an IPU"),
                                               reference.merged(results(JSON_RUNS))))

    def testJsonKeysAreThoseOfGpuRuns(self):
        self.expect_none(reference.json_faults(section("json.md", "A run on a GPU alone"),
                                               reference.merged(results(GPU_RUNS))))

    def testJsonKeysAreThoseOfRunsOnSeveralIpus(self):
        self.expect_none(reference.json_faults(section("json.md", "A run on several IPUs"),
                                               reference.merged(results(PARALLEL_RUNS))))

    def testJsonKeysAreThoseOfChecks(self):
        checks = [json.loads(reference.run(PROGRAM, "check", *arguments, "--json")) for arguments in CHECKS]
        self.expect_none(reference.json_faults(section("json.md", "A check of numbers"),
                                               reference.merged(checks)))

    def testJsonKeysThatNoRunShowsHaveEntries(self):
        keys = reference.json_keys_in_sources()
        self.assertGreater(len(keys), 80)
        self.expect_none(reference.source_faults(pages.sections((PAGES / "json.md").read_text()), keys))

    def testJsonKeysAreThoseOfValidate(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.csv"
            file.write_text(
                "id,machine,kind,config,metric,value,unit,role,source,locator,note\n"
                "A,GC200,vertex,configs/runs/amp_codelet.toml,time.cycles,400,cycles,validate,me,here,\n"
                "B,GC200,vertex,configs/runs/amp_codelet.toml,time.nothing,400,cycles,validate,me,here,\n")
            printed = reference.run(PROGRAM, "validate", "--measurements", str(file), "--json")
        self.expect_none(reference.json_faults(section("json.md", "validate --json"),
                                               reference.merged([json.loads(printed)])))

    def testJsonKeysAreThoseOfDiff(self):
        printed = reference.run(PROGRAM, "diff", "configs/runs/exchange_latency.toml",
                                "configs/runs/amp_codelet.toml", "--json")
        self.expect_none(reference.json_faults(section("json.md", "diff --json"),
                                               reference.merged([json.loads(printed)])))

    def testCsvColumnsAreThoseOfFiles(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            reference.run(PROGRAM, "run", *SMALL_PRODUCT, "--out", str(out / "run"))
            reference.run(PROGRAM, "run", "configs/runs/network.toml", "--no-advice", "--engine", "closed-form",
                          "--out", str(out / "net"))
            reference.run(PROGRAM, "explore", "tests/docs/small_search.toml", "--out", str(out / "search"))
            faults = []
            for file in ["run/steps.csv", "run/tiles.csv", "run/variables.csv", "run/liveness.csv", "net/layers.csv",
                         "search/hypervolume.csv", "search/sensitivity.csv"]:
                name = pathlib.Path(file).name
                faults += reference.csv_faults(section("csv.md", name), header((out / file).read_text()))
            first = header((out / "search" / "results.csv").read_text())
            self.assertEqual(first[:3], ["machine.tiles", "workload.n", "status"])
            self.assertEqual(first, header((out / "search" / "pareto.csv").read_text()))
        faults += reference.csv_faults(
            section("csv.md", "Measurements"),
            header((pages.ROOT / "configs/measurements/a30.csv").read_text()))
        self.expect_none(faults)

    def testPagesPointToWhatIsThere(self):
        self.expect_none([fault for page in pages.pages() for fault in links.link_faults(page)])

    def testOptionsAreThoseOfHelp(self):
        faults = []
        for command in ["run", "check", "sweep", "explore", "merge", "validate", "calibrate", "reproduce",
                        "trace import", "trace export", "trace diff", "diff", "redistribute", "poplar build",
                        "poplar run",
                        "poplar replay", "list"]:
            part = section("cli.md", f"ipusim {command}")
            options = reference.options_of(reference.run(PROGRAM, *command.split(), "--help"))
            rows = [{"key": row["key"].split()[0]} for row in part.rows]
            faults += reference.presence_faults(part.title, options, rows, lambda key: f"| `{key}` |")
        self.expect_none(faults)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
