// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/options/poplar_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text/message.h"
#include "sim/cli/help/help_texts.h"
#include "sim/cli/options/argument_values.h"

namespace ipusim::cli {

PoplarOptions::PoplarOptions(CLI::App& poplar) : poplar_(poplar) {
  poplar_.require_subcommand(1);
  poplar_.footer(kPoplarExamples);
  addBuild();
  addRun();
  addReplay();
}

void PoplarOptions::addBuild() {
  build_ = poplar_.add_subcommand("build", "Compile a program against the headers and libraries");
  build_->add_option("SRC", sources_, "sources in C++; words behind -- go to the compiler")
      ->required();
  build_
      ->add_option("-o,--out", out_,
                   "the program to write, the first source without its ending unless said")
      ->type_name("FILE");
  build_->footer(kPoplarExamples);
}

void PoplarOptions::addRun() {
  run_ = poplar_.add_subcommand("run", "Compile a program and run it in the current folder");
  run_->add_option("SRC", sources_,
                   "sources in C++, or a program that is built; words behind -- go to the program")
      ->required();
  addRepeated(*run_, "--flag", flags_, "a flag for the compiler, as --flag=-O3; may be repeated")
      .type_name("FLAG");
  run_->add_option("--machine", machine_,
                   "the machine of a hardware device, or the system of its IPUs; that of "
                   "IPUSIM_POPLAR_TARGET or gc200 unless said")
      ->type_name("NAME");
  run_->add_flag("--virtual-clock", virtual_clock_,
                 "the program's clocks go on by the modelled time of its runs");
  run_->add_option("--functional-steps", functional_steps_,
                   "iterations of a Repeat that are computed at most, all unless said")
      ->type_name("N");
  run_->add_option("--profile", profile_,
                   "a file for the profiles of its engines, JSON where it ends in .json")
      ->type_name("FILE");
  run_->add_option("--record", record_,
                   "a file for the execution records of its engines, which replay plays")
      ->type_name("FILE");
  run_->footer(kPoplarExamples);
}

void PoplarOptions::addReplay() {
  replay_ = poplar_.add_subcommand("replay", "Play the execution records of a program's engines");
  replay_->add_option("FILE", file_, "a file of `ipusim poplar run --record`")->required();
  engine_.addTo(*replay_, Engine::SystemC);
  json_.addTo(*replay_, "print an array of JSON in place of the tables");
  limits_.addTo(*replay_);
  replay_->footer(kPoplarExamples);
}

int PoplarOptions::takeBehindDashes(int argc, const char* const* argv) {
  if (argc < 2 || std::string_view(argv[1]) != "poplar") return argc;
  const auto* const end = argv + argc;
  const auto* const dashes =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  if (dashes == end) return argc;
  behind_dashes_.assign(dashes + 1, end);
  return static_cast<int>(dashes - argv);
}

Arguments PoplarOptions::arguments() const {
  if (run_->parsed()) return PoplarArguments{runArguments()};
  if (replay_->parsed()) {
    return PoplarArguments{
        PoplarReplayArguments{file_, engine_.engine(), json_.form(), limits_.limits()}};
  }
  return PoplarArguments{PoplarBuildArguments{sources_, out_, behind_dashes_}};
}

PoplarRunArguments PoplarOptions::runArguments() const {
  PoplarRunArguments arguments;
  arguments.sources = sources_;
  arguments.flags = flags_;
  arguments.words = behind_dashes_;
  arguments.machine = machine_;
  arguments.virtual_clock = virtual_clock_;
  arguments.profile = profile_;
  arguments.record = record_;
  if (!functional_steps_) return arguments;
  arguments.functional_steps = numberIn<std::uint64_t>(*functional_steps_);
  if (!arguments.functional_steps || *arguments.functional_steps == 0) {
    throw ConfigError(fmt::format(
        "ipusim poplar run: --functional-steps: wanted a whole number of at least 1, found {}",
        inQuotes(*functional_steps_)));
  }
  return arguments;
}

}  // namespace ipusim::cli
