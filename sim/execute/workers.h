// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ipusim::checker {

/// Threads that share out pieces of work.
class Workers {
 public:
  /// `threads`, at least one, counts the thread that calls `forEach`. Fewer are used where the
  /// system does not give so many.
  explicit Workers(std::uint64_t threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] std::size_t threads() const { return threads_.size() + 1; }

  /// What is done with piece `index` on thread `thread`, which is less than threads().
  using Work = std::function<void(std::size_t index, std::size_t thread)>;

  /// Calls `work` for the indices 0, …, count - 1, on any thread and in any order. Throws what the
  /// call with the lowest index threw; those with a higher one may be left out then.
  void forEach(std::size_t count, const Work& work);

 private:
  void serve(std::size_t thread);
  void takeTurns(std::size_t thread);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begins_;
  std::condition_variable ends_;
  // Guarded by the mutex.
  const Work* work_ = nullptr;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  std::size_t running_ = 0;  ///< calls that have begun and not ended
  std::size_t failed_ = 0;   ///< the lowest index whose call threw
  std::exception_ptr failure_;
  bool stops_ = false;
};

}  // namespace ipusim::checker
