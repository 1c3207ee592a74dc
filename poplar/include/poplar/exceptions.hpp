// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace poplar {

/// What went wrong; the message names the objects.
struct poplar_error : std::runtime_error {
  explicit poplar_error(const std::string& what) : std::runtime_error(what.c_str()) {}
  explicit poplar_error(const char* what) : std::runtime_error(what) {}
};

struct control_program_error : poplar_error {
  using poplar_error::poplar_error;
};
struct file_load_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_connection_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_cycle_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_memory_allocation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_object_creation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_object_load_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_program_compilation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_recursion_error : poplar_error {
  using poplar_error::poplar_error;
};
struct index_error : poplar_error {
  using poplar_error::poplar_error;
};
struct invalid_machine_model : poplar_error {
  using poplar_error::poplar_error;
};
struct invalid_option : poplar_error {
  using poplar_error::poplar_error;
};
struct invalid_tile_mapping : poplar_error {
  using poplar_error::poplar_error;
};
struct memory_elem_constraints_error : poplar_error {
  using poplar_error::poplar_error;
};
struct missing_cycle_estimate : poplar_error {
  using poplar_error::poplar_error;
};
struct no_environment : poplar_error {
  using poplar_error::poplar_error;
};
struct overflow_error : poplar_error {
  using poplar_error::poplar_error;
};
struct parse_error : poplar_error {
  using poplar_error::poplar_error;
};
struct profiling_disabled : poplar_error {
  using poplar_error::poplar_error;
};
struct stream_connection_error : poplar_error {
  using poplar_error::poplar_error;
};
struct stream_memory_allocation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct symbol_error : poplar_error {
  using poplar_error::poplar_error;
};
struct tensor_creation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct tensor_io_state_error : poplar_error {
  using poplar_error::poplar_error;
};
struct type_error : poplar_error {
  using poplar_error::poplar_error;
};
struct undefined_parameter_error : poplar_error {
  using poplar_error::poplar_error;
};
struct unknown_field : poplar_error {
  using poplar_error::poplar_error;
};
struct unknown_vertex_type : poplar_error {
  using poplar_error::poplar_error;
};

struct runtime_error : poplar_error {
  using poplar_error::poplar_error;
};
struct application_runtime_error : runtime_error {
  using runtime_error::runtime_error;
};
struct system_runtime_error : runtime_error {
  using runtime_error::runtime_error;
};
struct link_error : runtime_error {
  using runtime_error::runtime_error;
};
struct recoverable_runtime_error : system_runtime_error {
  using system_runtime_error::system_runtime_error;
};
struct unrecoverable_runtime_error : system_runtime_error {
  using system_runtime_error::system_runtime_error;
};

}  // namespace poplar
