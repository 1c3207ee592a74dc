// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/host_functions.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "poplar/codelets/codelets.h"
#include "poplar/codelets/run/guard.h"
#include "poplar/codelets/run/host_mathematics.h"
#include "poplar/codelets/run/host_pointers.h"
#include "poplar/codelets/run/printf_text.h"
#include "poplar/codelets/run/running_call.h"

namespace ipusim::codelets {

namespace {

constexpr std::size_t kReasonLength = 512;

/// The address of a byte of a text, or null.
std::uint64_t addressOfByte(const void* byte) {
  return reinterpret_cast<std::uintptr_t>(byte);
}

// Functions return addresses in 8 bytes, with the upper 4 zero.

std::uint64_t copyBytes(Address to, Address from, std::uint32_t count) {
  std::memcpy(at(to), at(from), count);
  return to;
}
std::uint64_t moveBytes(Address to, Address from, std::uint32_t count) {
  std::memmove(at(to), at(from), count);
  return to;
}
std::uint64_t setBytes(Address to, int value, std::uint32_t count) {
  std::memset(at(to), value, count);
  return to;
}
int compareBytes(Address a, Address b, std::uint32_t count) {
  return std::memcmp(at(a), at(b), count);
}
std::uint64_t findByte(Address from, int value, std::uint32_t count) {
  return addressOfByte(std::memchr(at(from), value, count));
}
std::uint32_t lengthOf(Address text) {
  return static_cast<std::uint32_t>(std::strlen(at<char>(text)));
}
int compareTexts(Address a, Address b) {
  return std::strcmp(at<char>(a), at<char>(b));
}
int compareStarts(Address a, Address b, std::uint32_t count) {
  return std::strncmp(at<char>(a), at<char>(b), count);
}
std::uint64_t copyText(Address to, Address from) {
  std::strcpy(at<char>(to), at<char>(from));
  return to;
}
std::uint64_t copyStart(Address to, Address from, std::uint32_t count) {
  std::strncpy(at<char>(to), at<char>(from), count);
  return to;
}
std::uint64_t findLetter(Address text, int letter) {
  return addressOfByte(std::strchr(at<char>(text), letter));
}

int print(Address format, ...) {  // NOLINT(cert-dcl50-cpp): codelets call it as printf
  std::string& text = printedText();
  const std::size_t before = text.size();
  va_list arguments;
  va_start(arguments, format);
  appendPrintf(text, at<char>(format), arguments);
  va_end(arguments);
  return static_cast<int>(text.size() - before);
}
int printInto(Address to, std::uint32_t room, Address format, va_list arguments) {
  std::string text;
  appendPrintf(text, at<char>(format), arguments);
  if (room > 0) {
    const std::size_t count = std::min<std::size_t>(text.size(), room - 1);
    std::memcpy(at(to), text.data(), count);
    at<char>(to)[count] = '\0';
  }
  return static_cast<int>(text.size());
}
int printToText(Address to, Address format, ...) {  // NOLINT(cert-dcl50-cpp): sprintf
  va_list arguments;
  va_start(arguments, format);
  const int length = printInto(to, UINT32_MAX, format, arguments);
  va_end(arguments);
  return length;
}
int printToRoom(Address to, std::uint32_t room, Address format, ...) {  // NOLINT(cert-dcl50-cpp)
  va_list arguments;
  va_start(arguments, format);
  const int length = printInto(to, room, format, arguments);
  va_end(arguments);
  return length;
}
int printLine(Address text) {
  printedText().append(at<char>(text)).append("\n");
  return 1;
}
int printLetter(int letter) {
  printedText() += static_cast<char>(letter);
  return letter;
}

[[noreturn]] void failAssert(Address expression, Address file, unsigned line, Address) {
  thread_local std::array<char, kReasonLength> reason;
  std::snprintf(reason.data(), reason.size(), "assertion `%s' failed (%s:%u)", at<char>(expression),
                at<char>(file), line);
  stopCall(reason.data());
}
[[noreturn]] void abortCall() {
  stopCall("it called abort()");
}
[[noreturn]] void exitCall(int) {
  stopCall("it called exit()");
}

// Functions of the tile, under the names of poplar/device/include/builtins.h.

using Float2 = float __attribute__((vector_size(2 * sizeof(float))));

std::uint32_t random32() {
  return static_cast<std::uint32_t>(RunningCall::current().random() >> 32U);
}
std::uint64_t random64() {
  return RunningCall::current().random();
}
/// From 0 up to 1, with the 24 bits that a float holds.
float uniform() {
  return static_cast<float>(RunningCall::current().random() >> 40U) * 0x1p-24F;
}
float uniformAroundZero() {
  return uniform() - 0.5F;
}
/// A sum of twelve uniform numbers has a variance of 1, around a mean of 6.
float normal() {
  float sum = 0;
  for (int term = 0; term < 12; ++term) sum += uniform();
  return sum - 6;
}
Float2 twoNormals() {
  const float first = normal();
  return Float2{first, normal()};
}
std::uint32_t clockLow() {
  return static_cast<std::uint32_t>(RunningCall::current().clock());
}
std::uint32_t clockHigh() {
  return static_cast<std::uint32_t>(RunningCall::current().clock() >> 32U);
}

/// <iostream> has a file-scope object, which starts streams that a tile has not.
void startNoStreams(Address /*object*/) {}

/// Destructors of file-scope objects never run.
int registerDestructor() {
  return 0;
}

HostTable makeTable() {
  HostTable table{{"memcpy", addressOfFunction(copyBytes)},
                  {"memmove", addressOfFunction(moveBytes)},
                  {"memset", addressOfFunction(setBytes)},
                  {"memcmp", addressOfFunction(compareBytes)},
                  {"bcmp", addressOfFunction(compareBytes)},
                  {"memchr", addressOfFunction(findByte)},
                  {"strlen", addressOfFunction(lengthOf)},
                  {"strcmp", addressOfFunction(compareTexts)},
                  {"strncmp", addressOfFunction(compareStarts)},
                  {"strcpy", addressOfFunction(copyText)},
                  {"strncpy", addressOfFunction(copyStart)},
                  {"strchr", addressOfFunction(findLetter)},
                  {"puts", addressOfFunction(printLine)},
                  {"putchar", addressOfFunction(printLetter)},
                  {"__assert_fail", addressOfFunction(failAssert)},
                  {"abort", addressOfFunction(abortCall)},
                  {"exit", addressOfFunction(exitCall)},
                  {"_ZNSt8ios_base4InitC1Ev", addressOfFunction(startNoStreams)},
                  {"_ZNSt8ios_base4InitD1Ev", addressOfFunction(startNoStreams)},
                  {"__cxa_atexit", addressOfFunction(registerDestructor)}};
  table.emplace("printf", addressOfFunction(print));
  table.emplace("sprintf", addressOfFunction(printToText));
  table.emplace("snprintf", addressOfFunction(printToRoom));
  table.emplace("ipusim_urand32", addressOfFunction(random32));
  table.emplace("ipusim_urand64", addressOfFunction(random64));
  table.emplace("ipusim_urand_f32", addressOfFunction(uniformAroundZero));
  table.emplace("ipusim_f32v2grand", addressOfFunction(twoNormals));
  table.emplace("ipusim_clock_low", addressOfFunction(clockLow));
  table.emplace("ipusim_clock_high", addressOfFunction(clockHigh));
  addMathematics(table);
  return table;
}

}  // namespace

std::uint64_t hostFunction(const std::string& name) {
  static const HostTable kTable = makeTable();
  const auto found = kTable.find(name);
  return found == kTable.end() ? 0 : found->second;
}

}  // namespace ipusim::codelets
