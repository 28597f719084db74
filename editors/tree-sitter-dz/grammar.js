// The structure of dz: lines with blocks, and the tokens of a line. A tree says where names, texts, values and blocks are;
// what a line means is known to `dz lsp`.
//
// The language has no keywords, so the grammar has none either, except the words that change how the following text is read:
// `and`, `or` and `not` at the end of a line, and the free text of a story. `dz-reference/tests/editors.rs` compares them with
// the lists of the language.

/* eslint-env commonjs */
/// <reference types="tree-sitter-cli/dsl" />

module.exports = grammar({
  name: "dz",

  externals: ($) => [
    $._start,
    $._newline,
    $._indent,
    $._dedent,
    $._after_comma,
    $._after_operator,
    $.text,
    $._text_line,
    $._unclosed,
    $._error,
  ],

  extras: ($) => [/\s/, /\u{feff}/u, $.comment],

  word: ($) => $.word,

  rules: {
    // A file, or what the brackets of `dz! { }` contain, with or without the brackets.
    source_file: ($) =>
      seq(
        $._start,
        choice(
          repeat($._statement),
          seq("{", choice(seq($._indent, repeat1($._statement), $._dedent), seq(optional($._newline), repeat($._statement))), "}"),
        ),
      ),

    _statement: ($) => choice($.story, $.statement),

    statement: ($) => seq($._head, choice($._newline, field("body", $.block))),

    block: ($) => seq($._indent, repeat1($.statement), $._dedent),

    _head: ($) => choice($.pair, $.transition, $.declaration, $.item, $.row),

    // `due: date required`, `permit:`
    pair: ($) => seq(field("key", $._key), ":", optional(field("value", $.value))),

    // `open -> done: role(boss)`
    transition: ($) =>
      seq(field("from", $._key), "->", optional($._after_operator), field("to", $._key), optional(field("condition", $.value))),

    // `entity Task "Task":`, `uses entity Task`, `index due`, the value of an enum with its label
    declaration: ($) =>
      seq(
        field("keyword", $.word),
        optional(choice(seq(field("name", $.name), optional(field("title", $._string))), field("title", $._string))),
        repeat($._token),
      ),

    // `- name: "Ann"`, `- step check:`
    item: ($) => seq("-", optional($._head)),

    // A line that begins with neither a word nor a dash.
    row: ($) => seq(choice($._string, $.number, $.list, $.group, "*", "@", $.other), repeat($._token)),

    _key: ($) => prec(2, choice(alias($._path, $.name), $._string, $.number, "*", $.list, $.group)),

    _path: ($) => prec.right(2, seq($.word, repeat(seq(".", $.word)))),

    name: ($) => prec.right(1, seq($.word, repeat(seq(choice(".", "-"), choice($.word, $.number))))),

    value: ($) => repeat1($._token),

    _token: ($) =>
      prec(-1, choice(
        $.call,
        $.word,
        $._string,
        $.number,
        $.group,
        $.list,
        $.map,
        seq(",", optional($._after_comma)),
        seq(alias(choice("and", "or", "not", "AND", "OR", "NOT"), $.operator), optional($._after_operator)),
        seq(alias(choice("=", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "->"), $.operator), optional($._after_operator)),
        ":",
        ".",
        "@",
        "?",
        ";",
        $.other,
      )),

    // `role(boss)`, `enum[open, done]`: no space before the bracket
    call: ($) =>
      seq(
        field("function", $.word),
        field(
          "arguments",
          choice(
            alias($._immediate_group, $.group),
            alias($._immediate_list, $.list),
          ),
        ),
      ),

    _immediate_group: ($) => seq(token.immediate(prec(1, "(")), repeat($._token), choice(")", $._unclosed)),
    _immediate_list: ($) => seq(token.immediate(prec(1, "[")), repeat($._token), choice("]", $._unclosed)),
    group: ($) => seq("(", repeat($._token), choice(")", $._unclosed)),
    list: ($) => seq("[", repeat($._token), choice("]", $._unclosed)),
    map: ($) => seq("{", repeat($._token), choice("}", $._unclosed)),

    // A story, whose conditions are free text.
    story: ($) =>
      seq(
        field("keyword", alias("story", $.word)),
        field("name", $.name),
        optional(field("title", $._string)),
        optional(":"),
        choice($._newline, field("body", alias($._story_block, $.block))),
      ),

    _story_block: ($) => seq($._indent, repeat1(choice($.condition, $.statement)), $._dedent),

    // `given:` with its text, on the same line or under it
    condition: ($) =>
      seq(
        field("key", alias(choice("given", "when", "then", "unless"), $.word)),
        ":",
        optional($.text),
        choice($._newline, field("body", alias($._text_block, $.block))),
      ),

    _text_block: ($) => seq($._indent, repeat1($._text_statement), $._dedent),

    _text_statement: ($) =>
      seq(
        choice(seq("-", optional($.text)), alias($._text_line, $.text)),
        choice($._newline, alias($._text_block, $.block)),
      ),

    _string: ($) => choice($.string, $.long_string),

    string: (_) => token(choice(/"([^"\\]|\\(.|[\r\n]))*"/, /'([^'\\\r\n]|\\.)*'/)),

    long_string: (_) => token(prec(1, /"""([^"]|"[^"]|""[^"])*"""/)),

    number: (_) => /\d[\d_]*(\.\d+)?[\p{XID_Continue}]*/u,

    word: (_) => /[\p{XID_Start}_][\p{XID_Continue}]*/u,

    comment: (_) => token(choice(/#[^\r\n]*/, /\/\/[^\r\n]*/)),

    // A character without a meaning, which free text of constructs that dz ignores can contain.
    other: (_) => token(prec(-1, /[^\s\p{XID_Start}\p{XID_Continue}]/u)),
  },
});
