//! The parts of an online migration as scripts.

use dz_vocabulary::migration::PREVIOUS_SCHEMA;

use super::{CONTRACT, ENGINE, Phase, Plan, Statement};
use crate::emit::schema::{
    Schema, Table,
    diff::{Changes, Script},
    tenant,
};

/// A part of an online migration: a migration of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The end of its name.
    pub name: String,
    /// True if it can only be applied when no instance of the previous version runs.
    pub contraction: bool,
    /// From the state before the part to the state after it.
    pub up: Script,
    /// From the state after the part to the state before it.
    pub down: Script,
}

/// The scripts of the plan.
pub(super) fn write(plan: &mut Plan, changes: &Changes<'_>, old: &Schema, new: &Schema) -> Vec<Part> {
    let mut take = |phase: Phase| plan.statements.remove(&phase).unwrap_or_default();
    let first = [take(Phase::Expand), take(Phase::Backfill), take(Phase::Index), take(Phase::Rules), together(&mut take, Phase::Validate)];
    let mut quick = take(Phase::Contract);
    quick.extend(take(Phase::ContractDrop));
    let second = [quick, Vec::new(), take(Phase::ContractIndex), take(Phase::ContractRules), together(&mut take, Phase::ContractValidate)];
    let records = Records::new(old, new);
    let contracts = second.iter().any(|statements| !statements.is_empty());
    let mut groups = half(first, false, records.expansion());
    if contracts {
        groups.extend(half(second, true, records.contraction()));
    }
    let fenced = |table: &Table| table.extras.iter().any(tenant::is_policy);
    let everywhere = changes.shared.iter().any(|shared| fenced(shared.old) || fenced(shared.new));
    let head = &plan.head;
    let mut parts: Vec<Part> = groups.into_iter().enumerate().map(|(at, group)| group.into_part(at + 1, everywhere)).collect();
    if let Some(part) = parts.first_mut() {
        part.up.sql.insert_str(0, head);
    }
    parts
}

/// The validations, and then what needs them: a lock on the whole table is only taken at the end.
fn together(take: &mut dyn FnMut(Phase) -> Vec<Statement>, validate: Phase) -> Vec<Statement> {
    let complete = if validate == Phase::Validate { Phase::Complete } else { Phase::ContractComplete };
    let mut all = take(validate);
    all.extend(take(complete));
    all
}

/// The statements of one script.
struct Group {
    name: &'static str,
    contraction: bool,
    in_transaction: bool,
    statements: Vec<Statement>,
}

/// The scripts of one half, of which the first and the last contain `records`.
fn half([quick, backfill, index, rules, validate]: [Vec<Statement>; 5], contraction: bool, records: [Statement; 2]) -> Vec<Group> {
    let [first, last] = records;
    let group = |name, in_transaction, statements| Group { name, contraction, in_transaction, statements };
    let mut groups = vec![group(if contraction { "contract" } else { "expand" }, true, vec![first])];
    groups[0].statements.extend(quick);
    groups.extend(backfill.into_iter().map(|statement| group("backfill", false, vec![statement])));
    groups.extend(index.into_iter().map(|statement| group("index", false, vec![statement])));
    for (name, statements) in [("rules", rules), ("validate", validate)] {
        if statements.is_empty() {
            continue;
        }
        match groups.last_mut() {
            // New rules are part of the first script, unless they need its values or its indexes.
            Some(only) if name == "rules" && only.in_transaction => only.statements.extend(statements),
            _ => groups.push(group(name, true, statements)),
        }
    }
    match groups.last_mut() {
        Some(end) if end.in_transaction => end.statements.push(last),
        _ => groups.push(group("end", true, vec![last])),
    }
    groups
}

impl Group {
    fn into_part(self, number: usize, everywhere: bool) -> Part {
        let join =
            |texts: Vec<&str>| texts.into_iter().filter(|text| !text.is_empty()).map(|text| format!("{text};\n")).collect::<String>();
        let script = |body: String| {
            let body = if body.is_empty() { "SELECT 1;\n".to_owned() } else { body };
            let before = if everywhere && self.in_transaction { tenant::EVERYWHERE } else { "" };
            Script { sql: format!("{before}{body}"), in_transaction: self.in_transaction }
        };
        let mut up = script(join(self.statements.iter().map(|it| it.up.as_str()).collect()));
        let down = script(join(self.statements.iter().rev().map(|it| it.down.as_str()).collect()));
        if self.contraction {
            up.sql.insert_str(0, &format!("{CONTRACT}\n"));
        }
        Part { name: format!("{number}_{}", self.name), contraction: self.contraction, up, down }
    }
}

/// What the scripts record in the database: the schema of the new version, and the previous one with which instances can still start.
struct Records {
    /// The fingerprints; `None` without the table of dz.
    of: Option<(String, String)>,
}

impl Records {
    fn new(old: &Schema, new: &Schema) -> Records {
        let both = old.table("dz_meta").is_some() && new.table("dz_meta").is_some();
        let created = old.table("dz_meta").is_none() && new.table("dz_meta").is_some();
        let of = both.then(|| (old.fingerprint(ENGINE), new.fingerprint(ENGINE)));
        Records { of: of.or_else(|| created.then(|| (String::new(), new.fingerprint(ENGINE)))) }
    }

    /// The records of the first and of the last script of the expansion.
    fn expansion(&self) -> [Statement; 2] {
        let Some((old, new)) = &self.of else { return [nothing(), nothing()] };
        let last = if old.is_empty() {
            // The last script drops the table when it is reverted.
            Statement { up: set("schema", new), down: String::new() }
        } else {
            Statement {
                up: format!("{};\n{}", set("schema", new), set(PREVIOUS_SCHEMA, &format!("{new} {old}"))),
                down: format!("DELETE FROM dz_meta WHERE key = '{PREVIOUS_SCHEMA}';\n{}", set("schema", old)),
            }
        };
        [nothing(), last]
    }

    /// The records of the first and of the last script of the contraction.
    fn contraction(&self) -> [Statement; 2] {
        let Some((old, new)) = &self.of else { return [nothing(), nothing()] };
        let first = Statement {
            up: format!("DELETE FROM dz_meta WHERE key = '{PREVIOUS_SCHEMA}'"),
            down: set(PREVIOUS_SCHEMA, &format!("{new} {old}")),
        };
        [first, Statement { up: set("schema", new), down: String::new() }]
    }
}

fn nothing() -> Statement {
    Statement { up: String::new(), down: String::new() }
}

fn set(key: &str, value: &str) -> String {
    format!("INSERT INTO dz_meta (key, value) VALUES ('{key}', '{value}') ON CONFLICT (key) DO UPDATE SET value = excluded.value")
}
