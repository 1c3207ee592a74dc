// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stack sizes come from the compiled code.
#define DEF_STACK_USAGE(bytes, function)
#define DEF_STACK_SIZE_OWN(bytes, function)
