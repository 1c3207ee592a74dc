// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace poplar::detail {

/// An object that programs and the library hold together.
struct Shared {
  mutable std::atomic<std::size_t> references{1};
};

template <typename Object>
Object* retained(const Object* object) {
  ++object->references;
  return const_cast<Object*>(object);
}

template <typename Object>
void released(const Object* object) {
  if (--object->references == 0) delete object;
}

/// Holds a reference to an object that it does not change.
template <typename Object>
class Ref {
 public:
  Ref() = default;
  explicit Ref(const Object* object) : object_(object == nullptr ? nullptr : retained(object)) {}
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) released(object_);
  }

  /// Takes over a reference.
  static Ref taking(const Object* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }

  [[nodiscard]] const Object* get() const { return object_; }
  const Object& operator*() const { return *object_; }
  const Object* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  const Object* object_ = nullptr;
};

}  // namespace poplar::detail
