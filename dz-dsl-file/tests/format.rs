//! The canonical layout: formatted texts, and the properties of every text.

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use proptest::prelude::*;

#[path = "laws/corpus.rs"]
mod corpus;
mod laws;
mod sweep;

use laws::{formatter, laid_out as formatted};

/// Formats a text, or prints why it is refused; checks the properties of every text.
#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&formatted(text).unwrap_or_else(|refusal| refusal));
    hold(text);
}

/// Checks the properties of every text, and that every comment is kept.
#[track_caller]
fn hold(text: &str) {
    let Ok(once) = formatted(text) else { return };
    assert_eq!(markers(text), markers(&once), "comments of\n{text}\nin\n{once}");
    formatter(text);
}

/// The words that identify a comment, such as `c12!`, in order.
fn markers(text: &str) -> Vec<&str> {
    let marker = |word: &&str| word.starts_with('c') && word[1..].parse::<u32>().is_ok();
    let ends = text.matches('!').count();
    text.split('!').take(ends).filter_map(|piece| piece.rsplit([' ', '#', '/', '\n', '\t']).next()).filter(marker).collect()
}

#[test]
fn indentation_spaces_and_quotes_are_canonical() {
    check(
        "persona  desk 'Front desk' :\n    description : 'it\\'s \"here\"'\n    goals : [ 'a' ,\"b\" ]\nentity Note:\n\tid:uuid   pk\n",
        expect![[r#"
            t:5:1: error[mixed-indentation]: this line is indented with a tab, and lines above with spaces
        "#]],
    );
    check(
        "persona  desk 'Front desk' :\n\tdescription : 'it\\'s here'\n\tgoals : [ 'say \"a\"' ,\"b\" ]\nentity Note:\n\tid:uuid   pk\n\tat: date=today+7d\n\tn: int = - 4\n\tpermit:\n\t\tread:role( desk )and( n>-3 or n*2<= 4 )\n\tindex at desc,n\n",
        expect![[r#"
            persona desk "Front desk":
              description: "it's here"
              goals: ['say "a"', "b"]

            entity Note:
              id: uuid pk
              at: date = today + 7d
              n: int = -4
              permit:
                read: role(desk) and (n > -3 or n * 2 <= 4)
              index at desc, n
        "#]],
    );
}

#[test]
fn names_keep_their_hyphens_and_slashes() {
    check(
        "app a:\n  timezone: Europe/Berlin\n  key: some-thing\n  other: a - b\n  at: 10:30\nmodule x . y\nentity T:\n  id: uuid pk\n  n: int\n  permit:\n    read: n-1>n/2 and -n<3\n",
        expect![[r#"
            app a:
              timezone: Europe/Berlin
              key: some-thing
              other: a - b
              at: 10:30

            module x.y

            entity T:
              id: uuid pk
              n: int
              permit:
                read: n - 1 > n / 2 and -n < 3
        "#]],
    );
}

#[test]
fn comments_stay_where_they_belong() {
    check(
        "# c1!\n\n# c2!\napp x:   # c3!\n    # c4!\n    theme: a// c5!\n    # c6!\n  # c7!\n# c8!\nentity T:\n    id: uuid pk\n    e: enum[ # c9!\n        a,  # c10!\n        # c11!\n        b\n        # c12!\n    ] = a\n    permit:\n        read: e = a or # c13!\n              # c14!\n              e = b\n# c15!",
        expect![[r#"
            # c1!

            # c2!
            app x: # c3!
              # c4!
              theme: a // c5!
              # c6!

            # c7!
            # c8!
            entity T:
              id: uuid pk
              e: enum[ # c9!
                a, # c10!
                # c11!
                b
                # c12!
              ] = a
              permit:
                read: e = a or # c13!
                    # c14!
                    e = b
            # c15!
        "#]],
    );
    check(
        "# c1!\n",
        expect![[r##"
        # c1!
    "##]],
    );
    check("\n \n", expect![""]);
}

#[test]
fn blank_lines_part_constructs_and_keep_groups() {
    check(
        "\n\nmodule a\nuse b\n\nuse c\napp x\npersona a\npersona b\n\n\n\npersona c:\n\n  description: \"x\"\n\n\n  goals: d\npersona e\n# c1!\nenum E:\n  a\n\n  # c2!\n\n  b\n\n",
        expect![[r#"
            module a
            use b

            use c

            app x

            persona a
            persona b

            persona c:
              description: "x"

              goals: d

            persona e

            # c1!
            enum E:
              a

              # c2!

              b
        "#]],
    );
}

#[test]
fn aligned_columns_stay_aligned() {
    check(
        "entity Thing:                    # c1!\n    id:       uuid pk            # c2!\n    name :    str(80)  required  # c3!\n    # c4!\n    about:    text               # c5!\n\n    other:  text\n    at: date\n",
        expect![[r#"
            entity Thing:             # c1!
              id:    uuid pk          # c2!
              name:  str(80) required # c3!
              # c4!
              about: text             # c5!

              other: text
              at: date
        "#]],
    );
    check(
        "surface s:\n  section m:\n    field a         \"A\"\n    field longer.b  \"B\"  read_only\n    field c         \"C\"  help:'x'\n",
        expect![[r#"
            surface s:
              section m:
                field a        "A"
                field longer.b "B" read_only
                field c        "C" help: "x"
        "#]],
    );
}

#[test]
fn lines_are_under_the_word_behind_a_dash() {
    check(
        "process p:\n  steps:\n    - step one:\n         timeout: 5h\n         # c1!\n      # c2!\n    - step two:\n         wait: 1h\ndemo:\n    Note:\n      - @a x: 1,\n           y: 2\n      - @b x: 1\n          y: 2\n",
        expect![[r#"
            process p:
              steps:
                - step one:
                    timeout: 5h
                    # c1!
                # c2!
                - step two:
                    wait: 1h

            demo:
              Note:
                - @a x: 1,
                    y: 2
                - @b x: 1
                  y: 2
        "#]],
    );
}

#[test]
fn long_lists_have_one_item_a_line() {
    check(
        "entity T:\n  state: enum[an_open_question, waiting_for_an_answer, answered_and_closed, answered_and_reopened, put_aside_for_later] = put_aside_for_later required # c1!\n  small: enum[a, b,\n    c]\n  id: uuid pk\n",
        expect![[r#"
            entity T:
              state: enum[
                an_open_question,
                waiting_for_an_answer,
                answered_and_closed,
                answered_and_reopened,
                put_aside_for_later
              ] = put_aside_for_later required # c1!
              small: enum[a, b,
                c]
              id: uuid pk
        "#]],
    );
}

#[test]
fn other_spellings_of_expressions_become_the_first() {
    check(
        "persona p:\n  goals:\n    - 'a'\n    - b\nentity T:\n  id: uuid pk\n  n: int\n  e: enum[AND, None, OR] = OR\n  permit:\n    read: n == 3 AND NOT (n IS NOT NULL) OR n = None or n NOT IN [1] and e = OR\n    list: any(NOT WHERE AND)\n    update: any(a WHERE NOT b)\n    create: e != AND\n",
        expect![[r#"
            persona p:
              goals: ["a", b]

            entity T:
              id: uuid pk
              n: int
              e: enum[AND, None, OR] = OR
              permit:
                read: n = 3 and not (n is not null) or n = null or n not in [1] and e = OR
                list: any(NOT WHERE AND)
                update: any(a where not b)
                create: e != AND
        "#]],
    );
}

#[test]
fn other_keys_become_the_first() {
    let text = formatted(
        "surface s:\n  ux:\n    as p:\n      scope: all\nentity as:\n  as: date\nworkspace w:\n  engine_hint: x\n  engine_hint:\n    source: T\nprocess p:\n  timeout: 5m\n  steps:\n    wait: 1m\n    other: 3m\n",
    );
    expect![[r#"
            surface s:
              ux:
                for p:
                  scope: all

            entity as:
              as: date

            workspace w:
              stage: x
              engine_hint:
                source: T

            process p:
              timeout: 5 minutes
              steps:
                wait: 1 minute
                other: 3m
        "#]]
    .assert_eq(&text.expect("no refusal"));
}

#[test]
fn strings_keep_what_they_say() {
    check(
        "app x:\n    a: 'one\n      two'\n    b: \"\"\"\n          one \"x\"\n\n            two\n       \"\"\"\n    c: \"\"\"x\n  y\"\"\"\n    d: '\\\\' # c1!\n",
        expect![[r#"
            app x:
              a: "one
                  two"
              b: """
                one "x"

                  two
                """
              c: """x
              y"""
              d: "\\" # c1!
        "#]],
    );
}

#[test]
fn free_text_is_only_indented() {
    check(
        "question  q:\n    who's  there ( # c1!\n        and  'why\n\n\n      # c2!\n    a: \"\"\"\n  left   \n\n\n    alone\"\"\"  \n# c3!\nentity T:\n  id: uuid pk\n",
        expect![[r#"
            question  q:
              who's  there ( # c1!
                and  'why

              # c2!
              a: """
              left   


                alone"""

            # c3!
            entity T:
              id: uuid pk
        "#]],
    );
}

#[test]
fn free_text_in_quotes_that_are_never_closed_is_kept() {
    check(
        "question q:\n a: \"\"\" b\n   lost 'words\n\n  # c1!\n # c2!\n b\n# c3!\napp x\n",
        expect![[r#"
            question q:
              a: """ b
                  lost 'words

                  # c1!
              # c2!
              b

            # c3!
            app x
        "#]],
    );
    check(
        "question q:\n a: \"\"\"\n   the end\n# c3!\napp x\n",
        expect![[r#"
            question q:
              a: """
                  the end

            # c3!
            app x
        "#]],
    );
}

#[test]
fn line_ends_stay_when_they_are_of_one_kind() {
    assert_eq!(formatted("app x:\r\n    a: 'x\r\n  y' # c\r\n").as_deref(), Ok("app x:\r\n  a: \"x\r\n  y\" # c\r\n"));
    assert_eq!(formatted("app x:\r\n  a: b\n").as_deref(), Ok("app x:\n  a: b\n"));
    assert_eq!(formatted("app x:\r  a: b\r").as_deref(), Ok("app x:\n  a: b\n"));
}

#[test]
fn uncertain_texts_are_refused() {
    check(
        "app x \"y\n",
        expect![[r#"
        t:1:7: error[unterminated-string]: this string is never closed
    "#]],
    );
    check(
        "question q:\n  €\n€\n  (\nentity T:\n  a: [1\n  b: 2\n c\n",
        expect![[r#"
            t:2:3: error[unexpected-token]: `€` has no meaning here
            t:3:1: error[unexpected-token]: `€` has no meaning here
            t:4:3: error[unexpected-token]: `(` is never closed
            t:6:6: error[unexpected-token]: `[` is never closed
            t:8:2: error[inconsistent-indentation]: this line is indented by 1 columns, which matches no open block
        "#]],
    );
}

/// Texts that contain everything.
fn corpus() -> Vec<String> {
    let mut texts = corpus::corpus();
    texts.push(EVERYTHING.to_owned());
    texts
}

const EVERYTHING: &str = r#"# c1!
module shop
use shop
app shop "Shop": # c2!
  description: 'Sells things'
  timezone: Europe/Berlin

persona clerk "Clerk":
  description: "Sells"
  goals:
    - "speed"
    - "few clicks"
  # c3!
persona boss
enum Level ordered:
  low    "Low"   # c4!
  middle "Middle" # c5!
  high
archetype Stamped:
  created_at: datetime auto_add
entity Customer "Customer":
  extends: Stamped
  intent: """
    who buys
      and why
    """
  id:    uuid pk
  name:  str(80) required searchable
  level: Level = low
  state: enum[open, "in progress", done, cancelled, returned, disputed, waiting, forgotten, remembered, sent] = open required
  orders: has_many Order via buyer
  permit:
    list: role(clerk, boss) and
      (level == low OR level = None)   # c6!
    read: role(clerk) AND NOT (name="x" or not name in [
      "a", # c7!
      'b',
      # c8!
      "c"
    ])
    create: if level = low: role(boss) else: true
  index name desc
entity Order:
  id: int pk
  buyer: belongs_to Customer required
  total: decimal(8, 2) = -0.5
  due: date = today+7 days
  permit:
    read: total*2-1 > -3 and days_since( due )<4

surface order_list "Orders":
  uses entity Order
  mode: list
  section main "All":
    field buyer.name   "Buyer"  help: "h"
    field due          "Due"
    // c9!
  ux:
    sort: due desc,total
    attention warning:
      when: due<today
    for boss:
      scope: all
workspace home "Home":
  purpose: "x"
  region:
    filter: total == 3 AND due = None
    aggregate:
      n: count( Order where total>3 )
process p:
  trigger: entity Order status (a)? -> b
  steps:
    - step one:
        timeout: 5h
demo:
  Customer:
    - @ann name: "Ann", level: high
    - {name: 'Ben'}
  Order:
    - id: 1, buyer: @ann, due: today-4d # c10!
question q:
  who's there ( [
      and "why
  # c11!
# c12!
"#;

/// Other layouts of a text.
const VARIANTS: &[fn(&str) -> String] = &[
    |text| text.replace("  ", "\t"),
    |text| text.replace("  ", "     "),
    |text| text.replace('\n', "\r\n"),
    |text| text.replace('\n', "\n\n\n"),
    |text| text.replace(' ', "  "),
    |text| text.replace(' ', "  ").replace('\n', " # c77!\n"),
];

#[test]
fn the_laws_hold_for_the_corpus() {
    for variant in VARIANTS {
        hold(&variant(EVERYTHING));
    }
    let corpus = corpus();
    for (text, variant) in sweep::sample(corpus.iter().zip(VARIANTS.iter().cycle()), 4) {
        hold(text);
        hold(&variant(text));
    }
}

#[test]
fn the_example_is_laid_out() {
    let text = include_str!("../../examples/tasks/app.dsl");
    assert_eq!(formatted(text).as_deref(), Ok(text));
}

const PIECES: &[&str] = &[
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n\n",
    "\n  ",
    "\n      ",
    " # c50!\n",
    "\n# c51!\n",
    "\n    // c52!\n",
    ",",
    ", ",
    "-",
    "->",
    " AND ",
    " == ",
    "'x'",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ":",
    ": ",
    "\"\"\"",
    "'",
    "\"",
    "None",
    " not ",
    ".",
    "..",
    " - ",
    "/",
    "*",
    "7d",
    "1",
    "2w",
    "@",
    "?",
    "=",
    "<",
    "story s:\n",
    "question q:\n",
    "demo:\n",
    " or\n",
    "[\n",
    "\n]",
    ",\n",
    "\r\n",
    "goals:\n  - a\n",
    "#",
    "é",
    "€",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sweep::cases(200, 4)))]

    #[test]
    fn the_laws_hold_for_mutations(
        text in prop_oneof![proptest::sample::select(corpus()), Just(EVERYTHING.to_owned())],
        edits in proptest::collection::vec((any::<proptest::sample::Index>(), 0..12usize, proptest::sample::select(PIECES)), 1..6),
    ) {
        let mut text = if text.len() > 4_000 { text[..4_000].to_owned() } else { text };
        for (at, length, piece) in edits {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            if places.is_empty() {
                break;
            }
            let at = at.index(places.len());
            // Most edits only insert something, so that most texts can still be formatted.
            let end = places.get(at + length.saturating_sub(6)).copied().unwrap_or(text.len());
            text.replace_range(places[at]..end, piece);
        }
        hold(&text);
    }

    #[test]
    fn the_laws_hold_for_any_text(text in ".{0,120}") {
        hold(&text);
    }

    #[test]
    fn the_laws_hold_for_any_words(words in proptest::collection::vec(proptest::sample::select(PIECES), 0..40)) {
        hold(&words.concat());
        hold(&words.join(" a"));
        hold(&format!("entity T:\n  id: {}\n", words.join(" b ")));
    }
}

/// Texts whose formatting would take minutes if a step read the rest of the text each time.
#[test]
fn no_text_takes_long() {
    let size = if sweep::is_quick() { 5_000 } else { 40_000 };
    let texts = [
        format!("a: {}{}\n", "[b, ".repeat(size), "]".repeat(size)),
        format!("a: {}\n", "[\n".repeat(size) + &"]".repeat(size)),
        format!("a: {}\n", "[b, c] ".repeat(size)),
        format!("a: [{}]\n", "b, ".repeat(size)),
        format!("a: {}\n", "x  ".repeat(size)),
        "a:  b  c # d\n".repeat(size),
        "a: b and # d\n  c\n".repeat(size / 2),
        "# c\n".repeat(size),
        "\n".repeat(size),
        format!("question q:\n{}", " who's (\n".repeat(size)),
        format!("question q:\n{}", " a: \"\"\"\n\n\"\"\" b: \"\"\"\n\"\"\"\n".repeat(size / 4)),
        format!("a: {}\n", "'\n' ".repeat(size)),
        format!("entity T:\n  id: int pk\n  permit:\n    read: {}\n", "a or ".repeat(400)),
        "entity T:\n  id: int pk\n  permit:\n    read: a==b AND c\n".repeat(size / 20),
    ];
    for text in texts {
        let start = Instant::now();
        let length = formatted(&text).map_or(0, |once| once.len());
        let shown = text.chars().take(20).collect::<String>();
        assert!(start.elapsed() < Duration::from_secs(60), "{shown:?} takes {:?}", start.elapsed());
        assert!(length < 200 * text.len() + 1_000, "{shown:?} becomes {length} bytes");
    }
}
