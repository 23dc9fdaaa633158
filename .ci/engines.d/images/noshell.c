/*
 * The only program of an image without a shell. It prints its arguments and its environment, then obeys those of its arguments
 * that it knows: err=TEXT writes a line to stderr, sleep=SECONDS waits, exit=CODE ends it with that code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
    int code = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < argc; i++) {
        printf("argv[%d]=%s\n", i, argv[i]);
    }
    for (char **entry = environ; *entry != NULL; entry++) {
        printf("env %s\n", *entry);
    }
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "err=", 4) == 0) {
            fprintf(stderr, "%s\n", argv[i] + 4);
        } else if (strncmp(argv[i], "sleep=", 6) == 0) {
            sleep((unsigned) strtoul(argv[i] + 6, NULL, 10));
        } else if (strncmp(argv[i], "exit=", 5) == 0) {
            code = (int) strtol(argv[i] + 5, NULL, 10);
        }
    }
    return code;
}
