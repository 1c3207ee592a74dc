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
    : options_(options), evaluate_(std::move(evaluate)), slots_(options.jobs) {
  check(options.jobs > 0, "a pool has a process");
}

void WorkerPool::compute(const PoolWork& work) {
  has_more_ = true;
  while (true) {
    const StopRequest stop_request = work.stop_request();
    if (stop_request == StopRequest::EndNow) return;
    if (stop_request == StopRequest::None) handOut(work);
    if (std::none_of(slots_.begin(), slots_.end(), isBusy)) return;
    waitForNews();
    for (WorkerSlot& slot : slots_) {
      if (isBusy(slot)) collect(slot, work);
    }
  }
}

void WorkerPool::handOut(const PoolWork& work) {
  for (WorkerSlot& slot : slots_) {
    if (isBusy(slot)) continue;
    const std::optional<std::uint64_t> point = has_more_ ? work.next(slot.last) : std::nullopt;
    has_more_ = point.has_value();
    if (!point) return;
    give(slot, *point);
  }
}

void WorkerPool::give(WorkerSlot& slot, std::uint64_t point) {
  if (!slot.worker || !slot.worker->give(point)) {
    slot.worker.reset();
    slot.worker = std::make_unique<Worker>(evaluate_, descriptors());
    check(slot.worker->give(point), "a new process takes a point");
  }
  slot.last = point;
  slot.begin = Clock::now();
}

std::vector<int> WorkerPool::descriptors() const {
  std::vector<int> descriptors;
  for (const WorkerSlot& slot : slots_) {
    if (slot.worker) descriptors.push_back(slot.worker->descriptor());
  }
  return descriptors;
}

void WorkerPool::waitForNews() const {
  std::vector<pollfd> news;
  for (const WorkerSlot& slot : slots_) {
    if (isBusy(slot)) news.push_back({slot.worker->descriptor(), POLLIN, 0});
  }
  poll(news.data(), news.size(), options_.max_memory ? kMemoryWaitMs : kLongestWaitMs);
}

void WorkerPool::collect(WorkerSlot& slot, const PoolWork& work) {
  const std::uint64_t point = *slot.worker->point();
  if (const std::optional<PointResult> result = slot.worker->receive()) {
    work.keep(point, *result);
  } else if (isLate(slot)) {
    work.keep(point, slot.worker->abandon(fmt::format("timeout: it took longer than {} s",
                                                      *options_.timeout_seconds)));
  } else if (isTooLarge(slot)) {
    work.keep(point, slot.worker->abandon(fmt::format("memory: it took more than {}",
                                                      report::bytesText(*options_.max_memory))));
  }
}

bool WorkerPool::isLate(const WorkerSlot& slot) const {
  if (!options_.timeout_seconds) return false;
  const std::chrono::duration<double> taken = Clock::now() - slot.begin;
  return taken.count() > *options_.timeout_seconds;
}

bool WorkerPool::isTooLarge(const WorkerSlot& slot) const {
  return options_.max_memory && residentMemory(slot.worker->process()) > *options_.max_memory;
}

}  // namespace ipusim::sweep
