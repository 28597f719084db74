//! The rows of an event as text, by field name, because the declaration can change before the delivery.

use serde_json::{Map, Value as Json};

use crate::{
    Error, Result, Value,
    def::{AppDef, EntityDef, FieldDef},
    field,
    record::Row,
    trace,
};

/// The data of an event.
pub(super) struct Payload {
    pub(super) row: Row,
    pub(super) before: Option<Row>,
    pub(super) account: Option<Value>,
    /// The trace of the write.
    pub(super) trace: Option<String>,
}

/// Writes the data as text. Rows contain no secrets.
pub(super) fn write(app: &'static AppDef, entity: &'static EntityDef, before: Option<&Row>, row: &Row, account: Option<&Value>) -> String {
    let mut out = b"{\"row\":".to_vec();
    fields(entity, row, &mut out);
    if let Some(before) = before {
        out.extend(b",\"before\":");
        fields(entity, before, &mut out);
    }
    if let Some(account) = account {
        out.extend(b",\"account\":");
        field::write_json(app.account().key(), account, &mut out);
    }
    if let Some(trace) = trace::traceparent() {
        out.extend(format!(",\"trace\":\"{trace}\"").as_bytes());
    }
    out.push(b'}');
    // JSON text is UTF-8.
    String::from_utf8(out).unwrap_or_default()
}

fn fields(entity: &'static EntityDef, row: &Row, out: &mut Vec<u8>) {
    out.extend(format!("{{\"dz_version\":{}", row.version).as_bytes());
    for (field, value) in entity.fields.iter().zip(&row.values).filter(|(_, value)| !value.is_null()) {
        out.extend(format!(",\"{}\":", field.name).as_bytes());
        field::write_json(field, value, out);
    }
    out.push(b'}');
}

/// Parses the text.
pub(super) fn read(app: &'static AppDef, entity: &'static EntityDef, text: &str) -> Result<Payload> {
    let mut members: Map<String, Json> = serde_json::from_str(text).map_err(Error::internal)?;
    let mut take = |name: &str| members.remove(name);
    let row = take("row").ok_or_else(|| Error::internal("an event without its row"))?;
    let trace = take("trace").and_then(|trace| trace.as_str().map(str::to_owned));
    let account = take("account").map(|json| value(app, app.account().key(), &json)).transpose()?;
    Ok(Payload {
        row: self::row(app, entity, row)?,
        before: take("before").map(|json| self::row(app, entity, json)).transpose()?,
        account,
        trace,
    })
}

fn row(app: &'static AppDef, entity: &'static EntityDef, json: Json) -> Result<Row> {
    let values = entity.fields.iter().map(|field| json.get(field.name).map_or(Ok(Value::Null), |json| value(app, field, json)));
    let values = values.collect::<Result<Vec<_>>>()?;
    Ok(Row { values, version: json.get("dz_version").and_then(Json::as_i64).unwrap_or_default(), extra: Vec::new() })
}

fn value(app: &'static AppDef, field: &'static FieldDef, json: &Json) -> Result<Value> {
    field::from_json(app, field, json).map_err(|wrong| Error::internal(format_args!("`{}` of an event {wrong}", field.name)))
}
