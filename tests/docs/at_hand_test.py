# SPDX-License-Identifier: Apache-2.0
"""What the program says of itself: keys, configs to begin with, the manual page, completions.

usage: at_hand_test.py PROGRAM [TEST...]
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

import pages

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
# The shell finds the program under test as `ipusim`.
DRIVER = """
PATH="{folder}:$PATH"
source "{script}"
compopt() {{ :; }}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_ipusim
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def start(*arguments, folder=pages.ROOT):
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True)


def answer(*arguments):
    done = start(*arguments)
    if done.returncode:
        raise ValueError(f"{arguments}: {done.stderr}")
    return done.stdout


def commands(words=()):
    """{words of a command: its options}, as --help lists them."""
    text = answer(*words, "--help")
    options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", text, re.MULTILINE)
    found = {words: options}
    if "\nSubcommands:\n" in text:
        listed = text.split("\nSubcommands:\n")[1].split("\n\n")[0]
        for name in re.findall(r"^  (\w+)", listed, re.MULTILINE):
            found.update(commands((*words, name)))
    return found


def named(text):
    """A title as `list keys` has it."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def kinds():
    script = answer("generate", "bash")
    return re.search(r'"new"\) echo "(.*)"', script[script.index("_ipusim_positionals()"):])[1].split()


class Keys(unittest.TestCase):
    def testEveryKeyOfTheReferenceIsListed(self):
        listed = [line.split()[:2] for line in answer("list", "keys").splitlines()]
        for part in pages.config_sections():
            if not part.directive:
                continue
            prefix = part.directive[1].split()[1]
            for row in part.rows:
                path = row["key"] if prefix == "root" else f"{prefix}.{row['key']}"
                self.assertIn([path, named(part.title)], listed)

    def testTheKeysOfAWorkloadAreItsOwn(self):
        listed = [line.split()[0] for line in answer("list", "keys", "matmul_chain").splitlines()]
        self.assertIn("workload.dims", listed)
        self.assertNotIn("workload.m", listed)

    def testAKeyIsExplained(self):
        text = answer("--explain", "workload.dims")
        self.assertIn("at least three", text)
        self.assertIn("list of whole numbers, 1 to 16777216, required", text)
        self.assertIn("in matmul_chain", text)

    def testTheWorkloadOfAConfigSaysWhichKeyIsMeant(self):
        text = answer("run", "configs/runs/butterfly.toml", "--explain", "features")
        self.assertIn("in butterfly", text)
        self.assertNotIn("fastfood", text)

    def testAnUnknownKeyIsOneLine(self):
        for arguments in (["--explain", "workload.batsh"], ["list", "keys", "matmull"]):
            done = start(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn("did you mean", done.stderr)


class NewConfigs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ipusim-new."))
        self.addCleanup(shutil.rmtree, self.folder)

    def command(self, file):
        """What the first line of a config says to run, so that it takes no long time."""
        words = file.read_text().splitlines()[0].removeprefix("# Run it: ipusim ").split()
        words = [re.sub("FILE$", str(file), word) if word != "FOLDER" else str(self.folder / "out")
                 for word in words]
        if words[0] == "explore":
            words[0] = "sweep"  # the same file, which can be listed
        quick = {"sweep": ["--dry-run"], "reproduce": ["--no-plots", "--out", str(self.folder / "out")],
                 "run": ["--engine", "closed-form"]}
        is_gpu = "gpu" in tomllib.loads(file.read_text())
        return words + ([] if is_gpu else quick.get(words[0], []))

    def testEveryKindRuns(self):
        self.assertGreater(len(kinds()), 60)
        for kind in kinds():
            with self.subTest(kind):
                file = self.folder / f"{kind}.toml"
                answer("new", kind, str(file))
                if kind != "paper":  # it computes all that it names
                    answer(*self.command(file))
                self.assertTrue(tomllib.loads(file.read_text()))

    def testEveryWorkloadIsAKind(self):
        workloads = [line.split()[0] for line in answer("list", "workloads").splitlines()]
        self.assertFalse(set(workloads) - set(kinds()))

    def testAPresetIsTheOneThatItBeginsAs(self):
        for kind, base in (("machine", "gc200"), ("system", "m2000"), ("gpu", "a30")):
            text = answer("new", kind)
            shipped = tomllib.loads((pages.ROOT / "configs" / f"{kind}s" / f"{base}.toml").read_text())
            shipped.pop("include", None)
            self.assertEqual(tomllib.loads(text), {"base": base, **shipped})
        machine = self.folder / "mine.toml"
        answer("new", "machine", str(machine))
        times = [json.loads(answer("run", "configs/runs/matmul.toml", "--json", "--engine", "closed-form",
                                   "--set", f"machine={name}"))["steps"] for name in (machine, "gc200")]
        self.assertEqual(*times)

    def testAnUnknownKindNamesAllThatThereAre(self):
        done = start("new", "nonsense")
        self.assertEqual(done.returncode, 2)
        for kind in kinds():
            self.assertIn(kind, done.stderr)

    def testOfferedDefaultsAreWhatHoldsWithoutThem(self):
        text = answer("new", "matmul")
        self.assertRegex(text, r'(?m)^# serial_splits = "allowed"$')
        with_them = re.sub(r'(?m)^# (serial_splits = .*|groups = .*|method = .*|type = .*)$', r"\1", text)
        self.assertNotEqual(text, with_them)
        times = []
        for name, config in (("without", text), ("with", with_them)):
            file = self.folder / f"{name}.toml"
            file.write_text(config)
            times.append(json.loads(answer("run", str(file), "--json", "--engine", "closed-form"))["steps"])
        self.assertEqual(*times)

    def testEveryKeyHasAComment(self):
        lines = answer("new", "conv").splitlines()
        for before, line in zip(lines, lines[1:]):
            if re.match(r"(# )?\w+ = ", line):
                self.assertRegex(before, r"^# .*\)$", line)

    def testNoFileIsReplaced(self):
        file = self.folder / "mine.toml"
        file.write_text("mine")
        done = start("new", "matmul", str(file))
        self.assertEqual(done.returncode, 2)
        self.assertIn("not there yet", done.stderr)
        self.assertEqual(file.read_text(), "mine")


class Manual(unittest.TestCase):
    def testEveryCommandAndOptionStandsInIt(self):
        page = answer("generate", "man").replace("\\-", "-")
        parts = re.split(r"^\.S[SH] ", page, flags=re.MULTILINE)
        for words, options in commands().items():
            title = " ".join(("ipusim", *words)) if words else "OPTIONS"
            part = next(part for part in parts if part.splitlines()[0] == title)
            for option in options:
                self.assertIn(f"\\fB{option}\\fR", part, title)

    @unittest.skipUnless(shutil.which("man"), "no man")
    def testManReadsIt(self):
        with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
            file.write(answer("generate", "man"))
            file.flush()
            done = subprocess.run(["man", "--warnings", "-l", file.name], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertIn("ipusim trace record", done.stdout)


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ipusim-complete."))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "ipusim").symlink_to(PROGRAM)
        cls.script = cls.folder / "completion"
        cls.script.write_text(answer("generate", "bash"))

    def completed(self, *words):
        driver = DRIVER.format(folder=self.folder, script=self.script, words=" ".join(f"'{word}'" for word in words))
        done = subprocess.run(["bash", "-c", driver], capture_output=True, text=True, check=True, cwd=pages.ROOT)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def testCommandsAndOptionsAreCompleted(self):
        for words, options in commands().items():
            self.assertEqual(sorted(self.completed("ipusim", *words, "-")), sorted(set(options)), words)
        self.assertEqual(self.completed("ipusim", "sw"), ["sweep"])
        self.assertEqual(self.completed("ipusim", "trace", "rec"), ["record"])

    def testValuesAreCompleted(self):
        self.assertEqual(self.completed("ipusim", "run", "a.toml", "--engine", "c"), ["closed-form"])
        self.assertEqual(self.completed("ipusim", "list", "mac"), ["machines"])
        self.assertIn("matmul_chain", self.completed("ipusim", "new", "matmul"))

    def testKeysOfConfigsAreCompleted(self):
        self.assertIn("workload.features=", self.completed("ipusim", "run", "a.toml", "--set", "workload.f"))
        self.assertEqual(self.completed("ipusim", "--explain", "machine.clock"), ["machine.clock_hz"])

    def testKeysAreThoseOfTheConfigsKind(self):
        for config, own, other in (("matmul", "workload.m=", "workload.features="),
                                   ("network", "workload.train.steps=", "workload.m="),
                                   ("amp_codelet", "workload.codelet=", "workload.m=")):
            keys = self.completed("ipusim", "run", f"configs/runs/{config}.toml", "--set", "workload.")
            self.assertIn(own, keys)
            self.assertIn("workload.kind=", keys)
            self.assertNotIn(other, keys)
        self.assertIn("machine.clock_hz=",
                      self.completed("ipusim", "run", "configs/runs/matmul.toml", "--set", "machine.c"))

    def testFilesAreLeftToTheShell(self):
        self.assertEqual(self.completed("ipusim", "run", "conf"), [])
        self.assertEqual(self.completed("ipusim", "sweep", "a.toml", "--out", ""), [])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def testZshReadsItsOwn(self):
        done = subprocess.run(["zsh", "-n"], input=answer("generate", "zsh"), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
