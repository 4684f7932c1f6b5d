# The library tine_embedded: compiler/lib/**/*.bend and the pages of
# `tine explain` as bytes in the binary.
# cmake/embed.cmake writes the source; see compiler/driver/embedded.h.
file(GLOB_RECURSE tine_bend_files CONFIGURE_DEPENDS
  RELATIVE ${PROJECT_SOURCE_DIR}/compiler/lib
  ${PROJECT_SOURCE_DIR}/compiler/lib/*.bend)
list(SORT tine_bend_files)
list(APPEND tine_bend_files explain.txt)
set(tine_bend_paths ${tine_bend_files})
list(TRANSFORM tine_bend_paths PREPEND ${PROJECT_SOURCE_DIR}/compiler/lib/)
# A list does not survive a shell command line with semicolons: join by ":".
string(JOIN ":" tine_bend_joined ${tine_bend_files})

set(tine_embedded_cc ${PROJECT_BINARY_DIR}/embedded.cc)
add_custom_command(
  OUTPUT ${tine_embedded_cc}
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/compiler/lib
    -DFILES=${tine_bend_joined} -DOUT=${tine_embedded_cc}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${tine_bend_paths} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  VERBATIM)
add_library(tine_embedded STATIC ${tine_embedded_cc})
target_link_libraries(tine_embedded PUBLIC tine_flags)
