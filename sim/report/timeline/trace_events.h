// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "base/files/write_file.h"
#include "ipusim/units.h"

namespace ipusim::report {

/// A row of a timeline.
struct Track {
  std::uint32_t process;  ///< the chip or a tile
  std::uint32_t thread;   ///< what it has several of, such as worker contexts
};

/// Something that lasts on a track. The texts are JSON strings, quotes included.
struct Slice {
  const std::string& name;
  const char* category;
  Cycles begin;
  Cycles end;
  std::uint64_t iterations = 1;  ///< how many iterations of loops the slice stands for
  std::uint64_t vertices = 0;    ///< for a worker context
};

/// Writes events in the JSON form that Perfetto and Chrome read, part by part.
///
/// Format: "Trace Event Format", the JSON object form with complete events (X), counters (C) and
/// metadata (M). Times there are microseconds; ours have six decimals: picoseconds, of a clock in
/// whole hertz. `args` of each slice has its cycles.
class TraceEvents {
 public:
  /// What the sink throws comes out of finish(), and nothing is written after it.
  TraceEvents(double clock_hz, Sink sink);

  void nameProcess(std::uint32_t process, const std::string& name);
  void nameThread(Track track, const std::string& name);
  void add(Track track, const Slice& slice);
  /// Sets a counter of a process. A text is a plain name.
  void count(std::uint32_t process, const char* name, Cycles when, Bytes value);
  /// Writes the end. `other` is a JSON object.
  void finish(const std::string& other);

 private:
  void begin();
  void flush();
  std::uint64_t clock_hz_;
  Sink sink_;
  std::string text_;
  bool first_ = true;
  std::exception_ptr failure_;
};

/// A text as a JSON string, quotes included. Bytes that are no UTF-8 are replaced.
std::string jsonString(const std::string& text);

}  // namespace ipusim::report
