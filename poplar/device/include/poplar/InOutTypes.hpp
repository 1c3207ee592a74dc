// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// The fields of a vertex. The simulator writes their bytes and never calls a constructor. Elements
// are never const: codelets cast their addresses to those of wider types.

namespace poplar {

enum class VectorLayout {
  NOT_VECTOR,
  SPAN,
  SHORT_SPAN,
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  COMPACT_PTR
};

enum class VectorListLayout {
  NOT_VECTOR,
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  DELTAN,
  DELTANELEMENTS,
  COMPACT_DELTAN
};

namespace detail {

template <class T, bool HasCount>
class Elements {
 public:
  using value_type = T;

  T& operator[](std::size_t index) const { return first_[index]; }
  T* data() const { return first_; }
  T* begin() const { return first_; }
  T& front() const { return *first_; }

 private:
  T* first_;
};

template <class T>
class Elements<T, true> {
 public:
  using value_type = T;

  T& operator[](std::size_t index) const { return first_[index]; }
  T* data() const { return first_; }
  T* begin() const { return first_; }
  T* end() const { return first_ + count_; }
  T& front() const { return *first_; }
  T& back() const { return first_[count_ - 1]; }
  unsigned size() const { return count_; }
  bool empty() const { return count_ == 0; }

 private:
  T* first_;
  unsigned count_;
};

constexpr bool hasCount(VectorLayout layout) {
  return layout == VectorLayout::SPAN || layout == VectorLayout::SHORT_SPAN;
}
constexpr bool hasCount(VectorListLayout layout) {
  return layout == VectorListLayout::DELTAN || layout == VectorListLayout::DELTANELEMENTS ||
         layout == VectorListLayout::COMPACT_DELTAN;
}

/// An edge to one element.
template <class T>
class Scalar {
 public:
  using value_type = T;

  T& operator*() const { return *element_; }
  T* operator->() const { return element_; }
  operator T&() const { return *element_; }

 protected:
  T* element_;
};

}  // namespace detail

template <class T, VectorLayout Layout = VectorLayout::SPAN, unsigned MinAlign = alignof(T),
          bool Interleaved = false>
class Vector : public detail::Elements<T, detail::hasCount(Layout)> {};

/// Rows of different lengths.
template <class T, VectorListLayout Layout = VectorListLayout::DELTAN,
          unsigned MinAlign = alignof(T), bool Interleaved = false>
class VectorList
    : public detail::Elements<Vector<T, VectorLayout::SPAN, MinAlign, Interleaved>,
                              detail::hasCount(Layout)> {};

template <class T>
class Input : public detail::Scalar<T> {};

template <class T>
class Output : public detail::Scalar<T> {
 public:
  const Output& operator=(const T& value) const {
    *this->element_ = value;
    return *this;
  }
};

template <class T>
class InOut : public detail::Scalar<T> {
 public:
  const InOut& operator=(const T& value) const {
    *this->element_ = value;
    return *this;
  }
};

namespace detail {

/// An edge to several elements: a vector that also stands for itself behind `*` and `->`.
template <class Elements>
class Edge : public Elements {
 public:
  const Elements& operator*() const { return *this; }
  const Elements* operator->() const { return this; }
};

/// An edge that takes the values of another one.
template <class Elements>
class WritableEdge : public Edge<Elements> {
 public:
  WritableEdge() = default;
  WritableEdge(const WritableEdge&) = default;
  WritableEdge& operator=(const WritableEdge&) = default;
  template <class Other, class = decltype(static_cast<const Other*>(nullptr)->size())>
  WritableEdge& operator=(const Other& other) {
    for (unsigned index = 0; index < other.size(); ++index) (*this)[index] = other[index];
    return *this;
  }
};

}  // namespace detail

template <class T, VectorLayout Layout, unsigned MinAlign, bool Interleaved>
class Input<Vector<T, Layout, MinAlign, Interleaved>>
    : public detail::Edge<Vector<T, Layout, MinAlign, Interleaved>> {};
template <class T, VectorLayout Layout, unsigned MinAlign, bool Interleaved>
class Output<Vector<T, Layout, MinAlign, Interleaved>>
    : public detail::WritableEdge<Vector<T, Layout, MinAlign, Interleaved>> {
 public:
  using detail::WritableEdge<Vector<T, Layout, MinAlign, Interleaved>>::operator=;
};
template <class T, VectorLayout Layout, unsigned MinAlign, bool Interleaved>
class InOut<Vector<T, Layout, MinAlign, Interleaved>>
    : public detail::WritableEdge<Vector<T, Layout, MinAlign, Interleaved>> {
 public:
  using detail::WritableEdge<Vector<T, Layout, MinAlign, Interleaved>>::operator=;
};

template <class T, VectorListLayout Layout, unsigned MinAlign, bool Interleaved>
class Input<VectorList<T, Layout, MinAlign, Interleaved>>
    : public detail::Edge<VectorList<T, Layout, MinAlign, Interleaved>> {};
template <class T, VectorListLayout Layout, unsigned MinAlign, bool Interleaved>
class Output<VectorList<T, Layout, MinAlign, Interleaved>>
    : public detail::Edge<VectorList<T, Layout, MinAlign, Interleaved>> {};
template <class T, VectorListLayout Layout, unsigned MinAlign, bool Interleaved>
class InOut<VectorList<T, Layout, MinAlign, Interleaved>>
    : public detail::Edge<VectorList<T, Layout, MinAlign, Interleaved>> {};

}  // namespace poplar
