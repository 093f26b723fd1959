/* SPDX-License-Identifier: MIT */
/* The argument of all kernels of statistics, and how they find a part and write its results. */
#ifndef GPUENV_CUDA_STATS_VIEW_CUH
#define GPUENV_CUDA_STATS_VIEW_CUH

#include "stats_write.cuh"

struct stats_view {
    const void *samples; /* planes, as in cuda_window.h */
    uint64_t pitch;
    uint64_t stride;
    unsigned channels;
    unsigned leaves;   /* leaves of a share */
    void *nodes;       /* one node per share and channel */
    unsigned *tickets; /* shares of each part and channel that are done */
    struct stats_records records;
    unsigned blocks; /* blocks of a plane */
    unsigned shares; /* shares of a block */
    unsigned parts;  /* parts in all planes */
    unsigned turns;  /* turns of a warp that has several parts */
};

template <class K>
DEVICE plane_part<K> part_of(const struct stats_view &view, unsigned ring, unsigned number)
{
    plane_part<K> part;

    part.plane = (const kind_value<K> *)view.samples + ring * view.pitch;
    part.ring = ring;
    part.number = number;
    part.stride = view.stride;
    part.place = number * view.records.every;
    part.frames = min(view.records.frames - part.place, view.records.every);
    return part;
}

/* The results of a part. `node` counts positions in units of `unit` frames, and `at` has the frames
 * behind them. */
template <class K>
DEVICE struct stats_values node_values(const stats_node<K> &node, unsigned unit, const unsigned *at)
{
    struct stats_values values = {};

    values.sum = node.sum;
    values.square = node.square;
    values.nans = node.nans;
    values.low_at = (uint64_t)node.at[LOWEST] * unit + at[LOWEST];
    values.high_at = (uint64_t)node.at[HIGHEST] * unit + at[HIGHEST];
    values.magnitude_at = (uint64_t)node.at[LARGEST] * unit + at[LARGEST];
    values.low = ~node.extreme[LOWEST];
    values.high = node.extreme[HIGHEST];
    values.magnitude = (typename K::bits)node.extreme[LARGEST];
    return values;
}

/* The place of the results of a part in the columns. */
template <class K>
DEVICE struct column_place place_of_cells(const struct stats_view &view, const plane_part<K> &part)
{
    const unsigned row = part.ring / view.records.channels;

    return {&view.records.columns, row, part.number, part.ring - row * view.records.channels};
}

/* Writes the results of a part; one thread does this. */
template <class K>
DEVICE void write_results(const struct stats_view &view, const plane_part<K> &part,
                          const struct stats_values &values)
{
    const enum value_kind kind = sizeof(kind_value<K>) == 4 ? VALUE_F32 : VALUE_F64;
    const struct column_place place = place_of_cells(view, part);
    struct stats_record record = record_of(kind, &values, part.place, part.frames);
    uint64_t at;

    record.size = view.records.distance;
    record.row = place.row;
    record.channel = place.channel;
    record.type = view.records.type;
    if (view.records.record == NULL) {
        write_columns(place, record, &part);
        return;
    }
    at = (place.row * view.blocks + part.number) * view.records.channels + record.channel;
    *(struct stats_record *)(void *)((char *)view.records.record + at * view.records.distance) =
        record;
}

#endif
