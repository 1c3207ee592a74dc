// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every codelet sees before its first line: the built-in functions of the tile. Names of
// vector types come with ipudef.h only, since codelets define some themselves.

#include <cstddef>
#include <cstdint>

#define __POPC__ 1

namespace ipusim_device {

using Half = _Float16;
using Float2 = float __attribute__((ext_vector_type(2)));
using Half2 = _Float16 __attribute__((ext_vector_type(2)));
using Half4 = _Float16 __attribute__((ext_vector_type(4)));

/// What the simulator tells the code of a worker: poplar/codelets/run/worker_context.h has its
/// twin.
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

// Functions of the simulator: random numbers of the worker, and the cycles that it has run. Each is
// one instruction of the tile, and is counted as such.

extern "C" unsigned ipusim_urand32();
extern "C" unsigned long long ipusim_urand64();
/// Uniform from -1/2 up to 1/2.
extern "C" float ipusim_urand_f32();
/// Two numbers with a normal distribution, mean 0 and variance 1.
extern "C" Float2 ipusim_f32v2grand();
extern "C" unsigned ipusim_clock_low();
extern "C" unsigned ipusim_clock_high();

}  // namespace ipusim_device

inline unsigned __builtin_ipu_urand32() {
  return ipusim_device::ipusim_urand32();
}
inline unsigned long long __builtin_ipu_urand64() {
  return ipusim_device::ipusim_urand64();
}
inline float __builtin_ipu_urand_f32() {
  return ipusim_device::ipusim_urand_f32();
}
inline _Float16 __builtin_ipu_urand_f16() {
  return static_cast<_Float16>(ipusim_device::ipusim_urand_f32());
}
inline ipusim_device::Float2 __builtin_ipu_f32v2grand() {
  return ipusim_device::ipusim_f32v2grand();
}

inline unsigned __builtin_ipu_get_scount_l() {
  return ipusim_device::ipusim_clock_low();
}
inline unsigned __builtin_ipu_get_scount_u() {
  return ipusim_device::ipusim_clock_high();
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
