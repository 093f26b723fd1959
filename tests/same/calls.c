/* SPDX-License-Identifier: MIT */
/* Calls of gpuenv.h, and a line with what came of each: calls
 * filter|stats|stream|device SEED COUNT [THREADS]
 *
 * The calls depend on the arguments alone. run.py compares what two libraries print; each is found
 * by LD_LIBRARY_PATH. `device` needs one with the emulated device, whose functions are visible. */
#include "arrays.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>

#include "lib/gpuenv_cuda.h"

static gpuenv_context *context;

/* ---- digests */

static uint64_t digest;

static void add_bytes(const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
}

static void add_whole(uint64_t number)
{
    add_bytes(&number, sizeof number);
}

/* Which NaN it is, is nobody's promise. */
static void add_double(double number)
{
    if (isnan(number))
        add_whole(1);
    else
        add_bytes(&number, sizeof number);
}

static void end_line(int code, const gpuenv_error *error)
{
    printf(" -> %d %016" PRIx64, code, digest);
    if (code != 0)
        printf(" %s: %s (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", error->subject, error->text,
               error->row, error->frame, error->channel);
    putchar('\n');
}

/* ---- what is called */

/* Now and then as large as what several threads share. */
static struct layout random_layout(void)
{
    switch (random_below(10)) {
    case 0:
        return (struct layout){1, 1 + random_below(300000), 1};
    case 1:
        return (struct layout){1, 1 + random_below(60000), 1 + random_below(5)};
    case 2:
        return (struct layout){40 + random_below(300), 1 + random_below(1000), 1};
    case 3:
        return (struct layout){1, 1 + random_below(300), 1 + random_below(900)};
    case 4:
        return (struct layout){random_below(3), random_below(5), random_below(3)};
    default:
        return (struct layout){1 + random_below(3), 1 + random_below(400), 1 + random_below(3)};
    }
}

static void print_layout(const gpuenv_array *array)
{
    printf(" type %d, %" PRIu64 " %" PRIu64 " %" PRIu64 " by %td %td %td", array->type, array->rows,
           array->frames, array->channels, array->row, array->frame, array->channel);
}

static void print_spec(const gpuenv_spec *spec)
{
    printf(" w %" PRIu64 " hop %" PRIu64 " align %d edge %d nan %d scaled %d threads %u values",
           spec->width, spec->hop, spec->align, spec->edge, spec->nan, spec->scaled, spec->threads);
    for (unsigned i = 0; i < spec->values; i++)
        printf(" %d", spec->value[i]);
}

/* Most of them are right. */
static gpuenv_spec any_spec(uint64_t frames)
{
    gpuenv_spec spec = random_spec(frames, false);

    if (random_below(8) == 0)
        spec.nan = GPUENV_NAN_ERROR;
    if (random_below(2) == 0)
        spec.values = 0;
    if (random_below(3) == 0)
        spec.threads = (unsigned)random_below(65);
    switch (random_below(60)) {
    case 0:
        spec.width = 0;
        break;
    case 1:
        spec.align = 4;
        break;
    case 2:
        spec.nan = -1;
        break;
    case 3:
        spec.values = 6;
        break;
    case 4:
        spec.width = UINT64_MAX;
        break;
    default:
        break;
    }
    return spec;
}

struct call {
    gpuenv_spec spec;
    unsigned values;
    struct owned in;
    struct owned out[GPUENV_VALUES];
};

/* Returns false where the spec is refused. */
static bool make_call(struct call *call, bool with_longs)
{
    struct layout layout = random_layout();
    const int type = random_type(with_longs);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    int code;

    *call = (struct call){.spec = any_spec(layout.frames)};
    own(&call->in, &layout, type, random_below(2) == 0, !with_longs);
    fill(&call->in, random_below(2) == 0);
    print_layout(&call->in.array);
    print_spec(&call->spec);
    code = gpuenv_outputs(&call->spec, layout.frames, &layout.frames, &error);
    if (code != 0 || call->spec.values > GPUENV_VALUES) {
        end_line(code, &error);
        return false;
    }
    call->values = call->spec.values == 0 ? 2 : call->spec.values;
    for (unsigned i = 0; i < call->values; i++) {
        const int value = call->spec.values == 0 ? (int)i : call->spec.value[i];
        int result = gpuenv_result_type(&call->spec, type, value);

        if (random_below(4) == 0)
            result = types[random_below(TYPES)];
        own(&call->out[i], &layout, result, random_below(2) == 0, !with_longs);
        printf(" out %d", result);
    }
    return true;
}

static void close_call(struct call *call)
{
    free(call->in.memory);
    for (unsigned i = 0; i < call->values; i++)
        free(call->out[i].memory);
}

static void end_call(struct call *call, int code, const gpuenv_error *error)
{
    for (unsigned i = 0; i < call->values; i++)
        add_bytes(call->out[i].memory, call->out[i].bytes); /* and what lies between results */
    end_line(code, error);
}

static void try_filter(void)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array out[GPUENV_VALUES];
    struct call call;

    if (make_call(&call, true)) {
        for (unsigned i = 0; i < call.values; i++)
            out[i] = call.out[i].array;
        end_call(&call, gpuenv_filter(context, &call.spec, &call.in.array, out, &error), &error);
    }
    close_call(&call);
}

/* ---- on a device */

static int (*device_malloc)(void **memory, size_t bytes);
static int (*device_copy)(void *to, const void *from, size_t bytes, int way);
static int (*device_wait)(void);
static int (*device_free)(void *memory);

enum { TO_DEVICE = 1, FROM_DEVICE = 2 };

static bool find(const char *name, void *function)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void must(int status)
{
    if (status != 0)
        exit(2);
}

/* The array's twin on the device. */
static gpuenv_array send(const struct owned *owned, unsigned char **memory)
{
    gpuenv_array array = owned->array;

    must(device_malloc((void **)memory, owned->bytes + 1));
    must(device_copy(*memory, owned->memory, owned->bytes, TO_DEVICE));
    array.data = *memory + ((const unsigned char *)owned->array.data - owned->memory);
    return array;
}

static void try_device(void)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    unsigned char *memory[GPUENV_VALUES + 1];
    gpuenv_array out[GPUENV_VALUES];
    gpuenv_array in;
    struct call call;

    if (make_call(&call, false)) {
        int code;

        in = send(&call.in, &memory[GPUENV_VALUES]);
        for (unsigned i = 0; i < call.values; i++)
            out[i] = send(&call.out[i], &memory[i]);
        code = gpuenv_filter_cuda(context, &call.spec, &in, out, NULL, NULL, 0, NULL, &error);
        must(device_wait());
        for (unsigned i = 0; i < call.values; i++)
            must(device_copy(call.out[i].memory, memory[i], call.out[i].bytes, FROM_DEVICE));
        end_call(&call, code, &error);
        for (unsigned i = 0; i < call.values; i++)
            must(device_free(memory[i]));
        must(device_free(memory[GPUENV_VALUES]));
    }
    close_call(&call);
}

/* ---- statistics */

static void add_record(const gpuenv_record *record)
{
    const uint64_t whole[] = {record->row,    record->channel, record->first,
                              record->frames, record->nans,    record->argmin,
                              record->argmax, record->argabs,  (uint64_t)record->type};

    add_bytes(whole, sizeof whole);
    if (record->type == GPUENV_F64) {
        add_double(record->min.f64);
        add_double(record->max.f64);
        add_double(record->abs.f64);
    } else {
        add_whole(record->min.u64);
        add_whole(record->max.u64);
        add_whole(record->abs.u64);
    }
    add_double(record->sum);
    add_double(record->mean);
    add_double(record->rms);
}

static void try_stats(void)
{
    static const uint64_t odd[] = {0, 1, 4095, 4096, 4097, 8191, 65536};
    const struct layout layout = random_layout();
    const uint64_t every =
        random_below(2) == 0 ? odd[random_below(7)] : random_below(layout.frames + 3);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    struct owned in;
    gpuenv_record *record;
    uint64_t records;
    int code;

    own(&in, &layout, random_type(true), random_below(2) == 0, false);
    fill(&in, random_below(2) == 0);
    print_layout(&in.array);
    printf(" every %" PRIu64, every);
    code = gpuenv_records(&in.array, every, &records, &error);
    record = calloc(records + 1, sizeof *record);
    if (code == 0 && record != NULL) {
        record[0].size = sizeof *record;
        code = gpuenv_stats(context, &in.array, every, record, &error);
        for (uint64_t i = 0; i < records && code == 0; i++)
            add_record(&record[i]);
    }
    end_line(code, &error);
    free(record);
    free(in.memory);
}

/* ---- streams */

static void try_stream(void)
{
    const struct layout layout = {1, random_layout().frames, 1 + random_below(4)};
    const gpuenv_spec spec = any_spec(layout.frames);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_stream *stream = NULL;
    struct owned in;
    uint64_t done = 0;
    uint64_t got = 1;
    int code;

    own(&in, &layout, random_type(true), true, true);
    fill(&in, random_below(4) == 0);
    print_layout(&in.array);
    print_spec(&spec);
    code = gpuenv_stream_open(context, &spec, in.array.type, (unsigned)layout.channels, &stream,
                              &error);
    while (code == 0 && (done < layout.frames || got > 0)) {
        const bool ends = done == layout.frames;
        const uint64_t frames = 1 + random_below(random_below(3) == 0 ? 9 : layout.frames + 1);
        const uint64_t now = frames < layout.frames - done ? frames : layout.frames - done;
        const uint64_t room = ends ? 1 + random_below(5000) : gpuenv_stream_outputs(stream, now);
        const unsigned values = spec.values == 0 ? 2 : spec.values;
        const size_t bytes =
            room * layout.channels * values * type_bytes(gpuenv_stream_type(stream));
        unsigned char *out = calloc(bytes + 1, 1);

        code = ends ? gpuenv_stream_finish(stream, out, room, &got, &error)
                    : gpuenv_stream_push(stream, sample_at(&in.array, 0, done, 0), now, out, room,
                                         &got, &error);
        done += ends ? 0 : now;
        got = ends ? got : 1;
        add_whole(ends ? got : room);
        add_bytes(out, bytes);
        free(out);
    }
    end_line(code, &error);
    if (stream != NULL)
        gpuenv_stream_close(stream);
    free(in.memory);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*try)(void);
    } kinds[] = {{"filter", try_filter},
                 {"stats", try_stats},
                 {"stream", try_stream},
                 {"device", try_device}};
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    const bool has_device =
        find("cudaMalloc", &device_malloc) && find("cudaMemcpy", &device_copy) &&
        find("cudaDeviceSynchronize", &device_wait) && find("cudaFree", &device_free);
    unsigned long first;

    if (argc < 4 || (strcmp(argv[1], "device") == 0 && !has_device))
        return 2;
    options.threads = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 3;
    if (gpuenv_open(&options, &context, NULL) != 0)
        return 2;
    first = strtoul(argv[2], NULL, 10);
    for (unsigned long i = first; i < first + strtoul(argv[3], NULL, 10); i++) {
        /* Each call has its own numbers, so that it can be tried alone. */
        random_state = 88172645463325252 + i * UINT64_C(0x9e3779b97f4a7c15);
        (void)random_below(2);
        digest = UINT64_C(14695981039346656037);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(argv[1], kinds[k].name) == 0) {
                printf("%lu:", i);
                kinds[k].try();
            }
        }
    }
    gpuenv_close(context);
    return 0;
}
