//! Types of columns in the language.

/// The type of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed {
    /// Its text in a declaration.
    pub word: String,
    /// The property of the column type that this type lacks.
    pub lost: Option<String>,
}

/// The largest length of `str`.
const LONGEST: u32 = 10_000;
/// The most digits of `decimal`.
const DIGITS: u32 = 28;

/// The type of a field for a column; an error is the reason why there is none.
pub fn field_type(declared: &str) -> Result<Typed, String> {
    let lower = declared.to_lowercase();
    if lower.ends_with("[]") {
        return Ok(lossy("json", format!("`{declared}` is a list, which becomes json")));
    }
    let (word, arguments) = parts(&lower);
    let first = arguments.first().copied();
    let plain = |word: &str| Ok(Typed { word: word.to_owned(), lost: None });
    match word.as_str() {
        "uuid" | "guid" | "uniqueidentifier" => plain("uuid"),
        "tinyint" if first == Some(1) => plain("bool"),
        "int" | "integer" | "bigint" | "smallint" | "tinyint" | "mediumint" | "int2" | "int4" | "int8" | "serial" | "bigserial"
        | "smallserial" => plain("int"),
        "real" | "double" | "double precision" | "float" | "float4" | "float8" => plain("float"),
        "bool" | "boolean" => plain("bool"),
        "date" => plain("date"),
        "timestamp with time zone" | "timestamptz" | "datetimeoffset" => plain("datetime"),
        "timestamp without time zone" | "timestamp" | "datetime" | "datetime2" | "smalldatetime" => {
            Ok(lossy("datetime", format!("`{declared}` has no time zone; the values are read as UTC")))
        }
        "json" | "jsonb" => plain("json"),
        "text" | "clob" | "ntext" | "tinytext" | "mediumtext" | "longtext" | "string" => plain("text"),
        "citext" => Ok(lossy("text", "`citext` compares without case, and `text` does not".to_owned())),
        "character varying" | "varchar" | "character" | "char" | "nvarchar" | "nchar" | "bpchar" | "varying character"
        | "native character" => match first {
            Some(length @ 1..=LONGEST) => Ok(Typed { word: format!("str({length})"), lost: None }),
            Some(length) => Ok(lossy("text", format!("a `str` has at most {LONGEST} characters, not {length}"))),
            None if word.starts_with("char") && !word.ends_with("varying") && declared != "char" => plain("str(1)"),
            None => plain("text"),
        },
        "numeric" | "decimal" | "dec" | "number" => Ok(decimal(declared, &arguments)),
        "money" | "smallmoney" => {
            Ok(lossy("decimal(18, 2)", format!("`{declared}` has the currency of the server; `money(EUR)` names one")))
        }
        "bytea" | "blob" | "binary" | "varbinary" | "image" => Err("dz has no binary fields; a `file` holds an uploaded file".to_owned()),
        "tsvector" | "tsquery" => Err("dz has no search vectors; `searchable` declares the texts of a search".to_owned()),
        "" | "any" => Ok(lossy("text", "the column has no type".to_owned())),
        _ => Ok(lossy("text", format!("dz has no type for `{declared}`, which becomes text"))),
    }
}

fn lossy(word: &str, lost: String) -> Typed {
    Typed { word: word.to_owned(), lost: Some(lost) }
}

/// A type without its arguments, and the numbers among these.
fn parts(lower: &str) -> (String, Vec<u32>) {
    let Some((word, rest)) = lower.split_once('(') else { return (lower.trim().to_owned(), Vec::new()) };
    let (inner, behind) = rest.split_once(')').unwrap_or((rest, ""));
    let word = format!("{} {}", word.trim(), behind.trim());
    (word.trim().to_owned(), inner.split(',').filter_map(|it| it.trim().parse().ok()).collect())
}

fn decimal(declared: &str, arguments: &[u32]) -> Typed {
    match *arguments {
        [precision @ 1..=DIGITS] => Typed { word: format!("decimal({precision}, 0)"), lost: None },
        [precision @ 1..=DIGITS, scale] if scale <= precision => Typed { word: format!("decimal({precision}, {scale})"), lost: None },
        [] => lossy("decimal(28, 10)", format!("`{declared}` has any number of digits, and `decimal` at most {DIGITS}")),
        _ => {
            let scale = arguments.get(1).copied().unwrap_or(0).min(DIGITS);
            lossy(&format!("decimal({DIGITS}, {scale})"), format!("`{declared}` has more digits than `decimal`, which has {DIGITS}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::field_type;

    #[test]
    fn types_of_both_engines_have_a_counterpart() {
        for (declared, word, lossy) in [
            ("INTEGER", "int", false),
            ("NVARCHAR(160)", "str(160)", false),
            ("character varying(40)", "str(40)", false),
            ("character(2)", "str(2)", false),
            ("character varying", "text", false),
            ("VARCHAR(20000)", "text", true),
            ("NUMERIC(10,2)", "decimal(10, 2)", false),
            ("numeric(8)", "decimal(8, 0)", false),
            ("numeric", "decimal(28, 10)", true),
            ("numeric(40,10)", "decimal(28, 10)", true),
            ("double precision", "float", false),
            ("timestamp(3) with time zone", "datetime", false),
            ("timestamp without time zone", "datetime", true),
            ("DATETIME", "datetime", true),
            ("tinyint(1)", "bool", false),
            ("text[]", "json", true),
            ("interval", "text", true),
            ("", "text", true),
        ] {
            let typed = field_type(declared).unwrap_or_else(|error| panic!("{declared}: {error}"));
            assert_eq!((typed.word.as_str(), typed.lost.is_some()), (word, lossy), "{declared}");
        }
        assert!(field_type("bytea").is_err() && field_type("BLOB").is_err());
    }
}
