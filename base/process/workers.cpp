// SPDX-License-Identifier: Apache-2.0
#include "base/process/workers.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/error_boundary.h"
#include "base/process/signals.h"

namespace ipusim {

Workers::Workers(std::uint64_t threads) {
  threads_.reserve(threads);
  // Where the system gives no more threads or memory, the threads that exist do the work.
  static_cast<void>(faultOf<std::exception>([&] {
    for (std::uint64_t t = 1; t < threads; ++t) threads_.emplace_back([this, t] { serve(t); });
  }));
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  begins_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::forEach(std::size_t count, const Work& work, Share share) {
  if (threads_.empty() || count < 2) {
    for (std::size_t i = 0; i < count; ++i) work(i, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    share_ = share;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
  }
  begins_.notify_all();
  takeTurns(0);
  std::unique_lock lock(mutex_);
  ends_.wait(lock, [this] { return running_ == 0; });
  work_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// How many of the pieces that are left a thread takes. Several are few enough to even out at the
/// end, and enough that threads seldom meet.
std::size_t Workers::shareOf(std::size_t left) const {
  if (share_ == Share::One) return 1;
  return std::max<std::size_t>(1, left / (8 * threads()));
}

void Workers::serve(std::size_t thread) {
  leaveSignalsToOthers();
  std::unique_lock lock(mutex_);
  while (!stops_) {
    begins_.wait(lock, [this] { return stops_ || (work_ != nullptr && next_ < count_); });
    lock.unlock();
    takeTurns(thread);
    lock.lock();
  }
}

/// Hands out calls by rising index. When a call fails, all calls with a lower index have therefore
/// begun, and they run to their end.
void Workers::takeTurns(std::size_t thread) {
  std::unique_lock lock(mutex_);
  while (next_ < count_) {
    const Work& work = *work_;
    const std::size_t first = next_;
    const std::size_t taken = shareOf(count_ - next_);
    next_ += taken;
    ++running_;
    lock.unlock();
    std::size_t i = first;
    const std::exception_ptr failure = failureOf([&] {
      for (; i < first + taken; ++i) work(i, thread);
    });
    lock.lock();
    --running_;
    if (!failure) continue;
    if (!failure_ || i < failed_) {
      failure_ = failure;
      failed_ = i;
    }
    next_ = count_;
  }
  if (running_ == 0) ends_.notify_all();
}

}  // namespace ipusim
