// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Steps of a stencil on a grid of points, each with an exchange of halos: a Jacobi iteration, an
/// explicit step of the heat equation, a blur. Two grids take turns. Keys: see
/// docs/reference/config/stencil.md.
/// Each IPU of a system has a part of the grid.
BuiltWorkload buildStencil(const ConfigReader& config, const System& system);

}  // namespace ipusim::workloads
