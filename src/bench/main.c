/* SPDX-License-Identifier: MIT */
/* main() of gpuenv-bench: from argv to an exit status. The only exit of the program. */
#include "bench/account.h"
#include "bench/bench_options.h"
#include "tool/command.h"
#include "tool/messages.h"
#include "tool/signals.h"

static int act(const struct bench_options *options, struct error *error)
{
    if (options->action == BENCH_HELP)
        return help_print(&bench_command, true, error);
    if (options->action == BENCH_VERSION)
        return help_print_version(&bench_command, error);
    if (options->action == BENCH_LIST)
        return selection_list(options, error);
    signals_install();
    return session_run(options, error);
}

int main(int argc, char **argv)
{
    struct bench_options options;
    struct error error = {.status = STATUS_FAILED};

    messages_init("gpuenv-bench");
    if (bench_options_parse(&options, argc, argv, &error) == 0) {
        if (options.verbose)
            messages_level(MESSAGES_VERBOSE);
        if (act(&options, &error) == 0)
            return STATUS_DONE;
    }
    if (error.quiet)
        signals_end_by_pipe();
    messages_error(&error);
    return (int)error.status;
}
