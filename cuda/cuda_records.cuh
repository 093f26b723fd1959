/* SPDX-License-Identifier: MIT */
/* Records: the extremes that the blocks of one kernel pass to each other.
 *
 * A block sees from the record itself whether it is ready. A record consists of *parts* of 64 bits,
 * each with 32 bits of the minimum or of the maximum, and the stamp of its leaf; so a record of
 * float32 has two parts, one of float64 four. Each part is written and read atomically, and its
 * stamp shows that it is valid, whenever the others arrive. A stamp says nothing about other
 * memory, and no other memory is read because of it. So the accesses are relaxed, at device scope,
 * without fences on either side. One access of 16 bytes counts as two of 8 in any order, which is
 * enough.
 *
 * A leaf has a place in the ring of tiles. There lie its records: one of the tile's extremes, one
 * of its suffix's and, for windows of many tiles, one of a span of leaves. A stamp is derived from
 * the number of times that the ring has wrapped around when it reaches the leaf. It is never 0, and
 * differs from that of the previous round. Leaves are made in order, and the first task in new
 * rings clears the records. So the place of a record that is not ready holds 0 or the stamp of an
 * earlier round. Earlier contents of the memory cannot be mistaken for it. */
#ifndef GPUENV_CUDA_CUDA_RECORDS_CUH
#define GPUENV_CUDA_CUDA_RECORDS_CUH

#include "cuda_tile.cuh"

struct ahead_spot {
    unsigned place; /* place of the tile in its ring, and of the leaf among the channel's records */
    unsigned stamp;
};

DEVICE struct ahead_spot ahead_find(const struct ahead &ahead, unsigned leaf)
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

/* A part is an integer of 64 bits: the lower half is all of a key or half of one, the upper half is
 * the stamp. */
template <class K> struct alignas(16) ahead_record {
    static const int PARTS = sizeof(kind_pair<K>) / sizeof(uint32_t);

    uint64_t part[PARTS];
};

/* Reads two neighbouring parts. */
DEVICE void ahead_read_parts(uint64_t *from, uint64_t *to)
{
#ifdef __CUDA_ARCH__
    asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];"
                 : "=l"(to[0]), "=l"(to[1])
                 : "l"(__cvta_generic_to_global(from)));
#elif defined(GPUENV_EMU)
    for (int i = 0; i < 2; i++)
        to[i] = emu_atomic(from + i, [](uint64_t old) { return old; });
#endif
}

DEVICE void ahead_write_parts(uint64_t *to, const uint64_t *from)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};"
                 :
                 : "l"(__cvta_generic_to_global(to)), "l"(from[0]), "l"(from[1])
                 : "memory");
#elif defined(GPUENV_EMU)
    for (int i = 1; i >= 0; i--)
        atomicExch(to + i, from[i]);
#endif
}

template <class K> DEVICE ahead_record<K> ahead_record_of(kind_pair<K> pair, unsigned stamp)
{
    const int parts = ahead_record<K>::PARTS / 2; /* parts of a key */
    const uint64_t above = (uint64_t)stamp << 32;
    ahead_record<K> record;

#pragma unroll
    for (int i = 0; i < parts; i++) {
        record.part[i] = above | (uint32_t)((typename K::bits)pair.x >> 32 * i);
        record.part[parts + i] = above | (uint32_t)((typename K::bits)pair.y >> 32 * i);
    }
    return record;
}

template <class K> DEVICE kind_pair<K> ahead_pair_of(const ahead_record<K> &record)
{
    const int parts = ahead_record<K>::PARTS / 2;
    typename K::bits low = 0;
    typename K::bits high = 0;

#pragma unroll
    for (int i = 0; i < parts; i++) {
        low |= (typename K::bits)(uint32_t)record.part[i] << 32 * i;
        high |= (typename K::bits)(uint32_t)record.part[parts + i] << 32 * i;
    }
    return K::make_pair((kind_word<K>)low, (kind_word<K>)high);
}

/* The record of the leaf at a place. */
template <class K>
DEVICE ahead_record<K> *ahead_at(void *records, const struct ahead &ahead, unsigned channel,
                                 unsigned place)
{
    return (ahead_record<K> *)records + ((uint64_t)channel * ahead.kept + place);
}

/* Writes a record; one thread does this. */
template <class K>
DEVICE void ahead_write(void *records, const struct ahead &ahead, unsigned channel, unsigned leaf,
                        kind_pair<K> pair)
{
    const struct ahead_spot spot = ahead_find(ahead, leaf);
    const ahead_record<K> record = ahead_record_of<K>(pair, spot.stamp);
    ahead_record<K> *to = ahead_at<K>(records, ahead, channel, spot.place);

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i += 2)
        ahead_write_parts(to->part + i, record.part + i);
}

/* The record that a thread has read, and the stamp that it waits for. Idle threads load a record as
 * well: if only some threads of a warp load, the warp waits for that load at once, where its
 * threads join again. */
template <class K> struct ahead_look {
    ahead_record<K> record;
    unsigned stamp;
    bool wanted;
};

template <class K>
DEVICE ahead_look<K> ahead_look_up(bool wanted, void *records, const struct ahead &ahead,
                                   unsigned channel, unsigned leaf)
{
    const struct ahead_spot spot = ahead_find(ahead, wanted ? leaf : 0);
    ahead_record<K> *from = ahead_at<K>(records, ahead, channel, spot.place);
    ahead_look<K> look;

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i += 2)
        ahead_read_parts(from->part + i, look.record.part + i);
    look.stamp = spot.stamp;
    look.wanted = wanted;
    return look;
}

template <class K> DEVICE bool ahead_is_late(const ahead_look<K> &look)
{
    bool late = false;

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i++)
        late = late || (uint32_t)(look.record.part[i] >> 32) != look.stamp;
    return look.wanted && late;
}

/* The extremes of a record; those of no samples, if no record was wanted or it is late. */
template <class K> DEVICE kind_pair<K> ahead_found(const ahead_look<K> &look)
{
    return look.wanted && !ahead_is_late<K>(look) ? ahead_pair_of<K>(look.record)
                                                  : neutral_sides<K>();
}

#endif
