// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>

namespace poplar {

/// The numbers from `begin` up to, but not with, `end`.
template <typename T>
class GenericInterval {
 public:
  GenericInterval() : begin_(0), end_(0) {}
  GenericInterval(T begin, T end) : begin_(begin), end_(end) {}

  const T& begin() const { return begin_; }
  const T& end() const { return end_; }
  const T& lower() const { return begin_; }
  const T& upper() const { return end_; }
  T size() const { return end_ - begin_; }

  friend bool operator==(const GenericInterval& a, const GenericInterval& b) {
    return a.begin_ == b.begin_ && a.end_ == b.end_;
  }
  friend bool operator!=(const GenericInterval& a, const GenericInterval& b) { return !(a == b); }
  friend bool operator<(const GenericInterval& a, const GenericInterval& b) {
    return a.begin_ != b.begin_ ? a.begin_ < b.begin_ : a.end_ < b.end_;
  }
  friend std::ostream& operator<<(std::ostream& out, const GenericInterval& interval) {
    return out << '[' << interval.begin_ << ',' << interval.end_ << ')';
  }

 private:
  T begin_;
  T end_;
};

typedef GenericInterval<std::size_t> Interval;

}  // namespace poplar

namespace std {
template <typename T>
struct hash<poplar::GenericInterval<T>> {
  size_t operator()(const poplar::GenericInterval<T>& interval) const {
    const size_t first = hash<T>()(interval.begin());
    return first * 31 + hash<T>()(interval.end());
  }
};
}  // namespace std
