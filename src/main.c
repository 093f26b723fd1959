/* From argv to an exit status. The only exit of the program. */
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "job/job.h"
#include "stream/signals.h"

static int act(const struct options *options, struct error *error)
{
    switch (options->action) {
    case OPTIONS_HELP:
        return messages_print(help_text(), error);
    case OPTIONS_VERSION:
        return messages_print(help_version(), error);
    case OPTIONS_RUN:
        break;
    }
    signals_install();
    progress_listen();
    return job_run(options, options->input_count > 0 ? options->inputs[0] : NULL, options->output,
                   error);
}

/* A program may be started without its standard descriptors. A file that is opened later must not
 * take their place, or messages would go into it. They are opened the wrong way round, so that
 * using one is an error. */
static void fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error;

    fill_standard_descriptors();
    messages_init(MESSAGES_NORMAL);
    if (options_parse(&options, argc, argv, &error) == 0) {
        if (options.quiet)
            messages_init(MESSAGES_QUIET);
        else if (options.verbose)
            messages_init(MESSAGES_VERBOSE);
        if (act(&options, &error) == 0)
            return STATUS_DONE;
    }
    if (error.quiet)
        signals_end_by_pipe();
    messages_error(&error);
    return (int)error.status;
}
