//! `/app/-/calls`: the calls of language models with their cost, for administrators of the system.

use askama::Template;
use rust_decimal::Decimal;
use serde_json::{Value as Json, json};

use super::runs::{Status, duration, page_of, parameter};
use crate::{
    Error, Result, Tx, access,
    field::{datetime_attribute, datetime_text},
    process::calls::{self, CallFilter, STATUSES, StoredCall},
    rows::Total,
    web::{
        Call, Reply,
        page::{Answer, BodyOnly, Icon, Pagination, Region, admin, identity::account::format_timestamp},
    },
};

/// The address of the page.
pub(crate) const ADDRESS: &str = "/app/-/calls";

#[derive(Template)]
#[template(path = "calls.html")]
struct CallsHtml {
    lines: Vec<Line>,
    intents: Vec<(String, bool)>,
    statuses: Vec<(&'static str, &'static str, bool)>,
    filtered: bool,
    footer: String,
    /// The cost of the month.
    spent: String,
    /// The budget of the month, and true if the cost exceeds it.
    budget: Option<(String, bool)>,
}

#[derive(Template)]
#[template(path = "call_rows.html")]
struct CallRowsHtml {
    lines: Vec<Line>,
}

/// A call on the page.
struct Line {
    id: String,
    intent: String,
    model: String,
    attempt: u32,
    status: Status,
    tokens: (u64, u64),
    cost: String,
    duration: String,
    started: (String, String),
    run: Option<String>,
    error: Option<String>,
    prompt: Option<String>,
    answer: Option<String>,
}

fn status(name: &str) -> Status {
    match name {
        "completed" => Status { name: "completed", title: say!("dz-completed", "Completed"), tone: "green" },
        "refused" => Status { name: "refused", title: say!("dz-not-written", "Not written"), tone: "amber" },
        _ => Status { name: "failed", title: say!("dz-failed", "Failed"), tone: "red" },
    }
}

/// An amount of US dollars, from millionths.
fn dollars(millionths: i64) -> String {
    let amount = Decimal::from(millionths) / Decimal::from(1_000_000);
    let places = if amount.fract().is_zero() || amount >= Decimal::ONE { 2 } else { amount.normalize().scale().max(2) };
    format!("${:.*}", places as usize, amount.round_dp(places))
}

/// The error of a call as a sentence.
fn explain(error: &str) -> String {
    let error: Json = serde_json::from_str(error).unwrap_or_default();
    let text = |name: &str| error[name].as_str().unwrap_or_default();
    let fields = error["field_errors"].as_object().into_iter().flatten();
    let fields = fields.flat_map(|(_, messages)| messages.as_array().into_iter().flatten()).filter_map(Json::as_str);
    let detail = std::iter::once(text("detail")).chain(fields).collect::<Vec<_>>().join(": ");
    format!("{detail} ({})", text("code"))
}

fn line(tx: &Tx<'_>, it: StoredCall) -> Line {
    Line {
        id: it.id.to_string(),
        intent: it.intent,
        model: it.model,
        attempt: it.attempt,
        status: status(&it.status),
        tokens: (it.input_tokens, it.output_tokens),
        cost: dollars(it.cost),
        duration: duration(chrono::TimeDelta::milliseconds(i64::try_from(it.duration_ms).unwrap_or(i64::MAX / 1_000))),
        started: (datetime_attribute(&it.started_at), format_timestamp(tx.app, it.started_at)),
        run: it.run.map(|run| run.to_string()),
        error: it.error.as_deref().map(explain),
        prompt: it.prompt,
        answer: it.answer,
    }
}

fn to_json(it: &StoredCall) -> Json {
    json!({
        "id": it.id, "intent": it.intent, "model": it.model, "attempt": it.attempt, "status": it.status, "run": it.run, "step": it.step,
        "input_tokens": it.input_tokens, "output_tokens": it.output_tokens,
        "cost_usd": (Decimal::from(it.cost) / Decimal::from(1_000_000)).normalize().to_string(),
        "duration_ms": it.duration_ms, "started_at": datetime_text(&it.started_at), "prompt": it.prompt, "answer": it.answer,
        "error": it.error.as_deref().and_then(|error| serde_json::from_str::<Json>(error).ok()),
    })
}

/// `GET /app/-/calls`; `intent` and `status` filter the calls.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let text = |name: &str| Some(parameter(call, name).to_owned()).filter(|text| !text.is_empty());
    let status_of = text("status").filter(|status| STATUSES.contains(&status.as_str()));
    let mut filter = CallFilter { intent: text("intent"), status: status_of, ..CallFilter::default() };
    let total = calls::count(tx.conn, &filter)?;
    let (page, limit) = page_of(call, total);
    (filter.offset, filter.limit) = ((page - 1) * limit, limit);
    let found = calls::list(tx.conn, &filter)?;
    if call.wants_json {
        let calls: Vec<Json> = found.iter().map(to_json).collect();
        return Ok(admin::json_data(&json!({ "calls": calls, "total": total, "page": page, "page_size": limit })));
    }
    let preserved = [("intent", &filter.intent), ("status", &filter.status)];
    let pagination = Pagination {
        region: Region::new("calls"),
        path: ADDRESS.to_owned(),
        page,
        page_size: limit,
        total: Total::exact(total),
        preserved: preserved.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?))).collect(),
        rows_label: Some(if total == 1 { say!("dz-call-in-a-count", "call") } else { say!("dz-calls-in-a-count", "calls") }.to_owned()),
        moves_page: true,
    };
    let lines = found.into_iter().map(|it| line(tx, it)).collect();
    if call.htmx {
        let rows = CallRowsHtml { lines }.render().map_err(Error::internal)?;
        return Ok(Answer::<BodyOnly>::rows(&pagination.region, rows, Some(&pagination))?.reply(200, call.markup));
    }
    let (app, now) = (tx.app, tx.caller.now);
    let spent = calls::spent(tx.conn, app, now)?;
    let budget = app.llm.budget_alert_usd.and_then(|budget| budget.parse::<Decimal>().ok());
    let exceeds = |budget: Decimal| Decimal::from(spent) / Decimal::from(1_000_000) > budget;
    let chosen = |name: &str| filter.intent.as_deref() == Some(name);
    let page = CallsHtml {
        lines,
        intents: app.llm.intents.iter().map(|intent| (intent.name.to_owned(), chosen(intent.name))).collect(),
        statuses: STATUSES.map(|name| (name, status(name).title, filter.status.as_deref() == Some(name))).to_vec(),
        filtered: filter.intent.is_some() || filter.status.is_some(),
        footer: pagination.slot_html().map_err(Error::internal)?,
        spent: dollars(spent),
        budget: budget.map(|budget| (format!("${budget:.2}"), exceeds(budget))),
    };
    admin::answer(tx, call, say!("dz-calls", "Calls"), &page)
}

/// The page with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let own = || text.to_owned();
    let line = Line {
        id: own(),
        intent: own(),
        model: own(),
        attempt: 2,
        status: status("failed"),
        tokens: (3, 4),
        cost: own(),
        duration: own(),
        started: (own(), own()),
        run: Some(own()),
        error: Some(own()),
        prompt: Some(own()),
        answer: Some(own()),
    };
    let page = CallsHtml {
        lines: vec![line],
        intents: vec![(own(), true)],
        statuses: vec![("failed", "Failed", true)],
        filtered: true,
        footer: String::new(),
        spent: own(),
        budget: Some((own(), true)),
    };
    page.render().expect("a page")
}

#[cfg(test)]
mod tests {
    #[test]
    fn amounts_have_the_digits_that_they_need() {
        assert_eq!([0, 1_500_000, 12_345_678, 4_200].map(super::dollars), ["$0.00", "$1.50", "$12.35", "$0.0042"]);
    }
}
