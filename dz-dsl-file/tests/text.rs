//! The rules of text: indentation, line ends, comments, strings, numbers, brackets.

use dz_dsl_file::{
    Diagnostics, FileId, SourceMap,
    layout::{Line, layout},
    lexer::{Prose, lex},
    render,
    token::TokenKind,
};
use expect_test::{Expect, expect};

fn prose(word: &str) -> Prose {
    match word {
        "story" => Prose::Under(&["given", "then"]),
        "question" => Prose::Everywhere,
        _ => Prose::Nowhere,
    }
}

/// Checks the tree of lines, and the findings.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let mut out = Diagnostics::default();
    let lines = layout(lex(FileId(0), text, prose, &mut out), &mut out);
    let files = SourceMap::single("t", text);
    let mut shown = String::new();
    show(&lines, 0, &mut shown);
    for found in out.into_sorted() {
        shown.push_str(&render::short(&files, &found));
        shown.push('\n');
    }
    expected.assert_eq(&shown);
}

fn show(lines: &[Line], depth: usize, shown: &mut String) {
    for line in lines {
        let tokens: Vec<String> = line
            .tokens
            .iter()
            .map(|token| match &token.kind {
                TokenKind::Text(text) => format!("{text:?}"),
                TokenKind::Raw(text) => format!("<{text}>"),
                _ => token.describe().trim_matches('`').to_owned(),
            })
            .collect();
        shown.push_str(&format!("{}{}\n", "  ".repeat(depth), tokens.join(" ")));
        show(&line.children, depth + 1, shown);
    }
}

#[test]
fn line_ends_of_every_kind_are_one() {
    for text in ["a:\n  b\n  c\nd\n", "a:\r\n  b\r\n  c\r\nd\r\n", "a:\r  b\r  c\rd", "\u{feff}a:\n  b\n\n  \n  c\nd"] {
        check(
            text,
            expect![[r#"
                a :
                  b
                  c
                d
            "#]],
        );
    }
}

#[test]
fn a_tab_counts_four_columns() {
    check(
        "a:\n\tb:\n\t\tc\n\td\n",
        expect![[r#"
            a :
              b :
                c
              d
        "#]],
    );
}

#[test]
fn tabs_and_spaces_do_not_mix() {
    check(
        "a:\n  b\nc:\n\td\n\te\n",
        expect![[r#"
            a :
              b
            c :
              d
              e
            t:4:1: error[mixed-indentation]: this line is indented with a tab, and lines above with spaces
        "#]],
    );
    check(
        "a:\n\t b\n",
        expect![[r#"
            a :
              b
            t:2:1: error[mixed-indentation]: the indentation of this line has a tab among its spaces
        "#]],
    );
    check(
        "a:\n\tb (1,\n    2)\n    # no line\n\tc\n",
        expect![[r#"
            a :
              b ( 1 , 2 )
              c
        "#]],
    );
}

#[test]
fn less_indentation_needs_an_open_level() {
    check(
        "a:\n    b:\n        c\n      d\n e\nf\n",
        expect![[r#"
            a :
              b :
                c
                d
            e
            f
            t:4:7: error[inconsistent-indentation]: this line is indented by 6 columns, which matches no open block
            t:5:2: error[inconsistent-indentation]: this line is indented by 1 columns, which matches no open block
        "#]],
    );
    check(
        "   a\n   b\nc\n",
        expect![[r#"
            a
            b
            c
            t:3:1: error[inconsistent-indentation]: this line is indented by 0 columns, which matches no open block
        "#]],
    );
}

#[test]
fn comments_and_blank_lines_open_and_close_nothing() {
    check(
        "a: # one\n  b // two\n# three\n      // four\n\n   \t\n  c \"# no // comment\"\n",
        expect![[r##"
            a :
              b
              c "# no // comment"
        "##]],
    );
}

#[test]
fn an_address_needs_quotes() {
    check(
        "home: https://example.com/x y\nbase: \"https://example.com\"\nport: 80 // fine\nkind:// fine too\n",
        expect![[r#"
            home : https :
            base : "https://example.com"
            port : 80
            kind :
            t:1:7: error[unquoted-url]: an address needs quotes, since `//` starts a comment
        "#]],
    );
}

#[test]
fn lines_go_on_in_brackets_and_after_operators() {
    check(
        "a: [1,\n2,\n    3]\nb: x and\n  y or\n    z\nc: 1 +\n  2\nd: (\n)\ne,\nf\n",
        expect![[r#"
            a : [ 1 , 2 , 3 ]
            b : x and y or z
            c : 1 + 2
            d : ( )
            e ,
            f
        "#]],
    );
    check(
        "values: enum[\na,\nb]\nand:\n  or\n",
        expect![[r#"
            values : enum [ a , b ]
            and :
              or
        "#]],
    );
}

#[test]
fn a_missing_bracket_hides_nothing() {
    check(
        "entity T:\n  s: enum[a, b\n  x: int\n  y: (1, (2\nentity U:\n  z: int\n",
        expect![[r#"
            entity T :
              s : enum [ a , b ]
              x : int
              y : ( 1 , ( 2 ) )
            entity U :
              z : int
            t:2:10: error[unexpected-token]: `[` is never closed
            t:4:6: error[unexpected-token]: `(` is never closed
            t:4:10: error[unexpected-token]: `(` is never closed
        "#]],
    );
    check(
        "a: {b: 1,\nc: 2}\n- d: [1\n- e: 2\n",
        expect![[r#"
            a : { b : 1 , c : 2 }
            - d : [ 1 ]
            - e : 2
            t:3:6: error[unexpected-token]: `[` is never closed
        "#]],
    );
    check(
        "a: (1]\nb: ([2)\nc: [3",
        expect![[r#"
            a : ( 1 )
            b : ( [ 2 ] )
            c : [ 3 ]
            t:1:6: error[unexpected-token]: `]` does not close `(`
            t:2:5: error[unexpected-token]: `[` is never closed
            t:3:4: error[unexpected-token]: `[` is never closed
        "#]],
    );
}

#[test]
fn strings_have_two_quotes_and_few_escapes() {
    check(
        r#"a "it's" 'say "x"' "\n\t\r\\\"\'\u{e9}\u{1F600}" "" "#,
        expect![[r#"
            a "it's" "say \"x\"" "\n\t\r\\\"'é😀" ""
        "#]],
    );
    check(
        r#"a "\q" "\u{}" "\u{110000}" "\u{+41}" "\x41""#,
        expect![[r#"
            a "" "{}" "" "{+41}" "41"
            t:1:4: error[bad-escape]: `\q` is not an escape
            t:1:9: error[bad-escape]: `\u` is not an escape
            t:1:16: error[bad-escape]: `\u{110000}` is not an escape
            t:1:29: error[bad-escape]: `\u` is not an escape
            t:1:39: error[bad-escape]: `\x` is not an escape
        "#]],
    );
}

#[test]
fn strings_may_span_lines() {
    check(
        "a: \"one\r\n  two\rthree\"\nb: \"\"\"\n    one \"x\"\n      two\n    \"\"\"\nc: \"\"\"x\"\"\"\n",
        expect![[r#"
            a : "one\n  two\nthree"
            b : "one \"x\"\n  two"
            c : "x"
        "#]],
    );
}

#[test]
fn a_missing_quote_is_reported_at_its_place() {
    check(
        "persona a \"one\npersona b \"two\"\nc: \"three\"\n",
        expect![[r#"
            persona a "one"
            persona b "two"
            c : "three"
            t:1:11: error[unterminated-string]: this string is never closed
        "#]],
    );
    check(
        "a: \"one\n  more of it\"\nb: \"two\n  c: 'x'\nd: 1\n",
        expect![[r#"
            a : "one\n  more of it"
            b : "two"
              c : "x"
            d : 1
            t:3:4: error[unterminated-string]: this string is never closed
        "#]],
    );
    check(
        "a: \"\"\"one\nb: 2\n",
        expect![[r#"
            a : ""
            b : 2
            t:1:4: error[unterminated-string]: this string is never closed
        "#]],
    );
}

#[test]
fn an_apostrophe_in_free_text_is_no_quote() {
    check(
        "question a:\n  the user's name (and\nentity b\nquestion c:\n  it's \"here\"\nd\n",
        expect![[r#"
            question a :
              the user "s name (and"
            entity b
            question c :
              it "s \"here\""
            d
        "#]],
    );
}

#[test]
fn prose_is_kept_as_written() {
    check(
        "story a \"b\": # gone\n  given: # gone too\n    - it's \"here\" (and [there // # all of it\n    -one\n    - \n    two\n    # gone as well\n    - 'a \\'b\\' c':\n      then : x,\n    - \"\"\"no\n  then: # 7\n  then:\t\"it's \\u{e9}\" \n  given : x €:\n  other: [1,\n    2] # gone\nthen: 'x'\n",
        expect![[r#"
            story a "b" :
              given :
                - <it's "here" (and [there // # all of it>
                - <one>
                -
                <two>
                - "a 'b' c" :
                  then : <x,>
                - <"""no>
              then : <# 7>
              then : "it's é"
              given : <x €:>
              other : [ 1 , 2 ]
            then : "x"
        "#]],
    );
    check(
        "story a:\r\n  then:\r\n    - it's\r    - that\nquestion b:\n  then: it's\nstory c:\n  given\n  then\n    : x\n",
        expect![[r#"
            story a :
              then :
                - <it's>
                - <that>
            question b :
              then : it "s"
            story c :
              given
              then
                : x
        "#]],
    );
}

#[test]
fn a_missing_quote_before_prose_hides_none_of_it() {
    check(
        "story a \"b:\n  x: \"1\n  then: it's \"so\n  y: \"2\n    3\"\nz\n",
        expect![[r#"
        story a "b" :
          x : "1"
          then : <it's "so>
          y : "2\n    3"
        z
        t:1:9: error[unterminated-string]: this string is never closed
        t:2:6: error[unterminated-string]: this string is never closed
    "#]],
    );
}

#[test]
fn numbers_in_compound_names_may_run_into_letters() {
    check(
        "ST-1a-2b3 gpt-4o x-12x 3-4o x -4o x- 4o x.4o\n",
        expect![[r#"
        ST - 1a - 2b3 gpt - 4o x - 12x 3 - 4 x - 4 x - 4 x . 4
        t:1:26: error[bad-number]: `4o` is neither a number nor a duration
        t:1:32: error[bad-number]: `4o` is neither a number nor a duration
        t:1:38: error[bad-number]: `4o` is neither a number nor a duration
        t:1:43: error[bad-number]: `4o` is neither a number nor a duration
    "#]],
    );
}

#[test]
fn numbers_and_durations() {
    check(
        "1 1_000 3.5 007 7d 24h 30min 90s 2w 3m 1y 1.x 1..2 -4",
        expect![[r#"
            1 1000 3.5 007 7d 24h 30min 90s 2w 3m 1y 1 . x 1 . . 2 - 4
        "#]],
    );
    check(
        "12x 3.5d 0x1f\n9223372036854775807 9223372036854775808\n1234567890123456789012345678.5 99999999999999999999d\n",
        expect![[r#"
            12 3.5 0
            9223372036854775807 9223372036854775808
            1234567890123456789012345678.5 99999999999999999999
            t:1:1: error[bad-number]: `12x` is neither a number nor a duration
            t:1:5: error[bad-number]: `3.5d` is neither a number nor a duration
            t:1:10: error[bad-number]: `0x1f` is neither a number nor a duration
            t:2:21: error[number-out-of-range]: `9223372036854775808` is beyond what a number can hold
            t:3:1: error[number-out-of-range]: `1234567890123456789012345678.5` is beyond what a number can hold
            t:3:32: error[bad-number]: `99999999999999999999d` is neither a number nor a duration
        "#]],
    );
}

#[test]
fn words_are_those_of_every_script() {
    check(
        "straße _x größe2 名前 ñ",
        expect![[r#"
            straße _x größe2 名前 ñ
        "#]],
    );
}

#[test]
fn stray_characters_are_named() {
    check(
        "a && b “x” \u{0} €€€\n",
        expect![[r#"
            a and b "x"
            t:1:3: error[unexpected-token]: `&&` has no meaning here
            t:1:8: error[unexpected-token]: these quotation marks are not straight
            t:1:12: error[unexpected-token]: `\0` has no meaning here
            t:1:14: error[unexpected-token]: `€€€` has no meaning here
        "#]],
    );
}

#[test]
fn very_deep_blocks_are_refused_once() {
    let stairs: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    let mut out = Diagnostics::default();
    layout(lex(FileId(0), &stairs, |_| Prose::Nowhere, &mut out), &mut out);
    assert_eq!(out.iter().map(|it| it.rule).collect::<Vec<_>>(), ["inconsistent-indentation"]);
}
