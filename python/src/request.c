/* Arguments of calls, by position and by name. */
#include <stdio.h>
#include <string.h>

#include "inside.h"

static const char *const aligns[] = {
    [GPUENV_VALID] = "valid",
    [GPUENV_CAUSAL] = "causal",
    [GPUENV_CENTER] = "center",
    [GPUENV_FORWARD] = "forward",
};
static const char *const edges[] = {[GPUENV_SHRINK] = "shrink", [GPUENV_EDGE_NAN] = "nan"};
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
    [GPUENV_ARGMAX] = "argmax",
};

#define CHOICES(list) list, (int)(sizeof(list) / sizeof *(list))

static int read_choice(PyObject *value, const char *name, const char *const *choices, int count,
                       int *choice)
{
    const char *text;
    char all[80] = "";
    size_t length = 0;

    if (!PyUnicode_Check(value)) {
        return shared_wrong_type(name, "a str", value, "");
    }
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
    PyErr_Format(PyExc_ValueError, "%s must be %s, not %R", name, all, value);
    return -1;
}

static PyObject *read_index(PyObject *value, const char *name)
{
    PyObject *number = PyNumber_Index(value);

    if (number == NULL && PyErr_ExceptionMatches(PyExc_TypeError))
        (void)shared_wrong_type(name, "an integer", value, "");
    return number;
}

/* A number of 1 or more; those that are too large for memory are all the same. */
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
    if (overflow < 0 || read < 1) {
        PyErr_Format(PyExc_ValueError, "%s must be 1 or more", name);
        return -1;
    }
    *count = (uint64_t)read;
    return 0;
}

static int read_axis(PyObject *value, Py_ssize_t *axis)
{
    PyObject *number = read_index(value, "axis");

    if (number == NULL)
        return -1;
    *axis = PyNumber_AsSsize_t(number, PyExc_IndexError);
    Py_DECREF(number);
    return *axis == -1 && PyErr_Occurred() ? -1 : 0;
}

/* "min,rms", or a sequence of names. */
static int read_emit(PyObject *value, gpuenv_spec *spec)
{
    const bool is_text = PyUnicode_Check(value);
    PyObject *text = is_text ? PyObject_CallMethod(value, "replace", "ss", " ", "") : NULL;
    PyObject *names = text != NULL ? PyObject_CallMethod(text, "split", "s", ",")
                      : is_text    ? NULL
                                   : PySequence_List(value);
    int failed = names == NULL ? -1 : 0;

    if (failed != 0 && PyErr_ExceptionMatches(PyExc_TypeError))
        return shared_wrong_type("emit", "a str or a sequence of them", value, "");
    if (failed == 0 && (PyList_Size(names) == 0 || PyList_Size(names) > GPUENV_VALUES)) {
        PyErr_Format(PyExc_ValueError, "emit must have 1 to %d names", GPUENV_VALUES);
        failed = -1;
    }
    for (Py_ssize_t i = 0; failed == 0 && i < PyList_Size(names); i++)
        failed = read_choice(PyList_GetItem(names, i), "emit", CHOICES(emits), &spec->value[i]);
    if (failed == 0)
        spec->values = (unsigned)PyList_Size(names);
    Py_XDECREF(names);
    Py_XDECREF(text);
    return failed;
}

static int read_word(struct request *request, enum word word, PyObject *value)
{
    gpuenv_spec *spec = &request->spec;
    uint64_t count;

    switch (word) {
    case WORD_X:
        request->x = value;
        return 0;
    case WORD_W:
        request->w = value;
        return 0;
    case WORD_N:
        if (read_count(value, "n", &spec->width) != 0)
            return -1;
        spec->hop = spec->width;
        spec->align = GPUENV_FORWARD;
        return 0;
    case WORD_AXIS:
        request->has_axis = value != Py_None;
        return request->has_axis ? read_axis(value, &request->axis) : 0;
    case WORD_ALIGN:
        return read_choice(value, "align", CHOICES(aligns), &spec->align);
    case WORD_EDGE:
        return read_choice(value, "edge", CHOICES(edges), &spec->edge);
    case WORD_HOP:
        return read_count(value, "hop", &spec->hop);
    case WORD_NAN:
        request->has_nan = value != Py_None;
        return !request->has_nan ? 0 : read_choice(value, "nan", CHOICES(nans), &spec->nan);
    case WORD_OUT:
        request->out = value == Py_None ? NULL : value;
        return 0;
    case WORD_THREADS:
        if (value == Py_None)
            return 0;
        if (read_count(value, "threads", &count) != 0)
            return -1;
        spec->threads = count < INT32_MAX ? (unsigned)count : INT32_MAX;
        return 0;
    case WORD_STREAM:
        request->stream = value == Py_None ? NULL : value;
        return 0;
    case WORD_EMIT:
        return read_emit(value, spec);
    case WORD_TIMES:
        request->times = value == Py_None ? NULL : value;
        return 0;
    case WORD_BEYOND:
        request->beyond = value;
        return 0;
    case WORD_CLOSED:
        return read_choice(value, "closed", CHOICES(closed), &spec->closed);
    case WORD_LAST:
        spec->last = PyObject_IsTrue(value);
        return spec->last < 0 ? -1 : 0;
    case WORD_MIN_COUNT:
        return value == Py_None ? 0 : read_count(value, "min_count", &spec->min_count);
    case WORDS:
    default:
        return 0;
    }
}

/* The word of an argument's name; WORDS: the function takes none of this name. */
static enum word find_word(const struct takes *takes, PyObject *name)
{
    enum word word = WORD_X;

    while (word < WORDS && shared.words[word] != name)
        word++;
    if (word == WORDS) {
        word = WORD_X;
        while (word < WORDS && PyUnicode_Compare(shared.words[word], name) != 0)
            word++;
    }
    if (word < WORDS && (takes->named & 1U << word) != 0)
        return word;
    for (int i = 0; i < takes->positions; i++) {
        if (word == takes->position[i])
            return word;
    }
    return WORDS;
}

/* Sets TypeError for the name of an argument. */
static void refuse_name(const struct takes *takes, PyObject *name)
{
    static const char *const here[][2] = {
        {"window", "w"},   {"size", "w"},    {"center", "align='center'"},
        {"dim", "axis"},   {"step", "hop"},  {"min_periods", "min_count"},
        {"skipna", "nan"}, {"mode", "edge"}, {"workers", "threads"}};
    const char *meant = NULL;

    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        meant = PyUnicode_CompareWithASCIIString(name, here[i][0]) == 0 ? here[i][1] : meant;
    PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'%s%s", takes->name,
                 name, meant != NULL ? "; here it is " : "", meant != NULL ? meant : "");
}

int request_read(struct request *request, const struct takes *takes, PyObject *const *arguments,
                 Py_ssize_t count, PyObject *names)
{
    const Py_ssize_t named = names != NULL ? PyTuple_Size(names) : 0;
    unsigned seen = 0;

    *request = (struct request){.spec = GPUENV_INIT(gpuenv_spec), .axis = -1};
    if (count > takes->positions) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d positional arguments but %zd were given",
                     takes->name, takes->positions, count);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        seen |= 1U << takes->position[i];
        if (read_word(request, takes->position[i], arguments[i]) != 0)
            return -1;
    }
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        enum word word = find_word(takes, name);

        if (word == WORDS) {
            refuse_name(takes, name);
            return -1;
        }
        if ((seen & 1U << word) != 0) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", takes->name,
                         name);
            return -1;
        }
        seen |= 1U << word;
        if (read_word(request, word, arguments[count + i]) != 0)
            return -1;
    }
    for (int i = 0; i < takes->positions; i++) {
        if ((seen & 1U << takes->position[i]) == 0) {
            PyErr_Format(PyExc_TypeError, "%s() missing a required argument: '%U'", takes->name,
                         shared.words[takes->position[i]]);
            return -1;
        }
    }
    request->given = seen;
    if (request->spec.min_count > 0 && !request->has_nan)
        request->spec.nan = GPUENV_NAN_OMIT;
    if (request->w == NULL || request->times != NULL)
        return 0;
    if (!PyIndex_Check(request->w))
        return shared_wrong_type(
            "w", "an integer", request->w,
            "; with times=, and in rolling_min and rolling_max, it is a length of "
            "time");
    return read_count(request->w, "w", &request->spec.width);
}
