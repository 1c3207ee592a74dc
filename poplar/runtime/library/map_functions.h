// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar::detail {

/// C++ in front of each vertex that the library writes: the operators of expressions, by the names
/// that popops/detail/expression_text.hpp gives them. A half is carried as a float.
constexpr const char* kMapFunctions = R"(
#include <ipudef.h>
#include <poplar/HalfFloat.hpp>
#include <poplar/Vertex.hpp>

using namespace poplar;

namespace popops_map {

template <class T> struct Carried { using type = T; };
template <> struct Carried<half> { using type = float; };
template <class T, class V> inline typename Carried<T>::type as(V value) { return static_cast<T>(value); }

template <class T> inline T absolute(T x) { return x < 0 ? -x : x; }
inline unsigned absolute(unsigned x) { return x; }
inline float absolute(float x) { return __builtin_fabsf(x); }
inline float asin(float x) { return __builtin_asinf(x); }
template <class T> inline T bitwise_not(T x) { return ~x; }
inline float cbrt(float x) { return __builtin_cbrtf(x); }
inline float ceil(float x) { return __builtin_ceilf(x); }
inline float cos(float x) { return __builtin_cosf(x); }
inline int leading_zeros(unsigned x) { return x == 0 ? 32 : __builtin_clz(x); }
inline float erf(float x) { return __builtin_erff(x); }
inline float exponent(float x) { return __builtin_expf(x); }
inline float exponent2(float x) { return __builtin_exp2f(x); }
inline float exponent_minus_one(float x) { return __builtin_expm1f(x); }
inline float floor(float x) { return __builtin_floorf(x); }
inline float gelu_erf(float x) { return 0.5f * x * (1 + __builtin_erff(x * 0.70710678f)); }
inline float inverse(float x) { return 1 / x; }
inline bool is_finite(float x) { return x - x == 0; }
inline bool is_inf(float x) { return x == x && !is_finite(x); }
inline bool is_nan(float x) { return x != x; }
inline float logarithm(float x) { return __builtin_logf(x); }
inline float logarithm_one_plus(float x) { return __builtin_log1pf(x); }
template <class T> inline bool logical_not(T x) { return !x; }
inline float nearby_int(float x) { return __builtin_nearbyintf(x); }
template <class T> inline T negate(T x) { return -x; }
inline int popcount(unsigned x) { return __builtin_popcount(x); }
template <class T> inline T relu(T x) { return x > 0 ? x : T(0); }
inline float round(float x) { return __builtin_roundf(x); }
inline float rsqrt(float x) { return 1 / __builtin_sqrtf(x); }
inline float sigmoid(float x) { return 1 / (1 + __builtin_expf(-x)); }
template <class T> inline T signum(T x) { return T(x > 0) - T(x < 0); }
inline float sin(float x) { return __builtin_sinf(x); }
inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline int sqrt(int x) { return static_cast<int>(__builtin_sqrtf(static_cast<float>(x))); }
template <class T> inline T square(T x) { return x * x; }
inline float tan(float x) { return __builtin_tanf(x); }
inline float tanh(float x) { return __builtin_tanhf(x); }
inline float truncate(float x) { return __builtin_truncf(x); }

template <class T> inline T add(T a, T b) { return a + b; }
inline float atan2(float a, float b) { return __builtin_atan2f(a, b); }
template <class T> inline T bitwise_and(T a, T b) { return a & b; }
template <class T> inline T bitwise_or(T a, T b) { return a | b; }
template <class T> inline T bitwise_xnor(T a, T b) { return ~(a ^ b); }
template <class T> inline T bitwise_xor(T a, T b) { return a ^ b; }
template <class T> inline T divide(T a, T b) { return b == 0 ? T(0) : a / b; }
inline float divide(float a, float b) { return a / b; }
template <class T> inline bool equal(T a, T b) { return a == b; }
template <class T> inline bool greater_than(T a, T b) { return a > b; }
template <class T> inline bool greater_or_equal(T a, T b) { return a >= b; }
inline float inv_std_dev_to_variance(float deviation, float epsilon) { return 1 / (deviation * deviation) - epsilon; }
template <class T> inline bool less_than(T a, T b) { return a < b; }
template <class T> inline bool less_or_equal(T a, T b) { return a <= b; }
template <class T> inline bool logical_and(T a, T b) { return (a != 0) & (b != 0); }
template <class T> inline bool logical_or(T a, T b) { return (a != 0) | (b != 0); }
template <class T> inline T maximum(T a, T b) { return a < b ? b : a; }
template <class T> inline T minimum(T a, T b) { return b < a ? b : a; }
template <class T> inline T multiply(T a, T b) { return a * b; }
template <class T> inline bool not_equal(T a, T b) { return a != b; }
inline float power(float a, float b) { return __builtin_powf(a, b); }
template <class T> inline T power(T a, T b) {
  T result = 1;
  for (; b > 0; --b) result *= a;
  return result;
}
template <class T> inline T remainder(T a, T b) { return b == 0 ? T(0) : a % b; }
inline float remainder(float a, float b) { return __builtin_fmodf(a, b); }
template <class T> inline T shift_left(T a, T b) { return b < 32 ? a << b : 0; }
template <class T> inline T shift_right(T a, T b) { return b < 32 ? static_cast<unsigned>(a) >> b : 0; }
template <class T> inline T shift_right_sign(T a, T b) { return static_cast<int>(a) >> (b < 31 ? b : 31); }
template <class T> inline T subtract(T a, T b) { return a - b; }
inline float variance_to_inv_std_dev(float variance, float epsilon) { return 1 / __builtin_sqrtf(variance + epsilon); }
template <class T> inline T square_add(T sum, T x) { return sum + x * x; }

template <class T> inline T clamp(T x, T low, T high) { return x < low ? low : high < x ? high : x; }
template <class T> inline T select(T a, T b, bool first) { return first ? a : b; }

// Random numbers of the worker.
inline float unit() { return __builtin_ipu_urand_f32() + 0.5f; }
inline float uniform(float low, float high) { return unit() * (high - low) + low; }
inline int uniform_whole(int low, int high) {
  const unsigned long long range = static_cast<unsigned>(high) - static_cast<unsigned>(low) + 1ULL;
  const unsigned above = static_cast<unsigned>((range * __builtin_ipu_urand32()) >> 32);
  return static_cast<int>(static_cast<unsigned>(low) + above);
}
inline bool bernoulli(float probability) { return unit() < probability; }
inline float normal(float mean, float deviation) { return __builtin_ipu_f32v2grand()[0] * deviation + mean; }
inline float truncated_normal(float mean, float deviation, float alpha) {
  float x = __builtin_ipu_f32v2grand()[0];
  while (x < -alpha || x > alpha) x = __builtin_ipu_f32v2grand()[0];
  return x * deviation + mean;
}

inline unsigned long long mixed(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
/// Sets the worker's random numbers by a seed, and back at the end of the scope where it is asked
/// to. Source of the mixing: the finaliser of splitmix64 (Sebastiano Vigna, public domain).
inline void setRandom(unsigned low, unsigned high, unsigned modifier) {
  const auto& context = *ipusim_device::ipusim_context;
  unsigned long long x = mixed((static_cast<unsigned long long>(high) << 32 | low) + modifier * 0x9e3779b97f4a7c15ULL);
  x = mixed(x + (static_cast<unsigned long long>(context.tile) << 8 | context.worker));
  volatile auto& random = ipusim_device::ipusim_context->random;
  random[0] = mixed(x + 1);
  random[1] = mixed(x + 2);
}
class SeededRandom {
 public:
  SeededRandom(unsigned low, unsigned high, unsigned modifier)
      : kept0_(ipusim_device::ipusim_context->random[0]), kept1_(ipusim_device::ipusim_context->random[1]) {
    setRandom(low, high, modifier);
  }
  ~SeededRandom() {
    volatile auto& random = ipusim_device::ipusim_context->random;
    random[0] = kept0_;
    random[1] = kept1_;
  }

 private:
  unsigned long long kept0_;
  unsigned long long kept1_;
};

)";

}  // namespace poplar::detail
