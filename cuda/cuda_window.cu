/* Plans and launches. The kernels are in cuda_near.cuh, cuda_far.cuh, cuda_tree.cuh and
 * cuda_ahead.cuh. */
#include "cuda_window.h"

#include "cuda_ahead.cuh"
#include "cuda_far.cuh"
#include "cuda_near.cuh"

enum {
    QUAD_BYTES = 16,
    RUN_BYTES = QUADS * QUAD_BYTES,
    SHARED_UNASKED = 48 * 1024, /* bytes of shared memory that a block may use on every device */
    SHARED_OWN = 1024,          /* reserved by the device, per block */
    AHEAD_TILES = 3,            /* of 256 runs, per multiprocessor: fit_ahead() */
    AHEAD_LEAST = 16,           /* tiles */
    LOOKS = 100,
    LEAVES_PAIRS = 16, /* two per warp */
};

/* Bytes of shared memory of a block, by the sizes of its kernel. */
template <class K, class Sizes> static constexpr size_t shared_bytes(void)
{
    return Sizes::SHARED_WORDS * sizeof(kind_word<K>);
}

/* Every device gives a block this much without opting in. */
template <class K> static constexpr bool fits_everywhere(void)
{
    return shared_bytes<K, near_sizes<K>>() <= SHARED_UNASKED &&
           shared_bytes<K, vanherk_sizes<K, 256>>() <= SHARED_UNASKED &&
           shared_bytes<K, scan_sizes<K, 256>>() <= SHARED_UNASKED &&
           shared_bytes<K, ahead_sizes<K, 256>>() <= SHARED_UNASKED;
}

static_assert(fits_everywhere<f32>() && fits_everywhere<f64>(), "shared memory");

template <class K> static constexpr bool matches_rings(void)
{
    return CUDA_TILE_MOST % scan_sizes<K, 256>::TILE == 0 &&
           sizeof(kind_pair<K>) == CUDA_NODE_VALUES * sizeof(kind_value<K>) &&
           sizeof(ahead_record<K>) == CUDA_RECORD_VALUES * sizeof(kind_value<K>);
}

static_assert(matches_rings<f32>() && matches_rings<f64>(), "rings");

/* The kernels for one kind of values. */
struct kernel_set {
    typedef void window(const struct window_view view);
    typedef void ahead_window(const struct window_view view, const struct ahead ahead);

    window *const *near; /* by width, from 1 */
    window *vanherk_256; /* by threads */
    window *vanherk_512; /* for float32 */
    window *far_256;
    ahead_window *ahead_64; /* for float64 */
    ahead_window *ahead_128;
    ahead_window *ahead_256;
    void (*leaves_256)(const struct window_view view, const struct tree tree, uint64_t first_leaf,
                       int cut);
    void (*nodes)(const struct tree_level above, const struct tree_level below, uint64_t first_node,
                  unsigned channels);
    void (*middles)(const struct tree tree, uint64_t first_tile, uint64_t reach, unsigned tile,
                    unsigned channels, unsigned count, void *middles);
};

static kernel_set::window *const near_f32[] = {
    near_kernel<f32, 1>,  near_kernel<f32, 2>,  near_kernel<f32, 3>,  near_kernel<f32, 4>,
    near_kernel<f32, 5>,  near_kernel<f32, 6>,  near_kernel<f32, 7>,  near_kernel<f32, 8>,
    near_kernel<f32, 9>,  near_kernel<f32, 10>, near_kernel<f32, 11>, near_kernel<f32, 12>,
    near_kernel<f32, 13>, near_kernel<f32, 14>, near_kernel<f32, 15>, near_kernel<f32, 16>,
    near_kernel<f32, 17>,
};

static kernel_set::window *const near_f64[] = {
    near_kernel<f64, 1>, near_kernel<f64, 2>, near_kernel<f64, 3>,
    near_kernel<f64, 4>, near_kernel<f64, 5>, near_kernel<f64, 6>,
    near_kernel<f64, 7>, near_kernel<f64, 8>, near_kernel<f64, 9>,
};

static_assert(sizeof near_f32 / sizeof *near_f32 == f32::RUN + 1, "near: the windows of a run");
static_assert(sizeof near_f64 / sizeof *near_f64 == f64::RUN + 1, "near: the windows of a run");

#define KERNELS(K, near, vanherk_512, ahead_64)                                                    \
    {                                                                                              \
        near, vanherk_kernel<K, 256>, vanherk_512, far_kernel<K, 256>, ahead_64,                   \
            ahead_kernel<K, 128>, ahead_kernel<K, 256>, tree_leaves<K, 256>, tree_nodes<K>,        \
            far_middles<K>                                                                         \
    }

static const struct kernel_set kernels_f32 =
    KERNELS(f32, near_f32, (vanherk_kernel<f32, 512>), nullptr);
static const struct kernel_set kernels_f64 =
    KERNELS(f64, near_f64, nullptr, (ahead_kernel<f64, 64>));

static const struct kernel_set *kernels_of(const struct cuda_plan *plan)
{
    return plan->value == VALUE_F64 ? &kernels_f64 : &kernels_f32;
}

template <class K, int THREADS> static bool force_vanherk(struct cuda_plan *plan)
{
    const uint64_t halo =
        plan->width / K::RUN + (plan->width % K::RUN > 1 ? 1 : 0); /* (w-1) / RUN, rounded up */

    if (halo < 2 || halo + 1 >= THREADS)
        return false;
    plan->threads = THREADS;
    /* Two runs are one line of memory: a tile that begins in the middle of a line is a tenth
     * slower. */
    plan->tile = (unsigned)((THREADS - halo) / 2 * 2) * K::RUN;
    plan->shared = shared_bytes<K, vanherk_sizes<K, THREADS>>();
    return true;
}

/* Frames in a run. */
static unsigned run_of(const struct cuda_plan *plan)
{
    return (unsigned)(RUN_BYTES / value_bytes(plan->value));
}

/* Frames in a middle. */
static uint64_t reach_of(const struct cuda_plan *plan)
{
    return plan->width - 1 - plan->tile;
}

template <class K, int THREADS> static bool force_far(struct cuda_plan *plan)
{
    plan->threads = THREADS;
    plan->tile = scan_sizes<K, THREADS>::TILE;
    plan->shared = shared_bytes<K, scan_sizes<K, THREADS>>();
    if (plan->width <= plan->tile)
        return false;
    plan->tree = CUDA_TREE_WHOLE;
    if (reach_of(plan) / plan->tile <= AHEAD_WHOLE_MOST) {
        plan->tree = CUDA_TREE_LEAVES;
        plan->shared = shared_bytes<K, ahead_sizes<K, THREADS>>();
    }
    return true;
}

template <class K> static bool force(struct cuda_plan *plan)
{
    switch (plan->kind) {
    case CUDA_PLAN_NEAR:
        plan->threads = NEAR_THREADS;
        plan->tile = (NEAR_THREADS - 1) * K::RUN;
        plan->shared = shared_bytes<K, near_sizes<K>>();
        return plan->width <= K::RUN + 1;
    case CUDA_PLAN_VANHERK_4096:
        return force_vanherk<K, 256>(plan);
    case CUDA_PLAN_VANHERK_8192:
        return plan->value == VALUE_F32 && force_vanherk<K, 512>(plan);
    case CUDA_PLAN_FAR_1024:
        return plan->value == VALUE_F64 && force_far<K, 64>(plan) && plan->tree == CUDA_TREE_LEAVES;
    case CUDA_PLAN_FAR_2048:
        return force_far<K, 128>(plan) && plan->tree == CUDA_TREE_LEAVES;
    case CUDA_PLAN_FAR_4096:
        return force_far<K, 256>(plan);
    case CUDA_PLANS:
        break;
    }
    return false;
}

bool cuda_plan_force(struct cuda_plan *plan, enum cuda_plan_kind kind, enum value_kind value,
                     uint64_t width)
{
    memset(plan, 0, sizeof *plan);
    plan->kind = kind;
    plan->value = value;
    plan->width = width;
    return value == VALUE_F64 ? force<f64>(plan) : force<f32>(plan);
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

    plan->ahead = (unsigned)multiprocessors * AHEAD_TILES * 256 / plan->threads;
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
    return cudaFuncSetAttribute((const void *)kernels_of(plan)->vanherk_512,
                                cudaFuncAttributeMaxDynamicSharedMemorySize, (int)plan->shared);
}

/* The larger kind pays only if two of its blocks fit on a multiprocessor. */
static cudaError_t may_have_8192(bool *may)
{
    int bytes = 0;
    cudaError_t error = ask_device(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &bytes);

    *may = (size_t)bytes >= 2 * (shared_bytes<f32, vanherk_sizes<f32, 512>>() + SHARED_OWN);
    return error;
}

/* docs/kernels.md has the measurements behind the borders. */
static enum cuda_plan_kind best_f32(uint64_t width, bool large)
{
    return width <= f32::RUN + 1              ? CUDA_PLAN_NEAR
           : width <= (large ? 1400U : 2048U) ? CUDA_PLAN_VANHERK_4096
           : width <= 2048                    ? CUDA_PLAN_VANHERK_8192
           : width <= 4096                    ? CUDA_PLAN_FAR_2048
                                              : CUDA_PLAN_FAR_4096;
}

static enum cuda_plan_kind best_f64(uint64_t width)
{
    return width <= f64::RUN + 1 ? CUDA_PLAN_NEAR
           : width <= 750        ? CUDA_PLAN_VANHERK_4096
           : width <= 1024       ? CUDA_PLAN_FAR_1024
           : width <= 32768      ? CUDA_PLAN_FAR_2048
                                 : CUDA_PLAN_FAR_4096;
}

cudaError_t cuda_plan_choose(struct cuda_plan *plan, enum value_kind value, uint64_t width)
{
    bool large = false;
    cudaError_t error = value == VALUE_F32 ? may_have_8192(&large) : cudaSuccess;

    cuda_plan_force(plan, value == VALUE_F64 ? best_f64(width) : best_f32(width, large), value,
                    width);
    return error;
}

cudaError_t cuda_plan_make(struct cuda_plan *plan, enum value_kind value, uint64_t width)
{
    cudaError_t error = cuda_plan_choose(plan, value, width);

    return error == cudaSuccess ? cuda_plan_fit(plan) : error;
}

static cudaError_t load_far(const struct kernel_set *kernels)
{
    cudaError_t error = load_kernel(kernels->leaves_256);

    if (error == cudaSuccess)
        error = load_kernel(kernels->nodes);
    if (error == cudaSuccess)
        error = load_kernel(kernels->middles);
    return error == cudaSuccess ? load_kernel(kernels->far_256) : error;
}

cudaError_t cuda_plan_load(const struct cuda_plan *plan)
{
    const struct kernel_set *kernels = kernels_of(plan);

    switch (plan->kind) {
    case CUDA_PLAN_NEAR:
        return load_kernel(kernels->near[plan->width - 1]);
    case CUDA_PLAN_VANHERK_4096:
        return load_kernel(kernels->vanherk_256);
    case CUDA_PLAN_VANHERK_8192:
        return load_kernel(kernels->vanherk_512);
    case CUDA_PLAN_FAR_1024:
        return load_kernel(kernels->ahead_64);
    case CUDA_PLAN_FAR_2048:
        return load_kernel(kernels->ahead_128);
    case CUDA_PLAN_FAR_4096:
        return plan->tree == CUDA_TREE_LEAVES ? load_kernel(kernels->ahead_256) : load_far(kernels);
    case CUDA_PLANS:
        break;
    }
    return cudaErrorInvalidValue;
}

const char *cuda_plan_name(const struct cuda_plan *plan)
{
    static const char *const names[CUDA_PLANS] = {"near", "herk/4096", "herk/8192",
                                                  "",     "far/2048",  "far/4096"};
    static const char *const names_f64[CUDA_PLANS] = {"near",    "herk/2048", "",
                                                      "far/512", "far/1024",  "far/2048"};

    return (plan->value == VALUE_F64 ? names_f64 : names)[plan->kind];
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

static bool are_sides(const struct emit_list *emits)
{
    bool sides = true;

    for (unsigned i = 0; i < emits->count; i++)
        sides = sides && (emits->item[i] == EMIT_MIN || emits->item[i] == EMIT_MAX);
    return sides;
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

/* The windows from kept_first on, in tiles that begin at multiples of `unit` frames. */
static void view_windows(struct window_view *view, const struct cuda_plan *plan,
                         const struct cuda_task *task, uint64_t unit)
{
    uint64_t kept = (task->first + task->count - 1 - task->kept_first) / task->hop;
    size_t shift = cuda_task_shift(task, plan->value, view->channels);
    bool aligned = task->apart == NULL && ((uintptr_t)task->out - shift) % QUAD_BYTES == 0;

    view->start = (int64_t)(task->kept_first / unit * unit);
    view->first = (int64_t)task->kept_first;
    view->last = (int64_t)(task->kept_first + kept * task->hop + 1);
    view->kept_first = view->first;
    view->hop = task->hop;
    view->whole_from = clamp(task->whole_from);
    view->whole_to = clamp(task->whole_to);
    view->emits = task->emits;
    view->pairs = view->channels == 1 && task->hop == 1 && aligned && is_pair(&task->emits);
    view->out = out_of(task, plan->value, view->channels);
    view->sides = task->hop == 1 && view->out.frame == 1 && are_sides(&task->emits);
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
        tree.level[i].nodes = rings->nodes[i];
        tree.level[i].kept = rings->kept[i];
    }
    tree.suffixes.nodes = rings->suffixes;
    tree.suffixes.kept = rings->kept[0];
    return tree;
}

/* Where block 0 finds its tile, and the beginnings of its windows. */
static void view_begins(struct window_view *view, const struct cuda_plan *plan,
                        const struct cuda_rings *rings)
{
    const int64_t quad = QUAD_BYTES / (int64_t)value_bytes(plan->value);
    int64_t begin = view->start - (int64_t)(plan->width - 1);
    unsigned shift = (unsigned)(((begin % quad) + quad) % quad);

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
    const struct kernel_set *kernels = kernels_of(plan);
    const uint64_t made = rings->made[0];
    const uint64_t tiles = (task->first + task->count) / plan->tile;
    const uint64_t now = tiles > made ? tiles : made;
    cudaError_t error = clear_records(rings, stream);
    struct window_view view;
    struct ahead ahead;
    unsigned blocks; /* per channel */

    memset(&ahead, 0, sizeof ahead);
    ahead.totals = rings->nodes[0];
    ahead.suffixes = rings->suffixes;
    ahead.kept = (unsigned)rings->kept[0];
    ahead.first_leaf = made;
    ahead.leaves = (unsigned)(now - made);
    ahead.base = ahead.first_leaf;
    ahead.cut = cut_of(plan);
    make_view(&view, plan, rings, task);
    if (windows) {
        view_windows(&view, plan, task, plan->tile);
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
    LAUNCH(plan->threads == 64    ? kernels->ahead_64
           : plan->threads == 128 ? kernels->ahead_128
                                  : kernels->ahead_256,
           blocks, plan->threads, plan->shared, stream, view, ahead);
    return cudaGetLastError();
}

/* ---- one kernel per step */

static cudaError_t make_tree(const struct cuda_plan *plan, struct cuda_rings *rings,
                             const struct cuda_task *task, cudaStream_t stream)
{
    const struct kernel_set *kernels = kernels_of(plan);
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
            LAUNCH(kernels->nodes, grid, LANES, 0, stream, tree.level[i], tree.level[i - 1], made,
                   rings->channels);
        else
            LAUNCH(kernels->leaves_256, grid, 256, LEAVES_PAIRS * 2 * value_bytes(plan->value),
                   stream, view, tree, made, cut);
    }
    return cudaGetLastError();
}

static void launch_middles(const struct cuda_plan *plan, const struct cuda_rings *rings,
                           uint64_t first_tile, unsigned count, void *middles, cudaStream_t stream)
{
    const unsigned in_block = MIDDLES_THREADS / LANES;
    const unsigned grid = count / in_block + (count % in_block != 0 ? 1 : 0);

    LAUNCH(kernels_of(plan)->middles, grid, MIDDLES_THREADS, 0, stream, tree_of(rings), first_tile,
           reach_of(plan), plan->tile, rings->channels, count, middles);
}

static void launch_far(const struct cuda_plan *plan, const struct cuda_rings *rings,
                       struct window_view *view, unsigned grid, void *middles, cudaStream_t stream)
{
    view_begins(view, plan, rings);
    view->middles = middles;
    launch_middles(plan, rings, (uint64_t)view->start / plan->tile, grid, middles, stream);
    LAUNCH(kernels_of(plan)->far_256, grid, 256, plan->shared, stream, *view);
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
    const struct kernel_set *kernels = kernels_of(plan);
    cudaError_t error;
    struct window_view view;
    unsigned grid;

    if (plan->tree == CUDA_TREE_LEAVES)
        return run_ahead(plan, rings, task, has_windows(task), stream);
    error = make_tree(plan, rings, task, stream);
    if (error != cudaSuccess || !has_windows(task))
        return error;
    make_view(&view, plan, rings, task);
    view_windows(&view, plan, task, plan->tree == CUDA_TREE_WHOLE ? plan->tile : run_of(plan));
    grid = grid_of(count_tiles(&view), rings->channels);
    if (plan->tree == CUDA_TREE_WHOLE) {
        launch_far(plan, rings, &view, grid, middles, stream);
        return cudaGetLastError();
    }
    /* The place of the first frame that a block loads. */
    view.position =
        place_of(rings, view.start - (int64_t)(plan->threads * run_of(plan) - plan->tile));
    if (plan->kind == CUDA_PLAN_NEAR)
        LAUNCH(kernels->near[plan->width - 1], grid, plan->threads, plan->shared, stream, view);
    else if (plan->kind == CUDA_PLAN_VANHERK_4096)
        LAUNCH(kernels->vanherk_256, grid, plan->threads, plan->shared, stream, view);
    else
        LAUNCH(kernels->vanherk_512, grid, plan->threads, plan->shared, stream, view);
    return cudaGetLastError();
}
