# Finds LLVM's headers and its shared library of version 16, as Debian installs them. LLVM's own
# package file asks for a compiler of C, which this project has no other use for.
#
# Sets LLVM16_FOUND and makes the target LLVM16::LLVM.
# The interface of the passes changes from version to version; this project is written for 16.
find_path(LLVM16_INCLUDE_DIR llvm/IR/PassManager.h HINTS /usr/lib/llvm-16/include)
find_library(LLVM16_LIBRARY NAMES LLVM-16 HINTS /usr/lib/llvm-16/lib)
mark_as_advanced(LLVM16_INCLUDE_DIR LLVM16_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LLVM16 REQUIRED_VARS LLVM16_LIBRARY LLVM16_INCLUDE_DIR)
if(LLVM16_FOUND AND NOT TARGET LLVM16::LLVM)
  add_library(LLVM16::LLVM SHARED IMPORTED)
  set_target_properties(LLVM16::LLVM PROPERTIES
    IMPORTED_LOCATION ${LLVM16_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LLVM16_INCLUDE_DIR})
endif()
