//! The caller: its roles, and the values of its account that rules use.

use dz_dsl_file::model::{Entity, Expr, Field, Model, Path};

use super::columns::{imports, is_required, types};
use crate::{Refusal, condition, names};

const CALLER: &str = include_str!("../../template/caller.rs.txt");

pub(super) fn write(model: &Model) -> Result<String, Refusal> {
    let account = model.entity(model.account);
    let (roles, all) = roles(model);
    let values = account_values(model)?;
    if values.loads.contains("caller.") {
        let reason = "its value depends on the tenant of the caller";
        return Err(Refusal::new("a rule over `current_user`", reason, account.span));
    }
    let own_roles = own_roles(model, account);
    let text = super::choose(CALLER, "/*IF TENANTS*/", "/*END TENANTS*/", model.tenant.is_some());
    let text = super::choose(&text, "/*IF OWN ROLES*/", "/*END OWN ROLES*/", !own_roles.is_empty());
    let text = super::choose(&text, "/*IF ROLE LIST*/", "/*END ROLE LIST*/", own_roles.contains("names_in"));
    let mut text = super::choose(&text, "/*IF MEMBERS*/", "/*END MEMBERS*/", super::memberships(model).is_some());
    let is_json = |field: &&Field| field.ty.is_int() || field.ty.is_bool() || field.ty.is_float() || field.ty.is_json();
    text = super::choose(&text, "/*IF FILES*/", "/*END FILES*/", super::files::has(account));
    let json_fields: Vec<String> = names::row_fields(account).filter(is_json).map(|field| names::literal(&field.name)).collect();
    let replacements = [
        ("JSON_FIELDS", json_fields.join(", ")),
        ("NEW_ACCOUNT", names::new_account_fields(model).iter().map(|field| names::literal(&field.name)).collect::<Vec<_>>().join(", ")),
        ("OWN_ROLES", own_roles.clone()),
        ("USES", uses(model, &values, &own_roles)),
        ("ROLES", roles),
        ("ALL", all),
        ("FIELDS", values.fields),
        ("VALUES", values.values),
        ("LOADS", values.loads),
        ("METHODS", values.methods),
        ("NAME", name(account)),
        ("MODULE", names::module(account)),
        ("TABLE", names::table(account)),
        ("INPUT", format!("{}Input", names::row(account))),
        ("TYPE", names::row(account)),
        ("ENTITY", "AccountRow".to_owned()),
        ("KEY", names::ident(&account.fields[account.pk.0].name)),
    ];
    for (word, value) in replacements {
        text = text.replace(&format!("%{word}%"), &value);
    }
    Ok(text)
}

/// The statement that collects the roles of the account's own `role` and `roles`; empty without these fields.
fn own_roles(model: &Model, account: &Entity) -> String {
    let mut code = String::new();
    for field in names::row_fields(account).filter(|field| matches!(field.name.as_str(), "role" | "roles")) {
        let held = format!("account.{}", names::ident(&field.name));
        let ty = names::column_type(model, field.ty);
        let is_name = types(model, field).rust == "String";
        let part = match (ty.enumeration().is_some(), ty.is_json(), is_required(account, field)) {
            (true, _, true) => format!("[{held}.as_str().to_owned()]"),
            (true, _, false) => format!("{held}.map(|it| it.as_str().to_owned())"),
            (_, true, true) => format!("names_in(&{held})"),
            (_, true, false) => format!("{held}.as_ref().map(names_in).unwrap_or_default()"),
            (_, _, true) if is_name => format!("[{held}.clone()]"),
            (_, _, false) if is_name => format!("{held}.clone()"),
            _ => continue,
        };
        code.push_str(&if code.is_empty() { format!("{part}.into_iter()") } else { format!(".chain({part})") });
    }
    if code.is_empty() { code } else { format!("let own_roles = {code}.collect();\n") }
}

/// The variants of the roles, and the roles with their names.
fn roles(model: &Model) -> (String, String) {
    let (mut roles, mut all) = (String::new(), String::new());
    for persona in &model.personas {
        let variant = names::role(&persona.name);
        roles.push_str(&format!("/// {}\n{variant},\n", persona.description.as_deref().unwrap_or(&persona.title)));
        all.push_str(&format!("({:?}, Role::{variant}),\n", persona.name));
    }
    (roles, all)
}

/// The code for the values of the account that rules use.
#[derive(Default)]
struct AccountValues {
    /// The fields of the struct.
    fields: String,
    /// The values of these fields.
    values: String,
    /// The methods of the caller.
    methods: String,
    /// The statements that load values of other rows.
    loads: String,
}

fn account_values(model: &Model) -> Result<AccountValues, Refusal> {
    let account = model.entity(model.account);
    let mut code = AccountValues::default();
    for path in used_paths(model) {
        let (entity, at) = path.end(&model.entities);
        let field = model.field(entity, at);
        let (name, ty) = (condition::caller_value(model, &path), types(model, field).rust);
        let loaded = format!("loaded_{}", name.trim_start_matches("r#"));
        let is_own = path.hops.is_empty() && field.computed.is_none();
        if !is_own {
            code.loads.push_str(&load(model, &path, field, (&loaded, &ty))?);
        }
        let is_key = is_own && at == account.pk;
        if is_key || is_own && matches!(field.name.as_str(), "email" | "name") {
            // These are part of every account.
        } else {
            code.fields.push_str(&format!("/// {}, for the access rules.\npub {name}: Option<{ty}>,\n", field.title));
            let column = names::ident(&field.name);
            code.values.push_str(&match (is_own, is_required(account, field)) {
                (false, _) => format!("{name}: {loaded},\n"),
                (true, true) => format!("{name}: Some(account.{column}.clone()),\n"),
                (true, false) => format!("{name}: account.{column}.clone(),\n"),
            });
        }
        if !is_key {
            let value = match field.name.as_str() {
                "email" | "name" if is_own => format!("Some(it.{name}.clone())"),
                _ => format!("it.{name}.clone()"),
            };
            code.methods.push_str(&format!(
                "\n/// {} of the caller, for the access rules.\npub fn {name}(&self) -> Option<{ty}> \
                 {{\nself.account.as_ref().and_then(|it| {value})\n}}\n",
                field.title
            ));
        }
    }
    Ok(code)
}

/// The statements that load a value of another row, or a computed one.
fn load(model: &Model, path: &Path, field: &Field, (name, ty): (&str, &str)) -> Result<String, Refusal> {
    let place = format!("`current_user.{}`", condition::caller_value(model, path));
    let at = condition::Conditions { model, entity: model.account, place, span: field.span };
    let code = at.value(&Expr::Path(path.clone()), field.ty)?;
    Ok(format!(
        "let row = {:?};\nlet {name}: Typed<Nullable<{}>> = {code}.typed();\nlet {name} = \
         rows.clone().select({name}).first::<Option<{ty}>>(connection).optional()?.flatten();\n",
        model.entity(model.account).table,
        types(model, field).sql
    ))
}

/// The expression for the name of an account.
fn name(account: &Entity) -> String {
    match account.fields.iter().find(|field| field.name == "name" && field.is_stored()) {
        Some(field) if is_required(account, field) => "account.name.clone()".to_owned(),
        Some(_) => "account.name.clone().unwrap_or_default()".to_owned(),
        None => "String::new()".to_owned(),
    }
}

fn uses(model: &Model, AccountValues { fields, loads, .. }: &AccountValues, own_roles: &str) -> String {
    let choices: Vec<String> = model.enums.iter().map(|of| names::choice(model, of)).collect();
    let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
    let choice = if own_roles.contains(".as_str()") { "use crate::values::Choice;\n" } else { "" };
    let used = imports(
        &format!("{fields}{loads}"),
        &[
            ("crate::choices", &choices),
            ("crate::sql", &["Sql", "Typed", "Value"]),
            ("crate::types", &["Number"]),
            ("crate::types::sql", &["Exact", "Identifier", "Instant", "Json"]),
            ("diesel::sql_types", &["BigInt", "Bool", "Date", "Double", "Nullable", "Text"]),
        ],
    );
    used + choice
}

/// The values of the account that rules and defaults use.
fn used_paths(model: &Model) -> Vec<Path> {
    let mut found: Vec<Path> = Vec::new();
    let mut see = |expr: &Expr| {
        expr.visit(&mut |part| {
            if let Expr::CurrentUserPath(path) = part
                && !found.contains(path)
            {
                found.push(path.clone());
            }
        });
    };
    for entity in &model.entities {
        for permission in &entity.access.permissions {
            permission.permit.iter().chain(&permission.forbid).for_each(&mut see);
        }
        entity.access.scopes.iter().filter_map(|scope| scope.rows.as_ref()).for_each(&mut see);
        entity.invariants.iter().for_each(|invariant| see(&invariant.condition));
        entity.states.iter().flat_map(|states| &states.rows).filter_map(|row| row.guard.as_ref()).for_each(&mut see);
        entity.fields.iter().flat_map(|field| field.default.iter().chain(&field.computed)).for_each(&mut see);
    }
    found.sort_by_key(|path| (path.hops.clone(), path.field));
    found
}
