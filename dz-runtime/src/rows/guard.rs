//! What a row must be before it is written: covered by the rule, with references that its writer may read.
//!
//! Asked of a row that exists only in the statement, before any constraint could tell something.

use crate::{
    Engine, Error, Result, Tx, Value, access,
    caller::Reach,
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, FieldIx, Kind, TransitionDef},
    rows::{
        invariant,
        select::{ROW, column},
        transitions,
    },
};

/// The alias of a row that is referred to.
const TARGET: &str = "r";

/// A row as it would be stored, and what is asked of it.
pub(super) struct Asked<'a> {
    /// The action whose rule must cover it; `None` for a consequence of something that was permitted.
    pub action: Option<&'static str>,
    /// The row as the rule sees it: with its state as it was, since moves have a rule of their own.
    pub ruled: &'a [Value],
    /// The row as it will be stored.
    pub stored: &'a [Value],
    /// Fields whose rows must exist and be readable.
    pub references: &'a [FieldIx],
    /// What the client sent, for the refusal.
    pub sent: &'a [FieldIx],
    /// The move that it makes.
    pub moved: Option<&'static TransitionDef>,
}

/// What a question of the statement was about.
enum Question {
    Rule,
    Guard,
    Invariant(usize),
    Reference(FieldIx),
}

/// What is asked of a row before it is written, as SQL that the statement which writes it carries: it writes nothing where
/// an answer is no, so that no constraint of the database tells anything of a row that is refused.
pub(super) struct Gate {
    questions: Vec<(Question, Statement)>,
    /// The row as it would be stored, where a question is about it.
    row: Option<Statement>,
}

impl Gate {
    /// What is asked of a row.
    ///
    /// # Errors
    /// As [`refuse`](Gate::refuse), where no statement is needed to know it.
    pub(super) fn of(tx: &mut Tx<'_>, entity: &'static EntityDef, asked: &Asked<'_>) -> Result<Gate> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut questions: Vec<(Question, Statement)> = Vec::new();
        match asked.action.map_or(Condition::Always, |action| access::rows(&emit, entity, action, ROW)) {
            Condition::Never => return Err(denied(entity, asked)),
            Condition::Always => {}
            Condition::Rows(sql) => questions.push((Question::Rule, sql)),
        }
        if let Some(moved) = asked.moved.filter(|row| row.guard.is_some()) {
            let caller = tx.caller.on(entity);
            questions.push((Question::Guard, transitions::guard(&Emit { caller: &caller, ..emit }, entity, moved).into_sql()));
        }
        let by_rule = !questions.is_empty();
        let same = asked.ruled == asked.stored;
        for (at, condition) in invariant::conditions(&emit, entity) {
            let sql = if same { condition } else { of_row(&emit, entity, condition, asked.stored) };
            questions.push((Question::Invariant(at), sql));
        }
        let needs_row = by_rule || (same && !questions.is_empty());
        let mut unreadable = Vec::new();
        // The tenant is there: the caller is in it.
        let filled = entity.tenancy.tenant.filter(|_| tx.caller.reach_of(entity) != Reach::Everywhere);
        for at in asked.references.iter().filter(|at| Some(**at) != filled) {
            match readable(&emit, entity, *at, asked.stored) {
                Some(sql) => questions.push((Question::Reference(*at), sql)),
                None => unreadable.push(*at),
            }
        }
        let row = needs_row.then(|| {
            let asked_of: Vec<&str> = questions.iter().flat_map(|(_, sql)| sql.columns_of(ROW)).collect();
            row_of(&emit, entity, asked.ruled, |name| asked_of.contains(&name))
        });
        let gate = Gate { questions, row };
        if unreadable.is_empty() {
            return Ok(gate);
        }
        gate.judge(tx, entity, asked, unreadable)?;
        Err(Error::internal("an unreadable reference was not refused"))
    }

    /// What is asked of the valid values of a row that is refused already: invariants that depend on them alone, and references.
    ///
    /// # Errors
    /// 500 where the description does not fit.
    pub(super) fn of_values(
        tx: &Tx<'_>,
        entity: &'static EntityDef,
        values: &[Value],
        references: &[FieldIx],
        is_refused: impl Fn(FieldIx) -> bool,
    ) -> Result<(Gate, Vec<FieldIx>)> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut questions: Vec<(Question, Statement)> = Vec::new();
        for (at, condition) in invariant::of_values(&emit, entity, is_refused) {
            questions.push((Question::Invariant(at), of_row(&emit, entity, condition, values)));
        }
        let mut unreadable = Vec::new();
        for at in references {
            match readable(&emit, entity, *at, values) {
                Some(sql) => questions.push((Question::Reference(*at), sql)),
                None => unreadable.push(*at),
            }
        }
        Ok((Gate { questions, row: None }, unreadable))
    }

    /// The refusals by invariants and references, in this order.
    pub(super) fn findings(self, tx: &mut Tx<'_>, entity: &'static EntityDef, unreadable: Vec<FieldIx>) -> Result<Vec<Error>> {
        let failed = self.failed(tx)?;
        Ok(refusals(entity, None, failed, unreadable))
    }

    /// All answers are yes, as one condition that asks nothing of the statement it stands in; `None` where nothing is asked.
    pub(super) fn condition(&self) -> Option<Statement> {
        let mut all = Statement::new();
        all.push("(SELECT ");
        for (at, (_, sql)) in self.questions.iter().enumerate() {
            all.push(if at == 0 { "(" } else { " AND (" }).append(sql.clone()).push(")");
        }
        self.about(&mut all);
        all.push(")");
        (!self.questions.is_empty()).then_some(all)
    }

    fn about(&self, select: &mut Statement) {
        if let Some(row) = &self.row {
            select.push(" FROM (").append(row.clone()).push(") AS ").ident(ROW);
        }
    }

    /// Says why nothing was written, in one statement.
    ///
    /// # Errors
    /// 403 naming the fields that were `sent` when the rule of `action` does not cover the row; 422 `TRANSITION_GUARD`; 422
    /// with the code of the first invariant that it violates; 422 `REFERENCE` at every field of `references` whose row does
    /// not exist or may not be read. In this order; none of them when it was something else.
    pub(super) fn refuse(self, tx: &mut Tx<'_>, entity: &'static EntityDef, asked: &Asked<'_>) -> Result<()> {
        self.judge(tx, entity, asked, Vec::new())
    }

    fn judge(self, tx: &mut Tx<'_>, entity: &'static EntityDef, asked: &Asked<'_>, unreadable: Vec<FieldIx>) -> Result<()> {
        let failed = self.failed(tx)?;
        judged(entity, asked, failed, unreadable)
    }

    /// Asks all questions at once; gives those whose answer is no.
    fn failed(self, tx: &mut Tx<'_>) -> Result<Vec<Question>> {
        if self.questions.is_empty() {
            return Ok(Vec::new());
        }
        let mut select = Statement::new();
        for (at, (_, sql)) in self.questions.iter().enumerate() {
            select.push(if at == 0 { "SELECT " } else { ", " }).append(sql.clone());
        }
        self.about(&mut select);
        let kinds = vec![BindKind::Bool; self.questions.len()];
        let answer = tx.conn.rows(&select, &kinds)?.into_iter().next().unwrap_or_default();
        if answer.len() != self.questions.len() {
            return Err(Error::internal("a check gave no answer"));
        }
        let asked = self.questions.into_iter().map(|(question, _)| question).zip(answer);
        Ok(asked.filter(|(_, holds)| *holds != Value::Bool(true)).map(|(question, _)| question).collect())
    }
}

/// The refusal that comes first, with what the others say. A row that the rule does not cover is told nothing else.
fn judged(entity: &'static EntityDef, asked: &Asked<'_>, failed: Vec<Question>, unreadable: Vec<FieldIx>) -> Result<()> {
    if failed.iter().any(|question| matches!(question, Question::Rule)) {
        return Err(denied(entity, asked));
    }
    refusals(entity, asked.moved, failed, unreadable).into_iter().reduce(Error::and).map_or(Ok(()), Err)
}

/// The refusals by the guard of a transition, by invariants and by references, in this order.
fn refusals(entity: &'static EntityDef, moved: Option<&TransitionDef>, failed: Vec<Question>, unreadable: Vec<FieldIx>) -> Vec<Error> {
    let (mut broken, mut wrong, mut closed) = (Vec::new(), unreadable, false);
    for question in failed {
        match question {
            Question::Rule => {}
            Question::Guard => closed = true,
            Question::Invariant(at) => broken.push(at),
            Question::Reference(at) => wrong.push(at),
        }
    }
    let guard = closed.then(|| Error::new(422, "TRANSITION_GUARD", moved.map_or("", transitions::refusal)));
    let references = (!wrong.is_empty()).then(|| {
        let error = Error::new(422, "REFERENCE", "The referenced row does not exist or is not visible to you");
        wrong.into_iter().fold(error, |error, at| error.at(entity.field(at).name, "does not exist or is not visible to you"))
    });
    guard.into_iter().chain(invariant::violated(entity, &broken)).chain(references).collect()
}

/// A condition on another row than that of the statement.
fn of_row(emit: &Emit<'_>, entity: &'static EntityDef, condition: Statement, values: &[Value]) -> Statement {
    let asked_of = condition.columns_of(ROW);
    let row = row_of(emit, entity, values, |name| asked_of.contains(&name));
    let mut sql = Statement::new();
    sql.push("(SELECT ").append(condition).push(" FROM (").append(row).push(") AS ").ident(ROW).push(")");
    sql
}

/// The row as a table of one row.
pub(crate) fn as_stored(emit: &Emit<'_>, entity: &'static EntityDef, values: &[Value]) -> Statement {
    row_of(emit, entity, values, |_| true)
}

/// As [`as_stored`], with these columns alone.
fn row_of(emit: &Emit<'_>, entity: &'static EntityDef, values: &[Value], wanted: impl Fn(&str) -> bool) -> Statement {
    let mut row = Statement::new();
    row.push("SELECT ");
    let mut first = true;
    let stored = entity.fields.iter().zip(values).filter(|(field, _)| !field.secret && field.is_stored());
    for (field, value) in stored.filter(|(field, _)| wanted(field.name)) {
        let Some(kind) = BindKind::of(field.kind, emit.app) else { continue };
        if !std::mem::take(&mut first) {
            row.push(", ");
        }
        row.bind(value.clone(), kind);
        if emit.engine == Engine::Postgres && kind == BindKind::Text {
            // As the column itself compares.
            row.push(" COLLATE \"C\"");
        }
        row.push(" AS ").ident(field.name);
    }
    if first {
        row.push("1 AS \"one\"");
    }
    row
}

/// The row that a ref points to exists and may be read, or named where it is an account; `None` when none may.
fn readable(emit: &Emit<'_>, entity: &'static EntityDef, at: FieldIx, values: &[Value]) -> Option<Statement> {
    let Kind::Ref(target) = entity.field(at).kind else { return None };
    let target = emit.app.entity(target);
    let condition = access::named(emit, target, TARGET);
    let mut exists = Statement::new();
    exists.push("EXISTS (SELECT 1 FROM ").append(emit.live(target)).push(" AS ").ident(TARGET).push(" WHERE ");
    exists.push(&column(TARGET, target.key().name)).push(" = ");
    exists.bind(values.get(usize::from(at)).cloned()?, BindKind::of(target.key().kind, emit.app)?);
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

fn denied(entity: &'static EntityDef, asked: &Asked<'_>) -> Error {
    let error = refused(entity, asked.sent);
    asked.action.map_or_else(|| error.clone(), |action| error.clone().denied(entity, action, asked.ruled.get(usize::from(entity.pk))))
}

fn refused(entity: &'static EntityDef, sent: &[FieldIx]) -> Error {
    let names: Vec<_> = sent.iter().map(|at| entity.field(*at).name).collect();
    let what = entity.title.to_lowercase();
    let error = match names.is_empty() {
        true => Error::forbidden(format!("You may not store such a {what}")),
        false => Error::forbidden(format!("You may not store a {what} with these values: {}", names.join(", "))),
    };
    names.into_iter().fold(error, |error, name| error.at(name, "is not allowed in your rows"))
}
