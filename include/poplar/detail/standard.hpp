// SPDX-License-Identifier: Apache-2.0
#pragma once

// Standard headers that programs expect from <poplar/Engine.hpp> and <poplar/Graph.hpp>.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>
#endif
