// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/include/popops/Expr.hpp"
#include "poplar/include/popops/detail/map.hpp"
#include "poplar/include/popops/detail/operators.hpp"
