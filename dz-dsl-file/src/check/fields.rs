//! Fields that a reviewer would ask about.

use super::walk;
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Action, Entity, EntityId, Expr, FieldType, Model},
};

const fn lint(name: &'static str, summary: &'static str, wrong: &'static str, right: &'static str) -> Rule {
    Rule { name, severity: Severity::Lint, summary, wrong, right }
}

const PLAIN: &str = "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\n";

pub(super) const RULES: &[Rule] = &[
    lint(
        "polymorphic-key",
        "a type and an id that together refer to rows of several entities, which no foreign key guards",
        "entity Note:\n  id: uuid pk\n  subject_type: str(40)\n  subject_id: uuid\n  permit:\n    list: true\n    read: true\n",
        "entity Note:\n  id: uuid pk\n  task: ref Note\n  permit:\n    list: true\n    read: true\n",
    ),
    lint("too-many-fields", "an entity that holds several things", MANY, PLAIN),
    lint(
        "computed-discloses",
        "a computed field shows values of rows that its reader may not read",
        "persona boss\nentity Pay:\n  id: uuid pk\n  amount: int\n  permit:\n    list: role(boss)\n    read: role(boss)\nentity Task:\n  id: uuid pk\n  pay: ref Pay\n  cost: computed pay.amount * 2\n  permit:\n    list: true\n    read: true\n",
        "persona boss\nentity Pay:\n  id: uuid pk\n  amount: int\n  permit:\n    list: role(boss)\n    read: role(boss)\nentity Task:\n  id: uuid pk\n  pay: ref Pay\n  cost: computed pay.amount * 2\n  permit:\n    list: role(boss)\n    read: role(boss)\n",
    ),
];

const MOST: usize = 40;

const MANY: &str = "entity Task:\n  id: uuid pk\n  a0: int\n  a1: int\n  a2: int\n  a3: int\n  a4: int\n  a5: int\n  a6: int\n  a7: int\n  a8: int\n  a9: int\n  b0: int\n  b1: int\n  b2: int\n  b3: int\n  b4: int\n  b5: int\n  b6: int\n  b7: int\n  b8: int\n  b9: int\n  c0: int\n  c1: int\n  c2: int\n  c3: int\n  c4: int\n  c5: int\n  c6: int\n  c7: int\n  c8: int\n  c9: int\n  d0: int\n  d1: int\n  d2: int\n  d3: int\n  d4: int\n  d5: int\n  d6: int\n  d7: int\n  d8: int\n  d9: int\n  permit:\n    list: true\n    read: true\n";

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for (at, entity) in model.entities.iter().enumerate() {
        polymorphic(entity, out);
        discloses(model, EntityId(at), out);
        let declared = entity.fields.iter().filter(|field| field.span != entity.span).count();
        if declared > MOST {
            out.push(
                Diagnostic::lint("too-many-fields", entity.span, format!("`{}` has {declared} fields", entity.name))
                    .help("group what belongs together in an entity of its own, and refer to it"),
            );
        }
    }
}

fn polymorphic(entity: &Entity, out: &mut Diagnostics) {
    for field in &entity.fields {
        let Some(stem) = field.name.strip_suffix("_type").filter(|_| matches!(field.ty, FieldType::Str(_) | FieldType::Enum(_))) else {
            continue;
        };
        let key = format!("{stem}_id");
        let is_key = |other: &&crate::model::Field| {
            other.name == key && matches!(other.ty, FieldType::Uuid | FieldType::Int { .. } | FieldType::Str(_))
        };
        if let Some(id) = entity.fields.iter().find(is_key) {
            out.push(
                Diagnostic::lint(
                    "polymorphic-key",
                    id.span,
                    format!("`{}` and `{}` refer to rows that no foreign key guards", field.name, id.name),
                )
                .label(field.span, "the type that goes with it")
                .help("use one optional `ref` for each entity it may refer to, and an invariant that exactly one is set"),
            );
        }
    }
}

/// The conditions of reading an entity, to be compared.
fn reading(model: &Model, entity: EntityId) -> (Option<&Expr>, Option<&Expr>) {
    let rule = model.entity(entity).access.permissions.iter().find(|it| it.action == Action::Read);
    (rule.and_then(|it| it.permit.as_ref()), rule.and_then(|it| it.forbid.as_ref()))
}

fn discloses(model: &Model, at: EntityId, out: &mut Diagnostics) {
    for field in &model.entity(at).fields {
        let Some(computed) = &field.computed else { continue };
        let mut others: Vec<EntityId> = Vec::new();
        walk(computed, &mut |expr| match expr {
            // Also inside of an aggregate, where a path begins in the child.
            Expr::Path(path) if !path.hops.is_empty() => others.push(path.end(&model.entities).0),
            Expr::Aggregate { relation, .. } => match model.field(relation.from, relation.field).ty {
                FieldType::HasMany { entity, .. } | FieldType::HasOne { entity, .. } => others.push(entity),
                FieldType::ManyToMany { entity, through } => others.extend([entity, through.entity]),
                _ => {}
            },
            _ => {}
        });
        let hidden = others.into_iter().find(|other| *other != at && reading(model, *other) != reading(model, at));
        if let Some(other) = hidden {
            let (own, other) = (&model.entity(at).name, &model.entity(other).name);
            out.push(
                Diagnostic::lint(
                    "computed-discloses",
                    field.span,
                    format!("who may read a `{own}` learns from `{}` about `{other}`", field.name),
                )
                .help(format!("check that everybody who reads `{own}` may know this; access rules of `{other}` do not apply here")),
            );
        }
    }
}
