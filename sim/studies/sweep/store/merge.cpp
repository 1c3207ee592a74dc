// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/merge.h"

#include <fmt/format.h>

#include "base/text/message.h"

namespace ipusim::sweep {

namespace fs = std::filesystem;

namespace {}  // namespace

void expectWhole(const SweepStore& store) {
  if (store.damaged().empty()) return;
  throw ConfigError(
      fmt::format("{}: wanted points as they were written, found {} damaged (point {}); ipusim "
                  "sweep or explore with that --out computes them again",
                  oneLine(store.path().string(), kPathLength), store.damaged().size(),
                  *store.damaged().begin()));
}

SweepIdentity commonIdentity(const std::vector<fs::path>& folders) {
  check(!folders.empty(), "a folder to merge");
  SweepIdentity common = SweepStore(folders.front()).identity();
  for (const fs::path& folder : folders) {
    const SweepIdentity other = SweepStore(folder).identity();
    if (other.program == common.program && other.config == common.config) continue;
    const char* what = other.program == common.program ? "sweep" : "build of ipusim";
    throw ConfigError(fmt::format("{}: wanted the {} of {}, found another",
                                  oneLine(folder.string(), kPathLength), what,
                                  oneLine(folders.front().string(), kPathLength)));
  }
  return common;
}

void merge(const fs::path& folder, SweepStore& into) {
  const SweepStore from(folder);
  expectWhole(from);
  const Sweep sweep = sweepOf(from.identity());
  Transaction transaction = into.transaction();
  from.forEach([&](std::uint64_t point, const PointResult& result) {
    const std::optional<PointResult> there = into.find(point);
    if (there && (there->status != Status::Failed || result.status == Status::Failed)) return;
    into.add(point, describePoint(sweep, point), result);
  });
  transaction.commit();
}

}  // namespace ipusim::sweep
