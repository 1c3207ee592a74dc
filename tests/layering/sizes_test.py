# SPDX-License-Identifier: Apache-2.0
"""Plants sources in a small tree, and asks which of them sizes.py calls too long."""
import unittest

import planted_tree
import sizes


def function(lines, head="int f(int x)"):
    return head + " {\n" + "  step();\n" * lines + "}\n"


class Sizes(planted_tree.PlantedTree):
    def faults(self):
        return list(sizes.faults_of(self.tree))

    def test_a_long_function_that_may_be_has_no_fault(self):
        self.plant("sim/run/one.cpp", function(sizes.MOST_BODY))
        self.assertEqual(self.faults(), [])

    def test_one_line_more_is_found(self):
        self.plant("sim/run/one.cpp", function(sizes.MOST_BODY + 1))
        self.assertEqual(self.faults(), ["sim/run/one.cpp:1: wanted a function of at most 50 lines, found 51"])

    def test_members_and_functions_of_namespaces_count(self):
        member = "class A {\n public:\n" + function(51, "  A(int x) : x_(x)") + "};\n"
        self.plant("base/two.h", "#pragma once\nnamespace a {\nnamespace {\n" + member + "}\n" + function(52) + "}\n")
        self.assertEqual(self.faults(), ["base/two.h:6: wanted a function of at most 50 lines, found 51",
                                         "base/two.h:61: wanted a function of at most 50 lines, found 52"])

    def test_a_result_of_a_class_is_no_scope(self):
        self.plant("base/one.cpp", function(51, "struct A f()"))
        self.assertEqual(len(self.faults()), 1)

    def test_a_table_is_no_function(self):
        self.plant("base/one.cpp", "constexpr int kTable[] = {\n" + "    1,\n" * 60 + "};\n")
        self.assertEqual(self.faults(), [])

    def test_braces_in_texts_and_comments_count_for_nothing(self):
        self.plant("base/one.cpp", "// {\nconst char* k = \"{(\";\n" + function(2))
        self.assertEqual(self.faults(), [])

    def test_a_file_of_too_many_lines_is_found(self):
        self.plant("tests/run/script.py", "x = 1\n" * 400)
        self.plant("python/ipusim/one.py", "x = 1\n" * 401)
        self.assertEqual(self.faults(), ["python/ipusim/one.py: wanted at most 400 lines, found 401: "
                                         "cut it by what its parts are for"])


if __name__ == "__main__":
    unittest.main()
