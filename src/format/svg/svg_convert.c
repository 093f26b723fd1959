/* SPDX-License-Identifier: MIT */
#include "format/svg/svg_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/spool.h"

int svg_converter_open(struct svg_converter *converter, const char *format,
                       const struct output *output, struct error *error)
{
    char *arguments[] = {"rsvg-convert", "--unlimited", "-f", (char *)format, NULL};
    int ends[2];
    int number;

    *converter = (struct svg_converter){.feed = -1, .made = -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    converter->feed = ends[1];
    converter->made = memfd_create("gpuenv", MFD_CLOEXEC);
    number = converter->made < 0
                 ? errno
                 : program_start(&converter->program, arguments, ends[0], converter->made);
    close(ends[0]);
    if (number == ENOENT)
        return error_set(error, ERROR_FILE, output->name,
                         "is drawn by the program rsvg-convert, which is not installed: install "
                         "the package librsvg2-bin, or write .svg");
    return number == 0 ? 0 : error_system(error, ERROR_FILE, output->name, number);
}

/* If the program does not read everything, it has ended too early, and its status says why. */
static void put_all(struct svg_converter *converter, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = TEMP_FAILURE_RETRY(write(converter->feed, bytes, size));

        if (written <= 0)
            break;
        bytes += written;
        size -= (size_t)written;
    }
    close(converter->feed);
    converter->feed = -1;
}

int svg_converter_finish(struct svg_converter *converter, const char *bytes, size_t size,
                         struct output *output, struct error *error)
{
    char words[PROGRAM_WORDS];
    struct stat made;
    int status;

    put_all(converter, bytes, size);
    if (program_wait(&converter->program, &status) != 0 || fstat(converter->made, &made) != 0)
        return error_system(error, ERROR_FILE, output->name, errno);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(error, ERROR_FILE, output->name, "cannot be drawn: %s: %s",
                         converter->program.name,
                         WIFEXITED(status) ? program_words(&converter->program, words)
                                           : "was ended by a signal");
    return spool_copy_out(converter->made, 0, (uint64_t)made.st_size, output, error);
}

void svg_converter_close(struct svg_converter *converter)
{
    program_stop(&converter->program);
    if (converter->feed >= 0)
        close(converter->feed);
    if (converter->made >= 0)
        close(converter->made);
}
