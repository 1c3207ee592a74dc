# SPDX-License-Identifier: Apache-2.0
"""Plants folders and rows in a small tree, and asks which of them source_map.py reports."""
import unittest

import planted_tree
import source_map

MAP = """# Architecture

| `sim/elsewhere` | a row of another table | – |

## The map

| Folder | Holds | Layer |
| --- | --- | --- |
| `base` | units | base |
| `models/ipu/cost` | formulas | cost |
| `bench` | measured speed | – |

## The layers

| Layer | Stands on |
| --- | --- |
{}

## Next
""".format("\n".join(f"| `{name}` | {', '.join(row[1]) or source_map.NONE} |"
                     for name, row in source_map.layers.LAYERS.items()))


class SourceMap(planted_tree.PlantedTree):
    def setUp(self):
        super().setUp()
        self.plant("docs/architecture.md", MAP)
        for file in ["base/units.h", "models/ipu/cost/amp.cpp", "bench/bench_chip.cpp"]:
            self.plant(file, "")

    def faults(self):
        return list(source_map.faults_of(self.tree))

    def test_a_true_map_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_a_folder_without_a_row_is_found(self):
        self.plant("workloads/graph/section.cpp", "")
        self.assertEqual(self.faults(), ["docs/architecture.md: wanted a row: `workloads/graph`, which ends in: graph"])

    def test_a_row_without_a_folder_is_found(self):
        self.plant("docs/architecture.md", MAP.replace("| `bench`", "| `sim/gone` | old | – |\n| `bench`"))
        self.assertEqual(self.faults(), ["docs/architecture.md:11: sim/gone: no C++ is there"])

    def test_a_row_with_another_layer_is_found(self):
        self.plant("docs/architecture.md", MAP.replace("formulas | cost", "formulas | machine"))
        self.assertEqual(self.faults(), ["docs/architecture.md:10: models/ipu/cost: wanted cost, found machine"])

    def test_a_layer_that_stands_on_another_is_found(self):
        self.plant("docs/architecture.md", MAP.replace("| `cost` | machine |", "| `cost` | base |"))
        (fault,) = self.faults()
        self.assertIn("cost: wanted machine, found base", fault)


if __name__ == "__main__":
    unittest.main()
