//! What a surface is for whoever asks: as it is declared, or what the variants of its personas leave of it.
//!
//! Everything that a page does with a surface asks here. Somebody with several personas gets the widest of their variants; one
//! persona without a variant, and nothing is narrowed.

use crate::{
    Error, Result, Tx, Value,
    access::Within,
    def::{AppDef, ColumnDef, FieldDef, FieldIx, FigureDef, Kind, OpeningDef, Path, SectionBody, SectionDef, SurfaceDef, VariantDef},
    label::Name,
    rows::{self, Row},
    web::Call,
};

/// A surface, and the variants that count for the caller.
pub(crate) struct Variant {
    surface: &'static SurfaceDef,
    /// In the order of the declaration; none where the surface is as it is declared.
    variants: Vec<&'static VariantDef>,
}

/// A section with what it shows the caller.
pub(crate) struct VariantSection {
    pub section: &'static SectionDef,
    /// Its fields; none of a section that lists other rows.
    pub columns: Vec<&'static ColumnDef>,
}

/// What forms send besides fields.
const FORM_PARAMETERS: [&str; 6] = ["csrf", "version", "then", "find", "was", "keep"];

impl Variant {
    /// What a surface is for the caller.
    pub fn resolve(tx: &Tx<'_>, surface: &'static SurfaceDef) -> Variant {
        let mut of = Vec::new();
        if !surface.variants.is_empty() {
            // The roles that count in the rules of the entity are those that count here.
            let roles = tx.caller().on(tx.app.entity(surface.entity)).roles;
            let named = surface.variants.iter().fold(0, |named, variant| named | variant.roles);
            if roles & !named == 0 {
                of.extend(surface.variants.iter().filter(|variant| variant.roles & roles != 0));
            }
        }
        Variant { surface, variants: of }
    }

    /// The surface.
    pub fn surface(&self) -> &'static SurfaceDef {
        self.surface
    }

    /// The rows that the surface shows, of those that the rules of access show.
    pub fn within(&self) -> Within {
        let scopes: Option<Vec<_>> = self.variants.iter().map(|variant| variant.scope.as_ref()).collect();
        match scopes {
            Some(scopes) if !scopes.is_empty() => Within::any_of(self.surface.name, scopes),
            _ => Within::default(),
        }
    }

    /// Refuses a row that the surface does not show.
    ///
    /// # Errors
    /// 404.
    pub fn check_row(&self, tx: &mut Tx<'_>, key: &Value) -> Result<()> {
        rows::reached(tx, tx.app.entity(self.surface.entity), key, &self.within())
    }

    /// True when a row that the caller may read has its place on the surface.
    pub fn shows_row(&self, tx: &mut Tx<'_>, key: &Value) -> Result<bool> {
        match self.check_row(tx, key) {
            Err(error) if error.status == 404 => Ok(false),
            reached => reached.map(|()| true),
        }
    }

    /// Nothing can be changed from here.
    pub fn is_read_only(&self) -> bool {
        !self.variants.is_empty() && self.variants.iter().all(|variant| variant.read_only)
    }

    /// Refuses a change where nothing can be changed.
    ///
    /// # Errors
    /// 403.
    pub fn check_writable(&self) -> Result<()> {
        match self.is_read_only() {
            true => Err(Error::forbidden(format!("Nothing can be changed from \"{}\"", self.surface.title))),
            false => Ok(()),
        }
    }

    /// Refuses a form that sends fields which are not there for the caller, or which cannot be changed here.
    ///
    /// # Errors
    /// 422 at each of them; 403 for a form without any where nothing can be changed.
    pub fn check_form(&self, tx: &Tx<'_>, call: &Call) -> Result<()> {
        let entity = tx.app.entity(self.surface.entity);
        let sent = call.form.iter().map(|(name, _)| name.split('.').next().unwrap_or_default());
        let sent = sent.filter(|name| !FORM_PARAMETERS.contains(name)).filter_map(|name| Some(entity.find(name)?.0));
        let arrived = call.uploads.iter().map(|it| it.at).chain(call.too_large.iter().map(|(at, _)| *at));
        let mut wrong: Vec<&str> = Vec::new();
        for at in sent.chain(arrived) {
            let name = entity.field(at).name;
            if (self.is_read_only() || self.hides(tx.app, &Path::own(entity.ix, at))) && !wrong.contains(&name) {
                wrong.push(name);
            }
        }
        if wrong.is_empty() { self.check_writable() } else { Err(refusal(&wrong)) }
    }

    /// Refuses to change a field that is not there for the caller.
    ///
    /// # Errors
    /// 422 at the field.
    pub fn check_field(&self, tx: &Tx<'_>, at: FieldIx) -> Result<()> {
        match self.hides_own(tx.app, at) {
            true => Err(refusal(&[tx.app.entity(self.surface.entity).field(at).name])),
            false => Ok(()),
        }
    }

    /// True for what is nowhere on the surface: a field that is hidden, what is reached through it, and a reference that would be
    /// shown by it.
    pub fn hides(&self, app: &'static AppDef, path: &Path) -> bool {
        !self.variants.is_empty() && self.variants.iter().all(|variant| self.is_hidden(app, variant, path))
    }

    /// As [`hides`](Variant::hides), of a field of the surface's own rows.
    pub fn hides_own(&self, app: &'static AppDef, at: FieldIx) -> bool {
        self.hides(app, &Path::own(self.surface.entity, at))
    }

    fn is_hidden(&self, app: &'static AppDef, variant: &VariantDef, path: &Path) -> bool {
        if variant.hide.is_empty() {
            return false;
        }
        let mut way = path.steps(app);
        if let Some(end) = way.last_mut() {
            // A currency is hidden with its amount.
            if let Kind::Currency { amount } = end.field(app).kind {
                *end = end.beside(amount);
            }
            // A reference at the end is shown by what names its row.
            if let Some(target) = end.target(app) {
                way.extend(Name::of(app, target).path.steps(app));
            }
        }
        let leads = |hidden: &Path| way.windows(hidden.steps(app).len()).any(|part| part == hidden.steps(app));
        variant.hide.iter().any(leads)
    }

    /// True when a column stands on the surface: some variant of the caller's shows it.
    fn has_column(&self, app: &'static AppDef, path: &Path) -> bool {
        let shows = |variant: &&VariantDef| {
            (variant.show.is_empty() || variant.show.iter().any(|column| column.path == *path)) && !self.is_hidden(app, variant, path)
        };
        self.variants.is_empty() || self.variants.iter().any(shows)
    }

    /// The sections in their order, each with its fields that the caller sees.
    pub fn sections(&self, app: &'static AppDef) -> Vec<VariantSection> {
        let mut parts: Vec<VariantSection> =
            self.surface.sections.iter().map(|section| VariantSection { section, columns: list_columns(section) }).collect();
        if self.variants.is_empty() {
            return parts;
        }
        let declared: Vec<Path> = parts.iter().flat_map(|part| &part.columns).map(|column| column.path).collect();
        if let Some(first) = parts.iter_mut().find(|part| matches!(part.section.body, SectionBody::Fields(_))) {
            for column in self.variants.iter().flat_map(|variant| variant.show).filter(|column| !declared.contains(&column.path)) {
                if !first.columns.iter().any(|other| other.path == column.path) {
                    first.columns.push(column);
                }
            }
        }
        for part in &mut parts {
            part.columns.retain(|column| self.has_column(app, &column.path));
            self.sort_columns(&mut part.columns);
        }
        let focus = self.variants.iter().map(|variant| variant.focus).find(|focus| !focus.is_empty()).unwrap_or_default();
        let mut places: Vec<usize> = (0..parts.len()).collect();
        places.sort_by_key(|at| focus.iter().position(|first| usize::from(*first) == *at).unwrap_or(focus.len()));
        let mut parts: Vec<Option<VariantSection>> = parts.into_iter().map(Some).collect();
        places.into_iter().filter_map(|at| parts.get_mut(at)?.take()).collect()
    }

    /// All fields that the caller sees, as the columns of a list.
    pub fn columns(&self, app: &'static AppDef) -> Vec<&'static ColumnDef> {
        let mut columns: Vec<_> = self.sections(app).into_iter().flat_map(|part| part.columns).collect();
        self.sort_columns(&mut columns);
        columns
    }

    /// Puts columns into the order in which `show` names them, where every variant of the caller's says one.
    fn sort_columns(&self, columns: &mut [&'static ColumnDef]) {
        if !self.variants.is_empty() && self.variants.iter().all(|variant| !variant.show.is_empty()) {
            let order: Vec<Path> = self.variants.iter().flat_map(|variant| variant.show).map(|column| column.path).collect();
            columns.sort_by_key(|column| order.iter().position(|path| *path == column.path));
        }
    }

    /// What names rows here; where that is hidden, the title and the beginning of the key.
    pub fn row_name(&self, app: &'static AppDef) -> Name {
        let entity = app.entity(self.surface.entity);
        let name = Name::of_shown(app, entity);
        if self.hides(app, &name.path) { Name::by_key(entity) } else { name }
    }

    /// What a row is called.
    ///
    /// # Errors
    /// 503 when the database is away.
    pub fn load_label(&self, tx: &mut Tx<'_>, row: &Row) -> Result<String> {
        let (name, key) = (self.row_name(tx.app), row.value(tx.app.entity(self.surface.entity).pk));
        match name.own() {
            Some(at) => Ok(name.text(tx.app, row.value(at), key)),
            // The name stands in another row.
            None => Ok(rows::label(tx, tx.app.entity(self.surface.entity), key)?.unwrap_or_else(|| name.unnamed(tx.app, key))),
        }
    }

    /// As [`label_of`](Variant::label_of), by what the row itself holds.
    pub fn own_label(&self, app: &'static AppDef, row: &Row) -> String {
        let (name, key) = (self.row_name(app), row.value(app.entity(self.surface.entity).pk));
        name.own().map_or_else(|| name.unnamed(app, key), |at| name.text(app, row.value(at), key))
    }

    /// One line under the title.
    pub fn purpose(&self) -> Option<&'static str> {
        self.variants.iter().find_map(|variant| variant.purpose).or(self.surface.purpose)
    }

    /// Words for an empty list.
    pub fn empty_text(&self) -> Option<&'static str> {
        self.variants.iter().find_map(|variant| variant.empty).or(self.surface.ux.empty)
    }

    /// What the button opens that stands out.
    pub fn primary(&self) -> Option<OpeningDef> {
        self.variants.iter().find_map(|variant| variant.primary)
    }

    /// The value that a field of a new row begins with here, as far as the variants say one.
    pub fn default(&self, tx: &Tx<'_>, at: FieldIx, field: &FieldDef) -> Option<Value> {
        let said = self.variants.iter().flat_map(|variant| variant.defaults).find(|(given, _)| *given == at);
        said.map(|(_, value)| rows::constant(value, field.kind, tx.caller(), tx.app))
    }

    /// The fields of a new row that begin with a value of the variants' own.
    pub fn preset_values(&self) -> impl Iterator<Item = FieldIx> + '_ {
        self.variants.iter().flat_map(|variant| variant.defaults).map(|(at, _)| *at)
    }

    /// The figures above a list.
    pub fn figures(&self, app: &'static AppDef) -> Vec<&'static FigureDef> {
        let mut figures: Vec<&'static FigureDef> = Vec::new();
        for figure in self.variants.iter().flat_map(|variant| variant.figures) {
            if !self.hides_own(app, figure.field) && !figures.iter().any(|other| other.field == figure.field) {
                figures.push(figure);
            }
        }
        figures
    }
}

fn list_columns(section: &'static SectionDef) -> Vec<&'static ColumnDef> {
    match section.body {
        SectionBody::Fields(columns) => columns.iter().collect(),
        SectionBody::Nested(_) => Vec::new(),
    }
}

/// What is said to somebody who sends fields that cannot be set here.
fn refusal(names: &[&str]) -> Error {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let error = Error::new(422, "VALIDATION", format!("{} cannot be changed on this page", quoted.join(", ")));
    names.iter().fold(error, |error, name| error.at(name, "cannot be changed on this page"))
}
