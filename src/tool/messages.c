/* SPDX-License-Identifier: MIT */
#include "tool/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/min_max.h"
#include "base/utf8.h"
#include "io/output.h"
#include "tool/error_words.h"

enum {
    LINE_MOST = 2048,     /* bytes of a line, with prefix and newline */
    COLUMNS_MOST = 512,   /* columns of a status line, at most */
    COLUMNS_UNKNOWN = 80, /* where the terminal does not say */
    PATIENCE = 2000,      /* milliseconds to wait once for a full standard error */
};

/* The process has one printer, like standard error. The mutex guards all of it, and the order of
 * lines. */
static struct {
    pthread_mutex_t mutex;
    const char *program;
    const char *help;
    enum messages_level level;
    bool terminal; /* standard error is a terminal */
    size_t shown;  /* columns of the status line now shown */
    bool full;     /* standard error is not being read: the next line does not wait */
} printer = {.mutex = PTHREAD_MUTEX_INITIALIZER,
             .program = "gpuenv",
             .help = "--help",
             .level = MESSAGES_NORMAL};

void messages_init(const char *program)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
    printer.program = program;
    printer.terminal = isatty(STDERR_FILENO) == 1;
    printer.shown = 0;
}

void messages_help(const char *option)
{
    printer.help = option;
}

void messages_level(enum messages_level level)
{
    printer.level = level;
}

/* libmpg123 prints diagnostics, and as libsndfile uses it there is no switch for them. A stream
 * without a write function discards everything. */
void messages_silence_libraries(void)
{
#ifdef __GLIBC__ /* stderr is a variable there */
    FILE *nothing = fopencookie(NULL, "w", (cookie_io_functions_t){.write = NULL});

    if (nothing != NULL)
        stderr = nothing;
#endif
}

/* Writes everything to standard error, through short writes and full pipes. Returns -1 if that
 * fails, or if one wait takes longer than `milliseconds`: a write to a full pipe that is never read
 * would block forever. */
static int write_all(const char *bytes, size_t size, int milliseconds)
{
    struct pollfd writable = {.fd = STDERR_FILENO, .events = POLLOUT};

    while (size > 0) {
        int ready = poll(&writable, 1, milliseconds);
        ssize_t written = ready > 0 ? write(STDERR_FILENO, bytes, size) : -1;

        if (ready == 0 ||
            (written < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
            return -1;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return 0;
}

/* A line, or the last part of one on a terminal, is assembled and written at once: other programs
 * may write there, too. */
struct line {
    size_t used;
    char bytes[LINE_MOST];
};

/* Appends what fits, and keeps one byte for the end of the line. */
static void line_add(struct line *line, const char *bytes, size_t size)
{
    size_t capacity = sizeof line->bytes - 1 - line->used;

    if (size > capacity)
        size = capacity;
    memcpy(line->bytes + line->used, bytes, size);
    line->used += size;
}

static void line_add_text(struct line *line, const char *text)
{
    while (*text != '\0') {
        struct utf8_shown shown;
        bool tab = *text == '\t';

        text += utf8_show(text, &shown);
        line_add(line, tab ? "\\t" : shown.bytes, tab ? 2 : shown.size);
    }
}

static void line_add_blanks(struct line *line, size_t count)
{
    while (count-- > 0)
        line_add(line, " ", 1);
}

/* If standard error itself fails, nothing can be reported. */
static void line_write(const struct line *line)
{
    int saved = errno;

    printer.full = write_all(line->bytes, line->used, printer.full ? 0 : PATIENCE) != 0;
    errno = saved;
}

/* The usable columns: a line that reaches the last one may wrap, and a wrapped line cannot be
 * erased. */
static size_t usable_columns(void)
{
    struct winsize size = {0};
    size_t columns = COLUMNS_UNKNOWN;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        columns = size.ws_col;
    return (columns < COLUMNS_MOST ? columns : COLUMNS_MOST) - 1;
}

/* Erases the status line, without escape sequences: with no more blanks than fit, if the terminal
 * has become narrower. Call with the mutex held. */
static void line_add_clearing(struct line *line)
{
    if (printer.shown == 0)
        return;
    line_add(line, "\r", 1);
    line_add_blanks(line, (size_t)min_u64(printer.shown, usable_columns()));
    line_add(line, "\r", 1);
    printer.shown = 0;
}

/* Writes "PROGRAM: TEXT" as a line. Call with the mutex held. */
static void write_message(const char *text)
{
    struct line line = {.used = 0};

    line_add_clearing(&line);
    line_add_text(&line, printer.program);
    line_add_text(&line, ": ");
    line_add_text(&line, text);
    line.bytes[line.used++] = '\n';
    line_write(&line);
}

static void print_line(enum messages_level level, const char *text)
{
    pthread_mutex_lock(&printer.mutex);
    if (level <= printer.level)
        write_message(text);
    pthread_mutex_unlock(&printer.mutex);
}

void messages_error(const struct error *error)
{
    char words[ERROR_WORDS];
    size_t size;

    if (error->quiet)
        return;
    size = strlen(error_words(error, words));
    if (error->status == STATUS_USAGE && error->code != ERROR_TRY)
        snprintf(words + size, sizeof words - size, " (see %s %s)", printer.program, printer.help);
    print_line(MESSAGES_QUIET, words);
}

void messages_warning(const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line(MESSAGES_NORMAL, text);
}

void messages_note(const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line(MESSAGES_VERBOSE, text);
}

void messages_answer(const char *text)
{
    print_line(MESSAGES_QUIET, text);
}

/* Writes the status over the previous one. Call with the mutex held. */
static void renew_status(const char *text)
{
    struct line line = {.used = 0};
    size_t capacity = usable_columns();
    size_t before = (size_t)min_u64(printer.shown, capacity);
    size_t columns = 0;

    line_add(&line, "\r", 1);
    line_add_text(&line, printer.program);
    line_add_text(&line, ": ");
    line_add_text(&line, text);
    if (line.used > capacity + 1)
        line.used = capacity + 1;
    columns = line.used - 1;
    if (columns < before)
        line_add_blanks(&line, before - columns);
    line_write(&line);
    printer.shown = columns;
}

void messages_status(const char *text)
{
    struct line clearing = {.used = 0};

    pthread_mutex_lock(&printer.mutex);
    if (printer.level != MESSAGES_QUIET) {
        if (text[0] == '\0') {
            line_add_clearing(&clearing);
            if (clearing.used > 0)
                line_write(&clearing);
        } else if (printer.terminal)
            renew_status(text);
        else
            write_message(text);
    }
    pthread_mutex_unlock(&printer.mutex);
}

int messages_print(const char *text, struct error *error)
{
    struct output output = {.name = "standard output", .fd = STDOUT_FILENO};

    return output_write(&output, text, strlen(text), error);
}
