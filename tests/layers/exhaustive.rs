//! Matches on the enums of dz, read from the sources: a new variant does not compile before each place has decided about it.

use syn::{
    Arm, Expr, ExprLet, ExprMatch, File, Local, Macro, Pat, Path,
    parse::{Parse, ParseStream},
    spanned::Spanned,
    visit::{self, Visit},
};

/// Enums of other crates, and enums of dz of which code asks for one shape: a wildcard is the answer for all other shapes.
/// Expressions, values, tokens and the constructs of a file are trees with twenty shapes and more; what walks through all of them is a method
/// of theirs without a wildcard.
const OPEN: [&str; 14] = [
    // Of other crates.
    "Json",
    "ErrorKind",
    "DieselError",
    "DatabaseErrorKind",
    "DiscoveryError",
    "Category",
    "TokenTree",
    "Ordering",
    // Trees of dz.
    "Expr",
    "ExprKind",
    "Value",
    "TokenKind",
    "Item",
    "Function",
];

/// The enums of field types: other files ask their methods, and do not compare with some of their variants.
const FIELD_TYPES: [(&str, &[&str]); 2] =
    [("Kind", &["def/kind.rs", "dz-openapi/src/lib.rs"]), ("FieldType", &["model/field_type.rs", "model/field_type/questions.rs"])];

/// Variants of field types that no other enum called `Kind` has.
const VARIANTS: [&str; 22] = [
    "Uuid",
    "Str",
    "Text",
    "Int",
    "Float",
    "Decimal",
    "Bool",
    "Date",
    "DateTime",
    "Enum",
    "Json",
    "Email",
    "Url",
    "Timezone",
    "Currency",
    "Money",
    "Slug",
    "File",
    "Ref",
    "HasMany",
    "HasOne",
    "ManyToMany",
];

/// What a file has in the wrong form, with its line.
#[derive(Default)]
pub struct Found {
    /// Wildcards in matches on enums of dz.
    pub wildcards: Vec<(usize, String)>,
    /// Field types that are compared with some of their variants.
    pub comparisons: Vec<(usize, String)>,
}

impl Found {
    /// Reads the text of a file; `path` ends with the file's path in its crate.
    pub fn read(text: &str, path: &str) -> Found {
        let file: File = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let asks = FIELD_TYPES.iter().filter(|(_, own)| !own.iter().any(|own| path.ends_with(own))).map(|(name, _)| *name).collect();
        let mut reader = Reader { found: Found::default(), asks };
        reader.visit_file(&file);
        reader.found
    }
}

struct Reader {
    found: Found,
    /// The field types that this file has to ask.
    asks: Vec<&'static str>,
}

impl Reader {
    fn compare(&mut self, pattern: &Pat) {
        let names = field_types(pattern);
        if let Some(name) = names.iter().find(|name| self.asks.contains(&name.as_str())) {
            self.found.comparisons.push((pattern.span().start().line, name.clone()));
        }
    }

    fn look_at(&mut self, arms: &[Arm]) {
        let names: Vec<String> = arms.iter().flat_map(|arm| enums(&arm.pat)).collect();
        let Some(name) = names.iter().find(|name| !OPEN.contains(&name.as_str())) else { return self.look_into_tuples(arms) };
        for arm in arms.iter().filter(|arm| arm.guard.is_none() && is_wildcard(&arm.pat)) {
            self.found.wildcards.push((arm.pat.span().start().line, name.clone()));
        }
    }

    /// A field type in a tuple has no wildcard in its place.
    fn look_into_tuples(&mut self, arms: &[Arm]) {
        let parts = |arm: &Arm| alternatives(&arm.pat).into_iter().filter_map(tuple).collect::<Vec<_>>();
        let all: Vec<Vec<Pat>> = arms.iter().filter(|arm| arm.guard.is_none()).flat_map(parts).collect();
        let with_guards: Vec<Vec<Pat>> = arms.iter().flat_map(parts).collect();
        for place in 0..with_guards.iter().map(Vec::len).max().unwrap_or_default() {
            let of = with_guards.iter().filter_map(|parts| parts.get(place)).flat_map(field_types).next();
            let Some(name) = of else { continue };
            for part in all.iter().filter_map(|parts| parts.get(place)).filter(|part| is_wildcard(part)) {
                self.found.wildcards.push((part.span().start().line, name.clone()));
            }
            for arm in arms.iter().filter(|arm| arm.guard.is_none() && is_wildcard(&arm.pat)) {
                self.found.wildcards.push((arm.pat.span().start().line, name.clone()));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_expr_match(&mut self, it: &'ast ExprMatch) {
        self.look_at(&it.arms);
        visit::visit_expr_match(self, it);
    }

    fn visit_expr_let(&mut self, it: &'ast ExprLet) {
        self.compare(&it.pat);
        visit::visit_expr_let(self, it);
    }

    fn visit_local(&mut self, it: &'ast Local) {
        self.compare(&it.pat);
        visit::visit_local(self, it);
    }

    fn visit_macro(&mut self, it: &'ast Macro) {
        if it.path.is_ident("matches")
            && let Ok(Matches { value, pattern }) = it.parse_body()
        {
            self.compare(&pattern);
            self.visit_expr(&value);
        }
        visit::visit_macro(self, it);
    }
}

/// What `matches!` takes; its guard is left out.
struct Matches {
    value: Expr,
    pattern: Pat,
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Matches> {
        let value = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        input.parse::<proc_macro2::TokenStream>()?;
        Ok(Matches { value, pattern })
    }
}

/// The alternatives of a pattern, without references and names.
fn alternatives(pattern: &Pat) -> Vec<&Pat> {
    match pattern {
        Pat::Or(or) => or.cases.iter().flat_map(alternatives).collect(),
        Pat::Paren(inner) => alternatives(&inner.pat),
        Pat::Reference(inner) => alternatives(&inner.pat),
        Pat::Ident(ident) => ident.subpat.as_ref().map_or_else(|| vec![pattern], |(_, inner)| alternatives(inner)),
        _ => vec![pattern],
    }
}

fn path_of(pattern: &Pat) -> Option<&Path> {
    match pattern {
        Pat::Path(it) => Some(&it.path),
        Pat::TupleStruct(it) => Some(&it.path),
        Pat::Struct(it) => Some(&it.path),
        _ => None,
    }
}

/// The enums whose variants a pattern names as a whole: `Kind` of `Kind::Int | Kind::Text`.
fn enums(pattern: &Pat) -> Vec<String> {
    let of = |path: &Path| {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let [.., of, variant] = names.as_slice() else { return None };
        let is_type = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
        // A constant is written in capitals.
        let is_variant = is_type(variant) && (variant.len() == 1 || variant.chars().any(|c| c.is_ascii_lowercase()));
        (is_type(of) && of != "Self" && is_variant).then(|| of.clone())
    };
    alternatives(pattern).into_iter().filter_map(path_of).filter_map(of).collect()
}

/// The field types of which a pattern names variants, at any depth.
fn field_types(pattern: &Pat) -> Vec<String> {
    struct Paths(Vec<String>);
    impl<'ast> Visit<'ast> for Paths {
        fn visit_path(&mut self, path: &'ast Path) {
            let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            if let [.., of, variant] = names.as_slice()
                && FIELD_TYPES.iter().any(|(name, _)| of == name)
                && VARIANTS.contains(&variant.as_str())
            {
                self.0.push(of.clone());
            }
        }
    }
    let mut paths = Paths(Vec::new());
    paths.visit_pat(pattern);
    paths.0
}

fn tuple(pattern: &Pat) -> Option<Vec<Pat>> {
    if let Pat::Tuple(tuple) = pattern { Some(tuple.elems.iter().cloned().collect()) } else { None }
}

/// True for a pattern that takes every value.
fn is_wildcard(pattern: &Pat) -> bool {
    let is_name = |it: &Pat| matches!(it, Pat::Ident(name) if !name.ident.to_string().starts_with(|c: char| c.is_ascii_uppercase()));
    alternatives(pattern).into_iter().any(|it| matches!(it, Pat::Wild(_)) || is_name(it))
}

#[cfg(test)]
mod tests {
    use super::Found;

    fn wildcards(arms: &str) -> usize {
        Found::read(&format!("fn f() {{ match x {{ {arms} }} }}"), "a.rs").wildcards.len()
    }

    fn comparisons(code: &str, path: &str) -> usize {
        Found::read(&format!("fn f() {{ {code} }}"), path).comparisons.len()
    }

    #[test]
    fn wildcards_are_found_in_every_form() {
        assert_eq!(wildcards("Mode::List => 1, _ => 2"), 1);
        assert_eq!(wildcards("def::Mode::List(a) | Mode::View { .. } => 1, other => 2"), 1);
        assert_eq!(wildcards("&Mode::List => 1, &_ => 2"), 1);
        assert_eq!(wildcards("Mode::List => match y { Auto::No => 1, _ => 2 }, Mode::View => 3"), 1);
        assert_eq!(wildcards("(Kind::Int, a) => 1, (_, b) => 2"), 1);
        assert_eq!(wildcards("(a, Kind::Int) => 1, _ => 2"), 1);
    }

    #[test]
    fn complete_matches_have_none() {
        assert_eq!(wildcards("Mode::List => 1, Mode::View | Mode::Edit => 2"), 0);
        assert_eq!(wildcards("Mode::List => 1, _ if late => 2, mode @ (Mode::View | Mode::Edit) => 3"), 0);
        assert_eq!(wildcards("(Kind::Int, _) => 1, (Kind::Text, a) => 2"), 0);
        assert_eq!(wildcards("Value::Int(a) => 1, _ => 2"), 0, "values are one shape of many");
        assert_eq!(wildcards("Some(1) => 1, _ => 2"), 0);
        assert_eq!(wildcards("Self::LIMIT => 1, _ => 2"), 0);
    }

    #[test]
    fn comparisons_of_field_types_are_found_outside_their_own_file() {
        for code in [
            "matches!(a, Kind::Int | Kind::Text);",
            "if let Kind::Ref(to) = a {}",
            "let Kind::Ref(to) = a else { return };",
            "if x && let (Some(b), FieldType::Enum(of)) = a {}",
            "let b = matches!(a, Some(FieldType::Ref(_)) if c);",
        ] {
            assert_eq!(comparisons(code, "rows/a.rs"), 1, "{code}");
        }
        assert_eq!(comparisons("matches!(self, Kind::Int);", "dz-runtime/src/def/kind.rs"), 0);
        assert_eq!(comparisons("matches!(a, Kind::Create);", "rows/a.rs"), 0, "another enum of this name");
    }
}
