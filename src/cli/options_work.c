/* Options: devices, threads, instruction sets, and the like. */
#include <string.h>

#include "cli/options_rows.h"
#include "cli/values.h"

enum {
    THREADS_MOST = 1024,
    CHUNK_MOST = 1 << 30, /* so that a chunk's bytes can be counted without overflow */
    DEVICE_MOST = 1023,
};

static const char *const isa_words[] = {"scalar", "sse4", "avx2", "avx512", "neon", NULL};
static const char *const algorithm_words[] = {"engine", "lemire", NULL};

/* What comes after "cuda:": all, or numbers with commas between them. */
static int set_devices(struct settings *settings, const struct value *value, const char *list,
                       struct error *error)
{
    settings->all_devices = strcmp(list, "all") == 0;
    while (!settings->all_devices && list != NULL) {
        size_t length = strcspn(list, ",");
        char digits[16] = "";
        const struct value number = {.option = value->option, .text = digits};
        uint64_t index;

        memcpy(digits, list, length < sizeof digits ? length : 0);
        if (values_whole(&number, 0, DEVICE_MOST, &index, error) != 0)
            return values_refuse(error, value,
                                 "after cuda: comes a number from 0 to %d, or several with commas "
                                 "between them, or all",
                                 DEVICE_MOST);
        for (unsigned i = 0; i < settings->device_count; i++) {
            if (settings->devices[i] == index)
                return values_refuse(error, value, "names device %u twice", (unsigned)index);
        }
        if (settings->device_count == SETTINGS_DEVICES)
            return values_refuse(error, value, "names more than %d devices", SETTINGS_DEVICES);
        settings->devices[settings->device_count++] = (unsigned)index;
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return 0;
}

static int set_device(void *field, const struct value *value, struct error *error)
{
    struct settings *settings = field;
    const char *text = value->text;

    settings->all_devices = false;
    settings->device_count = 0;
    settings->devices[0] = 0;
    if (strcmp(text, "auto") == 0) {
        settings->device = DEVICE_AUTO;
    } else if (strcmp(text, "cpu") == 0) {
        settings->device = DEVICE_CPU;
    } else if (strcmp(text, "cuda") == 0) {
        settings->device = DEVICE_CUDA;
    } else if (strncmp(text, "cuda:", 5) == 0) {
        if (set_devices(settings, value, text + 5, error) != 0)
            return -1;
        settings->device = DEVICE_CUDA;
    } else {
        return values_refuse(error, value, "unknown value: use one of auto, cpu, cuda, cuda:N");
    }
    return 0;
}

static const struct option_row rows[] = {
    {"device", "NAME", "auto (default), cpu, cuda[:N,...], cuda:all", .set = set_device,
     AT(settings)},
    {"threads", "N", "at most N threads", OPTION_NUMBER, AT(settings.threads), .least = 1,
     .most = THREADS_MOST},
    {"isa", "NAME", "at most scalar, sse4, avx2, avx512, neon", OPTION_TEXT, AT(settings.isa),
     .words = isa_words},
    {"chunk", "FRAMES", "at most FRAMES at a time", OPTION_NUMBER, AT(settings.chunk), .least = 1,
     .most = CHUNK_MOST},
    {"algorithm", "NAME", "engine (default), lemire (the sequential reference)", OPTION_SECOND,
     AT(settings.lemire), .words = algorithm_words},
};

const struct option_section options_work =
    OPTION_SECTION("Work (changes no byte of the output)", rows);
