// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <iostream>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <stdexcept>
#include <string>
#include <vector>

// What the programs of this folder share: arguments `name=value`, a device, figures as lines
// `name value`, and the comparison with the host.

/// The arguments of a program. Each has a value where the user gives none.
class Arguments {
 public:
  Arguments(int count, char** texts) : texts_(texts + 1, texts + count) {}

  std::string text(const std::string& name, const std::string& otherwise) const {
    for (const std::string& text : texts_) {
      if (text.compare(0, name.size() + 1, name + "=") == 0) return text.substr(name.size() + 1);
    }
    return otherwise;
  }
  unsigned number(const std::string& name, unsigned otherwise) const {
    const std::string found = text(name, "");
    return found.empty() ? otherwise : static_cast<unsigned>(std::stoul(found));
  }

 private:
  std::vector<std::string> texts_;
};

/// The first device with `ipus` IPUs that is free.
inline poplar::Device attachedDevice(unsigned ipus = 1) {
  poplar::DeviceManager manager;
  for (auto& device : manager.getDevices(poplar::TargetType::IPU, ipus)) {
    if (device.attach()) return std::move(device);
  }
  throw std::runtime_error("no device with " + std::to_string(ipus) + " IPUs");
}

template <typename Value>
void tell(const std::string& name, const Value& value) {
  std::cout << name << " " << value << std::endl;
}

/// Part `index` of `count` elements in `parts` parts of about equal size begins here.
inline unsigned blockBegin(unsigned index, unsigned parts, unsigned count) {
  return static_cast<unsigned>(std::uint64_t{index} * count / parts);
}

/// The exit code of a program: 0 where all values are, bit for bit, those of the host.
template <typename Value>
int compared(const std::vector<Value>& found, const std::vector<Value>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (found.at(i) == wanted[i]) continue;
    std::cerr << "element " << i << ": wanted " << wanted[i] << ", found " << found[i] << std::endl;
    return 1;
  }
  tell("equal_elements", wanted.size());
  return 0;
}
