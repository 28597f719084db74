//! A run that belongs to no tenant and creates a row of a tenant.

use crate::{
    Diagnostics, Severity, Span,
    facts::effects::{self, WrittenRows},
    model::{Flow, Model, ProcessId, Runs, StepAction, Trigger},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "create-without-tenant",
    severity: Severity::Error,
    summary: "a run that belongs to no tenant creates a row of a tenant without naming the tenant",
    wrong: firm_process!("schedule s:\n  cron: \"0 3 * * *\"\n", ""),
    right: firm_process!("schedule s:\n  cron: \"0 3 * * *\"\n", "              firm: work.firm\n"),
    reported_by: ReportedBy::Model(check),
};

/// What starts runs that belong to no tenant.
struct Start {
    /// Its name in messages.
    what: String,
    span: Span,
}

fn check(model: &Model, out: &mut Diagnostics) {
    if model.tenant.is_none() {
        return;
    }
    let mut starts: Vec<Option<Start>> = model.processes.iter().map(|_| None).collect();
    let mut open: Vec<ProcessId> = Vec::new();
    let mut start = |id: ProcessId, start: Start, open: &mut Vec<ProcessId>| {
        if let Some(known @ None) = starts.get_mut(id.0) {
            *known = Some(start);
            open.push(id);
        }
    };
    for (at, process) in model.processes.iter().enumerate() {
        if let Trigger::Cron(cron) = &process.trigger {
            start(ProcessId(at), Start { what: format!("`cron` starts `{}`", process.name), span: cron.span }, &mut open);
        }
    }
    for schedule in &model.schedules {
        let what = format!("schedule `{}` starts it", schedule.name);
        match &schedule.runs {
            Runs::Process(process) => start(process.it, Start { what, span: process.span }, &mut open),
            Runs::Flow(flow) => {
                report_flow(model, flow, &Start { what, span: schedule.span }, out);
                start_called(flow, &schedule.name, &mut |id, begun| start(id, begun, &mut open));
            }
        }
    }
    while let Some(id) = open.pop() {
        let process = &model.processes[id.0];
        start_called(&process.flow, &process.name, &mut |id, begun| start(id, begun, &mut open));
    }
    for (process, begun) in model.processes.iter().zip(&starts) {
        if let Some(begun) = begun {
            report_flow(model, &process.flow, begun, out);
        }
    }
}

/// The processes that the steps of a flow run: they belong to the tenant of the flow's run.
fn start_called(flow: &Flow, name: &str, start: &mut dyn FnMut(ProcessId, Start)) {
    for step in &flow.steps {
        if let StepAction::Subprocess(process) = &step.action {
            start(process.it, Start { what: format!("`{name}` runs it without a tenant"), span: process.span });
        }
    }
}

fn report_flow(model: &Model, flow: &Flow, begun: &Start, out: &mut Diagnostics) {
    effects::writes(flow, &mut |write| {
        let entity = model.entity(write.entity.it);
        let Some(tenant) = entity.tenant.filter(|_| matches!(write.rows, WrittenRows::New)) else { return };
        if write.values.iter().any(|(field, _)| field.it == tenant) {
            return;
        }
        let tenant = &entity.fields[tenant.0].name;
        let message = format!("a new `{}` needs `{tenant}`, because this run belongs to no tenant: {}", entity.name, begun.what);
        out.push(RULE.diagnostic(write.entity.span, message).label(begun.span, "started here").help(format!(
            "add `{tenant}: …` with the result of a step or an input, or let an event of a row of the tenant start the process"
        )));
    });
}
