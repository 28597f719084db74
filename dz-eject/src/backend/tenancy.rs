//! The tenants: memberships, the current tenant, and the filter of rows.

use dz_dsl_file::model::{Archetype, Field, Model};
use heck::ToSnakeCase;

use super::{columns::is_required, lists::label_of};
use crate::names;

const TENANCY: &str = include_str!("../../template/tenancy.rs.txt");

/// The module of an application with tenants. Without memberships no account has one.
pub(super) fn write(model: &Model) -> Option<String> {
    let tenant = model.entity(model.tenant?);
    let member = model.entities.iter().find(|entity| entity.kind == Some(Archetype::UserMembership));
    let text = super::choose(TENANCY, "/*IF MEMBERS*/", "/*END MEMBERS*/", member.is_some());
    let text = super::choose(&text, "/*IF NO MEMBERS*/", "/*END NO MEMBERS*/", member.is_none());
    let Some(member) = member else { return Some(text.replace("%COLUMN%", &tenant.name.to_snake_case())) };
    let member_tenant = names::ident(&member.fields[member.tenant?.0].name);
    let personas = names::personas(member)?;
    let label = label_of(tenant);
    let is_text = label.ty.is_free_text() && label.is_stored() && !label.sensitive;
    let label_column = |field: &Field| format!("tenants::{}", names::ident(&field.name));
    let (column, label_type, name) = match is_text {
        true if is_required(tenant, label) => (label_column(label), "String", ""),
        true => (label_column(label), "Option<String>", "        let name = name.unwrap_or_else(|| tenant.to_string());\n"),
        false => (label_column(&tenant.fields[tenant.pk.0]), "Id", "        let name = name.to_string();\n"),
    };
    let kept = |alias: &str, soft_delete: bool| match soft_delete {
        true => format!("    let rows = rows.filter({alias}::deleted_at.is_null());\n"),
        false => String::new(),
    };
    let (stored, new) = match is_required(member, personas) {
        true => ("Some(&row.personas)", "Document(json!(roles))"),
        false => ("row.personas.as_ref()", "Some(Document(json!(roles)))"),
    };
    let replacements = [
        ("MEMBERS_KEPT", kept("members", member.soft_delete)),
        ("TENANTS_KEPT", kept("tenants", tenant.soft_delete)),
        ("MEMBER_MODULE", names::module(member)),
        ("MEMBER_TABLE", member.table.clone()),
        ("MEMBER_TENANT", member_tenant),
        ("MEMBER_KEY", names::ident(&member.fields[member.pk.0].name)),
        ("MEMBER", names::row(member)),
        ("TENANT_MODULE", names::module(tenant)),
        ("TENANT_TABLE", tenant.table.clone()),
        ("TENANT_KEY", names::ident(&tenant.fields[tenant.pk.0].name)),
        ("TENANT_LABEL", column),
        ("LABEL_TYPE", label_type.to_owned()),
        ("LABEL_LINE", name.to_owned()),
        ("STORED_PERSONAS", stored.to_owned()),
        ("NEW_PERSONAS", new.to_owned()),
        ("COLUMN", member.fields[member.tenant?.0].name.clone()),
    ];
    Some(replacements.iter().fold(text, |text, (word, value)| text.replace(&format!("%{word}%"), value)))
}
