// SPDX-License-Identifier: Apache-2.0
// libsystemc wants an sc_main in every executable. For those that have a main of their own.
#include <systemc>

int sc_main(int /*argc*/, char* /*argv*/[]) {
  return 0;
}
