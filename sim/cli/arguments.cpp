// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "base/message.h"
#include "sim/cli/argument_values.h"
#include "sim/cli/choices.h"
#include "sim/cli/command_line.h"
#include "sim/cli/completion.h"
#include "sim/cli/manual_page.h"
#include "sim/cli/terminal.h"
#include "sim/studies/reproduce/paper.h"

namespace ipusim::cli {

namespace {

/// How many threads this computer runs at once; one where it does not say.
std::uint64_t allCores() {
  return std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostJobs);
}

/// Reads the options of a command from their texts.
class ArgumentReader {
 public:
  explicit ArgumentReader(const CommandLine& line) : line_(line), texts_(line.texts()) {}

  Arguments read() {
    using Read = Arguments (ArgumentReader::*)();
    static const std::map<std::string, Read> kReaders = {
        {"run", &ArgumentReader::run},
        {"check", &ArgumentReader::check},
        {"sweep", &ArgumentReader::sweep},
        {"explore", &ArgumentReader::explore},
        {"merge", &ArgumentReader::merge},
        {"validate", &ArgumentReader::validate},
        {"calibrate", &ArgumentReader::calibrate},
        {"reproduce", &ArgumentReader::reproduce},
        {"trace", &ArgumentReader::trace},
        {"diff", &ArgumentReader::diff},
        {"redistribute", &ArgumentReader::redistribute},
        {"poplar", &ArgumentReader::poplar},
        {"list", &ArgumentReader::list},
        {"new", &ArgumentReader::newConfig},
        {"generate", &ArgumentReader::generate},
    };
    if (texts_.explain) return ExplainArguments{*texts_.explain, texts_.config, overrides()};
    return (this->*kReaders.at(line_.command()))();
  }

 private:
  template <typename Choice>
  Choice choose(const char* option, const std::string& name,
                const std::map<std::string, Choice>& choices) {
    const auto found = choices.find(name);
    if (found != choices.end()) return found->second;
    const std::vector<std::string> names = namesOf(choices);
    throw line_.wrong(fmt::format("{}: wanted one of {}{}, found {}", option,
                                  fmt::join(names, ", "), didYouMean(name, names), inQuotes(name)));
  }

  [[nodiscard]] std::vector<Override> overrides() const { return parseOverrides(texts_.overrides); }

  std::optional<Engine> engine() {
    if (!texts_.engine) return std::nullopt;
    return choose("--engine", *texts_.engine, engines());
  }
  Engine engine(Engine usual) { return engine().value_or(usual); }

  /// What `parse` makes of the text of an option, if the option is there.
  template <typename Value>
  std::optional<Value> value(const char* option, const std::optional<std::string>& text,
                             std::optional<Value> (*parse)(const std::string&),
                             const std::string& wanted) {
    if (!text) return std::nullopt;
    if (std::optional<Value> value = parse(*text)) return value;
    throw line_.wrong(fmt::format("{}: wanted {}, found {}", option, wanted, inQuotes(*text)));
  }

  explore::Shard shard() {
    const std::string wanted = fmt::format("I/N with I from 1 to N and N at most {}", kMostShards);
    return value("--shard", texts_.shard, shardIn, wanted).value_or(explore::Shard());
  }

  std::uint64_t jobs(std::uint64_t usual) {
    const std::string wanted = fmt::format("a whole number in [1, {}]", kMostJobs);
    return value("--jobs", texts_.jobs, jobsIn, wanted).value_or(usual);
  }

  std::optional<Bytes> maxMemory() {
    return value("--max-memory", texts_.max_memory, bytesIn, "a size as 4G or 512M");
  }

  run::HostLimits runLimits() {
    return {value("--max-time", texts_.max_time, secondsIn, "a duration as 30s, 10m or 2h"),
            maxMemory()};
  }
  std::optional<double> adviceSeconds() {
    if (texts_.no_advice) return std::nullopt;
    return value("--advice-time", texts_.advice_time, secondsIn, "a duration as 30s, 10m or 2h")
        .value_or(kUsualAdviceSeconds);
  }
  run::HostLimits pointLimits() {
    return {value("--timeout", texts_.timeout, plainSecondsIn, "a number of seconds above 0"),
            maxMemory()};
  }

  CacheArguments cache() {
    CacheArguments arguments;
    arguments.folder = texts_.cache;
    const char* usual = std::getenv("IPUSIM_CACHE");
    if (!arguments.folder && usual != nullptr && *usual != '\0') arguments.folder = usual;
    const auto bytes = value("--cache-size", texts_.cache_size, bytesIn, "a size as 4G or 512M");
    if (bytes) arguments.most_bytes = bytes->value();
    return arguments;
  }

  [[nodiscard]] Form form() const {
    if (texts_.markdown) return Form::Markdown;
    return texts_.json ? Form::Json : Form::Table;
  }

  run::TableOptions table() {
    run::TableOptions options;
    options.stats = texts_.stats ? run::Stats::With : run::Stats::Without;
    options.all = texts_.all;
    if (texts_.sort) options.order = choose("--sort", *texts_.sort, stepOrders());
    const std::string wanted =
        fmt::format("a whole number in [{}, {}]", run::kNarrowest, run::kWidest);
    options.width = value("--width", texts_.width, widthIn, wanted).value_or(tableColumns());
    options.colours = hasColours();
    return options;
  }

  std::vector<std::uint32_t> timelineTiles() {
    if (texts_.timeline_tiles && !texts_.timeline) {
      throw line_.wrong("--timeline-tiles: wanted --timeline beside it, found none");
    }
    return value("--timeline-tiles", texts_.timeline_tiles, tilesIn,
                 "numbers of tiles with commas between them")
        .value_or(std::vector<std::uint32_t>());
  }

  std::optional<std::string> vcd() {
    if (!texts_.vcd) return std::nullopt;
    const std::filesystem::path file = *texts_.vcd;
    if (file.extension() != ".vcd" || file.stem().empty()) {
      throw line_.wrong(
          fmt::format("--vcd: wanted a file that ends in .vcd, found {}", inQuotes(*texts_.vcd)));
    }
    if (engine() == Engine::ClosedForm) {
      throw line_.wrong(
          "--vcd: wanted --engine systemc, whose chip has signals, found closed-form");
    }
    return texts_.vcd;
  }

  std::vector<std::uint32_t> vcdTiles() {
    if (texts_.vcd_tiles && !texts_.vcd) {
      throw line_.wrong("--vcd-tiles: wanted --vcd beside it, found none");
    }
    return value("--vcd-tiles", texts_.vcd_tiles, tilesIn,
                 "numbers of tiles with commas between them")
        .value_or(std::vector<std::uint32_t>{0});
  }

  [[nodiscard]] StudyArguments study() {
    return {texts_.config, overrides(),   engine(Engine::ClosedForm),
            *texts_.out,   texts_.report, jobs(1),
            pointLimits(), cache()};
  }

  Arguments run() {
    return RunArguments{
        texts_.config,
        overrides(),
        engine(),
        form(),
        table(),
        texts_.every_chip ? run::SimulatedChips::Every : run::SimulatedChips::Distinct,
        texts_.out,
        texts_.report,
        texts_.timeline,
        timelineTiles(),
        vcd(),
        vcdTiles(),
        adviceSeconds(),
        runLimits(),
        cache()};
  }
  Arguments check() {
    const auto checking = texts_.strict ? checker::Checking::Strict : checker::Checking::Fast;
    return CheckArguments{
        texts_.config, overrides(), {checking, jobs(allCores())}, form(), runLimits()};
  }
  Arguments sweep() { return SweepArguments{study(), shard(), texts_.dry_run}; }
  Arguments explore() { return ExploreArguments{study()}; }
  Arguments merge() { return MergeArguments{texts_.folders, *texts_.out}; }
  Arguments validate() {
    return ValidateArguments{
        texts_.measurements, overrides(), engine(Engine::ClosedForm), form(), texts_.out,
        jobs(allCores()),    cache()};
  }
  Arguments calibrate() {
    return CalibrateArguments{texts_.config, overrides(), texts_.out, texts_.dry_run, cache()};
  }
  Arguments reproduce() {
    return ReproduceArguments{texts_.paper.value_or(reproduce::kUsualPaper),
                              texts_.items,
                              texts_.out.value_or(kUsualReproduction),
                              jobs(allCores()),
                              !texts_.no_plots,
                              cache()};
  }
  Arguments trace() {
    TraceArguments arguments = line_.trace().arguments();
    arguments.limits = runLimits();
    return arguments;
  }
  Arguments poplar() {
    PoplarArguments arguments = line_.poplar().arguments();
    if (auto* replay = std::get_if<PoplarReplayArguments>(&arguments.subcommand)) {
      replay->engine = engine(Engine::SystemC);
      replay->form = form();
      replay->limits = runLimits();
    }
    return arguments;
  }
  Arguments diff() {
    return DiffArguments{texts_.config,
                         texts_.other,
                         overrides(),
                         parseOverrides(texts_.overrides_of_a),
                         parseOverrides(texts_.overrides_of_b),
                         form(),
                         texts_.all,
                         texts_.report,
                         runLimits()};
  }
  Arguments redistribute() {
    return RedistributeArguments{texts_.config, overrides(), texts_.check, form(), runLimits()};
  }
  Arguments list() {
    const ListArguments arguments{choose("WHAT", texts_.listing, listings()), texts_.kind,
                                  texts_.simgrid};
    if (arguments.simgrid && arguments.what != Listing::Systems) {
      throw line_.wrong(
          fmt::format("--simgrid: wanted systems before it, found {}", inQuotes(texts_.listing)));
    }
    if (arguments.kind && arguments.what != Listing::Keys) {
      throw line_.wrong(
          fmt::format("KIND: wanted keys before it, found {}", inQuotes(texts_.listing)));
    }
    return arguments;
  }
  Arguments newConfig() { return NewArguments{*texts_.kind, texts_.file}; }
  Arguments generate() {
    switch (choose("WHAT", texts_.generated, generatedPages())) {
      case GeneratedPage::Bash:
        return HelpArguments{bashCompletion(line_.app())};
      case GeneratedPage::Man:
        return HelpArguments{manualPage(line_.app())};
      case GeneratedPage::Zsh:
        return HelpArguments{zshCompletion(line_.app())};
    }
    throw InternalError("no such page");
  }

  const CommandLine& line_;
  const OptionTexts& texts_;
};

}  // namespace

Arguments parseArguments(int argc, char** argv) {
  CommandLine line;
  if (std::optional<std::string> text = line.parse(argc, argv)) return HelpArguments{*text};
  return ArgumentReader(line).read();
}

}  // namespace ipusim::cli
