/* What the user says about a picture. */
#ifndef GPUENV_FORMAT_PICTURE_H
#define GPUENV_FORMAT_PICTURE_H

enum {
    PICTURE_LEAST = 200, /* pixels of either side */
    PICTURE_MOST = 10000,
};

enum picture_scale {
    PICTURE_USUAL, /* full for sound, fit for numbers */
    PICTURE_FULL,  /* full scale, or more where the values need it */
    PICTURE_FIT,   /* the values */
    PICTURE_RANGE,
};

struct picture {
    unsigned width; /* pixels; 0, like the height: as usual */
    unsigned height;
    const char *title; /* NULL: the name of the input */
    enum picture_scale scale;
    double low; /* of PICTURE_RANGE; */
    double high;
};

#endif
