// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/convert.h"

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "workloads/vertices/float_bits.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint32_t kSign = 0x80000000U;
/// How many more bits the fraction of a float has than that of a half.
constexpr std::uint32_t kFractionShift = 13;
/// The difference between the exponent biases of float and half, at the place of a float's
/// exponent.
constexpr std::uint32_t kExponentOffset = (127U - 15U) << 23U;
/// 2^16: the least float that is too large for a half.
constexpr std::uint32_t kPastHalves = (127U + 16U) << 23U;
constexpr std::uint32_t kInfinity = 255U << 23U;
/// 2^-14 as a float: the least half that is normal.
constexpr std::uint32_t kLeastNormal = (127U - 14U) << 23U;
/// 0.5: the last bit of this float is worth as much as the last bit of the least halves.
constexpr std::uint32_t kSubnormalUnit = (127U - 1U) << 23U;

constexpr std::uint32_t kHalfInfinity = 0x7C00U;
constexpr std::uint32_t kHalfNan = 0x7E00U;
constexpr std::uint32_t kHalfExponents = 0x7C00U;

// Halves are in memory as their 16 bits.
static_assert(sizeof(Half) == sizeof(std::uint16_t));

void toFloatsAnywhere(const Half* from, std::uint64_t count, float* to) {
  for (std::uint64_t i = 0; i < count; ++i) to[i] = floatOfHalfBits(from[i].x);
}

void fromFloatsAnywhere(const float* from, std::uint64_t count, Half* to) {
  for (std::uint64_t i = 0; i < count; ++i) to[i].x = halfBits(from[i]);
}

#if defined(__x86_64__)

constexpr std::uint64_t kLanes = 8;

[[gnu::target("f16c")]] void eightToFloats(const Half* from, float* to) {
  _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}

[[gnu::target("f16c")]] void eightFromFloats(const float* from, Half* to) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
}

/// Calls `convert` with eight elements at a time. The last elements go through an array of eight.
template <typename From, typename To>
[[gnu::target("f16c")]] void byEights(const From* from, std::uint64_t count, To* to,
                                      void (*convert)(const From*, To*)) {
  std::uint64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) convert(from + i, to + i);
  if (i == count) return;
  std::array<From, kLanes> last_from{};
  std::array<To, kLanes> last_to{};
  std::copy(from + i, from + count, last_from.begin());
  convert(last_from.data(), last_to.data());
  std::copy_n(last_to.begin(), count - i, to + i);
}

/// Clang 14 cannot ask for F16C. Every processor that has AVX2 has F16C.
const bool kHasF16c = static_cast<bool>(__builtin_cpu_supports("avx2"));

#endif

}  // namespace

/// Computes a number both as a normal and as a subnormal half and chooses one, so that a loop over
/// this function has no branch.
std::uint16_t halfBits(float value) {
  const std::uint32_t sign = bitsOf(value) & kSign;
  const std::uint32_t magnitude = bitsOf(value) ^ sign;
  const std::uint32_t special = magnitude > kInfinity ? kHalfNan : kHalfInfinity;
  // The sum rounds to the last bit of the least halves, which is the last bit of the sum's
  // fraction.
  const std::uint32_t small = bitsOf(floatOf(magnitude) + floatOf(kSubnormalUnit)) - kSubnormalUnit;
  // Adds half of the last bit less one, and then the last bit: a tie goes to the even neighbour.
  const std::uint32_t odd = (magnitude >> kFractionShift) & 1U;
  const std::uint32_t normal = (magnitude - kExponentOffset + 0xFFFU + odd) >> kFractionShift;
  const std::uint32_t number = magnitude < kLeastNormal ? small : normal;
  return static_cast<std::uint16_t>((magnitude >= kPastHalves ? special : number) | sign >> 16U);
}

float floatOfHalfBits(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t magnitude = half & 0x7FFFU;
  const std::uint32_t shifted = magnitude << kFractionShift;
  const std::uint32_t special = shifted | kInfinity;
  const std::uint32_t normal = shifted + kExponentOffset;
  // Puts the fraction of a subnormal half beside 2^-14 and then subtracts 2^-14.
  const std::uint32_t small = bitsOf(floatOf(shifted + kLeastNormal) - floatOf(kLeastNormal));
  const std::uint32_t number = magnitude < 0x400U ? small : normal;
  return floatOf((magnitude >= kHalfExponents ? special : number) | sign);
}

void toFloats(const Half* from, std::uint64_t count, float* to) {
#if defined(__x86_64__)
  if (kHasF16c) return byEights(from, count, to, eightToFloats);
#endif
  toFloatsAnywhere(from, count, to);
}

void fromFloats(const float* from, std::uint64_t count, Half* to) {
#if defined(__x86_64__)
  if (kHasF16c) return byEights(from, count, to, eightFromFloats);
#endif
  fromFloatsAnywhere(from, count, to);
}

}  // namespace ipusim::workloads
