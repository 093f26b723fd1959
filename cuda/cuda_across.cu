/* SPDX-License-Identifier: MIT */
/* Windows across rows. A thread sweeps down a column of words, each of one to four adjacent
 * samples; a word has 32 bits, or 64 for float64. So the threads of a warp read and write whole
 * lines of memory.
 *
 * The frames of a sweep are cut into segments that are as long as a window (van Herk and
 * Gil-Werman): a window is a suffix of one segment and a prefix of the next. A thread keeps the
 * keys of one segment in shared memory, and turns them into those of its suffixes when the segment
 * is complete. No other thread reads them, so the kernel needs no barriers. It reads each sample
 * once, and compares it three times for windows of every width.
 *
 * There are only maxima: minima are maxima of keys whose bits are inverted. */
#include "cuda_across.h"

#include "cuda_tile.cuh"

enum {
    THREADS_MOST = 128,
    BATCH = 8,              /* words that a thread reads ahead */
    SUFFIXES = 4,           /* suffixes that are made at a time */
    RING_BYTES = 48 * 1024, /* bytes of shared memory that a block may use on every device */
    ROW_LEAST = 64,   /* least bytes of adjacent samples: with fewer, most of a line is not used */
    SWEEPS = 1 << 16, /* enough for the largest device */

    /* A sweep has at least SWEEP_WIDTHS windows for each frame of its halo, and SWEEP_LEAST
     * more. */
    SWEEP_WIDTHS = 4,
    SWEEP_LEAST = 32,
    DISTANCE_MOST = 1 << 30, /* bytes from frame to frame */
    FRAMES_MOST = 1 << 30,
};

struct across_view {
    struct strided in;
    struct strided out;
    unsigned columns; /* words of a row */
    unsigned words;   /* words of all rows */
    bool aligned;     /* every column begins at a multiple of a word */

    unsigned blocks; /* blocks for all columns */
    int sweep;       /* windows of a sweep */
    int end;         /* where the first window ends */
    int hop;
    int width;
    int whole_from; /* windows that end before this frame, or at or after whole_to, become NaN */
    int whole_to;

    unsigned sign;
    int mirror; /* -1 for minima, 0 for maxima */
    int of_nan; /* -1 where NaN wins, otherwise 0 */
};

/* ---- words */

template <class K> constexpr int word_samples = sizeof(kind_word<K>) / sizeof(kind_value<K>);

/* Loads a word of `count` samples. With WHOLE, the word has all its samples, and one access loads
 * them. */
template <class K, bool WHOLE> DEVICE kind_word<K> load_word(const unsigned char *from, int count)
{
    kind_value<K> value[word_samples<K>];
    kind_word<K> word;

    if constexpr (WHOLE) {
        word = *(const kind_word<K> *)(const void *)from;
    } else {
#pragma unroll
        for (int i = 0; i < word_samples<K>; i++)
            value[i] =
                i < count ? ((const kind_value<K> *)(const void *)from)[i] : (kind_value<K>)0;
        memcpy(&word, value, sizeof word);
    }
    return word;
}

template <class K, bool WHOLE>
DEVICE void store_word(unsigned char *to, int count, kind_word<K> word)
{
    kind_value<K> value[word_samples<K>];

    if constexpr (WHOLE)
        *(kind_word<K> *)(void *)to = word;
    memcpy(value, &word, sizeof word);
#pragma unroll
    for (int i = 0; i < word_samples<K>; i++) {
        if (!WHOLE && i < count)
            ((kind_value<K> *)(void *)to)[i] = value[i];
    }
}

/* The keys of samples, inverted for minima; a NaN wins or loses on both sides. */
template <class K>
DEVICE kind_word<K> keys_across(const struct across_view &view, kind_word<K> samples)
{
    const kind_word<K> of_nan = K::BELOW ^ view.of_nan;

    if constexpr (K::NARROW) {
        const unsigned nan = K::find_nan((unsigned)samples);
        const unsigned keys = K::turn((unsigned)samples, view.sign) ^ (unsigned)view.mirror;

        return (int)((keys & ~nan) | ((unsigned)of_nan & nan));
    } else {
        const kind_value<K> value = K::from_bits((typename K::bits)samples);
        const kind_word<K> key = (kind_word<K>)K::flip((typename K::bits)samples) ^ view.mirror;

        return value != value ? of_nan : key;
    }
}

template <class K>
DEVICE kind_word<K> samples_across(const struct across_view &view, kind_word<K> keys)
{
    keys ^= view.mirror;
    if constexpr (K::NARROW)
        return (int)K::turn((unsigned)(K::HAS_NAN ? K::settle(keys) : keys), view.sign);
    else
        return (kind_word<K>)K::bits_of(K::from_key(keys));
}

/* The larger keys of two words. Keys of 8 bits are compared two at a time, as the upper halves of
 * 16-bit integers. */
template <class K> DEVICE kind_word<K> pick_across(kind_word<K> a, kind_word<K> b)
{
    if constexpr (sizeof(kind_value<K>) == 1) {
        const unsigned odd = __vmaxs2((unsigned)a, (unsigned)b);
        const unsigned even = __vmaxs2((unsigned)a << 8, (unsigned)b << 8);

        return (int)__byte_perm(even, odd, 0x7351);
    } else {
        return pick<K, false, false>(a, b);
    }
}

/* ---- the sweep */

/* A value below all keys. */
template <class K>
constexpr kind_word<K> NOTHING = sizeof(kind_value<K>) == 1 ? (int)0x80808080 : K::BELOW;

/* A thread's words of a segment are LANES apart. NOTHING stands behind the last one. */
template <class K> struct segment {
    kind_word<K> *words;
    kind_word<K> prefix; /* maximum of all keys so far */
    int at;              /* LANES times the number of keys so far */
    int length;          /* LANES times the width */
};

/* Turns keys into those of suffixes. All loads of a batch are issued before the first one is
 * needed. */
template <class K> DEVICE void make_suffixes(const struct segment<K> &segment)
{
    kind_word<K> suffix = NOTHING<K>;
    int at = segment.length - LANES;

#pragma unroll 1
    for (; at >= SUFFIXES * LANES; at -= SUFFIXES * LANES) {
        kind_word<K> keys[SUFFIXES];

#pragma unroll
        for (int i = 0; i < SUFFIXES; i++)
            keys[i] = segment.words[at - i * LANES];
#pragma unroll
        for (int i = 0; i < SUFFIXES; i++) {
            suffix = pick_across<K>(suffix, keys[i]);
            segment.words[at - i * LANES] = suffix;
        }
    }
#pragma unroll 1
    for (; at > 0; at -= LANES) {
        suffix = pick_across<K>(suffix, segment.words[at]);
        segment.words[at] = suffix;
    }
}

/* Takes the keys of the next frame, and returns those of the window that ends there. The windows of
 * the first segment are meaningless, except the last one. WITHIN: the frame is not the last one of
 * its segment. Without a branch for that, the device works on several frames at a time. */
template <class K, bool WITHIN>
DEVICE kind_word<K> take_frame(struct segment<K> *segment, kind_word<K> keys)
{
    kind_word<K> *const word = segment->words + segment->at;
    const kind_word<K> prefix = pick_across<K>(segment->prefix, keys);
    const kind_word<K> window = pick_across<K>(prefix, word[LANES]);

    *word = keys;
    segment->prefix = prefix;
    segment->at += LANES;
    if (!WITHIN && segment->at == segment->length) {
        make_suffixes(*segment);
        segment->prefix = NOTHING<K>;
        segment->at = 0;
    }
    return window;
}

/* Reads a batch of frames from `frame` on, up to `last`. A missing frame is replaced by the nearest
 * known one, which changes no window. */
template <class K, bool WHOLE>
DEVICE void fetch_batch(const struct across_view &view, const unsigned char *from, int count,
                        int frame, int last, kind_word<K> *words)
{
    const uint64_t step = (unsigned)view.in.frame;
    const bool known = frame >= 0 && frame + BATCH - 1 <= last;

    if (known) {
        from += (unsigned)frame * step;
#pragma unroll
        for (int i = 0; i < BATCH; i++, from += step)
            words[i] = load_word<K, WHOLE>(from, count);
    } else {
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            words[i] =
                load_word<K, WHOLE>(from + (unsigned)max(min(frame + i, last), 0) * step, count);
    }
}

/* The windows of a sweep that are to be written. */
struct across_ends {
    int next;
    int last;
    unsigned char *to;
};

/* Makes the windows that end in a batch: all are written, or none. */
template <class K, bool WHOLE, bool WITHIN>
DEVICE void make_batch(const struct across_view &view, struct segment<K> *segment,
                       const kind_word<K> *words, int count, bool written, struct across_ends *ends)
{
#pragma unroll
    for (int i = 0; i < BATCH; i++) {
        const kind_word<K> window = take_frame<K, WITHIN>(segment, keys_across<K>(view, words[i]));

        if (written)
            store_word<K, WHOLE>(ends->to + i * view.out.frame, count,
                                 samples_across<K>(view, window));
    }
    ends->to += written ? BATCH * view.out.frame : 0;
    ends->next += written ? BATCH : 0;
}

/* Makes those of a batch from `frame` on, some of which are written. */
template <class K, bool WHOLE>
DEVICE void make_some(const struct across_view &view, struct segment<K> *segment,
                      kind_word<K> *words, int count, int frame, struct across_ends *ends)
{
#pragma unroll 1
    for (int end = frame; end < frame + BATCH; end++) {
        kind_word<K> window = take_frame<K, false>(segment, keys_across<K>(view, words[0]));

#pragma unroll
        for (int i = 1; i < BATCH; i++)
            words[i - 1] = words[i];
        if (end != ends->next || end > ends->last)
            continue;
        if (end < view.whole_from || end >= view.whole_to)
            window = K::ABOVE;
        store_word<K, WHOLE>(ends->to, count, samples_across<K>(view, window));
        ends->to += view.out.frame;
        ends->next += view.hop;
    }
}

/* Makes the windows of a column, from the one that ends at `end` on. */
template <class K, bool WHOLE>
DEVICE void sweep(const struct across_view &view, kind_word<K> *ring, const unsigned char *from,
                  int count, struct across_ends ends)
{
    struct segment<K> segment = {
        ring, NOTHING<K>, 0, LANES *view.width
    };
    const int last_known = min(ends.last, (int)view.in.frames - 1);
    const int last_whole = view.hop == 1 ? min(ends.last, view.whole_to - 1) : -1;
    int frame = ends.next - (view.width - 1);
    kind_word<K> next[BATCH];

    ring[segment.length] = NOTHING<K>;
    fetch_batch<K, WHOLE>(view, from, count, frame, last_known, next);
#pragma unroll 1
    for (; frame <= ends.last; frame += BATCH) {
        kind_word<K> now[BATCH];
        bool all; /* all windows that end in this batch are written, and whole */

        memcpy(now, next, sizeof now);
        fetch_batch<K, WHOLE>(view, from, count, frame + BATCH, last_known, next);
        all = frame == ends.next && frame >= view.whole_from && frame + BATCH - 1 <= last_whole;
        if ((all || frame + BATCH <= ends.next) && segment.at + BATCH * LANES < segment.length)
            make_batch<K, WHOLE, true>(view, &segment, now, count, all, &ends);
        else if (all || frame + BATCH <= ends.next)
            make_batch<K, WHOLE, false>(view, &segment, now, count, all, &ends);
        else
            make_some<K, WHOLE>(view, &segment, now, count, frame, &ends);
    }
}

template <class K>
__global__ void __launch_bounds__(THREADS_MOST, 8) across_kernel(const struct across_view view)
{
    KIND_SHARED(K, words);
    kind_word<K> *ring =
        words + ((int)threadIdx.x / LANES * (view.width + 1) * LANES + (int)threadIdx.x % LANES);
    const unsigned number = blockIdx.x / view.blocks;
    const unsigned word = (blockIdx.x - number * view.blocks) * blockDim.x + threadIdx.x;
    const unsigned row = word / view.columns;
    const unsigned past = (word - row * view.columns) * (unsigned)sizeof(kind_word<K>);
    const int64_t left = (int64_t)(view.in.channels * view.in.bytes) - past;
    const int count = (int)(min(left, (int64_t)sizeof(kind_word<K>)) / (int)view.in.bytes);
    const int first = (int)number * view.sweep;
    const int outputs = min(view.sweep, (int)view.out.frames - first);
    const unsigned char *from = view.in.data + (row * view.in.row + past);
    const int end = view.end + first * view.hop;
    const struct across_ends ends = {end, end + (outputs - 1) * view.hop,
                                     view.out.data +
                                         (row * view.out.row + first * view.out.frame + past)};

    if (word >= view.words)
        return;
    if (word_samples<K> == 1 || (view.aligned && count == word_samples<K>))
        sweep<K, true>(view, ring, from, count, ends);
    else
        sweep<K, false>(view, ring, from, count, ends);
}

/* ---- launches */

typedef void across_function(const struct across_view view);

static across_function *kernel_of(enum value_kind value)
{
    const size_t bytes = value_bytes(value);

    if (value == VALUE_F32 || value == VALUE_F64)
        return value == VALUE_F32 ? across_kernel<f32> : across_kernel<f64>;
    return value == VALUE_F16 ? across_kernel<half16>
           : bytes == 1       ? across_kernel<key8>
           : bytes == 2       ? across_kernel<key16>
                              : across_kernel<key32>;
}

static unsigned word_bytes(enum value_kind value)
{
    return value == VALUE_F64 ? sizeof(int64_t) : sizeof(int);
}

/* Shared memory of so many threads, each of which has a segment and one more word. */
static size_t shared_of(enum value_kind value, uint64_t width, unsigned threads)
{
    return (size_t)(width + 1) * threads * word_bytes(value);
}

static bool is_flat(const struct strided *array)
{
    return array->channel == (ptrdiff_t)array->bytes && array->frame >= 0 &&
           array->frame < DISTANCE_MOST && array->frames <= FRAMES_MOST;
}

bool cuda_across_can(const struct strided *in, const struct strided *out, enum value_kind value,
                     uint64_t width)
{
    return is_flat(in) && is_flat(out) && in->channels * in->bytes >= ROW_LEAST &&
           width < RING_BYTES && shared_of(value, width, LANES) <= RING_BYTES;
}

cudaError_t cuda_across_load(enum value_kind value)
{
    return load_kernel(kernel_of(value));
}

static int clamp(uint64_t frames)
{
    return frames < FRAMES_MOST ? (int)frames : FRAMES_MOST;
}

/* Returns the windows of a sweep: fewer where there are few columns. */
static int sweep_of(const struct across_view *view)
{
    const uint64_t least = (unsigned)(SWEEP_WIDTHS * view->width + SWEEP_LEAST);
    const uint64_t most = view->out.frames * (unsigned)view->hop / least;
    const uint64_t wanted = (SWEEPS + view->words - 1) / view->words;
    const uint64_t count = wanted < most ? wanted : most > 0 ? most : 1;

    return (int)((view->out.frames + count - 1) / count);
}

static bool is_aligned(const struct strided *array, unsigned bytes)
{
    return ((uintptr_t)array->data | (uintptr_t)array->row | (uintptr_t)array->frame) % bytes == 0;
}

cudaError_t cuda_across_run(const struct strided *in, const struct strided *out,
                            enum value_kind value, uint64_t width, const struct cuda_task *task,
                            bool is_minimum, cudaStream_t stream)
{
    const unsigned bytes = word_bytes(value);
    unsigned threads = THREADS_MOST;
    struct across_view view;
    unsigned sweeps;

    memset(&view, 0, sizeof view);
    view.in = *in;
    view.out = *out;
    view.columns = (unsigned)((in->channels * in->bytes + bytes - 1) / bytes);
    view.words = view.columns * (unsigned)in->rows;
    view.aligned = is_aligned(in, bytes) && is_aligned(out, bytes);
    view.end = (int)task->kept_first;
    view.hop = clamp(task->hop);
    view.width = (int)width;
    view.whole_from = clamp(task->whole_from);
    view.whole_to = clamp(task->whole_to);
    view.sign = sign_of(value);
    view.mirror = is_minimum ? -1 : 0;
    view.of_nan = task->nan == NAN_OMIT ? 0 : -1;
    view.sweep = sweep_of(&view);
    sweeps = (unsigned)((out->frames + (unsigned)view.sweep - 1) / (unsigned)view.sweep);
    while (shared_of(value, width, threads) > RING_BYTES)
        threads /= 2;
    view.blocks = (view.words + threads - 1) / threads;
    LAUNCH(kernel_of(value), view.blocks * sweeps, threads, shared_of(value, width, threads),
           stream, view);
    return cudaGetLastError();
}
