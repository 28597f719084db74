//! Pages for administrators: the access matrix, the audit log, jobs and sessions.

pub(crate) mod calls;
pub(crate) mod jobs;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod sessions;
pub(crate) mod system;

use askama::Template;
use serde_json::{Value as Json, json};

use crate::{
    Error, Result, Tx, access,
    audit::{self, AuditEntry, AuditFilter},
    caller::TenantScope,
    def::AppDef,
    field, texts,
    web::{
        Call, Reply,
        page::{
            Answer, Document, Icon, Shell, columns,
            shell::{self, PageKind},
        },
    },
};

/// Records on one page.
const PAGE_SIZE: usize = 50;

pub(crate) fn answer(tx: &Tx<'_>, call: &Call, title: &str, content: &impl Template) -> Result<Reply> {
    let content = content.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, title, PageKind::List, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

pub(crate) fn json_data(body: &Json) -> Reply {
    Reply { status: 200, content_type: "application/json", body: body.to_string().into_bytes(), ..Reply::default() }
}

#[derive(Template)]
#[template(path = "access.html")]
struct AccessHtml {
    entities: Vec<EntityLines>,
}

/// The rules of one entity. Callers with equal rules share a column.
struct EntityLines {
    name: String,
    columns: Vec<String>,
    rules: Vec<RuleLine>,
}

/// One action.
struct RuleLine {
    action: String,
    cells: Vec<RuleCell>,
    forbid: Vec<String>,
}

/// The permission of one caller.
#[derive(Clone, PartialEq)]
enum RuleCell {
    No,
    Yes,
    When(String),
}

/// `/admin/access`: the permissions of each persona.
pub(crate) fn access_matrix(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    if call.wants_json {
        return Ok(Reply { status: 200, content_type: "application/json", body: tx.app.access.as_bytes().to_vec(), ..Reply::default() });
    }
    let whole: Json = serde_json::from_str(tx.app.access).map_err(Error::internal)?;
    let callers: Vec<&str> = whole["callers"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let titles: Vec<&str> = callers.iter().map(|caller| caller_title(tx.app, caller)).collect();
    let mut entities: Vec<EntityLines> = Vec::new();
    for rule in whole["rules"].as_array().into_iter().flatten() {
        let (name, line) = (text(&rule["entity"]), rule_line(rule, &callers));
        match entities.last_mut().filter(|last| last.name == name) {
            Some(last) => last.rules.push(line),
            None => entities.push(EntityLines { name, columns: Vec::new(), rules: vec![line] }),
        }
    }
    entities.iter_mut().for_each(|entity| entity.merge_columns(&titles));
    answer(tx, call, say!("dz-access", "Access"), &AccessHtml { entities })
}

fn text(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn caller_title(app: &'static AppDef, caller: &str) -> &'static str {
    match caller {
        "anonymous" => say!("dz-not-signed-in", "Not signed in"),
        "authenticated" => say!("dz-signed-in", "Signed in"),
        role => app.roles.iter().find(|known| known.name == role).map_or("", |known| known.title),
    }
}

fn rule_line(rule: &Json, callers: &[&str]) -> RuleLine {
    let cells = callers.iter().map(|caller| match &rule["callers"][*caller] {
        Json::Bool(true) => RuleCell::Yes,
        Json::String(condition) => RuleCell::When(condition.clone()),
        _ => RuleCell::No,
    });
    let forbid = rule["forbid"].as_array().into_iter().flatten().map(text).collect();
    RuleLine { action: text(&rule["action"]), cells: cells.collect(), forbid }
}

impl EntityLines {
    /// Merges equal columns, so that the table fits on a screen.
    fn merge_columns(&mut self, titles: &[&str]) {
        let mut kept: Vec<(usize, String)> = Vec::new();
        for (at, title) in titles.iter().enumerate() {
            let same = |(other, _): &&mut (usize, String)| self.rules.iter().all(|rule| rule.cells.get(at) == rule.cells.get(*other));
            match kept.iter_mut().find(same) {
                Some((_, names)) => *names = format!("{names}, {}", columns::lower_title(title)),
                None => kept.push((at, (*title).to_owned())),
            }
        }
        for rule in &mut self.rules {
            rule.cells = kept.iter().filter_map(|(at, _)| rule.cells.get(*at).cloned()).collect();
        }
        self.columns = kept.into_iter().map(|(_, names)| names).collect();
    }
}

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditHtml {
    lines: Vec<AuditLine>,
    filters: Vec<(&'static str, &'static str, String)>,
    filtered: bool,
    older: Option<String>,
}

/// A record on the page.
struct AuditLine {
    at: String,
    who: String,
    tenant: Option<String>,
    action: String,
    entity: String,
    row: Option<String>,
    denied: bool,
    times: i64,
    rule: String,
    changes: Vec<String>,
}

/// `/admin/audit`: the actions of callers.
pub(crate) fn audit_log(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let reach = access::audit_scope(&tx.caller)?;
    let tenants = tx.app.tenant().filter(|_| reach == TenantScope::All);
    let of = |name: &str| {
        let found = call.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim().to_owned());
        found.filter(|value| !value.is_empty())
    };
    let wanted = AuditFilter {
        changed: false,
        entity: of("entity"),
        action: of("action"),
        decision: of("decision"),
        row: of("row_id"),
        account: of("account").map(|email| crate::field::email::normalize_for_account(&email)),
        tenant: of("tenant"),
        before: of("before").and_then(|id| id.parse().ok()),
    };
    let mut found = audit::find(tx.conn, tx.app, &tx.caller, &reach, &wanted, PAGE_SIZE as i64 + 1)?;
    let more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| more).map(|it| it.id.to_string());
    if call.wants_json {
        let with_tenant = tx.app.tenant().is_some();
        let items: Vec<Json> = found.iter().map(|it| to_json(it, with_tenant)).collect();
        return Ok(json_data(&json!({ "items": items, "before": next })));
    }
    let titles = [
        ("account", say!("dz-address", "Address")),
        ("entity", say!("dz-entity", "Entity")),
        ("action", say!("dz-action", "Action")),
        ("row_id", say!("dz-row", "Row")),
        ("decision", say!("dz-decision", "Decision")),
    ];
    // A caller who sees only the records of one tenant needs no filter and no column for it.
    let tenant = tenants.map(|tenant| ("tenant", tenant.title));
    let filters: Vec<_> = tenant.into_iter().chain(titles).map(|(name, title)| (name, title, of(name).unwrap_or_default())).collect();
    let older = next.map(|id| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        filters.iter().filter(|(.., value)| !value.is_empty()).for_each(|(name, _, value)| {
            query.append_pair(name, value);
        });
        format!("/admin/audit?{}", query.append_pair("before", &id).finish())
    });
    let zone = field::zone(tx.app);
    let lines = found.into_iter().map(|it| audit_line(it, zone, tenants.is_some())).collect();
    let filtered = filters.iter().any(|(.., value)| !value.is_empty());
    answer(tx, call, say!("dz-audit-log", "Audit log"), &AuditHtml { lines, filters, filtered, older })
}

fn to_json(it: &AuditEntry, with_tenant: bool) -> Json {
    let mut record = json!({
        "id": it.id, "at": field::datetime_text(&it.at), "account": it.account, "email": it.email, "action": it.action, "entity": it.entity,
        "row_id": it.row, "decision": it.decision, "rule": it.rule, "changes": it.changes, "times": it.times, "request_id": it.request_id,
    });
    if with_tenant {
        record["tenant"] = json!(it.tenant);
    }
    record
}

fn audit_line(it: AuditEntry, zone: chrono_tz::Tz, with_tenant: bool) -> AuditLine {
    let value = |json: &Json| match json {
        Json::Null => say!("dz-nothing", "nothing").to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let change = |(name, change): (&String, &Json)| match (change.get("from"), change.get("to")) {
        (Some(from), Some(to)) => format!("{name}: {} → {}", value(from), value(to)),
        (Some(from), None) => format!("{name}: {}", value(from)),
        (None, Some(to)) => format!("{name}: {}", value(to)),
        (None, None) => match change.as_array() {
            Some(ids) => texts::count_rows(ids.len()),
            None => name.clone(),
        },
    };
    AuditLine {
        at: {
            let local = it.at.with_timezone(&zone);
            field::join_time(field::format_date(local.date_naive()), &local.format("%H:%M:%S").to_string())
        },
        who: it.email.or(it.account).unwrap_or_else(|| say!("dz-no-account", "No account").to_owned()),
        tenant: it.tenant_name.or(it.tenant).filter(|_| with_tenant),
        action: it.action,
        entity: it.entity,
        row: it.row,
        denied: it.decision == "denied",
        times: it.times,
        rule: it.rule,
        changes: it.changes.as_ref().and_then(Json::as_object).into_iter().flatten().map(change).collect(),
    }
}

/// Both pages with sample data.
#[cfg(test)]
pub(crate) fn samples(text: &str) -> [(&'static str, String); 2] {
    let own = || text.to_owned();
    let cells = vec![RuleCell::No, RuleCell::Yes, RuleCell::When(own())];
    let rule = RuleLine { action: own(), cells, forbid: vec![own()] };
    let matrix = AccessHtml { entities: vec![EntityLines { name: own(), columns: vec![own(), own(), own()], rules: vec![rule] }] };
    let line = AuditLine {
        at: own(),
        who: own(),
        tenant: Some(own()),
        action: own(),
        entity: own(),
        row: Some(own()),
        denied: true,
        times: 3,
        rule: own(),
        changes: vec![own()],
    };
    let log = AuditHtml { lines: vec![line], filters: vec![("account", "Address", own())], filtered: true, older: Some(own()) };
    [("access", matrix.render().expect("a page")), ("audit", log.render().expect("a page"))]
}

/// The links to these pages, for callers who can open them.
pub(crate) fn links(tx: &Tx<'_>) -> Vec<shell::NavEntry> {
    let link = |href: &str, label: &'static str| shell::NavEntry {
        icon: None,
        href: href.to_owned(),
        label,
        mark: label.chars().take(1).collect(),
        tone: "gray",
        current: false,
        count: None,
    };
    let whole = access::require_system_admin(tx.caller()).is_ok();
    let (access, sessions) = if whole {
        (Some(link("/admin/access", say!("dz-access", "Access"))), Some(link("/admin/sessions", say!("dz-sessions", "Sessions"))))
    } else {
        (None, None)
    };
    let audit = access::audit_scope(tx.caller()).is_ok().then(|| link("/admin/audit", say!("dz-audit-log", "Audit log")));
    let jobs = (whole && !tx.hooks.jobs.is_empty()).then(|| link("/app/-/jobs", say!("dz-jobs", "Jobs")));
    let runs = (whole && !tx.app.processes.is_empty()).then(|| link(runs::ADDRESS, say!("dz-runs", "Runs")));
    let calls = (whole && !tx.app.llm.intents.is_empty()).then(|| link(calls::ADDRESS, say!("dz-calls", "Calls")));
    let system = whole.then(|| link(system::ADDRESS, say!("dz-system", "System")));
    access.into_iter().chain(audit).chain(sessions).chain(jobs).chain(runs).chain(calls).chain(system).collect()
}
