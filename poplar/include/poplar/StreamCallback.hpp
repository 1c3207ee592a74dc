// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace poplar {

/// The host's end of a stream, called while the program runs.
class StreamCallback {
 public:
  enum class Result { Success, NotAvailable };

  StreamCallback() = default;
  StreamCallback(const StreamCallback&) = default;
  StreamCallback& operator=(const StreamCallback&) = default;
  virtual ~StreamCallback() = default;

  /// May fill the buffer before the device asks for it.
  virtual Result prefetch(void* to) = 0;
  /// Fills the buffer, or takes what it holds.
  virtual void fetch(void* to) = 0;
  /// The transfer is done.
  virtual void complete() = 0;
  virtual void invalidatePrefetched() {}
};

/// A callback that is called once a transfer.
class LegacyStreamCallback : public StreamCallback {
 public:
  explicit LegacyStreamCallback(std::function<void(void*)> call) : call_(std::move(call)) {}
  Result prefetch(void*) override { return Result::NotAvailable; }
  void fetch(void* to) override { call_(to); }
  void complete() override {}

 private:
  std::function<void(void*)> call_;
};

/// Owns a callback that was made as an object or as a function.
class StreamCallbackHandle {
 public:
  StreamCallbackHandle() = default;
  template <typename Derived, typename = typename std::enable_if<
                                  std::is_base_of<StreamCallback, Derived>::value>::type>
  StreamCallbackHandle(std::unique_ptr<Derived> callback) : callback_(std::move(callback)) {}
  template <typename Function,
            typename = typename std::enable_if<
                !std::is_same<typename std::decay<Function>::type, StreamCallbackHandle>::value &&
                std::is_convertible<Function, std::function<void(void*)>>::value>::type,
            typename = void>
  StreamCallbackHandle(Function&& call)
      : callback_(new LegacyStreamCallback(std::forward<Function>(call))) {}

  /// Gives the callback away.
  StreamCallback* release() { return callback_.release(); }

 private:
  std::unique_ptr<StreamCallback> callback_;
};

}  // namespace poplar
