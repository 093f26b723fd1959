/* SPDX-License-Identifier: MIT */
/* Messages and the progress line. */
#include "table.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/size_words.h"
#include "heard.h"
#include "tool/messages.h"
#include "tool/progress_priv.h"
#include "words.h"

static void set_columns(int fd, unsigned short columns)
{
    const struct winsize size = {.ws_row = 10, .ws_col = columns};

    CHECK(ioctl(fd, TIOCSWINSZ, &size) == 0);
}

/* A terminal of 40 columns. Returns false if none can be opened. */
static bool listen_to_terminal(void)
{
    struct termios modes;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    int slave = -1;

    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        return false;
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (slave < 0)
        return false;
    CHECK(tcgetattr(slave, &modes) == 0);
    cfmakeraw(&modes); /* so that a newline stays one */
    CHECK(tcsetattr(slave, TCSANOW, &modes) == 0);
    set_columns(slave, 40);
    listen_on(master, slave);
    return true;
}
static void say_everything(void)
{
    struct error error = {.status = STATUS_FAILED, .reason = "in.f32: broken"};
    struct error usage = {.code = ERROR_COMMAND,
                          .status = STATUS_USAGE,
                          .reason = "-w 0: a window has 1 frame or more"};
    struct error quiet = {.status = STATUS_FAILED, .quiet = true, .reason = "not to be seen"};

    messages_error(&error);
    messages_error(&usage);
    messages_error(&quiet);
    messages_warning("%s: %d frames", "in.f32", 3);
    messages_note("plan: %s", "none");
    messages_answer("asked");
    messages_status("going on");
    messages_status("");
}

static void test_levels(void)
{
    listen_to_pipe();
    messages_level(MESSAGES_VERBOSE);
    say_everything();
    expect("verbose", "gpuenv: in.f32: broken\n"
                      "gpuenv: -w 0: a window has 1 frame or more (see gpuenv --help)\n"
                      "gpuenv: in.f32: 3 frames\n"
                      "gpuenv: plan: none\n"
                      "gpuenv: asked\n"
                      "gpuenv: going on\n");
    listen_to_pipe();
    messages_level(MESSAGES_NORMAL);
    say_everything();
    expect("normal", "gpuenv: in.f32: broken\n"
                     "gpuenv: -w 0: a window has 1 frame or more (see gpuenv --help)\n"
                     "gpuenv: in.f32: 3 frames\n"
                     "gpuenv: asked\n"
                     "gpuenv: going on\n");
    listen_to_pipe();
    messages_level(MESSAGES_QUIET);
    say_everything();
    expect("quiet", "gpuenv: in.f32: broken\n"
                    "gpuenv: -w 0: a window has 1 frame or more (see gpuenv --help)\n"
                    "gpuenv: asked\n");
}

/* One line, however odd or long a file name is. */
static void test_one_line(void)
{
    char name[4000];

    listen_to_pipe();
    messages_level(MESSAGES_NORMAL);
    messages_warning("a\nb\033[31mc\177\td\303\251");
    expect("controls", "gpuenv: a?b?[31mc?\\td\303\251\n");

    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    listen_to_pipe();
    messages_warning("%s", name);
    messages_answer(name);
    CHECK(strchr(what_was_said(), '\n') != NULL);
    stop_listening();
    CHECK(heard.text[strlen(heard.text) - 1] == '\n');
    CHECK(strchr(heard.text, '\n') < strrchr(heard.text, '\n'));
    CHECK(strstr(heard.text, "xxx\ngpuenv: xxx") != NULL);
}

static void test_terminal(void)
{
    if (!listen_to_terminal()) {
        puts("no terminal here: not tested");
        return;
    }
    messages_level(MESSAGES_NORMAL);
    messages_status("100%");
    messages_status("a line that is longer than the terminal is wide");
    messages_status("9%");
    messages_warning("stop");
    messages_status("20%");
    messages_status("");
    messages_status("");
    for (int i = 0; i < 2; i++) {
        set_columns(STDERR_FILENO, 40);
        messages_status("this needs more than 20");
        set_columns(STDERR_FILENO, 20);
        messages_status(i == 0 ? "" : "30%");
    }
    expect("terminal", "\rgpuenv: 100%"
                       "\rgpuenv: a line that is longer than the "
                       "\rgpuenv: 9%                             "
                       "\r          \rgpuenv: stop\n"
                       "\rgpuenv: 20%"
                       "\r           \r"
                       "\rgpuenv: this needs more than 20"
                       "\r                   \r"
                       "\rgpuenv: this needs more than 20"
                       "\rgpuenv: 30%        ");
}

static void test_amounts(void)
{
    TABLE (row, "amounts", 4) {
        char text[64];

        size_amount(strtod(row.field[0], NULL), strcmp(row.field[1], "binary") == 0, row.field[2],
                    text, sizeof text);
        CHECK_THAT(strcmp(text, row.field[3]) == 0, "%s, not %s", text, row.field[3]);
    }
}

static void test_format(void)
{
    TABLE (row, "lines", 4) {
        const struct progress progress = {
            .total_frames = strtoull(row.field[0], NULL, 10), .frame_bytes = 8, .engine = "cpu"};
        const double seconds = strtod(row.field[1], NULL);
        const uint64_t frames = strtoull(row.field[2], NULL, 10);
        char text[256];
        char tiny[8];

        progress_format(&progress, seconds, frames, text, sizeof text);
        CHECK_THAT(strcmp(text, row.field[3]) == 0, "\n  said %s\n  want %s", text, row.field[3]);
        progress_format(&progress, seconds, frames, tiny, sizeof tiny);
        CHECK(strlen(tiny) == sizeof tiny - 1 && strncmp(tiny, text, sizeof tiny - 1) == 0);
    }
}

static void test_init(void)
{
    struct progress progress;

    listen_to_pipe(); /* no terminal */
    messages_level(MESSAGES_NORMAL);
    progress_init(&progress, PROGRESS_AUTO, false, 1, 2, "cpu");
    CHECK(!progress.shown && progress.total_frames == 1 && progress.frame_bytes == 2);
    progress_init(&progress, PROGRESS_OFF, false, 1, 2, "cpu");
    CHECK(!progress.shown);
    progress_init(&progress, PROGRESS_ON, false, 1, 2, "cpu");
    CHECK(progress.shown && progress.from_seconds == 0);
    stop_listening();

    if (!listen_to_terminal())
        return;
    progress_init(&progress, PROGRESS_AUTO, false, 1, 2, "cpu");
    CHECK(progress.shown && progress.from_seconds == 1);
    progress_init(&progress, PROGRESS_AUTO, true, 1, 2, "cpu");
    CHECK(!progress.shown);
    progress_init(&progress, PROGRESS_ON, true, 1, 2, "cpu");
    CHECK(progress.shown);
    progress_init(&progress, PROGRESS_OFF, false, 1, 2, "cpu");
    CHECK(!progress.shown);
    stop_listening();
}

/* The number of lines. */
static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text != '\0'; text++)
        lines += *text == '\n' ? 1 : 0;
    return lines;
}

/* Where lines cannot be overwritten, they come once a second. */
static void test_update(void)
{
    struct progress progress;

    listen_to_pipe();
    messages_level(MESSAGES_NORMAL);
    progress_listen();
    progress_init(&progress, PROGRESS_ON, false, UINT64_MAX, 4, "cpu");
    progress_update(&progress, 1);
    progress_update(&progress, 2);
    progress_update(&progress, 3);
    progress.started -= 1;
    progress_update(&progress, 4);
    progress_end(&progress);
    progress_update(&progress, 5);
    what_was_said();
    stop_listening();
    CHECK_THAT(count_lines(heard.text) == 2, "%s", heard.text);
    CHECK(strncmp(heard.text, "gpuenv: 1 frame (4 B), ", 23) == 0);
    CHECK(strstr(heard.text, "\ngpuenv: 4 frames (16 B), ") != NULL);
}

/* Without messages only the answer to a signal remains. */
static void test_usr1(void)
{
    struct progress progress;
    struct sigaction action;

    listen_to_pipe();
    messages_level(MESSAGES_QUIET);
    progress_init(&progress, PROGRESS_ON, false, UINT64_MAX, 4, "cpu");
    progress_update(&progress, 1);
    CHECK(raise(SIGUSR1) == 0 && raise(SIGUSR1) == 0);
    progress_update(&progress, 2);
    progress_update(&progress, 3);
    progress_end(&progress);
    what_was_said();
    stop_listening();
    CHECK_THAT(count_lines(heard.text) == 1, "%s", heard.text);
    CHECK(strncmp(heard.text, "gpuenv: 2 frames (8 B), ", 24) == 0);
    CHECK(sigaction(SIGUSR1, NULL, &action) == 0 && (action.sa_flags & SA_RESTART) != 0);
}
CHECK_MAIN(test_levels, test_one_line, test_terminal, test_amounts, test_format, test_init,
           test_update, test_usr1)
