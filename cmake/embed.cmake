# cmake -DROOT=folder -DFILES=a.bend:b/c.bend -DOUT=file.cc -P embed.cmake
#
# Writes a C++ source that defines the table of compiler/driver/embedded.h:
# one byte array per file, then a row (name, bytes, size) per file.
string(REPLACE ":" ";" files "${FILES}")
set(arrays "")
set(rows "")
set(number 0)
foreach(name IN LISTS files)
  file(READ ${ROOT}/${name} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  # 8 bytes a line keeps the compiler and people content.
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
  string(APPEND arrays
    "const unsigned char kFile${number}[] = {\n${bytes}0};\n")
  string(APPEND rows
    "    {\"${name}\", kFile${number}, sizeof kFile${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()

set(text "// Written by cmake/embed.cmake from compiler/lib.\n")
string(APPEND text "#include \"compiler/driver/embedded.h\"\n\n")
string(APPEND text "namespace tine {\nnamespace {\n${arrays}")
string(APPEND text "// The last row ends the table.\n")
string(APPEND text
  "const EmbeddedFile kRows[] = {\n${rows}    {nullptr, nullptr, 0},\n};\n")
string(APPEND text "}  // namespace\n\n")
string(APPEND text
  "const EmbeddedFile* embedded_files() { return kRows; }\n\n")
string(APPEND text "}  // namespace tine\n")
file(WRITE ${OUT} "${text}")
