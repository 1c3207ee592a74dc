// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ipusim/machine.h"
#include "models/gpu/machine.h"
#include "models/ipu/machine/system.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/help/key_listing.h"
#include "sim/cli/watch/terminal.h"
#include "sim/interop/simgrid/simgrid.h"
#include "sim/registry/registry.h"
#include "sim/report/text/quantity.h"
#include "workloads/sources/workload.h"
#include "workloads/vertices/table.h"

namespace ipusim::cli {

namespace {

struct Entry {
  std::string name;
  std::string summary;
};

std::vector<Entry> machines() {
  std::vector<Entry> entries;
  for (const std::string& name : presetNames()) {
    const Machine machine = readPreset(name);
    entries.push_back({name, fmt::format("{:>5} tiles of {:>6}, {}", machine.tiles,
                                         report::bytesText(machine.sram_per_tile),
                                         report::clockText(machine.clock_hz))});
  }
  return entries;
}

std::vector<Entry> systems() {
  std::vector<Entry> entries;
  for (const std::string& name : systemNames()) {
    const System system = readSystem(name);
    const std::string memory =
        system.ipu.streaming.ipus == 0
            ? "no streaming memory"
            : fmt::format("{} of streaming memory for {} IPUs",
                          report::bytesText(Bytes(system.ipu.streaming.bytes)),
                          system.ipu.streaming.ipus);
    entries.push_back({name, fmt::format("{:>5} x {}, {}", system.ipus, system.ipu.name, memory)});
  }
  return entries;
}

std::vector<Entry> gpus() {
  std::vector<Entry> entries;
  for (const std::string& name : gpu::presetNames()) {
    const gpu::Machine machine = gpu::readPreset(name);
    const std::uint64_t gibibytes = machine.memory.dram.value() >> 30U;
    entries.push_back({name, fmt::format("{:>5} multiprocessors, {} FP32, {} TF32, {} GiB, {}",
                                         machine.sms, report::rateText(machine.fp32Peak()),
                                         report::rateText(machine.tf32Peak()), gibibytes,
                                         report::clockText(machine.clock_hz))});
  }
  return entries;
}

template <typename Kinds>
std::vector<Entry> entriesOf(const Kinds& kinds) {
  std::vector<Entry> entries;
  entries.reserve(kinds.size());
  for (const auto& kind : kinds) {
    entries.push_back({std::string(kind.name), std::string(kind.summary)});
  }
  return entries;
}

std::vector<Entry> entriesOf(Listing what) {
  switch (what) {
    case Listing::Machines:
      return machines();
    case Listing::Systems:
      return systems();
    case Listing::Gpus:
      return gpus();
    case Listing::Workloads:
      return entriesOf(registry::workloadKinds());
    case Listing::Codelets:
      return entriesOf(workloads::vertexTable());
    case Listing::Keys:
      break;  // keyListing() lists them
  }
  throw InternalError("no such listing");
}

}  // namespace

ExitCode listCommand(const ListArguments& arguments) {
  if (arguments.simgrid) {
    print(interop::simGridPlatform(readSystem(*arguments.simgrid)));
    return ExitCode::Done;
  }
  if (arguments.what == Listing::Keys) {
    print(keyListing(arguments.kind));
    return ExitCode::Done;
  }
  const std::vector<Entry> entries = entriesOf(arguments.what);
  std::size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  std::string answer;
  for (const Entry& entry : entries) {
    answer += fmt::format("{:<{}}  {}\n", entry.name, width, entry.summary);
  }
  print(answer);
  return ExitCode::Done;
}

}  // namespace ipusim::cli
