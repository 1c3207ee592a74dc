# SPDX-License-Identifier: Apache-2.0
"""Draws every figure from small tables, and from broken ones."""
import sys
import unittest

from script_case import PLOTS, PNG, ScriptCase
from tables import (STEPS, SWEEP_HEADER, SWEEP, WIDE_SWEEP, SKEW, EXCHANGE, STUDY_HEADER, STUDY, VALIDATION, GRID,
                    FRONT, GROWTH, LAYERS, CODED, VARIABLES, TIMED_STEPS, RATES, CURVES, SCALING, RESULT, LIVENESS,
                    TILES, JOULES, DENSE)


class Plots(ScriptCase):
    def test_steps_are_drawn(self):
        self.assert_drawn("steps.py", STEPS)

    def test_the_same_table_gives_the_same_bytes(self):
        self.assertEqual(self.assert_drawn("steps.py", STEPS), self.assert_drawn("steps.py", STEPS))

    def test_more_steps_than_fit_are_drawn(self):
        rows = "".join(f"{i},s{i},compute,1,{i},{i}\n" for i in range(200))
        self.assert_drawn("steps.py", STEPS.splitlines()[0] + "\n" + rows)

    def test_memory_is_drawn_without_the_invalid_rows(self):
        self.assert_drawn("memory_vs_size.py", SWEEP)

    def test_memory_is_drawn_over_decades(self):
        self.assert_drawn("memory_vs_size.py", WIDE_SWEEP)

    def test_memory_is_drawn_against_the_column_asked_for(self):
        plain = self.assert_drawn("memory_vs_size.py", SWEEP)
        other = self.assert_drawn("memory_vs_size.py", SWEEP, "--x", "memory.max_tile_bytes")
        self.assertNotEqual(plain, other)

    def test_a_heat_map_is_drawn_and_marks_what_does_not_fit(self):
        columns = ("machine.tiles", "workload.n", "time.seconds")
        marked = self.assert_drawn("heat_map.py", GRID, *columns)
        self.assertNotEqual(marked, self.assert_drawn("heat_map.py", GRID.replace("does_not_fit", "ok"), *columns))
        self.assert_refused("heat_map.py", GRID, "wanted a number", "machine.name", "workload.n",
                            "time.seconds", out="refused.png")

    def test_structured_layers_are_drawn_with_the_host_beside_them(self):
        plain = self.assert_drawn("structured_layers.py", LAYERS)
        hosted = self.assert_drawn("structured_layers.py", LAYERS, "--host-seconds", "1e-5")
        self.assertNotEqual(plain, hosted)
        self.assert_refused("structured_layers.py", "a,b\n1,2\n", "workload.features", out="refused.png")

    def test_variants_are_drawn(self):
        plain = self.assert_drawn("variants.py", GRID, "--x", "workload.n", "--y", "time.seconds")
        for more in (["--relative"], ["memory.max_tile_bytes"]):
            with self.subTest(more=more):
                other = self.assert_drawn("variants.py", GRID, "--x", "workload.n", "--y", "time.seconds", *more)
                self.assertNotEqual(plain, other)
        self.assert_refused("variants.py", GRID, "wanted the column none", "--x", "workload.n", "--y", "none",
                            out="refused.png")

    def test_variants_draw_what_a_tile_has(self):
        options = ["--x", "workload.n", "--y", "memory.max_tile_bytes"]
        less = self.assert_drawn("variants.py", GRID, *options)
        self.assertNotEqual(less, self.assert_drawn("variants.py", GRID.replace(",90\n", ",95\n"), *options))

    def test_energy_is_drawn_against_time(self):
        plain = self.assert_drawn("energy.py", JOULES, "--size", "workload.in")
        other = self.write("other.csv", JOULES.replace("workload.in", "workload.features").replace(",2e-4 ", ",1e-4 "))
        figure = self.folder / "two.png"
        done = self.run_script("energy.py", self.folder / "in.csv", other, figure, "--size", "workload.in", "workload.features")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotEqual(plain, figure.read_bytes())
        self.assert_refused("energy.py", GRID, "energy.joules", "--size", "workload.n", out="refused.png")

    def test_a_front_is_drawn(self):
        self.write("search/results.csv", FRONT + "5,5,ok\n6,6,does_not_fit\n")
        self.write("search/pareto.csv", FRONT)
        self.write("search/hypervolume.csv", GROWTH)
        figure = self.folder / "front.png"
        done = self.run_script("pareto.py", self.folder / "search", figure, "x", "y", "x")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(figure.read_bytes()[:4], PNG)
        done = self.run_script("pareto.py", self.folder / "search", figure, "x", "z")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))

    def test_skew_is_drawn_with_a_curve_for_each_type(self):
        both = self.assert_drawn("skewed_matmul.py", SKEW)
        halves = "".join(line for line in SKEW.splitlines(True) if ",float," not in line)
        self.assertNotEqual(both, self.assert_drawn("skewed_matmul.py", halves))

    def test_skew_is_drawn_with_the_gpu_beside_it(self):
        lines = SKEW.splitlines()
        cells = ["compare.a30.gflops_per_second,compare.a30.fits", "5,true", ",", "6,false", ",", "7,true", ","]
        beside = self.assert_drawn("skewed_matmul.py", "\n".join(map(",".join, zip(lines, cells))) + "\n")
        self.assertNotEqual(beside, self.assert_drawn("skewed_matmul.py", SKEW))

    def test_skew_is_drawn_with_the_band_of_its_predictions(self):
        lines = SKEW.splitlines()
        names = "time.seconds,time.low_seconds,time.high_seconds"
        with_band = [names] + ["1,0.9,1.1" if row.endswith(tuple("0123456789")) else ",," for row in lines[1:]]
        beside = self.assert_drawn("skewed_matmul.py", "\n".join(map(",".join, zip(lines, with_band))) + "\n")
        self.assertNotEqual(beside, self.assert_drawn("skewed_matmul.py", SKEW))

    def test_predictions_are_drawn_beside_what_was_published(self):
        every = self.assert_drawn("published.py", VALIDATION)
        self.assertNotEqual(every, self.assert_drawn("published.py", VALIDATION, "--ids", "A-2"))
        self.assert_refused("published.py", VALIDATION, "begins with 'B', found none", "--ids", "B", out="b.png")
        self.assert_refused("published.py", "{}", "wanted the object that", out="c.png")

    def test_skew_of_other_columns_is_drawn(self):
        self.assert_drawn("skewed_matmul.py", SKEW.replace("workload.k", "workload.n"), "--skew", "workload.m",
                          "workload.n")

    def test_files_of_one_label_are_told_apart_by_their_folders(self):
        first, second = (self.write(f"{name}/results.csv", EXCHANGE) for name in ("one", "two"))
        figure, other = self.folder / "both.png", self.folder / "other.png"
        self.assertEqual(self.run_script("exchange.py", first, second, figure).stderr, "")
        third = self.write("three/results.csv", EXCHANGE)
        self.assertEqual(self.run_script("exchange.py", first, third, other).stderr, "")
        self.assertNotEqual(figure.read_bytes(), other.read_bytes())

    def test_exchanges_are_drawn(self):
        self.assert_drawn("exchange.py", EXCHANGE)

    def test_a_point_that_does_not_fit_is_marked(self):
        for script, table in (("exchange.py", EXCHANGE), ("skewed_matmul.py", SKEW), ("memory_study.py", STUDY)):
            with self.subTest(script=script):
                marked = self.assert_drawn(script, table)
                self.assertNotEqual(marked, self.assert_drawn(script, table.replace("does_not_fit", "ok")))

    def test_gains_of_codes_are_drawn_beside_the_first_file(self):
        alone = self.assert_drawn("compression_gain.py", CODED, "--x", "workload.batch")
        first, second = self.write("one/results.csv", CODED), self.write("two/results.csv", CODED.replace("300", "900"))
        figure = self.folder / "both.png"
        done = self.run_script("compression_gain.py", first, second, figure, "--x", "workload.batch")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotEqual(alone, figure.read_bytes())
        self.assert_refused("compression_gain.py", CODED.replace("none", "half"), "codec is none, found none", "--x",
                            "workload.batch", out="refused.png")

    def test_a_map_of_gains_is_drawn(self):
        columns = ("workload.batch", "machine.streaming_bytes_per_second")
        mapped = self.assert_drawn("compression_map.py", CODED, *columns)
        self.assertNotEqual(mapped, self.assert_drawn("compression_map.py", CODED.replace("450", "550"), *columns))
        self.assert_refused("compression_map.py", CODED.replace(",ok,a,3", ",failed,a,3").replace(",ok,a,2", ",failed,a,2")
                            .replace(",ok,a,45", ",failed,a,45"), "beside one without codes", *columns, out="refused.png")

    def test_axes_that_go_together_with_those_of_a_map_part_nothing(self):
        zipped = CODED.replace("machine.streaming_bytes_per_second", "machine.streaming_bytes_per_second,machine.other")
        zipped = zipped.replace(",10,ok", ",10,1,ok").replace(",40,ok", ",40,2,ok")
        columns = ("workload.batch", "machine.streaming_bytes_per_second")
        self.assertEqual(self.assert_drawn("compression_map.py", zipped, *columns),
                         self.assert_drawn("compression_map.py", CODED, *columns))
        options = ("--x", columns[0], "--rate", columns[1])
        self.assertEqual(self.assert_drawn("break_even.py", zipped, *options),
                         self.assert_drawn("break_even.py", CODED, *options))
        self.assert_refused("compression_map.py", zipped.replace("10,1,ok,a,2", "10,3,ok,a,2") + "none,8,10,3,ok,a,1\n" +
                            "float8,8,10,1,ok,a,9\n", "wanted one value of each axis", *columns, out="refused.png")

    def test_break_even_is_where_gains_pass_one(self):
        options = ("--x", "workload.batch", "--rate", "machine.streaming_bytes_per_second")
        self.assert_drawn("break_even.py", CODED, *options)
        self.assert_refused("break_even.py", CODED.replace("300", "900").replace("450", "900"), "found no such change",
                            *options, out="refused.png")

    def test_a_crossing_lies_between_its_points(self):
        sys.path.insert(0, str(PLOTS))
        import gains  # pylint: disable=import-outside-toplevel
        self.assertAlmostEqual(gains.crossing([(10, 2), (40, 0.5)]), 20)
        self.assertAlmostEqual(gains.crossing([(10, 2), (40, 1), (80, 0.5)]), 40)
        self.assertIsNone(gains.crossing([(10, 2), (40, 1.5)]))

    def test_memory_over_time_is_drawn(self):
        self.write("run/steps.csv", TIMED_STEPS)
        self.write("run/variables.csv", VARIABLES)
        figure = self.folder / "memory.png"
        done = self.run_script("memory_over_time.py", self.folder / "run", figure)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        first = figure.read_bytes()
        self.write("run/variables.csv", VARIABLES.replace("/encode/", "/"))
        self.run_script("memory_over_time.py", self.folder / "run", figure)
        self.assertNotEqual(first, figure.read_bytes())

    def run_folder(self, name="run"):
        """A folder as `ipusim run --out` makes it."""
        for file, text in (("result.json", RESULT), ("liveness.csv", LIVENESS), ("tiles.csv", TILES),
                           ("steps.csv", STEPS)):
            self.write(f"{name}/{file}", text)
        return self.folder / name

    def svg_of(self, script, *words):
        """The texts of a figure: its letters are shapes, so the comments beside them are read."""
        figure = self.folder / "texts.svg"
        done = self.run_script(script, *words[:1], figure, *words[1:])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return figure.read_text(encoding="utf-8")

    def test_liveness_is_drawn(self):
        folder = self.run_folder()
        text = self.svg_of("liveness.py", folder)
        for part in ("matmul, m = 4 on toy", "lives always", "a tile has", "1  b", "live bytes of all tiles"):
            self.assertIn(f"<!-- {part} -->", text)
        self.write("run/liveness.csv", LIVENESS.replace("24", "25"))
        self.assertNotEqual(text, self.svg_of("liveness.py", folder))
        self.write("run/tiles.csv", TILES.replace("44,20", "44,21"))
        self.assertNotEqual(text, self.svg_of("liveness.py", folder))
        self.write("run/liveness.csv", LIVENESS.replace(",b,", ",cost_$q^{$,"))
        self.assertIn("<!-- 1  cost_", self.svg_of("liveness.py", folder))
        self.write("run/tiles.csv", TILES.replace("\n1,", "\n7,"))
        self.assertIn("wanted a line of tile 1", self.run_script("liveness.py", folder, "a.png").stderr)
        self.write("run/result.json", RESULT.replace("40,", "null,"))
        self.assertIn("wanted a number, found None", self.run_script("liveness.py", folder, "a.png").stderr)
        self.write("run/result.json", "{}")
        self.assertIn("wanted the object that", self.run_script("liveness.py", folder, "a.png").stderr)

    def test_tiles_are_drawn(self):
        folder = self.run_folder()
        text = self.svg_of("tile_map.py", folder)
        self.assertIn("<!-- memory of a tile, gaps included; most on tile 1: 44 B -->", text)
        self.assertIn("<!-- a tile has -->", text)
        other = self.svg_of("tile_map.py", folder, "--value", "sync_cycles")
        self.assertIn("most on tile 2", other)
        self.assertNotIn("<!-- a tile has -->", other)

    def test_two_runs_are_drawn_with_what_differs_most_first(self):
        first, second = self.run_folder("first"), self.run_folder("second")
        self.write("second/steps.csv", STEPS.replace("1,100", "1,9100").replace("keep", "new"))
        figure = self.folder / "two.svg"
        done = self.run_script("two_runs.py", first, second, figure)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = figure.read_text(encoding="utf-8")
        self.assertLess(text.index("<!-- a, b/Exchange -->"), text.index("<!-- mul -->"))
        for part in ("first", "second", "keep", "new", "variables", "bytes of all tiles"):
            self.assertIn(f"<!-- {part} -->", text)

    def test_the_dense_layer_on_the_gpu_is_drawn(self):
        layers, dense = self.write("layers/in.csv", LAYERS), self.write("dense/in.csv", DENSE)
        figure = self.folder / "layers.svg"
        done = self.run_script("structured_layers.py", layers, dense, figure)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = figure.read_text(encoding="utf-8")
        for part in ("dense on an A30", "dense on an A30 with TF32"):
            self.assertIn(f"<!-- {part} -->", text)
        self.assertIn("wanted a sweep of structured layers",
                      self.run_script("structured_layers.py", dense, figure).stderr)

    def test_the_values_of_predictions_are_drawn(self):
        text = self.svg_of("published.py", self.write("v.json", VALIDATION.replace('"role"', '"unit": "s", "role"')))
        self.assertIn("<!-- 2.1 / 2 s -->", text)

    def test_every_format_is_written_and_the_same_each_time(self):
        steps, figure = self.write("run/steps.csv", STEPS), self.folder / "steps.png"
        written = []
        for _ in range(2):
            self.assertEqual(self.run_script("steps.py", steps, figure, "--format", "pdf,svg").stderr, "")
            written.append([figure.with_suffix(end).read_bytes() for end in (".png", ".pdf", ".svg")])
        self.assertEqual(*written)
        self.assertEqual([data[:4] for data in written[0][:2]], [PNG, b"%PDF"])
        self.assertIn(b"<svg", written[0][2])

    def test_a_heading_names_program_and_machine(self):
        folder = self.run_folder()
        self.assertIn("<!-- matmul, m = 4 on toy -->", self.svg_of("steps.py", folder / "steps.csv"))
        self.assertIn("<!-- Mine -->", self.svg_of("steps.py", folder / "steps.csv", "--title", "Mine"))
        sweep = self.write("skew/results.csv", SKEW)
        self.assertIn("<!-- skew on a -->", self.svg_of("skewed_matmul.py", sweep))

    def test_syncs_are_drawn_as_the_mean_wait(self):
        text = self.svg_of("steps.py", self.write("run/steps.csv", STEPS))
        self.assertIn("<!-- a/sync -->", text)
        self.assertIn("<!-- 20 -->", text)
        self.assertNotIn("<!-- 500 -->", text)

    def test_the_line_of_what_there_is_lies_inside(self):
        sys.path.insert(0, str(PLOTS))
        import memory_vs_size  # pylint: disable=import-outside-toplevel
        figure = memory_vs_size.draw(memory_vs_size.Points(str(self.write("a/in.csv", SWEEP.replace("200,100", "900,800"))),
                                                           None))
        for axes, capacity in zip(figure.axes, (900, 800)):
            self.assertGreater(axes.get_ylim()[1], capacity)

    def test_columns_are_drawn_in_words(self):
        sys.path.insert(0, str(PLOTS))
        import columns  # pylint: disable=import-outside-toplevel
        for column, label in (("compare.a30_tf32.seconds", "time on the A30 with TF32 (s)"),
                              ("workload.features", "features"), ("dense.graph.compute_sets", "compute sets of the dense layer"),
                              ("machine.exchange_bytes_per_cycle", "exchange (B/cycle)"),
                              ("work.gflops_per_second", "throughput (GFLOP/s)")):
            self.assertEqual(columns.label_of(column), label)

    def test_rates_of_codecs_are_drawn(self):
        table = RATES.replace("\\\n", "")
        drawn = self.assert_drawn("codec_rates.py", table)
        self.assertNotEqual(drawn, self.assert_drawn("codec_rates.py", table.replace("does_not_fit", "ok")))

    def test_losses_are_drawn_with_their_spread(self):
        both = self.assert_drawn("loss_curves.py", CURVES)
        self.assertNotEqual(both, self.assert_drawn("loss_curves.py", CURVES, "--codecs", "float8"))
        self.assert_refused("loss_curves.py", CURVES, "found 'half'", "--codecs", "half", out="refused.png")

    def test_scaling_is_drawn(self):
        self.assert_drawn("scaling.py", SCALING)

    def test_the_memory_study_is_drawn(self):
        self.assert_drawn("memory_study.py", STUDY)

    def test_the_memory_study_of_one_size_is_drawn(self):
        self.assert_drawn("memory_study.py", STUDY_HEADER + "naive,64,64,64,ok,a,3,10,20,1,200,60,50,10\n")

    def test_tables_that_do_not_do_are_refused_in_one_line(self):
        for script, table, part in (
            ("steps.py", None, "in.csv: No such file"),
            ("steps.py", "", "wanted a header and at least one row"),
            ("steps.py", "a,b\n1,2\n", "wanted the column name"),
            ("steps.py", STEPS.replace("500,20", "500,"), "mean_cycles: wanted a number, found ''"),
            ("steps.py", STEPS.replace("4000", "many"), "cycles: wanted a number, found 'many'"),
            ("steps.py", STEPS.replace("4000", ""), "cycles: wanted a number, found ''"),
            ("scaling.py", SCALING.replace("step.fill", "fill"), "wanted the column step.fill_seconds"),
            ("scaling.py", SCALING.replace("ok", "does_not_fit"), "wanted a point that fits, found none"),
            ("memory_vs_size.py", STEPS, "wanted the column status"),
            ("memory_vs_size.py", SWEEP_HEADER + "1,invalid: n,,,,,,,\n", "is ok or does_not_fit, found 0"),
            ("memory_vs_size.py", SWEEP_HEADER + "8,ok,2,200,100,40,60,10,75\n", "found 1"),
            ("skewed_matmul.py", SKEW.replace("workload.k", "k"), "wanted the column workload.k"),
            ("skewed_matmul.py", SKEW.replace("work.g", "g"), "wanted the column work.gflops_per_second"),
            ("skewed_matmul.py", SKEW.replace("a,4,1,float", "a,2,2,float"), "wanted each value once in a curve"),
            ("skewed_matmul.py", SKEW.replace("a,4,1,float", "a,4,0,float"), "wanted numbers above 0, found 4 and 0"),
            ("exchange.py", EXCHANGE.replace("status", "state"), "wanted the column status"),
            ("exchange.py", EXCHANGE.replace("time.s", "s"), "wanted the column time.seconds"),
            ("exchange.py", EXCHANGE.replace("1e-7", "0"), "wanted numbers above 0"),
            ("exchange.py", EXCHANGE.replace("ok", "failed: x").replace("does_not_fit", "failed: x"),
             "status is ok or does_not_fit, found none"),
            ("memory_study.py", STUDY.replace("graph.edges", "edges"), "wanted the column graph.edges"),
            ("memory_study.py", STUDY.replace(",300,", ",,"), "memory.total_bytes: wanted a number, found ''"),
            ("memory_study.py", STUDY.replace(",300,", ",0,"), "memory.total_bytes: wanted numbers above 0"),
            ("memory_vs_size.py", SWEEP + "2,ok,2,200,100,40,60,10,75\n", "wanted each value once"),
        ):
            with self.subTest(part=part):
                self.assert_refused(script, table, part)

    def test_a_column_that_is_not_there_is_refused(self):
        self.assert_refused("memory_vs_size.py", SWEEP, "wanted the column workload.z", "--x", "workload.z")

    def test_another_format_beside_a_figure_is_refused(self):
        steps = self.write("run/steps.csv", STEPS)
        done = self.run_script("steps.py", steps, self.folder / "a.png", "--format", "jpeg")
        self.assertIn("--format: wanted some of png, pdf and svg, found 'jpeg'", done.stderr)

    def test_a_figure_of_another_format_is_refused(self):
        self.assert_refused("steps.py", STEPS, "wanted a name that ends in .png, .pdf or .svg", out="out.jpeg")


if __name__ == "__main__":
    unittest.main()
