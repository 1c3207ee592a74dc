// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors of the tile's types. None is aligned to more than 8 bytes: a load takes 8 at most.

typedef _Float16 half;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

#define IPUSIM_VECTORS(element, name)                                      \
  typedef element name##2 __attribute__((ext_vector_type(2)));             \
  typedef element name##3 __attribute__((ext_vector_type(3), aligned(8))); \
  typedef element name##4 __attribute__((ext_vector_type(4), aligned(sizeof(element) < 2 ? 4 : 8)));

IPUSIM_VECTORS(char, char)
IPUSIM_VECTORS(unsigned char, uchar)
IPUSIM_VECTORS(short, short)
IPUSIM_VECTORS(unsigned short, ushort)
IPUSIM_VECTORS(int, int)
IPUSIM_VECTORS(unsigned int, uint)
IPUSIM_VECTORS(float, float)
IPUSIM_VECTORS(_Float16, half)
#undef IPUSIM_VECTORS

typedef long long long2 __attribute__((ext_vector_type(2), aligned(8)));
typedef char char8 __attribute__((ext_vector_type(8)));
typedef unsigned char uchar8 __attribute__((ext_vector_type(8)));
