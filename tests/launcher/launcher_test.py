# SPDX-License-Identifier: Apache-2.0
"""Starts a copy of ./ipusim in a tree whose cmake and ninja are stubs that write down their calls."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

LAUNCHER = pathlib.Path(__file__).resolve().parents[2] / "ipusim"
NOBODY = "65534"
DAY_SECONDS = 86400
LONGEST_SECONDS = 60

CMAKE = """#!/bin/sh
echo cmake >>"$CALLS"
"""
# Goes on for as long as the file `slow` is there; then makes the program.
NINJA = """#!/bin/sh
echo "ninja begins" >>"$CALLS"
while [ -e "$CALLS.slow" ]; do sleep 0.02; done
mkdir -p bin
printf '#!/bin/sh\\necho ran "$@"\\n' >bin/ipusim
chmod +x bin/ipusim
echo "ninja ends" >>"$CALLS"
"""
# A program that was built without a part and is asked for it.
WANTING = """#!/bin/sh
mkdir -p bin
echo "ninja $*" >>"$CALLS"
cat >bin/ipusim <<'END'
#!/bin/sh
if grep -q onnx "$(dirname "$0")/../.parts" 2>/dev/null && [ ! -e "$CALLS.never" ]; then
  echo ran "$@"
else
  IPUSIM_WANTED_PART=onnx exec "$IPUSIM_LAUNCHER" "$@"
fi
END
chmod +x bin/ipusim
"""
PARTS = """set(IPUSIM_PART_TABLE
  "networks |"
  "onnx     | networks"
)
"""
PRESETS = """{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja",
 "binaryDir": "${sourceDir}/build/release"}]}
"""
# The program of a tree that real tools build.
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(tree NONE)
add_custom_command(OUTPUT bin/ipusim DEPENDS sim/a.cpp
  COMMAND mkdir -p bin
  COMMAND printf "#!/bin/sh\\\\necho ran\\\\n" > bin/ipusim
  COMMAND chmod +x bin/ipusim
  COMMAND echo built >> $ENV{CALLS} VERBATIM)
add_custom_target(ipusim_cli DEPENDS bin/ipusim)
"""


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def date_in_the_future(path, days=1):
    future = time.time() + days * DAY_SECONDS
    os.utime(path, (future, future))


def wait_until(holds):
    end = time.monotonic() + LONGEST_SECONDS
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


class LauncherTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ipusim-launcher."))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = self.folder / "tree"
        self.calls_file = self.folder / "calls"
        self.calls_file.touch()
        self.calls_file.chmod(0o666)
        self.slow = self.folder / "calls.slow"
        for name in ["base/a.cpp", "models/a.cpp", "poplar/a.cpp", "sim/a.cpp", "workloads/a.cpp", "include/a.h", "cmake/a.cmake", "CMakeLists.txt"]:
            write(self.tree / name, "")
        write(self.tree / "CMakePresets.json", PRESETS)
        write(self.tree / ".ci/install", "#!/bin/sh\n", 0o755)
        shutil.copy(LAUNCHER, self.tree / "ipusim")
        write(self.folder / "bin/cmake", CMAKE, 0o755)
        write(self.folder / "bin/ninja", NINJA, 0o755)
        self.environment = dict(os.environ, CALLS=str(self.calls_file))
        self.use_stubs()

    def use_stubs(self):
        self.environment["PATH"] = f"{self.folder / 'bin'}:{os.environ['PATH']}"

    def use_real_tools(self):
        self.environment["PATH"] = os.environ["PATH"]
        write(self.tree / "CMakeLists.txt", PROJECT)

    def calls(self):
        return self.calls_file.read_text().splitlines()

    def start(self, name):
        """Its output goes to files of that name."""
        with open(self.folder / f"{name}.out", "w") as out, open(self.folder / f"{name}.err", "w") as err:
            return subprocess.Popen([self.tree / "ipusim", "word"], env=self.environment, stdout=out, stderr=err)

    def run_it(self, *launcher):
        process = subprocess.run([*launcher, self.tree / "ipusim", "word"], env=self.environment,
                                 capture_output=True, text=True, check=False, timeout=LONGEST_SECONDS)
        return process.returncode, process.stdout, process.stderr

    def expect_run(self):
        code, out, err = self.run_it()
        self.assertEqual((code, out.split()[:1]), (0, ["ran"]), err)

    def expect_one_line(self, result, *parts):
        code, out, err = result
        self.assertEqual((code, out), (2, ""), err)
        self.assertEqual(err.count("\n"), 1, err)
        for part in parts:
            self.assertIn(part, err)

    def testBuildsOnceThenRuns(self):
        for _ in range(3):
            self.expect_run()
        self.assertEqual(self.calls(), ["cmake", "ninja begins", "ninja ends"])

    def testBuildsAgainAfterAChange(self):
        self.expect_run()
        source = self.tree / "sim/a.cpp"
        changes = [lambda: write(source, "int a;"), lambda: write(self.tree / "sim/b.cpp", ""),
                   lambda: (self.tree / "sim/b.cpp").unlink(), lambda: os.utime(source, (1, 1))]
        for count, change in enumerate(changes, start=2):
            change()
            self.expect_run()
            self.expect_run()
            self.assertEqual(self.calls().count("ninja begins"), count)

    def testASourceOfTheFutureIsBuiltOnce(self):
        for count in (1, 2):
            date_in_the_future(self.tree / "sim/a.cpp", days=count)
            for _ in range(3):
                self.expect_run()
            self.assertEqual(self.calls().count("ninja begins"), count)

    def testABuildFileOfTheFutureIsBuiltOnce(self):
        self.use_real_tools()
        date_in_the_future(self.tree / "CMakeLists.txt")
        date_in_the_future(self.tree / "sim/a.cpp")
        for _ in range(3):
            self.expect_run()
        self.assertEqual(self.calls(), ["built"])

    def testABuildWhoseLauncherWasKilledIsWaitedFor(self):
        self.slow.touch()
        killed = self.start("killed")
        wait_until(lambda: "ninja begins" in self.calls())
        killed.kill()
        killed.wait()
        following = self.start("following")
        says = self.folder / "following.err"
        wait_until(lambda: "another build" in says.read_text() or self.calls().count("ninja begins") > 1)
        self.assertEqual(self.calls(), ["cmake", "ninja begins"])
        self.slow.unlink()
        self.assertEqual(following.wait(LONGEST_SECONDS), 0, says.read_text())
        self.assertEqual((self.folder / "following.out").read_text(), "ran word\n")
        self.assertEqual(self.calls()[2:5], ["ninja ends", "cmake", "ninja begins"])

    def wantsAPart(self):
        write(self.tree / "cmake/Parts.cmake", PARTS)
        write(self.folder / "bin/cmake", '#!/bin/sh\necho "cmake $*" >>"$CALLS"\n', 0o755)
        write(self.folder / "bin/ninja", WANTING, 0o755)

    def testAPartIsBuiltWhenTheProgramWantsIt(self):
        self.wantsAPart()
        for _ in range(2):
            self.expect_run()
        asked = [word for line in self.calls() for word in line.split() if "IPUSIM_PARTS" in word]
        self.assertEqual(asked, ["-DIPUSIM_PARTS=none", "-DIPUSIM_PARTS=networks;onnx"])

    def testAPartThatIsStillMissingEndsInOneLine(self):
        self.wantsAPart()
        (self.folder / "calls.never").touch()
        self.expect_one_line(self.run_it(), "lacks the part onnx")

    def testBuildsThePartsThatAreNamed(self):
        self.wantsAPart()
        built = subprocess.run([self.tree / "ipusim", "build", "onnx"], env=self.environment,
                               capture_output=True, text=True, check=False)
        self.assertEqual((built.returncode, built.stdout), (0, ""), built.stderr)
        self.assertEqual((self.tree / "build/release/.parts").read_text(), "networks onnx\n")
        wrong = subprocess.run([self.tree / "ipusim", "build", "onyx"], env=self.environment,
                               capture_output=True, text=True, check=False)
        self.expect_one_line((wrong.returncode, wrong.stdout, wrong.stderr), "wanted a part", "'onyx'")

    def testALabelBuildsItsProgramsAndLeavesTheProgram(self):
        write(self.folder / "bin/ninja", '#!/bin/sh\necho "ninja $*" >>"$CALLS"\n', 0o755)
        write(self.folder / "bin/ctest", '#!/bin/sh\necho "ctest $*" >>"$CALLS"\n', 0o755)
        for arguments, target in ((["-L", "unit"], "label_unit"), (["-L", "docs"], "all"), (["-R", "unit"], "all")):
            self.calls_file.write_text("")
            subprocess.run([self.tree / "ipusim", "test", *arguments], env=self.environment, check=True)
            self.assertEqual(self.calls()[1].split()[-1], target)
            self.assertEqual(self.calls()[2], " ".join(["ctest --preset release", *arguments]))
            self.assertEqual((self.tree / "build/release/.built").exists(), target == "all")

    def testListsParts(self):
        listed = subprocess.run([self.tree / "ipusim", "parts"], env=self.environment,
                                capture_output=True, text=True, check=False)
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))
        self.assertEqual([line.split()[0] for line in listed.stdout.splitlines() if line[0] != " "],
                         ["run", "networks", "onnx", "traces", "page", "systems", "sweep", "studies", "poplar"])
        self.assertEqual(self.calls(), [])

    def testATreeOfAnotherUserIsNotWritten(self):
        self.tree.chmod(0o555)
        self.addCleanup(self.tree.chmod, 0o755)
        another = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        result = self.run_it(*(another if os.geteuid() == 0 else []))
        self.expect_one_line(result, "Permission denied", "copy the tree to a folder of your own")
        self.assertEqual(self.calls(), [])

    def testAReadOnlyFileSystemIsNamed(self):
        script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && echo mounted >&2 && exec "$0/ipusim"'
        result = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", script, self.tree],
                                env=self.environment, capture_output=True, text=True, check=False)
        if not result.stderr.startswith("mounted\n"):
            self.skipTest("nothing can be mounted here")
        err = result.stderr.removeprefix("mounted\n")
        self.expect_one_line((result.returncode, result.stdout, err), "Read-only file system",
                             "copy the tree to a folder of your own")


if __name__ == "__main__":
    unittest.main()
