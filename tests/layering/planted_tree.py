# SPDX-License-Identifier: Apache-2.0
"""A small tree into which tests of the scripts beside this file plant what the scripts should find."""
import pathlib
import tempfile
import unittest


class PlantedTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)

    def plant(self, file, text):
        path = self.tree / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
