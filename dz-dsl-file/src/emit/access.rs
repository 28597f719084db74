//! The access matrix: role, entity, action, and the remaining condition on rows if the role is known.

use super::expression::text;
use crate::model::{Comparison, Entity, EntityId, Expr, Model, Path, Permission, RoleId, Scope};

/// What each kind of caller may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// The callers, one for each cell of a row: without an account, with an account, and with each role.
    pub callers: Vec<String>,
    /// One row per entity and action that has a rule.
    pub rows: Vec<MatrixRow>,
    /// The entities on which no caller may do anything.
    pub closed: Vec<String>,
}

/// One action on one entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixRow {
    /// The entity's name.
    pub entity: String,
    /// The action; a transition is `from -> to`.
    pub action: String,
    /// The lines that permit the action; one is enough.
    pub permit: Vec<String>,
    /// The lines that forbid the action; they override the permits.
    pub forbid: Vec<String>,
    /// The scopes that limit the action to rows; one is enough.
    pub scope: Vec<String>,
    /// The guard of a transition.
    pub guard: Option<String>,
    /// Whether roles of a tenant count; only in applications with tenants.
    pub roles: Option<RoleScope>,
    /// The permission of each caller.
    pub cells: Vec<Cell>,
}

/// The roles that count in an application with tenants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleScope {
    /// Roles for the whole system.
    System,
    /// Also the roles of the membership in the active tenant.
    Tenant,
}

/// The permission of a caller with one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// For no row.
    No,
    /// For every row.
    Yes,
    /// For rows that meet this condition.
    When(String),
}

/// A caller with one role, or with none.
#[derive(Clone, Copy)]
enum CallerKind {
    Anonymous,
    Authenticated,
    Role(RoleId),
}

/// The matrix of an application.
pub fn matrix(model: &Model) -> Matrix {
    matrix_of(model, |_| true)
}

/// The matrix of some entities.
pub fn matrix_of(model: &Model, is_wanted: impl Fn(&Entity) -> bool) -> Matrix {
    let roles = (0..model.personas.len()).map(RoleId);
    let who: Vec<CallerKind> = [CallerKind::Anonymous, CallerKind::Authenticated].into_iter().chain(roles.map(CallerKind::Role)).collect();
    let names = model.personas.iter().map(|persona| persona.name.clone());
    let callers = ["anonymous", "authenticated"].map(str::to_owned).into_iter().chain(names).collect();
    let mut rows: Vec<MatrixRow> = Vec::new();
    let mut closed = Vec::new();
    for (at, entity) in model.entities.iter().enumerate().filter(|(_, entity)| is_wanted(entity)) {
        let id = EntityId(at);
        let first = rows.len();
        for permission in &entity.access.permissions {
            rows.push(row(model, id, permission, &who));
        }
        add_transitions(model, id, &who, &mut rows);
        if rows[first..].iter().all(|row| row.cells.iter().all(|cell| *cell == Cell::No)) {
            closed.push(entity.name.clone());
        }
    }
    Matrix { callers, rows, closed }
}

fn row(model: &Model, id: EntityId, permission: &Permission, who: &[CallerKind]) -> MatrixRow {
    let entity = &model.entities[id.0];
    let scopes: Vec<&Scope> = entity.access.scopes.iter().filter(|scope| scope.action == permission.action).collect();
    let line = |forbids: bool| permission.lines.iter().filter(move |line| line.forbids == forbids);
    let whole = in_tenant(entity, id, allowed_condition(permission, &scopes));
    MatrixRow {
        entity: entity.name.clone(),
        action: permission.action.name().to_owned(),
        permit: line(false).map(|line| text(model, id, without_sign_in(&line.condition))).collect(),
        forbid: line(true).map(|line| text(model, id, &line.condition)).collect(),
        scope: scopes.iter().map(|scope| scope_text(model, id, scope)).collect(),
        guard: None,
        roles: counted_roles(model, entity),
        cells: who.iter().map(|who| cell(model, id, &whole, *who)).collect(),
    }
}

/// The transitions. A user makes one who meets the rule for transitions, has one of its roles if it names some, and finds its guard true;
/// no user makes one that is only timed.
fn add_transitions(model: &Model, id: EntityId, who: &[CallerKind], rows: &mut Vec<MatrixRow>) {
    let entity = &model.entities[id.0];
    let Some(machine) = &entity.states else { return };
    let rule_of = |name: &str| entity.access.permissions.iter().find(|it| it.action.name() == name);
    let Some(base) = rule_of("transition").or_else(|| rule_of("update")) else { return };
    let scopes: Vec<&Scope> = entity.access.scopes.iter().filter(|scope| scope.action == base.action).collect();
    let Some(of) = entity.fields[machine.field.0].ty.enumeration() else { return };
    let name = |at: usize| model.enums[of.0].values[at].name.as_str();
    for it in &machine.transitions {
        let line = &machine.rows[it.row];
        let role = (!line.roles.is_empty()).then(|| Expr::Role(line.roles.clone()));
        let manual = (!line.manual).then_some(Expr::Bool(false));
        let own = [manual, role.clone(), line.guard.clone()].into_iter().flatten();
        let whole = in_tenant(entity, id, Expr::And([allowed_condition(base, &scopes)].into_iter().chain(own).collect()));
        rows.push(MatrixRow {
            entity: entity.name.clone(),
            action: format!("{} -> {}", name(it.from), name(it.to)),
            permit: role.iter().map(|role| text(model, id, role)).collect(),
            forbid: Vec::new(),
            scope: Vec::new(),
            guard: line.guard.as_ref().map(|guard| text(model, id, guard)),
            roles: counted_roles(model, entity),
            cells: who.iter().map(|who| cell(model, id, &whole, *who)).collect(),
        });
    }
}

/// The roles that count for an entity; `None` without tenants.
fn counted_roles(model: &Model, entity: &Entity) -> Option<RoleScope> {
    model.tenant.map(|_| if entity.asks_system_roles() { RoleScope::System } else { RoleScope::Tenant })
}

/// Limits a rule to rows of the active tenant. Memberships of all tenants are visible only to callers with a role for
/// the whole system.
fn in_tenant(entity: &Entity, id: EntityId, rule: Expr) -> Expr {
    let Some(tenant) = entity.tenant.filter(|_| !entity.asks_system_roles()) else { return rule };
    let own = Expr::Path(Path { from: id, hops: Vec::new(), field: tenant });
    Expr::And(vec![Expr::Compare(Comparison::Eq, Box::new(own), Box::new(Expr::CurrentTenant)), rule])
}

/// The permits, limited by scopes and by the lines that forbid the action.
fn allowed_condition(permission: &Permission, scopes: &[&Scope]) -> Expr {
    let mut parts = vec![permission.permit.clone().unwrap_or(Expr::Bool(false))];
    parts.extend(scope_condition(scopes));
    parts.extend(permission.forbid.clone().map(|forbid| Expr::Not(Box::new(forbid))));
    Expr::And(parts)
}

/// The condition of the scopes of an action: one of them is enough. Without scopes there is no such condition.
pub fn scope_condition(scopes: &[&Scope]) -> Option<Expr> {
    let part = |scope: &&Scope| {
        let rows = scope.rows.clone().unwrap_or(Expr::Bool(true));
        match &scope.personas {
            Some(roles) => Expr::And(vec![Expr::Role(roles.clone()), rows]),
            None => rows,
        }
    };
    match scopes {
        [] => None,
        [one] => Some(part(one)),
        many => Some(Expr::Or(many.iter().map(part).collect())),
    }
}

fn scope_text(model: &Model, id: EntityId, scope: &Scope) -> String {
    let rows = scope.rows.as_ref().map_or("all".to_owned(), |rows| text(model, id, rows));
    match &scope.personas {
        Some(roles) => {
            format!("{} for {}", rows, roles.iter().map(|role| model.personas[role.0].name.as_str()).collect::<Vec<_>>().join(", "))
        }
        None => format!("{rows} for *"),
    }
}

/// A permit without the sign-in that every rule implies.
fn without_sign_in(expr: &Expr) -> &Expr {
    match expr {
        Expr::And(parts) => match parts.as_slice() {
            [Expr::SignedIn, rest] => rest,
            _ => expr,
        },
        _ => expr,
    }
}

fn cell(model: &Model, id: EntityId, whole: &Expr, who: CallerKind) -> Cell {
    let known = match who {
        CallerKind::Anonymous => without_account(whole, true),
        CallerKind::Authenticated | CallerKind::Role(_) => whole.clone(),
    };
    match simplify(&known, who) {
        Expr::Bool(true) => Cell::Yes,
        Expr::Bool(false) => Cell::No,
        rest => Cell::When(text(model, id, &rest)),
    }
}

/// A rule for a caller without an account, whose `current_user…` is null: a part that reads it is unknown, and an unknown part permits
/// nothing, whether it is negated or not.
fn without_account(expr: &Expr, is_positive: bool) -> Expr {
    let each = |parts: &[Expr]| parts.iter().map(|part| without_account(part, is_positive)).collect();
    match expr {
        Expr::And(parts) => Expr::And(each(parts)),
        Expr::Or(parts) => Expr::Or(each(parts)),
        Expr::Not(inner) => Expr::Not(Box::new(without_account(inner, !is_positive))),
        _ => {
            let mut reads_caller = false;
            expr.visit(&mut |it| {
                reads_caller |= matches!(it, Expr::CurrentUser | Expr::CurrentTenant | Expr::CurrentUserPath(_) | Expr::CurrentUserRoles);
            });
            if reads_caller { Expr::Bool(!is_positive) } else { expr.clone() }
        }
    }
}

/// Simplifies an expression for a known caller.
fn simplify(expr: &Expr, who: CallerKind) -> Expr {
    match (expr, who) {
        (Expr::Role(roles), CallerKind::Role(role)) => Expr::Bool(roles.contains(&role)),
        (Expr::Role(_), _) => Expr::Bool(false),
        (Expr::SignedIn, who) => Expr::Bool(!matches!(who, CallerKind::Anonymous)),
        (Expr::Anyone, _) => Expr::Bool(true),
        (Expr::Not(inner), who) => match simplify(inner, who) {
            Expr::Bool(value) => Expr::Bool(!value),
            inner => Expr::Not(Box::new(inner)),
        },
        (Expr::And(parts), who) => simplify_junction(parts, who, false),
        (Expr::Or(parts), who) => simplify_junction(parts, who, true),
        _ => expr.clone(),
    }
}

/// Simplifies a junction. `decisive` is the value of one part that decides the whole: false for `and`, true for `or`.
fn simplify_junction(parts: &[Expr], who: CallerKind, decisive: bool) -> Expr {
    let mut left: Vec<Expr> = Vec::new();
    for part in parts {
        match (simplify(part, who), decisive) {
            (Expr::Bool(value), _) if value == decisive => return Expr::Bool(decisive),
            (Expr::Bool(_), _) => {}
            (Expr::And(inner), false) | (Expr::Or(inner), true) => left.extend(inner),
            (rest, _) => left.push(rest),
        }
    }
    left.dedup();
    match left.len() {
        0 => Expr::Bool(!decisive),
        1 => left.remove(0),
        _ if decisive => Expr::Or(left),
        _ => Expr::And(left),
    }
}

impl Matrix {
    /// The matrix as JSON, with a line for each row, so that a diff shows changed rules as changed lines.
    pub fn json(&self) -> String {
        let list = |items: &[String]| items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
        let rows: Vec<String> = self
            .rows
            .iter()
            .map(|row| {
                let cells = self.callers.iter().zip(&row.cells).map(|(caller, cell)| {
                    let value = match cell {
                        Cell::No => "false".to_owned(),
                        Cell::Yes => "true".to_owned(),
                        Cell::When(condition) => quoted(condition),
                    };
                    format!("      {}: {value}", quoted(caller))
                });
                let roles = match row.roles {
                    None => "",
                    Some(RoleScope::System) => "\"roles\": \"system\", ",
                    Some(RoleScope::Tenant) => "\"roles\": \"tenant\", ",
                };
                let guard = row.guard.as_ref().map(|guard| format!(", \"guard\": {}", quoted(guard))).unwrap_or_default();
                format!(
                    "    {{\n      \"entity\": {}, \"action\": {},\n      {roles}\"permit\": [{}], \"forbid\": [{}], \"scope\": [{}]{guard},\n      \"callers\": {{\n{}\n      }}\n    }}",
                    quoted(&row.entity),
                    quoted(&row.action),
                    list(&row.permit),
                    list(&row.forbid),
                    list(&row.scope),
                    cells.map(|cell| format!("  {cell}")).collect::<Vec<_>>().join(",\n"),
                )
            })
            .collect();
        format!(
            "{{\n  \"callers\": [{}],\n  \"closed\": [{}],\n  \"rules\": [\n{}\n  ]\n}}\n",
            list(&self.callers),
            list(&self.closed),
            rows.join(",\n")
        )
    }
}

/// A text in JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceMap, analyse};

    fn matrix_of(text: &str) -> Matrix {
        let analysis = analyse(SourceMap::single("app.dsl", text));
        matrix(&analysis.model.expect("a model"))
    }

    #[test]
    fn remaining_conditions_name_the_tenant() {
        let matrix = matrix_of(
            "entity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Member:\n  id: uuid pk\n  archetype: user_membership\nentity \
                         Note:\n  id: uuid pk\n  permit:\n    read: role(clerk)\n",
        );
        let row = |entity: &str, action: &str| {
            let row = matrix.rows.iter().find(|row| row.entity == entity && row.action == action).expect("a row");
            let of = |caller: &str| matrix.callers.iter().zip(&row.cells).find(|(name, _)| *name == caller).map(|(_, cell)| cell.clone());
            (row.roles, of("authenticated").expect("a cell"), of("admin").expect("a cell"), of("clerk").expect("a cell"))
        };
        let own = Cell::When("firm = current_user.tenant".to_owned());
        assert_eq!(row("Note", "read"), (Some(RoleScope::Tenant), Cell::No, Cell::No, own));
        assert_eq!(row("Firm", "read"), (Some(RoleScope::System), Cell::No, Cell::Yes, Cell::No));
        assert_eq!(row("Member", "list"), (Some(RoleScope::System), Cell::No, Cell::Yes, Cell::No));
        assert!(matrix.json().contains("\"roles\": \"tenant\", \"permit\": [\"role(clerk)\"]"), "{}", matrix.json());
        assert!(!matrix_of("entity Note:\n  id: uuid pk\n  permit:\n    read: true\n").json().contains("\"roles\""));
    }

    #[test]
    fn a_caller_without_an_account_has_no_tenant_and_no_fields() {
        let cells = |rule: &str, tenant: &str| {
            let text = format!("{tenant}entity Note:\n  id: uuid pk\n  author: ref User\n  open: bool\n  permit:\n    read: {rule}\n");
            let matrix = matrix_of(&text);
            let row = matrix.rows.iter().find(|row| row.entity == "Note" && row.action == "read").expect("a row");
            row.cells[0].clone()
        };
        assert_eq!(cells("anonymous", "entity Firm:\n  archetype: tenant\n  id: uuid pk\n"), Cell::No);
        assert_eq!(cells("anonymous", ""), Cell::Yes);
        assert_eq!(cells("anonymous and (open or author = current_user)", ""), Cell::When("open".to_owned()));
        assert_eq!(cells("anonymous and not author = current_user", ""), Cell::No);
        assert_eq!(cells("anonymous and author != current_user", ""), Cell::No);
    }

    #[test]
    fn a_forbidden_transition_narrows_the_rule_of_update() {
        let of = |rules: &str| {
            matrix_of(&format!(
                "persona boss\npersona hand\nentity Claim:\n  id: uuid pk\n  author: ref User\n  status: enum[open, paid] = open\n  \
                 transitions:\n    open -> paid: role(boss, hand)\n  permit:\n    read: true\n    update: role(boss)\n{rules}"
            ))
        };
        let cells = |matrix: &Matrix, action: &str| {
            let row = matrix.rows.iter().find(|row| row.entity == "Claim" && row.action == action).expect("a row");
            let of = |caller: &str| matrix.callers.iter().zip(&row.cells).find(|(name, _)| *name == caller).map(|(_, cell)| cell.clone());
            [of("boss").expect("a cell"), of("hand").expect("a cell")]
        };
        let foreign = || [Cell::When("not author = current_user".to_owned()), Cell::No];
        let forbidden = of("  forbid:\n    transition: author = current_user\n");
        assert_eq!(cells(&forbidden, "transition"), foreign());
        assert_eq!(cells(&forbidden, "open -> paid"), foreign());
        assert_eq!(cells(&forbidden, "update"), [Cell::Yes, Cell::No]);
        let scoped = of("  scope:\n    transition: author != current_user\n");
        assert_eq!(cells(&scoped, "transition"), [Cell::When("author != current_user".to_owned()), Cell::No]);
        let both = of("  forbid:\n    transition: author = current_user\n  scope:\n    update: status = open\n");
        assert_eq!(cells(&both, "transition")[0], Cell::When("status = open and not author = current_user".to_owned()));
    }

    #[test]
    fn every_transition_is_listed_with_its_guard() {
        let of = |guard: &str| {
            matrix_of(&format!(
                "persona hand\nentity Claim:\n  id: uuid pk\n  author: ref User\n  status: enum[open, paid, gone] = open\n  transitions:\n    \
                 open -> paid\n{guard}    open -> gone: auto after 3 days\n  permit:\n    update: role(hand)\n"
            ))
        };
        let plain = of("");
        let row = |matrix: &Matrix, action: &str| matrix.rows.iter().find(|row| row.action == action).expect("a row").clone();
        let at = |matrix: &Matrix| matrix.callers.iter().position(|it| it == "hand").expect("a caller");
        assert_eq!(row(&plain, "open -> paid").cells[at(&plain)], Cell::Yes);
        // No user makes a timed transition.
        assert!(row(&plain, "open -> gone").cells.iter().all(|cell| *cell == Cell::No));
        let guarded = of("      guard: author = current_user\n");
        let paid = row(&guarded, "open -> paid");
        assert_eq!(paid.cells[at(&guarded)], Cell::When("author = current_user".to_owned()));
        assert_eq!(paid.guard.as_deref(), Some("author = current_user"));
        assert!(guarded.json().contains("\"scope\": [], \"guard\": \"author = current_user\""), "{}", guarded.json());
    }

    #[test]
    fn conditions_are_simplified_for_a_known_role() {
        let matrix = matrix_of(
            "persona boss \"Boss\"\npersona hand \"Hand\"\nentity Task \"Task\":\n  id: uuid pk\n  owner: ref User\n  open: bool = true\n  \
             permit:\n    list: role(boss) or (role(hand) and owner = current_user)\n    read: true\n    delete: role(boss)\n  forbid:\n    \
             delete: open = true\n  scope:\n    read: owner = current_user\n      for: hand\n    read: all\n      for: boss\n",
        );
        let cells = |action: &str| {
            let row = matrix.rows.iter().find(|row| row.entity == "Task" && row.action == action).expect("a row");
            matrix.callers.iter().cloned().zip(row.cells.iter().cloned()).collect::<Vec<_>>()
        };
        let mine = || Cell::When("owner = current_user".to_owned());
        let named =
            |list: [(&str, Cell); 4]| -> Vec<(String, Cell)> { list.into_iter().map(|(name, cell)| (name.to_owned(), cell)).collect() };
        let starts = |action: &str, list: [(&str, Cell); 4]| {
            let found = cells(action);
            assert_eq!(found[..4], named(list)[..], "{action}");
        };
        starts("list", [("anonymous", Cell::No), ("authenticated", Cell::No), ("boss", Cell::Yes), ("hand", mine())]);
        starts("read", [("anonymous", Cell::No), ("authenticated", Cell::No), ("boss", Cell::Yes), ("hand", mine())]);
        let shut = Cell::When("not open = true".to_owned());
        starts("delete", [("anonymous", Cell::No), ("authenticated", Cell::No), ("boss", shut), ("hand", Cell::No)]);
        let list = matrix.rows.iter().find(|row| row.entity == "Task" && row.action == "list").expect("a row");
        assert_eq!(list.permit, ["role(boss) or role(hand) and owner = current_user"]);
        assert!(matrix.json().contains("\"hand\": \"owner = current_user\""), "{}", matrix.json());
    }
}
