# SPDX-License-Identifier: Apache-2.0
"""Plants files in a small tree, and asks which folders folders.py reports."""
import pathlib
import tempfile
import unittest

import folders


class Folders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)

    def plant(self, folder, count):
        (self.tree / folder).mkdir(parents=True)
        for number in range(count):
            (self.tree / folder / f"file{number}.cpp").touch()

    def test_a_full_folder_has_no_fault(self):
        self.plant("sim/run", folders.MOST)
        self.assertEqual(list(folders.faults_of(self.tree)), [])

    def test_one_more_is_found(self):
        self.plant("sim/run", folders.MOST + 1)
        self.assertEqual(list(folders.faults_of(self.tree)),
                         ["sim/run: wanted at most 40 source files, found 41: cut it by what they are for"])

    def test_folders_inside_count_for_themselves(self):
        self.plant("tests/cost", folders.MOST)
        self.plant("tests/cost/oracle", 1)
        self.assertEqual(list(folders.faults_of(self.tree)), [])


if __name__ == "__main__":
    unittest.main()
