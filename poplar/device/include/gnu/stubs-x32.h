// SPDX-License-Identifier: Apache-2.0
#pragma once

// The C library's headers want this file. Those for 32-bit pointers are a package of their own,
// whose other parts codelets do not need.
