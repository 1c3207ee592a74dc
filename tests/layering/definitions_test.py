# SPDX-License-Identifier: Apache-2.0
"""Plants types in a small tree, and asks which of them definitions.py reports."""
import contextlib
import io
import unittest

import definitions
import planted_tree


class Tree(planted_tree.PlantedTree):
    def faults(self, *texts):
        """The faults of a tree of these files."""
        for number, text in enumerate(texts):
            self.plant(f"sim/file{number}.h", text)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = definitions.main(self.tree)
        faults = out.getvalue().splitlines()[:-1]
        self.assertEqual(code, 1 if faults else 0)
        return faults

    def test_one_name_in_two_files_is_told_with_both_places(self):
        faults = self.faults("namespace a {\nstruct Row { int x; };\n}\n",
                             "namespace a {\n\nclass Row final : public Base {\n};\n}\n")
        self.assertEqual(faults, ["sim/file1.h:3: a::Row is defined in sim/file0.h:2, too"])

    def test_other_namespaces_are_other_names(self):
        self.assertEqual(self.faults("namespace a::b { struct Row {}; }",
                                     "namespace a { struct Row {}; }"), [])

    def test_an_unnamed_namespace_is_its_files_own(self):
        text = "namespace a { namespace { struct Row {}; } }"
        self.assertEqual(self.faults(text, text), [])

    def test_a_type_in_a_type_or_a_function_is_no_name_of_the_namespace(self):
        self.assertEqual(self.faults("namespace a { struct X { struct Row {}; }; }",
                                     "namespace a { struct Y { struct Row {}; }; }",
                                     "namespace a { void f() { struct Row {}; } }"), [])

    def test_a_declaration_and_a_nested_definition_outside_define_nothing(self):
        self.assertEqual(self.faults("namespace a { struct Row { class Part; }; }",
                                     "namespace a { struct Row; struct Row::Part { int x; }; }"), [])

    def test_braces_in_comments_and_literals_open_nothing(self):
        text = 'namespace a {\n// {\n/* { */ const char* b = "{"; char c = \'{\';\n}\nstruct Row {};\n'
        self.assertEqual(self.faults(text, text)[0][:20], "sim/file1.h:5: Row i")

    def test_an_enumeration_is_a_type(self):
        text = "namespace a { enum class Kind : std::uint8_t { One }; }"
        self.assertEqual(len(self.faults(text, text)), 1)


if __name__ == "__main__":
    unittest.main()
