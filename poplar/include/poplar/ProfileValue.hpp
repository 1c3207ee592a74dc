// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <utility>

namespace poplar {

/// A profile: text in JSON.
class ProfileValue {
 public:
  ProfileValue() = default;
  explicit ProfileValue(std::string json) : json_(std::move(json)) {}

  const std::string& json() const { return json_; }

 private:
  std::string json_ = "{}\n";
};

/// Writes the profile, indented in either case.
inline void serializeToJSON(std::ostream& out, const ProfileValue& profile, bool = true) {
  out << profile.json();
}

}  // namespace poplar
