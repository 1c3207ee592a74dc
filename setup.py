# SPDX-License-Identifier: Apache-2.0
"""Packs what CMake builds with the preset `package` as a wheel: the module, the program, its configs and plots."""
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TREE = pathlib.Path(__file__).resolve().parent
BUILT = TREE / "build/package"
MODULES = "lib/python3/dist-packages"  # as the preset says


class BuildWithCMake(build_ext):
    """Fills the wheel while setuptools asks for the module's compiled part."""

    def run(self):
        staged = pathlib.Path(self.build_temp).resolve() / "staged"
        shutil.rmtree(staged, ignore_errors=True)
        self.cmake("--preset", "package", f"-DPython3_EXECUTABLE={sys.executable}")
        self.cmake("--build", BUILT, "--target", "ipusim_cli", "ipusim_manual", "ipusim_python")
        for component in ("program", "python"):
            self.cmake("--install", BUILT, "--prefix", staged, "--component", component, "--strip")
        shutil.copytree(staged / MODULES, self.build_lib, dirs_exist_ok=True)
        shutil.rmtree(staged / MODULES)
        # Files of the prefix go to the prefix of the environment that the wheel is installed in.
        for file in sorted(path for path in staged.rglob("*") if path.is_file()):
            self.distribution.data_files.append((str(file.parent.relative_to(staged)), [str(file)]))

    @staticmethod
    def cmake(*words):
        subprocess.run(["cmake", *map(str, words)], cwd=TREE, check=True)


setup(
    version=re.search(r'kVersion = "(.+)"', (TREE / "include/ipusim/version.h").read_text())[1],
    packages=[],
    data_files=[],
    ext_modules=[Extension("ipusim._ipusim", [])],
    cmdclass={"build_ext": BuildWithCMake},
)
