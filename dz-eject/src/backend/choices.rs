//! The enumerations.

use dz_dsl_file::model::{EnumType, Model};

use crate::names::{choice, literal};

pub(super) fn write(model: &Model) -> String {
    let mut text = "//! The closed sets of values of fields.\n\nuse diesel::{\n    deserialize::{self, FromSql, FromSqlRow},\n    \
                    expression::AsExpression,\n    serialize::{self, Output, ToSql},\n    sql_types::Text,\n};\nuse serde::{Serialize, \
                    Serializer};\n\nuse crate::{db::Engine, values::Choice};\n"
        .to_owned();
    for of in &model.enums {
        text.push_str(&one(model, of));
    }
    text
}

fn one(model: &Model, of: &EnumType) -> String {
    let name = choice(model, of);
    let about = match &of.owner {
        Some((entity, field)) => {
            let entity = model.entity(*entity);
            format!("{} of {}.", entity.fields[field.0].title, super::rows(entity))
        }
        None => format!("{}.", of.title.as_deref().unwrap_or(&of.name)),
    };
    let variants: String = of
        .values
        .iter()
        .enumerate()
        .map(|(at, value)| format!("/// {}\n{}{},\n", value.title, if at == 0 { "#[default]\n" } else { "" }, value.variant))
        .collect();
    let all: String = of.values.iter().map(|value| format!("({}, {name}::{}),\n", literal(&value.name), value.variant)).collect();
    format!(
        "\n/// {about}\n#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, AsExpression, FromSqlRow)]\n#[diesel(sql_type = Text)]\npub \
         enum {name} {{\n{variants}}}\n\nimpl Choice for {name} {{\nconst ALL: &'static [(&'static str, Self)] = \
         &[\n{all}];\n}}\n\nimpl Serialize for {name} {{\nfn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> \
         {{\nserializer.serialize_str(self.as_str())\n}}\n}}\n\nimpl ToSql<Text, Engine> for {name} {{\nfn to_sql<'b>(&'b self, out: &mut \
         Output<'b, '_, Engine>) -> serialize::Result {{\n<str as ToSql<Text, Engine>>::to_sql(self.as_str(), out)\n}}\n}}\n\nimpl \
         FromSql<Text, Engine> for {name} {{\nfn from_sql(value: <Engine as diesel::backend::Backend>::RawValue<'_>) -> \
         deserialize::Result<Self> {{\nOk({name}::parse(&<String as FromSql<Text, Engine>>::from_sql(value)?)?)\n}}\n}}\n"
    )
}
