//! The caller: its roles, and the values of its account that rules use.

use dz_dsl_file::model::{Expr, FieldId, Model};

use super::columns::{imports, is_required, types};
use crate::{Refusal, names};

const CALLER: &str = include_str!("../../template/caller.rs.txt");

pub(super) fn write(model: &Model) -> Result<String, Refusal> {
    let account = model.entity(model.account);
    let row = &account.name;
    let mut roles = String::new();
    let mut all = String::new();
    for persona in &model.personas {
        let variant = names::role(&persona.name);
        roles.push_str(&format!("/// {}\n{variant},\n", persona.description.as_deref().unwrap_or(&persona.title)));
        all.push_str(&format!("({:?}, Role::{variant}),\n", persona.name));
    }
    let (mut fields, mut values, mut methods) = (String::new(), String::new(), String::new());
    for at in used_fields(model) {
        let field = &account.fields[at.0];
        let (name, ty) = (names::ident(&field.name), types(model, field).rust);
        if matches!(field.name.as_str(), "id" | "email" | "name") {
            // These are part of every account.
        } else {
            fields.push_str(&format!("/// {}, for the access rules.\npub {name}: Option<{ty}>,\n", field.title));
            let value =
                if is_required(account, field) { format!("Some(account.{name}.clone())") } else { format!("account.{name}.clone()") };
            values.push_str(&format!("{name}: {value},\n"));
        }
        if field.name != "id" {
            let value = match field.name.as_str() {
                "email" | "name" => format!("Some(it.{name}.clone())"),
                _ => format!("it.{name}.clone()"),
            };
            methods.push_str(&format!(
                "\n/// {} of the caller, for the access rules.\npub fn {name}(&self) -> Option<{ty}> \
                 {{\nself.account.as_ref().and_then(|it| {value})\n}}\n",
                field.title
            ));
        }
    }
    let name = match account.fields.iter().find(|field| field.name == "name" && field.is_stored()) {
        Some(field) if is_required(account, field) => "account.name.clone()".to_owned(),
        Some(_) => "account.name.clone().unwrap_or_default()".to_owned(),
        None => "String::new()".to_owned(),
    };
    let choices: Vec<String> = model.enums.iter().map(|of| names::choice(model, of)).collect();
    let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
    let used = imports(&fields, &[("crate::choices", &choices), ("crate::types", &["Number"])]);
    let mut text = CALLER.to_owned();
    let replacements = [
        ("USES", used),
        ("ROLES", roles),
        ("ALL", all),
        ("FIELDS", fields),
        ("VALUES", values),
        ("METHODS", methods),
        ("NAME", name),
        ("MODULE", names::module(account)),
        ("TABLE", account.table.clone()),
        ("ENTITY", row.clone()),
        ("KEY", names::ident(&account.fields[account.pk.0].name)),
    ];
    for (word, value) in replacements {
        text = text.replace(&format!("%{word}%"), &value);
    }
    Ok(text)
}

/// The fields of the account that rules use.
fn used_fields(model: &Model) -> Vec<FieldId> {
    let mut found = Vec::new();
    let mut see = |expr: &Expr| {
        expr.visit(&mut |part| {
            if let Expr::CurrentUserPath(path) = part
                && path.hops.is_empty()
                && !found.contains(&path.field)
            {
                found.push(path.field);
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
    }
    found.sort_unstable();
    found
}
