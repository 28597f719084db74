//! The value of a file field.

use diesel::deserialize::FromSqlRow;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{
    Error, FromValue, IntoValue, Value,
    def::{EntityDef, FieldDef},
    sql_types,
};

/// True for file fields.
pub(crate) fn is_file(field: &FieldDef) -> bool {
    field.kind.is_file()
}

/// The address of a row's file.
pub(crate) fn file_address(entity: &EntityDef, key: &Value, field: &FieldDef) -> String {
    format!("/files/{}/{}/{}", entity.table, key.to_path_segment(), field.name)
}

/// The metadata of a stored file: name, size and media type. For its content, see [`Cx::file`](crate::Cx::file).
///
/// A file that [`Cx::keep_file`](crate::Cx::keep_file) or an upload created can be attached once, to one field of one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromSqlRow)]
pub struct File {
    /// The identifier.
    pub id: Uuid,
    /// The original name without folders, at most 255 characters.
    #[serde(default)]
    pub name: String,
    /// The size in bytes.
    #[serde(default)]
    pub size: u64,
    /// The media type, detected from the first bytes; the name and the type that a client sends are ignored.
    #[serde(default, rename = "type")]
    pub media_type: String,
}

impl File {
    /// The stored JSON.
    pub(crate) fn json(&self) -> Json {
        serde_json::json!({ "id": self.id, "name": self.name, "size": self.size, "type": self.media_type })
    }

    /// Reads a file from the stored value of a field.
    pub(crate) fn from_stored(value: &Value) -> Option<File> {
        match value {
            Value::Json(json) => serde_json::from_value(json.clone()).ok(),
            _ => None,
        }
    }

    /// The identifier in the stored value of a field.
    pub(crate) fn stored_id(value: &Value) -> Option<Uuid> {
        let Value::Json(Json::Object(members)) = value else { return None };
        members.get("id").and_then(Json::as_str).and_then(|id| Uuid::try_parse(id).ok())
    }

    /// A value that contains only the identifier of an upload.
    pub(crate) fn reference(id: Uuid) -> Value {
        Value::Json(serde_json::json!({ "id": id }))
    }
}

impl FromValue for File {
    fn from_value(value: Value) -> Result<Self, Error> {
        File::from_stored(&value).ok_or_else(|| Error::internal(format_args!("expected a file, found {}", value.type_name())))
    }
}

impl IntoValue for File {
    fn into_value(self) -> Value {
        Value::Json(self.json())
    }
}

#[cfg(feature = "sqlite")]
mod on_sqlite {
    use diesel::{
        deserialize::{self, FromSql},
        serialize::{self, IsNull, Output, ToSql},
        sqlite::{Sqlite, SqliteValue},
    };

    use super::{File, sql_types::Json};
    use crate::value::storage;

    impl FromSql<Json, Sqlite> for File {
        fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
            Ok(serde_json::from_value(FromSql::<Json, Sqlite>::from_sql(value)?)?)
        }
    }

    impl ToSql<Json, Sqlite> for File {
        fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
            out.set_value(storage::json_text(&self.json()));
            Ok(IsNull::No)
        }
    }
}

#[cfg(feature = "postgres")]
mod on_postgres {
    use diesel::{
        deserialize::{self, FromSql},
        pg::{Pg, PgValue},
        serialize::{self, Output, ToSql},
    };

    use super::{File, sql_types::Json};

    impl FromSql<Json, Pg> for File {
        fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
            Ok(serde_json::from_value(FromSql::<Json, Pg>::from_sql(value)?)?)
        }
    }

    impl ToSql<Json, Pg> for File {
        fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
            ToSql::<Json, Pg>::to_sql(&self.json(), &mut out.reborrow())
        }
    }
}
