// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/numbers/packed_bytes.h"
#include "sim/record/record_members.h"

// The bytes of a record.

namespace ipusim::record {

class RecordWriter : public PackedWriter<RecordWriter> {
  friend PackedWriter;
  using PackedWriter::put;

  template <typename T>
  void put(const SharedList<T>& items) {
    put(items.items());
  }
  template <typename T>
  void putMembers(const T& object) {
    Members<T>::of(*this, object);
  }
};

class RecordReader : public PackedReader<RecordReader> {
 public:
  using PackedReader::PackedReader;

 private:
  friend PackedReader;
  using PackedReader::get;

  template <typename T>
  static constexpr std::uint64_t lastOf() {
    return static_cast<std::uint64_t>(record::lastOf(T{}));
  }
  template <typename T>
  void get(SharedList<T>& items) {
    items = take<std::vector<T>>();
  }
  template <typename T>
  void getMembers(T& object) {
    Members<T>::of(*this, object);
  }
};

}  // namespace ipusim::record
