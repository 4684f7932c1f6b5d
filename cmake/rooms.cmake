# tine_room(name folder.. [NEEDS library..]): every .cc of the folders becomes
# one static library. A room without sources yet is an empty library.

# What every target of the project is built with.
add_library(tine_flags INTERFACE)
target_include_directories(tine_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(tine_flags INTERFACE -Wall -Wextra)
target_link_libraries(tine_flags INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
if(TINE_WERROR)
  # gcc 12 warns of overlapping copies inside std::string that cannot happen
  # (GCC bug 105329); no code of ours is at fault.
  target_compile_options(tine_flags INTERFACE -Werror -Wno-restrict)
endif()
if(TINE_SANITIZE)
  # With sanitizers gcc 12 cannot see that Boost's numbers are initialized.
  target_compile_options(tine_flags INTERFACE -Wno-maybe-uninitialized)
  set(tine_sanitizers -fsanitize=${TINE_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
  target_compile_options(tine_flags INTERFACE ${tine_sanitizers})
  target_link_options(tine_flags INTERFACE ${tine_sanitizers})
endif()
target_compile_definitions(tine_flags INTERFACE
  TINE_VERIFY_DEFAULT=$<BOOL:${TINE_VERIFY}>)

function(tine_room name)
  cmake_parse_arguments(room "" "" "NEEDS" ${ARGN})
  set(globs ${room_UNPARSED_ARGUMENTS})
  list(TRANSFORM globs APPEND "/*.cc")
  file(GLOB files CONFIGURE_DEPENDS ${globs})
  if(files)
    add_library(${name} STATIC ${files})
    target_link_libraries(${name} PUBLIC tine_flags Boost::headers
      ${room_NEEDS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE tine_flags Boost::headers
      ${room_NEEDS})
  endif()
endfunction()
