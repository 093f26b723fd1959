/* SPDX-License-Identifier: MIT */
// The runtime's functions for streams, graphs and events.
#include <atomic>
#include <cstdlib>
#include <set>
#include <vector>

#include "emu_stream.h"

static std::mutex lock_of_all; // not taken by streams
static std::set<CUstream_st *> streams;
static std::set<CUevent_st *> events;

unsigned long emu_live_streams(void)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return streams.size() + events.size();
}

// The default stream of a device: exists from its first use to the end of the program.
static std::mutex lock_of_unnamed;
static CUstream_st *unnamed[EMU_DEVICES_MOST];

static CUstream_st *unnamed_stream(int device)
{
    std::lock_guard<std::mutex> lock(lock_of_unnamed);

    if (unnamed[device] == NULL)
        unnamed[device] = emu_stream_open(device);
    return unnamed[device];
}

CUstream_st *emu_stream_of(cudaStream_t stream)
{
    // 1 is the default stream by another name, and 2 that of a thread, of which there is one here.
    return (uintptr_t)stream <= 2 ? unnamed_stream(emu_current_device()) : stream;
}

void emu_push(cudaStream_t stream, std::function<void()> run)
{
    emu_work work = {};

    if (emu_stream_of(stream)->graph != nullptr) {
        emu_stream_of(stream)->graph->work.push_back(std::move(run));
        return;
    }
    work.run = std::move(run);
    emu_stream_push(emu_stream_of(stream), std::move(work));
}

void emu_drain_all(void)
{
    // Until all are done, no other thread may destroy one.
    std::lock_guard<std::mutex> lock(lock_of_all);
    std::vector<CUstream_st *> all(streams.begin(), streams.end());

    {
        std::lock_guard<std::mutex> lock_unnamed(lock_of_unnamed);
        for (CUstream_st *stream : unnamed) {
            if (stream != NULL)
                all.push_back(stream);
        }
    }
    for (CUstream_st *stream : all)
        emu_stream_drain(stream);
}

// Takes an object out of those that there are.
template <class T> static void forget(std::set<T *> *all, T *object)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (all->erase(object) != 1) {
        emu_say("a stream or an event that is not there");
        abort();
    }
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned /*flags*/)
{
    return emu_api_call(__func__, [=] {
        *stream = emu_stream_open(emu_current_device());
        std::lock_guard<std::mutex> lock(lock_of_all);
        streams.insert(*stream);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    forget(&streams, stream);
    emu_stream_close(stream);
    return emu_result(emu_state());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return emu_api_call(__func__, [=] {
        emu_stream_drain(emu_stream_of(stream));
        return emu_state();
    });
}

// ---- graphs

static std::atomic<int> captures{0};

bool emu_is_capturing(void)
{
    return captures > 0;
}

struct CUgraphExec_st {
    CUgraph_st graph;
};

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode /*mode*/)
{
    return emu_api_call(__func__, [=] {
        if (stream == nullptr || stream->graph != nullptr)
            return cudaErrorStreamCaptureUnsupported;
        stream->graph = new CUgraph_st();
        captures++;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    *status = emu_stream_of(stream)->graph != nullptr ? cudaStreamCaptureStatusActive
                                                      : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = stream->graph;
    stream->graph = nullptr;
    captures--;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long /*flags*/)
{
    *exec = new CUgraphExec_st{*graph};
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    return emu_api_call(__func__, [=] {
        for (const auto &run : exec->graph.work)
            emu_push(stream, run);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    delete exec;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}

// ---- events

// The number of the latest record of an event; 0: it was never recorded.
static uint64_t latest_record(cudaEvent_t event)
{
    std::lock_guard<std::mutex> lock(event->event->lock);

    return event->event->recorded;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/)
{
    return emu_api_call(__func__, [=] {
        const uint64_t turn = latest_record(event);

        if (turn > 0)
            emu_stream_push(emu_stream_of(stream), {nullptr, event->event, turn, true});
        return cudaSuccess;
    });
}

static cudaError_t make_event(cudaEvent_t *event, bool timing)
{
    *event = new CUevent_st{std::make_shared<emu_event>(), emu_current_device(), timing};
    std::lock_guard<std::mutex> lock(lock_of_all);
    events.insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return emu_api_call(__func__, [=] { return make_event(event, true); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    return emu_api_call(__func__,
                        [=] { return make_event(event, (flags & cudaEventDisableTiming) == 0); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    forget(&events, event);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return emu_api_call(__func__, [=] {
        CUstream_st *const target = emu_stream_of(stream);

        if (target->device != event->device)
            return cudaErrorInvalidResourceHandle;
        std::lock_guard<std::mutex> lock(event->event->lock);
        event->event->stream = target;
        event->event->place =
            emu_stream_push(target, {nullptr, event->event, ++event->event->recorded, false});
        return cudaSuccess;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return emu_api_call(__func__, [=] {
        emu_event_wait(event->event, latest_record(event));
        return emu_state();
    });
}

// The real runtime also sets "not ready" for cudaGetLastError().
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return emu_api_call(__func__, [=] {
        std::lock_guard<std::mutex> lock(event->event->lock);

        return event->event->completed == event->event->recorded ? cudaSuccess : cudaErrorNotReady;
    });
}

// When an event was reached.
static cudaError_t seconds_of(cudaEvent_t event, double *seconds)
{
    std::lock_guard<std::mutex> lock(event->event->lock);

    *seconds = event->event->seconds;
    if (!event->timing || event->event->recorded == 0)
        return cudaErrorInvalidResourceHandle;
    return event->event->completed == event->event->recorded ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    *milliseconds = 0;
    return emu_api_call(__func__, [=] {
        double began;
        double ended;
        cudaError_t error = seconds_of(from, &began);

        if (error == cudaSuccess)
            error = seconds_of(to, &ended);
        if (error == cudaSuccess)
            *milliseconds = (float)((ended - began) * 1e3);
        return error;
    });
}
