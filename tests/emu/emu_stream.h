/* SPDX-License-Identifier: MIT */
/* Streams and events, shared by the emulator's own files. */
#ifndef GPUENV_EMU_STREAM_H
#define GPUENV_EMU_STREAM_H

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "emu_inside.h"

/* The state of an event. It outlives its handle while work refers to it. */
struct emu_event {
    std::mutex lock;
    std::condition_variable changed;
    uint64_t recorded = 0;  // how often it was recorded
    uint64_t completed = 0; // the latest of these records that has been reached
    CUstream_st *stream = nullptr;
    uint64_t place = 0; // of the latest record in its stream
    double seconds = 0;
};

struct CUevent_st {
    std::shared_ptr<emu_event> event;
    int device;
    bool timing;
};

struct emu_work {
    std::function<void()> run; // empty: a wait or a record
    std::shared_ptr<emu_event> event;
    uint64_t turn;
    bool is_wait;
};

struct CUgraph_st {
    std::vector<std::function<void()>> work;
};

struct CUstream_st {
    std::mutex lock;
    std::condition_variable changed;
    std::deque<emu_work> work;
    uint64_t given = 0;    // work items in all
    uint64_t done = 0;     // of these
    uint64_t demanded = 0; // how many of the first items are waited for
    bool closing = false;
    CUgraph_st *graph = nullptr; // being captured
    enum emu_order order;
    unsigned seed;
    int device;
    std::thread thread;
};

/* Returns the position of the work in the stream. */
uint64_t emu_stream_push(CUstream_st *stream, emu_work work);
/* Requests the work up to this position. */
void emu_stream_demand(CUstream_st *stream, uint64_t place);
void emu_stream_drain(CUstream_st *stream);
void emu_event_wait(const std::shared_ptr<emu_event> &event, uint64_t turn);

CUstream_st *emu_stream_open(int device);
void emu_stream_close(CUstream_st *stream);

/* The stream itself, or the default stream of the current device. */
CUstream_st *emu_stream_of(cudaStream_t stream);
void emu_push(cudaStream_t stream, std::function<void()> run);
/* Waits until all streams have done their work. */
void emu_drain_all(void);

/* Is a stream being captured? Then no call may allocate or wait. */
bool emu_is_capturing(void);

bool emu_should_fail(const char *function);
/* The beginning of every call: is this the one that must fail, and has the device faulted? */
cudaError_t emu_enter(const char *function, cudaError_t failure);
/* Stores an error for cudaGetLastError(). Returns it. */
cudaError_t emu_result(cudaError_t error);

/* A whole call: `work` unless it fails before, with `failure` if it is the one that must. */
template <class Work>
static inline cudaError_t emu_api_call(const char *function, const Work &work,
                                       cudaError_t failure = cudaErrorUnknown)
{
    const cudaError_t error = emu_enter(function, failure);

    return emu_result(error == cudaSuccess ? work() : error);
}

/* Of the calling thread. */
int emu_current_device(void);

/* More than any program here uses. */
enum { EMU_DEVICES_MOST = 8 };

unsigned long emu_live_memory(void);
unsigned long emu_live_streams(void);

/* A fault of the device: remaining work on streams is skipped. */
cudaError_t emu_state(void);
void emu_set_fault(void);

#endif
