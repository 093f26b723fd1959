// The runtime's functions for streams and events.
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

static cudaError_t make_stream(cudaStream_t *stream)
{
    *stream = emu_stream_open(emu_current_device());
    std::lock_guard<std::mutex> lock(lock_of_all);
    streams.insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    cudaError_t error = emu_enter("cudaStreamCreate", cudaErrorUnknown);

    return error != cudaSuccess ? error : make_stream(stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    cudaError_t error = emu_enter("cudaStreamCreateWithFlags", cudaErrorUnknown);

    (void)flags;
    return error != cudaSuccess ? error : make_stream(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    {
        std::lock_guard<std::mutex> lock(lock_of_all);

        if (streams.erase(stream) != 1) {
            emu_say("a stream that is not there");
            abort();
        }
    }
    emu_stream_close(stream);
    return emu_result(emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t error = emu_enter("cudaStreamSynchronize", cudaErrorUnknown);

    if (error != cudaSuccess)
        return error;
    emu_stream_drain(emu_stream_of(stream));
    return emu_result(emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess);
}

/* ---- graphs */

static std::atomic<int> captures{0};

bool emu_is_capturing(void)
{
    return captures > 0;
}

struct CUgraphExec_st {
    CUgraph_st graph;
};

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    cudaError_t error = emu_enter("cudaStreamBeginCapture", cudaErrorUnknown);

    (void)mode;
    if (error != cudaSuccess)
        return error;
    if (stream == nullptr || stream->graph != nullptr)
        return emu_result(cudaErrorStreamCaptureUnsupported);
    stream->graph = new CUgraph_st();
    captures++;
    return cudaSuccess;
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

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)flags;
    *exec = new CUgraphExec_st{*graph};
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t error = emu_enter("cudaGraphLaunch", cudaErrorUnknown);

    for (const auto &run : exec->graph.work) {
        if (error == cudaSuccess)
            emu_push(stream, run);
    }
    return error;
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

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cudaError_t error = emu_enter("cudaStreamWaitEvent", cudaErrorUnknown);
    emu_work work = {};

    (void)flags;
    if (error != cudaSuccess)
        return error;
    {
        std::lock_guard<std::mutex> lock(event->event->lock);
        work.turn = event->event->recorded;
    }
    work.event = event->event;
    work.is_wait = true;
    if (work.turn > 0) // waiting for an event that was never recorded does nothing
        emu_stream_push(emu_stream_of(stream), std::move(work));
    return cudaSuccess;
}

static cudaError_t make_event(cudaEvent_t *event, bool timing)
{
    *event = new CUevent_st();
    (*event)->event = std::make_shared<emu_event>();
    (*event)->timing = timing;
    (*event)->device = emu_current_device();
    std::lock_guard<std::mutex> lock(lock_of_all);
    events.insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    cudaError_t error = emu_enter("cudaEventCreate", cudaErrorUnknown);

    return error != cudaSuccess ? error : make_event(event, true);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    cudaError_t error = emu_enter("cudaEventCreateWithFlags", cudaErrorUnknown);

    return error != cudaSuccess ? error : make_event(event, (flags & cudaEventDisableTiming) == 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    {
        std::lock_guard<std::mutex> lock(lock_of_all);

        if (events.erase(event) != 1) {
            emu_say("an event that is not there");
            abort();
        }
    }
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = emu_enter("cudaEventRecord", cudaErrorUnknown);
    emu_work work = {};

    if (error != cudaSuccess)
        return error;
    if (emu_stream_of(stream)->device != event->device)
        return emu_result(cudaErrorInvalidResourceHandle);
    std::lock_guard<std::mutex> lock(event->event->lock);
    work.event = event->event;
    work.turn = ++event->event->recorded;
    event->event->stream = emu_stream_of(stream);
    event->event->place = emu_stream_push(emu_stream_of(stream), std::move(work));
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = emu_enter("cudaEventSynchronize", cudaErrorUnknown);
    uint64_t turn;

    if (error != cudaSuccess)
        return error;
    {
        std::lock_guard<std::mutex> lock(event->event->lock);
        turn = event->event->recorded;
    }
    emu_event_wait(event->event, turn);
    return emu_result(emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    cudaError_t error = emu_enter("cudaEventQuery", cudaErrorUnknown);
    std::lock_guard<std::mutex> lock(event->event->lock);

    if (error != cudaSuccess)
        return error;
    // The real runtime also sets this for cudaGetLastError().
    return emu_result(event->event->completed == event->event->recorded ? cudaSuccess
                                                                        : cudaErrorNotReady);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    cudaError_t error = emu_enter("cudaEventElapsedTime", cudaErrorUnknown);
    cudaEvent_t events[2] = {from, to};
    double seconds[2] = {0, 0};

    for (int i = 0; i < 2 && error == cudaSuccess; i++) {
        std::lock_guard<std::mutex> lock(events[i]->event->lock);

        if (!events[i]->timing || events[i]->event->recorded == 0)
            error = cudaErrorInvalidResourceHandle;
        else if (events[i]->event->completed != events[i]->event->recorded)
            error = cudaErrorNotReady;
        seconds[i] = events[i]->event->seconds;
    }
    *milliseconds = (float)((seconds[1] - seconds[0]) * 1e3);
    return emu_result(error);
}
