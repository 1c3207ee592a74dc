// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/text/message.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/store_answer.h"
#include "sim/studies/sweep/store/merge.h"
#include "sim/studies/sweep/store/results_csv.h"

namespace ipusim::cli {

namespace {

/// Throws when a folder is to be read from and written to.
void expectElsewhere(const std::vector<std::filesystem::path>& folders, const std::string& out) {
  for (const std::filesystem::path& folder : folders) {
    std::error_code unreachable;
    if (!std::filesystem::equivalent(folder, out, unreachable)) continue;
    throw ConfigError("--out: wanted another folder than those to merge, found " + inQuotes(out));
  }
}

}  // namespace

ExitCode mergeCommand(const MergeArguments& arguments) {
  const std::vector<std::filesystem::path> folders(arguments.folders.begin(),
                                                   arguments.folders.end());
  expectElsewhere(folders, arguments.out);
  const sweep::SweepIdentity identity = sweep::commonIdentity(folders);
  const report::OutputFolder out(arguments.out);
  sweep::SweepStore store(out, identity);
  sweep::expectWhole(store);
  for (const std::filesystem::path& folder : folders) sweep::merge(folder, store);
  const sweep::Sweep sweep = sweep::sweepOf(identity);
  sweep::writeResults(out, sweep, store);
  return answer(out, sweep, store, {});
}

}  // namespace ipusim::cli
