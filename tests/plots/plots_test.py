# SPDX-License-Identifier: Apache-2.0
"""Draws every figure from small tables, and from broken ones."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PLOTS = pathlib.Path(__file__).resolve().parents[2] / "plots"
PNG = b"\x89PNG"

STEPS = """step,name,kind,iterations,cycles
0,a/sync,sync,1,500
1,"a, b/Exchange",exchange,1,100
2,mul,compute,10,4000
3,keep,copy,1,0
"""

SWEEP_HEADER = (
    "workload.n,status,machine.tiles,machine.total_sram_bytes,memory.capacity_tile_bytes,"
    "memory.max_tile_bytes,memory.by_category.variables,memory.by_category.stack,"
    "memory.total_including_gaps_bytes\n"
)
SWEEP = SWEEP_HEADER + "1,ok,2,200,100,40,60,10,75\n2,does_not_fit,2,200,100,120,200,10,260\n4,\"invalid: n\",,,,,,,\n"
WIDE_SWEEP = SWEEP_HEADER + "1,ok,2,200,100,4,4,1,9\n512,does_not_fit,2,200,100,1200,2000,0,2600\n"


class Plots(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def draw(self, script, table, *options, out="out.png"):
        """The finished process, the path of the figure."""
        csv = self.folder / "in.csv"
        if table is not None:
            csv.write_text(table, encoding="utf-8")
        figure = self.folder / out
        command = [sys.executable, "-B", str(PLOTS / script), str(csv), str(figure), *options]
        return subprocess.run(command, capture_output=True, text=True, check=False), figure

    def assert_drawn(self, script, table, *options):
        done, figure = self.draw(script, table, *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(figure.read_bytes()[:4], PNG)
        return figure.read_bytes()

    def assert_refused(self, script, table, part, *options, out="out.png"):
        done, figure = self.draw(script, table, *options, out=out)
        self.assertEqual(done.returncode, 1)
        self.assertIn(part, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertFalse(figure.exists())

    def test_steps_are_drawn(self):
        self.assert_drawn("steps.py", STEPS)

    def test_the_same_table_gives_the_same_bytes(self):
        self.assertEqual(self.assert_drawn("steps.py", STEPS), self.assert_drawn("steps.py", STEPS))

    def test_more_steps_than_fit_are_drawn(self):
        rows = "".join(f"{i},s{i},compute,1,{i}\n" for i in range(200))
        self.assert_drawn("steps.py", STEPS.splitlines()[0] + "\n" + rows)

    def test_memory_is_drawn_without_the_invalid_rows(self):
        self.assert_drawn("memory_vs_size.py", SWEEP)

    def test_memory_is_drawn_over_decades(self):
        self.assert_drawn("memory_vs_size.py", WIDE_SWEEP)

    def test_memory_is_drawn_against_the_column_asked_for(self):
        plain = self.assert_drawn("memory_vs_size.py", SWEEP)
        other = self.assert_drawn("memory_vs_size.py", SWEEP, "--x", "memory.max_tile_bytes")
        self.assertNotEqual(plain, other)

    def test_tables_that_do_not_do_are_refused_in_one_line(self):
        for script, table, part in (
            ("steps.py", None, "in.csv: No such file"),
            ("steps.py", "", "wanted a header and at least one row"),
            ("steps.py", "a,b\n1,2\n", "wanted the column name"),
            ("steps.py", STEPS.replace("4000", "many"), "cycles: wanted a number, found 'many'"),
            ("steps.py", STEPS.replace("4000", ""), "cycles: wanted a number, found ''"),
            ("steps.py", "name,kind,cycles,iterations\ns,sync,1,1\n", "wanted a step that is no sync"),
            ("memory_vs_size.py", STEPS, "wanted the column status"),
            ("memory_vs_size.py", SWEEP_HEADER + "1,invalid: n,,,,,,,\n", "is ok or does_not_fit, found 0"),
            ("memory_vs_size.py", SWEEP_HEADER + "8,ok,2,200,100,40,60,10,75\n", "found 1"),
            ("memory_vs_size.py", SWEEP + "2,ok,2,200,100,40,60,10,75\n", "wanted each value once"),
        ):
            with self.subTest(part=part):
                self.assert_refused(script, table, part)

    def test_a_column_that_is_not_there_is_refused(self):
        self.assert_refused("memory_vs_size.py", SWEEP, "wanted the column workload.z", "--x", "workload.z")

    def test_a_figure_that_is_no_png_is_refused(self):
        self.assert_refused("steps.py", STEPS, "wanted a name that ends in .png", out="out.jpeg")


if __name__ == "__main__":
    unittest.main()
