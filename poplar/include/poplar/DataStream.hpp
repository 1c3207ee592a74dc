// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "poplar/ReplicatedStreamMode.hpp"
#include "poplar/Type.hpp"

namespace poplar {

enum class DataStreamType { HostToDeviceFIFO, DeviceToHostFIFO };

/// A way for elements between the host and the device, in one direction.
class DataStream {
 public:
  DataStream() = default;
  DataStream(std::uint32_t id, std::string handle, DataStreamType type, Type element,
             std::size_t elements)
      : id_(id), handle_(std::move(handle)), type_(type), element_(element), elements_(elements) {}

  std::uint32_t id() const { return id_; }
  std::string handle() const { return handle_; }
  DataStreamType type() const { return type_; }
  Type elementType() const { return element_; }
  std::size_t numElements() const { return elements_; }
  unsigned replicationFactor() const { return 1; }

 private:
  std::uint32_t id_ = ~std::uint32_t(0);
  std::string handle_;
  DataStreamType type_ = DataStreamType::HostToDeviceFIFO;
  Type element_;
  std::size_t elements_ = 0;
};

namespace detail {

/// What a program asks of a remote buffer.
struct RemoteRows {
  Type element;
  std::size_t elements;
  std::size_t repeats;
  bool is_rearranged;
  bool saves_memory;
};

}  // namespace detail

/// Rows of elements in the memory beside the chips.
class RemoteBuffer {
 public:
  RemoteBuffer() = default;
  RemoteBuffer(std::uint32_t id, std::string handle, const detail::RemoteRows& rows)
      : id_(id),
        handle_(std::move(handle)),
        element_(rows.element),
        elements_(rows.elements),
        repeats_(rows.repeats),
        is_rearranged_(rows.is_rearranged),
        saves_memory_(rows.saves_memory) {}

  std::uint32_t id() const { return id_; }
  std::string handle() const { return handle_; }
  Type elementType() const { return element_; }
  std::size_t numElements() const { return elements_; }
  std::size_t getRepeats() const { return repeats_; }
  // What the program asked for. The layout is the same in either case.
  bool isRearrangeOnHost() const { return is_rearranged_; }
  bool isOptimisedMemory() const { return saves_memory_; }

 private:
  std::uint32_t id_ = ~std::uint32_t(0);
  std::string handle_;
  Type element_;
  std::size_t elements_ = 0;
  std::size_t repeats_ = 0;
  bool is_rearranged_ = false;
  bool saves_memory_ = false;
};

}  // namespace poplar
