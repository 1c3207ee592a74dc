# SPDX-License-Identifier: Apache-2.0
"""Plants includes in a small tree, and asks which of them layers.py reports."""
import contextlib
import io
import unittest

import layers
import planted_tree


class Tree(planted_tree.PlantedTree):
    def report(self):
        """The exit code, and the faults."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = layers.main(self.tree)
        return code, out.getvalue().splitlines()[:-1]

    def assert_fault(self, file, text, fault):
        self.plant(file, text)
        code, faults = self.report()
        self.assertEqual(code, 1)
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(fault, faults[0])

    def assert_clean(self, file, text):
        self.plant(file, text)
        self.assertEqual(self.report(), (0, []))


class Upward(Tree):
    def test_an_include_of_the_layer_below_is_clean(self):
        self.assert_clean("workloads/ops/fft/a.cpp", '#include "workloads/vertices/b.h"\n')

    def test_an_include_far_below_is_clean(self):
        self.assert_clean("sim/cli/run.cpp", '#include "base/units.h"\n')

    def test_an_include_of_the_layer_above_is_told_with_its_line(self):
        text = "#pragma once\n\n  #  include  \"workloads/ops/fft/b.h\"\n"
        fault = "workloads/graph/a.h:3: graph may not include ops"
        self.assert_fault("workloads/graph/a.h", text, fault)

    def test_models_do_not_know_the_run(self):
        text = '#include "sim/run/simulate.h"\n'
        self.assert_fault("models/gpu/gemm.cpp", text, "gpu may not include run")

    def test_the_closed_form_does_not_know_the_chip(self):
        text = '#include "models/ipu/engines/chip/chip.h"\n'
        self.assert_fault("models/ipu/engines/closed_form/closed_form.cpp", text, "closed_form may not include chip")

    def test_brackets_do_not_hide_an_include_of_the_tree(self):
        text = "#include <workloads/sources/workload.h>\n"
        self.assert_fault("workloads/ops/fft/a.cpp", text, "ops may not include sources")

    def test_siblings_do_not_know_each_other(self):
        text = '#include "sim/studies/sweep/sweep.h"\n'
        self.assert_fault("sim/studies/validate/a.cpp", text, "validate may not include sweep")

    def test_the_command_stands_on_the_validation_and_not_below_it(self):
        self.plant("sim/cli/a.cpp", '#include "sim/studies/validate/report.h"\n')
        text = '#include "sim/cli/watch/terminal.h"\n'
        self.assert_fault("sim/studies/validate/a.cpp", text, "validate may not include cli")

    def test_every_layer_stands_on_layers_above_it_in_the_table(self):
        seen = set()
        for name, (_, below) in layers.LAYERS.items():
            self.assertLessEqual(set(below), seen, name)
            seen.add(name)

    def test_the_table_is_read_whole(self):
        rows = [line for line in layers.TABLE.read_text().splitlines() if line.count("|") >= 2]
        self.assertEqual(len(layers.LAYERS), len([row for row in rows if row.startswith('  "')]))
        self.assertEqual(layers.LAYERS["sweep"], (["sim/studies/sweep/*"], ["answer"]))

    def test_a_floor_knows_none_above_it(self):
        floors = {name: files[0].split("/")[0] for name, (files, _) in layers.LAYERS.items()}
        order = ["base", "models", "workloads", "sim", "poplar"]
        for name in layers.LAYERS:
            for other in layers.allowed_from(name):
                self.assertLessEqual(order.index(floors[other]), order.index(floors[name]))


class PublicHeaders(Tree):
    def test_a_public_header_belongs_to_a_layer(self):
        self.assert_clean("include/ipusim/version.h", "#pragma once\n")
        self.assert_clean("models/gpu/a.cpp", '#include "ipusim/version.h"\n')

    def test_a_public_header_includes_nothing_above_its_layer(self):
        text = '#include "workloads/graph/graph.h"\n'
        self.assert_fault("include/ipusim/version.h", text, "base may not include graph")

    def test_a_public_header_includes_installed_ones_only(self):
        self.assert_clean("include/ipusim/graph.h", '#include "ipusim/units.h"\n')
        self.assert_fault("include/ipusim/graph.h", '#include "base/text/message.h"\n', "that is not installed")

    def test_a_header_of_the_wing_is_not_its_runtime(self):
        self.assert_clean("poplar/include/popops/A.hpp", '#include "poplar/Graph.hpp"\n')
        self.assert_clean("poplar/runtime/a.cpp", "#include <poplar/Graph.hpp>\n")
        self.assert_fault("poplar/include/poplar/B.hpp", '#include "poplar/runtime/shared.h"\n', "that is not installed")

    def test_the_rest_knows_no_header_of_the_wing(self):
        self.assert_fault("sim/cli/a.cpp", "#include <poplar/Graph.hpp>\n", "cli may not include poplar")

    def test_a_public_header_of_no_layer_is_a_fault(self):
        self.assert_fault("include/ipusim/stray.h", "", "belongs to no layer")


class NamedWorkloads(Tree):
    def test_a_workload_includes_its_own_header_and_the_interface(self):
        text = '#include "workloads/sources/named/fft.h"\n#include "workloads/sources/workload.h"\n'
        self.assert_clean("workloads/sources/named/fft.cpp", text)

    def test_a_workload_includes_what_some_share(self):
        text = '#include "workloads/sources/named/parts/options.h"\n'
        self.assert_clean("workloads/sources/named/fft.cpp", text)

    def test_what_some_share_includes_no_workload(self):
        text = '#include "workloads/sources/named/matmul.h"\n'
        fault = "a workload includes another one"
        self.assert_fault("workloads/sources/named/parts/options.h", text, fault)

    def test_a_workload_does_not_include_another(self):
        text = '#include "workloads/sources/named/matmul.h"\n'
        fault = "a workload includes another one"
        self.assert_fault("workloads/sources/named/fft.cpp", text, fault)

    def test_the_registry_includes_all(self):
        text = '#include "workloads/sources/named/matmul.h"\n'
        self.assert_clean("sim/registry/registry.cpp", text)


class Outside(Tree):
    def test_systemc_is_for_the_chip_and_sc_main(self):
        self.plant("sim/cli/main.cpp", "#include <systemc>\n")
        self.assert_clean("models/ipu/engines/chip/tile.h", "#include <systemc>\n#include <vector>\n")

    def test_systemc_elsewhere_is_a_fault(self):
        for header in ("systemc", "systemc.h", "sysc/kernel/sc_time.h", "tlm_utils/peq.h"):
            with self.subTest(header):
                text = f"#include <{header}>\n"
                self.assert_fault("sim/run/simulate.cpp", text, "SystemC")

    def test_the_config_library_is_for_the_base(self):
        self.plant("base/config/config_reader.cpp", "#include <toml++/toml.h>\n")
        self.assert_fault("models/ipu/machine/machine.cpp", "#include <toml++/toml.h>\n", "config library")

    def test_no_public_header_costs_what_a_heavy_library_costs(self):
        for heavy in ["toml++/toml.h", "CLI/CLI.hpp", "nlohmann/json.hpp", "Eigen/Core", "onnx/onnx_pb.h",
                      "llvm/IR/Module.h", "boost/spirit/home/x3.hpp", "simdjson.h"]:
            with self.subTest(heavy):
                self.assert_fault("include/ipusim/machine.h", f"#include <{heavy}>\n", f"({heavy}) is seen by")

    def test_json_is_handed_on_without_its_code(self):
        self.assert_clean("sim/report/json.cpp", "#include <nlohmann/json.hpp>\n")
        self.assert_clean("sim/report/json.h", '#include "base/text/json.h"\n#include <nlohmann/json_fwd.hpp>\n')


class Strays(Tree):
    def test_a_file_in_no_layer_is_a_fault(self):
        self.assert_fault("models/npu/core.h", "", "models/npu/core.h:1: belongs to no layer")

    def test_a_file_beside_the_folders_of_a_floor_is_a_fault(self):
        self.assert_fault("workloads/a.h", "", "belongs to no layer")

    def test_an_include_that_is_not_from_the_root_is_a_fault(self):
        for include in ("error.h", "../base/error.h", "base/../sim/run/a.h", "tests/support/toy.h"):
            with self.subTest(include):
                text = f'#include "{include}"\n'
                self.assert_fault("base/a.cpp", text, "written from the root")

    def test_a_computed_include_is_a_fault(self):
        self.assert_fault("base/a.cpp", "#include HEADER\n", "no plain path")

    def test_another_suffix_is_a_fault(self):
        self.assert_fault("base/a.hpp", "", "end in .h or .cpp")

    def test_an_empty_tree_is_no_success(self):
        with self.assertRaises(SystemExit):
            self.report()


if __name__ == "__main__":
    unittest.main()
