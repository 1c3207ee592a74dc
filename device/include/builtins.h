// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every codelet sees before its first line: the built-in functions of the tile. Names of
// vector types come with ipudef.h only, since codelets define some themselves.

#define __POPC__ 1

namespace ipusim_device {

using Half = _Float16;
using Float2 = float __attribute__((ext_vector_type(2)));
using Half2 = _Float16 __attribute__((ext_vector_type(2)));
using Half4 = _Float16 __attribute__((ext_vector_type(4)));

/// What the simulator tells the code of a worker: sim/codelets/worker_context.h has its twin.
struct Context {
  unsigned tile;
  unsigned worker;
  unsigned workers;
  unsigned reserved;
  unsigned long long random[2];
  unsigned long long clock;
};
extern "C" Context* ipusim_context;
static inline Context* const& context = ipusim_context;

/// xoroshiro128+ of Blackman and Vigna (2018).
inline unsigned long long random64() {
  unsigned long long* const state = ipusim_context->random;
  const unsigned long long first = state[0];
  unsigned long long second = state[1];
  const unsigned long long sum = first + second;
  second ^= first;
  state[0] = (first << 24 | first >> 40) ^ second ^ second << 16;
  state[1] = second << 37 | second >> 27;
  return sum;
}

/// A sum of twelve uniform numbers around 0 has a variance of 1.
inline float normal() {
  float sum = 0;
  for (int term = 0; term < 12; ++term) sum += static_cast<float>(random64() >> 40) * 0x1p-24f;
  return sum - 6;
}

/// The clock of a worker advances by its turn at every look.
constexpr unsigned long long kTurnCycles = 6;

inline unsigned long long readClock() {
  return ipusim_context->clock += kTurnCycles;
}

}  // namespace ipusim_device

inline unsigned __builtin_ipu_urand32() {
  return static_cast<unsigned>(ipusim_device::random64() >> 32);
}
inline unsigned long long __builtin_ipu_urand64() {
  return ipusim_device::random64();
}
/// Uniform from -1/2 up to 1/2.
inline float __builtin_ipu_urand_f32() {
  return static_cast<float>(ipusim_device::random64() >> 40) * 0x1p-24f - 0.5f;
}
inline _Float16 __builtin_ipu_urand_f16() {
  return static_cast<_Float16>(static_cast<float>(ipusim_device::random64() >> 53) * 0x1p-11f -
                               0.5f);
}
inline ipusim_device::Float2 __builtin_ipu_f32v2grand() {
  const float first = ipusim_device::normal();
  return {first, ipusim_device::normal()};
}

inline unsigned __builtin_ipu_get_scount_l() {
  return static_cast<unsigned>(ipusim_device::readClock());
}
inline unsigned __builtin_ipu_get_scount_u() {
  return static_cast<unsigned>(ipusim_device::readClock() >> 32);
}
inline unsigned __builtin_ipu_get_tile_id() {
  return ipusim_device::context->tile;
}
/// The worker status register, 112, names the worker; every other register reads as 0.
inline unsigned __builtin_ipu_get(unsigned control_register) {
  return control_register == 112 ? ipusim_device::context->worker : 0;
}
/// Writes to the control registers of the floating-point unit have no effect.
inline void __builtin_ipu_put(unsigned, unsigned) {}
inline void __builtin_ipu_uput(unsigned, unsigned) {}

inline int __builtin_ipu_max(int a, int b) {
  return a > b ? a : b;
}
inline float __builtin_ipu_max(float a, float b) {
  return __builtin_fmaxf(a, b);
}
inline int __builtin_ipu_min(int a, int b) {
  return a < b ? a : b;
}
inline float __builtin_ipu_min(float a, float b) {
  return __builtin_fminf(a, b);
}

inline float __builtin_ipu_exp(float x) {
  return __builtin_expf(x);
}
inline float __builtin_ipu_exp2(float x) {
  return __builtin_exp2f(x);
}
inline float __builtin_ipu_ln(float x) {
  return __builtin_logf(x);
}
inline float __builtin_ipu_log2(float x) {
  return __builtin_log2f(x);
}
inline float __builtin_ipu_sqrt(float x) {
  return __builtin_sqrtf(x);
}
inline float __builtin_ipu_oorx(float x) {
  return 1 / __builtin_sqrtf(x);
}
inline float __builtin_ipu_tanh(float x) {
  return __builtin_tanhf(x);
}
inline float __builtin_ipu_sigm(float x) {
  return 1 / (1 + __builtin_expf(-x));
}

inline float __builtin_ipu_f16tof32(_Float16 x) {
  return x;
}
inline _Float16 __builtin_ipu_f32tof16(float x) {
  return static_cast<_Float16>(x);
}

inline unsigned __builtin_ipu_popc(unsigned x) {
  return static_cast<unsigned>(__builtin_popcount(x));
}
inline unsigned __builtin_ipu_clz(unsigned x) {
  return x == 0 ? 32 : static_cast<unsigned>(__builtin_clz(x));
}
inline unsigned __builtin_ipu_bitrev8(unsigned x) {
  x = __builtin_bitreverse32(x);
  return __builtin_bswap32(x);
}
