/* SPDX-License-Identifier: MIT */
/* Arguments of calls, by position and by name. */
#include <stdio.h>
#include <string.h>

#include "inside.h"

static const char *const aligns[] = {
    [GPUENV_ALIGN_VALID] = "valid",
    [GPUENV_ALIGN_CAUSAL] = "causal",
    [GPUENV_ALIGN_CENTER] = "center",
    [GPUENV_ALIGN_FORWARD] = "forward",
};
static const char *const edges[] = {[GPUENV_EDGE_SHRINK] = "shrink", [GPUENV_EDGE_NAN] = "nan"};
static const char *const nans[] = {
    [GPUENV_NAN_PROPAGATE] = "propagate",
    [GPUENV_NAN_OMIT] = "omit",
    [GPUENV_NAN_ERROR] = "error",
};

static const char *const closed[] = {
    [GPUENV_CLOSED_RIGHT] = "right",
    [GPUENV_CLOSED_BOTH] = "both",
    [GPUENV_CLOSED_LEFT] = "left",
    [GPUENV_CLOSED_NEITHER] = "neither",
};

static const char *const emits[] = {
    [GPUENV_MIN] = "min",       [GPUENV_MAX] = "max",     [GPUENV_ABS] = "abs",
    [GPUENV_RANGE] = "range",   [GPUENV_MID] = "mid",     [GPUENV_MEAN] = "mean",
    [GPUENV_RMS] = "rms",       [GPUENV_COUNT] = "count", [GPUENV_ARGMIN] = "argmin",
    [GPUENV_ARGMAX] = "argmax", [GPUENV_STD] = "std",     [GPUENV_FIRST] = "first",
    [GPUENV_LAST] = "last",
};

#define CHOICES(list) list, (int)(sizeof(list) / sizeof *(list))

static int read_choice(PyObject *value, const char *name, const char *const *choices, int count,
                       int *choice)
{
    const char *text;
    char all[80] = "";
    size_t length = 0;

    if (!PyUnicode_Check(value))
        return shared_wrong_type(name, "a str", value, "");
    text = PyUnicode_AsUTF8AndSize(value, NULL);
    if (text == NULL)
        return -1;
    for (*choice = 0; *choice < count; ++*choice) {
        if (strcmp(text, choices[*choice]) == 0)
            return 0;
    }
    for (int i = 0; i < count && length < sizeof all; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";

        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", before, choices[i]);
    }
    return BAD_VALUE("%s must be %s, not %R", name, all, value);
}

static PyObject *read_index(PyObject *value, const char *name)
{
    PyObject *number = PyNumber_Index(value);

    if (number == NULL && PyErr_ExceptionMatches(PyExc_TypeError))
        (void)shared_wrong_type(name, "an integer", value, "");
    return number;
}

/* Reads a number of 1 or more. Numbers that are too large for memory become INT64_MAX / 2. */
static int read_count(PyObject *value, const char *name, uint64_t *count)
{
    PyObject *number = read_index(value, name);
    long long read;
    int overflow;

    if (number == NULL)
        return -1;
    read = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (overflow > 0 || read > INT64_MAX / 2)
        read = INT64_MAX / 2;
    if (overflow < 0 || read < 1)
        return BAD_VALUE("%s must be 1 or more", name);
    *count = (uint64_t)read;
    return 0;
}

static int read_emit(PyObject *value, gpuenv_spec *spec)
{
    PyObject *names = PyObject_CallFunctionObjArgs(shared.split_emit, value, NULL);
    int failed = names == NULL ? -1 : 0;

    if (failed == 0 && (PyList_Size(names) == 0 || PyList_Size(names) > GPUENV_VALUES))
        failed = BAD_VALUE("emit must have 1 to %d names", GPUENV_VALUES);
    for (Py_ssize_t i = 0; failed == 0 && i < PyList_Size(names); i++)
        failed = read_choice(PyList_GetItem(names, i), "emit", CHOICES(emits), &spec->value[i]);
    if (failed == 0)
        spec->values = (unsigned)PyList_Size(names);
    Py_XDECREF(names);
    return failed;
}

static int read_width(struct request *request)
{
    PyObject *w = request->value[WORD_W];

    if (PyIndex_Check(w))
        return read_count(w, "w", &request->spec.width);
    return shared_wrong_type("w", "an integer", w,
                             "; with times=, and in rolling_min and rolling_max, it is a length of "
                             "time");
}

/* Reads the values into the spec. */
static int read_values(struct request *request)
{
    PyObject *const *value = request->value;
    gpuenv_spec *spec = &request->spec;
    uint64_t threads = 0;
    PyObject *number;

#define BAD_CHOICE(word, name, choices, to)                                                        \
    (value[word] != NULL && read_choice(value[word], name, CHOICES(choices), to) != 0)
#define BAD_COUNT(word, name, to) (value[word] != NULL && read_count(value[word], name, to) != 0)
    if (BAD_CHOICE(WORD_ALIGN, "align", aligns, &spec->align) ||
        BAD_CHOICE(WORD_EDGE, "edge", edges, &spec->edge) ||
        BAD_CHOICE(WORD_NAN, "nan", nans, &spec->nan) ||
        BAD_CHOICE(WORD_CLOSED, "closed", closed, &spec->closed) ||
        BAD_COUNT(WORD_HOP, "hop", &spec->hop) ||
        BAD_COUNT(WORD_MIN_COUNT, "min_count", &spec->min_count) ||
        BAD_COUNT(WORD_THREADS, "threads", &threads) || BAD_COUNT(WORD_N, "n", &spec->width) ||
        BAD_COUNT(WORD_WINDOW, "window", &spec->width) ||
        (value[WORD_EMIT] != NULL && read_emit(value[WORD_EMIT], spec) != 0))
        return -1;
    spec->threads = threads < INT32_MAX ? (unsigned)threads : INT32_MAX;
    if (value[WORD_N] != NULL) {
        spec->hop = spec->width;
        spec->align = GPUENV_ALIGN_FORWARD;
    }
    if (spec->min_count > 0 && value[WORD_NAN] == NULL)
        spec->nan = GPUENV_NAN_OMIT;
    if (value[WORD_LAST] != NULL)
        spec->last = PyObject_IsTrue(value[WORD_LAST]);
    if (value[WORD_AXIS] != NULL) {
        number = read_index(value[WORD_AXIS], "axis");
        request->axis = number != NULL ? PyNumber_AsSsize_t(number, PyExc_IndexError) : -1;
        Py_XDECREF(number);
    }
    if (spec->last < 0 || (request->axis == -1 && PyErr_Occurred()))
        return -1;
    return value[WORD_W] != NULL && value[WORD_TIMES] == NULL ? read_width(request) : 0;
}

/* Returns the word of an argument's name, or WORDS if the function takes no such argument. */
static enum word find_word(const struct takes *takes, PyObject *name)
{
    enum word word = WORD_X;

    while (word < ARGUMENTS && shared.words[word] != name)
        word++;
    if (word == ARGUMENTS) {
        word = WORD_X;
        while (word < ARGUMENTS && PyUnicode_Compare(shared.words[word], name) != 0)
            word++;
    }
    return word < ARGUMENTS && (takes->words & 1U << word) != 0 ? word : WORDS;
}

/* Raises TypeError for the name of an argument. Returns -1. */
static int refuse_name(const struct takes *takes, PyObject *name)
{
    static const char *const here[][2] = {
        {"window", "w"},   {"size", "w"},    {"center", "align='center'"},
        {"dim", "axis"},   {"step", "hop"},  {"min_periods", "min_count"},
        {"skipna", "nan"}, {"mode", "edge"}, {"workers", "threads"}};
    const char *meant = NULL;

    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        meant = PyUnicode_CompareWithASCIIString(name, here[i][0]) == 0 ? here[i][1] : meant;
    return BAD_TYPE("%s() got an unexpected keyword argument '%U'%s%s", takes->name, name,
                    meant != NULL ? "; here it is " : "", meant != NULL ? meant : "");
}

int request_read(struct request *request, const struct takes *takes, PyObject *const *arguments,
                 Py_ssize_t count, PyObject *names)
{
    const Py_ssize_t named = names != NULL ? PyTuple_Size(names) : 0;
    PyObject **value = request->value;

    *request = (struct request){.spec = GPUENV_INIT(gpuenv_spec), .axis = -1};
    if (count > takes->positions)
        return BAD_TYPE("%s() takes %d positional arguments but %zd were given", takes->name,
                        takes->positions, count);
    for (Py_ssize_t i = 0; i < count + named; i++) {
        PyObject *name = i < count ? NULL : PyTuple_GetItem(names, i - count);
        enum word word = i < count ? takes->position[i] : find_word(takes, name);

        if (word == WORDS)
            return refuse_name(takes, name);
        if (value[word] != NULL)
            return BAD_TYPE("%s() got multiple values for argument '%U'", takes->name, name);
        if (arguments[i] != Py_None || (takes->none & 1U << word) == 0)
            value[word] = arguments[i];
    }
    for (int i = 0; i < 2; i++) {
        if (value[takes->position[i]] == NULL)
            return BAD_TYPE("%s() missing a required argument: '%U'", takes->name,
                            shared.words[takes->position[i]]);
    }
    return read_values(request);
}
