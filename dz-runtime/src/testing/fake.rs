//! Examples of rows: a plausible value in each required field.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::Utc;
use rust_decimal::Decimal;
use serde_json::json;
use uuid::Uuid;

use crate::{
    Error, NewRow, Result, Tx, Value, access, accounts,
    def::{AppDef, Auto, EntityDef, FieldDef, FieldIx, Kind},
    record::FieldValues,
    rows,
};

/// A new row with a plausible value in each required field. Texts are unique in the process.
///
/// A required reference points to no row yet: [`TestApp::create`](super::TestApp::create) creates the row. Set the fields that the test is
/// about:
///
/// ```ignore
/// let task = app.create(task::NewTask { title: "Paint the door".into(), ..task::fake() });
/// ```
///
/// # Panics
/// If no value is possible: for a required file, and for an entity whose `New…` struct does not accept the generated values.
pub fn fake<N: NewRow>() -> N {
    let entity = <N::Row as crate::Entity>::DEF;
    N::from_values(values(<N::Row as crate::Entity>::app(), entity))
        .unwrap_or_else(|error| panic!("no example of {} is possible: {error}", entity.name))
}

/// The values of the required fields without a default.
pub(super) fn values(app: &'static AppDef, entity: &'static EntityDef) -> FieldValues {
    static COUNT: AtomicI64 = AtomicI64::new(1);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut values = FieldValues::default();
    for (at, field) in (0..).zip(entity.fields) {
        let generated = at == entity.pk && field.kind.is_generated_key();
        let needed = field.required && field.default.is_none() && field.auto == Auto::No && !field.secret && field.is_stored();
        // The tenant is that of the unit of work.
        if !needed || generated || entity.tenancy.tenant == Some(at) {
            continue;
        }
        values.set(at, value(app, field, number));
        if let Some(beside) = field.currency_in {
            values.set(beside, "EUR");
        }
    }
    values
}

fn value(app: &'static AppDef, field: &'static FieldDef, number: i64) -> Value {
    let text = |text: String| match field.kind.max_length() {
        // The number at the end makes the text unique.
        Some(most) => {
            Value::Text(text.chars().skip(text.chars().count().saturating_sub(most as usize)).collect::<String>().trim().to_owned())
        }
        None => Value::Text(text),
    };
    match field.kind {
        Kind::Uuid => Value::Uuid(Uuid::now_v7()),
        Kind::Str(_) | Kind::Text => text(format!("{} {number}", field.title)),
        Kind::Slug => text(format!("{}-{number}", field.name.replace('_', "-").to_lowercase())),
        Kind::Email => Value::Text(format!("test{number}@example.com")),
        Kind::Url => Value::Text(format!("https://example.com/{number}")),
        Kind::Timezone => Value::Text("UTC".to_owned()),
        Kind::Currency { .. } => Value::Text("EUR".to_owned()),
        Kind::Int => Value::Int(number),
        Kind::Float => Value::Float(1.0),
        Kind::Decimal { scale, .. } => {
            let mut one = if scale > 0 { Decimal::new(1, scale.into()) } else { Decimal::ONE };
            one.rescale(scale.into());
            Value::Decimal(one)
        }
        Kind::Bool => Value::Bool(false),
        Kind::Date => Value::Date(Utc::now().date_naive()),
        Kind::DateTime => Value::DateTime(Utc::now()),
        Kind::Enum(of) => of.values.first().map_or(Value::Null, |value| Value::Text(value.name.to_owned())),
        Kind::Json => Value::Json(json!({})),
        Kind::Ref(to) => missing_key(app, app.entity(to)),
        // No value is possible without an upload.
        Kind::File { .. } => Value::Null,
        // Relations have no column.
        Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => Value::Null,
    }
}

/// The value of a reference in an example, until the row exists.
fn missing_key(app: &'static AppDef, target: &'static EntityDef) -> Value {
    let kind = target.key().kind;
    if let Some(to) = kind.target() {
        return missing_key(app, app.entity(to));
    }
    if kind.is_uuid() {
        return Value::Uuid(Uuid::nil());
    }
    if kind.is_text() { Value::Text(String::new()) } else { Value::Int(i64::MIN) }
}

/// Creates a row as the system, after the rows that its references need; returns its key.
///
/// # Errors
/// The errors of the rows and of hooks.
pub(super) fn create(tx: &mut Tx<'_>, entity: &'static EntityDef, mut values: FieldValues) -> Result<Value> {
    let app = tx.app();
    if let Some(at) = entity.tenancy.tenant.filter(|at| values.get(*at).is_none_or(Value::is_null)) {
        let tenant = app.tenant().ok_or_else(|| Error::internal("no entity is the tenant"))?;
        let key = match tx.tenant() {
            Some(key) => key.clone(),
            None => create(tx, tenant, self::values(app, tenant))?,
        };
        values.set(at, key);
    }
    let tenant = entity.tenancy.tenant.and_then(|at| values.get(at).cloned());
    for (at, field) in (0 as FieldIx..).zip(entity.fields) {
        let Some(to) = field.kind.target() else { continue };
        let target = app.entity(to);
        // The system has no account, so a default such as `current_user` is null.
        let default = || field.default.as_ref().map(|default| rows::constant(default, field.kind, tx.caller(), app));
        let missing = match values.get(at) {
            Some(key) => *key == missing_key(app, target),
            None => field.required && default().is_none_or(|key| key.is_null()),
        };
        if missing {
            let key = create_target(tx, target, tenant.clone())?;
            values.set(at, key);
        }
    }
    if entity.account {
        return accounts::insert(tx, values, None);
    }
    let grant = tx.ask::<access::Create>(entity)?;
    Ok(rows::create_row(tx, &grant, values)?.value(entity.pk).clone())
}

/// Creates the row of a reference, in the tenant of the row that refers to it.
fn create_target(tx: &mut Tx<'_>, target: &'static EntityDef, tenant: Option<Value>) -> Result<Value> {
    let mut values = self::values(tx.app(), target);
    if let Some((at, tenant)) = target.tenancy.tenant.zip(tenant) {
        values.set(at, tenant);
    }
    create(tx, target, values)
}

/// Declares the function that returns an example of a new row; only builds with the feature `testing` contain it.
#[doc(hidden)]
#[macro_export]
macro_rules! fake {
    ($new:ident) => {
        /// A new row with a plausible value in each required field, for tests. A required reference points to a row that
        /// [`TestApp::create`](::dz::testing::TestApp::create) creates.
        pub fn fake() -> $new {
            $crate::testing::fake()
        }
    };
}
