// SPDX-License-Identifier: Apache-2.0
#include "tests/accuracy/command_cost.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sim/registry/registry.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

namespace {

double secondsOf(const timeval& time) {
  constexpr double kMicro = 1e-6;
  return static_cast<double>(time.tv_sec) + kMicro * static_cast<double>(time.tv_usec);
}

ConfigReader configOf(const CommandWords& command) {
  std::vector<std::string> overrides;  // each behind a --set
  for (std::size_t i = 3; i < command.size(); i += 2) overrides.push_back(command[i]);
  return ConfigReader::fromFile(command.at(1), parseOverrides(overrides));
}

/// The costs of the graphs of a workload: the time of all, and the memory of those that are held.
class GraphCosts {
 public:
  GraphCosts(const System& system, bool executes)
      : ipus_(system.ipus), tiles_(system.tiles()), executes_(executes) {}

  [[nodiscard]] HostCost of(const workloads::LeastSize& least) const {
    return costOf(leastWork(least, tiles_, ipus_));
  }
  [[nodiscard]] HostCost of(workloads::BuiltWorkload built) const {
    if (!built.separate.empty()) return ofLayers(built.separate);
    HostWork work = workOf(built);
    if (built.dense) {
      workloads::BuiltWorkload dense = built.dense();
      work = work + withoutExecution(workOf(dense));
    }
    return costOf(work);
  }

 private:
  [[nodiscard]] HostWork workOf(workloads::BuiltWorkload& built) const {
    built.graph.program().add(std::move(built.program));
    return hostWork(built.graph, tiles_, ipus_);
  }
  [[nodiscard]] HostCost costOf(const HostWork& work) const {
    const HostCost cost = hostCost(work, Engine::ClosedForm);
    return executes_ ? cost + executionCost(work, 1) : cost;
  }
  [[nodiscard]] HostCost ofLayers(const std::vector<workloads::SeparateProgram>& layers) const {
    HostCost all;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      if (layers[l].equal_to != l) continue;
      const HostCost one = of(layers[l].build());
      all = {all.seconds + one.seconds, std::max(all.memory, one.memory)};
    }
    return all;
  }

  std::uint32_t ipus_;
  std::uint32_t tiles_;  // of all IPUs
  bool executes_;
};

/// Makes this process the program. Returns only when there is none.
void become(CommandWords command) {
  unsetenv("IPUSIM_CACHE");
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  if (command.front() == "run") {
    command.insert(command.end(), {"--no-advice", "--engine", "closed-form"});
  }
  command.insert(command.begin(), IPUSIM_PROGRAM);
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execv(IPUSIM_PROGRAM, words.data());
}

}  // namespace

HostCost estimatedCost(const CommandWords& command) {
  constexpr double kLong = 4;  // seconds
  const ConfigReader config = configOf(command);
  const ConfigReader workload = config.table("workload");
  const System system = readSystem(config);
  const GraphCosts costs(system, command.front() == "check");
  const HostCost least = costs.of(registry::leastSize(workload, system));
  return least.seconds > kLong ? least : costs.of(registry::buildWorkload(workload, system));
}

HostCost measuredCost(const CommandWords& command) {
  const pid_t process = fork();
  if (process == 0) {
    become(command);
    _exit(1);
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(wait4(process, &status, 0, &usage), process);
  EXPECT_EQ(status, 0);
  constexpr std::uint64_t kKibibyte = 1024;
  return {secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime),
          Bytes(static_cast<std::uint64_t>(usage.ru_maxrss) * kKibibyte)};
}

}  // namespace ipusim::run
