# Defines SystemC::systemc: from Accellera's own CMake package when that is installed, otherwise
# from the usual places or SYSTEMC_HOME. Debian ships no such package.
if(NOT TARGET SystemC::systemc)
  find_package(SystemCLanguage CONFIG QUIET)
endif()
if(TARGET SystemC::systemc)
  set(SystemC_FOUND TRUE)
  return()
endif()
find_path(SYSTEMC_INCLUDE_DIR systemc HINTS ENV SYSTEMC_HOME PATH_SUFFIXES include)
find_library(SYSTEMC_LIBRARY systemc HINTS ENV SYSTEMC_HOME PATH_SUFFIXES lib lib-linux64)
mark_as_advanced(SYSTEMC_INCLUDE_DIR SYSTEMC_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS SYSTEMC_LIBRARY SYSTEMC_INCLUDE_DIR)
if(SystemC_FOUND)
  # SYSTEM: code that includes its headers gets no warnings from them.
  add_library(SystemC::systemc UNKNOWN IMPORTED)
  set_target_properties(SystemC::systemc PROPERTIES
    IMPORTED_LOCATION ${SYSTEMC_LIBRARY}
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${SYSTEMC_INCLUDE_DIR}
    INTERFACE_INCLUDE_DIRECTORIES ${SYSTEMC_INCLUDE_DIR})
endif()
