// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <vector>

namespace poplar {

/// A view of elements that follow one another. It holds no elements, so use it as a parameter only.
/// A list of numbers in braces is the exception: its numbers are kept, because programs hold such
/// views beyond the life of the list.
template <typename T>
class ArrayRef {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using const_iterator = const T*;
  using iterator = const T*;

  constexpr ArrayRef() : data_(nullptr), size_(0) {}
  /// A template, so that `{0, n}` is a list of numbers and not a null pointer.
  template <typename Pointer,
            typename = typename std::enable_if<std::is_convertible<Pointer, const T*>::value &&
                                               std::is_pointer<Pointer>::value>::type>
  constexpr ArrayRef(Pointer first, std::size_t size) : data_(first), size_(size) {}
  template <typename Allocator>
  ArrayRef(const std::vector<T, Allocator>& elements)
      : data_(elements.data()), size_(elements.size()) {}
  template <std::size_t N>
  constexpr ArrayRef(const std::array<T, N>& elements) : data_(elements.data()), size_(N) {}
  template <std::size_t N>
  constexpr ArrayRef(const T (&elements)[N]) : data_(elements), size_(N) {}
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"  // the view lives for one call, as the list
#endif
  ArrayRef(std::initializer_list<T> elements)
      : kept_(keep(elements, std::is_arithmetic<T>())),
        data_(kept_ ? kept_.get() : elements.begin()),
        size_(elements.size()) {}
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#pragma GCC diagnostic pop
#endif
  /// A view of one element.
  constexpr ArrayRef(const T& element) : data_(&element), size_(1) {}

  constexpr bool empty() const {
    return size_ == 0;
  }
  constexpr std::size_t size() const {
    return size_;
  }
  constexpr const T* data() const {
    return data_;
  }
  constexpr const_iterator begin() const {
    return data_;
  }
  constexpr const_iterator end() const {
    return data_ + size_;
  }
  constexpr const T& operator[](std::size_t index) const {
    return data_[index];
  }
  constexpr const T& front() const {
    return data_[0];
  }
  constexpr const T& back() const {
    return data_[size_ - 1];
  }
  std::vector<T> cloneAsVector() const {
    return std::vector<T>(begin(), end());
  }

 private:
  static std::shared_ptr<const T> keep(std::initializer_list<T> elements,
                                       std::true_type /*is_number*/) {
    if (elements.size() == 0) return nullptr;
    T* const kept = new T[elements.size()];
    std::copy(elements.begin(), elements.end(), kept);
    return std::shared_ptr<const T>(kept, std::default_delete<const T[]>());
  }
  static std::shared_ptr<const T> keep(std::initializer_list<T> /*elements*/,
                                       std::false_type /*is_number*/) {
    return nullptr;
  }

  std::shared_ptr<const T> kept_;
  const T* data_;
  std::size_t size_;
};

template <typename T>
bool operator==(const ArrayRef<T>& a, const ArrayRef<T>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
template <typename T>
bool operator!=(const ArrayRef<T>& a, const ArrayRef<T>& b) {
  return !(a == b);
}

}  // namespace poplar
