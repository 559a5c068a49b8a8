/* The whole program as a function: its main() under another name. */
int program_main(int argc, char *argv[]);
#define main program_main
#include "cli/main.c"
