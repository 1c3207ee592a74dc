# SPDX-License-Identifier: Apache-2.0
"""Plants files in a small tree, and asks which namespaces namespaces.py reports."""
import unittest

import namespaces
import planted_tree


class Namespaces(planted_tree.PlantedTree):
    def expect(self, *faults):
        self.assertEqual(list(namespaces.faults_of(self.tree)), list(faults))

    def test_rooms_and_floors_have_their_names(self):
        self.plant("sim/run/run.h", "namespace ipusim::run {\n}\n")
        self.plant("sim/studies/sweep/points.h", "namespace ipusim::sweep {\n}\n")
        self.plant("workloads/ops/matmul.h", "namespace ipusim::workloads {\n}\n")
        self.plant("models/ipu/energy/joules.h", "namespace ipusim::energy {\n}\n")
        self.expect()

    def test_another_room_is_found(self):
        self.plant("sim/report/page.cpp", "namespace ipusim::run {\nint page() { return 1; }\n}\n")
        self.expect("sim/report/page.cpp:1: wanted namespace ipusim::report, found ipusim::run")

    def test_namespaces_inside_are_free_and_those_declared_ahead_are_no_definitions(self):
        self.plant("sim/run/run.h", "namespace ipusim::models {\nclass Clock;\n}\n"
                                    "namespace ipusim::run::detail {\nint turns();\n}\n")
        self.plant("models/ipu/cost/clock.h", "namespace ipusim::models {\nclass Clock {};\n}\n")
        self.expect()

    def test_public_functions_are_defined_where_they_are_at_home(self):
        public = "namespace ipusim {\nint compile() { return 1; }\n}\n"
        self.plant("sim/compile/own.cpp", "#include \"ipusim/compile.h\"\n" + public)
        self.plant("sim/compile/public_compile.cpp", "#include <utility>\n" + public)
        self.expect()
        self.plant("sim/compile/other.cpp", "#include <utility>\n" + public)
        self.expect("sim/compile/other.cpp:2: wanted namespace ipusim::compiler, found ipusim")


if __name__ == "__main__":
    unittest.main()
