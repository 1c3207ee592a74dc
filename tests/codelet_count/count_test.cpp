// SPDX-License-Identifier: Apache-2.0
#include "sim/codelets/count/count.h"
#include <gtest/gtest.h>
TEST(X,Y){}
