/* SPDX-License-Identifier: MIT */
// Streams: one thread each, which does its work in order. There is no global lock: work of
// different streams is ordered only by events or by the host.
#include <atomic>
#include <chrono>

#include "emu_stream.h"

static std::atomic<int> order_wanted{EMU_EAGER};
static std::atomic<unsigned> seed_wanted{1};
static std::atomic<bool> faulted{false};

void emu_set_order(enum emu_order order, unsigned seed)
{
    order_wanted = order;
    seed_wanted = seed;
}

cudaError_t emu_state(void)
{
    return faulted ? cudaErrorLaunchFailure : cudaSuccess;
}

void emu_set_fault(void)
{
    faulted = true;
}

void emu_reset_fault(void)
{
    faulted = false;
}

static double now(void)
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

void emu_event_wait(const std::shared_ptr<emu_event> &event, uint64_t turn)
{
    CUstream_st *stream;
    uint64_t place;
    std::unique_lock<std::mutex> lock(event->lock);

    stream = event->stream;
    place = event->place;
    if (event->completed >= turn)
        return;
    lock.unlock();
    // A later record of the event demands more than needed, but the order is still right.
    if (stream != nullptr)
        emu_stream_demand(stream, place);
    lock.lock();
    event->changed.wait(lock, [&] { return event->completed >= turn; });
}

static void do_work(emu_work &work)
{
    if (work.event == nullptr) {
        if (!faulted)
            work.run();
    } else if (work.is_wait) {
        emu_event_wait(work.event, work.turn);
    } else {
        std::lock_guard<std::mutex> lock(work.event->lock);

        work.event->completed = work.turn;
        work.event->seconds = now();
        work.event->changed.notify_all();
    }
}

static void stream_main(CUstream_st *stream)
{
    uint32_t random = stream->seed * 2654435761U | 1;
    std::unique_lock<std::mutex> lock(stream->lock);

    for (;;) {
        stream->changed.wait(lock, [&] {
            bool may = stream->order != EMU_LAZY || stream->done < stream->demanded;
            return stream->work.empty() ? stream->closing : may || stream->closing;
        });
        if (stream->work.empty())
            return;
        emu_work work = std::move(stream->work.front());
        stream->work.pop_front();
        lock.unlock();
        if (stream->order == EMU_RANDOM) {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            if (random % 3 == 0)
                std::this_thread::sleep_for(std::chrono::microseconds(random % 300));
        }
        do_work(work);
        work = emu_work();
        lock.lock();
        stream->done++;
        stream->changed.notify_all();
    }
}

uint64_t emu_stream_push(CUstream_st *stream, emu_work work)
{
    std::lock_guard<std::mutex> lock(stream->lock);

    stream->work.push_back(std::move(work));
    stream->given++;
    stream->changed.notify_all();
    return stream->given;
}

void emu_stream_demand(CUstream_st *stream, uint64_t place)
{
    std::lock_guard<std::mutex> lock(stream->lock);

    if (place > stream->demanded) {
        stream->demanded = place;
        stream->changed.notify_all();
    }
}

void emu_stream_drain(CUstream_st *stream)
{
    std::unique_lock<std::mutex> lock(stream->lock);
    uint64_t place = stream->given;

    if (place > stream->demanded)
        stream->demanded = place;
    stream->changed.notify_all();
    stream->changed.wait(lock, [&] { return stream->done >= place; });
}

CUstream_st *emu_stream_open(int device)
{
    CUstream_st *stream = new CUstream_st();

    stream->order = (enum emu_order)order_wanted.load();
    stream->seed = seed_wanted++;
    stream->device = device;
    stream->thread = std::thread(stream_main, stream);
    return stream;
}

void emu_stream_close(CUstream_st *stream)
{
    {
        std::lock_guard<std::mutex> lock(stream->lock);

        stream->closing = true;
        stream->changed.notify_all();
    }
    stream->thread.join();
    delete stream;
}
