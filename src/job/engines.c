#include "job/engines.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/error_words.h"
#include "cli/messages.h"

/* Why a device has left, or never came; NULL: it did not leave. */
static const char *why_left(const struct device_account *account)
{
    switch (account->state) {
    case DEVICE_STARTING:
        return "the work was done before it was ready";
    case DEVICE_SENT_HOME:
        return "it did not raise the total";
    case DEVICE_NEVER:
    case DEVICE_FAILED:
    case DEVICE_HUNG:
        return account->error.reason;
    case DEVICE_UNUSED:
    case DEVICE_AT_WORK:
        break;
    }
    return NULL;
}

static bool has_joined(const struct device_account *account)
{
    return account->state == DEVICE_AT_WORK || account->state == DEVICE_SENT_HOME ||
           account->state == DEVICE_FAILED || account->state == DEVICE_HUNG;
}

static void add_change(struct engines *engines, const char *engine, const char *change,
                       double seconds, uint64_t frames, const char *why)
{
    engines->change[engines->change_count++] = (struct report_change){
        .engine = engine, .change = change, .seconds = seconds, .frames = frames, .why = why};
}

static void account_of_device(struct engines *engines, const struct device_account *account,
                              char *name, size_t size)
{
    const char *why = why_left(account);

    snprintf(name, size, "cuda:%u", account->number);
    if (account->state == DEVICE_UNUSED)
        return;
    add_change(engines, name, "begun", account->began, account->began_at, NULL);
    /* One that helped before a stream paused again may not have joined since. */
    if (has_joined(account) || account->frames > 0)
        engines->engine[engines->engine_count++] = (struct report_engine){
            .name = name, .words = account->words, .frames = account->frames};
    if (has_joined(account))
        add_change(engines, name, "joined", account->joined, account->joined_at, NULL);
    if (why != NULL)
        add_change(engines, name, "left", account->left, account->left_at, why);
}

void engines_account(struct engines *engines, const struct pipeline *pipeline)
{
    struct report_engine *first = &engines->engine[0];

    engines->engine_count = 1;
    engines->change_count = 0;
    *first = (struct report_engine){
        .name = pipeline->engine_class->name,
        .words = pipeline->engine_words,
        .frames = atomic_load(&pipeline->progress.in_frames),
    };
    for (unsigned i = 0; i < pipeline->devices.count; i++) {
        const struct device_account *account = &pipeline->device_accounts[i];

        account_of_device(engines, account, engines->names[i], sizeof engines->names[i]);
        /* What is done twice, after a fault of the stream, counts where it was done last. */
        first->frames -= account->frames < first->frames ? account->frames : first->frames;
    }
}

static bool has_failed_at_work(const struct device_account *account)
{
    return account->state == DEVICE_FAILED || account->state == DEVICE_HUNG;
}

void engines_warn(const struct pipeline *pipeline)
{
    for (unsigned i = 0; i < pipeline->devices.count && !pipeline->devices.alone; i++) {
        const struct device_account *account = &pipeline->device_accounts[i];
        char words[ERROR_WORDS];

        if (has_failed_at_work(account))
            messages_warning("%s: the cpu engine has done the rest",
                             error_words(&account->error, words));
    }
}

static void say_left(const struct device_account *account)
{
    const char *why = why_left(account);

    if (why != NULL)
        messages_note("cuda:%u: left after %.3f s: %s", account->number, account->left, why);
}

void engines_say_never(const struct pipeline *pipeline)
{
    for (unsigned i = 0; i < pipeline->devices.count; i++) {
        if (pipeline->device_accounts[i].state == DEVICE_NEVER)
            say_left(&pipeline->device_accounts[i]);
    }
}

void engines_say(const struct pipeline *pipeline)
{
    for (unsigned i = 0; i < pipeline->devices.count; i++) {
        const struct device_account *account = &pipeline->device_accounts[i];

        if (has_joined(account))
            messages_note("cuda:%u (%s): joined after %.3f s, did %" PRIu64 " frames",
                          account->number, account->words, account->joined, account->frames);
        say_left(account);
    }
}
