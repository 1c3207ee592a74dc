# SPDX-License-Identifier: Apache-2.0
"""What each script does without a table: its help, and where matplotlib is missing."""
import subprocess
import sys
import unittest

from script_case import PLOTS, ScriptCase


class Scripts(ScriptCase):
    def test_a_computer_without_matplotlib_is_told_what_to_install(self):
        self.write("matplotlib.py", "raise ModuleNotFoundError(\"No module named 'matplotlib'\", name='matplotlib')")
        for script in sorted(PLOTS.glob("*.py")):
            if "\nimport style" not in script.read_text(encoding="utf-8"):
                continue
            with self.subTest(script.name):
                done = subprocess.run([sys.executable, "-B", str(script)], capture_output=True, text=True, check=False,
                                      env={"PYTHONPATH": str(self.folder)})
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, f"{script.name}: wanted the Python module matplotlib (Debian package "
                                 "python3-matplotlib), found none\n")

    def test_every_script_says_what_it_draws(self):
        for script in sorted(path.name for path in PLOTS.glob("*.py")):
            if script in ("style.py", "columns.py", "curves.py", "gains.py", "headings.py"):
                continue
            with self.subTest(script=script):
                done = self.run_script(script, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(f"usage: {script} ", done.stdout)
                refused = self.run_script(script)
                self.assertEqual(refused.returncode, 1)
                self.assertIn(f"see {script} --help", refused.stderr)


if __name__ == "__main__":
    unittest.main()
