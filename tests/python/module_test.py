# SPDX-License-Identifier: Apache-2.0
"""Holds the module of Python against the program.

usage: module_test.py FOLDER PROGRAM [TEST...]
"""
import json
import subprocess
import sys
import unittest
from unittest import mock

FOLDER, PROGRAM = sys.argv[1:3]
sys.path.insert(0, FOLDER)

import ipusim  # noqa: E402  (after the folder that has it)

CONFIG = "configs/runs/quickstart.toml"
SMALL = {"workload.m": 64, "workload.k": 64, "workload.n": 64}
TINY_TILES = {**SMALL, "machine.sram_per_tile_bytes": 8192, "machine.code_region_bytes": 4096}


def of_program(overrides, *words, config=CONFIG):
    sets = [word for key, value in overrides.items() for word in ("--set", f"{key}={value}")]
    done = subprocess.run([PROGRAM, "run", config, *sets, *words, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Module(unittest.TestCase):
    def test_a_run_is_that_of_the_program(self):
        for engine in ("closed-form", "systemc"):
            with self.subTest(engine):
                result = ipusim.run(CONFIG, SMALL, engine=engine)
                self.assertEqual(result.json, of_program(SMALL, "--engine", engine))
        result = ipusim.run(CONFIG, TINY_TILES)
        self.assertEqual(result.json, of_program(TINY_TILES, "--engine", "closed-form", "--no-advice"))

    def test_values_are_those_of_toml(self):
        result = ipusim.run(CONFIG, {**SMALL, "machine": {"base": "gc200", "tiles": 16}})
        self.assertEqual(result.json["machine"]["tiles"], 16)
        for value in (None, float("nan")):
            with self.assertRaisesRegex((TypeError, ValueError), "workload.m: wanted"):
                ipusim.run(CONFIG, {"workload.m": value})

    def test_a_trace_is_the_programs_alone(self):
        with self.assertRaisesRegex(ipusim.ConfigError, "found a trace"):
            ipusim.run("x.ipt")

    def test_a_result_has_fields(self):
        result = ipusim.run(CONFIG, SMALL)
        self.assertTrue(result.fits)
        self.assertIsNone(result.oom)
        self.assertEqual(result.time.cycles, result.json["time"]["cycles"])
        self.assertEqual(result.memory.max_tile_bytes, result.json["memory"]["max_tile_bytes"])
        self.assertEqual([step.name for step in result.steps], [step["name"] for step in result.json["steps"]])
        self.assertNotIn("'schema'", repr(result))
        known = [result.memory, result.time, *result.steps]
        self.assertFalse([one for one in known if None in vars(one).values()])

    def test_what_does_not_fit_is_a_result(self):
        result = ipusim.run(CONFIG, TINY_TILES)
        self.assertFalse(result.fits)
        self.assertEqual(vars(result.oom), {key: result.json["oom"][key] for key in vars(result.oom)})

    def test_a_notebook_shows_the_report_page(self):
        result = ipusim.run(CONFIG, SMALL)
        self.assertTrue(result.page().startswith("<!"))
        self.assertIn("<iframe srcdoc=\"&lt;!", result._repr_html_())

    def test_values_may_be_lists_and_texts(self):
        result = ipusim.run("configs/runs/matmul_chain.toml", {"workload.dims": [64, 32, 16], "machine": "bow"})
        self.assertEqual((result.json["machine"]["name"], result.json["config"]["workload"]["dims"]), ("bow", [64, 32, 16]))

    def test_a_gpu_alone_has_an_object(self):
        self.assertIn("seconds", json.dumps(ipusim.run("configs/gpu_runs/product.toml")))

    def test_training_on_several_ipus_has_an_object(self):
        values = ipusim.run("configs/parallel/mlp_pipeline.toml")
        self.assertGreater(values["step"]["seconds"], 0)
        self.assertTrue(values["fits"])

    def test_errors_of_the_user_are_one_line(self):
        for config, overrides, part in ((CONFIG, {"workload.mm": 1}, "workload.mm"), ("none.toml", {}, "none.toml")):
            with self.subTest(config), self.assertRaises(ipusim.ConfigError) as caught:
                ipusim.run(config, overrides)
            self.assertIn(part, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaises(ValueError):
            ipusim.run(CONFIG, engine="none")

    def test_a_sweep_has_a_row_for_each_point(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            rows = ipusim.sweep(CONFIG, {"workload.n": [32, 64, -1], "workload.m": [64], "workload.k": [64]})
        self.assertEqual([row["workload.n"] for row in rows], [32, 64, -1])
        self.assertEqual([row["status"].split(":")[0] for row in rows], ["ok", "ok", "invalid"])
        self.assertEqual(rows[1]["time.cycles"], ipusim.run(CONFIG, SMALL).time.cycles)
        self.assertIn("memory.by_category.variables", rows[0])

    def test_a_sweep_is_a_data_frame_where_there_is_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        table = ipusim.sweep(CONFIG, {"workload.n": [32, 64], "machine": ["gc200", "bow"]})
        self.assertIsInstance(table, pandas.DataFrame)
        self.assertEqual(list(table["machine.name"]), ["gc200", "bow"] * 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
