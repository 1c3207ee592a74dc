// SPDX-License-Identifier: Apache-2.0
#pragma once

// What --help prints besides the options.

namespace ipusim::cli {

inline constexpr const char* kAbout =
    "Predicts whether a program fits a Graphcore IPU, how many compute sets it takes and how long "
    "it runs, without an IPU.";

inline constexpr const char* kExamples = R"(Examples:
  ipusim run configs/runs/quickstart.toml
  ipusim run configs/runs/quickstart.toml --set workload.m=512 --set machine=bow --json
  ipusim check configs/runs/quickstart.toml --set workload.m=64
  ipusim sweep configs/sweeps/matmul_columns.toml --out results/matmul_columns
  ipusim validate
  ipusim calibrate configs/calibrations/a30.toml --dry-run
  ipusim reproduce
  ipusim list workloads
  ipusim new matmul my_run.toml

Exit codes: 0 done, 1 a check found wrong numbers, 2 something to mend in a config or on the
command line, 70 a bug of ipusim, 130 interrupted.)";

inline constexpr const char* kRunExamples = R"(Examples:
  ipusim run configs/runs/quickstart.toml
  ipusim run configs/runs/quickstart.toml --set machine.tiles=736
  ipusim run configs/runs/quickstart.toml --json --engine closed-form
  ipusim run configs/runs/quickstart.toml --out results/quickstart
      writes result.json, steps.csv, tiles.csv, variables.csv and liveness.csv
  ipusim run configs/runs/pixelfly.toml --set workload.batch=100000 --max-time 2m --max-memory 4G
      ends in one line where it would take more of this computer
  ipusim run configs/gpu_runs/product.toml --out results/product
      a run of a GPU alone: writes result.json
  ipusim run configs/parallel/mlp_pipeline.toml --set parallel.replicas=4
      training on several IPUs: stages, replicas and what limits scaling)";

inline constexpr const char* kCheckExamples = R"(Examples:
  ipusim check configs/runs/quickstart.toml --set workload.m=64
  ipusim check configs/runs/quickstart.toml --jobs 1
  ipusim check configs/runs/butterfly.toml --set workload.features=64 --strict)";

inline constexpr const char* kSweepExamples = R"(Examples:
  ipusim sweep configs/sweeps/matmul_columns.toml --out results/matmul_columns
      computes each point once into sweep.sqlite, then writes results.csv, one row per point;
      the same command goes on where one was interrupted or killed
  ipusim sweep configs/sweeps/memory_study.toml --out results/memory --jobs 2 --timeout 600
  ipusim sweep configs/sweeps/memory_study.toml --out results/memory --dry-run

A point that does not fit, whose config is wrong, or whose process crashes or goes over a limit is a
row that says so. Ctrl-C lets the points that are being computed finish; a second one does not.)";

inline constexpr const char* kExploreExamples = R"(Examples:
  ipusim explore configs/sweeps/chip_design.toml --out results/design --jobs 2

The file is that of a sweep, with a table that says what to search for:
  [explore]
  minimize = ["time.seconds", "machine.total_sram_bytes"]   keys of the result, or axes
  maximize = []
  constraints = ["fits", "machine.tiles <= 1000"]           default: the program fits
  algorithm = "nsga2"                                       or moead, random, bisect
  population = 40
  evaluations = 400                                         points that the search may look at
  seed = 1

The store is that of `ipusim sweep` with this file and folder: both share their points. The search
writes results.csv, pareto.csv, hypervolume.csv (one row per generation) and sensitivity.csv (what
moving one axis does around the best points). In a range {from, to} without a count the search takes
any whole number or, between real ends, any thousandth.

Where one axis of numbers is the only one and the only objective, as in
  minimize = []
  maximize = ["workload.batch"]
the search halves its range: 12 points find the largest of 4,095 batches that fits.)";

inline constexpr const char* kDiffExamples = R"(Examples:
  ipusim diff configs/runs/matmul.toml configs/runs/matmul_linear.toml
  ipusim diff configs/runs/matmul.toml configs/runs/matmul.toml --set-b workload.n=512
  ipusim diff results/before results/after)";

inline constexpr const char* kMergeExamples = R"(Example:
  ipusim sweep configs/sweeps/memory_study.toml --out results/part1 --shard 1/2
  ipusim sweep configs/sweeps/memory_study.toml --out results/part2 --shard 2/2
  ipusim merge results/part1 results/part2 --out results/memory

A part may be missing or incomplete. The command of the sweep computes the rest when it has --out
results/memory and no --shard.)";

inline constexpr const char* kValidateExamples = R"(Examples:
  ipusim validate
  ipusim validate --measurements mine.csv --json
  ipusim validate --markdown
      the tables of docs/accuracy.md
  ipusim validate --spread configs/spread.toml
      writes the spreads that the bands of predictions use

A file of measurements is CSV with the columns id, machine, kind, config, metric, value, unit,
role, source, locator and note:
  config  a run config with overrides: configs/runs/matmul.toml;workload.n=256
          a brace list, workload.n={256,512}, makes a set of runs, the best of which counts
          (a cell with commas must be in quotes)
  metric  a path into the object of `ipusim run --json`: time.cycles, work.gflops_per_second,
          or A / B, or ratio(METRIC | key=value) for a speed-up over another run,
          or A where B < NUMBER: the smallest value of A counts among the runs of the set in
          which the path B is below the number
  role    calibrate, validate or constant

Status of a row: ok, does_not_fit, not_expressible (this version knows no such workload, key,
value or metric), failed (a bug of ipusim).)";

inline constexpr const char* kCalibrateExamples = R"(Examples:
  ipusim calibrate configs/calibrations/a30.toml --dry-run
  ipusim calibrate configs/calibrations/a30.toml
      writes configs/calibrations/fitted/a30.toml, which the preset includes
  ipusim calibrate configs/calibrations/a30.toml --set constants.fp32_tile_base.start=1.2 --dry-run

Only rows with the role calibrate are read. A fit is refused when the rows cannot tell its
constants apart.)";

inline constexpr const char* kReproduceExamples = R"(Examples:
  ipusim reproduce
      the tables and figures of arXiv 2309.08946; the page is results/reproduce/index.html
  ipusim reproduce --item table_2 --item figure_3 --out results/some
  ipusim reproduce my_paper.toml --no-plots

All that is computed is kept in the folder: the same command goes on where one was interrupted, and
computes nothing twice. Figures are drawn anew. A miss is a published number that has no prediction,
or one that is off by more than 30 %.)";

inline constexpr const char* kRedistributeExamples = R"(Examples:
  ipusim redistribute configs/redistributions/pod16.toml
  ipusim redistribute configs/redistributions/pod16.toml --set machine=pod64
  ipusim redistribute configs/redistributions/tiles.toml --check
  ipusim redistribute configs/redistributions/random.toml --json

Prints, for each way of planning, its exchanges, what a device receives and holds, and the time.)";

inline constexpr const char* kTraceExamples = R"(Examples:
  ipusim trace record configs/runs/quickstart.toml -o quickstart.ipt.zst
  ipusim trace info quickstart.ipt.zst
  ipusim trace check mine.ipt
  ipusim trace diff mine.ipt quickstart.ipt.zst
  ipusim trace transform mine.ipt --scale-cycles 0.5 -o faster.ipt
  ipusim trace import graph.json execution.json -o recorded.json
  ipusim trace diff recorded.json configs/runs/quickstart.toml
  ipusim trace export --chakra configs/runs/quickstart.toml -o quickstart.chakra.json

`ipusim run mine.ipt` runs one on the machine that it was made for. So does a run config with
[workload] kind = "trace" and file = "mine.ipt", on any machine.)";

inline constexpr const char* kPoplarExamples = R"(Examples:
  ipusim poplar run program.cpp
  ipusim poplar run program.cpp --machine bow --profile profile.txt -- --rows 100
  ipusim poplar run program.cpp --flag=-lboost_program_options --virtual-clock
  ipusim poplar build program.cpp help.cpp -o program -- -std=c++20 -Wall
  ipusim poplar run program.cpp --record program.rec
  ipusim poplar replay program.rec --engine closed-form

A program finds its codelets as it names them: from the folder in which it is started. Codelets need
clang 16. The exit code of run is that of the program.)";

inline constexpr const char* kListExamples = R"(Examples:
  ipusim list machines
  ipusim list keys matmul
  ipusim list systems --simgrid pod16)";

inline constexpr const char* kNewExamples = R"(Examples:
  ipusim new matmul
  ipusim new sweep_file my_sweep.toml

The keys, their defaults and ranges are those of the reference of configs. `ipusim list keys` names
its sections.)";

inline constexpr const char* kGenerateExamples = R"(Examples:
  ipusim generate man > ipusim.1
  source <(ipusim generate bash)

An installed ipusim has all of them in the folders where man and the shells look.)";

}  // namespace ipusim::cli
