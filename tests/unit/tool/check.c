/* SPDX-License-Identifier: MIT */
/* tool/check: names and files whose hashes alone are equal are no clash. */
#include "check.h"
#include "scratch.h"

#include "tool/check_priv.h"

enum { INPUTS = 3 };

static char folder[] = ".";
static char names[INPUTS][8] = {"a.s16", "b.s16", "a.wav"};
static const struct many many = {.folder = folder};
static const struct settings settings = {.type = "auto"};
static const struct job_files task;

/* Checks the first `count` inputs. As if an earlier input had the same hash, the sets have the
 * output and the file of `taken` from the beginning. */
static int check(size_t count, const char *taken, struct entry *inputs, struct error *error)
{
    struct targets targets;
    struct known known = {.settings = &settings,
                          .task = &task,
                          .targets = &targets,
                          .many = &many,
                          .files = SEEN_NONE,
                          .folders = SEEN_NONE,
                          .outputs = SEEN_NONE};
    struct stat status;
    int result;

    targets_init(&targets, &many, &settings);
    CHECK(seen_add(&known.outputs, taken, strlen(taken), NULL) == 0);
    if (stat(taken, &status) == 0)
        CHECK(seen_add_file(&known.files, status.st_dev, status.st_ino, NULL) == 0);
    for (size_t i = 0; i < count; i++)
        inputs[i] = (struct entry){.path = names[i]};
    result = known_check(&known, &(struct entries){.entry = inputs, .count = count}, true, error);
    seen_free(&known.files);
    seen_free(&known.folders);
    seen_free(&known.outputs);
    return result;
}

static void free_outputs(struct entry *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(inputs[i].output);
}

int main(void)
{
    struct entry inputs[INPUTS];
    struct error error;

    scratch_enter();
    CHECK(check(2, "./b.f32", inputs, &error) == 0);
    CHECK(inputs[0].clash == CLASH_NONE && inputs[1].clash == CLASH_NONE);
    free_outputs(inputs, 2);

    /* The output is there, and is no input. */
    scratch_write("b.f32", "", 0);
    CHECK(check(2, "./b.f32", inputs, &error) == 0);
    CHECK(inputs[1].clash == CLASH_NONE);
    free_outputs(inputs, 2);

    CHECK(check(3, "./b.f32", inputs, &error) != 0);
    CHECK(strstr(error.reason, ": --name '{file}.{ext}'") != NULL &&
          strcmp(error.subject, "./a.f32") == 0);
    free_outputs(inputs, 3);
    return check_result();
}
