/* SPDX-License-Identifier: MIT */
/* Plans and launches. The kernels are in cuda_near.cuh, cuda_herk.cuh and cuda_ahead.cuh. */
#include "cuda_window.h"

#include <limits.h>

#include "cuda_ahead.cuh"
#include "cuda_narrow.cuh"
#include "cuda_wide.cuh"

extern "C" {
#include "failure.h"
}

enum {
    QUAD_BYTES = 16,
    LINE_BYTES = 128,           /* bytes of a line of memory */
    SHARED_UNASKED = 48 * 1024, /* bytes of shared memory that a block may use on every device */
    ROW_MOST = 1 << 30,         /* frames of a row that lies end to end with others */
    ROWS_COST = 32,             /* blocks with several rows cost more, as one block in so many */
    FAST_BITS = 5632,  /* bits between a device and its memory, for more than five stacks */
    SECTOR_BYTES = 32, /* bytes of a sector of memory */

    /* How far ahead leaves are made, in runs per multiprocessor: see cuda_plan_fit(). */
    AHEAD_FAST = 832,
    AHEAD_SLOW = 480,
    AHEAD_LEAST = 16, /* tiles */
    AHEAD_LAG = 124,  /* tiles: (256 - 8) / 2 */
    LOOKS = 100,
};

/* Returns the bytes of shared memory of a block, by the sizes of its kernel. */
template <class K, class Sizes> static constexpr size_t shared_bytes(void)
{
    return Sizes::SHARED_WORDS * sizeof(kind_word<K>);
}

/* Do herk and far, which need the most, use only the shared memory that every device gives a block
 * without opting in? And do rings and records suit the tiles of far? */
template <class K> static constexpr bool fits_everywhere(void)
{
    return shared_bytes<K, tile_sizes<K, false>>() <= SHARED_UNASKED &&
           shared_bytes<K, ahead_sizes<K, 256>>() <= SHARED_UNASKED &&
           CUDA_TILE_MOST % scan_sizes<K, 256>::TILE == 0 &&
           sizeof(ahead_record<K>) == CUDA_RECORD_VALUES * sizeof(kind_value<K>);
}

static_assert(fits_everywhere<f32>() && fits_everywhere<f64>(), "shared memory, or rings");

typedef void window_kernel(const struct window_view view, const struct ahead ahead);

/* A plan for one kind of values. */
struct method {
    const char *name; /* has the tile in frames of its values; NULL if there is no such plan */
    uint64_t most;    /* the plan is best up to this width; docs/kernels.md has the measurements */
    unsigned threads;
    size_t shared;
    window_kernel *kernel;
    window_kernel *many; /* for far, middles of many tiles; for others, with ROWS; may be NULL */
};

#define NEAR(K, kernel)                                                                            \
    {                                                                                              \
        "near", K::RUN + 1, NEAR_THREADS, shared_bytes<K, tile_sizes<K, true>>(), kernel, kernel   \
    }
#define HERK(K, name, most, kernel, many)                                                          \
    {                                                                                              \
        name, most, NEAR_THREADS, shared_bytes<K, tile_sizes<K, false>>(), kernel, many            \
    }
#define WIDE(K, name, most, threads)                                                               \
    {                                                                                              \
        name, most, threads, shared_bytes<K, scan_sizes<K, threads>>(), wide_kernel<K, threads>,   \
            wide_kernel<K, threads>                                                                \
    }
#define FAR(K, name, most, threads, many)                                                          \
    {                                                                                              \
        name, most, threads, shared_bytes<K, ahead_sizes<K, threads>>(),                           \
            ahead_kernel<K, threads, false>, many                                                  \
    }

static const struct method methods_f32[CUDA_PLANS] = {
    NEAR(f32, (tile_kernel<f32, true, true>)),
    HERK(f32, "herk/4096", 1400, (tile_kernel<f32, false, false>), (tile_kernel<f32, false, true>)),
    WIDE(f32, "wide/1024", 1536, 64),
    WIDE(f32, "wide/1536", 2048, 96),
    WIDE(f32, "wide/2048", 4096, 128),
    {},
    FAR(f32, "far/4096", UINT64_MAX, 256, (ahead_kernel<f32, 256, true>)),
};

static const struct method methods_f64[CUDA_PLANS] = {
    NEAR(f64, (tile_kernel<f64, true, true>)),
    HERK(f64, "herk/2048", 551, (tile_kernel<f64, false, false>), (tile_kernel<f64, false, true>)),
    WIDE(f64, "wide/512", 768, 64),
    WIDE(f64, "wide/768", 1024, 96),
    WIDE(f64, "wide/1024", 2048, 128),
    FAR(f64, "far/1024", 32768, 128, nullptr),
    FAR(f64, "far/2048", UINT64_MAX, 256, (ahead_kernel<f64, 256, true>)),
};

/* Wider windows than these are faster as float32, because a block of narrow samples reads four
 * times what it windows. */
#define NARROW(K)                                                                                  \
    {                                                                                              \
        NEAR(K, (narrow_kernel<K, true>)),                                                         \
            HERK(K, "herk/4096", 3072, (narrow_kernel<K, false>), (narrow_kernel<K, false>))       \
    }

static const struct method methods_8[CUDA_PLANS] = NARROW(key8);
static const struct method methods_16[CUDA_PLANS] = NARROW(key16);
static const struct method methods_f16[CUDA_PLANS] = NARROW(half16);
static const struct method methods_32[CUDA_PLANS] = NARROW(key32);

static const struct method *methods_of(enum value_kind value)
{
    const size_t bytes = value_bytes(value);

    if (!value_is_compact(value))
        return value == VALUE_F64 ? methods_f64 : methods_f32;
    return value == VALUE_F16 ? methods_f16
           : bytes == 1       ? methods_8
           : bytes == 2       ? methods_16
                              : methods_32;
}

bool cuda_plan_is_narrow(enum value_kind value, uint64_t width)
{
    return value_is_compact(value) && value < VALUE_KINDS &&
           width <= methods_of(value)[CUDA_PLAN_VANHERK_4096].most;
}

static const struct method *method_of(const struct cuda_plan *plan)
{
    return &methods_of(plan->value)[plan->kind];
}

const char *cuda_plan_name(const struct cuda_plan *plan)
{
    return method_of(plan)->name;
}

/* Returns the frames in a run. */
static unsigned run_of(const struct cuda_plan *plan)
{
    return plan->value == VALUE_F64 ? f64::RUN : f32::RUN;
}

/* Returns the runs in a line of memory. A tile that begins inside a line is up to a tenth
 * slower. */
static unsigned runs_of_line(const struct cuda_plan *plan)
{
    return LINE_BYTES / (run_of(plan) * (unsigned)value_bytes(plan->value));
}

/* Returns how many tiles a block takes. */
static unsigned tiles_of_block(const struct cuda_plan *plan)
{
    return value_bytes(plan->value) < sizeof(int) ? 2 : 1;
}

/* Returns the frames in a middle. */
static uint64_t reach_of(const struct cuda_plan *plan)
{
    return plan->width - 1 - plan->tile;
}

/* Returns the whole tiles in a middle. */
static uint64_t whole_of(const struct cuda_plan *plan)
{
    return reach_of(plan) / plan->tile;
}

static bool force_near(struct cuda_plan *plan)
{
    const unsigned halo = value_is_compact(plan->value) ? runs_of_line(plan) : 1;

    plan->tile = (method_of(plan)->threads - halo) * run_of(plan);
    return plan->width <= run_of(plan) + 1;
}

static bool force_herk(struct cuda_plan *plan)
{
    const unsigned threads = method_of(plan)->threads;
    const unsigned run = run_of(plan);
    const unsigned line = runs_of_line(plan);
    const uint64_t halo =
        plan->width / run + (plan->width % run > 1 ? 1 : 0); /* (w-1) / run, rounded up */

    if (halo < 2 || halo + line - 1 >= threads)
        return false;
    plan->tile = (unsigned)((threads - halo) / line * line) * run;
    return true;
}

static bool force_wide(struct cuda_plan *plan)
{
    plan->tile = method_of(plan)->threads * run_of(plan);
    return plan->width > plan->tile && plan->width <= 2 * plan->tile;
}

static bool force_far(struct cuda_plan *plan)
{
    uint64_t whole;

    plan->tile = method_of(plan)->threads * run_of(plan);
    plan->has_leaves = true;
    plan->lag = AHEAD_LAG;
    if (plan->width <= plan->tile)
        return false;
    whole = whole_of(plan);
    if (whole >= 256)
        plan->span = (whole - 2 * AHEAD_LAG + 255) / 256;
    return method_of(plan)->many != NULL || whole <= AHEAD_WHOLE_FEW;
}

bool cuda_plan_force(struct cuda_plan *plan, enum cuda_plan_kind kind, enum value_kind value,
                     uint64_t width)
{
    memset(plan, 0, sizeof *plan);
    plan->kind = kind;
    plan->value = value;
    plan->width = width;
    if (method_of(plan)->name == NULL)
        return false;
    return kind == CUDA_PLAN_NEAR       ? force_near(plan)
           : kind < CUDA_PLAN_WIDE_1024 ? force_herk(plan)
           : kind < CUDA_PLAN_FAR_2048  ? force_wide(plan)
                                        : force_far(plan);
}

/* Returns the kernel with or without ROWS: see cuda_near.cuh. */
static window_kernel *kernel_of(const struct cuda_plan *plan, bool rows)
{
    const struct method *method = method_of(plan);

    return (plan->has_leaves ? whole_of(plan) > AHEAD_WHOLE_FEW : rows) ? method->many
                                                                        : method->kernel;
}

/* Sets how far ahead leaves are made. All blocks between a leaf and the windows for which its
 * samples are read again share the second-level cache, which is larger on devices with more
 * multiprocessors. Too close, and leaves come late; too far, and the samples have left the cache.
 * The faster the memory, the further: an H200 has six stacks of it, and computes as fast as an H100
 * with five. docs/kernels.md has the measurements. */
cudaError_t cuda_plan_fit(struct cuda_plan *plan)
{
    int device = 0;
    int multiprocessors = 0;
    int bits = 0;
    cudaError_t error;

    if (!plan->has_leaves)
        return cudaSuccess;
    error = cudaGetDevice(&device);
    THEN(error, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    THEN(error, cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device));
    plan->ahead = (unsigned)multiprocessors * (bits >= FAST_BITS ? AHEAD_FAST : AHEAD_SLOW) /
                  method_of(plan)->threads;
    if (plan->ahead < AHEAD_LEAST)
        plan->ahead = AHEAD_LEAST;
    plan->looks = LOOKS;
    return error;
}

cudaError_t cuda_plan_make(struct cuda_plan *plan, enum value_kind value, uint64_t width)
{
    unsigned kind = CUDA_PLAN_NEAR;

    while (width > methods_of(value)[kind].most)
        kind++;
    cuda_plan_force(plan, (enum cuda_plan_kind)kind, value, width);
    return cuda_plan_fit(plan);
}

cudaError_t cuda_plan_load(const struct cuda_plan *plan)
{
    cudaError_t error = load_kernel(kernel_of(plan, false));

    return THEN(error, load_kernel(kernel_of(plan, true)));
}

/* ---- tasks */

static int64_t clamp(uint64_t frame)
{
    return frame > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)frame;
}

/* Returns the place of a frame in a ring. The frame may be before the stream. */
static uint64_t place_of(const struct cuda_rings *rings, int64_t frame)
{
    int64_t past = frame % (int64_t)rings->capacity;

    return (uint64_t)(past < 0 ? past + (int64_t)rings->capacity : past);
}

size_t cuda_task_shift(const struct cuda_task *task, enum value_kind value, unsigned channels)
{
    const size_t quad = QUAD_BYTES / value_bytes(value);

    return channels == 1 ? task->kept_first % quad * task->emits.count % quad * value_bytes(value)
                         : 0;
}

static void make_view(struct window_view *view, const struct cuda_plan *plan,
                      const struct cuda_rings *rings, const struct cuda_task *task)
{
    memset(view, 0, sizeof *view);
    view->samples = rings->samples;
    view->capacity = rings->capacity;
    view->pitch = rings->pitch;
    view->channels = rings->channels;
    view->step = plan->tile;
    view->rows = rings->channels;
    view->aligned = rings->pitch % (QUAD_BYTES / value_bytes(plan->value)) == 0;
    view->together = rings->together;
    view->stride = rings->stride;
    view->tile = plan->tile;
    view->known_from = clamp(task->known_from);
    view->known_to = clamp(task->known_to);
    view->width = plan->width;
    view->nan = task->nan;
    view->sign = sign_of(plan->value);
}

static struct cuda_out out_of(const struct cuda_task *task, enum value_kind value,
                              unsigned channels)
{
    struct cuda_out out;

    if (task->apart != NULL)
        return *task->apart;
    memset(&out, 0, sizeof out);
    for (unsigned i = 0; i < task->emits.count; i++)
        out.item[i] = (char *)task->out + i * value_bytes(value);
    out.frame = (uint64_t)channels * task->emits.count;
    out.channel = task->emits.count;
    return out;
}

/* Sets the windows from kept_first on, in tiles that begin at multiples of a run, or of a tile if
 * there are leaves. Returns the number of tiles. */
static unsigned view_windows(struct window_view *view, const struct cuda_plan *plan,
                             const struct cuda_task *task)
{
    const struct emit_list *emits = &task->emits;
    const unsigned unit = plan->has_leaves ? plan->tile : run_of(plan);
    uint64_t kept = (task->first + task->count - 1 - task->kept_first) / task->hop;
    size_t shift = cuda_task_shift(task, plan->value, view->channels);
    bool aligned = task->apart == NULL && ((uintptr_t)task->out - shift) % QUAD_BYTES == 0;

    view->start = (int64_t)(task->kept_first / unit * unit);
    view->kept_first = (int64_t)task->kept_first;
    view->last = (int64_t)(task->kept_first + kept * task->hop + 1);
    view->hop = kept > 0 ? task->hop : 1; /* threads multiply it, also past the last window */
    view->whole_from = clamp(task->whole_from);
    view->whole_to = clamp(task->whole_to);
    view->emits = *emits;
    view->out = out_of(task, plan->value, view->channels);
    view->pairs = view->channels == 1 && task->hop == 1 && aligned && emits->count == 2 &&
                  emits->item[0] == EMIT_MIN && emits->item[1] == EMIT_MAX;
    view->sides = task->hop == 1 && view->out.frame == 1;
    view->has_low = emits->count > 1 || emits->item[0] != EMIT_MAX;
    view->has_high = emits->count > 1 || emits->item[0] != EMIT_MIN;
    for (unsigned i = 0; cuda_plan_is_long(plan) && i < emits->count; i++)
        view->sides = view->sides && (emits->item[i] == EMIT_MIN || emits->item[i] == EMIT_MAX);
    return (unsigned)((uint64_t)(view->last - view->start + plan->tile - 1) / plan->tile);
}

/* Returns the words of the halo. */
static uint64_t halo_of(const struct cuda_plan *plan)
{
    return (uint64_t)method_of(plan)->threads * run_of(plan) - plan->tile;
}

/* Lets the channels lie end to end if that takes fewer blocks; blocks with several rows take a
 * little longer. A row begins and ends on a quad. Returns the number of blocks for each channel. */
static unsigned join_rows(struct window_view *view, const struct cuda_plan *plan, unsigned blocks)
{
    const int64_t quad = QUAD_BYTES / (int64_t)value_bytes(plan->value);
    const int64_t start = view->kept_first / quad * quad;
    const uint64_t halo = halo_of(plan);
    const uint64_t length = halo + (uint64_t)((view->last - start + quad - 1) / quad * quad);
    const uint64_t all = (length * view->channels - halo + plan->tile - 1) / plan->tile;

    if (!view->sides || length > ROW_MOST ||
        all + all / ROWS_COST >= (uint64_t)blocks * view->channels)
        return blocks;
    view->start = start;
    view->channels = 1;
    view->length = (unsigned)length;
    view->ratio = (unsigned)((UINT64_C(1) << 32) / length);
    view->even = view->aligned && view->known_from % quad == 0 && view->known_to % quad == 0 &&
                 view->known_to <= (int64_t)view->capacity && view->known_to <= ROW_MOST;
    return (unsigned)all;
}

/* Returns the words of one channel in a tile of several: an odd number of runs, so that words of
 * different channels are in different banks. */
static unsigned words_together(const struct cuda_plan *plan, unsigned channels)
{
    return (method_of(plan)->threads / channels - 1) / 2 * 2 * run_of(plan) + run_of(plan);
}

/* Tries as many channels as a sector of memory has samples, or half as many: the more, the less
 * room for each beside its halo. With many channels, halves of sectors are slower than a copy. */
unsigned cuda_plan_together(const struct cuda_plan *plan, uint64_t channels, uint64_t windows)
{
    const uint64_t halo = halo_of(plan);
    const unsigned sector = SECTOR_BYTES / (unsigned)value_bytes(plan->value);

    for (unsigned most = sector; !cuda_plan_is_long(plan) && most >= sector / 2; most /= 2) {
        const uint64_t groups = (channels + most - 1) / most;
        const unsigned together = (unsigned)((channels + groups - 1) / groups);
        const uint64_t words = words_together(plan, together);
        const uint64_t halo_most = most == sector ? words / 2 : words * 2 / 3;

        if (most < sector && channels > 2 * sector)
            break;
        if (halo <= halo_most && words - halo <= windows)
            return together;
    }
    return 0;
}

/* Puts channels side by side. Returns the number of blocks for each group of them. */
static unsigned group_rows(struct window_view *view, const struct cuda_plan *plan)
{
    view->length = words_together(plan, view->together);
    view->step = view->length - (unsigned)halo_of(plan);
    view->ratio = ((1U << RATIO_BITS) + view->together - 1) / view->together;
    view->channels = (view->rows + view->together - 1) / view->together;
    view->even = view->rows == view->together && view->pitch == 1 &&
                 view->stride == view->together && view->out.channel == 1 &&
                 (uintptr_t)view->samples % QUAD_BYTES == 0;
    return (unsigned)(((uint64_t)(view->last - view->start) + view->step - 1) / view->step);
}

/* ---- leaves ahead of the windows */

/* Sets the leaves and tiles of a launch, counted from the oldest leaf. From that one to the last
 * leaf made here, there are at most as many leaves as a ring has tiles, because the ring holds the
 * windows and the new frames: so no two leaves share a place. */
static void place_leaves(struct ahead *ahead, const struct cuda_plan *plan,
                         const struct cuda_rings *rings, const struct cuda_task *task, uint64_t now,
                         uint64_t first_tile)
{
    const uint64_t whole = whole_of(plan);
    const uint64_t reach = whole + 1; /* tiles that a middle reaches, with the suffix */
    const uint64_t first = task->known_from / plan->tile;
    const uint64_t oldest = first_tile > first + reach ? first_tile - reach : first;

    ahead->totals = rings->totals;
    ahead->suffixes = rings->suffixes;
    ahead->spans = rings->spans;
    ahead->kept = (unsigned)rings->kept;
    ahead->base = rings->made < oldest ? rings->made : oldest;
    ahead->base_place = (unsigned)(ahead->base % ahead->kept);
    for (unsigned i = 0; i < 2; i++)
        ahead->stamps[i] = (unsigned)(ahead->base / ahead->kept + i) << 1 | 1;
    ahead->first_leaf = (unsigned)(rings->made - ahead->base);
    ahead->leaves = (unsigned)(now - rings->made);
    ahead->first_tile = (unsigned)(first_tile - ahead->base);
    ahead->oldest = (unsigned)(oldest - ahead->base);
    ahead->whole = whole < INT_MAX ? (unsigned)whole : INT_MAX;
    ahead->has_suffix = reach_of(plan) % plan->tile != 0;
    ahead->cut = (int)(plan->tile - (plan->width - 1) % plan->tile);
    ahead->looks = plan->looks;
    ahead->span = (unsigned)plan->span;
    ahead->lag = plan->lag;
}

/* Sets the places of the tiles of block 0: where windows end, and where they begin. */
static void place_tiles(struct window_view *view, const struct cuda_plan *plan,
                        const struct cuda_rings *rings)
{
    const unsigned quad = QUAD_BYTES / (unsigned)value_bytes(plan->value);
    const int64_t begin = view->start - (int64_t)(plan->width - 1);

    view->position = place_of(rings, view->start);
    view->begin_shift = (unsigned)((uint64_t)begin % quad);
    view->begin = begin - view->begin_shift;
    view->begin_position = place_of(rings, view->begin);
}

/* Sets the launch of a far plan. Returns the number of blocks for each channel. */
static unsigned view_far(struct window_view *view, struct ahead *ahead,
                         const struct cuda_plan *plan, struct cuda_rings *rings,
                         const struct cuda_task *task, unsigned windows)
{
    const uint64_t tiles = (task->first + task->count) / plan->tile;
    const uint64_t now = tiles > rings->made ? tiles : rings->made;
    unsigned blocks;

    place_leaves(ahead, plan, rings, task, now,
                 windows > 0 ? (uint64_t)view->start / plan->tile : now);
    rings->made = now;
    if (windows == 0)
        return ahead->leaves;
    place_tiles(view, plan, rings);
    ahead->windows = windows;
    /* All channels share the cache. */
    ahead->lead =
        ahead->first_tile - ahead->first_leaf + (plan->ahead + view->channels - 1) / view->channels;
    if (ahead->lead > ahead->leaves)
        ahead->lead = ahead->leaves;
    blocks = ahead->lead + windows;
    return blocks > ahead->leaves ? blocks : ahead->leaves;
}

cudaError_t cuda_window_run(const struct cuda_plan *plan, struct cuda_rings *rings,
                            const struct cuda_task *task, cudaStream_t stream)
{
    const struct method *method = method_of(plan);
    cudaError_t error = cudaSuccess;
    struct window_view view;
    struct ahead ahead;
    unsigned blocks = 0; /* per channel */

    memset(&ahead, 0, sizeof ahead);
    make_view(&view, plan, rings, task);
    if (task->kept_first - task->first < task->count)
        blocks = view_windows(&view, plan, task);
    if (plan->has_leaves) {
        /* Earlier contents of the memory may look like records. */
        if (!rings->cleared)
            error = cudaMemsetAsync(rings->totals, 0, rings->records_bytes, stream);
        rings->cleared = error == cudaSuccess;
        blocks = view_far(&view, &ahead, plan, rings, task, blocks);
    } else if (cuda_plan_is_long(plan)) {
        place_tiles(&view, plan, rings);
    } else if (blocks > 0) {
        blocks = view.together > 0 ? group_rows(&view, plan) : join_rows(&view, plan, blocks);
        /* The first frame that a block loads has this place. */
        view.position = place_of(rings, view.start - (int64_t)halo_of(plan));
    }
    if (error != cudaSuccess || blocks == 0)
        return error;
    /* A block gives a thousand or more windows, of one channel or of several, so a grid that
     * exceeds 31 bits would need terabytes of device memory. */
    blocks = (blocks * view.channels + tiles_of_block(plan) - 1) / tiles_of_block(plan);
    LAUNCH(kernel_of(plan, view.length > 0 || !view.aligned), blocks, method->threads,
           method->shared, stream, view, ahead);
    return cudaGetLastError();
}
