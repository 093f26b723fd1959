/* SPDX-License-Identifier: MIT */
/* Replaces this folder's functions in a build without libsndfile: opening a file fails. */
#include "format/sndfile/sndfile_priv.h"

const char *sndfile_version(void)
{
    return "not in this build";
}

int source_open_sndfile_after(struct input *input, const struct source_request *request,
                              const char *words, const struct bytes_taken *taken,
                              struct source **source, struct error *error)
{
    (void)request;
    (void)taken;
    (void)source;
    return error_set(error, ERROR_CONVERT, input->name,
                     "is %s, and this gpuenv was built without libsndfile", words);
}

int sink_open_sndfile(struct output *output, const struct sink_format *format, struct sink **sink,
                      struct error *error)
{
    (void)sink;
    return error_set(error, ERROR_FORMAT, output->name,
                     "this gpuenv was built without libsndfile, and cannot write %s: use wav, w64, "
                     "au, aiff, caf, npy or raw frames",
                     format->container);
}
