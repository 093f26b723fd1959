/* SPDX-License-Identifier: MIT */
/* The plainest program with the bytes of a filter: copier TIMES. It reads float32 from standard
 * input and writes each of them TIMES times, 1 or 2, by read() and write(). What a pipe costs
 * without any filter is what gpuenv in one is compared with. */
#include <unistd.h>

enum { SAMPLES = 16384 };

int main(int argc, char **argv)
{
    static float in[SAMPLES];
    static float out[2 * SAMPLES];
    const size_t times = argc > 1 && argv[1][0] == '1' ? 1 : 2;
    size_t have = 0; /* bytes */

    for (;;) {
        const ssize_t got = read(STDIN_FILENO, (char *)in + have, sizeof in - have);
        size_t count;
        size_t done = 0;

        if (got <= 0)
            return got == 0 ? 0 : 1;
        have += (size_t)got;
        count = have / sizeof *in;
        for (size_t i = 0; i < count && times == 2; i++)
            out[2 * i] = out[2 * i + 1] = in[i];
        while (done < count * sizeof *in * times) {
            const char *from = times == 2 ? (const char *)out : (const char *)in;
            const ssize_t put =
                write(STDOUT_FILENO, from + done, count * sizeof *in * times - done);

            if (put < 0)
                return 1;
            done += (size_t)put;
        }
        have %= sizeof *in;
        if (have > 0)
            in[0] = in[count];
    }
}
