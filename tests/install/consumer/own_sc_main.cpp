// SPDX-License-Identifier: Apache-2.0
// A program whose main is that of libsystemc.
#include <iostream>
#include <systemc>

#include "ipusim/version.h"

int sc_main(int argc, char* /*argv*/[]) {
  sc_core::sc_start(2, sc_core::SC_NS);
  std::cout << ipusim::libraryVersion() << ' ' << sc_core::sc_time_stamp() << ' ' << argc << '\n';
  return 0;
}
