/* tool/targets: the names of outputs. */
#include "check.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "tool/targets_priv.h"

static const struct {
    const char *type;     /* of -T */
    const char *template; /* NULL: the default */
    const char *path;
    const char *folder; /* that was searched; NULL: an operand */
    const char *output; /* NULL: refused */
} cases[] = {
    {NULL, NULL, "a/b/x.wav", NULL, "out/x.f32"},
    {"wav:s16", NULL, "x.flac", NULL, "out/x.wav"},
    {"s16", NULL, "/abs/x.s16", NULL, "out/x.s16"},
    {NULL, NULL, "rec.1", NULL, "out/rec.1.f32"},
    {NULL, NULL, "x.csv.gz", NULL, "out/x.csv"},
    {NULL, "{file}.{ext}", "x.csv.gz", NULL, "out/x.csv.gz.csv"},
    {NULL, NULL, "X.WAV", NULL, "out/X.f32"},
    {NULL, NULL, "plain", NULL, "out/plain.f32"},
    {NULL, NULL, "take.2.wav", NULL, "out/take.2.f32"},
    {NULL, NULL, "r.F32", NULL, "out/r.f32"},
    {NULL, NULL, "be.f32be", NULL, "out/be.f32"},
    {NULL, NULL, ".wav", NULL, "out/.wav.f32"},
    {NULL, NULL, "-x\n'\".wav", NULL, "out/-x\n'\".f32"},
    {NULL, NULL, "rec/a/x.wav", "rec", "out/a/x.f32"},
    {NULL, NULL, "rec//x.wav", "rec/", "out/x.f32"},
    {NULL, NULL, "./x.wav", ".", "out/x.f32"},
    {NULL, "{dir}/{name}.{ext}", "a/b/x.wav", NULL, "out/a/b/x.f32"},
    {NULL, "{dir}/{name}.{ext}", "/a/x.wav", NULL, "out/a/x.f32"},
    {NULL, "{dir}/{name}.{ext}", "x.wav", NULL, "out/x.f32"},
    {NULL, "{dir}/{name}.{ext}", "./a/./x.wav", NULL, "out/a/x.f32"},
    {NULL, "{dir}/{name}.{ext}", "../x.wav", NULL, NULL},
    {NULL, "{dir}/{name}.{ext}", "a/../x.wav", NULL, NULL},
    {NULL, "{dir}/{name}", "..a/b../x.wav", NULL, "out/..a/b../x"},
    {NULL, "{file}.{ext}", "a/rec.flac", NULL, "out/rec.flac.f32"},
    {"wav", "{dir}/{file}-{name}", "a/rec.1", NULL, "out/a/rec.1-rec.1"},
    {NULL, "{file}", ".wav", NULL, "out/.wav"},
    {NULL, "{name}{name}.{ext}.{ext}", "x.wav", NULL, "out/xx.f32.f32"},
    {NULL, "{name}-env.wav", "x.flac", NULL, "out/x-env.wav"},
    {NULL, "env/{ext}/{name}{name}", "x.wav", NULL, "out/env/f32/xx"},
    {NULL, "../{name}", "x.wav", NULL, NULL},
    {NULL, NULL, "a/x.csv", NULL, "out/x.csv"},
    {NULL, NULL, "x.TSV", NULL, "out/x.tsv"},
    {NULL, NULL, "x.txt", NULL, "out/x.f32"},
    {NULL, "{name}-envelope.{ext}", "x.csv", NULL, "out/x-envelope.csv"},
    {"f32", NULL, "x.csv", NULL, "out/x.f32"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct many many = {.folder = "out", .name = cases[i].template};
        char *path = strdup(cases[i].path);
        size_t folder = cases[i].folder == NULL ? 0 : strlen(cases[i].folder);
        const struct settings settings = {.type = "auto", .output_type = cases[i].type};
        struct entry entry = {.path = path};
        struct targets targets;
        struct error error;
        char *output;

        entry.folder = folder > 0 && cases[i].folder[folder - 1] != '/' ? folder + 1 : folder;
        targets_init(&targets, &many, &settings);
        output = targets_path(&targets, &entry, &error);
        if (cases[i].output == NULL)
            CHECK_THAT(output == NULL && strstr(words_of(&error), "outside of out") != NULL, "%s",
                       path);
        else
            CHECK_THAT(output != NULL && strcmp(output, cases[i].output) == 0, "%s: %s, not %s",
                       path, output != NULL ? output : words_of(&error), cases[i].output);
        free(output);
        free(path);
    }
    return check_result();
}
