//! The tenants: memberships, the current tenant, and the filter of rows.

use dz_dsl_file::model::{Archetype, Auto, Entity, Field, Model};
use heck::ToSnakeCase;

use super::{columns::is_required, lists::label_of};
use crate::names;

const TENANCY: &str = include_str!("../../template/tenancy.rs.txt");
const INVITATIONS: &str = include_str!("../../template/invitations.rs.txt");

/// The memberships, if the application has tenants and memberships.
pub(crate) fn memberships(model: &Model) -> Option<&Entity> {
    model.tenant?;
    model.entities.iter().find(|entity| entity.kind == Some(Archetype::UserMembership))
}

/// The module with the invitations of an application with memberships.
pub(super) fn invitations(model: &Model) -> Option<String> {
    let member = memberships(model)?;
    let is_needed = |field: &&Field| {
        let set = ["user", "personas", "is_primary", "invited_by", "invited_at", "accepted_at"];
        let is_given = field.default.is_none() && field.auto == Auto::No && !field.ty.is_bool();
        let is_required = field.required || names::amount_of(member, field).is_some_and(|amount| amount.required);
        let is_key = std::ptr::eq(*field, &member.fields[member.pk.0]);
        is_required && is_given && !is_key && !names::is_tenant(member, field) && !set.contains(&field.name.as_str())
    };
    let needed: Vec<&Field> = names::row_fields(member).filter(is_needed).collect();
    let list = |shown: &dyn Fn(&Field) -> bool| {
        let names: Vec<String> = needed.iter().filter(|field| shown(field)).map(|field| names::literal(&field.name)).collect();
        names.join(", ")
    };
    let text = INVITATIONS.replace("%NEEDED_SHOWN%", &list(&|field| !field.sensitive)).replace("%NEEDED%", &list(&|_| true));
    let text = super::choose(&text, "/*IF TOTALS*/", "/*END TOTALS*/", super::validators::reads_totals(model, member));
    Some(with_words(text, &words(model)?))
}

/// The module of an application with tenants. Without memberships no account has one.
pub(super) fn write(model: &Model) -> Option<String> {
    let tenant = model.entity(model.tenant?);
    let member = memberships(model);
    let text = super::choose(TENANCY, "/*IF MEMBERS*/", "/*END MEMBERS*/", member.is_some());
    let text = super::choose(&text, "/*IF NO MEMBERS*/", "/*END NO MEMBERS*/", member.is_none());
    match member {
        Some(_) => Some(with_words(text, &words(model)?)),
        None => Some(text.replace("%COLUMN%", &tenant.name.to_snake_case())),
    }
}

/// A word of a template, with what replaces it.
type Word = (&'static str, String);

fn with_words(text: String, words: &[Word]) -> String {
    words.iter().fold(text, |text, (word, value)| text.replace(&format!("%{word}%"), value))
}

/// The words of the templates about memberships.
fn words(model: &Model) -> Option<Vec<Word>> {
    let (tenant, member) = (model.entity(model.tenant?), memberships(model)?);
    let member_tenant = names::ident(&member.fields[member.tenant?.0].name);
    let personas = names::personas(member)?;
    let label = label_of(tenant);
    let is_text = label.ty.is_free_text() && label.is_stored() && !label.sensitive;
    let label_column = |field: &Field| format!("tenants::{}", names::ident(&field.name));
    let (column, label_type, name) = match is_text {
        true if is_required(tenant, label) => (label_column(label), "String", ""),
        true => (label_column(label), "Option<String>", ".map(|name| name.unwrap_or_else(|| tenant.to_string()))"),
        false => (label_column(&tenant.fields[tenant.pk.0]), "Id", ".map(|name| name.to_string())"),
    };
    let kept = |alias: &str, soft_delete: bool| match soft_delete {
        true => format!("    let rows = rows.filter({alias}::deleted_at.is_null());\n"),
        false => String::new(),
    };
    let (stored, new) = match is_required(member, personas) {
        true => ("Some(&row.personas)", "Document(json!(roles))"),
        false => ("row.personas.as_ref()", "Some(Document(json!(roles)))"),
    };
    Some(vec![
        ("MEMBERS_KEPT", kept("members", member.soft_delete)),
        ("TENANTS_KEPT", kept("tenants", tenant.soft_delete)),
        ("MEMBER_MODULE", names::module(member)),
        ("MEMBER_TABLE_MODULE", names::table(member)),
        ("MEMBER_TABLE", member.table.clone()),
        ("MEMBER_TENANT", member_tenant),
        ("MEMBER_KEY", names::ident(&member.fields[member.pk.0].name)),
        ("MEMBER", names::row(member)),
        ("TENANT_MODULE", names::module(tenant)),
        ("TENANT_TABLE", names::table(tenant)),
        ("TENANT_KEY", names::ident(&tenant.fields[tenant.pk.0].name)),
        ("TENANT_LABEL", column),
        ("LABEL_TYPE", label_type.to_owned()),
        ("LABEL_TEXT", name.to_owned()),
        ("STORED_PERSONAS", stored.to_owned()),
        ("NEW_PERSONAS", new.to_owned()),
        ("COLUMN", member.fields[member.tenant?.0].name.clone()),
    ])
}
