// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ipusim {

// Whether the tests were built with AddressSanitizer, which takes time and memory of its own.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kHasAddressSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kHasAddressSanitizer = true;
#else
constexpr bool kHasAddressSanitizer = false;
#endif
#else
constexpr bool kHasAddressSanitizer = false;
#endif

}  // namespace ipusim
