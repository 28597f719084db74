//! The condition of a write: the rule covers the row, the invariants hold, and the caller may read the referenced rows.
//!
//! It is evaluated for the row as it would be stored, inside the statement that stores it, so that no constraint of the database
//! reveals anything about a refused row.

use crate::{
    Engine, Error, Result, Tx, Value, access,
    caller::TenantScope,
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, Scope, reads_relation},
    },
    def::{EntityDef, Expr, FieldIx, TransitionDef},
    rows::{
        invariants::{self, When},
        select::{ROW, column},
        transitions,
        write::Transitioned,
    },
    texts,
};

/// The alias of a referenced row.
const TARGET: &str = "r";

/// A row as it would be stored, and the checks that apply to it.
pub(super) struct Candidate<'a> {
    /// The action whose rule must cover the row; `None` for the consequence of a permitted write.
    pub action: Option<&'static str>,
    /// The values for the rule: the row with its old state, because transitions have a rule of their own.
    pub rule_values: &'a [Value],
    /// The values that will be stored.
    pub stored_values: &'a [Value],
    /// The reference fields whose targets must exist and be readable.
    pub references: &'a [FieldIx],
    /// The fields that the client sent, for the error.
    pub input_fields: &'a [FieldIx],
    /// The transition, if the write makes one.
    pub transition: Option<&'static TransitionDef>,
    /// True if rows that refer to this one are written after it: rules over them are not checked now.
    pub awaits_children: bool,
}

/// A check of the statement.
enum Check {
    /// With the fields of the client that the rule reads.
    Rule(Vec<FieldIx>),
    Guard,
    Invariant(usize),
    Reference(FieldIx),
}

/// The checks of a row as SQL. The statement that writes the row contains them as a condition, and writes nothing if one of them
/// fails.
pub(super) struct WriteCondition {
    checks: Vec<(Check, Statement)>,
    /// The row as it would be stored, if a check needs it.
    row: Option<Statement>,
}

impl WriteCondition {
    /// The checks of a candidate.
    ///
    /// # Errors
    /// As [`explain_failure`](WriteCondition::explain_failure), if a check fails without a statement.
    pub(super) fn new(tx: &mut Tx<'_>, entity: &'static EntityDef, candidate: &Candidate<'_>) -> Result<WriteCondition> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut checks: Vec<(Check, Statement)> = Vec::new();
        match candidate.action.map_or(Condition::Always, |action| access::row_condition(&emit, entity, action, ROW)) {
            Condition::Never => return Err(rule_error(entity, candidate, &[])),
            Condition::Always => {}
            Condition::Rows(sql) => {
                let names = sql.find_columns(ROW);
                let sent = candidate.input_fields.iter().copied().filter(|at| names.contains(&entity.field(*at).name)).collect();
                checks.push((Check::Rule(sent), sql));
            }
        }
        let waits = |guard: &Expr| candidate.awaits_children && reads_relation(guard, emit.app);
        if let Some(transition) = candidate.transition.filter(|row| row.guard.as_ref().is_some_and(|guard| !waits(guard))) {
            checks.push((Check::Guard, guard_sql(tx, entity, transition)));
        }
        let has_rule_check = !checks.is_empty();
        let same = candidate.rule_values == candidate.stored_values;
        let invariants = invariants::conditions_at(&emit, entity, When::Storing, candidate.awaits_children);
        for (at, condition) in invariants {
            let sql = if same { condition } else { evaluate_on_row(&emit, entity, condition, candidate.stored_values) };
            checks.push((Check::Invariant(at), sql));
        }
        let needs_row = has_rule_check || (same && !checks.is_empty());
        let unreadable = add_references(&mut checks, &emit, entity, candidate.references, candidate.stored_values);
        let row = needs_row.then(|| {
            let names: Vec<&str> = checks.iter().flat_map(|(_, sql)| sql.find_columns(ROW)).collect();
            columns_as_table(&emit, entity, candidate.rule_values, |name| names.contains(&name))
        });
        let write_condition = WriteCondition { checks, row };
        if unreadable.is_empty() {
            return Ok(write_condition);
        }
        write_condition.evaluate(tx, entity, candidate, unreadable)?;
        Err(Error::internal("an unreadable reference was not refused"))
    }

    /// The checks that wait for the rows that refer to a stored row: the guard of its transition on the row with its old state, and
    /// the invariants that read these rows.
    pub(super) fn on_relations(
        tx: &Tx<'_>,
        entity: &'static EntityDef,
        values: &[Value],
        transitioned: Option<&Transitioned>,
    ) -> WriteCondition {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut checks: Vec<(Check, Statement)> = Vec::new();
        let waits = |of: &&Transitioned| of.transition.guard.as_ref().is_some_and(|guard| reads_relation(guard, emit.app));
        if let Some(of) = transitioned.filter(waits) {
            let mut before = values.to_vec();
            before.get_mut(usize::from(of.state)).into_iter().for_each(|state| *state = of.from.clone());
            checks.push((Check::Guard, evaluate_on_row(&emit, entity, guard_sql(tx, entity, of.transition), &before)));
        }
        for (at, condition) in invariants::conditions_at(&emit, entity, When::WithChildren, true) {
            checks.push((Check::Invariant(at), evaluate_on_row(&emit, entity, condition, values)));
        }
        WriteCondition { checks, row: None }
    }

    /// The checks of a stored row that read totals of which it is part.
    pub(super) fn on_totals(tx: &Tx<'_>, entity: &'static EntityDef, values: &[Value], awaits_children: bool) -> WriteCondition {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let of_totals = invariants::conditions_at(&emit, entity, When::Stored, awaits_children).into_iter();
        let checks = of_totals.map(|(at, condition)| (Check::Invariant(at), evaluate_on_row(&emit, entity, condition, values))).collect();
        WriteCondition { checks, row: None }
    }

    /// The errors of checks that wait for other rows, as one.
    ///
    /// # Errors
    /// As [`explain_failure`](WriteCondition::explain_failure), without those of the rule and of references.
    pub(super) fn check(self, tx: &mut Tx<'_>, entity: &'static EntityDef, transition: Option<&TransitionDef>) -> Result<()> {
        let failed = self.find_failed(tx)?;
        collect_errors(entity, transition, failed, Vec::new()).into_iter().reduce(Error::merge).map_or(Ok(()), Err)
    }

    /// The checks of the valid values of a row that is already refused: the references, and the invariants that depend only on
    /// these values.
    ///
    /// # Errors
    /// 500 if the description does not match the application.
    pub(super) fn from_values(
        tx: &Tx<'_>,
        entity: &'static EntityDef,
        values: &[Value],
        references: &[FieldIx],
        is_refused: impl Fn(FieldIx) -> bool,
    ) -> Result<(WriteCondition, Vec<FieldIx>)> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut checks: Vec<(Check, Statement)> = Vec::new();
        for (at, condition) in invariants::local_conditions(&emit, entity, is_refused) {
            checks.push((Check::Invariant(at), evaluate_on_row(&emit, entity, condition, values)));
        }
        let unreadable = add_references(&mut checks, &emit, entity, references, values);
        Ok((WriteCondition { checks, row: None }, unreadable))
    }

    /// The errors of the invariants and the references, in this order.
    pub(super) fn find_errors(self, tx: &mut Tx<'_>, entity: &'static EntityDef, unreadable: Vec<FieldIx>) -> Result<Vec<Error>> {
        let failed = self.find_failed(tx)?;
        Ok(collect_errors(entity, None, failed, unreadable))
    }

    /// All checks as one condition, independent of the statement that contains it; `None` without checks.
    pub(super) fn condition(&self) -> Option<Statement> {
        let mut all = Statement::new();
        all.push("(SELECT ");
        for (at, (_, sql)) in self.checks.iter().enumerate() {
            all.push(if at == 0 { "(" } else { " AND (" }).append(sql.clone()).push(")");
        }
        self.push_row(&mut all);
        all.push(")");
        (!self.checks.is_empty()).then_some(all)
    }

    fn push_row(&self, select: &mut Statement) {
        if let Some(row) = &self.row {
            select.push(" FROM (").append(row.clone()).push(") AS ").ident(ROW);
        }
    }

    /// Finds the reason why nothing was written, in one statement.
    ///
    /// # Errors
    /// In this order: 403 with the fields of the client that the rule of the action reads, if it does not cover the row and reads no row
    /// that the caller cannot see; 422 `TRANSITION_GUARD`; 422 with the code of the first violated invariant; 422 `REFERENCE` at every
    /// field whose target does not exist or is not readable. No error if there was another reason.
    pub(super) fn explain_failure(self, tx: &mut Tx<'_>, entity: &'static EntityDef, candidate: &Candidate<'_>) -> Result<()> {
        self.evaluate(tx, entity, candidate, Vec::new())
    }

    fn evaluate(self, tx: &mut Tx<'_>, entity: &'static EntityDef, candidate: &Candidate<'_>, unreadable: Vec<FieldIx>) -> Result<()> {
        let failed = self.find_failed(tx)?;
        first_error(entity, candidate, failed, unreadable)
    }

    /// Evaluates all checks in one statement and returns those that failed.
    fn find_failed(self, tx: &mut Tx<'_>) -> Result<Vec<Check>> {
        if self.checks.is_empty() {
            return Ok(Vec::new());
        }
        let mut select = Statement::new();
        for (at, (_, sql)) in self.checks.iter().enumerate() {
            select.push(if at == 0 { "SELECT " } else { ", " }).append(sql.clone());
        }
        self.push_row(&mut select);
        let kinds = vec![BindKind::Bool; self.checks.len()];
        let answer = tx.conn.rows(&select, &kinds)?.into_iter().next().unwrap_or_default();
        if answer.len() != self.checks.len() {
            return Err(Error::internal("a check gave no answer"));
        }
        let candidate = self.checks.into_iter().map(|(check, _)| check).zip(answer);
        Ok(candidate.filter(|(_, holds)| *holds != Value::Bool(true)).map(|(check, _)| check).collect())
    }
}

/// Adds the checks of the references, and returns those that no row can satisfy. The caller's current tenant exists, so its reference
/// needs no check.
fn add_references(
    checks: &mut Vec<(Check, Statement)>,
    emit: &Emit<'_>,
    entity: &'static EntityDef,
    references: &[FieldIx],
    values: &[Value],
) -> Vec<FieldIx> {
    let mut unreadable = Vec::new();
    let tenant_field = entity.tenancy.tenant.filter(|_| emit.caller.tenant_scope_of(entity) != TenantScope::All);
    for at in references.iter().filter(|at| Some(**at) != tenant_field) {
        match readable_reference(emit, entity, *at, values) {
            Some(sql) => checks.push((Check::Reference(*at), sql)),
            None => unreadable.push(*at),
        }
    }
    unreadable
}

/// The first error, with the texts of the others. If the rule does not cover the row, the error contains nothing else, unless the rule
/// reads a row that the caller cannot see: whether it covers the row would reveal values of that row.
fn first_error(entity: &'static EntityDef, candidate: &Candidate<'_>, failed: Vec<Check>, unreadable: Vec<FieldIx>) -> Result<()> {
    let of_rule = failed.iter().find_map(|check| if let Check::Rule(sent) = check { Some(sent) } else { None });
    if let Some(sent) = of_rule {
        let missing = failed.iter().filter_map(|check| if let Check::Reference(at) = check { Some(*at) } else { None });
        let unseen: Vec<FieldIx> = missing.chain(unreadable.iter().copied()).collect();
        let rule = candidate.action.and_then(|action| entity.rule(action));
        if !rule.is_some_and(|rule| rule.reads_behind(entity, &unseen)) {
            return Err(rule_error(entity, candidate, sent));
        }
    }
    collect_errors(entity, candidate.transition, failed, unreadable).into_iter().reduce(Error::merge).map_or(Ok(()), Err)
}

/// The errors of the transition guard, the invariants and the references, in this order.
fn collect_errors(
    entity: &'static EntityDef,
    transition: Option<&TransitionDef>,
    failed: Vec<Check>,
    unreadable: Vec<FieldIx>,
) -> Vec<Error> {
    let (mut violated, mut unreadable, mut guard_failed) = (Vec::new(), unreadable, false);
    for check in failed {
        match check {
            Check::Rule(_) => {}
            Check::Guard => guard_failed = true,
            Check::Invariant(at) => violated.push(at),
            Check::Reference(at) => unreadable.push(at),
        }
    }
    // A condition over a row that the caller cannot see would reveal its values.
    let reveals = |condition: &Expr| !unreadable.is_empty() && invariants::depends_on(entity, condition, &unreadable);
    violated.retain(|at| entity.invariants.get(*at).is_none_or(|invariant| !reveals(&invariant.condition)));
    guard_failed &= !transition.and_then(|transition| transition.guard.as_ref()).is_some_and(reveals);
    let guard = guard_failed.then(|| Error::new(422, "TRANSITION_GUARD", transition.map_or("", transitions::guard_message)));
    let references = (!unreadable.is_empty()).then(|| {
        let error = Error::new(
            422,
            "REFERENCE",
            say!("dz-the-referenced-row-does-not-exist-or", "The referenced row does not exist or is not visible to you"),
        );
        unreadable.into_iter().fold(error, |error, at| {
            error.at(entity.field(at).name, say!("dz-does-not-exist-or-is-not-visible", "does not exist or is not visible to you"))
        })
    });
    guard.into_iter().chain(invariants::violation_error(entity, &violated)).chain(references).collect()
}

/// The guard of a transition as SQL.
fn guard_sql(tx: &Tx<'_>, entity: &'static EntityDef, transition: &TransitionDef) -> Statement {
    let caller = tx.caller.for_entity(entity);
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &caller };
    transitions::guard_condition(&emit, entity, transition).into_sql()
}

/// A condition on a row that is not the row of the statement.
fn evaluate_on_row(emit: &Emit<'_>, entity: &'static EntityDef, condition: Statement, values: &[Value]) -> Statement {
    let names = condition.find_columns(ROW);
    let row = columns_as_table(emit, entity, values, |name| names.contains(&name));
    let mut sql = Statement::new();
    sql.push("(SELECT ").append(condition).push(" FROM (").append(row).push(") AS ").ident(ROW).push(")");
    sql
}

/// The maximum number of results of one statement; the engines limit columns and parameters.
const MOST_RESULTS: usize = 200;

/// The results of conditions on rows that are not stored, by row.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn evaluate_conditions(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    rows: &[&[Value]],
    conditions: &[&'static Expr],
) -> Result<Vec<Vec<bool>>> {
    if conditions.is_empty() {
        return Ok(vec![Vec::new(); rows.len()]);
    }
    let mut results = Vec::new();
    for some in rows.chunks((MOST_RESULTS / conditions.len()).max(1)) {
        results.extend(evaluate_some(tx, entity, some, conditions)?.chunks(conditions.len()).map(<[bool]>::to_vec));
    }
    Ok(results)
}

/// The results in one statement: those of the first row, then those of the next one.
fn evaluate_some(tx: &mut Tx<'_>, entity: &'static EntityDef, rows: &[&[Value]], conditions: &[&'static Expr]) -> Result<Vec<bool>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    let mut select = Statement::new();
    let all = rows.iter().flat_map(|values| conditions.iter().map(move |condition| (values, condition)));
    for (at, (values, condition)) in all.enumerate() {
        let condition = emit.condition(condition, scope, false).into_sql();
        select.push(if at == 0 { "SELECT " } else { ", " }).append(evaluate_on_row(&emit, entity, condition, values));
    }
    let answer = tx.conn.rows(&select, &vec![BindKind::Bool; rows.len() * conditions.len()])?.into_iter().next().unwrap_or_default();
    Ok(answer.into_iter().map(|holds| holds == Value::Bool(true)).collect())
}

/// The row as a table with one row.
pub(crate) fn row_as_table(emit: &Emit<'_>, entity: &'static EntityDef, values: &[Value]) -> Statement {
    columns_as_table(emit, entity, values, |_| true)
}

/// As [`row_as_table`], with only these columns.
fn columns_as_table(emit: &Emit<'_>, entity: &'static EntityDef, values: &[Value], wanted: impl Fn(&str) -> bool) -> Statement {
    let mut row = Statement::new();
    row.push("SELECT ");
    let mut first = true;
    let stored_values = entity.fields.iter().zip(values).filter(|(field, _)| !field.secret && field.is_stored());
    for (field, value) in stored_values.filter(|(field, _)| wanted(field.name)) {
        let Some(kind) = BindKind::from_kind(field.kind, emit.app) else { continue };
        if !std::mem::take(&mut first) {
            row.push(", ");
        }
        row.bind(value.clone(), kind);
        if emit.engine == Engine::Postgres && kind == BindKind::Text {
            // The collation of the stored column.
            row.push(" COLLATE \"C\"");
        }
        row.push(" AS ").ident(field.name);
    }
    if first {
        row.push("1 AS \"one\"");
    }
    row
}

/// The condition that the target of a reference exists and is readable (for accounts: may be named); `None` if no row is.
fn readable_reference(emit: &Emit<'_>, entity: &'static EntityDef, at: FieldIx, values: &[Value]) -> Option<Statement> {
    let target = entity.field(at).kind.target()?;
    let target = emit.app.entity(target);
    let condition = access::reference_condition(emit, target, TARGET);
    let mut exists = Statement::new();
    exists.push("EXISTS (SELECT 1 FROM ").append(emit.visible_rows(target)).push(" AS ").ident(TARGET).push(" WHERE ");
    exists.push(&column(TARGET, target.key().name)).push(" = ");
    exists.bind(values.get(usize::from(at)).cloned()?, BindKind::from_kind(target.key().kind, emit.app)?);
    match condition {
        Condition::Never => return None,
        Condition::Always => {}
        Condition::Rows(sql) => {
            exists.push(" AND ").append(sql);
        }
    }
    exists.push(")");
    Some(exists)
}

/// 403 at the fields of the client that the rule reads: the values of others are not the reason.
fn rule_error(entity: &'static EntityDef, candidate: &Candidate<'_>, sent: &[FieldIx]) -> Error {
    let error = rule_message(entity, sent);
    candidate
        .action
        .map_or_else(|| error.clone(), |action| error.clone().denied(entity, action, candidate.rule_values.get(usize::from(entity.pk))))
}

fn rule_message(entity: &'static EntityDef, sent: &[FieldIx]) -> Error {
    let what = texts::lower(entity.title);
    let titles: Vec<_> = sent.iter().map(|at| entity.field(*at).title).collect();
    let error = match titles.is_empty() {
        true => Error::forbidden(say!("dz-you-may-not-store-such-a-what", "You may not store this {what}", what = what)),
        false => Error::forbidden(say!(
            "dz-may-not-store-these-values",
            "You may not store this {what} with these values: {fields}",
            what = what,
            fields = titles.join(", ")
        )),
    };
    let message = say!("dz-is-not-allowed-in-your-rows", "is not allowed in your rows");
    sent.iter().fold(error, |error, at| error.at(entity.field(*at).name, message))
}
