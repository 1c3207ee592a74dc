// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace ipusim {

/// A list that copies share until one of them is edited. Threads may read copies at once; while one
/// copy is edited, assigned or destroyed, no other thread may use any of them.
template <typename T>
class SharedList {
 public:
  SharedList() = default;
  // The conversion is implicit, so that a list may be written in braces or given as a vector.
  SharedList(std::vector<T> items)  // NOLINT(google-explicit-constructor)
      : items_(std::make_shared<std::vector<T>>(std::move(items))) {}
  SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}

  /// Valid until this list is edited, assigned or destroyed.
  [[nodiscard]] const std::vector<T>& items() const {
    static const std::vector<T> kNone;
    return items_ ? *items_ : kNone;
  }
  /// The list for a change. A shared list is copied first. The reference must not be used after the
  /// list has been copied: it would change the copy too.
  [[nodiscard]] std::vector<T>& edit() {
    if (!items_) {
      items_ = std::make_shared<std::vector<T>>();
    } else if (items_.use_count() > 1) {
      items_ = std::make_shared<std::vector<T>>(*items_);
    }
    return *items_;
  }

  [[nodiscard]] const T* data() const { return items().data(); }
  [[nodiscard]] std::size_t size() const { return items().size(); }
  [[nodiscard]] bool empty() const { return items().empty(); }
  [[nodiscard]] const T& operator[](std::size_t index) const { return items()[index]; }
  [[nodiscard]] auto begin() const { return items().begin(); }
  [[nodiscard]] auto end() const { return items().end(); }

 private:
  std::shared_ptr<std::vector<T>> items_;
};

}  // namespace ipusim
