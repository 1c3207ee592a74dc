// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "poplar/StringRef.hpp"

namespace poplar {

/// A name for what a call makes, with a number of the caller's choice.
class DebugNameAndId {
 public:
  DebugNameAndId(std::string name = "", std::uint64_t id = 0, const std::string& parent = "")
      : name_(parent.empty() ? std::move(name) : parent + "/" + name), id_(id) {}
  DebugNameAndId(const char* name) : name_(name), id_(0) {}
  DebugNameAndId(const DebugNameAndId& parent, const std::string& name)
      : name_(parent.name_.empty() ? name : parent.name_ + "/" + name), id_(parent.id_) {}

  std::string getPathName() const { return name_; }
  std::uint64_t getId() const { return id_; }

 private:
  std::string name_;
  std::uint64_t id_;
};

/// The name of what a call makes, as results and messages show it.
class DebugContext {
 public:
  DebugContext() = default;
  DebugContext(const char* name) : name_(name) {}
  DebugContext(const std::string& name) : name_(name) {}
  DebugContext(const StringRef& name) : name_(name.str()) {}
  DebugContext(const DebugNameAndId& name) : name_(name.getPathName()) {}
  DebugContext(const DebugContext& parent, const StringRef& name)
      : name_(parent.name_.empty() ? name.str() : parent.name_ + "/" + name.str()) {}

  const std::string& getPathName() const { return name_; }

 private:
  std::string name_;
};

namespace detail {
inline Text textOf(const DebugContext& context) {
  return textOf(context.getPathName());
}
}  // namespace detail

}  // namespace poplar
