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

namespace ipusim {

/// Threads that share pieces of work.
class Workers {
 public:
  /// `threads` is at least one and includes the thread that calls `forEach`. There are fewer where
  /// the system does not give so many.
  explicit Workers(std::uint64_t threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] std::size_t threads() const { return threads_.size() + 1; }

  /// Does the work of piece `index` on thread `thread`, which is less than threads().
  using Work = std::function<void(std::size_t index, std::size_t thread)>;

  /// How many pieces a thread takes at a time. One suits pieces that take long.
  enum class Share : std::uint8_t { Several, One };

  /// Calls `work` for the indices 0, …, count - 1, on any thread and in any order. When calls
  /// throw, throws the exception of the call with the lowest index; calls with a higher index may
  /// then be left out.
  void forEach(std::size_t count, const Work& work, Share share = Share::Several);

 private:
  void serve(std::size_t thread);
  void takeTurns(std::size_t thread);
  [[nodiscard]] std::size_t shareOf(std::size_t left) const;

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begins_;
  std::condition_variable ends_;
  // The mutex guards the members from here on.
  const Work* work_ = nullptr;
  Share share_ = Share::Several;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  std::size_t running_ = 0;  ///< calls that have begun and not ended
  std::size_t failed_ = 0;   ///< the lowest index whose call threw
  std::exception_ptr failure_;
  bool stops_ = false;
};

}  // namespace ipusim
