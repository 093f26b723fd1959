/* SPDX-License-Identifier: MIT */
#include "tool/others_priv.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory_text.h"
#include "base/min_max.h"
#include "format/format.h"
#include "io/input.h"

/* A longer command is not suggested. */
enum { COMMAND_SHOWN = 700 };

static bool has(const char *words, const char *word, size_t length, bool exact)
{
    for (size_t size; *words != '\0'; words += size + strspn(words + size, " ")) {
        size = strcspn(words, " ");

        const bool ending = size > 1 && *words == '*';
        const size_t compared = size - (ending || (size > 1 && words[size - 1] == '*'));

        if ((length == compared || (length > compared && compared < size)) &&
            (exact || isupper((unsigned char)*words) ? strncmp : strncasecmp)(
                words + ending, word + (ending ? length - compared : 0), compared) == 0)
            return true;
    }
    return false;
}

static const char *find_ours(const struct other_word *row, const char *where, const char *word,
                             size_t length)
{
    const bool exact = strcmp(where, "option") == 0;

    for (; row != NULL && row->where != NULL; row++) {
        if (has(row->where, where, strlen(where), true) && has(row->theirs, word, length, exact))
            return row->ours;
    }
    return NULL;
}

const char *others_find(const struct other_word *list, const char *where, const char *word,
                        size_t length)
{
    char plain[64] = "";
    const char *unit;
    const char *ours;

    length = min_u64(length, sizeof plain - 1);
    for (size_t i = 0; i < length; i++)
        plain[i] = (char)(word[i] == '_' ? '-' : word[i]);
    ours = find_ours(list, where, plain, length);
    unit = plain + strspn(plain, "0123456789.:");
    if (ours != NULL || unit == plain)
        return ours;
    return *unit == '\0' || find_ours(list, "unit", unit, strlen(unit)) != NULL
               ? find_ours(list, where, "#", 1)
               : NULL;
}

bool others_is_value(const char *word)
{
    return word != NULL && (word[0] != '-' || word[1] == '\0' || isdigit((unsigned char)word[1]));
}

const char *others_option(const struct others_line *line, const char *name, size_t length)
{
    static const char windows[] =
        "-w* --w* -z* --z* --rolling* --resample* --rule* -o* -T* --level*";
    static const char types[] = "-t* -f";
    static const char sums[] = "--mean --avg --average --rms --std --stdev mean avg rms std";
    static const char spans[] = "spans labels -Tspans -Tlabels";
    const char *ours = NULL;
    bool typed = false;
    bool alone = true;
    bool spanned = false;
    bool summed = false;
    bool timed = false;
    bool mono = false;
    unsigned files = 0;

    for (char *const *word = line->argv; *word != NULL; word++) {
        typed = typed || has(types, *word, strlen(*word), true);
        alone = alone && !has(windows, *word, strlen(*word), true);
        spanned = spanned || has(spans, *word, strlen(*word), true);
        summed = summed || has(sums, *word, strlen(*word), true);
        timed = timed || (isdigit((unsigned char)**word) &&
                          isalpha((unsigned char)*(strchr(*word, '\0') - 1)));
        mono =
            mono || (word > line->argv && strcmp(word[-1], "-ac") == 0 && strcmp(*word, "1") == 0);
        files += word > line->argv && strcmp(word[-1], "-o") != 0 && access(*word, F_OK) == 0;
    }

    const struct {
        bool looks;
        const char *where;
    } rows[] = {{alone, "alone"},    {spanned, "spans"},       {summed && timed, "sums"},
                {files > 1, "many"}, {!typed && mono, "mono"}, {!typed, "sound"},
                {true, "option"}};

    for (size_t i = 0; ours == NULL && i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].looks)
            ours = others_find(line->command->others, rows[i].where, name, length);
    }
    return ours;
}

static void put_quoted(struct memory_text *text, const char *word)
{
    char quoted[ERROR_OPERAND];

    memory_text_put(text, *word == '\0' ? "''" : error_operand(quoted, word));
}

static const char *output_ending(char *const *argv)
{
    const char *dot = NULL;

    for (; argv[0] != NULL && argv[1] != NULL; argv++) {
        if (strcmp(argv[0], "-o") == 0)
            dot = strrchr(argv[1], '.');
    }
    return dot != NULL ? dot + 1 : "wav";
}

/* Does a number stand here: "{s}", "{n}"? */
static bool is_number(const char *place)
{
    return strncmp(place, "{s}", 3) == 0 || strncmp(place, "{n}", 3) == 0;
}

/* Is this a level of sound below 0, and so one in decibels? */
static bool is_decibels(const char *level, char *const *argv)
{
    bool sound = *level == '-' && level[1 + strspn(level + 1, "0123456789.")] == '\0';

    while (*++argv != NULL)
        sound =
            sound && (access(*argv, F_OK) != 0 || format_of_table(*argv, "auto", false) == NULL);
    return sound;
}

/* Puts a text of `ours` with its places filled in. Where `value` is NULL, a number is 10. */
static void put_ours(struct memory_text *text, const char *ours, const char *end, const char *value,
                     char *const *argv)
{
    while (ours < end && *ours != '!') {
        const char *place = memchr(ours, '{', (size_t)(end - ours));

        memory_text_add(text, ours, (size_t)((place != NULL ? place : end) - ours));
        if (place == NULL)
            return;
        ours = strchr(place, '}') + 1;
        if (strncmp(place, "{o}", 3) == 0)
            memory_text_put(text, output_ending(argv));
        else if (is_number(place) || strchr("d}", place[1]) != NULL)
            put_quoted(text, value != NULL ? value : is_number(place) ? "10" : "...");
        else if (place[1] != '-')
            memory_text_add(text, place, (size_t)(ours - place));
        if (place[1] == 's' && (value == NULL || value[strspn(value, "0123456789.")] == '\0'))
            memory_text_put(text, "s");
        if (place[1] == 'd' && value != NULL && is_decibels(value, argv))
            memory_text_put(text, "dB");
    }
}

/* Finds what replaces the first of these words, an option, and perhaps the next, its value. Returns
 * how many words it replaces, 0 if there is nothing. */
static size_t find_instead(const struct others_line *line, char *const *words, const char **ours,
                           const char **value)
{
    const char *name = words[0] + (strncmp(words[0], "--", 2) == 0 ? 2 : 1);
    const size_t length = strcspn(name, "=");
    const char *place;

    *value = words[1];
    *ours = others_is_value(*value)
                ? others_find(line->command->others, words[0], *value, strlen(*value))
                : NULL;
    if (*ours != NULL)
        return 2;
    *value = name[length] == '=' ? name + length + 1 : NULL;
    *ours = others_option(line, name, length);
    if (*ours == NULL && name == words[0] + 1 && !isalpha((unsigned char)name[1])) {
        *value = name + 1;
        *ours = others_option(line, name, 1);
    }
    if (*ours == NULL)
        return 0;
    place = strchr(strchrnul(*ours, '@'), '{');
    if (*value != NULL || place == NULL || !others_is_value(words[1]) ||
        (is_number(place) && !isdigit((unsigned char)words[1][words[1][0] == '.'])))
        return 1;
    *value = words[1];
    return 2;
}

/* Replaces the refused value, and the option before it, if they come first in `words`. Returns how
 * many words it replaces. */
static size_t put_refused(struct memory_text *text, const struct others_line *line,
                          const char *ours, const char *value, char *const *words)
{
    const bool apart = !line->operand && words[1] != NULL && words[1] == value;
    const bool here = value >= words[0] && value <= words[0] + strlen(words[0]);
    const char *typed = strchrnul(ours, '@') + 1;
    size_t option = apart ? strlen(words[0]) : here ? (size_t)(value - words[0]) : 0;

    if (!apart && !here)
        return 0;
    if (here && option > 0 && value[-1] == '=')
        option--;
    if (*typed != '-' && *typed != '{' && option > 0)
        memory_text_print(text, "%.*s ", (int)option, words[0]);
    put_ours(text, typed, strchr(typed, '\0'), value, line->argv);
    return apart ? 2 : 1;
}

/* Puts the whole command line with its words replaced. False if a word has no replacement, none is
 * replaced, or the line is too long. */
static bool put_line(struct memory_text *text, const struct others_line *line, const char *refused,
                     const char *value)
{
    const bool alone = strstr(refused, "@!") != NULL;
    const char *typed = strchrnul(refused, '@') + 1;
    const char *last = "";
    bool known = false;
    bool read = false;
    struct stat status;

    memory_text_put(text, line->command->program);
    for (char *const *words = line->argv + 1; *words != NULL;) {
        const size_t before = text->used;
        const size_t length = strlen(words[0]);
        const char *ours = NULL;
        const char *theirs;
        size_t count = 0;

        if ((alone && (strcmp(words[0], "-w") == 0 || strcmp(words[0], "-n") == 0)) ||
            (words[1] != value && strncmp(typed, words[0], length) == 0 && typed[length] == ' ' &&
             typed[length + 1] != '-')) {
            words += words[0][1] != 'n' && words[1] != NULL ? 2 : 1;
            continue;
        }
        memory_text_put(text, " ");
        if (words[0][0] == '-' && words[0][1] != '\0')
            count = find_instead(line, words, &ours, &theirs);
        else if (value != words[0] && read && words[1] == NULL && words[-1][0] != '-' &&
                 strchr(words[0], '.') != NULL && access(words[0], F_OK) != 0) {
            /* The last word is an output, as ffmpeg and sox have it. */
            memory_text_put(text, "-o ");
            last = "";
        }
        read = read || access(words[count > 0 ? count - 1 : 0], F_OK) == 0;
        if (count > 0 && (ours = strchr(ours, '@')) == NULL)
            return false;
        if (count > 0 && words[1] == value)
            value = NULL;
        if (count > 0 && ours[1] == '&')
            last = ours + 2;
        else if (count > 0)
            put_ours(text, ours + 1, strchr(ours, '\0'), theirs, line->argv);
        else if (value == NULL || (count = put_refused(text, line, refused, value, words)) == 0)
            put_quoted(text, *words);
        if (count == 0 && words[-1][0] != '-' && stat(*words, &status) == 0 &&
            S_ISDIR(status.st_mode))
            last = " --recursive";
        known = known || count > 0;
        if (text->used == before + 1)
            text->bytes[text->used = before] = '\0';
        words += count > 0 ? count : 1;
        if (count > 0 && ours != NULL && ours[1] == '!' && *words != NULL &&
            strcmp(*words, "-") == 0)
            words++;
    }
    memory_text_put(text, last);
    return known && text->used < COMMAND_SHOWN;
}

int others_refuse(const struct others_line *line, const char *subject, const char *fault,
                  const char *ours, const char *value, struct error *error)
{
    const char *typed = strchrnul(ours, '@');
    struct memory_text text = {.bytes = NULL};
    struct memory_text command = {.bytes = NULL};

    memory_text_put(&text, typed > ours ? ": " : "");
    put_ours(&text, ours, typed, value, line->argv);
    if (*typed != '\0' && put_line(&command, line, ours, value)) {
        memory_text_print(&text, ": try %s", command.bytes);
    } else if (*typed != '\0' && strchr("!{", typed[1]) == NULL) {
        memory_text_put(&text, ": try ");
        put_ours(&text, typed + 1, strchr(typed, '\0'), value, line->argv);
    }
    error_set(error, *typed != '\0' ? ERROR_TRY : ERROR_COMMAND, NULL, "%s%s%s", subject, fault,
              text.failed || command.failed ? "" : text.bytes);
    memory_text_free(&text);
    memory_text_free(&command);
    return -1;
}

void others_try(const char *program, char *const *argv, struct error *error)
{
    struct memory_text text = {.bytes = NULL};
    bool reads_file = false;

    if (strcmp(error->subject, INPUT_STANDARD) == 0)
        return;
    memory_text_print(&text, "%s%s: try %s %s ", error->reason,
                      error->advice != NULL ? error->advice : "", program, error->option);
    put_quoted(&text, error->value);
    for (char *const *word = argv + 1; *word != NULL; word++) {
        reads_file = reads_file || access(*word, F_OK) == 0;
        memory_text_put(&text, " ");
        put_quoted(&text, *word);
    }
    if (reads_file && !text.failed && text.used < sizeof error->reason) {
        stpcpy(error->reason, text.bytes);
        error->advice = NULL;
        error->code = ERROR_TRY;
    }
    memory_text_free(&text);
}

/* ---- commands of sox and mlr ---- */

/* Is this an option of another program that takes no value? */
static bool is_theirs(const struct others_line *line, const char *word)
{
    const char *name = word + strspn(word, "-");
    const char *ours = name == word ? NULL : others_option(line, name, strlen(name));

    return ours != NULL && strchr(ours, '{') == NULL;
}

/* Puts the words before the command, except the file, which the other program reads. */
static void put_rest(struct memory_text *text, const struct others_line *line, char *const *end,
                     const char *file)
{
    memory_text_print(text, " | %s", line->command->program);
    for (char *const *word = line->argv + 1; word < end; word++) {
        if (*word == file || is_theirs(line, *word))
            continue;
        memory_text_put(text, word[-1] == file && strchr(*word, '.') != NULL ? " -o " : " ");
        put_quoted(text, *word);
    }
    memory_text_put(text, " -");
}

int others_refuse_command(const struct others_line *line, struct error *error)
{
    char *const *found = NULL;
    const char *ours = NULL;
    const char *file = NULL;
    const char *typed;
    struct memory_text text = {.bytes = NULL};

    for (char *const *word = line->argv + 1; word[-1] != NULL && *word != NULL; word++) {
        if (access(*word, F_OK) == 0)
            file = file != NULL ? file : *word;
        else if (ours == NULL && (word[-1][0] != '-' || is_theirs(line, word[-1])))
            ours = others_find(line->command->others, "command", *word, strlen(*word));
        found = ours == NULL || found != NULL ? found : word;
    }
    if (ours == NULL)
        return 0;
    typed = strchrnul(ours, '@');
    put_ours(&text, ours, typed, file, line->argv);
    if (*typed != '\0') {
        memory_text_put(&text, ": try ");
        put_ours(&text, typed + 1, strchr(typed, '\0'), file, line->argv);
        for (char *const *word = found; *word != NULL; word++) {
            memory_text_put(&text, " ");
            put_quoted(&text, *word);
        }
        put_rest(&text, line, found, file);
    }
    error_set(error, *typed != '\0' ? ERROR_TRY : ERROR_COMMAND, NULL,
              "%s: is taken for an input: %s", *found, text.failed ? "" : text.bytes);
    memory_text_free(&text);
    return -1;
}
