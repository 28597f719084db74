//! The Rust type and the SQL type of each field type.

use dz_dsl_file::{
    model::{EntityId, EnumId, Field, FieldType, Model},
    project::Keys,
};
use proc_macro2::TokenStream;
use quote::quote;

use super::names;

/// Rust types by their short names in the module of an entity, which imports them unless the standard library has them. A type
/// whose name the module declares itself is written with its path.
pub(super) struct Types<'m> {
    model: &'m Model,
    entity: EntityId,
    keys: Keys,
    /// Names of [`LONG`] that the module declares itself.
    hidden: Vec<&'static str>,
}

/// Short names of types, with their paths.
const LONG: &[(&str, &[&str])] = &[
    ("DateTime", &["dz"]),
    ("Decimal", &["dz"]),
    ("File", &["dz"]),
    ("Json", &["dz"]),
    ("NaiveDate", &["dz"]),
    ("Option", &["core", "option"]),
    ("String", &["std", "string"]),
    ("Utc", &["dz"]),
    ("Uuid", &["dz"]),
    ("Vec", &["std", "vec"]),
    ("bool", &["core", "primitive"]),
    ("f64", &["core", "primitive"]),
    ("i64", &["core", "primitive"]),
];

impl<'m> Types<'m> {
    pub fn new(model: &'m Model, at: usize, keys: Keys) -> Types<'m> {
        let entity = EntityId(at);
        let own = model.entity(entity);
        let declares = |name: &str| {
            let enums = || model.enums.iter().any(|it| it.name == name && it.owner.is_some_and(|(owner, _)| owner == entity));
            let drafts = || name.strip_prefix("New") == Some(&own.name) || name.strip_suffix("Changes") == Some(&own.name);
            own.name == name || drafts() || enums()
        };
        let hidden = LONG.iter().map(|(name, _)| *name).filter(|name| declares(name)).collect();
        Types { model, entity, keys, hidden }
    }

    /// The imports for the types of these fields.
    pub fn imports<'f>(&self, fields: impl Iterator<Item = &'f Field>) -> TokenStream {
        // A typed reference has the path of its type.
        let imported =
            fields.filter(|field| self.keys == Keys::Plain || field.ty.target().is_none()).flat_map(|field| self.imported(field.ty));
        let raw_key = self.imported(key(self.model, self.entity).ty);
        let mut used: Vec<&str> = imported.chain(raw_key).copied().filter(|it| !self.hidden.contains(it)).collect();
        used.sort_unstable();
        used.dedup();
        let used = used.into_iter().map(names::ident);
        let mut names = quote!(#(#used),*).into_iter().peekable();
        match names.peek() {
            None => TokenStream::new(),
            Some(_) => {
                let names: TokenStream = names.collect();
                quote!(use ::dz::{#names};)
            }
        }
    }

    fn imported(&self, ty: FieldType) -> &'static [&'static str] {
        match ty {
            FieldType::Uuid => &["Uuid"],
            FieldType::Decimal { .. } | FieldType::Money(_) => &["Decimal"],
            FieldType::Date => &["NaiveDate"],
            FieldType::DateTime => &["DateTime", "Utc"],
            FieldType::Json => &["Json"],
            FieldType::File { .. } => &["File"],
            FieldType::Ref(entity) => self.imported(key(self.model, entity).ty),
            FieldType::Str(_)
            | FieldType::Text
            | FieldType::Int { .. }
            | FieldType::Float
            | FieldType::Bool
            | FieldType::Enum(_)
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Currency { .. }
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => &[],
        }
    }

    /// A type by its name.
    pub fn named(&self, name: &'static str) -> TokenStream {
        let short = names::ident(name);
        if !self.hidden.contains(&name) {
            return quote!(#short);
        }
        let path = LONG.iter().filter(|(long, _)| *long == name).flat_map(|(_, path)| *path).map(|part| names::ident(part));
        quote!(#(::#path)*::#short)
    }

    /// The Rust type of a value that is not null.
    pub fn rust(&self, ty: FieldType) -> TokenStream {
        match ty {
            FieldType::Uuid => self.named("Uuid"),
            FieldType::Str(_)
            | FieldType::Text
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Currency { .. } => self.named("String"),
            FieldType::Int { .. } => self.named("i64"),
            FieldType::Float => self.named("f64"),
            FieldType::Decimal { .. } | FieldType::Money(_) => self.named("Decimal"),
            FieldType::Bool => self.named("bool"),
            FieldType::Date => self.named("NaiveDate"),
            FieldType::DateTime => {
                let (moment, zone) = (self.named("DateTime"), self.named("Utc"));
                quote!(#moment<#zone>)
            }
            FieldType::Enum(id) => match self.model.enums[id.0].owner {
                Some((owner, _)) if owner == self.entity => {
                    let name = names::enumeration(&self.model.enums[id.0]);
                    quote!(#name)
                }
                _ => enumeration(self.model, id),
            },
            FieldType::Json => self.named("Json"),
            FieldType::Ref(entity) => self.key(entity),
            FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => quote!(()),
            FieldType::File { .. } => self.named("File"),
        }
    }

    /// The Rust type of the key of an entity, and of references to it.
    pub fn key(&self, entity: EntityId) -> TokenStream {
        match self.keys {
            Keys::Plain => self.rust(key(self.model, entity).ty),
            Keys::Typed => {
                let row = row_path(self.model, entity, 1);
                quote!(::dz::Id<#row>)
            }
        }
    }

    /// The Rust type of the entity's own key.
    pub fn own_key(&self) -> TokenStream {
        self.key(self.entity)
    }

    /// The type of the entity's own key as it is stored.
    pub fn raw_key(&self) -> TokenStream {
        self.rust(key(self.model, self.entity).ty)
    }

    /// The Rust type of the value of a field of the entity, if it is not null.
    pub fn value(&self, field: &Field) -> TokenStream {
        if field.name == key(self.model, self.entity).name { self.own_key() } else { self.rust(field.ty) }
    }

    /// The Rust type of a field: an `Option` if null is allowed.
    pub fn field_type(&self, field: &Field) -> TokenStream {
        let inner = self.value(field);
        if field.required { inner } else { self.optional(&inner) }
    }

    /// The Rust type of a field in a row: an `Option` also if the caller may be unable to read the value.
    pub fn row_type(&self, field: &Field) -> TokenStream {
        let inner = self.value(field);
        if is_always_seen(field) { inner } else { self.optional(&inner) }
    }

    /// `Option<…>`
    pub fn optional(&self, inner: &TokenStream) -> TokenStream {
        let option = self.named("Option");
        quote!(#option<#inner>)
    }
}

/// True if every caller who reads a row finds a value in the field.
fn is_always_seen(field: &Field) -> bool {
    field.required && !field.sensitive
}

fn key(model: &Model, entity: EntityId) -> &Field {
    model.field(entity, model.entity(entity).pk)
}

/// For parts of the model that a build refuses before the expansion.
pub(super) fn unreachable_part() -> TokenStream {
    unreachable!("a declaration that needs this is refused first")
}

/// Names of SQL types that a column can shadow.
pub(super) const SQL: &[&str] = &["BigInt", "Bool", "Date", "DateTime", "Decimal", "Double", "Json", "Key", "Nullable", "Text", "Uuid"];

/// The SQL type of a column for `table!`: its short name, unless a column of the table has that name.
pub(super) fn sql(model: &Model, (entity, field): (EntityId, &Field), is_key: bool, hidden: bool, keys: Keys) -> TokenStream {
    let path = hidden.then(|| quote!(::dz::sql_types::));
    let of_key = field.ty.target().or(is_key.then_some(entity)).filter(|_| keys == Keys::Typed);
    let inner = of_key.map_or_else(|| sql_inner(model, field.ty), |entity| typed_key(model, entity));
    if is_key || is_always_seen(field) { quote!(#path #inner) } else { quote!(#path Nullable<#path #inner>) }
}

/// The SQL type of the key of an entity, if keys are typed.
fn typed_key(model: &Model, entity: EntityId) -> TokenStream {
    // The description of a column is in `schema::tasks::columns::__described`.
    let row = row_path(model, entity, 4);
    quote!(Key<#row>)
}

/// The path of a row struct, from a module `depth` levels below that of the application.
fn row_path(model: &Model, entity: EntityId, depth: usize) -> TokenStream {
    let entity = model.entity(entity);
    let (module, row) = (names::module(entity), names::row(entity));
    let up = std::iter::repeat_n(quote!(super::), depth);
    quote!(#(#up)* #module::#row)
}

fn sql_inner(model: &Model, ty: FieldType) -> TokenStream {
    match ty {
        FieldType::Uuid => quote!(Uuid),
        FieldType::Int { .. } => quote!(BigInt),
        FieldType::Float => quote!(Double),
        FieldType::Decimal { .. } | FieldType::Money(_) => {
            let (precision, scale) = ty.digits().unwrap_or_default();
            let (precision, scale) = (proc_macro2::Literal::u8_unsuffixed(precision), proc_macro2::Literal::u8_unsuffixed(scale));
            quote!(Decimal<#precision, #scale>)
        }
        FieldType::Bool => quote!(Bool),
        FieldType::Date => quote!(Date),
        FieldType::DateTime => quote!(DateTime),
        FieldType::Json | FieldType::File { .. } => quote!(Json),
        FieldType::Ref(entity) => sql_inner(model, key(model, entity).ty),
        FieldType::Str(_)
        | FieldType::Text
        | FieldType::Enum(_)
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Currency { .. } => quote!(Text),
        FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => unreachable_part(),
    }
}

/// The path of an enum, from inside an entity's module.
pub(super) fn enumeration(model: &Model, id: EnumId) -> TokenStream {
    let it = &model.enums[id.0];
    let name = names::enumeration(it);
    match it.owner {
        Some((entity, _)) => {
            let module = names::module(model.entity(entity));
            quote!(super::#module::#name)
        }
        None => quote!(super::enums::#name),
    }
}
