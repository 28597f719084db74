//! A required field that gets a value that can be null.

use crate::{
    Diagnostics, Severity,
    facts::{
        decide::{Caller, Fact, Question, own_path},
        effects::{self, Work},
    },
    model::{Comparison, DataRoot, Expr, Model, Path, StepAction, Trigger},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "field-may-be-null",
    severity: Severity::Lint,
    summary: "a step writes a value that can be null to a required field",
    wrong: noted_order!("process p:\n  trigger: entity Order created\n", "    - create Note:\n            text: trigger.entity.note\n"),
    right: noted_order!(
        "process p:\n  trigger: entity Order created\n",
        "    - create Note:\n            text: coalesce(trigger.entity.note, \"New\")\n"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for work in effects::works(model) {
        effects::writes(work.flow, &mut |write| {
            let entity = model.entity(write.entity.it);
            for (at, value) in write.values {
                let field = &entity.fields[at.it.0];
                if field.required && can_be_null(model, &work, value) && !is_tested(&work, value) {
                    let message = format!("`{}` must not be null, but this value can be: a field of its path is optional", field.name);
                    out.push(RULE.diagnostic(at.span, message).label(field.span, "required here").help(
                        "make the value required, write `coalesce(…)` with another value, or test the value in a `condition` before",
                    ));
                }
            }
        });
    }
}

/// True for a value with an optional field. A field of the row that started the process is not null if the state to which the row
/// changed requires it, or an invariant does.
fn can_be_null(model: &Model, work: &Work<'_>, value: &Expr) -> bool {
    match value {
        Expr::Path(path) => row_can_lack(model, work, path),
        Expr::Data(data) => match &data.rest {
            Some(path) if data.root == DataRoot::TriggerRow => row_can_lack(model, work, path),
            _ => data.optional,
        },
        _ => false,
    }
}

/// True if a path from the row that started the process can end in null.
fn row_can_lack(model: &Model, work: &Work<'_>, path: &Path) -> bool {
    let optional: Vec<_> = path.steps(&model.entities).into_iter().filter(|(of, at)| !model.entity(*of).fields[at.0].required).collect();
    let entity = model.entity(path.from);
    let Some(own) = path.hops.first().or(Some(&path.field)).filter(|own| !entity.fields[own.0].required) else {
        return !optional.is_empty();
    };
    if optional.len() > 1 {
        return true;
    }
    let is_null = Expr::Compare(Comparison::Eq, Box::new(Expr::Path(Path::own(path.from, *own))), Box::new(Expr::Null));
    let mut question = Question::new(model, Caller::Account);
    if let (Some(Trigger::Change { field, from, to, .. }), Some(states)) = (work.trigger, &entity.states)
        && field.it == states.field
    {
        question = question.with_fact(own_path(path.from.0, states.field), Fact::Value(to.it));
        let mut into = states.transitions.iter().filter(|it| it.to == to.it && from.is_none_or(|from| from.it == it.from));
        if into.all(|it| states.rows[it.row].requires.iter().any(|(required, _)| required == own)) {
            return false;
        }
    }
    let conditions: Vec<&Expr> = entity.invariants.iter().map(|it| &it.condition).chain([&is_null]).collect();
    question.can_hold(&conditions)
}

/// True if a step decides by the value.
fn is_tested(work: &Work<'_>, value: &Expr) -> bool {
    let same = |part: &Expr| match (part, value) {
        (Expr::Path(read), Expr::Path(path)) => read == path,
        (Expr::Path(path), Expr::Data(data)) | (Expr::Data(data), Expr::Path(path)) => data.rest.as_ref() == Some(path),
        _ => part == value,
    };
    let mut tested = false;
    for step in &work.flow.steps {
        if let StepAction::Condition { condition, .. } = &step.action {
            condition.it.visit(&mut |part| tested |= same(part));
        }
    }
    tested
}
