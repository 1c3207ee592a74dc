// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/simgrid/simgrid.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <simgrid/s4u.hpp>

#include "models/ipu/cost/exchange/ring_order.h"
#include "tests/support/sanitizer.h"

// The time of simultaneous flows, which is that of the fullest set of links, against SimGrid, which
// shares links between flows as they come and go. A process has one engine of SimGrid, so one test
// plays all flows.

namespace ipusim::interop {
namespace {

using models::Flow;
using Flows = std::vector<Flow>;

constexpr Bytes kLarge(64'000'000);

/// All exchanges of all-reduces over the system.
void addCollectives(const System& system, std::vector<Flows>& sets) {
  const std::vector<std::uint32_t> ipus = models::consecutiveIpus(0, system.ipus);
  for (const models::CollectiveMethod method : models::kCollectiveMethods) {
    const models::IpuRing ring = models::ringThrough(system, ipus, method);
    const models::Collective sum{models::CollectiveKind::AllReduce, method, system.ipus, kLarge,
                                 ring.mirror};
    for (const auto& moves : collectiveMoves(sum)) {
      sets.push_back(flowsOf(moves, sum, ring.ipus));
    }
  }
}

class RandomFlows {
 public:
  explicit RandomFlows(const System& system) : ipus_(system.ipus) {}

  /// Up to 20 flows between two IPUs.
  Flows onOneRoute() {
    const Flow first = flow();
    Flows flows{first};
    for (std::uint64_t f = random_() % 20; f > 0; --f) {
      flows.push_back({first.from, first.to, flow().bytes});
    }
    return flows;
  }
  /// Up to 50 flows of one size between any IPUs.
  Flows ofOneSize() {
    Flows flows = any();
    for (Flow& flow : flows) flow.bytes = flows.front().bytes;
    return flows;
  }
  Flows any() {
    Flows flows{flow()};
    for (std::uint64_t f = random_() % 50; f > 0; --f) flows.push_back(flow());
    return flows;
  }

 private:
  Flow flow() {
    const auto from = static_cast<std::uint32_t>(random_() % ipus_);
    const auto distance = static_cast<std::uint32_t>(1 + random_() % (ipus_ - 1));
    return {from, (from + distance) % ipus_, Bytes(1'000'000 + random_() % 100'000'000)};
  }

  std::uint32_t ipus_;
  std::mt19937_64 random_{1};
};

/// The seconds that SimGrid takes for each set of flows, one set after the other.
std::vector<double> playedBySimGrid(const System& system, const std::vector<Flows>& sets) {
  namespace sg = simgrid::s4u;
  const auto path = std::filesystem::temp_directory_path() / "ipusim_simgrid_test.xml";
  std::ofstream(path) << simGridPlatform(system);
  std::string name = "test";
  std::array<char*, 2> words = {name.data(), nullptr};
  int count = 1;
  sg::Engine engine(&count, words.data());
  // A link is shared by its flows alone, and is used in full.
  for (const char* option : {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
                             "surf/precision:1e-12", "maxmin/precision:1e-12"}) {
    sg::Engine::set_config(option);
  }
  engine.load_platform(path.string());
  const auto host = [&](std::uint32_t ipu) {
    return engine.host_by_name("ipu" + std::to_string(ipu));
  };
  std::vector<double> seconds;
  sg::Actor::create("player", host(0), [&] {
    for (const Flows& flows : sets) {
      const double begin = sg::Engine::get_clock();
      std::vector<sg::CommPtr> going;
      going.reserve(flows.size());
      for (const Flow& flow : flows) {
        going.push_back(sg::Comm::sendto_async(host(flow.from), host(flow.to), flow.bytes.value()));
      }
      for (const sg::CommPtr& one : going) one->wait();
      seconds.push_back(sg::Engine::get_clock() - begin);
    }
  });
  engine.run();
  std::filesystem::remove(path);
  return seconds;
}

// Flows of one size, and flows on one route, take the time of the fullest set of links. Any other
// flows take at least as long: a flow may wait for links that others leave later.
TEST(SimGrid, AgreesOnFlowsOfOneSizeAndOnFlowsOfOneRoute) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "SimGrid switches stacks behind its back";
  const System system = readSystem("pod64");
  std::vector<Flows> sets;
  addCollectives(system, sets);
  RandomFlows random(system);
  for (int i = 0; i < 100; ++i) sets.push_back(random.onOneRoute());
  for (int i = 0; i < 100; ++i) sets.push_back(random.ofOneSize());
  const std::size_t equal = sets.size();
  for (int i = 0; i < 100; ++i) sets.push_back(random.any());
  const std::vector<double> found = playedBySimGrid(system, sets);
  ASSERT_EQ(found.size(), sets.size());
  const models::Routes routes(system);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const double ours = models::linkSeconds(system, routes.loads(sets[s]));
    if (s < equal) {
      EXPECT_NEAR(found[s] / ours, 1, 1e-6) << "set " << s;
    } else {
      EXPECT_GE(found[s] / ours, 1 - 1e-6) << "set " << s;
    }
  }
}

}  // namespace
}  // namespace ipusim::interop
