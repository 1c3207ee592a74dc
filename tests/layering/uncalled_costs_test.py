# SPDX-License-Identifier: Apache-2.0
"""Plants costs and callers in a small tree, and asks which of them uncalled_costs.py reports."""
import unittest

import planted_tree
import uncalled_costs

PAGE = """# Costs

| `sortCycles` | sorts |

These stand beside a formula:

| `addWorkerCycles` | `addCycles` |
"""


class UncalledCosts(planted_tree.PlantedTree):
    def setUp(self):
        super().setUp()
        self.plant("models/ipu/cost/uncalled/README.md", PAGE)
        self.plant("models/ipu/cost/uncalled/sort.h", "Cycles sortCycles(int n);\n")
        self.plant("models/ipu/cost/add.h", "Cycles addCycles(int n);\nCycles addWorkerCycles(int n);\n")
        self.plant("models/ipu/cost/add.cpp", "Cycles addCycles(int n) {}\nCycles addWorkerCycles(int n) {}\n")
        self.plant("workloads/vertices/add.cpp", "return models::addCycles(n);\n")
        self.plant("tests/cost/sort_test.cpp", "EXPECT_EQ(sortCycles(1), 3_cycles);\n")

    def expect(self, *faults):
        self.assertEqual(list(uncalled_costs.faults_of(self.tree)), list(faults))

    def test_a_true_list_has_no_fault(self):
        self.expect()

    def test_a_cost_that_is_called_moves_up(self):
        self.plant("workloads/vertices/sort.cpp", "return models::sortCycles(n);\n")
        self.expect("models/ipu/cost/uncalled/sort.h: sortCycles is called: wanted its file in models/ipu/cost")

    def test_a_cost_that_only_tests_call_is_found(self):
        self.plant("models/ipu/cost/fill.h", "Cycles fillCycles(int n);\n")
        self.expect("models/ipu/cost: only tests call fillCycles: wanted it in models/ipu/cost/uncalled")

    def test_a_cost_without_a_row_is_found(self):
        self.plant("models/ipu/cost/uncalled/iota.h", "Cycles iotaCycles(int n);\n")
        self.expect("models/ipu/cost/uncalled/README.md: iotaCycles of iota.h is not on the list")

    def test_a_row_without_a_cost_is_found(self):
        self.plant("models/ipu/cost/uncalled/README.md", PAGE + "| `goneCycles` | `addCycles` |\n")
        self.expect("models/ipu/cost/uncalled/README.md: goneCycles: there is no such function that nobody calls")


if __name__ == "__main__":
    unittest.main()
