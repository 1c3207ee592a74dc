# SPDX-License-Identifier: Apache-2.0
"""Plants includes in a small tree, and asks which of them layers.py reports."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import layers


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)

    def plant(self, file, text):
        path = self.tree / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

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
        self.assert_clean("workloads/ops/a.cpp", '#include "workloads/codelets/b.h"\n')

    def test_an_include_far_below_is_clean(self):
        self.assert_clean("sim/cli/run.cpp", '#include "sim/base/units.h"\n')

    def test_an_include_of_the_layer_above_is_told_with_its_line(self):
        text = "#pragma once\n\n  #  include  \"workloads/ops/b.h\"\n"
        fault = "workloads/graph/a.h:3: graph may not include ops"
        self.assert_fault("workloads/graph/a.h", text, fault)

    def test_models_do_not_know_the_run(self):
        text = '#include "sim/run/simulate.h"\n'
        self.assert_fault("models/gpu/gemm.cpp", text, "gpu may not include run")

    def test_the_closed_form_does_not_know_the_chip(self):
        text = '#include "models/ipu/chip/chip.h"\n'
        self.assert_fault("models/ipu/closed_form.cpp", text, "closed_form may not include chip")

    def test_brackets_do_not_hide_an_include_of_the_tree(self):
        text = "#include <workloads/registry.h>\n"
        self.assert_fault("workloads/ops/a.cpp", text, "ops may not include workloads")

    def test_siblings_do_not_know_each_other(self):
        text = '#include "sim/explore/sweep.h"\n'
        self.assert_fault("sim/validate/a.cpp", text, "validate may not include explore")

    def test_the_command_stands_on_the_validation_and_not_below_it(self):
        self.plant("sim/cli/a.cpp", '#include "sim/validate/report.h"\n')
        text = '#include "sim/cli/terminal.h"\n'
        self.assert_fault("sim/validate/a.cpp", text, "validate may not include cli")

    def test_every_layer_names_only_layers_above_it_in_the_table(self):
        seen = set()
        for name, (_, below) in layers.LAYERS.items():
            self.assertLessEqual(set(below), seen, name)
            seen.add(name)


class Workloads(Tree):
    def test_a_workload_includes_its_own_header_and_the_shared_interface(self):
        text = '#include "workloads/fft.h"\n#include "workloads/workload.h"\n'
        self.assert_clean("workloads/fft.cpp", text)

    def test_a_workload_includes_what_some_share(self):
        text = '#include "workloads/shared/options.h"\n'
        self.assert_clean("workloads/fft.cpp", text)

    def test_what_some_share_includes_no_workload(self):
        text = '#include "workloads/matmul.h"\n'
        self.assert_fault("workloads/shared/options.h", text, "a workload includes another one")

    def test_a_workload_does_not_include_another(self):
        text = '#include "workloads/matmul.h"\n'
        self.assert_fault("workloads/fft.cpp", text, "a workload includes another one")

    def test_a_workload_does_not_include_the_registry(self):
        text = '#include "workloads/registry.h"\n'
        self.assert_fault("workloads/fft.cpp", text, "a workload includes another one")

    def test_the_registry_includes_all(self):
        self.assert_clean("workloads/registry.cpp", '#include "workloads/matmul.h"\n')


class Outside(Tree):
    def test_systemc_is_for_the_chip_and_sc_main(self):
        self.plant("sim/cli/main.cpp", "#include <systemc>\n")
        self.assert_clean("models/ipu/chip/tile.h", "#include <systemc>\n#include <vector>\n")

    def test_systemc_elsewhere_is_a_fault(self):
        for header in ("systemc", "systemc.h", "sysc/kernel/sc_time.h", "tlm_utils/peq.h"):
            with self.subTest(header):
                text = f"#include <{header}>\n"
                self.assert_fault("sim/run/simulate.cpp", text, "SystemC")

    def test_the_config_library_is_for_the_base(self):
        self.plant("sim/base/config_reader.cpp", "#include <toml++/toml.h>\n")
        self.assert_fault("models/ipu/machine.cpp", "#include <toml++/toml.h>\n", "config library")


class Strays(Tree):
    def test_a_file_in_no_layer_is_a_fault(self):
        self.assert_fault("models/npu/core.h", "", "models/npu/core.h:1: belongs to no layer")

    def test_a_folder_of_workloads_in_no_layer_is_a_fault(self):
        self.assert_fault("workloads/extra/a.h", "", "belongs to no layer")

    def test_an_include_that_is_not_from_the_root_is_a_fault(self):
        for include in ("error.h", "../base/error.h", "sim/base/../run/a.h", "tests/support/toy.h"):
            with self.subTest(include):
                text = f'#include "{include}"\n'
                self.assert_fault("sim/base/a.cpp", text, "written from the root")

    def test_a_computed_include_is_a_fault(self):
        self.assert_fault("sim/base/a.cpp", "#include HEADER\n", "no plain path")

    def test_another_suffix_is_a_fault(self):
        self.assert_fault("sim/base/a.hpp", "", "end in .h or .cpp")

    def test_an_empty_tree_is_no_success(self):
        with self.assertRaises(SystemExit):
            self.report()


if __name__ == "__main__":
    unittest.main()
