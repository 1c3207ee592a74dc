// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "poplar/ArrayRef.hpp"

namespace poplar {

/// A function of the host that a program calls.
class HostCallback {
 public:
  HostCallback() = default;
  HostCallback(const HostCallback&) = default;
  HostCallback& operator=(const HostCallback&) = default;
  virtual ~HostCallback() = default;

  /// Each entry is the memory of an argument, whose elements are row-major in the type of the
  /// device. The memory is the library's, and is there until the call returns.
  virtual void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) = 0;
};

/// Owns a callback that was made as an object or as a function.
class HostCallbackHandle {
 public:
  HostCallbackHandle() = default;
  template <typename Derived,
            typename = typename std::enable_if<std::is_base_of<HostCallback, Derived>::value>::type>
  HostCallbackHandle(std::unique_ptr<Derived> callback) : callback_(std::move(callback)) {}
  template <typename Function,
            typename = typename std::enable_if<
                !std::is_same<typename std::decay<Function>::type, HostCallbackHandle>::value &&
                std::is_convertible<Function, std::function<void(ArrayRef<const void*>,
                                                                 ArrayRef<void*>)>>::value>::type,
            typename = void>
  HostCallbackHandle(Function&& call) : callback_(new Call(std::forward<Function>(call))) {}

  /// Gives the callback away.
  HostCallback* release() { return callback_.release(); }

 private:
  class Call : public HostCallback {
   public:
    explicit Call(std::function<void(ArrayRef<const void*>, ArrayRef<void*>)> call)
        : call_(std::move(call)) {}
    void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) override {
      call_(inputs, outputs);
    }

   private:
    std::function<void(ArrayRef<const void*>, ArrayRef<void*>)> call_;
  };

  std::unique_ptr<HostCallback> callback_;
};

}  // namespace poplar
