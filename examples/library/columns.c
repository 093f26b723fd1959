/* SPDX-License-Identifier: MIT */
/* The columns of a matrix of integers: statistics of each, and the maximum of 3 rows centered at
 * each row. */
#include <gpuenv.h>
#include <stdio.h>

enum { ROWS = 5, COLUMNS = 3 };

int main(void)
{
    short matrix[ROWS][COLUMNS] = {{1, 50, -3}, {7, 40, -1}, {2, 30, -4}, {8, 20, -1}, {3, 10, -5}};
    short highest[ROWS][COLUMNS];
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_array in = GPUENV_INIT(gpuenv_array);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array out;
    gpuenv_record records[COLUMNS];
    gpuenv_context *context;

    spec.width = 3;
    spec.align = GPUENV_ALIGN_CENTER;
    spec.values = 1;
    spec.value[0] = GPUENV_MAX;
    in.data = matrix;
    in.type = GPUENV_S16;
    in.rows = 1;
    in.frames = ROWS; /* the filter runs down the columns, */
    in.frame = sizeof *matrix;
    in.channels = COLUMNS; /* which are its channels */
    in.channel = sizeof **matrix;
    out = in;
    out.out = highest;
    for (int i = 0; i < COLUMNS; i++)
        records[i] = GPUENV_INIT(gpuenv_record);

    if (gpuenv_open(NULL, &context, &error) != GPUENV_OK ||
        gpuenv_filter(context, &spec, &in, &out, &error) != GPUENV_OK ||
        gpuenv_stats(context, &in, 0, records, &error) != GPUENV_OK) {
        fprintf(stderr, "%s %s\n", error.subject, error.text);
        return 1;
    }
    for (int i = 0; i < ROWS; i++)
        printf("%d %d %d\n", highest[i][0], highest[i][1], highest[i][2]);
    for (int i = 0; i < COLUMNS; i++)
        printf("column %d: mean %g, minimum %g in row %d\n", i, records[i].mean, records[i].min.f64,
               (int)records[i].argmin);
    gpuenv_close(context);
    return 0;
}
