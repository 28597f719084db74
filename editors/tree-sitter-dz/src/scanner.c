// Indentation: the ends of lines, the blocks under them, the lines that an operator continues, and the free text of stories.

#include "tree_sitter/alloc.h"
#include "tree_sitter/array.h"
#include "tree_sitter/parser.h"

#include <string.h>

enum Symbol { START, NEWLINE, INDENT, DEDENT, AFTER_COMMA, AFTER_OPERATOR, TEXT, TEXT_LINE, UNCLOSED, ERROR };

// The open blocks, each with its columns of indentation; the first is the margin.
typedef struct {
  Array(uint16_t) blocks;
} Scanner;

// The text between the place of the scanner and the next token.
typedef struct {
  bool has_line_end;
  bool is_comment;
  uint16_t indent;
} Blank;

void *tree_sitter_dz_external_scanner_create(void) {
  Scanner *scanner = ts_calloc(1, sizeof(Scanner));
  array_init(&scanner->blocks);
  array_push(&scanner->blocks, 0);
  return scanner;
}

void tree_sitter_dz_external_scanner_destroy(void *payload) {
  Scanner *scanner = payload;
  array_delete(&scanner->blocks);
  ts_free(scanner);
}

unsigned tree_sitter_dz_external_scanner_serialize(void *payload, char *buffer) {
  Scanner *scanner = payload;
  unsigned count = scanner->blocks.size;
  unsigned most = TREE_SITTER_SERIALIZATION_BUFFER_SIZE / sizeof(uint16_t);
  if (count > most) count = most;
  memcpy(buffer, scanner->blocks.contents, count * sizeof(uint16_t));
  return count * sizeof(uint16_t);
}

void tree_sitter_dz_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *scanner = payload;
  array_clear(&scanner->blocks);
  for (unsigned at = 0; at + sizeof(uint16_t) <= length; at += sizeof(uint16_t)) {
    uint16_t indent;
    memcpy(&indent, buffer + at, sizeof(uint16_t));
    array_push(&scanner->blocks, indent);
  }
  if (scanner->blocks.size == 0) array_push(&scanner->blocks, 0);
}

static void skip_line(TSLexer *lexer) {
  while (!lexer->eof(lexer) && lexer->lookahead != '\n' && lexer->lookahead != '\r') lexer->advance(lexer, true);
}

// Skips blanks, line ends, and lines with only a comment. A comment on the line of the scanner ends it.
static Blank skip_blank(TSLexer *lexer, bool from_line_start) {
  Blank blank = {from_line_start, false, 0};
  for (;;) {
    switch (lexer->lookahead) {
      case ' ':
        if (blank.indent < UINT16_MAX) blank.indent++;
        break;
      case '\t':
        if (blank.indent < UINT16_MAX - 4) blank.indent += 4;
        break;
      case 0xfeff:
        break;
      case '\n':
      case '\r':
        blank.has_line_end = true;
        blank.indent = 0;
        break;
      case '#':
        if (!blank.has_line_end) {
          blank.is_comment = true;
          return blank;
        }
        skip_line(lexer);
        continue;
      case '/':
        if (!blank.has_line_end) {
          blank.is_comment = true;
          return blank;
        }
        lexer->advance(lexer, true);
        if (lexer->lookahead != '/') return blank;
        skip_line(lexer);
        continue;
      default:
        if (lexer->eof(lexer)) {
          blank.has_line_end = true;
          blank.indent = 0;
        }
        return blank;
    }
    lexer->advance(lexer, true);
  }
}

static bool is_letter(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c > 127;
}

// True at `word:`, which continues no operator; `else:` and `elif:` belong to an expression.
static bool begins_pair(TSLexer *lexer) {
  char word[5] = {0};
  unsigned length = 0;
  if (!is_letter(lexer->lookahead)) return false;
  while (is_letter(lexer->lookahead) || (lexer->lookahead >= '0' && lexer->lookahead <= '9')) {
    if (length < 4) word[length] = lexer->lookahead > 127 ? '?' : (char)lexer->lookahead;
    length++;
    lexer->advance(lexer, true);
  }
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t') lexer->advance(lexer, true);
  bool of_expression = length == 4 && (strcmp(word, "else") == 0 || strcmp(word, "elif") == 0);
  return lexer->lookahead == ':' && !of_expression;
}

// True at a line that resembles a declaration, after which an open bracket is missing its end.
static bool begins_declaration(TSLexer *lexer) {
  if (lexer->eof(lexer) || lexer->lookahead == '-') return true;
  if (!is_letter(lexer->lookahead)) return false;
  while (is_letter(lexer->lookahead) || (lexer->lookahead >= '0' && lexer->lookahead <= '9')) lexer->advance(lexer, true);
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t') lexer->advance(lexer, true);
  return lexer->lookahead == ':' || lexer->lookahead == '"' || is_letter(lexer->lookahead);
}

// Reads the rest of the line as free text, without the blanks at its end.
static bool scan_text(TSLexer *lexer, enum Symbol symbol) {
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t') lexer->advance(lexer, true);
  if (lexer->eof(lexer) || lexer->lookahead == '\n' || lexer->lookahead == '\r') return false;
  while (!lexer->eof(lexer) && lexer->lookahead != '\n' && lexer->lookahead != '\r') {
    bool is_space = lexer->lookahead == ' ' || lexer->lookahead == '\t';
    lexer->advance(lexer, false);
    if (!is_space) lexer->mark_end(lexer);
  }
  lexer->result_symbol = symbol;
  return true;
}

bool tree_sitter_dz_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  if (valid[ERROR]) return false;
  lexer->mark_end(lexer);
  if (valid[START]) {
    Blank blank = skip_blank(lexer, true);
    *array_get(&scanner->blocks, 0) = blank.indent;
    lexer->result_symbol = START;
    return true;
  }
  Blank blank = skip_blank(lexer, false);
  if (blank.is_comment && !valid[TEXT]) return false;
  if (!blank.has_line_end) {
    // A comment after `given:` is a comment; after a dash it is text.
    if (valid[TEXT] && !(blank.is_comment && valid[INDENT] && !valid[TEXT_LINE])) return scan_text(lexer, TEXT);
    return false;
  }
  uint16_t level = *array_back(&scanner->blocks);
  bool is_deeper = blank.indent > level;
  if (is_deeper && !lexer->eof(lexer)) {
    // These tokens end where the next line begins, so that its end of line is not looked for again.
    if (valid[AFTER_COMMA] || valid[AFTER_OPERATOR]) lexer->mark_end(lexer);
    if (valid[AFTER_COMMA]) {
      lexer->result_symbol = AFTER_COMMA;
      return true;
    }
    if (valid[AFTER_OPERATOR] && !begins_pair(lexer)) {
      lexer->result_symbol = AFTER_OPERATOR;
      return true;
    }
    if (valid[INDENT]) {
      array_push(&scanner->blocks, blank.indent);
      lexer->result_symbol = INDENT;
      return true;
    }
  }
  if (valid[UNCLOSED]) {
    if (is_deeper || !begins_declaration(lexer)) return false;
    lexer->result_symbol = UNCLOSED;
    return true;
  }
  if (valid[NEWLINE]) {
    lexer->result_symbol = NEWLINE;
    return true;
  }
  if (valid[DEDENT] && blank.indent < level && scanner->blocks.size > 1) {
    (void)array_pop(&scanner->blocks);
    lexer->result_symbol = DEDENT;
    return true;
  }
  if (valid[TEXT_LINE] && lexer->lookahead != '-') return scan_text(lexer, TEXT_LINE);
  return false;
}
