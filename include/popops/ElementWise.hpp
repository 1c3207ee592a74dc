// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/binary.hpp"
#include "popops/detail/unary.hpp"
