// SPDX-License-Identifier: Apache-2.0
#include <systemc>

/// libsystemc has a main that calls sc_main, and the linker asks for an sc_main even when the
/// program has its own main. This definition satisfies the linker. A program that defines sc_main
/// replaces it.
extern "C" [[gnu::weak]] int sc_main(int /*argc*/, char* /*argv*/[]) {
  SC_REPORT_ERROR("/ipusim/sc_main", "wanted a main or an sc_main of the program, found neither");
  return 1;
}
