//! The surface that a caller sees: as declared, or restricted by the variants of their personas.
//!
//! Pages use a surface only through this module. A caller with several personas gets the union of their variants; if one persona has no
//! variant, the surface is not restricted.

use crate::{
    Error, Result, Tx, Value,
    access::SurfaceScope,
    def::{
        AppDef, ColumnDef, EntityDef, Expr, FieldDef, FieldIx, FigureDef, MetricDef, Path, PrimaryButtonDef, SectionBody, SectionDef,
        SurfaceDef, VariantDef,
    },
    label::RowLabel,
    rows::{self, Row},
    web::{Call, request::csrf},
};

/// A surface with the variants of the caller.
pub(crate) struct Variant {
    surface: &'static SurfaceDef,
    /// In the order of the declaration; empty if the surface is not restricted.
    variants: Vec<&'static VariantDef>,
}

/// A section with the fields that the caller sees.
pub(crate) struct VariantSection {
    pub section: &'static SectionDef,
    /// The fields; empty for a section with a list of other rows.
    pub columns: Vec<&'static ColumnDef>,
}

/// The form parameter with the version of the row; it has a prefix if a field of the entity has the same name.
pub(crate) fn version_parameter(entity: &'static EntityDef) -> &'static str {
    if entity.find("version").is_some() { "dz.version" } else { "version" }
}

/// The form parameter with the form token; it has a prefix if a field of the entity has the same name.
pub(crate) fn token_parameter(entity: &'static EntityDef) -> &'static str {
    if entity.find("csrf").is_some() { csrf::PREFIXED_TOKEN } else { "csrf" }
}

impl Variant {
    /// Determines the variants of the caller.
    pub fn resolve(tx: &Tx<'_>, surface: &'static SurfaceDef) -> Variant {
        let mut of = Vec::new();
        if !surface.variants.is_empty() {
            // The same roles count as in the rules of the entity.
            let roles = tx.caller().for_entity(tx.app.entity(surface.entity)).roles;
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

    /// The rows of the surface, within the access rules.
    pub fn within(&self) -> SurfaceScope {
        let scopes: Option<Vec<_>> = self.variants.iter().map(|variant| variant.scope.as_ref()).collect();
        match scopes {
            Some(scopes) if !scopes.is_empty() => SurfaceScope::any_of(self.surface.name, scopes),
            _ => SurfaceScope::default(),
        }
    }

    /// Refuses a row that is not on the surface.
    ///
    /// # Errors
    /// 404.
    pub fn check_row(&self, tx: &mut Tx<'_>, key: &Value) -> Result<()> {
        rows::check_surface_scope(tx, tx.app.entity(self.surface.entity), key, &self.within())
    }

    /// True if a readable row is on the surface.
    pub fn shows_row(&self, tx: &mut Tx<'_>, key: &Value) -> Result<bool> {
        match self.check_row(tx, key) {
            Err(error) if error.status == 404 => Ok(false),
            reached => reached.map(|()| true),
        }
    }

    /// True if the surface is read-only for the caller.
    pub fn is_read_only(&self) -> bool {
        !self.variants.is_empty() && self.variants.iter().all(|variant| variant.read_only)
    }

    /// Refuses a write on a read-only surface.
    ///
    /// # Errors
    /// 403.
    pub fn check_writable(&self) -> Result<()> {
        match self.is_read_only() {
            true => Err(Error::forbidden(say!(
                "dz-nothing-can-be-changed-from",
                "\"{title}\" is read-only for you",
                title = self.surface.title
            ))),
            false => Ok(()),
        }
    }

    /// Refuses a form with fields that are hidden from the caller or read-only.
    ///
    /// # Errors
    /// 422 that names each field; 403 for a form without fields on a read-only surface.
    pub fn check_form(&self, tx: &Tx<'_>, call: &Call) -> Result<()> {
        let entity = tx.app.entity(self.surface.entity);
        let sent = call.form.iter().filter_map(|(name, _)| Some(entity.find(name.split('.').next()?)?.0));
        let parts = call.uploads.iter().map(|it| it.part.as_str()).chain(call.too_large.iter().map(|(part, _)| part.as_str()));
        let arrived = parts.filter_map(|part| Some(entity.find(part)?.0));
        let mut wrong: Vec<&str> = Vec::new();
        for at in sent.chain(arrived) {
            let name = entity.field(at).name;
            if (self.is_read_only() || self.hides(tx.app, &Path::to_field(entity.ix, at))) && !wrong.contains(&name) {
                wrong.push(name);
            }
        }
        if wrong.is_empty() { self.check_writable() } else { Err(refusal(&wrong)) }
    }

    /// Refuses a write of a field that is hidden from the caller.
    ///
    /// # Errors
    /// 422 that names the field.
    pub fn check_field(&self, tx: &Tx<'_>, at: FieldIx) -> Result<()> {
        match self.hides_own(tx.app, at) {
            true => Err(refusal(&[tx.app.entity(self.surface.entity).field(at).name])),
            false => Ok(()),
        }
    }

    /// True for a path that is hidden on the surface: of a hidden field, through one, or of a reference whose label is hidden.
    pub fn hides(&self, app: &'static AppDef, path: &Path) -> bool {
        !self.variants.is_empty() && self.variants.iter().all(|variant| self.is_hidden(app, variant, path))
    }

    /// As [`hides`](Variant::hides), for a field of the surface's own rows.
    pub fn hides_own(&self, app: &'static AppDef, at: FieldIx) -> bool {
        self.hides(app, &Path::to_field(self.surface.entity, at))
    }

    fn is_hidden(&self, app: &'static AppDef, variant: &VariantDef, path: &Path) -> bool {
        if variant.hide.is_empty() {
            return false;
        }
        let mut way = path.steps(app);
        if let Some(end) = way.last_mut() {
            // The currency is hidden with its amount.
            if let Some(amount) = end.field(app).kind.amount() {
                *end = end.sibling(amount);
            }
            // A reference shows the label of its target.
            if let Some(target) = end.target(app) {
                way.extend(RowLabel::without_sensitive(app, target).path.steps(app));
            }
        }
        let leads = |hidden: &Path| way.windows(hidden.steps(app).len()).any(|part| part == hidden.steps(app));
        variant.hide.iter().any(leads)
    }

    /// True if a variant of the caller shows the column.
    fn has_column(&self, app: &'static AppDef, path: &Path) -> bool {
        let shows = |variant: &&VariantDef| {
            (variant.show.is_empty() || variant.show.iter().any(|column| column.path == *path)) && !self.is_hidden(app, variant, path)
        };
        self.variants.is_empty() || self.variants.iter().any(shows)
    }

    /// The sections with the fields that the caller sees.
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

    /// All fields that the caller sees, as columns of a list.
    pub fn columns(&self, app: &'static AppDef) -> Vec<&'static ColumnDef> {
        let mut columns: Vec<_> = self.sections(app).into_iter().flat_map(|part| part.columns).collect();
        self.sort_columns(&mut columns);
        columns
    }

    /// Sorts the columns as in `show`, if every variant of the caller has one.
    fn sort_columns(&self, columns: &mut [&'static ColumnDef]) {
        if !self.variants.is_empty() && self.variants.iter().all(|variant| !variant.show.is_empty()) {
            let order: Vec<Path> = self.variants.iter().flat_map(|variant| variant.show).map(|column| column.path).collect();
            columns.sort_by_key(|column| order.iter().position(|path| *path == column.path));
        }
    }

    /// The label of rows on this surface; if it is hidden, the title of the entity and the beginning of the key.
    pub fn row_name(&self, app: &'static AppDef) -> RowLabel {
        let entity = app.entity(self.surface.entity);
        let name = RowLabel::with_sensitive(app, entity);
        if self.hides(app, &name.path) { RowLabel::from_key(entity) } else { name }
    }

    /// Loads the label of a row.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn load_label(&self, tx: &mut Tx<'_>, row: &Row) -> Result<String> {
        let (name, key) = (self.row_name(tx.app), row.value(tx.app.entity(self.surface.entity).pk));
        match name.own_field() {
            Some(at) => Ok(name.text(tx.app, row.value(at), key)),
            // The label is a field of another row.
            None => Ok(rows::label(tx, tx.app.entity(self.surface.entity), key)?.unwrap_or_else(|| name.text_from_key(tx.app, key))),
        }
    }

    /// As [`load_label`](Variant::load_label), from the values of the row itself.
    pub fn own_label(&self, app: &'static AppDef, row: &Row) -> String {
        let (name, key) = (self.row_name(app), row.value(app.entity(self.surface.entity).pk));
        name.own_field().map_or_else(|| name.text_from_key(app, key), |at| name.text(app, row.value(at), key))
    }

    /// The line below the title.
    pub fn purpose(&self) -> Option<&'static str> {
        self.variants.iter().find_map(|variant| variant.purpose).or(self.surface.purpose)
    }

    /// The text of an empty list.
    pub fn empty_text(&self) -> Option<&'static str> {
        self.variants.iter().find_map(|variant| variant.empty).or(self.surface.ux.empty)
    }

    /// The target of the primary button.
    pub fn primary(&self) -> Option<PrimaryButtonDef> {
        self.variants.iter().find_map(|variant| variant.primary)
    }

    /// The default of a field in a new row, if the variants set one.
    pub fn default(&self, tx: &Tx<'_>, at: FieldIx, field: &FieldDef) -> Option<Value> {
        let said = self.variants.iter().flat_map(|variant| variant.defaults).find(|(given, _)| *given == at);
        said.map(|(_, value)| rows::constant(value, field.kind, tx.caller(), tx.app))
    }

    /// The fields of a new row for which the variants set a default.
    pub fn preset_values(&self) -> impl Iterator<Item = FieldIx> + '_ {
        self.variants.iter().flat_map(|variant| variant.defaults).map(|(at, _)| *at)
    }

    /// The metrics above a list.
    pub fn figures(&self, app: &'static AppDef) -> Vec<&'static MetricDef> {
        let mut figures: Vec<&'static MetricDef> = Vec::new();
        for figure in self.variants.iter().flat_map(|variant| variant.metrics) {
            if !self.hides_own(app, figure.field) && !figures.iter().any(|other| other.field == figure.field) {
                figures.push(figure);
            }
        }
        figures
    }
}

impl Variant {
    /// The figures of workspaces above a list, except those that use a hidden field.
    pub fn workspace_figures(&self, app: &'static AppDef) -> Vec<&'static FigureDef> {
        let mut places: Vec<(u16, u16, u16)> = Vec::new();
        for place in self.variants.iter().flat_map(|variant| variant.figures) {
            if !places.contains(place) {
                places.push(*place);
            }
        }
        let figure = |(workspace, region, at): &(u16, u16, u16)| {
            app.workspaces.get(usize::from(*workspace))?.regions.get(usize::from(*region))?.figures.get(usize::from(*at))
        };
        places.iter().filter_map(figure).filter(|figure| !self.hides_any(app, &figure.expr)).collect()
    }
}

impl Variant {
    /// True if an expression uses a path that is hidden on the surface.
    fn hides_any(&self, app: &'static AppDef, expr: &Expr) -> bool {
        let mut hidden = false;
        expr.visit(&mut |part| {
            hidden |= match part {
                Expr::Path(path) => self.hides(app, path),
                Expr::EntityAggregate { value, .. } => value.is_some_and(|path| self.hides(app, &path)),
                _ => false,
            };
        });
        hidden
    }
}

fn list_columns(section: &'static SectionDef) -> Vec<&'static ColumnDef> {
    match section.body {
        SectionBody::Fields(columns) => columns.iter().collect(),
        SectionBody::Nested(_) => Vec::new(),
    }
}

/// The error for fields that cannot be set here.
fn refusal(names: &[&str]) -> Error {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let error = Error::new(
        422,
        "VALIDATION",
        say!("dz-fields-cannot-be-changed", "{fields} cannot be changed on this page", fields = quoted.join(", ")),
    );
    names.iter().fold(error, |error, name| error.at(name, say!("dz-cannot-be-changed-on-this-page", "cannot be changed on this page")))
}
