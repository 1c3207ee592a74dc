# SPDX-License-Identifier: Apache-2.0
"""Installs the build, moves what was installed, and uses it where nothing of the tree is in sight.

usage: install_test.py SOURCE BUILD COMPILER

Builds every folder of examples/ against the package and runs the program that has the folder's name.
What it prints is expected.txt of its folder, where there is one. Where the system permits it, the
source tree and the build tree are hidden from all processes that are started.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD, COMPILER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
LONGEST_SECONDS = 120
HIDE = 'mount -t tmpfs none "$1" && { [ ! -d "$2" ] || mount -t tmpfs none "$2"; } && shift 2 && exec "$@"'


def hiding():
    """Words before a command from which the trees are hidden; none where that is not permitted."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    words = ["unshare", "--mount", *user, "sh", "-c", HIDE, "sh", str(SOURCE), str(BUILD)]
    unseen = ["sh", "-c", f'[ ! -e "{SOURCE}/CMakeLists.txt" ]']
    permitted = shutil.which("unshare") and subprocess.run([*words, *unseen], capture_output=True).returncode == 0
    return words if permitted else []


def files_under(folder):
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()]


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ipusim-install."))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        first, cls.prefix = cls.folder / "first", cls.folder / "moved" / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
        cls.prefix.parent.mkdir()
        first.rename(cls.prefix)
        cls.empty = cls.folder / "empty"
        cls.empty.mkdir()
        shutil.copytree(SOURCE / "examples", cls.folder / "examples")
        shutil.copytree(SOURCE / "tests/install/consumer", cls.folder / "consumer")
        cls.program = cls.prefix / "bin/ipusim"
        cls.hidden = hiding()
        cls.environment = {name: value for name, value in os.environ.items() if name != "IPUSIM_HOME"}

    def start(self, *words, **environment):
        return subprocess.run([*self.hidden, *words], cwd=self.empty, env={**self.environment, **environment},
                              capture_output=True, text=True, check=False, timeout=LONGEST_SECONDS)

    def output_of(self, *words, **environment):
        done = self.start(*words, **environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def build(self, project, *options):
        built = self.folder / "built" / project.name
        self.output_of("cmake", "-S", project, "-B", built, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}",
                       "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={self.prefix}", *options)
        self.output_of("cmake", "--build", built)
        return built

    def test_each_file_is_in_one_package(self):
        found = []
        for component in ("program", "library", "poplar", "python"):
            part = self.folder / "parts" / component
            subprocess.run(["cmake", "--install", BUILD, "--prefix", part, "--component", component], check=True,
                           stdout=subprocess.DEVNULL)
            found += files_under(part)
        self.assertEqual(sorted(found), sorted(files_under(self.prefix)))

    def test_a_result_names_the_commit_that_the_program_names(self):
        result = json.loads(self.output_of(self.program, "run", "configs/runs/quickstart.toml", "--json"))
        self.assertEqual(self.output_of(self.program, "--version"),
                         f"ipusim {result['tool_version']} ({result['commit']})\n")

    def test_a_table_and_a_figure_of_the_paper_are_reproduced(self):
        if "IPUSIM_STUDIES:BOOL=ON" not in (BUILD / "CMakeCache.txt").read_text():
            self.skipTest("a build without studies")
        out = self.folder / "reproduced"
        self.output_of(self.program, "reproduce", "--item", "table_1", "--no-plots", "--out", out)
        self.output_of(self.program, "reproduce", "--item", "figure_3", "--out", out)
        self.assertTrue((out / "figures/figure_3-latency.png").exists())

    def version(self):
        return self.output_of(self.program, "--version").split()[1]

    def test_the_machines_are_listed(self):
        machines = self.output_of(self.program, "list", "machines").splitlines()
        shipped = sorted(file.stem for file in (SOURCE / "configs/machines").glob("*.toml"))
        self.assertEqual([line.split()[0] for line in machines], shipped)

    def test_a_run_prints_what_it_prints_in_the_build(self):
        run = ["run", "configs/runs/quickstart.toml", "--json"]
        there = self.output_of(self.program, *run)
        here = subprocess.run([BUILD / "bin/ipusim", *run], cwd=SOURCE, capture_output=True, text=True, check=True)
        self.assertTrue(json.loads(there)["fits"])
        self.assertEqual(there, here.stdout)

    def test_the_program_alone_reads_nothing_of_another_tree(self):
        alone = shutil.copy(self.program, self.folder / "alone")
        done = self.start(alone, "list", "machines")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"of a folder above {alone} (IPUSIM_HOME names another place)", done.stderr)
        named = self.output_of(alone, "list", "machines", IPUSIM_HOME=str(self.prefix / "share/ipusim"))
        self.assertEqual(named, self.output_of(self.program, "list", "machines"))

    def test_every_example_is_built_and_runs(self):
        examples = sorted(path.parent for path in (self.folder / "examples").glob("*/CMakeLists.txt"))
        self.assertGreater(len(examples), 0)
        for example in examples:
            with self.subTest(example.name):
                # A static library does not know where the package is.
                home = {} if self.is_shared() else {"IPUSIM_HOME": str(self.prefix / "share/ipusim")}
                printed = self.output_of(self.build(example) / example.name, **home)
                self.assertNotEqual(printed, "")
                if (example / "expected.txt").exists():
                    self.assertEqual(printed, (example / "expected.txt").read_text())

    def test_a_user_may_define_main_or_sc_main(self):
        built = self.build(self.folder / "consumer")
        quiet = {"SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"}
        self.assertEqual(self.output_of(built / "own_main", **quiet), f"{self.version()} 1 ns\n")
        self.assertEqual(self.output_of(built / "own_sc_main", "a", "b", **quiet), f"{self.version()} 2 ns 3\n")

    def test_another_version_is_not_found(self):
        major, minor, _ = self.version().split(".")
        for version in (f"{major}.{int(minor) + 1}", f"{int(major) + 1}.0"):
            project = self.folder / f"wants-{version}"
            project.mkdir()
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(wants LANGUAGES CXX)\n"
                f"find_package(ipusim {version} REQUIRED)\n")
            done = self.start("cmake", "-S", project, "-B", project / "built", f"-DCMAKE_PREFIX_PATH={self.prefix}")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f'compatible with requested version "{version}"', " ".join(done.stderr.split()))

    def test_the_manual_page_and_the_completions_are_installed(self):
        share = self.prefix / "share"
        for name, what in (("man/man1/ipusim.1", "man"), ("bash-completion/completions/ipusim", "bash"),
                           ("zsh/site-functions/_ipusim", "zsh")):
            self.assertEqual((share / name).read_text(), self.output_of(self.program, "generate", what))
        self.assertIn("compile codelets", (share / "man/man1/popc.1").read_text())

    def test_no_installed_file_names_the_trees(self):
        files = [path for path in self.prefix.rglob("*") if path.is_file()]
        self.assertGreater(len(files), 10)
        for file in files:
            with self.subTest(file):
                for tree in (SOURCE, self.folder):
                    self.assertFalse(str(tree).encode() in file.read_bytes(), f"it names {tree}")

    def is_shared(self):
        return any(self.prefix.rglob("libipusim.so"))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1])
