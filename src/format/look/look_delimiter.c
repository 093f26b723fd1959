/* SPDX-License-Identifier: MIT */
/* Each candidate for the delimiter cuts the first lines into records. The candidate whose records
 * agree best, with the most values in them, is taken. All cells together show the decimal sign. */
#include <errno.h>
#include <string.h>

#include "format/look/looking_priv.h"

/* Sets the delimiter, and cuts the text by it. */
static int cut_by(struct looking *looking, char delimiter)
{
    text_lines_init(&looking->lines, looking->name, &looking->look->dialect, delimiter);
    if (records_cut(&looking->set, &looking->lines, looking->cursor) != 0)
        return error_system(looking->error, ERROR_FILE, looking->name, errno);
    records_tell(&looking->set, &looking->lines);
    return 0;
}

unsigned look_usual_count(const struct look_records *set)
{
    unsigned usual = 0;
    unsigned most = 0;

    for (unsigned i = 0; i < set->count && i < LOOK_ROWS + LINES_ABOVE; i++) {
        unsigned alike = 0;

        for (unsigned j = 0; j < set->count; j++)
            alike += set->records[j].count == set->records[i].count && !set->records[j].again;
        if (alike > most || (alike == most && set->records[i].count > usual)) {
            most = alike;
            usual = set->records[i].count;
        }
    }
    return usual;
}

unsigned look_find_values(const struct looking *looking, unsigned count, unsigned kinds)
{
    unsigned i = 0;

    while (i < looking->set.count &&
           (looking->set.records[i].count != count || !look_record_has(looking, i, kinds)))
        i++;
    return i;
}

/* True for "kitchen 1" before a cell of digits, cut by a comma: the line may be "kitchen 1,5". */
static bool is_cut_number(const struct look_cell *cell, const struct look_cell *next)
{
    static const char digits[] = "0123456789";
    const char *blank =
        memrchr(cell->field.start, ' ', (size_t)(cell->field.end - cell->field.start));

    return blank != NULL && !cell->field.quoted &&
           blank + 1 + strspn(blank + 1, digits) == cell->field.end &&
           strspn(next->field.start, digits) == (size_t)(next->field.end - next->field.start) &&
           strspn(cell->field.start, "+-.0123456789") == 0;
}

/* How well the records agree, from 0 to 1: by the share of records with the usual number of cells,
 * and the share of values among these cells. */
static double rate_delimiter(const struct looking *looking)
{
    const struct look_records *set = &looking->set;
    const unsigned count = look_usual_count(set);
    const unsigned from = look_find_values(looking, count, CELL_NUMBER | CELL_DATE | CELL_AMOUNT);
    double all = 0;
    double alike = 0;
    double values = 0;
    double above = 0;

    if (count < 2 || from == set->count)
        return 0;
    for (unsigned i = from; i < set->count; i++) {
        const struct look_record *record = &set->records[i];

        if (record->again)
            continue;
        all++;
        for (unsigned j = 0; record->count == count && j < count; j++) {
            const struct look_cell *cell = &set->cells[record->first + j];

            values += (cell->kind & CELL_VALUE) != 0 || look_signs(&cell->field) != 0 ? 1
                      : cell->kind == CELL_EMPTY                                      ? 0.5
                                                                                      : 0;
            if (looking->lines.delimiter == ',' && j + 1 < count && is_cut_number(cell, cell + 1))
                values -= 0.5;
        }
        alike += record->count == count;
    }
    /* A header has the delimiter as well, and may be one name short. */
    for (unsigned i = 0; i < from; i++)
        above += set->records[i].count == count ||
                 (set->records[i].count > 1 && set->records[i].count + 1 == count);
    /* Blanks stand in names and dates, too. */
    return alike / all * (0.2 + 0.8 * values / (alike * count)) *
           (0.5 + 0.5 * (from == 0 ? 1 : above / from)) *
           (looking->lines.delimiter == ' ' ? 0.7 : 1);
}

int look_choose_delimiter(struct looking *looking, char usual)
{
    static const char candidates[] = {',', ';', '\t', '|', ' '};
    const char decimal = looking->look->dialect.decimal;
    char best = (char)(decimal == ',' ? ';' : ',');
    double most = 0;

    if (usual == ',')
        usual = '\0'; /* csv often has another delimiter */
    if (looking->look->dialect.delimiter != '\0')
        usual = looking->look->dialect.delimiter;
    looking->delimiter_given = usual != '\0';
    for (size_t i = 0; usual == '\0' && i < sizeof candidates; i++) {
        double rate;

        if (candidates[i] == decimal)
            continue;
        if (cut_by(looking, candidates[i]) != 0)
            return -1;
        rate = rate_delimiter(looking) * (candidates[i] == looking->usual ? 1.25 : 1);
        if (rate > most) {
            most = rate;
            best = candidates[i];
        }
    }
    looking->look->dialect.delimiter = (char)(usual != '\0' ? usual : best);
    return cut_by(looking, looking->look->dialect.delimiter);
}

int look_choose_signs(struct looking *looking)
{
    struct text_dialect *dialect = &looking->look->dialect;
    unsigned counts[SIGN_POINT + 1] = {0};
    const struct look_cell *either = NULL;
    unsigned comma;
    bool is_sure; /* a comma between groups of three digits can be no decimal sign */

    for (size_t i = 0; i < looking->set.cell_count; i++) {
        const struct look_cell *cell = &looking->set.cells[i];
        const unsigned signs = look_signs(&cell->field);

        for (unsigned sign = 1; sign <= SIGN_POINT; sign *= 2)
            counts[sign] += (signs & sign) != 0;
        if (signs == SIGN_EITHER && either == NULL)
            either = cell;
    }
    is_sure = counts[SIGN_POINT] > 0 || (dialect->delimiter == ',' && counts[SIGN_COMMA] == 0);
    comma = dialect->delimiter != ',' ? counts[SIGN_COMMA] : 0;
    if (dialect->decimal == '\0' && dialect->thousands == '.')
        dialect->decimal = ',';
    if (dialect->decimal == '\0' && dialect->thousands != ',' && comma > counts[SIGN_POINT] &&
        comma > counts[SIGN_GROUPS])
        dialect->decimal = ',';
    if (dialect->thousands == '\0' && dialect->decimal != ',' &&
        counts[SIGN_GROUPS] + (is_sure ? counts[SIGN_EITHER] : 0) > 0)
        dialect->thousands = ',';
    if (dialect->thousands == '\0' && dialect->decimal == ',' && counts[SIGN_POINTS] > 0)
        dialect->thousands = '.';
    if (dialect->thousands == '\0' && counts[SIGN_BLANKS] > 0 && dialect->delimiter != ' ')
        dialect->thousands = ' ';
    if (dialect->decimal == '\0' && dialect->thousands != ',')
        looking->either = either;
    if (dialect->decimal == '\0')
        dialect->decimal = '.';
    text_lines_init(&looking->lines, looking->name, dialect, dialect->delimiter);
    records_tell(&looking->set, &looking->lines);
    return 0;
}
