/* SPDX-License-Identifier: MIT */
/* From argv to an exit status. The program exits only here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/thread_program.h"
#include "format/format.h"
#include "job/job.h"
#include "lib/engines.h"
#include "tool/batch_priv.h"
#include "tool/command.h"
#include "tool/error_words.h"
#include "tool/host_priv.h"
#include "tool/messages.h"
#include "tool/options_priv.h"
#include "tool/others_priv.h"
#include "tool/progress_priv.h"
#include "tool/signals.h"
#include "tool/visible_priv.h"
#include "tool/zones_priv.h"

/* Prints the version of the program, then those of the libraries it uses. */
static int print_versions(struct error *error)
{
    char text[FORMAT_LIBRARIES + 32];
    const int cuda = engines_devices.version();
    size_t size;

    format_libraries(text);
    size = strlen(text);
    if (cuda != 0)
        snprintf(text + size, sizeof text - size, "CUDA: %d.%d\n", cuda / 1000, cuda % 1000 / 10);
    return help_print_version(&options_command, error) == 0 ? messages_print(text, error) : -1;
}

static int act(struct options *options, struct error *error)
{
    const char *zone = options->settings.time_zone;

    if (zone != NULL && zones_find(&options->zone, zone, error) != 0)
        return -1;
    switch (options->action) {
    case OPTIONS_HELP:
        return help_print(&options_command, options->help_all, error);
    case OPTIONS_VERSION:
        return print_versions(error);
    case OPTIONS_RUN:
        break;
    }
    if (settings_many(&options->many))
        return batch_run(&options->settings, &options->task, &options->many, error);
    return job_run(&options->settings, &options->task, &tool_host, error);
}

int main(int argc, char **argv)
{
    char words[ERROR_WORDS];
    static struct options options; /* large: on the stack all its pages would be touched */
    struct error error;

    /* First: a signal may arrive at any time. */
    signals_install();
    (void)setenv("LC_ALL", "C", 1); /* for programs that unpack: their words are read */
    thread_share_arena();
    progress_listen();
    messages_init("gpuenv");
    messages_silence_libraries();
    if (options_parse(&options, argc, argv, &error) == 0) {
        messages_level(options.level);
        visible_devices(&options.settings, !settings_many(&options.many));
        if (act(&options, &error) == 0) {
            signals_end_by_request();
            exit(STATUS_DONE);
        }
    }
    if (error.quiet) {
        signals_end_by_request();
        signals_end_by_pipe();
    }
    if (error.option != NULL)
        others_try("gpuenv", argv, &error);
    if (command_is_rare(&options_command, error_words(&error, words)))
        messages_help("--help all");
    messages_error(&error);
    exit((int)error.status);
}
