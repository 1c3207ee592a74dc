// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/campaign.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include "tests/fuzz/mutator.h"
#include "tests/support/sanitizer.h"

namespace ipusim::fuzz {

namespace {

constexpr int kFaultCode = 99;

/// What the reading process tells the waiting one, in memory that both share.
struct Report {
  std::uint64_t execution;
  std::array<char, 512> what;
};

Report& sharedReport() {
  void* memory =
      mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory to share");
  return *new (memory) Report{};
}

/// The kinds take turns. All seeds of a kind get mutated.
std::pair<const Kind&, Seed> inputOf(const std::vector<Kind>& kinds, const CampaignOptions& options,
                                     std::uint64_t execution) {
  constexpr std::uint64_t kApart = 0x9e3779b97f4a7c15;  // seeds of neighbours share no bits
  Mutator mutator((options.seed * kApart) ^ (execution * kApart * kApart));
  const Kind& kind = kinds[execution % kinds.size()];
  Seed seed = mutator.oneOf(kind.seeds);
  seed.bytes = mutator.mutate(seed.bytes, mutator.oneOf(kind.seeds).bytes);
  return {kind, std::move(seed)};
}

void limitMemory(std::uint64_t bytes) {
  if (kHasAddressSanitizer) return;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

/// Ends this process after `seconds` of computing. A busy computer may let it wait longer. 0: no
/// limit.
void limitTime(unsigned seconds) {
  constexpr unsigned kWait = 20;
  const itimerval limit{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(seconds * kWait);
}

[[noreturn]] void readFrom(std::uint64_t first, const std::vector<Kind>& kinds,
                           const CampaignOptions& options, Report& report) {
  limitMemory(options.bytes);
  for (report.execution = first; report.execution < options.executions; ++report.execution) {
    const auto [kind, seed] = inputOf(kinds, options, report.execution);
    limitTime(options.seconds);
    try {
      kind.read(seed);
    } catch (const std::exception& error) {
      std::strncpy(report.what.data(), error.what(), report.what.size() - 1);
      _exit(kFaultCode);
    }
    limitTime(0);
  }
  _exit(0);
}

std::string describe(int status, const Report& report, const CampaignOptions& options) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == kFaultCode) return report.what.data();
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM) {
    return "more than " + std::to_string(options.seconds) + " s";
  }
  return "signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

CampaignResult campaign(const std::vector<Kind>& kinds, const CampaignOptions& options) {
  CampaignResult result;
  Report& report = sharedReport();
  for (std::uint64_t e = 0; e < options.executions; ++e) {
    ++result.executions[kinds[e % kinds.size()].name];
  }
  for (std::uint64_t next = 0; next < options.executions; next = report.execution + 1) {
    report = {};
    const pid_t reader = fork();
    if (reader == 0) readFrom(next, kinds, options, report);
    int status = 0;
    waitpid(reader, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    const auto [kind, seed] = inputOf(kinds, options, report.execution);
    result.faults.push_back(
        {report.execution, kind.name, describe(status, report, options), seed.bytes});
  }
  munmap(&report, sizeof report);
  return result;
}

}  // namespace ipusim::fuzz
