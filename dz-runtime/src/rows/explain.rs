//! The explanation of a decision of the access rules: the part of a rule that decided.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use serde_json::Value as Json;

use super::{ROW, row_as_table};
use crate::{
    Result, Tx, Value,
    access::{Action as _, List, Read, decide_by_role},
    caller::TenantScope,
    db::{
        BindKind, Statement,
        emit::{Emit, Scope},
    },
    def::{ActionRule, AppDef, EntityDef, Expr},
};

/// The decision of a rule for one caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// True if the action is allowed; `None` if this depends on the row and none is given.
    pub allowed: Option<bool>,
    /// The line of the declaration that decided.
    pub rule: String,
    /// The reason, in one sentence.
    pub why: String,
}

/// A line of a rule, and its result.
struct Line<'e> {
    text: String,
    expr: &'e Expr,
    holds: Option<bool>,
}

/// The declared lines of an action.
#[derive(Default, Clone)]
struct Texts {
    permit: Vec<String>,
    forbid: Vec<String>,
    scope: Vec<String>,
}

type Declared = HashMap<(String, String), Texts>;

/// The lines of all rules, parsed once for each application.
fn declared_rules(app: &'static AppDef) -> &'static Declared {
    static CACHE: RwLock<Vec<(usize, &'static Declared)>> = RwLock::new(Vec::new());
    // A description lives as long as the program, so its address identifies it.
    let address = std::ptr::from_ref(app) as usize;
    let known = CACHE.read().unwrap_or_else(PoisonError::into_inner).iter().find(|(of, _)| *of == address).map(|(_, known)| *known);
    known.unwrap_or_else(|| {
        let read: &'static Declared = Box::leak(Box::new(parse_rules(app.access)));
        CACHE.write().unwrap_or_else(PoisonError::into_inner).push((address, read));
        read
    })
}

fn parse_rules(json: &str) -> Declared {
    let whole: Json = serde_json::from_str(json).unwrap_or_default();
    let texts = |rule: &Json, name: &str| -> Vec<String> {
        let all = rule[name].as_array().into_iter().flatten();
        all.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let rules = whole["rules"].as_array().into_iter().flatten().filter_map(|rule| {
        let name = (rule["entity"].as_str()?.to_owned(), rule["action"].as_str()?.to_owned());
        Some((name, Texts { permit: texts(rule, "permit"), forbid: texts(rule, "forbid"), scope: texts(rule, "scope") }))
    });
    rules.collect()
}

/// The lines of an expression: one for each text, or one for the whole expression.
fn lines<'e>(expr: Option<&'e Expr>, texts: &[String]) -> Vec<Line<'e>> {
    let parts: Vec<&Expr> = match expr {
        None => Vec::new(),
        Some(Expr::Or(parts)) if parts.len() == texts.len() && texts.len() > 1 => parts.iter().collect(),
        Some(whole) => vec![whole],
    };
    let text = |at: usize| if parts.len() == texts.len() { texts[at].clone() } else { texts.join(" or ") };
    parts.iter().enumerate().map(|(at, expr)| Line { text: text(at), expr, holds: None }).collect()
}

/// Evaluates the rules of an action for the caller of `tx`: for a row, given by its values, or without a row. A list shows only rows
/// that the rule for `read` permits too, if there is one.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn verdict(tx: &mut Tx<'_>, entity: &'static EntityDef, action: &str, row: Option<&[Value]>) -> Result<Verdict> {
    let listed = verdict_of_rule(tx, entity, action, row)?;
    if action != List::NAME || listed.allowed == Some(false) || entity.rule(Read::NAME).is_none() {
        return Ok(listed);
    }
    let read = verdict_of_rule(tx, entity, Read::NAME, row)?;
    Ok(match (listed.allowed, read.allowed) {
        (_, Some(true)) => listed,
        (_, Some(false)) => Verdict { why: format!("a list shows only readable rows, and {}", read.why), ..read },
        (_, None) => {
            Verdict { allowed: None, why: format!("{}; a list shows only readable rows, and reading {}", listed.why, read.why), ..listed }
        }
    })
}

fn verdict_of_rule(tx: &mut Tx<'_>, entity: &'static EntityDef, action: &str, row: Option<&[Value]>) -> Result<Verdict> {
    let what = format!("{action} {}", entity.title_plural.to_lowercase());
    if tx.caller.system {
        return Ok(Verdict { allowed: Some(true), rule: "system".to_owned(), why: format!("the system may {what}") });
    }
    if tx.caller.tenant_scope_of(entity) == TenantScope::None && tx.caller.account.is_some() {
        let why = format!("{} belong to tenants, and the account has no current tenant", entity.title_plural.to_lowercase());
        return Ok(Verdict { allowed: Some(false), rule: "tenant".to_owned(), why });
    }
    let Some(rule) = entity.rule(action) else {
        let why = format!("no rule of {} permits `{action}`", entity.name);
        return Ok(Verdict { allowed: Some(false), rule: String::new(), why });
    };
    let texts = declared_rules(tx.app).get(&(entity.name.to_owned(), action.to_owned())).cloned().unwrap_or_default();
    let [mut permits, mut scopes, mut forbids] = rule_lines(rule, &texts);
    evaluate(tx, entity, row, &mut permits, false)?;
    evaluate(tx, entity, row, &mut scopes, false)?;
    evaluate(tx, entity, row, &mut forbids, true)?;
    Ok(build_verdict(&what, action, &permits, &scopes, &forbids))
}

fn rule_lines<'e>(rule: &'e ActionRule, texts: &Texts) -> [Vec<Line<'e>>; 3] {
    let scope = if texts.scope.is_empty() { Vec::new() } else { vec![texts.scope.join(" or ")] };
    [lines(rule.permit.as_ref(), &texts.permit), lines(rule.scope.as_ref(), &scope), lines(rule.forbid.as_ref(), &texts.forbid)]
}

/// Evaluates the lines: by the roles of the caller, and all remaining ones by the row in one statement. `unknown` is the result of
/// a line that compares a null attribute of the caller.
fn evaluate(tx: &mut Tx<'_>, entity: &'static EntityDef, row: Option<&[Value]>, lines: &mut [Line<'_>], unknown: bool) -> Result<()> {
    let caller = tx.caller.for_entity(entity).into_owned();
    for line in lines.iter_mut() {
        line.holds = decide_by_role(line.expr, &caller);
    }
    let Some(values) = row.filter(|_| lines.iter().any(|line| line.holds.is_none())) else { return Ok(()) };
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &caller };
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    let mut select = Statement::new();
    let mut open: Vec<&mut Line<'_>> = lines.iter_mut().filter(|line| line.holds.is_none()).collect();
    for (at, line) in open.iter().enumerate() {
        select.push(if at == 0 { "SELECT " } else { ", " }).append(emit.condition(line.expr, scope, unknown).into_sql());
    }
    select.push(" FROM (").append(row_as_table(&emit, entity, values)).push(") AS ").ident(ROW);
    let answer = tx.conn.rows(&select, &vec![BindKind::Bool; open.len()])?.into_iter().next().unwrap_or_default();
    for (line, holds) in open.iter_mut().zip(answer) {
        line.holds = Some(holds == Value::Bool(true));
    }
    Ok(())
}

fn build_verdict(what: &str, action: &str, permits: &[Line<'_>], scopes: &[Line<'_>], forbids: &[Line<'_>]) -> Verdict {
    let all = |lines: &[Line<'_>]| lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" or ");
    let verdict = |allowed, rule: String, why| Verdict { allowed, rule, why };
    if let Some(line) = forbids.iter().find(|line| line.holds == Some(true)) {
        return verdict(Some(false), format!("forbid {action}: {}", line.text), format!("`forbid {action}: {}` holds", line.text));
    }
    if permits.iter().all(|line| line.holds == Some(false)) {
        let why = format!("`permit {action}: {}` does not hold, so no rule permits the caller to {what}", all(permits));
        return verdict(Some(false), format!("permit {action}: {}", all(permits)), why);
    }
    if scopes.iter().any(|line| line.holds == Some(false)) {
        return verdict(
            Some(false),
            format!("scope {action}: {}", all(scopes)),
            format!("`scope {action}: {}` does not hold", all(scopes)),
        );
    }
    let held = permits.iter().find(|line| line.holds == Some(true));
    let depends = permits.iter().filter(|line| line.holds.is_none()).map(|line| line.text.as_str()).collect::<Vec<_>>().join(" or ");
    let rule = format!("permit {action}: {}", held.map_or(depends.as_str(), |line| line.text.as_str()));
    let sure = held.is_some() && scopes.iter().chain(forbids).all(|line| line.holds.is_some());
    let why = match (sure, held.is_some()) {
        (true, _) => format!("`{rule}` holds"),
        (false, true) => format!("depends on the row: `{rule}` holds, and other lines of the rule are decided for each row"),
        (false, false) => format!("depends on the row: `{rule}`"),
    };
    verdict(sure.then_some(true), rule, why)
}
