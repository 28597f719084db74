//! The page of expressions: grammar, types, operators, null, names, positions, functions.

mod positions;

use super::{
    frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};
use dz_dsl_file::vocabulary;

pub(super) fn page() -> Page {
    let mut pieces = vec![text(GRAMMAR), text(TYPES), text("## Operators")];
    pieces.push(further("Operator", frames::COMPUTED, OPERATORS));
    pieces.push(text("### Comparisons\n\n`==` is another spelling of `=`. Comparisons are not chained."));
    pieces.push(words("comparison", "Comparison", frames::COMPUTED, COMPARISONS));
    pieces.push(wrong("chained-comparison", "entity Bike:\n  id: uuid pk\n  gears: int\n  permit:\n    read: 1 < gears < 30\n"));
    pieces.push(text(NULL));
    pieces.push(sound(frames::CONDITION, "promised < today or promised = null"));
    pieces.push(text(NAMES));
    pieces.push(further("Word", frames::CONDITION, SPECIAL));
    pieces.push(text(BARE_WORDS));
    pieces.push(wrong(
        "ambiguous-word",
        "entity Bike:\n  id: uuid pk\n  state: enum[open, sold]\n  open: bool\n  permit:\n    read: state = open\n",
    ));
    pieces.push(text(positions::markdown()));
    pieces.push(wrong(
        "not-allowed-here",
        "entity Bike:\n  id: uuid pk\n  bought: date\n  permit:\n    read: authenticated\n  invariant: bought <= today\n    message: \"Not bought yet\"\n",
    ));
    pieces.push(text(format!("{FUNCTIONS}\n\n{}", signatures())));
    pieces.push(words("function", "Function", frames::COMPUTED, EVERY_FUNCTION));
    pieces.push(text(AGGREGATES));
    pieces.push(words("aggregate", "Aggregate", frames::COMPUTED, EVERY_AGGREGATE));
    pieces.push(text("In a metric of a workspace the same words take an entity."));
    pieces.push(further("Aggregate", frames::METRIC, METRICS));
    Page {
        file: "expressions.md",
        title: "Expressions",
        summary: "Conditions, defaults, computed fields: grammar, types, operators, null, functions, and what each position allows.",
        constructs: &[],
        pieces,
    }
}

const GRAMMAR: &str = "All positions have the same grammar: access rules, guards, invariants, computed fields, defaults, filters, metrics.

```text
expr  = if | or
if    = \"if\" or \":\" or { \"elif\" or \":\" or } \"else\" \":\" or
or    = and { \"or\" and }
and   = not { \"and\" not }
not   = \"not\" not | cmp
cmp   = sum [ ( \"=\" | \"!=\" | \"<\" | \"<=\" | \">\" | \">=\" ) sum | [ \"not\" ] \"in\" sum | \"is\" [ \"not\" ] \"null\" ]
sum   = prod { ( \"+\" | \"-\" ) prod }
prod  = sign { ( \"*\" | \"/\" | \"%\" ) sign }
sign  = \"-\" sign | atom
atom  = \"(\" expr \")\" | \"[\" [ expr { \",\" expr } ] \"]\" | number | duration | text | \"{}\" | call | path
call  = name \"(\" [ arg { \",\" arg } ] \")\"
arg   = expr [ \"where\" expr ]
path  = name { \".\" name }
```

`AND`, `OR`, `NOT`, `IN`, `IS`, `NULL` and `WHERE` can be in capitals, and `None` is `null`.";

const TYPES: &str = "## Types

The types are bool, int, float, decimal, money, text (`str`, `text`, `email`, `url`, `slug`, `timezone`), date, datetime, duration, uuid, \
each enum, a ref to each entity, json, lists, and null. An int converts to a decimal or a float. A decimal and a float cannot be combined: `round` converts a float to a decimal. A text is a date, a datetime or a uuid if the other side has that type: `promised = \"2026-01-31\"`.

A computed field can have any of these types except duration, list and null, which no column can store.";

const OPERATORS: &[Entry] = &[
    entry("and", "Both conditions are true.", "express and fee > 0"),
    entry("or", "At least one is true.", "express or fee > 100"),
    entry("not", "The condition is false.", "not express"),
    entry("in", "The value is in a list. `not in` is the opposite.", "status in [booked, working]"),
    entry("is", "`is null` and `is not null` test for a value.", "mechanic is not null"),
    entry("+", "Adds numbers or amounts of one currency, adds a duration to a date or a datetime, joins texts.", "promised + 7d"),
    entry("-", "Subtracts. Two dates give days, two datetimes a duration. Before a value it changes the sign.", "promised - today"),
    entry("*", "Multiplies numbers, or an amount of money by a number.", "hours * 45.50"),
    entry("/", "Divides. The result of ints and decimals is a decimal; division by zero gives null.", "fee / hours"),
    entry("%", "The remainder of a division of whole numbers.", "hours % 8"),
    entry("if", "Chooses by conditions. The branches have one type.", "if express: 30 elif hours > 4: 20 else: 10"),
    entry_in(frames::CONDITION, "(", "Groups. A bool alone is a condition.", "(express or fee > 100) and status = ready"),
];

const COMPARISONS: &[Entry] = &[
    entry("=", "Equal. Both sides have one type; null equals null.", "status = ready"),
    entry("==", "The same as `=`.", "status == ready"),
    entry("!=", "Not equal. A null is different from every value.", "status != ready"),
    entry(
        "<",
        "Less: numbers, dates, datetimes, texts by code point, amounts of one currency, values of an `ordered` enum.",
        "promised < today",
    ),
    entry("<=", "Less or equal.", "fee <= 100"),
    entry(">", "Greater.", "hours > 8"),
    entry(">=", "Greater or equal.", "hours >= 8"),
];

const NULL: &str = "## Null

A condition is true or false, never null. The one exception is a comparison with a null field of the caller in an access rule, a guard or a scope (below). `=` and `!=` treat null as a value: `status != ready` is true for a row without a status. `<`, `<=`, `>`, `>=` and `in` are false if a side is null. Arithmetic and functions return null if an argument is null; division by zero and a result out of range are null too. `coalesce` replaces null.

In access rules, guards and scopes, a comparison with a null field of the caller is unknown, and an unknown condition denies access.";

const NAMES: &str = "## Names

A bare name is a field of the row. A dot follows a `ref` or `belongs_to`: `bike.owner.name`. A `has_many` is only allowed inside an aggregate. The words below have the same meaning in every position that allows them.";

const SPECIAL: &[Entry] = &[
    entry("true", "Always true. In a rule it means every signed-in account; write `authenticated`.", "true"),
    entry("false", "Never.", "express = false"),
    entry("null", "No value.", "mechanic = null"),
    entry("None", "The same as `null`.", "mechanic = None"),
    entry("today", "The current date, in the time zone of the application.", "promised >= today"),
    entry("now", "The current time.", "started_at < now - 2h"),
    entry(
        "current_user",
        "The account of the caller, as a reference; with a dot, one of its fields, as it was when the request began.",
        "mechanic = current_user",
    ),
    entry_in(
        frames::CONDITION,
        "roles",
        "After `current_user`: the roles of the caller, as a list of texts.",
        "\"mechanic\" in current_user.roles",
    ),
    entry_in(
        TENANT,
        "tenant",
        "After `current_user`: the active tenant of the caller, in applications with tenants.",
        "read: city != null and current_user.tenant != null",
    ),
    entry("authenticated", "In access rules: a caller who is signed in.", "authenticated"),
    entry("anonymous", "In access rules: every caller, signed in or not. Rows of a tenant remain invisible outside it.", "anonymous"),
    entry_in(
        frames::NESTED_FILTER,
        "this",
        "In a nested section: the row of the page. Inside an aggregate: the outer row.",
        "repair = this and price > this.fee",
    ),
];

const TENANT: &str = "entity Branch:\n  id: uuid pk\n  city: str(40)\n  archetype: tenant\n  permit:\n    …\n";

const BARE_WORDS: &str = "In a comparison with an enum, a bare word is one of its values: `status = ready`. A value in quotes is the same. If a field has the name of a value, the word is the value, and a warning reports it.";

const FUNCTIONS: &str = "## Functions

A function with a null argument returns null, except `coalesce`.";

fn signatures() -> String {
    let mut written = "| Call | Result |\n|---|---|\n".to_owned();
    for (_, called, gives) in vocabulary::functions() {
        written.push_str(&format!("| `{called}` | {gives} |\n"));
    }
    written
}

const EVERY_FUNCTION: &[Entry] = &[
    entry("days_since", "Whole days from that date to today; negative for a future date.", "days_since(promised)"),
    entry("days_until", "Whole days from today to that date.", "days_until(promised)"),
    entry("hours_since", "Whole hours since that time, rounded down.", "hours_since(started_at)"),
    entry("minutes_since", "Whole minutes since that time, rounded down.", "minutes_since(started_at)"),
    entry("abs", "The number without its sign.", "abs(hours - 8)"),
    entry("round", "Rounded to this number of digits after the point, default 0; half away from zero.", "round(fee / hours, 2)"),
    entry("floor", "Rounded down to a whole number.", "floor(fee)"),
    entry("ceil", "Rounded up to a whole number.", "ceil(fee)"),
    entry("min", "The smallest of several values.", "min(fee, 100)"),
    entry("max", "The largest of several values.", "max(hours, 1)"),
    entry("coalesce", "The first value that is not null.", "coalesce(notes, \"none\")"),
    entry("nullif", "Null if both are equal, else the first.", "fee / nullif(hours, 0)"),
    entry("length", "The number of characters.", "length(title)"),
    entry("lower", "In lower case, of any script.", "lower(title)"),
    entry("upper", "In upper case, of any script.", "upper(title)"),
    entry("trim", "Without white space at both ends.", "trim(title)"),
    entry("concat", "The joined texts.", "concat(bike.label, \": \", title)"),
    entry("contains", "True if the first text contains the second; case counts.", "contains(notes, \"urgent\")"),
    entry("starts_with", "True if the first text begins with the second.", "starts_with(title, \"R-\")"),
    entry("year", "The year of a date or datetime.", "year(promised)"),
    entry("month", "The month, 1 to 12.", "month(promised)"),
    entry("day", "The day of the month.", "day(promised)"),
    entry("weekday", "The day of the week; 1 is Monday.", "weekday(promised)"),
    entry("date", "The date of a datetime, in the time zone of the application.", "date(started_at)"),
    entry_in(
        frames::CONDITION,
        "role",
        "True if the caller has one of the roles. The names are those of personas, and `admin` and `tenant_admin`.",
        "role(mechanic, counter)",
    ),
];

const AGGREGATES: &str = "## Aggregates

An aggregate computes a value from the rows of a `has_many` or `has_one` of this row. Inside it, bare names are fields of those rows, and `this.x` is a field of the outer row. `where` selects rows.";

const EVERY_AGGREGATE: &[Entry] = &[
    entry("count", "The number of rows.", "count(parts where price > 10)"),
    entry("any", "True if there is one.", "any(parts where count > 5)"),
    entry("all", "True if every row meets the condition; also true without rows.", "all(parts where price <= this.fee)"),
    entry("sum", "The sum of the field.", "sum(parts.price)"),
    entry("avg", "The mean of the field.", "avg(parts.price where count > 1)"),
    entry("min", "The smallest value of the field.", "min(parts.price)"),
    entry("max", "The largest value of the field.", "max(parts.price)"),
];

const METRICS: &[Entry] = &[
    entry("count", "The number of rows that the caller can list.", "count(Repair where status = booked)"),
    entry("sum", "The sum of a field.", "sum(Part.price where repair.status != collected)"),
    entry("avg", "The mean of a field.", "round(avg(Repair.fee), 2)"),
    entry("min", "The smallest value of a field.", "min(Repair.promised)"),
    entry("max", "The largest value of a field.", "max(Repair.fee) - min(Repair.fee)"),
    entry(
        "any",
        "Whether there is one; a metric is a number or text, so it is written in an `if`.",
        "if any(Repair where express): 1 else: 0",
    ),
    entry("all", "Whether every row meets the condition.", "if all(Repair where fee > 0): 1 else: 0"),
];
