#include "cli/walk.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* getopt_long() does not say whether a long name was unknown or only too short. */
static int complain_of_name(const char *word, const struct option *known, struct error *error)
{
    size_t length = strcspn(word + 2, "=");
    char likely[256] = "";
    unsigned count = 0;

    for (const struct option *option = known; option->name != NULL; option++) {
        if (strncmp(option->name, word + 2, length) != 0)
            continue;
        values_append(likely, sizeof likely, count++ > 0 ? ", --" : "--");
        values_append(likely, sizeof likely, option->name);
    }
    if (count < 2 || length == 0)
        return error_set(error, STATUS_USAGE, "%.*s: unknown option",
                         (int)(length < VALUES_SHOWN ? length : VALUES_SHOWN) + 2, word);
    return error_set(error, STATUS_USAGE, "%.*s: could be any of %s", (int)length + 2, word,
                     likely);
}

static int complain_of_letter(int letter, struct error *error)
{
    unsigned char byte = (unsigned char)letter;

    /* Half of a character would spoil the message. */
    if (byte <= ' ' || byte >= 0x7f)
        return error_set(error, STATUS_USAGE, "-\\x%02x: unknown option", byte);
    return error_set(error, STATUS_USAGE, "-%c: unknown option", byte);
}

/* Is this a value of getopt_long() for one of the known options? */
static bool is_option(int option, const struct option *known)
{
    for (; known->name != NULL; known++) {
        if (known->val == option)
            return true;
    }
    return false;
}

/* `answer` is what getopt_long() has just returned, '?' or ':'. */
static int complain(int answer, char **argv, const struct option *known, struct error *error)
{
    const char *word = argv[optind - 1];

    if (answer == ':' && strncmp(word, "--", 2) == 0)
        return error_set(error, STATUS_USAGE, "%s: needs a value", word);
    if (answer == ':')
        return error_set(error, STATUS_USAGE, "-%c: needs a value", optopt);
    if (optopt == 0)
        return complain_of_name(word, known, error);
    /* The letter of a known option: it was written long, with a value it does not take. */
    if (is_option(optopt, known))
        return error_set(error, STATUS_USAGE, "%.*s: takes no value", VALUES_SHOWN, word);
    return complain_of_letter(optopt, error);
}

struct walk walk_begin(int argc, char **argv, const char *letters, const struct option *known)
{
    optind = 0; /* glibc then forgets the last command line */
    opterr = 0;
    return (struct walk){.argc = argc, .argv = argv, .letters = letters, .known = known};
}

int walk_next(struct walk *walk, struct value *value, struct error *error)
{
    int place = -1;
    int option = getopt_long(walk->argc, walk->argv, walk->letters, walk->known, &place);

    if (option == -1)
        return 0;
    if (option == '?' || option == ':')
        return complain(option, walk->argv, walk->known, error);
    if (place >= 0)
        snprintf(walk->name, sizeof walk->name, "--%s", walk->known[place].name);
    else
        snprintf(walk->name, sizeof walk->name, "-%c", option);
    *value = (struct value){.option = walk->name, .text = optarg};
    return option;
}
