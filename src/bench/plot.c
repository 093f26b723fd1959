/* SPDX-License-Identifier: MIT */
/* Pictures: passes the results to gnuplot, which draws them with the script in plot.gp. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cpus.h"
#include "bench/account.h"

extern const char plot_script[]; /* generated from plot.gp by the build */

static void put_results(const struct account *account, FILE *file)
{
    size_t rows = 0;

    fputs("$rows << EOD\n", file);
    for (size_t i = 0; i < account->count; i++) {
        const struct result *result = &account->results[i];

        if (result->outcome != OUTCOME_TIMED || result->of_ceiling <= 0)
            continue;
        fprintf(file, "%s %zu %llu %.9g %.9g\n", result->flavour->name, result->task.count,
                (unsigned long long)result->task.width, 1 / result->of_ceiling,
                result->total.median);
        rows++;
    }
    fprintf(file, "EOD\nrows = %zu\n", rows);
}

static void put_series(const char *name, const struct swept *series, FILE *file)
{
    fprintf(file, "%s = '", name);
    for (size_t i = 0; i < series->count; i++)
        fprintf(file, "%s%llu", i > 0 ? " " : "", (unsigned long long)series->number[i]);
    fputs("'\n", file);
}

static void put_script(const struct account *account, const char *path, FILE *file)
{
    const struct bench_options *options = account->options;

    put_results(account, file);
    put_series("all_samples", &options->samples, file);
    put_series("all_windows", &options->windows, file);
    fprintf(file,
            "runs = '%u CPUs, '.strftime('%%Y-%%m-%%d', time(0)).'; %smedians of pairs, %u each'\n"
            "windowed = %d\ntitle = '%s'\nceiling = '%s'\nformat = '%s'\n%s",
            cpus_available(), options->kind == VALUE_F32 ? "" : "float64; ", options->iterations,
            options->problem == BENCH_WINDOW,
            options->problem == BENCH_MAX ? "largest magnitude and its index" : "sum",
            ceiling_of(options->problem)->name, path + strlen(path) - 3, plot_script);
}

int plot_can(const char *path, struct error *error)
{
    /* NOLINTNEXTLINE(cert-env33-c): the user asked for gnuplot, and PATH finds it */
    if (system("gnuplot --version >/dev/null 2>&1 </dev/null") == 0)
        return 0;
    return error_set(error, ERROR_RESOURCE, NULL,
                     "--plot %.200s: there is no gnuplot that runs (Debian: gnuplot-nox)", path);
}

/* Runs gnuplot with -d, which ignores the user's settings. */
int plot_draw(const struct account *account, const char *path, int fd, struct error *error)
{
    int inherited = dup(fd);
    FILE *gnuplot = NULL;
    char command[64];
    int status;

    snprintf(command, sizeof command, "exec gnuplot -d - >/dev/fd/%d", inherited);
    if (inherited >= 0)
        gnuplot = popen(command, "we"); /* NOLINT(cert-env33-c): as above */
    if (gnuplot == NULL) {
        error_system(error, ERROR_RESOURCE, "gnuplot", errno);
        if (inherited >= 0)
            close(inherited);
        return -1;
    }
    put_script(account, path, gnuplot);
    status = pclose(gnuplot);
    close(inherited);
    if (status == 0)
        return 0;
    return error_set(error, ERROR_RESOURCE, "gnuplot", "ended with status %d",
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
