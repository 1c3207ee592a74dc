# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts of bench/ on small sizes, and on others' programs that fail."""
import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import measuring  # noqa: E402  (after its folder is known)

PROGRAM = sys.argv.pop(1)
PNG = b"\x89PNG"
STACKS = """main;a;a;b 60
main;a;<c> 38
main;rare 1
[unknown];[unknown];main;a;b 100
"""


class Measuring(unittest.TestCase):
    def testExponentIsTheSlopeOnLogarithmicAxes(self):
        self.assertAlmostEqual(measuring.exponent([1, 2, 4], [3, 12, 48]), 2)

    def testExponentLeavesOutTheSmallerHalf(self):
        self.assertAlmostEqual(measuring.exponent([1, 2, 4, 8], [9, 9, 4, 8]), 1)

    def testOnePointHasNoExponent(self):
        self.assertEqual(measuring.exponent_text([1], [1]), "-")

    def testMediansAreTakenByField(self):
        taken = [measuring.Taken(*values) for values in ((1, 9, 5), (2, 8, 4), (30, 70, 3))]
        self.assertEqual(measuring.medians(taken), (2, 9, 4))

    def testCpuSecondsAreNotThoseOfTheClock(self):
        case = measuring.run(["sleep", "0.2"])
        self.assertGreaterEqual(case.taken[0].wall, 0.2)
        self.assertLess(case.taken[0].cpu, 0.1)

    def testPeakOfMemoryIsThatOfTheProgram(self):
        small = measuring.run([sys.executable, "-S", "-c", "0"]).taken[0].mebibytes
        large = measuring.run([sys.executable, "-S", "-c", "b'x' * (100 << 20)"]).taken[0].mebibytes
        self.assertGreater(large - small, 90)

    def testAProgramOverTheLimitIsEnded(self):
        self.assertEqual(measuring.run(["sleep", "60"], 0.1).fault, "over 0.1 s")

    def testAProgramThatFailsSaysWhy(self):
        self.assertEqual(measuring.run(["sh", "-c", "echo no >&2; exit 3"]).fault, "ended with 3: no")


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, name, *arguments, code=0):
        done = subprocess.run([sys.executable, "-B", str(BENCH / name), *map(str, arguments)],
                              capture_output=True, text=True, check=False, cwd=BENCH.parent)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr

    def compare(self, *arguments):
        """What was printed, and the rows of the CSV by simulator."""
        printed = self.run_script("compare", "--sizes", 32, 64, "--runs", 1, "--program", PROGRAM,
                                  "--out", self.folder, *arguments)
        self.assertEqual((self.folder / "compare.png").read_bytes()[:4], PNG)
        with open(self.folder / "compare.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return printed, {name: [row["size"] for row in rows if row["simulator"] == name]
                         for name in {row["simulator"] for row in rows}}

    def testSimulatorsAreComparedOnAllSizes(self):
        printed, sizes = self.compare("--tool", "mine=sh -c 'test -d {folder}; exit 0 {n}'")
        self.assertEqual(sizes, {name: ["32", "64"] for name in ("ipusim, closed-form", "ipusim, systemc", "mine")})
        self.assertIn("cores, load average", printed)

    def testASimulatorThatFailsIsLeftOutAtLargerSizes(self):
        printed, sizes = self.compare("--tool", "mine=sh -c 'test {n} -lt 64'")
        self.assertEqual(sizes["mine"], ["32"])
        self.assertIn("mine at 64: ended with 1", printed)

    def testASimulatorThatEndsWithoutAResultDoesNotCount(self):
        printed, sizes = self.compare("--scale-sim", "true")
        self.assertNotIn("SCALE-Sim v3", sizes)
        self.assertIn("SCALE-Sim v3 at 32: ended without a result", printed)

    def testEveryLawIsMeasured(self):
        printed = self.run_script("scaling", "--runs", 1, "--points", 1, "--program", PROGRAM, "--out", self.folder)
        self.assertEqual(printed.count("time grows with exponent"), 7)
        self.assertEqual((self.folder / "scaling.png").read_bytes()[:4], PNG)

    def testAnUnknownLawIsRefused(self):
        self.assertIn("wanted one of vertices", self.run_script("scaling", "moons", "--out", self.folder, code=1))

    def flame_graph(self, text, code=0):
        stacks = self.folder / "stacks.folded"
        stacks.write_text(text)
        printed = self.run_script("flame_graph", stacks, self.folder / "out.svg", "--from", "main", code=code)
        return printed if code else (self.folder / "out.svg").read_text()

    def testFramesAreAsWideAsTheirShare(self):
        drawn = self.flame_graph(STACKS)
        self.assertIn("<title>a: 99.5 %</title>", drawn)
        self.assertIn("<title>b: 80.4 %</title>", drawn)
        self.assertIn("<title>&lt;c&gt;: 19.1 %</title>", drawn)

    def testFramesOfAFewSamplesAreLeftOut(self):
        self.assertIn("rare", self.flame_graph(STACKS))
        self.assertNotIn("rare", self.flame_graph(STACKS + "main;b 900\n"))

    def testALineThatIsNoStackIsNamed(self):
        self.assertIn("stacks.folded:2: wanted frames and a count", self.flame_graph("a 1\nb\n", code=1))


if __name__ == "__main__":
    unittest.main()
