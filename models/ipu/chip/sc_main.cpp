// SPDX-License-Identifier: Apache-2.0
#include <systemc>

/// libsystemc has a main that calls sc_main, and the linker asks for one even where a program has a
/// main of its own. This one satisfies it. A program that defines sc_main replaces it.
extern "C" [[gnu::weak]] int sc_main(int /*argc*/, char* /*argv*/[]) {
  SC_REPORT_ERROR("/ipusim/sc_main", "wanted a main or an sc_main of the program, found neither");
  return 1;
}
