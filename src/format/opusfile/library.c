/* SPDX-License-Identifier: MIT */
#include "format/opusfile/opusfile_library_priv.h"

#include "format/codecs/codecs_priv.h"

struct opusfile_library op;

static const char *(*decoder_version)(void); /* opus_get_version_string() of libopus */

#define FUNCTION(member) LIBRARY_FUNCTION(op_, op, member)
static const struct library_function functions[] = {
    FUNCTION(open_callbacks),
    FUNCTION(free),
    FUNCTION(channel_count),
    FUNCTION(read_float),
    FUNCTION(pcm_tell),
    {"opus_get_version_string", &decoder_version, .optional = true},
    {0},
};

struct shared_library opusfile_library = {
    .name = "libopusfile",
    .file = "libopusfile.so.0",
    .package = "libopusfile0",
    .functions = functions,
};

const char *opusfile_version(void)
{
    if (!library_is_there(&opusfile_library))
        return "not found";
    return decoder_version == NULL ? "found" : decoder_version();
}
