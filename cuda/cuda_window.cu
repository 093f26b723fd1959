/* Plans and launches. The kernels are in cuda_near.cuh, cuda_far.cuh, cuda_tree.cuh and
 * cuda_ahead.cuh. */
#include "cuda_window.h"

#include "cuda_ahead.cuh"
#include "cuda_far.cuh"
#include "cuda_near.cuh"

enum {
    SHARED_UNASKED = 48 * 1024, /* bytes of shared memory that a block may use on every device */
    SHARED_OWN = 1024,          /* reserved by the device, per block */
    AHEAD_TILES = 3,            /* of 4096, per multiprocessor: fit_ahead() */
    AHEAD_LEAST = 16,           /* tiles */
    LOOKS = 100,
};

/* Every device gives a block this much without opting in. */
static_assert(NEAR_SHARED_WORDS * sizeof(int) <= SHARED_UNASKED, "near");
static_assert(vanherk_sizes<256>::SHARED_WORDS * sizeof(int) <= SHARED_UNASKED, "van Herk");
static_assert(scan_sizes<256>::SHARED_WORDS * sizeof(int) <= SHARED_UNASKED, "scan");
static_assert(ahead_sizes<256>::SHARED_WORDS * sizeof(int) <= SHARED_UNASKED, "ahead");
static_assert(CUDA_TILE_MOST % scan_sizes<128>::TILE == 0, "rings");
static_assert(CUDA_NODE_BYTES == sizeof(int2) && CUDA_RECORD_BYTES == sizeof(int4), "rings");

typedef void window_kernel(const struct window_view view);

/* By width, from 1. */
static window_kernel *const near_kernels[] = {
    near_kernel<1>,  near_kernel<2>,  near_kernel<3>,  near_kernel<4>,  near_kernel<5>,
    near_kernel<6>,  near_kernel<7>,  near_kernel<8>,  near_kernel<9>,  near_kernel<10>,
    near_kernel<11>, near_kernel<12>, near_kernel<13>, near_kernel<14>, near_kernel<15>,
    near_kernel<16>, near_kernel<17>,
};

static const uint64_t NEAR_MOST = sizeof near_kernels / sizeof *near_kernels;
/* From here on the next plan is faster: docs/kernels.md. Far plans are the fastest wherever they
 * can be used. */
static const uint64_t VANHERK_4096_MOST = 1400;
static const uint64_t VANHERK_MOST = scan_sizes<128>::TILE;
static const uint64_t FAR_2048_MOST = scan_sizes<256>::TILE;

template <int THREADS> static bool force_vanherk(struct cuda_plan *plan)
{
    const uint64_t halo =
        plan->width / RUN + (plan->width % RUN > 1 ? 1 : 0); /* (w-1) / RUN, rounded up */

    if (halo < 2 || halo + 1 >= THREADS)
        return false;
    plan->threads = THREADS;
    /* Two runs are one line of memory: a tile that begins in the middle of a line is a tenth
     * slower. */
    plan->tile = (unsigned)((THREADS - halo) / 2 * 2) * RUN;
    plan->shared = vanherk_sizes<THREADS>::SHARED_WORDS * sizeof(int);
    return true;
}

/* Frames in a middle. */
static uint64_t reach_of(const struct cuda_plan *plan)
{
    return plan->width - 1 - plan->tile;
}

template <int THREADS> static bool force_far(struct cuda_plan *plan)
{
    plan->threads = THREADS;
    plan->tile = scan_sizes<THREADS>::TILE;
    plan->shared = scan_sizes<THREADS>::SHARED_WORDS * sizeof(int);
    if (plan->width <= plan->tile)
        return false;
    plan->tree = CUDA_TREE_WHOLE;
    if (reach_of(plan) / plan->tile <= AHEAD_WHOLE_MOST) {
        plan->tree = CUDA_TREE_LEAVES;
        plan->shared = ahead_sizes<THREADS>::SHARED_WORDS * sizeof(int);
    }
    return true;
}

bool cuda_plan_force(struct cuda_plan *plan, enum cuda_plan_kind kind, uint64_t width)
{
    memset(plan, 0, sizeof *plan);
    plan->kind = kind;
    plan->width = width;
    switch (kind) {
    case CUDA_PLAN_NEAR:
        plan->threads = NEAR_THREADS;
        plan->tile = (NEAR_THREADS - 1) * RUN;
        plan->shared = NEAR_SHARED_WORDS * sizeof(int);
        return width <= NEAR_MOST;
    case CUDA_PLAN_VANHERK_4096:
        return force_vanherk<256>(plan);
    case CUDA_PLAN_VANHERK_8192:
        return force_vanherk<512>(plan);
    case CUDA_PLAN_FAR_2048:
        return force_far<128>(plan) && plan->tree == CUDA_TREE_LEAVES;
    case CUDA_PLAN_FAR_4096:
        return force_far<256>(plan);
    case CUDA_PLANS:
        break;
    }
    return false;
}

/* Asks the current device. */
static cudaError_t ask_device(enum cudaDeviceAttr attribute, int *value)
{
    int device;
    cudaError_t error = cudaGetDevice(&device);

    return error == cudaSuccess ? cudaDeviceGetAttribute(value, attribute, device) : error;
}

/* How far ahead leaves are made depends on the number of multiprocessors. All blocks between a leaf
 * and the windows for which its samples are read again share the second-level cache, which is
 * larger on devices with more multiprocessors. Too close, and leaves come late; too far, and the
 * samples have left the cache. docs/kernels.md has the measurements. */
static cudaError_t fit_ahead(struct cuda_plan *plan)
{
    int multiprocessors = 0;
    cudaError_t error = ask_device(cudaDevAttrMultiProcessorCount, &multiprocessors);

    plan->ahead = (unsigned)multiprocessors * AHEAD_TILES * (CUDA_TILE_MOST / plan->tile);
    if (plan->ahead < AHEAD_LEAST)
        plan->ahead = AHEAD_LEAST;
    plan->looks = LOOKS;
    return error;
}

cudaError_t cuda_plan_fit(struct cuda_plan *plan)
{
    if (plan->tree == CUDA_TREE_LEAVES)
        return fit_ahead(plan);
    if (plan->shared <= SHARED_UNASKED)
        return cudaSuccess;
    return cudaFuncSetAttribute((const void *)vanherk_kernel<512>,
                                cudaFuncAttributeMaxDynamicSharedMemorySize, (int)plan->shared);
}

/* The larger kind pays only if two of its blocks fit on a multiprocessor. */
static cudaError_t may_have_8192(bool *may)
{
    int bytes = 0;
    cudaError_t error = ask_device(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &bytes);

    *may = (size_t)bytes >= 2 * (vanherk_sizes<512>::SHARED_WORDS * sizeof(int) + SHARED_OWN);
    return error;
}

cudaError_t cuda_plan_choose(struct cuda_plan *plan, uint64_t width)
{
    bool large;
    cudaError_t error = may_have_8192(&large);
    const enum cuda_plan_kind largest = large ? CUDA_PLAN_VANHERK_8192 : CUDA_PLAN_VANHERK_4096;
    enum cuda_plan_kind kind = width <= NEAR_MOST           ? CUDA_PLAN_NEAR
                               : width <= VANHERK_4096_MOST ? CUDA_PLAN_VANHERK_4096
                               : width <= VANHERK_MOST      ? largest
                               : width <= FAR_2048_MOST     ? CUDA_PLAN_FAR_2048
                                                            : CUDA_PLAN_FAR_4096;

    cuda_plan_force(plan, kind, width);
    return error;
}

cudaError_t cuda_plan_make(struct cuda_plan *plan, uint64_t width)
{
    cudaError_t error = cuda_plan_choose(plan, width);

    return error == cudaSuccess ? cuda_plan_fit(plan) : error;
}

static cudaError_t load_far(void)
{
    cudaError_t error = load_kernel(tree_leaves<256>);

    if (error == cudaSuccess)
        error = load_kernel(tree_nodes);
    if (error == cudaSuccess)
        error = load_kernel(far_middles);
    return error == cudaSuccess ? load_kernel(far_kernel<256>) : error;
}

cudaError_t cuda_plan_load(const struct cuda_plan *plan)
{
    switch (plan->kind) {
    case CUDA_PLAN_NEAR:
        return load_kernel(near_kernels[plan->width - 1]);
    case CUDA_PLAN_VANHERK_4096:
        return load_kernel(vanherk_kernel<256>);
    case CUDA_PLAN_VANHERK_8192:
        return load_kernel(vanherk_kernel<512>);
    case CUDA_PLAN_FAR_2048:
        return load_kernel(ahead_kernel<128>);
    case CUDA_PLAN_FAR_4096:
        return plan->tree == CUDA_TREE_LEAVES ? load_kernel(ahead_kernel<256>) : load_far();
    case CUDA_PLANS:
        break;
    }
    return cudaErrorInvalidValue;
}

const char *cuda_plan_name(const struct cuda_plan *plan)
{
    static const char *const names[CUDA_PLANS] = {"near", "herk/4096", "herk/8192", "far/2048",
                                                  "far/4096"};

    return names[plan->kind];
}

/* ---- tasks */

static int64_t clamp(uint64_t frame)
{
    return frame > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)frame;
}

/* The place of a frame in a ring; the frame may be before the stream. */
static uint64_t place_of(const struct cuda_rings *rings, int64_t frame)
{
    int64_t past = frame % (int64_t)rings->capacity;

    return (uint64_t)(past < 0 ? past + (int64_t)rings->capacity : past);
}

unsigned cuda_task_shift(const struct cuda_task *task, unsigned channels)
{
    return channels == 1 ? (unsigned)(task->kept_first % QUAD * task->emits.count % QUAD) : 0;
}

static void make_view(struct window_view *view, const struct cuda_plan *plan,
                      const struct cuda_rings *rings, const struct cuda_task *task)
{
    memset(view, 0, sizeof *view);
    view->samples = rings->samples;
    view->capacity = rings->capacity;
    view->channels = rings->channels;
    view->tile = plan->tile;
    view->known_from = clamp(task->known_from);
    view->known_to = clamp(task->known_to);
    view->width = plan->width;
    view->nan = task->nan;
}

static bool is_pair(const struct emit_list *emits)
{
    return emits->count == 2 && emits->item[0] == EMIT_MIN && emits->item[1] == EMIT_MAX;
}

static bool is_single(const struct emit_list *emits)
{
    return emits->count == 1 && (emits->item[0] == EMIT_MIN || emits->item[0] == EMIT_MAX);
}

/* The windows from kept_first on, in tiles that begin at multiples of `unit` frames. */
static void view_windows(struct window_view *view, const struct cuda_task *task, uint64_t unit)
{
    uint64_t kept = (task->first + task->count - 1 - task->kept_first) / task->hop;
    unsigned shift = cuda_task_shift(task, view->channels);
    bool aligned = (uintptr_t)(task->out - shift) % (QUAD * sizeof(float)) == 0;

    view->start = (int64_t)(task->kept_first / unit * unit);
    view->first = (int64_t)task->kept_first;
    view->last = (int64_t)(task->kept_first + kept * task->hop + 1);
    view->kept_first = view->first;
    view->hop = task->hop;
    view->whole_from = clamp(task->whole_from);
    view->whole_to = clamp(task->whole_to);
    view->emits = task->emits;
    view->pairs = view->channels == 1 && task->hop == 1 && aligned && is_pair(&task->emits);
    view->single = view->channels == 1 && task->hop == 1 && aligned && is_single(&task->emits);
    view->out = task->out;
}

/* A block processes a thousand or more frames of one channel, so a grid that exceeds 31 bits would
 * need terabytes of device memory. */
static unsigned grid_of(uint64_t tiles, unsigned channels)
{
    return (unsigned)(tiles * channels);
}

static struct tree tree_of(const struct cuda_rings *rings)
{
    struct tree tree;

    memset(&tree, 0, sizeof tree);
    tree.levels = rings->levels;
    for (unsigned i = 0; i < rings->levels; i++) {
        tree.level[i].nodes = (int2 *)rings->nodes[i];
        tree.level[i].kept = rings->kept[i];
    }
    tree.suffixes.nodes = (int2 *)rings->suffixes;
    tree.suffixes.kept = rings->kept[0];
    return tree;
}

/* Where block 0 finds its tile, and the beginnings of its windows. */
static void view_begins(struct window_view *view, const struct cuda_plan *plan,
                        const struct cuda_rings *rings)
{
    int64_t begin = view->start - (int64_t)(plan->width - 1);
    unsigned shift = (unsigned)(((begin % QUAD) + QUAD) % QUAD);

    view->position = place_of(rings, view->start);
    view->begin = begin - shift;
    view->begin_position = place_of(rings, view->begin);
    view->begin_shift = shift;
}

/* Tiles with windows. */
static uint64_t count_tiles(const struct window_view *view)
{
    return (uint64_t)(view->last - view->start + view->tile - 1) / view->tile;
}

/* The suffix: the frames that the windows of a tile share with another tile that is not entirely in
 * the middle. */
static int cut_of(const struct cuda_plan *plan)
{
    return (int)(plan->tile - (plan->width - 1) % plan->tile);
}

static bool has_windows(const struct cuda_task *task)
{
    return task->kept_first - task->first < task->count;
}

/* ---- leaves ahead of the windows */

/* Earlier contents of the memory may look like records. There is one level: the leaves, followed by
 * as many suffixes. */
static cudaError_t clear_records(struct cuda_rings *rings, cudaStream_t stream)
{
    const size_t bytes = (size_t)((char *)rings->suffixes - (char *)rings->nodes[0]);
    cudaError_t error = cudaSuccess;

    if (!rings->cleared)
        error = cudaMemsetAsync(rings->nodes[0], 0, 2 * bytes, stream);
    rings->cleared = error == cudaSuccess;
    return error;
}

/* Where the windows lie, and how far behind the leaves. */
static void place_windows(struct ahead *ahead, const struct cuda_plan *plan,
                          const struct window_view *view)
{
    const uint64_t reach = reach_of(plan);
    /* All channels share the cache. */
    const unsigned distance = (plan->ahead + view->channels - 1) / view->channels;
    const uint64_t lead = (uint64_t)view->start / plan->tile + distance - ahead->first_leaf;

    ahead->first_tile = (uint64_t)view->start / plan->tile;
    ahead->windows = (unsigned)count_tiles(view);
    ahead->lead = lead < ahead->leaves ? (unsigned)lead : ahead->leaves;
    ahead->whole = (unsigned)(reach / plan->tile);
    ahead->has_suffix = reach % plan->tile != 0;
    ahead->looks = plan->looks;
    if (ahead->base + ahead->whole + 1 > ahead->first_tile)
        ahead->base = ahead->first_tile > ahead->whole ? ahead->first_tile - ahead->whole - 1 : 0;
}

/* From the first leaf in a middle to the last one made here, there are at most as many leaves as a
 * ring has tiles, because the ring holds the windows and the new frames: so no two leaves share a
 * place. */
static cudaError_t run_ahead(const struct cuda_plan *plan, struct cuda_rings *rings,
                             const struct cuda_task *task, bool windows, cudaStream_t stream)
{
    const uint64_t made = rings->made[0];
    const uint64_t tiles = (task->first + task->count) / plan->tile;
    const uint64_t now = tiles > made ? tiles : made;
    cudaError_t error = clear_records(rings, stream);
    struct window_view view;
    struct ahead ahead;
    unsigned blocks; /* per channel */

    memset(&ahead, 0, sizeof ahead);
    ahead.totals = (int4 *)rings->nodes[0];
    ahead.suffixes = (int4 *)rings->suffixes;
    ahead.kept = (unsigned)rings->kept[0];
    ahead.first_leaf = made;
    ahead.leaves = (unsigned)(now - made);
    ahead.base = ahead.first_leaf;
    ahead.cut = cut_of(plan);
    make_view(&view, plan, rings, task);
    if (windows) {
        view_windows(&view, task, plan->tile);
        view_begins(&view, plan, rings);
        place_windows(&ahead, plan, &view);
    }
    ahead.base_place = (unsigned)(ahead.base % ahead.kept);
    for (unsigned i = 0; i < 2; i++)
        ahead.stamps[i] = (unsigned)(ahead.base / ahead.kept + i) << 1 | 1;
    rings->made[0] = now;
    blocks = ahead.lead + ahead.windows;
    if (blocks < ahead.leaves)
        blocks = ahead.leaves;
    if (error != cudaSuccess || blocks == 0)
        return error;
    blocks = grid_of(blocks, rings->channels);
    if (plan->threads == 128)
        LAUNCH(ahead_kernel<128>, blocks, 128, plan->shared, stream, view, ahead);
    else
        LAUNCH(ahead_kernel<256>, blocks, 256, plan->shared, stream, view, ahead);
    return cudaGetLastError();
}

/* ---- one kernel per step */

static cudaError_t make_tree(const struct cuda_plan *plan, struct cuda_rings *rings,
                             const struct cuda_task *task, cudaStream_t stream)
{
    const struct tree tree = tree_of(rings);
    const int cut = cut_of(plan);
    struct window_view view;

    for (unsigned i = 0; i < rings->levels; i++) {
        uint64_t made = rings->made[i];
        uint64_t now =
            i == 0 ? (task->first + task->count) / plan->tile : rings->made[i - 1] / CUDA_RADIX;
        unsigned grid = now > made ? grid_of(now - made, rings->channels) : 0;

        rings->made[i] = now > made ? now : made;
        if (grid == 0)
            break;
        make_view(&view, plan, rings, task);
        view.start = (int64_t)(made * plan->tile);
        view.position = place_of(rings, view.start);
        if (i > 0)
            LAUNCH(tree_nodes, grid, LANES, 0, stream, tree.level[i], tree.level[i - 1], made,
                   rings->channels);
        else
            LAUNCH(tree_leaves<256>, grid, 256, 16 * sizeof(int2), stream, view, tree, made, cut);
    }
    return cudaGetLastError();
}

static void launch_middles(const struct cuda_plan *plan, const struct cuda_rings *rings,
                           uint64_t first_tile, unsigned count, int2 *middles, cudaStream_t stream)
{
    const unsigned in_block = MIDDLES_THREADS / LANES;
    const unsigned grid = count / in_block + (count % in_block != 0 ? 1 : 0);

    LAUNCH(far_middles, grid, MIDDLES_THREADS, 0, stream, tree_of(rings), first_tile,
           reach_of(plan), plan->tile, rings->channels, count, middles);
}

static void launch_far(const struct cuda_plan *plan, const struct cuda_rings *rings,
                       struct window_view *view, unsigned grid, int2 *middles, cudaStream_t stream)
{
    view_begins(view, plan, rings);
    view->middles = middles;
    launch_middles(plan, rings, (uint64_t)view->start / plan->tile, grid, middles, stream);
    LAUNCH(far_kernel<256>, grid, 256, plan->shared, stream, *view);
}

cudaError_t cuda_window_take(const struct cuda_plan *plan, struct cuda_rings *rings,
                             const struct cuda_task *task, cudaStream_t stream)
{
    return plan->tree == CUDA_TREE_LEAVES ? run_ahead(plan, rings, task, false, stream)
                                          : make_tree(plan, rings, task, stream);
}

cudaError_t cuda_window_run(const struct cuda_plan *plan, struct cuda_rings *rings,
                            const struct cuda_task *task, void *middles, cudaStream_t stream)
{
    cudaError_t error;
    struct window_view view;
    unsigned grid;

    if (plan->tree == CUDA_TREE_LEAVES)
        return run_ahead(plan, rings, task, has_windows(task), stream);
    error = make_tree(plan, rings, task, stream);
    if (error != cudaSuccess || !has_windows(task))
        return error;
    make_view(&view, plan, rings, task);
    view_windows(&view, task, plan->tree == CUDA_TREE_WHOLE ? plan->tile : (unsigned)RUN);
    grid = grid_of(count_tiles(&view), rings->channels);
    if (plan->tree == CUDA_TREE_WHOLE) {
        launch_far(plan, rings, &view, grid, (int2 *)middles, stream);
        return cudaGetLastError();
    }
    /* The place of the first frame that a block loads. */
    view.position = place_of(rings, view.start - (int64_t)(plan->threads * RUN - plan->tile));
    if (plan->kind == CUDA_PLAN_NEAR)
        LAUNCH(near_kernels[plan->width - 1], grid, plan->threads, plan->shared, stream, view);
    else if (plan->kind == CUDA_PLAN_VANHERK_4096)
        LAUNCH(vanherk_kernel<256>, grid, 256, plan->shared, stream, view);
    else
        LAUNCH(vanherk_kernel<512>, grid, 512, plan->shared, stream, view);
    return cudaGetLastError();
}
