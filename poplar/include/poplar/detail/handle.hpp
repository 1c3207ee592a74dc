// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>

// The border to the library. No type of the standard library crosses it, so that one library serves
// programs with either layout of std::string.

namespace poplar {
namespace detail {

/// Characters that someone else holds; no zero at the end.
struct Text {
  const char* data;
  std::size_t size;
};

/// Takes characters from the library, piece by piece.
struct Sink {
  void* to;
  void (*append)(void* to, Text text);
};

inline Text textOf(const std::string& string) {
  return Text{string.data(), string.size()};
}

/// A sink that appends to a string.
inline Sink sinkTo(std::string& string) {
  return Sink{&string, [](void* to, Text text) {
                static_cast<std::string*>(to)->append(text.data, text.size);
              }};
}

/// Shares an object of the library, whose type `Data` has functions retain() and release().
template <typename Data>
class Handle {
 public:
  Handle() : data_(nullptr) {}
  /// Takes over a reference that the library gave away.
  explicit Handle(Data* data) : data_(data) {}
  Handle(const Handle& other) : data_(other.data_) {
    if (data_ != nullptr) retain(data_);
  }
  Handle(Handle&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
  Handle& operator=(Handle other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Handle() {
    if (data_ != nullptr) release(data_);
  }

  Data* get() const { return data_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  Data* data_;
};

}  // namespace detail
}  // namespace poplar
