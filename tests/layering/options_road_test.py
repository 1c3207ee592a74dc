# SPDX-License-Identifier: Apache-2.0
"""Plants calls that take options in a small tree, and asks which files options_road.py counts."""
import pathlib
import unittest

import options_road
import planted_tree


class OptionsRoad(planted_tree.PlantedTree):
    def setUp(self):
        super().setUp()
        for name in ("run", "play", "table"):
            self.plant(f"sim/{name}.h", f"void {name}(const PlayOptions& options, int times);\n")
            self.plant(f"sim/{name}.cpp", f'#include "sim/{name}.h"\nvoid {name}(const PlayOptions& o, int t) {{}}\n')

    def command(self, body):
        self.plant("sim/cli/command.cpp", '#include "sim/run.h"\n#include "sim/play.h"\n'
                   f"void command(const RunArguments& arguments) {{ {body} }}\n")

    def expect(self, **calls):
        road = options_road.Road(options_road.Product(self.tree))
        found = {pathlib.PurePath(file).stem: sorted(names) for file, names in road.calls.items()}
        self.assertEqual(found, calls)

    def test_a_call_with_options_counts(self):
        self.command("PlayOptions options; options.fast = arguments.fast; run(options, 1);")
        self.expect(command=["run"])

    def test_a_call_with_a_number_does_not(self):
        self.command("run(PlayOptions(), arguments.times);")
        self.expect()

    def test_options_may_come_from_a_call(self):
        self.command("const PlayOptions options = optionsOf(arguments); run(options, 1);")
        self.expect(command=["run"])

    def test_an_answer_is_no_option(self):
        self.command("const Answer answer = run(arguments.play, 1); play(answer, 1);")
        self.expect(command=["run"])

    def test_the_road_goes_on_where_options_arrive(self):
        self.plant("sim/run.cpp", '#include "sim/run.h"\n#include "sim/play.h"\n'
                   "void run(const PlayOptions& mine, int times) { play(mine, times); }\n")
        self.command("run(arguments.play, 1);")
        self.expect(command=["run"], run=["play"])

    def test_a_function_that_is_not_included_is_not_meant(self):
        self.command("table(arguments.play, 1);")
        self.expect()

    def test_a_namespace_tells_two_functions_apart(self):
        self.plant("sim/run.cpp", '#include "sim/run.h"\nnamespace ipusim::low {\n'
                   "void run(const PlayOptions& options, int times) {}\n}\n")
        self.command("high::run(arguments.play, 1);")
        self.expect()
        self.command("low::run(arguments.play, 1);")
        self.expect(command=["run"])

    def test_members_take_options_along(self):
        self.plant("sim/cli/command.cpp", '#include "sim/run.h"\nclass Player { public:\n'
                   "  explicit Player(const RunArguments& arguments) : options_(arguments.play) {}\n"
                   "  void start() { run(options_, 1); }\n};\n")
        self.expect(command=["run"])

    def test_objects_take_options_along(self):
        self.plant("sim/cli/command.cpp", '#include "sim/run.h"\n'
                   "struct Player { PlayOptions options; void operator()(int i) { run(options, i); } };\n"
                   "void command(const RunArguments& arguments) { visit(Player{arguments.play}); }\n")
        self.expect(command=["run"])


if __name__ == "__main__":
    unittest.main()
