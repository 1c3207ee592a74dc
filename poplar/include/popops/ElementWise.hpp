// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/Expr.hpp"
#include "popops/detail/map.hpp"
#include "popops/detail/operators.hpp"
