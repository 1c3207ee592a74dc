# Defines SimGrid::simgrid from the usual places. Debian ships no CMake package of it.
find_path(SIMGRID_INCLUDE_DIR simgrid/s4u.hpp)
find_library(SIMGRID_LIBRARY simgrid)
mark_as_advanced(SIMGRID_INCLUDE_DIR SIMGRID_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SimGrid REQUIRED_VARS SIMGRID_LIBRARY SIMGRID_INCLUDE_DIR)
if(SimGrid_FOUND AND NOT TARGET SimGrid::simgrid)
  # SYSTEM: code that includes its headers gets no warnings from them.
  add_library(SimGrid::simgrid UNKNOWN IMPORTED)
  set_target_properties(SimGrid::simgrid PROPERTIES
    IMPORTED_LOCATION ${SIMGRID_LIBRARY}
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${SIMGRID_INCLUDE_DIR}
    INTERFACE_INCLUDE_DIRECTORIES ${SIMGRID_INCLUDE_DIR})
endif()
