# SPDX-License-Identifier: Apache-2.0
"""Plants faults in pages: each has to be found.

usage: planted_test.py PROGRAM CONFIG_KEYS [TEST...]
"""
import pathlib
import sys
import tempfile
import unittest

import commands
import links
import pages
import reference

PROGRAM, CONFIG_KEYS = sys.argv[1:3]

PAGE = """# Sizes

<!-- keys run workload except=kind -->

```toml
machine = "gc200"
[workload]
kind = "exchange_latency"
from = 0
to = 1
bytes = 64
```

| Key | Type | Unit | Default | Range | Meaning |
| --- | --- | --- | --- | --- | --- |
| `from` | whole number | - | required | 0 to 1471 | the tile that sends |
| `to` | whole number | - | required | 0 to 1471 | the tile that receives |
| `bytes` | whole number | B | required | 4 to 1073741824 | of the message |
"""


def config_faults(page):
    part = [part for part in pages.sections(page) if part.directive][0]
    return reference.config_faults(part, reference.ConfigKeys(CONFIG_KEYS))


class ConfigReference(unittest.TestCase):
    def expect_one(self, page, text):
        faults = config_faults(page)
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(text, faults[0])

    def testTheRightPageIsRight(self):
        self.assertEqual(config_faults(PAGE), [])

    def testAKeyWithoutAnEntry(self):
        self.expect_one("".join(line for line in PAGE.splitlines(True) if "`to`" not in line),
                        "no entry for to")

    def testAnEntryOfNoKey(self):
        self.expect_one(PAGE + "| `via` | whole number | - | required | 0 to 1471 | a tile |\n",
                        "via is in the table alone")

    def testAWrongRange(self):
        self.expect_one(PAGE.replace("4 to 1073741824", "4 to 1024"), "bytes: range")

    def testAWrongDefault(self):
        self.expect_one(PAGE.replace("required | 4", "64 | 4"), "bytes: default")

    def testAWrongType(self):
        self.expect_one(PAGE.replace("`bytes` | whole number", "`bytes` | text"), "bytes: type")

    def testAWrongUnit(self):
        self.expect_one(PAGE.replace("whole number | B", "whole number | s"), "the unit B")

    def testAKeyOfTheSourcesWithoutAnEntry(self):
        faults = reference.source_faults(pages.sections(PAGE), {"from": "a.cpp", "colour": "b.cpp"})
        self.assertEqual(faults, ["b.cpp names the key colour, which has no entry"])


class JsonReference(unittest.TestCase):
    FOUND = reference.merged([{"time": {"cycles": 3}, "oom": None, "steps": [{"name": "a"}]}])
    PAGE = """# A run
| Key | Type | Unit | Meaning |
| --- | --- | --- | --- |
| `time` | object | - | . |
| `time.cycles` | whole number | cycles | . |
| `oom` | null | - | . |
| `steps` | list | - | . |
| `steps[]` | object | - | . |
| `steps[].name` | text | - | . |
"""

    def faults(self, page):
        return reference.json_faults(pages.sections(page)[-1], self.FOUND)

    def testTheRightPageIsRight(self):
        self.assertEqual(self.faults(self.PAGE), [])

    def testAKeyWithoutAnEntry(self):
        page = self.PAGE.replace("| `steps[].name` | text | - | . |\n", "")
        self.assertIn("no entry for steps[].name", self.faults(page)[0])

    def testAWrongType(self):
        self.assertIn("oom", self.faults(self.PAGE.replace("`oom` | null", "`oom` | text"))[0])


class Links(unittest.TestCase):
    def faults(self, text):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("# One two\n" + text)
            return links.link_faults(page)

    def testRightLinksAreRight(self):
        self.assertEqual(self.faults("[a](page.md), [b](#one-two), `sim/*/compile.h`, `configs/runs`"), [])

    def testAPageThatIsNotThere(self):
        self.assertIn("not there", self.faults("[a](other.md)")[0])

    def testAHeadingThatIsNotThere(self):
        self.assertIn("no such heading", self.faults("[a](page.md#three)")[0])

    def testATypeThatNoSourceKnows(self):
        self.assertEqual(self.faults("`Graph`"), [])
        self.assertIn("no source knows", self.faults("`GraphOfOldTimes`")[0])

    def testAFileThatIsNotInTheTree(self):
        self.assertIn("not in the tree", self.faults("`sim/compile/nothing.h`")[0])


class Commands(unittest.TestCase):
    def faults(self, text, slow=False):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            return commands.run_page(page, PROGRAM, slow)

    def testACommandThatFailsIsFound(self):
        faults = self.faults("```sh\n./ipusim run configs/runs/nowhere.toml\n```\n")
        self.assertIn("wanted exit code 0, found 2", faults[0])

    def testAFailureBeforeTheLastCommandIsFound(self):
        self.assertEqual(len(self.faults("```sh\nfalse\ntrue\n```\n")), 1)

    def testAFolderOfAnotherSweepIsFound(self):
        text = ("```sh\n./ipusim sweep tests/docs/small_search.toml --out results/a\n```\n"
                "```sh\n./ipusim sweep configs/sweeps/exchange_latency.toml --out results/a\n```\n")
        self.assertIn("results/a", self.faults(text)[0])

    def testAnExitCodeThatIsSaidIsWanted(self):
        text = "```sh exit=2\n./ipusim run configs/runs/nowhere.toml\n```\n"
        self.assertEqual(self.faults(text), [])
        self.assertEqual(len(self.faults("```sh exit=2\n./ipusim list machines\n```\n")), 1)

    def testWhatIsSlowRunsWhenAskedFor(self):
        text = "```sh slow\nfalse\n```\n"
        self.assertEqual(self.faults(text), [])
        self.assertEqual(len(self.faults(text, slow=True)), 1)

    def testAnOutputThatIsNotPrintedIsFound(self):
        text = "```sh\necho 'one  two'\n```\n```text output\none  {}\n```\n"
        self.assertEqual(self.faults(text.format("two")), [])
        self.assertIn("is not what", self.faults(text.format("three"))[0])

    def testATableThatItsCommandDoesNotPrintIsFound(self):
        text = "<!-- made: echo '| 1 |' -->\n\n| {} |\n\n<!-- end -->\n"
        self.assertEqual(self.faults(text.format(1)), [])
        self.assertIn("page.md:1", self.faults(text.format(2))[0])

    def testANumberThatATextDoesNotSayIsFound(self):
        text = "<!-- numbers: echo '1.5 ms' -->\nIt takes 1.5\n{}.\n<!-- end -->\n"
        self.assertEqual(self.faults(text.format("ms")), [])
        self.assertIn("1.5 ms", self.faults(text.format("us"))[0])

    def testASlowTableIsHeldWhenAskedFor(self):
        text = "<!-- made slow: echo 1 -->\n2\n<!-- end -->\n"
        self.assertEqual(self.faults(text), [])
        self.assertEqual(len(self.faults(text, slow=True)), 1)

    def testACommandOfATableThatFailsIsFound(self):
        with self.assertRaisesRegex(ValueError, "ended with 1"):
            self.faults("<!-- made: false -->\n<!-- end -->\n")

    def testAHeldPartWithoutAnEndIsFound(self):
        for text in ("<!-- made: echo 1 -->\n1\n", "<!-- made slowly: echo 1 -->\n1\n<!-- end -->\n",
                     "<!-- made: echo 1 -->\n1\n<!-- made: echo 2 -->\n2\n<!-- end -->\n"):
            with self.assertRaisesRegex(ValueError, "no <!-- end -->"):
                self.faults(text)

    def testWhatACommandMakesIsWrittenAndNothingElse(self):
        text = "a\n<!-- made: echo 1 -->\n{}\n<!-- end -->\n<!-- made slow: false -->\nb\n<!-- end -->\n"
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text.format("2"))
            commands.write_page(page, PROGRAM, slow=False)
            self.assertEqual(page.read_text(), text.format("\n1\n"))

    def testPagesRunApart(self):
        text = "```sh\ntest ! -e results\nmkdir results\n```\n"
        self.assertEqual(self.faults(text) + self.faults(text), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
