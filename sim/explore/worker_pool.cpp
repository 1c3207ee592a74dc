// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "sim/base/error.h"

namespace ipusim::explore {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLongestWaitMs = 100;

class Pool {
 public:
  Pool(const PoolOptions& options, const PoolWork& work)
      : options_(options),
        work_(work),
        seats_(std::min<std::uint64_t>(options.jobs, work.points.size())) {}

  void run() {
    while (true) {
      const Wish wish = work_.wish();
      if (wish == Wish::EndNow) return;
      if (wish == Wish::GoOn) handOut();
      if (std::none_of(seats_.begin(), seats_.end(), isBusy)) return;
      waitForNews();
      for (Seat& seat : seats_) {
        if (isBusy(seat)) collect(seat);
      }
    }
  }

 private:
  struct Seat {
    std::unique_ptr<Worker> worker;
    Clock::time_point begin;
  };

  static bool isBusy(const Seat& seat) { return seat.worker && seat.worker->point(); }

  void handOut() {
    for (Seat& seat : seats_) {
      if (next_ == work_.points.size()) return;
      if (isBusy(seat)) continue;
      const std::uint64_t point = work_.points[next_++];
      if (!seat.worker || !seat.worker->give(point)) {
        seat.worker.reset();
        seat.worker = std::make_unique<Worker>(work_.evaluate, descriptors());
        check(seat.worker->give(point), "a new process takes a point");
      }
      seat.begin = Clock::now();
    }
  }

  [[nodiscard]] std::vector<int> descriptors() const {
    std::vector<int> descriptors;
    for (const Seat& seat : seats_) {
      if (seat.worker) descriptors.push_back(seat.worker->descriptor());
    }
    return descriptors;
  }

  void waitForNews() const {
    std::vector<pollfd> news;
    for (const Seat& seat : seats_) {
      if (isBusy(seat)) news.push_back({seat.worker->descriptor(), POLLIN, 0});
    }
    poll(news.data(), news.size(), kLongestWaitMs);
  }

  void collect(Seat& seat) {
    const std::uint64_t point = *seat.worker->point();
    if (const std::optional<PointResult> result = seat.worker->receive()) {
      work_.keep(point, *result);
    } else if (isLate(seat)) {
      work_.keep(point, seat.worker->abandon(fmt::format("timeout: it took longer than {} s",
                                                         *options_.timeout_seconds)));
    }
  }

  [[nodiscard]] bool isLate(const Seat& seat) const {
    if (!options_.timeout_seconds) return false;
    const std::chrono::duration<double> taken = Clock::now() - seat.begin;
    return taken.count() > *options_.timeout_seconds;
  }

  const PoolOptions& options_;
  const PoolWork& work_;
  std::vector<Seat> seats_;
  std::size_t next_ = 0;
};

}  // namespace

void computeInProcesses(const PoolOptions& options, const PoolWork& work) {
  check(options.jobs > 0, "a pool has a process");
  Pool(options, work).run();
}

}  // namespace ipusim::explore
