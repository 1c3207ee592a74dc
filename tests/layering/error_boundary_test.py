# SPDX-License-Identifier: Apache-2.0
"""Plants handlers in a small tree, and asks which of them error_boundary.py reports."""
import unittest
from unittest import mock

import error_boundary
import planted_tree

HANDLER = "try {\n  work();\n} catch (const ConfigError& error) {\n}\n"


class ErrorBoundary(planted_tree.PlantedTree):
    def setUp(self):
        super().setUp()
        listed = mock.patch.object(error_boundary, "LISTED", {"sim/cli/*": (1, "the end of the program")})
        listed.start()
        self.addCleanup(listed.stop)
        self.plant("base/error_boundary.h", HANDLER)
        self.plant("sim/cli/main.cpp", HANDLER)

    def expect(self, *faults):
        self.assertEqual(list(error_boundary.faults_of(self.tree)), list(faults))

    def test_listed_handlers_are_no_fault(self):
        self.expect()

    def test_a_handler_elsewhere_is_found(self):
        self.plant("sim/run/simulate.cpp", HANDLER)
        self.expect("sim/run/simulate.cpp:3: catches an error, which base/error_boundary.h is for")

    def test_one_more_than_the_list_allows_is_found(self):
        self.plant("sim/cli/main.cpp", HANDLER + HANDLER)
        self.expect("sim/cli/main.cpp:7: catches an error, which base/error_boundary.h is for")

    def test_a_list_that_allows_too_many_is_found(self):
        self.plant("sim/cli/main.cpp", "")
        self.expect("sim/cli/*: the list allows 1 handlers more than there are")

    def test_a_comment_is_no_handler(self):
        self.plant("sim/run/simulate.cpp", "// catch (...)\n")
        self.expect()


if __name__ == "__main__":
    unittest.main()
