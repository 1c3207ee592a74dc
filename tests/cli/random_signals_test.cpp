// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <random>
#include <utility>

#include "tests/cli/sweep_cli_test.h"

// Signals that come at any moment of a study: nothing is lost, and nothing is computed twice.

namespace ipusim::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kInterrupted = 130;
constexpr int kBySignal = 128;

/// A study that takes less than a second.
struct Study {
  std::string command;
  std::string file;        ///< that says what it does
  std::string store = "";  ///< below its folder
  std::string answer;      ///< the file that it writes at its end, below its folder
  std::vector<std::string> options = {};
};

class RandomSignals : public SweepCliTest {
 protected:
  /// 100 points, some of which do not fit or are invalid.
  [[nodiscard]] std::string points() const {
    (void)smallRun();
    return write("sweep.toml",
                 "run = \"run.toml\"\n[axes]\nworkload.elements = {from = 0, to = 59700, count = "
                 "50}\nworkload.type = [\"half\", \"none\"]\n");
  }
  [[nodiscard]] std::string space() const {
    (void)smallRun();
    return write("space.toml",
                 "run = \"run.toml\"\n[axes]\nworkload.elements = {from = 100, to = 30000, count = "
                 "50}\nworkload.type = [\"half\", \"float\"]\n[explore]\nminimize = "
                 "[\"time.seconds\"]\nmaximize = [\"workload.elements\"]\npopulation = 8\n"
                 "evaluations = 60\n");
  }
  [[nodiscard]] std::string paper() const {
    (void)points();
    (void)write("plot.sh", "#!/bin/sh\ncp \"$1\" \"$2\"\n");
    return write("paper.toml",
                 "title = \"T\"\nsource = \"S\"\n[items.figure_1]\ntitle = \"F\"\n"
                 "[items.figure_1.figures.copies]\ncaption = \"C\"\nplot = \"plot.sh\"\n"
                 "sweeps = [\"sweep.toml\"]\n");
  }

  /// Sends signals until `study` has heard so many: a few, or as many as IPUSIM_RANDOM_SIGNALS
  /// says. A study that ends before its signal begins anew in another folder.
  void interrupt(const Study& study) {
    const char* const wanted = std::getenv("IPUSIM_RANDOM_SIGNALS");
    const int signals = wanted == nullptr ? 3 : std::stoi(wanted);
    const auto begin = Clock::now();
    const Finished undisturbed = run(words(study, "whole"));
    ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed.err;
    const auto whole = Clock::now() - begin;
    while (heard_ < signals && !HasFailure()) {
      const auto [number, delay] = nextSignal(whole);
      IpusimProcess process(folder(), words(study, name_));
      std::this_thread::sleep_for(delay);
      process.signal(number);
      expectNothingLost(study, number, process.wait());
    }
    if (HasFailure()) return;
    EXPECT_EQ(run(words(study, name_)).exit_code, 0);
    expectWhole(study);
  }

 private:
  [[nodiscard]] std::vector<std::string> words(const Study& study, const std::string& name) const {
    std::vector<std::string> all{study.command, study.file, "--out", out(name), "--jobs", "1"};
    all.insert(all.end(), study.options.begin(), study.options.end());
    return all;
  }
  [[nodiscard]] std::map<std::int64_t, double> rows(const Study& study,
                                                    const std::string& name) const {
    if (!std::filesystem::exists(folder() / name / study.store / "sweep.sqlite")) return {};
    return stored(name + '/' + study.store);
  }

  std::pair<int, Clock::duration> nextSignal(Clock::duration longest) {
    constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
    const int number = kSignals[random_() % kSignals.size()];
    const auto ticks = static_cast<std::uint64_t>(longest.count());
    return {number, Clock::duration(random_() % ticks)};
  }

  void expectNothingLost(const Study& study, int number, const Finished& finished) {
    const auto after = rows(study, name_);
    for (const auto& [point, seconds] : before_) {
      ASSERT_EQ(after.count(point), 1U) << "lost " << point;
      EXPECT_EQ(after.at(point), seconds) << "computed again: " << point;
    }
    // A signal behind the answer finds nothing to interrupt.
    if (finished.exit_code == 0 || !finished.out.empty()) return beginAnew(study);
    if (finished.exit_code == kInterrupted) {
      ++heard_;
    } else {
      // The signal came before the program could hear of it.
      EXPECT_EQ(finished.exit_code, kBySignal + number) << finished.err;
      EXPECT_EQ(finished.err, "");
      EXPECT_EQ(after, before_);
    }
    before_ = after;
  }

  void beginAnew(const Study& study) {
    expectWhole(study);
    before_.clear();
    name_ = "out" + std::to_string(++folders_);
  }

  void expectWhole(const Study& study) const {
    EXPECT_EQ(rows(study, name_).size(), rows(study, "whole").size());
    EXPECT_EQ(textOf(folder() / name_ / study.answer), textOf(folder() / "whole" / study.answer));
  }

  std::mt19937_64 random_{1};
  int heard_ = 0;
  int folders_ = 0;
  std::string name_ = "out0";
  std::map<std::int64_t, double> before_;  ///< rows of the study in that folder
};

TEST_F(RandomSignals, CostASweepNothing) {
  interrupt({"sweep", points(), "", "results.csv"});
}

TEST_F(RandomSignals, CostASearchNothing) {
  interrupt({"explore", space(), "", "results.csv"});
}

TEST_F(RandomSignals, CostAReproductionNothing) {
  interrupt({"reproduce", paper(), "sweeps/sweep", "index.html", {"--no-plots"}});
}

}  // namespace
}  // namespace ipusim::cli
