/* libmpg123, loaded when an MP3 file needs it. Private to this folder. */
#ifndef GPUENV_FORMAT_MPG123_MPG123_LIBRARY_PRIV_H
#define GPUENV_FORMAT_MPG123_MPG123_LIBRARY_PRIV_H

#include <mpg123.h>

#define MPG123_FUNCTIONS(each)                                                                     \
    each(init) each(new) each(delete) each(param) each(open_feed) each(feed) each(decode_frame)    \
        each(getformat) each(framepos) each(tell_stream) each(errcode) each(strerror)

/* mpg.feed is mpg123_feed(), and so on. Valid if mpg123_is_here(). */
#define MPG123_POINTER(name) __typeof__(mpg123_##name) *(name);
struct mpg123_library {
    MPG123_FUNCTIONS(MPG123_POINTER)
};
#undef MPG123_POINTER

extern struct mpg123_library mpg;

#endif
