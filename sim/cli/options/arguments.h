// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/result.h"
#include "sim/execute/check.h"
#include "sim/report/text/table_options.h"
#include "sim/run/host_cost.h"
#include "sim/run/measure.h"
#include "sim/studies/sweep/processes/shard.h"

// The command line as plain data: one struct per subcommand.

namespace ipusim::cli {

/// The form in which a command prints its answer.
enum class Form : std::uint8_t { Table, Json, Markdown };

/// Where plans, schedules and results are kept between runs.
struct CacheArguments {
  std::optional<std::string> folder;  ///< none: they are not kept
  std::uint64_t most_bytes = 1'000'000'000;
};

struct RunArguments {
  std::string config;
  std::vector<Override> overrides;
  std::optional<Engine> engine;  ///< default: SystemC
  Form form = Form::Table;
  report::TableOptions table;
  run::SimulatedChips chips = run::SimulatedChips::Distinct;
  std::optional<std::string> out;             ///< a folder for the result files
  std::optional<std::string> report;          ///< a file for the report page
  std::optional<std::string> timeline;        ///< a file for the timeline
  std::vector<std::uint32_t> timeline_tiles;  ///< in it, besides those that it chooses
  std::optional<std::string> vcd;             ///< a file for the signals of tiles
  std::vector<std::uint32_t> vcd_tiles;       ///< in it
  /// What the search for advice may take, by estimate; none: no search.
  std::optional<double> advice_seconds;
  run::HostLimits limits;
  CacheArguments cache;
};

struct CheckArguments {
  std::string config;
  std::vector<Override> overrides;
  executor::CheckOptions options;
  Form form = Form::Table;
  run::HostLimits limits;
};

/// What the commands that run many points have in common.
struct StudyArguments {
  std::string config;
  std::vector<Override> overrides;
  Engine engine = Engine::ClosedForm;
  std::string out;
  std::optional<std::string> report;  ///< a file for the page of the points
  std::uint64_t jobs = 1;
  run::HostLimits limits;  ///< what a point may take
  CacheArguments cache;
};

struct SweepArguments : StudyArguments {
  sweep::Shard shard;    ///< the part of the sweep to compute
  bool dry_run = false;  ///< list the points and compute none
};

struct ExploreArguments : StudyArguments {};

struct MergeArguments {
  std::vector<std::string> folders;  ///< the folders of the parts of a sweep
  std::string out;
};

struct ValidateArguments {
  std::vector<std::string> files;  ///< measurement files; when empty, those of configs/measurements
  std::vector<Override> overrides;  ///< for all their runs
  Engine engine = Engine::ClosedForm;
  Form form = Form::Table;
  std::optional<std::string> spread;  ///< a file for the spread of each kind
  std::uint64_t jobs = 1;             ///< number of threads that compute runs
  CacheArguments cache;
};

struct CalibrateArguments {
  std::string file;
  std::vector<Override> overrides;
  /// A file to write in place of the one that the calibration names.
  std::optional<std::string> out;
  bool dry_run = false;  ///< write nothing
  CacheArguments cache;
};

struct ReproduceArguments {
  std::string paper;               ///< its manifest
  std::vector<std::string> items;  ///< none: all
  std::string out;
  std::uint64_t jobs = 1;
  bool plots = true;
  CacheArguments cache;
};

struct TraceRecordArguments {
  std::string config;
  std::vector<Override> overrides;
  std::string out;
};
struct TraceInfoArguments {
  std::string file;
  Form form = Form::Table;
};
struct TraceCheckArguments {
  std::string file;
};

struct TraceImportArguments {
  std::vector<std::string> files;  ///< profiles of one run, or a Chakra trace
  bool chakra = false;
  std::optional<std::string> machine;  ///< for a Chakra trace: the machine to build a program for
  std::string out;
};
struct TraceExportArguments {
  std::string program;  ///< a run config or a trace
  std::vector<Override> overrides;
  std::string out;
};
/// The programs of two traces. Or two results, where each side is a run config or a trace, which is
/// simulated, or a file with a result or a profile.
struct TraceDiffArguments {
  std::string a;
  std::string b;
  bool results = false;             ///< those of two traces, in place of their programs
  std::vector<Override> overrides;  ///< for the sides that are simulated
  Form form = Form::Table;
};
struct TraceTransformArguments {
  std::string file;
  std::string out;
  std::optional<std::uint64_t> tiles;
  bool half = false;
  std::optional<double> cycles_factor;
  std::string vertex;  ///< whose cycles are scaled; empty: those of all
};

/// `ipusim trace`.
struct TraceArguments {
  /// One alternative per subcommand.
  std::variant<TraceRecordArguments, TraceInfoArguments, TraceCheckArguments, TraceImportArguments,
               TraceExportArguments, TraceDiffArguments, TraceTransformArguments>
      subcommand;
  std::vector<Override> trace_limits;  ///< what a trace may hold
  run::HostLimits limits;
};

/// Compiles a program that is written for Poplar.
struct PoplarBuildArguments {
  std::vector<std::string> sources;
  std::optional<std::string> out;  ///< none: named like the first source
  std::vector<std::string> flags;  ///< of the compiler
};
/// Compiles such a program where it is not built yet, and runs it.
struct PoplarRunArguments {
  std::vector<std::string> sources;
  std::vector<std::string> flags;      ///< of the compiler
  std::vector<std::string> words;      ///< of the program
  std::optional<std::string> machine;  ///< the preset of a hardware device
  bool virtual_clock = false;
  std::optional<std::uint64_t> functional_steps;
  std::optional<std::string> profile;  ///< a file for the profiles of its engines
  std::optional<std::string> record;   ///< a file for the execution records of its engines
};
/// Plays the execution records of a file.
struct PoplarReplayArguments {
  std::string file;
  Engine engine = Engine::SystemC;
  Form form = Form::Table;
  run::HostLimits limits = {};
};

/// `ipusim poplar`.
struct PoplarArguments {
  std::variant<PoplarBuildArguments, PoplarRunArguments, PoplarReplayArguments> subcommand;
};

/// Two results: each side is a run config or a trace, which is simulated, a file with a result or a
/// profile, or a folder of `ipusim run --out`.
struct DiffArguments {
  std::string a;
  std::string b;
  std::vector<Override> overrides;       ///< for the sides that are simulated
  std::vector<Override> overrides_of_a;  ///< after these
  std::vector<Override> overrides_of_b;
  Form form = Form::Table;
  bool all = false;                   ///< every change in the table, and not the largest alone
  std::optional<std::string> report;  ///< a file for the page of both
  run::HostLimits limits;
};

struct RedistributeArguments {
  std::string config;
  std::vector<Override> overrides;
  bool check = false;  ///< execute the plans with numbers
  Form form = Form::Table;
  run::HostLimits limits = {};
};

enum class Listing : std::uint8_t { Machines, Systems, Gpus, Workloads, Codelets, Keys };

struct ListArguments {
  Listing what = Listing::Machines;
  std::optional<std::string> kind;     ///< the section whose keys are listed
  std::optional<std::string> simgrid;  ///< the system whose links are printed
};

struct NewArguments {
  std::string kind;
  std::optional<std::string> file;  ///< none: standard output
};

struct ExplainArguments {
  std::string key;
  std::string config;  ///< the config whose workload is meant; empty: that of any
  std::vector<Override> overrides;
};

/// What is made of the commands and options that there are.
enum class GeneratedPage : std::uint8_t { Bash, Man, Zsh };

/// Text that was asked for: help or version.
struct HelpArguments {
  std::string text;
};

using Arguments =
    std::variant<RunArguments, CheckArguments, SweepArguments, ExploreArguments, MergeArguments,
                 ValidateArguments, CalibrateArguments, ReproduceArguments, TraceArguments,
                 DiffArguments, RedistributeArguments, PoplarArguments, ListArguments, NewArguments,
                 ExplainArguments, HelpArguments>;

/// Throws ConfigError of one line for an invalid command line.
Arguments parseArguments(int argc, char** argv);

}  // namespace ipusim::cli
