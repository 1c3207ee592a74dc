// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/processes/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <utility>

#include "base/process/process_memory.h"
#include "ipusim/error.h"
#include "sim/report/text/quantity.h"

namespace ipusim::sweep {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLongestWaitMs = 100;
/// A process that fills memory at 2 GB/s goes 20 MB past its limit meanwhile.
constexpr int kMemoryWaitMs = 10;

}  // namespace

WorkerPool::WorkerPool(const PoolOptions& options, Evaluate evaluate)
    : options_(options), evaluate_(std::move(evaluate)), seats_(options.jobs) {
  check(options.jobs > 0, "a pool has a process");
}

void WorkerPool::compute(const PoolWork& work) {
  has_more_ = true;
  while (true) {
    const StopRequest stop_request = work.stop_request();
    if (stop_request == StopRequest::EndNow) return;
    if (stop_request == StopRequest::None) handOut(work);
    if (std::none_of(seats_.begin(), seats_.end(), isBusy)) return;
    waitForNews();
    for (Seat& seat : seats_) {
      if (isBusy(seat)) collect(seat, work);
    }
  }
}

void WorkerPool::handOut(const PoolWork& work) {
  for (Seat& seat : seats_) {
    if (isBusy(seat)) continue;
    const std::optional<std::uint64_t> point = has_more_ ? work.next(seat.last) : std::nullopt;
    has_more_ = point.has_value();
    if (!point) return;
    give(seat, *point);
  }
}

void WorkerPool::give(Seat& seat, std::uint64_t point) {
  if (!seat.worker || !seat.worker->give(point)) {
    seat.worker.reset();
    seat.worker = std::make_unique<Worker>(evaluate_, descriptors());
    check(seat.worker->give(point), "a new process takes a point");
  }
  seat.last = point;
  seat.begin = Clock::now();
}

std::vector<int> WorkerPool::descriptors() const {
  std::vector<int> descriptors;
  for (const Seat& seat : seats_) {
    if (seat.worker) descriptors.push_back(seat.worker->descriptor());
  }
  return descriptors;
}

void WorkerPool::waitForNews() const {
  std::vector<pollfd> news;
  for (const Seat& seat : seats_) {
    if (isBusy(seat)) news.push_back({seat.worker->descriptor(), POLLIN, 0});
  }
  poll(news.data(), news.size(), options_.max_memory ? kMemoryWaitMs : kLongestWaitMs);
}

void WorkerPool::collect(Seat& seat, const PoolWork& work) {
  const std::uint64_t point = *seat.worker->point();
  if (const std::optional<PointResult> result = seat.worker->receive()) {
    work.keep(point, *result);
  } else if (isLate(seat)) {
    work.keep(point, seat.worker->abandon(fmt::format("timeout: it took longer than {} s",
                                                      *options_.timeout_seconds)));
  } else if (isTooLarge(seat)) {
    work.keep(point, seat.worker->abandon(fmt::format("memory: it took more than {}",
                                                      report::bytesText(*options_.max_memory))));
  }
}

bool WorkerPool::isLate(const Seat& seat) const {
  if (!options_.timeout_seconds) return false;
  const std::chrono::duration<double> taken = Clock::now() - seat.begin;
  return taken.count() > *options_.timeout_seconds;
}

bool WorkerPool::isTooLarge(const Seat& seat) const {
  return options_.max_memory && residentMemory(seat.worker->process()) > *options_.max_memory;
}

}  // namespace ipusim::sweep
