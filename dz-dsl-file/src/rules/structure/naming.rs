//! Names that differ from the usual style of their kind.

use heck::{ToSnakeCase, ToUpperCamelCase};

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "naming",
    severity: Severity::Lint,
    summary: "entities are UpperCamelCase, fields snake_case",
    wrong: "entity line_item:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface lines:\n  uses entity line_item\n  mode: list\n  ux:\n    sort: id asc\n",
    right: "entity LineItem:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface lines:\n  uses entity LineItem\n  mode: list\n  ux:\n    sort: id asc\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in model.entities.iter().filter(|entity| entity.declared) {
        let camel = entity.name.to_upper_camel_case();
        if camel != entity.name && !camel.is_empty() {
            out.push(
                RULE.diagnostic(entity.span, format!("entity `{}` is usually written `{camel}`", entity.name))
                    .help(format!("write `{camel}` here and wherever it is named")),
            );
        }
        for field in entity.fields.iter().filter(|field| entity.has_written(field)) {
            let snake = field.name.to_snake_case();
            let is_free = entity.fields.iter().all(|other| other.name != snake);
            if snake != field.name && !snake.is_empty() && is_free {
                out.push(
                    RULE.diagnostic(field.span, format!("field `{}` is usually written `{snake}`", field.name))
                        .help(format!("write `{snake}` here and in every use; `was: {}` keeps the stored values", field.name)),
                );
            }
        }
    }
}
