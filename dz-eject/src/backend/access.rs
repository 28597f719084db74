//! The access rules of an entity.

use dz_dsl_file::{
    emit::{access::scope_condition, expression},
    model::{Action, Archetype, Entity, EntityId, Expr, Model, Permission, Scope},
};

use super::columns::imports;
use crate::{
    Refusal,
    condition::{Conditions, column},
    gate, names,
};

/// The actions of the API, with the function of each.
const ACTIONS: [(&str, &str); 7] = [
    ("list", "listed"),
    ("read", "read"),
    ("create", "create"),
    ("update", "update"),
    ("delete", "delete"),
    ("transition", "transition"),
    ("restore", "restore"),
];

pub(super) fn write(model: &Model, id: EntityId) -> Result<String, Refusal> {
    let entity = model.entity(id);
    let mut body = String::new();
    let mut gates = String::new();
    for (action, function) in ACTIONS {
        let rule = rule(entity, action);
        if action == "transition" && rule.is_none() || action == "restore" && !entity.soft_delete {
            continue;
        }
        let (mut code, gate, text) = rule_code(model, id, entity, action)?;
        if let Some(own) = own_rows(entity).filter(|_| action != "create") {
            code = format!("all([{own}, {code}])");
        }
        if entity.soft_delete && matches!(action, "list" | "read") {
            code = format!("all([Sql::text(format!(\"{{row}}.deleted_at IS NULL\")), {code}])");
        }
        let caller = if code.contains("caller") { "caller" } else { "_caller" };
        let row = if code.contains("{row}") { "row" } else { "_row" };
        let visible = if action == "list" { "fn" } else { "pub fn" };
        body.push_str(&format!("\n/// {text}\n{visible} {function}({caller}: &Caller, {row}: &str) -> Sql {{\n{code}\n}}\n"));
        gates.push_str(&format!("Action::{} => {gate},\n", variant(action)));
    }
    body.push_str(&list(entity));
    if rule(entity, "transition").is_none() {
        body.push_str(
            "\n/// A change of the state is an update.\npub fn transition(caller: &Caller, row: &str) -> Sql {\nupdate(caller, row)\n}\n",
        );
        gates.push_str("Action::Transition => return ask(caller, Action::Update),\n");
    }
    if !entity.soft_delete {
        gates.push_str("Action::Restore => false,\n");
    }
    body.push_str(&reference(model, entity));
    body.push_str(&audits(model, id, entity)?);
    body.push_str(&deletable(model, id, entity)?);
    let ask = format!(
        "/// Refuses callers whose roles exclude an action for every row.\npub fn ask(caller: &Caller, action: Action) -> Result<()> \
         {{\nlet is_possible = match action {{\n{gates}}};\ncaller.{}(is_possible, action, {:?})\n}}\n",
        check_of(entity),
        super::rows(entity)
    );
    let used = imports(
        &format!("{ask}{body}"),
        &[
            ("crate::caller", &["Action", "Caller", "Role"]),
            ("crate::constants", &["date", "days_after", "number", "seconds_after", "time"]),
            ("crate::problem", &["Result"]),
            ("crate::sql", &["Sql", "Value", "all", "any", "constant", "if_known", "not"]),
            ("crate::tenancy", &["own_members", "own_rows"]),
            ("crate::types", &["Id"]),
        ],
    );
    let choice = if body.contains(".as_str()") { "use crate::values::Choice;\n" } else { "" };
    Ok(format!("//! Who may do what with {}.\n\n{used}{choice}\n{ask}{body}", super::rows(entity)))
}

/// The condition that a row belongs to the tenant of the caller.
fn own_rows(entity: &Entity) -> Option<String> {
    let tenant = &entity.fields[entity.tenant?.0];
    let function = if entity.kind == Some(Archetype::UserMembership) { "own_members" } else { "own_rows" };
    Some(format!("{function}(caller, &format!({}))", names::literal(&column("{row}", &tenant.name))))
}

/// The method of the caller that refuses what its roles exclude.
fn check_of(entity: &Entity) -> &'static str {
    match (entity.tenant, entity.kind) {
        (None, _) => "check",
        (Some(_), Some(Archetype::UserMembership)) => "check_members",
        (Some(_), _) => "check_in_tenant",
    }
}

/// The variant of an action.
fn variant(action: &str) -> String {
    names::role(action)
}

fn rule<'e>(entity: &'e Entity, action: &str) -> Option<&'e Permission> {
    entity.access.permissions.iter().find(|it| it.action.name() == action)
}

/// The code of a rule, its first check, and its sentence.
fn rule_code(model: &Model, id: EntityId, entity: &Entity, action: &str) -> Result<(String, String, String), Refusal> {
    let none = || ("constant(false)".to_owned(), "false".to_owned(), format!("No caller may {action} a row."));
    let Some(rule) = rule(entity, action) else { return Ok(none()) };
    let Some(permit) = &rule.permit else { return Ok(none()) };
    let scopes: Vec<&Scope> = entity.access.scopes.iter().filter(|scope| scope.action == rule.action).collect();
    let scope = scope_condition(&scopes);
    let conditions = conditions(model, id, entity, rule);
    let mut parts = vec![conditions.holds(permit)?];
    let mut text = format!("`{action}: {}`", expression::text(model, id, without_sign_in(permit)));
    if let Some(scope) = &scope {
        parts.push(conditions.holds(scope)?);
        text.push_str(&format!(", within `{}`", expression::text(model, id, scope)));
    }
    if let Some(forbid) = &rule.forbid {
        // What cannot be decided is forbidden.
        parts.push(conditions.fails(forbid)?);
        text.push_str(&format!(", except `{}`", expression::text(model, id, without_sign_in(forbid))));
    }
    let code = if parts.len() == 1 { parts.remove(0) } else { format!("all([{}])", parts.join(", ")) };
    let gate = gate::possible(model, entity, permit, scope.as_ref(), rule.forbid.as_ref());
    Ok((code, gate, text))
}

fn conditions<'m>(model: &'m Model, id: EntityId, entity: &Entity, rule: &Permission) -> Conditions<'m> {
    let span = rule.lines.first().map_or(entity.span, |line| line.span);
    Conditions { model, entity: id, place: format!("the rule for `{}` of `{}`", rule.action.name(), entity.name), span }
}

/// A rule without the sign-in that every rule implies.
fn without_sign_in(expr: &Expr) -> &Expr {
    match expr {
        Expr::And(parts) => match parts.as_slice() {
            [Expr::SignedIn, rest] => rest,
            _ => expr,
        },
        _ => expr,
    }
}

/// A list shows rows that the caller may also read.
fn list(entity: &Entity) -> String {
    let also_read = rule(entity, Action::Read.name()).is_some();
    let code = if also_read { "all([listed(caller, row), read(caller, row)])" } else { "listed(caller, row)" };
    let about = if also_read { "The rows of a list: those that the caller may list and read." } else { "The rows of a list." };
    format!("\n/// {about}\npub fn list(caller: &Caller, row: &str) -> Sql {{\n{code}\n}}\n")
}

/// On which rows the audit log records an action, and by which rule they are allowed.
fn audits(model: &Model, id: EntityId, entity: &Entity) -> Result<String, Refusal> {
    if entity.access.audits.is_empty() {
        return Ok(String::new());
    }
    let (mut arms, mut rules) = (String::new(), String::new());
    for (action, _) in ACTIONS {
        let mut tests = Vec::new();
        for line in entity.access.audits.iter().filter(|line| line.action.as_ref().is_none_or(|it| it.name() == action)) {
            tests.push(match &line.when {
                None => "constant(true)".to_owned(),
                Some(when) => match gate::exact(model, entity, when) {
                    Some(test) => format!("constant({test})"),
                    None => {
                        let place = format!("a line of `audit` of `{}`", entity.name);
                        let fails = Conditions { model, entity: id, place, span: line.span }.fails(when)?;
                        // What cannot be decided is recorded.
                        format!("not({fails}.is_true())")
                    }
                },
            });
        }
        let code = match tests.as_slice() {
            [] => "constant(false)".to_owned(),
            tests if tests.iter().any(|test| test == "constant(true)") => "constant(true)".to_owned(),
            [test] => test.clone(),
            tests => format!("any([{}])", tests.join(", ")),
        };
        arms.push_str(&format!("Action::{} => {},\n", variant(action), code));
        // A change of the state without a rule of its own is an update.
        let own = rule(entity, action).or_else(|| rule(entity, if action == "transition" { "update" } else { action }));
        let permit = own.and_then(|rule| rule.permit.as_ref());
        let text = permit.zip(own).map_or_else(String::new, |(permit, rule)| {
            format!("permit {}: {}", rule.action.name(), expression::text(model, id, without_sign_in(permit)))
        });
        rules.push_str(&format!("Action::{} => {},\n", variant(action), names::long_literal(&text)));
    }
    let caller = if arms.contains("caller") { "caller" } else { "_caller" };
    let row = if arms.contains("{row}") { "row" } else { "_row" };
    Ok(format!(
        "\n/// The rows for which the audit log records an action.\npub fn audited({caller}: &Caller, action: Action, {row}: &str) -> Sql \
         {{\nmatch action {{\n{arms}}}\n}}\n\n/// The rule that permits an action, for the audit log.\npub fn rule(action: Action) -> &'static str \
         {{\nmatch action {{\n{rules}}}\n}}\n"
    ))
}

/// The rows that a caller may refer to.
fn reference(model: &Model, entity: &Entity) -> String {
    if !entity.account {
        return "\n/// The rows that a caller may refer to: those that it may read.\npub fn reference(caller: &Caller, row: &str) -> Sql \
                {\nread(caller, row)\n}\n"
            .to_owned();
    }
    let (about, condition) = match super::memberships(model).and_then(|member| members_only(entity, member)) {
        Some(text) => (
            "active accounts of members of its tenant",
            format!("if_known(caller.tenant(), |tenant| Sql::new(format!({}), [Value::Id(Some(tenant))]))", names::literal(&text)),
        ),
        None => ("active accounts", "Sql::text(format!(\"{row}.is_active\"))".to_owned()),
    };
    format!(
        "\n/// The rows that a caller may refer to: those that it may read, and {about}.\npub fn reference(caller: &Caller, row: &str) -> \
         Sql {{\nlet active = {condition};\nany([read(caller, row), all([constant(caller.is_signed_in()), active])])\n}}\n"
    )
}

/// The condition that an account is active and has an accepted membership in a tenant, which is the only parameter.
fn members_only(account: &Entity, member: &Entity) -> Option<String> {
    let of_member = |name: &str| column("dz_m", name);
    let kept = if member.soft_delete { " AND dz_m.deleted_at IS NULL" } else { "" };
    Some(format!(
        "{{row}}.is_active AND EXISTS (SELECT 1 FROM {} AS dz_m WHERE {} = {} AND {} IS NOT NULL AND {} = ?{kept})",
        member.table,
        of_member("user"),
        column("{row}", &account.fields[account.pk.0].name),
        of_member("accepted_at"),
        of_member(&member.fields[member.tenant?.0].name),
    ))
}

/// The rows whose deletion no rule forbids, for the deletion of a row that they refer to.
fn deletable(model: &Model, id: EntityId, entity: &Entity) -> Result<String, Refusal> {
    let code = match rule(entity, "delete").and_then(|rule| rule.forbid.as_ref().map(|forbid| (rule, forbid))) {
        Some((rule, forbid)) => conditions(model, id, entity, rule).fails(forbid)?,
        None => "constant(true)".to_owned(),
    };
    let caller = if code.contains("caller") { "caller" } else { "_caller" };
    let row = if code.contains("{row}") { "row" } else { "_row" };
    Ok(format!(
        "\n/// The rows that may disappear with a row that they refer to: those whose deletion no rule forbids.\npub fn \
         deletable({caller}: &Caller, {row}: &str) -> Sql {{\n{code}\n}}\n"
    ))
}
