/* SPDX-License-Identifier: MIT */
/* What an input is, in lines: the head of its summary. */
#include "job/job_priv.h"

#include <stdio.h>
#include <string.h>

static void say_channels(const struct source_format *format, struct memory_text *text)
{
    const unsigned count = format->channels;
    const bool complex = sample_type_is_complex(format->sample);

    memory_text_print(text, ", %u channel%s%s", count, count == 1 ? "" : "s",
                      complex      ? " of magnitudes"
                      : count == 2 ? " (left, right)"
                                   : "");
    if (format->rate > 0)
        memory_text_print(text, ", %.10g Hz", format->rate);
}

void about_input(const struct job *job, struct memory_text *text)
{
    const struct source *source = job->pipeline.source;
    const struct source_format *format = &source->format;

    if (format->rows) {
        memory_text_put(text, source->table->look != NULL ? source->table->look : "no rows\n");
        return;
    }
    memory_text_print(text, "%s %s", source->container, format->truth ? "bool" : source->encoding);
    if (!format->array)
        say_channels(format, text);
    else if (format->flat)
        memory_text_print(text, ", shape (%llu,)", (unsigned long long)format->frames);
    else
        memory_text_print(text, ", shape (%llu, %u)", (unsigned long long)format->frames,
                          format->channels);
    memory_text_put(text, format->array && format->planar ? ", in Fortran order\n" : "\n");
}

/* ---- what to do next */

/* Repeats the options that say what the input is, and its name. */
static void repeat_options(const struct job *job, struct memory_text *text)
{
    const struct settings *settings = job->settings;
    char word[ERROR_OPERAND];

    if (strcmp(settings->type, "auto") != 0)
        memory_text_print(text, "-t %s ", settings->type);
    if (settings->channels_given)
        memory_text_print(text, "-c %u ", settings->channels);
    if (settings->rate > 0)
        memory_text_print(text, "-r %.17g ", settings->rate);
    memory_text_put(text, error_operand(word, job->input.name));
}

/* Suggests one command, with the length of its window. The output has the input's name with another
 * ending. */
static void suggest(const struct job *job, const char *length, const char *ending)
{
    const char *name = strrchr(job->input.name, '/');
    const char *base = name != NULL ? name + 1 : job->input.name;
    const char *dot = strrchr(base, '.');
    struct memory_text text = {.bytes = NULL};
    char output[256];
    char word[ERROR_OPERAND];

    (void)snprintf(output, sizeof output, "%.*s.%s",
                   (int)(dot != NULL && dot > base ? dot - base : (ptrdiff_t)strlen(base)), base,
                   ending);
    memory_text_print(&text, "gpuenv %s", length);
    repeat_options(job, &text);
    memory_text_print(&text, " -o %s", error_operand(word, output));
    if (!text.failed)
        job->host->warning("%s", text.bytes);
    memory_text_free(&text);
}

void about_suggest(const struct job *job)
{
    const struct source *source = job->pipeline.source;
    const bool rate = source->format.rate > 0;

    if (job->input.standard)
        return;
    job->host->warning("for example:");
    suggest(job, "", "svg");
    if (source->table->times != NULL)
        suggest(job, "--zoom 1h ", "hours.csv");
    else if (source->format.rows)
        suggest(job, "--zoom 100 ", "zoom.csv");
    else
        suggest(job, rate ? "--zoom 10ms " : "--zoom 100 ", rate ? "csv" : "zoom.npy");
}
