// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <systemc>
#include <variant>

#include "base/part.h"
#include "base/process/memory_cap.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/options/arguments.h"
#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

namespace {

constexpr std::size_t kMessageLength = 2000;
constexpr const char* kHowToReport =
    "a bug of ipusim: please report this line, the config and `ipusim --version`";

struct Dispatch {
  ExitCode operator()(const RunArguments& arguments) const { return runCommand(arguments); }
  ExitCode operator()(const CheckArguments& arguments) const { return checkCommand(arguments); }
  ExitCode operator()(const SweepArguments& arguments) const { return sweepCommand(arguments); }
  ExitCode operator()(const ExploreArguments& arguments) const { return exploreCommand(arguments); }
  ExitCode operator()(const MergeArguments& arguments) const { return mergeCommand(arguments); }
  ExitCode operator()(const ValidateArguments& arguments) const {
    return validateCommand(arguments);
  }
  ExitCode operator()(const CalibrateArguments& arguments) const {
    return calibrateCommand(arguments);
  }
  ExitCode operator()(const ReproduceArguments& arguments) const {
    return reproduceCommand(arguments);
  }
  ExitCode operator()(const DiffArguments& arguments) const { return diffCommand(arguments); }
  ExitCode operator()(const RedistributeArguments& arguments) const {
    return redistributeCommand(arguments);
  }
  ExitCode operator()(const TraceArguments& arguments) const { return traceCommand(arguments); }
  ExitCode operator()(const PoplarArguments& arguments) const { return poplarCommand(arguments); }
  ExitCode operator()(const ListArguments& arguments) const { return listCommand(arguments); }
  ExitCode operator()(const NewArguments& arguments) const { return newCommand(arguments); }
  ExitCode operator()(const ExplainArguments& arguments) const { return explainCommand(arguments); }
  ExitCode operator()(const HelpArguments& arguments) const {
    print(arguments.text);
    return ExitCode::Done;
  }
};

/// Lets the heap keep memory that is freed. A compilation frees and takes lists again and again,
/// and the system would clear their pages each time: a third of the time of a training step of
/// ResNet-50. Only lists so large that this costs little beside filling them are given back.
void keepFreedMemory() {
  constexpr int kLargeBytes = 1 << 27;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

/// A message repeats what a file says, of which there may be any amount.
std::string cut(std::string message) {
  if (message.size() <= kMessageLength) return message;
  std::size_t end = kMessageLength;
  const auto follows = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
  while (end > 0 && follows(message[end])) --end;  // not within a character
  message.resize(end);
  return message + "…";
}

/// Gives the command to the launcher, if that started this program: it builds the part and starts
/// the command again. What this run has written so far is a draft, and gone.
ExitCode continueWithPart(const PartAbsent& absent, char** argv) {
  const char* const launcher = std::getenv("IPUSIM_LAUNCHER");
  if (launcher != nullptr) {
    setenv("IPUSIM_WANTED_PART", absent.part(), 1);
    execv(launcher, argv);
  }
  say(
      fmt::format("ipusim: wanted a program with the part {0}, found one built without it; "
                  "`./ipusim build {0}` adds it to a tree",
                  absent.part()));
  return ExitCode::UserError;
}

/// All errors end here.
ExitCode guarded(int argc, char** argv) {
  try {
    return std::visit(Dispatch(), parseArguments(argc, argv));
  } catch (const PartAbsent& absent) {
    return continueWithPart(absent, argv);
  } catch (const ConfigError& error) {
    say(cut(error.what()));
    return ExitCode::UserError;
  } catch (const std::bad_alloc&) {
    say("ipusim: wanted sizes that take no more than the memory of this computer, found larger "
        "ones");
    return ExitCode::UserError;
  } catch (const CountError& error) {
    say(fmt::format("ipusim: wanted sizes that 64 bits count, found {}", error.what()));
    return ExitCode::UserError;
  } catch (const std::exception& error) {
    say(fmt::format("ipusim: {} ({})", oneLine(error.what(), kMessageLength), kHowToReport));
    return ExitCode::OurBug;
  }
}

}  // namespace

}  // namespace ipusim::cli

int sc_main(int argc, char* argv[]) {
  ipusim::cli::handleSignals();
  ipusim::cli::keepFreedMemory();
  std::optional<ipusim::MemoryCap> cap;
  if (const ipusim::Bytes free = ipusim::availableMemory(); free.value() > 0) cap.emplace(free);
  return static_cast<int>(ipusim::cli::guarded(argc, argv));
}

/// Replaces the main of libsystemc, which would print its banner first.
int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
