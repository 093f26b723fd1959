/* What a run says of itself: messages, the progress line, the report. */
#include "check.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/report.h"

/* Standard error while a test listens to it. */
static struct {
    int old;
    int reader;
    char text[8192];
} heard;

static void listen_on(int reader, int writer)
{
    heard.reader = reader;
    heard.old = dup(STDERR_FILENO);
    CHECK(heard.old >= 0 && dup2(writer, STDERR_FILENO) == STDERR_FILENO);
    close(writer);
}

static void listen_to_pipe(void)
{
    int ends[2] = {-1, -1};

    CHECK(pipe(ends) == 0);
    listen_on(ends[0], ends[1]);
}

/* A terminal of 40 columns. Returns false where there is none to be had. */
static bool listen_to_terminal(void)
{
    struct winsize size = {.ws_row = 10, .ws_col = 40};
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
    CHECK(ioctl(slave, TIOCSWINSZ, &size) == 0);
    listen_on(master, slave);
    return true;
}

/* What was said until now. */
static const char *what_was_said(void)
{
    size_t used = 0;
    ssize_t got = 0;

    CHECK(fcntl(heard.reader, F_SETFL, O_NONBLOCK) == 0);
    while ((got = read(heard.reader, heard.text + used, sizeof heard.text - 1 - used)) > 0)
        used += (size_t)got;
    heard.text[used] = '\0';
    return heard.text;
}

static void stop_listening(void)
{
    CHECK(dup2(heard.old, STDERR_FILENO) == STDERR_FILENO);
    close(heard.old);
    close(heard.reader);
}

/* Compares when standard error is our own again, so that a failure can be read. */
static void expect(const char *where, const char *want)
{
    char said[sizeof heard.text];

    snprintf(said, sizeof said, "%s", what_was_said());
    stop_listening();
    CHECK_THAT(strcmp(said, want) == 0, "%s:\n  said %s\n  want %s", where, said, want);
}

static void say_everything(void)
{
    struct error error = {.status = STATUS_FAILED, .text = "in.f32: broken"};
    struct error usage = {.status = STATUS_USAGE, .text = "-w 0: a window has 1 frame or more"};
    struct error quiet = {.status = STATUS_FAILED, .quiet = true, .text = "not to be seen"};

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
    messages_init(MESSAGES_VERBOSE);
    say_everything();
    expect("verbose", "gpuenv: in.f32: broken\n"
                      "gpuenv: -w 0: a window has 1 frame or more (see gpuenv --help)\n"
                      "gpuenv: in.f32: 3 frames\n"
                      "gpuenv: plan: none\n"
                      "gpuenv: asked\n"
                      "gpuenv: going on\n");
    listen_to_pipe();
    messages_init(MESSAGES_NORMAL);
    say_everything();
    expect("normal", "gpuenv: in.f32: broken\n"
                     "gpuenv: -w 0: a window has 1 frame or more (see gpuenv --help)\n"
                     "gpuenv: in.f32: 3 frames\n"
                     "gpuenv: asked\n"
                     "gpuenv: going on\n");
    listen_to_pipe();
    messages_init(MESSAGES_QUIET);
    say_everything();
    expect("quiet", "gpuenv: in.f32: broken\n"
                    "gpuenv: -w 0: a window has 1 frame or more (see gpuenv --help)\n"
                    "gpuenv: asked\n");
}

/* One line, whatever a file is called, and however long. */
static void test_one_line(void)
{
    char name[4000];

    listen_to_pipe();
    messages_init(MESSAGES_NORMAL);
    messages_warning("a\nb\033[31mc\177\td\303\251");
    expect("controls", "gpuenv: a?b?[31mc??d\303\251\n");

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
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    if (!listen_to_terminal()) {
        puts("no terminal here: not tested");
        return;
    }
    messages_init(MESSAGES_NORMAL);
    messages_status("10%");
    messages_status("a line that is longer than the terminal is wide");
    messages_warning("stop");
    messages_status("20%");
    messages_status("");
    messages_status("");
    expect("xterm", "\rgpuenv: 10%\033[K"
                    "\rgpuenv: a line that is longer than the \033[K"
                    "\r\033[Kgpuenv: stop\n"
                    "\rgpuenv: 20%\033[K"
                    "\r\033[K");

    setenv("NO_COLOR", "1", 1);
    CHECK(listen_to_terminal());
    messages_init(MESSAGES_NORMAL);
    messages_status("100%");
    messages_status("9%");
    messages_warning("stop");
    messages_status("");
    expect("NO_COLOR", "\rgpuenv: 100%"
                       "\rgpuenv: 9%  "
                       "\r          \rgpuenv: stop\n");
    unsetenv("NO_COLOR");

    setenv("TERM", "dumb", 1);
    CHECK(listen_to_terminal());
    messages_init(MESSAGES_NORMAL);
    messages_status("1%");
    messages_status("");
    expect("dumb", "\rgpuenv: 1%\r          \r");
}

static void test_print(void)
{
    struct error error = {.text = ""};
    int ends[2] = {-1, -1};
    int old = dup(STDOUT_FILENO);
    int full = open("/dev/full", O_WRONLY);

    fflush(stdout);
    CHECK(old >= 0 && full >= 0 && dup2(full, STDOUT_FILENO) == STDOUT_FILENO);
    CHECK(messages_print("text", &error) == -1);
    CHECK(strcmp(error.text, "standard output: No space left on device") == 0);
    CHECK(error.status == STATUS_FAILED && !error.quiet);

    signal(SIGPIPE, SIG_IGN);
    CHECK(pipe(ends) == 0 && dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO);
    close(ends[0]);
    CHECK(messages_print("text", &error) == -1);
    CHECK(error.quiet);
    signal(SIGPIPE, SIG_DFL);

    CHECK(dup2(old, STDOUT_FILENO) == STDOUT_FILENO);
    close(old);
    close(full);
    close(ends[1]);
}

static void test_amounts(void)
{
    static const struct {
        double amount;
        bool binary;
        const char *unit;
        const char *text;
    } amounts[] = {
        {0, false, "frames", "0 frames"},
        {1, false, "frame", "1 frame"},
        {999, false, "frame/s", "999 frame/s"},
        {999.4, false, "frame/s", "999 frame/s"},
        {999.5, false, "frame/s", "1.0 kframe/s"},
        {1000, false, "frame/s", "1.0 kframe/s"},
        {3400000, false, "frame/s", "3.4 Mframe/s"},
        {999940, false, "frame/s", "999.9 kframe/s"},
        {999960, false, "frame/s", "1.0 Mframe/s"},
        {1023, true, "B", "1023 B"},
        {1024, true, "B", "1.0 KiB"},
        {1023.6 * 1024, true, "B", "1023.6 KiB"},
        {1023.96 * 1024, true, "B", "1.0 MiB"},
        {1.2 * 1073741824, true, "B", "1.2 GiB"},
        {18446744073709551615.0, true, "B", "16.0 EiB"},
        {18446744073709551615.0, false, "frames", "18.4 Eframes"},
        {1e30, false, "frames", "1000000000000.0 Eframes"},
    };

    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        char text[64];

        progress_amount(amounts[i].amount, amounts[i].binary, amounts[i].unit, text, sizeof text);
        CHECK_THAT(strcmp(text, amounts[i].text) == 0, "%s, not %s", text, amounts[i].text);
    }
}

static void test_format(void)
{
    static const struct {
        uint64_t total;
        double seconds;
        uint64_t frames;
        const char *text;
    } lines[] = {
        {UINT64_MAX, 0, 0, "0 frames (0 B), 0 frame/s, 0:00 so far, cpu"},
        {UINT64_MAX, 2, 1, "1 frame (8 B), 0 frame/s, 0:02 so far, cpu"},
        {UINT64_MAX, 65, 6500000, "6.5 Mframes (49.6 MiB), 100.0 kframe/s, 1:05 so far, cpu"},
        {UINT64_MAX, 3725, 0, "0 frames (0 B), 0 frame/s, 1:02:05 so far, cpu"},
        {UINT64_MAX, 59.7, 0, "0 frames (0 B), 0 frame/s, 1:00 so far, cpu"},
        {UINT64_MAX, 1e6, 0, "0 frames (0 B), 0 frame/s, 12 days so far, cpu"},
        {UINT64_MAX, -1, 5, "5 frames (40 B), 0 frame/s, 0:00 so far, cpu"},
        {UINT64_MAX, (double)NAN, 5, "5 frames (40 B), 0 frame/s, 0:00 so far, cpu"},
        {1000, 10, 250, "250 frames (2.0 KiB), 25%, 25 frame/s, 0:30 left, cpu"},
        {1000, 10, 999, "999 frames (7.8 KiB), 99%, 100 frame/s, 0:00 left, cpu"},
        {1000, 10, 1000, "1.0 kframes (7.8 KiB), 100%, 100 frame/s, 0:00 left, cpu"},
        {1000, 10, 2000, "2.0 kframes (15.6 KiB), 100%, 200 frame/s, 0:00 left, cpu"},
        {1000, 10, 0, "0 frames (0 B), 0%, 0 frame/s, cpu"},
        {1000, 0, 5, "5 frames (40 B), 0%, 0 frame/s, cpu"},
        {0, 10, 0, "0 frames (0 B), 0 frame/s, cpu"},
        {UINT64_MAX - 1, 10, 1, "1 frame (8 B), 0%, 0 frame/s, 2135039823346013 days left, cpu"},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct progress progress = {
            .total_frames = lines[i].total, .frame_bytes = 8, .engine = "cpu"};
        char text[256];
        char tiny[8];

        progress_format(&progress, lines[i].seconds, lines[i].frames, text, sizeof text);
        CHECK_THAT(strcmp(text, lines[i].text) == 0, "\n  said %s\n  want %s", text, lines[i].text);
        progress_format(&progress, lines[i].seconds, lines[i].frames, tiny, sizeof tiny);
        CHECK(strlen(tiny) == sizeof tiny - 1 && strncmp(tiny, text, sizeof tiny - 1) == 0);
    }
}

static void test_init(void)
{
    struct progress progress;

    listen_to_pipe(); /* no terminal */
    messages_init(MESSAGES_NORMAL);
    progress_init(&progress, PROGRESS_AUTO, false, 1, 2, "cpu");
    CHECK(!progress.shown && progress.total_frames == 1 && progress.frame_bytes == 2);
    progress_init(&progress, PROGRESS_OFF, false, 1, 2, "cpu");
    CHECK(!progress.shown);
    progress_init(&progress, PROGRESS_ON, true, 1, 2, "cpu");
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
    progress_init(&progress, PROGRESS_OFF, false, 1, 2, "cpu");
    CHECK(!progress.shown);
    stop_listening();
}

/* How many lines there are. */
static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text != '\0'; text++)
        lines += *text == '\n' ? 1 : 0;
    return lines;
}

/* Where lines cannot be renewed, they come once a second. */
static void test_update(void)
{
    struct progress progress;

    listen_to_pipe();
    messages_init(MESSAGES_NORMAL);
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

static void test_usr1(void)
{
    struct progress progress;
    struct sigaction action;

    listen_to_pipe();
    messages_init(MESSAGES_QUIET);
    progress_init(&progress, PROGRESS_OFF, true, UINT64_MAX, 4, "cpu");
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

static struct report example(void)
{
    return (struct report){
        .input = "in.wav",
        .input_container = "wav",
        .input_encoding = "s16le",
        .output = "standard output",
        .output_container = "raw",
        .output_encoding = "f32le",
        .in_frames = UINT64_MAX,
        .out_frames = 3,
        .in_bytes = 12,
        .out_bytes = 24,
        .chunks = 1,
        .seconds = 0.1,
        .busy = {0.25, 1.0 / 3, 1e-9},
        .stats = "level.tsv",
        .stats_format = "tsv",
        .stats_records = 12,
        .engine = "cpu",
        .engine_words = "avx2, 2 threads",
        .width = 512,
        .hop = 1,
        .channels = 2,
        .clipped = 7,
        .status = 0,
        .error = NULL,
        .way = "pieces",
        .workers = 2,
    };
}

static int write_report(const struct report *report, const char *path, struct error *error)
{
    struct output output;
    int result;

    if (output_open(&output, path, true, NULL, error) != 0)
        return -1;
    result = report_write(report, &output, error);
    output_close(&output);
    return result;
}

/* The JSON of a report; "" when it could not be written. */
static const char *written(const struct report *report)
{
    static char text[8192];
    char path[] = "/tmp/gpuenv-test-XXXXXX";
    struct error error = {.text = ""};
    int folder_made = mkdtemp(path) != NULL;
    char file_name[64];
    FILE *file = NULL;
    size_t size = 0;

    CHECK(folder_made);
    snprintf(file_name, sizeof file_name, "%s/report.json", path);
    CHECK_THAT(write_report(report, file_name, &error) == 0, "%s", error.text);
    file = fopen(file_name, "r");
    CHECK(file != NULL);
    if (file != NULL) {
        size = fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    text[size] = '\0';
    CHECK(unlink(file_name) == 0 && rmdir(path) == 0);
    return text;
}

static void test_report(void)
{
    struct report report = example();
    const char *text = written(&report);

    CHECK(strstr(text, "{\n  \"version\": \"") == text);
    text = strchr(text + 2, '\n');
    CHECK_THAT(text != NULL && strcmp(text, "\n"
                                            "  \"status\": 0,\n"
                                            "  \"error\": null,\n"
                                            "  \"input\": \"in.wav\",\n"
                                            "  \"input_container\": \"wav\",\n"
                                            "  \"input_encoding\": \"s16le\",\n"
                                            "  \"output\": \"standard output\",\n"
                                            "  \"output_container\": \"raw\",\n"
                                            "  \"output_encoding\": \"f32le\",\n"
                                            "  \"channels\": 2,\n"
                                            "  \"width\": 512,\n"
                                            "  \"hop\": 1,\n"
                                            "  \"in_frames\": 18446744073709551615,\n"
                                            "  \"out_frames\": 3,\n"
                                            "  \"in_bytes\": 12,\n"
                                            "  \"out_bytes\": 24,\n"
                                            "  \"clipped\": 7,\n"
                                            "  \"chunks\": 1,\n"
                                            "  \"stats\": \"level.tsv\",\n"
                                            "  \"stats_format\": \"tsv\",\n"
                                            "  \"stats_records\": 12,\n"
                                            "  \"engine\": \"cpu\",\n"
                                            "  \"engine_words\": \"avx2, 2 threads\",\n"
                                            "  \"seconds\": 0.1,\n"
                                            "  \"busy\": {\"reader\": 0.25, "
                                            "\"engine\": 0.3333333333333333, "
                                            "\"writer\": 1e-09},\n"
                                            "  \"bottleneck\": \"engine\",\n"
                                            "  \"way\": \"pieces\",\n"
                                            "  \"why\": null,\n"
                                            "  \"workers\": 2\n"
                                            "}\n") == 0,
               "%s", text == NULL ? "" : text);

    report.seconds = (double)INFINITY;
    report.busy[2] = (double)NAN;
    report.status = 2;
    report.error = "in.f32: broken";
    text = written(&report);
    CHECK(strstr(text, "\"seconds\": null,") != NULL);
    CHECK(strstr(text, "\"writer\": null}") != NULL);
    CHECK(strstr(text, "\"status\": 2,\n  \"error\": \"in.f32: broken\",") != NULL);
}

/* File names are any bytes but NUL; what is not UTF-8 becomes U+FFFD, a byte at a time. */
static void test_strings(void)
{
    static const struct {
        const char *name;
        const char *json;
    } strings[] = {
        {"", "\"\""},
        {"a \"b\" \\ /", "\"a \\\"b\\\" \\\\ /\""},
        {"\n\t\r\001\037\177", "\"\\n\\t\\r\\u0001\\u001f\\u007f\""},
        {"\303\251 \342\202\254 \360\237\216\265", "\"\303\251 \342\202\254 \360\237\216\265\""},
        {"\302\200 \337\277 \340\240\200", "\"\302\200 \337\277 \340\240\200\""},
        {"\377\376x", "\"\\ufffd\\ufffdx\""},
        {"\200x\277", "\"\\ufffdx\\ufffd\""},                     /* stray tails */
        {"\303", "\"\\ufffd\""},                                  /* cut off */
        {"\303x", "\"\\ufffdx\""},                                /* cut off by a letter */
        {"\342\202", "\"\\ufffd\\ufffd\""},                       /* cut off later */
        {"\360\237\216x", "\"\\ufffd\\ufffd\\ufffdx\""},          /* later still */
        {"\300\200", "\"\\ufffd\\ufffd\""},                       /* too long for NUL */
        {"\301\277", "\"\\ufffd\\ufffd\""},                       /* too long for U+007F */
        {"\340\237\277", "\"\\ufffd\\ufffd\\ufffd\""},            /* too long for U+07FF */
        {"\360\217\277\277", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* too long for U+FFFF */
        {"\355\240\200", "\"\\ufffd\\ufffd\\ufffd\""},            /* a surrogate */
        {"\355\277\277", "\"\\ufffd\\ufffd\\ufffd\""},            /* the last of them */
        {"\355\237\277\356\200\200", "\"\355\237\277\356\200\200\""},
        {"\364\217\277\277", "\"\364\217\277\277\""},             /* U+10FFFF */
        {"\364\220\200\200", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* past it */
        {"\370\210\200\200\200", "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""},
    };

    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        struct report report = example();
        char want[128];

        report.input = strings[i].name;
        snprintf(want, sizeof want, "\n  \"input\": %s,\n", strings[i].json);
        CHECK_THAT(strstr(written(&report), want) != NULL, "%s", want);
    }
}

static void test_report_say(void)
{
    struct report report = example();

    report.in_frames = 3000;
    report.seconds = 0.5;
    listen_to_pipe();
    messages_init(MESSAGES_VERBOSE);
    report_say(&report);
    expect("report", "gpuenv: read 3000 frames (12 B) from in.wav\n"
                     "gpuenv: wrote 3 frames (24 B) to standard output\n"
                     "gpuenv: wrote 12 records of statistics to level.tsv\n"
                     "gpuenv: pieces, by 2 workers\n"
                     "gpuenv: cpu engine (avx2, 2 threads): 0.500 s, 6.0 kframe/s, 24 B/s, "
                     "chunks: 1\n"
                     "gpuenv: busy: reader 50%, engine 67%, writer 0%; the engine is the "
                     "bottleneck\n");
    report = (struct report){.input = NULL};
    listen_to_pipe();
    report_say(&report);
    expect("nothing", "gpuenv: read 0 frames (0 B) from standard input\n"
                      "gpuenv: wrote 0 frames (0 B) to standard output\n"
                      "gpuenv: no engine: 0.000 s, 0 frame/s, 0 B/s, chunks: 0\n"
                      "gpuenv: busy: reader 0%, engine 0%, writer 0%; the reader is the "
                      "bottleneck\n");
}

static void test_bottleneck(void)
{
    struct report report = {.busy = {1, 2, 3}};

    CHECK(strcmp(report_bottleneck(&report), "writer") == 0);
    report.busy[0] = 4;
    CHECK(strcmp(report_bottleneck(&report), "reader") == 0);
    report.busy[1] = 4.5;
    CHECK(strcmp(report_bottleneck(&report), "engine") == 0);
}

static void test_report_fails(void)
{
    struct report report = example();
    struct error error = {.text = ""};

    CHECK(write_report(&report, "/nowhere/to/report.json", &error) == -1);
    CHECK(error.status == STATUS_FAILED);
    CHECK(strstr(error.text, "/nowhere/to/report.json: ") != NULL);
}

int main(void)
{
    test_levels();
    test_one_line();
    test_terminal();
    test_print();
    test_amounts();
    test_format();
    test_init();
    test_update();
    test_usr1();
    test_report();
    test_strings();
    test_report_say();
    test_bottleneck();
    test_report_fails();
    return check_result();
}
