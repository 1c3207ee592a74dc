// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "poplar/detail/handle.hpp"
#include "poplar/exceptions.hpp"

namespace poplar {

/// Named options with text as values.
class OptionFlags {
 public:
  using OptionFlag = std::pair<std::string, std::string>;
  using initializer_list = std::initializer_list<OptionFlag>;
  using iterator = std::vector<OptionFlag>::const_iterator;

  OptionFlags() = default;
  OptionFlags(initializer_list flags) { set(flags); }

  /// Replaces the value of a name that is there.
  void set(const std::string& name, const std::string& value) {
    for (OptionFlag& flag : flags_) {
      if (flag.first == name) {
        flag.second = value;
        return;
      }
    }
    flags_.emplace_back(name, value);
  }
  void set(initializer_list flags) {
    for (const OptionFlag& flag : flags) set(flag.first, flag.second);
  }
  void set(const OptionFlags& others) {
    for (const OptionFlag& flag : others) set(flag.first, flag.second);
  }

  bool hasFlag(const std::string& name) const {
    for (const OptionFlag& flag : flags_) {
      if (flag.first == name) return true;
    }
    return false;
  }
  const std::string& at(const std::string& name) const {
    for (const OptionFlag& flag : flags_) {
      if (flag.first == name) return flag.second;
    }
    throw invalid_option("option " + name + ": wanted one that is set, found none");
  }
  void clear() { flags_.clear(); }

  iterator begin() const { return flags_.begin(); }
  iterator end() const { return flags_.end(); }

  friend bool operator==(const OptionFlags& a, const OptionFlags& b) {
    if (a.flags_.size() != b.flags_.size()) return false;
    for (const OptionFlag& flag : a) {
      if (!b.hasFlag(flag.first) || b.at(flag.first) != flag.second) return false;
    }
    return true;
  }
  friend bool operator!=(const OptionFlags& a, const OptionFlags& b) { return !(a == b); }

 private:
  std::vector<OptionFlag> flags_;
};

namespace detail {

/// Names and values by turns.
inline std::vector<Text> textsOf(const OptionFlags& options) {
  std::vector<Text> texts;
  for (const OptionFlags::OptionFlag& flag : options) {
    texts.push_back(textOf(flag.first));
    texts.push_back(textOf(flag.second));
  }
  return texts;
}

}  // namespace detail

}  // namespace poplar
