# Debian ships SystemC without a CMake package. SYSTEM: warnings in its headers are not ours.
find_path(SYSTEMC_INCLUDE_DIR systemc REQUIRED)
find_library(SYSTEMC_LIBRARY systemc REQUIRED)
add_library(SystemC::systemc UNKNOWN IMPORTED)
set_target_properties(SystemC::systemc PROPERTIES
  IMPORTED_LOCATION ${SYSTEMC_LIBRARY}
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${SYSTEMC_INCLUDE_DIR})
