# SPDX-License-Identifier: Apache-2.0
"""What tests of the scripts share: a folder of their own, and a script as a process."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PLOTS = pathlib.Path(__file__).resolve().parents[2] / "plots"
PNG = b"\x89PNG"


class ScriptCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, script, *arguments):
        command = [sys.executable, "-B", str(PLOTS / script), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def write(self, name, table):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(table, encoding="utf-8")
        return path

    def draw(self, script, table, *options, out="out.png"):
        """The finished process, the path of the figure."""
        csv = self.folder / "in.csv" if table is None else self.write("in.csv", table)
        figure = self.folder / out
        return self.run_script(script, csv, figure, *options), figure

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
