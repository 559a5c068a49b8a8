# Writes the bytes of IN as a C array NAME, with its length NAME_size, to OUT:
#     cmake -DIN=map.html -DOUT=map_html.c -DNAME=map_html -P embed.cmake
file(READ "${IN}" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUT}" "#include \"render/page.h\"\n\n"
  "const unsigned char ${NAME}[] = {\n    ${bytes}\n};\nconst size_t ${NAME}_size = ${size};\n")
