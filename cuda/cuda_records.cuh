/* Records: the extremes that the blocks of one kernel pass to each other.
 *
 * How a block knows that a record is ready: it consists of *parts* of 64 bits: 32 bits of the
 * minimum or of the maximum, and the stamp of its leaf. So a record of float32 has two parts, one
 * of float64 four. Each part is written and read atomically, and its stamp shows that it is valid,
 * in any order they arrive. It implies nothing about other memory, and no other memory is read
 * because of it. So the accesses are relaxed, at device scope, without fences on either side. One
 * access of 16 bytes counts as two of 8 in any order, which is enough.
 *
 * A leaf has a place in the ring of tiles. There lie its records: one of the tile's extremes, one
 * of its suffix's and, for windows of many tiles, one of a span of leaves. A stamp is derived from
 * the number of times that the ring has wrapped around when it reaches the leaf. It is never 0, and
 * differs from that of the previous round. Leaves are made in order, and the first task in new
 * rings clears the records. So the place of a record that is not ready holds 0 or the stamp of an
 * earlier round. Earlier contents of the memory cannot be mistaken for it. */
#ifndef GPUENV_CUDA_CUDA_RECORDS_CUH
#define GPUENV_CUDA_CUDA_RECORDS_CUH

#include "cuda_kind.cuh"

/* Block b makes the leaf of tile first_leaf + b / channels, and the windows of tile first_tile + b
 * / channels - lead. Leaves and tiles are counted from `base`, the first one that this launch
 * reads or makes. */
struct ahead {
    void *totals; /* records; channel c's begin at c * kept */
    void *suffixes;
    void *spans;
    unsigned kept; /* leaves per channel: as many as a ring has tiles */
    uint64_t base;
    unsigned base_place;
    unsigned stamps[2]; /* the stamp from there on, and the one after the ring's end */

    unsigned first_leaf;
    unsigned leaves;
    unsigned first_tile;
    unsigned windows; /* tiles with windows */
    unsigned lead;
    unsigned oldest; /* no middle reaches back before this leaf */
    unsigned whole;  /* tiles in a middle */
    bool has_suffix;
    int cut; /* the suffix of a tile begins at this word */
    unsigned looks;
    unsigned span; /* leaves; 0: all leaves of a middle are looked up */
    unsigned lag;  /* the span of leaf n ends with leaf n - lag */
};

struct ahead_spot {
    unsigned place; /* of the tile in its ring, and of the leaf among the channel's records */
    unsigned stamp;
};

__device__ __forceinline__ struct ahead_spot ahead_find(const struct ahead &ahead, unsigned leaf)
{
    struct ahead_spot spot;

    spot.place = ahead.base_place + leaf;
    spot.stamp = ahead.stamps[0];
    if (spot.place >= ahead.kept) {
        spot.place -= ahead.kept;
        spot.stamp = ahead.stamps[1];
    }
    return spot;
}

/* Read and written as one integer of 64 bits. */
struct ahead_part {
    uint32_t bits;
    uint32_t stamp;
};

template <class K> struct alignas(16) ahead_record {
    static const int PARTS = sizeof(kind_pair<K>) / sizeof(uint32_t);

    struct ahead_part part[PARTS];
};

/* Two neighbouring parts. */
__device__ __forceinline__ void ahead_read_parts(struct ahead_part *from, struct ahead_part *to)
{
    uint64_t word[2] = {0, 0};

#ifdef __CUDA_ARCH__
    asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];"
                 : "=l"(word[0]), "=l"(word[1])
                 : "l"(__cvta_generic_to_global(from)));
#elif defined(GPUENV_EMU)
    word[0] = emu_atomic((uint64_t *)(void *)from, [](uint64_t old) { return old; });
    word[1] = emu_atomic((uint64_t *)(void *)from + 1, [](uint64_t old) { return old; });
#endif
#pragma unroll
    for (int i = 0; i < 2; i++) {
        to[i].bits = (uint32_t)word[i];
        to[i].stamp = (uint32_t)(word[i] >> 32);
    }
}

__device__ __forceinline__ void ahead_write_parts(struct ahead_part *to,
                                                  const struct ahead_part *from)
{
    const uint64_t low = (uint64_t)from[0].stamp << 32 | from[0].bits;
    const uint64_t high = (uint64_t)from[1].stamp << 32 | from[1].bits;

#ifdef __CUDA_ARCH__
    asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};"
                 :
                 : "l"(__cvta_generic_to_global(to)), "l"(low), "l"(high)
                 : "memory");
#elif defined(GPUENV_EMU)
    atomicExch((uint64_t *)(void *)to + 1, high);
    atomicExch((uint64_t *)(void *)to, low);
#endif
}

template <class K>
__device__ __forceinline__ ahead_record<K> ahead_record_of(kind_pair<K> pair, unsigned stamp)
{
    const int parts = ahead_record<K>::PARTS / 2; /* of a key */
    ahead_record<K> record;

#pragma unroll
    for (int i = 0; i < parts; i++) {
        record.part[i].bits = (uint32_t)((typename K::bits)pair.x >> 32 * i);
        record.part[i].stamp = stamp;
        record.part[parts + i].bits = (uint32_t)((typename K::bits)pair.y >> 32 * i);
        record.part[parts + i].stamp = stamp;
    }
    return record;
}

template <class K>
__device__ __forceinline__ kind_pair<K> ahead_pair_of(const ahead_record<K> &record)
{
    const int parts = ahead_record<K>::PARTS / 2;
    typename K::bits low = 0;
    typename K::bits high = 0;

#pragma unroll
    for (int i = 0; i < parts; i++) {
        low |= (typename K::bits)record.part[i].bits << 32 * i;
        high |= (typename K::bits)record.part[parts + i].bits << 32 * i;
    }
    return K::make_pair((kind_word<K>)low, (kind_word<K>)high);
}

/* The record of a leaf at this place. */
template <class K>
__device__ __forceinline__ ahead_record<K> *ahead_at(void *records, const struct ahead &ahead,
                                                     unsigned channel, unsigned place)
{
    return (ahead_record<K> *)records + ((uint64_t)channel * ahead.kept + place);
}

/* By one thread. */
template <class K>
__device__ __forceinline__ void ahead_write(void *records, const struct ahead &ahead,
                                            unsigned channel, unsigned leaf, kind_pair<K> pair)
{
    const struct ahead_spot spot = ahead_find(ahead, leaf);
    const ahead_record<K> record = ahead_record_of<K>(pair, spot.stamp);
    ahead_record<K> *to = ahead_at<K>(records, ahead, channel, spot.place);

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i += 2)
        ahead_write_parts(to->part + i, record.part + i);
}

/* What a thread has read, and the stamp that it waits for. */
template <class K> struct ahead_look {
    ahead_record<K> record;
    unsigned stamp;
};

/* Missing, and not late. */
template <class K> __device__ __forceinline__ ahead_look<K> ahead_no_look(void)
{
    return {ahead_record_of<K>(missing_pair<K>(), 0), 0};
}

template <class K>
__device__ __forceinline__ ahead_look<K> ahead_look_up(void *records, const struct ahead &ahead,
                                                       unsigned channel, unsigned leaf)
{
    const struct ahead_spot spot = ahead_find(ahead, leaf);
    ahead_record<K> *from = ahead_at<K>(records, ahead, channel, spot.place);
    ahead_look<K> look;

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i += 2)
        ahead_read_parts(from->part + i, look.record.part + i);
    look.stamp = spot.stamp;
    return look;
}

template <class K> __device__ __forceinline__ bool ahead_is_late(const ahead_look<K> &look)
{
    bool late = false;

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i++)
        late = late || look.record.part[i].stamp != look.stamp;
    return late;
}

#endif
