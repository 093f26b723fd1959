#include "bench/spread.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

struct spread spread_of(double *times, size_t count)
{
    qsort(times, count, sizeof *times, ascending);
    return (struct spread){
        .median = (times[(count - 1) / 2] + times[count / 2]) / 2,
        .least = times[0],
        .most = times[count - 1],
    };
}
