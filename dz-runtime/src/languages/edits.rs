//! Edits of a declaration that a debug build takes over while `dz dev` runs it: texts, and the columns, the order, the filters and the
//! search of lists.
//!
//! `dz dev` sends them only if everything else of the declaration is equal to that of the build. A field is taken by its name from the
//! description of the build, so that its type and its rules are those of the build.

use serde::Deserialize;

use crate::{
    Error, Result,
    def::{AppDef, ColumnDef, EntityDef, FieldAt, FieldDef, ListUx, Mode, Path, SectionBody, SectionDef, SortDef, SurfaceDef},
};

/// The edits of a declaration since the build.
#[derive(Debug)]
pub(crate) struct Edits {
    /// Texts in the format of Fluent.
    texts: String,
    lists: Vec<(&'static str, &'static [SectionDef], ListUx)>,
}

/// The edits as `dz dev` sends them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    /// Texts in the format of Fluent.
    texts: String,
    lists: Vec<SentList>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentList {
    surface: String,
    sections: Vec<SentSection>,
    sort: Vec<SentKey>,
    filter: Vec<Vec<String>>,
    search: Vec<Vec<String>>,
    empty: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentSection {
    name: String,
    title: Option<String>,
    note: Option<String>,
    columns: Vec<SentColumn>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentColumn {
    path: Vec<String>,
    label: String,
    help: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentKey {
    path: Vec<String>,
    descending: bool,
}

impl Edits {
    /// Reads edits of the declaration of `app`.
    ///
    /// # Errors
    /// A name that the build does not know, and a field that no list shows.
    pub fn read(app: &'static AppDef, text: &str) -> Result<Edits> {
        let sent: Sent = serde_json::from_str(text).map_err(|error| Error::bad_request(format!("not edits: {error}")))?;
        let lists = sent.lists.into_iter().map(|list| read_list(app, list)).collect::<Result<Vec<_>>>()?;
        Ok(Edits { texts: sent.texts, lists })
    }

    /// The edited texts in the format of Fluent.
    pub fn texts(&self) -> &str {
        &self.texts
    }

    /// The description with the edited lists. It lives as long as the process.
    pub fn edit_lists(&self, app: &'static AppDef) -> &'static AppDef {
        let edit = |surface: &&'static SurfaceDef| -> &'static SurfaceDef {
            match self.lists.iter().find(|(name, ..)| *name == surface.name) {
                Some((_, sections, ux)) => Box::leak(Box::new(SurfaceDef { sections, ux: ux.clone(), ..(*surface).clone() })),
                None => surface,
            }
        };
        Box::leak(Box::new(AppDef { surfaces: app.surfaces.iter().map(edit).collect::<Vec<_>>().leak(), ..app.clone() }))
    }
}

fn read_list(app: &'static AppDef, sent: SentList) -> Result<(&'static str, &'static [SectionDef], ListUx)> {
    let known = app.surfaces.iter().copied().find(|surface| surface.name == sent.surface && surface.mode == Mode::List);
    let surface = known.ok_or_else(|| Error::bad_request(format!("the build has no list `{}`", sent.surface)))?;
    let entity = app.entity(surface.entity);
    let section = |sent: SentSection| -> Result<SectionDef> {
        let columns = sent.columns.into_iter().map(|column| read_column(app, surface, entity, column)).collect::<Result<Vec<_>>>()?;
        let (name, title, note) = (leak(sent.name), sent.title.map(leak), sent.note.map(leak));
        Ok(SectionDef { name, title, note, body: SectionBody::Fields(columns.leak()) })
    };
    let sections = sent.sections.into_iter().map(section).collect::<Result<Vec<_>>>()?;
    // A sensitive field is in no condition and no order, because these would reveal it.
    let path = |names: &Vec<String>| find_path(app, entity, names, |field| !field.secret && !field.sensitive);
    let sort =
        sent.sort.iter().map(|key| Ok(SortDef { path: path(&key.path)?, descending: key.descending })).collect::<Result<Vec<_>>>()?;
    let filter = sent.filter.iter().map(path).collect::<Result<Vec<_>>>()?;
    let search = sent.search.iter().map(path).collect::<Result<Vec<_>>>()?;
    let ux = ListUx { sort: sort.leak(), filter: filter.leak(), search: search.leak(), empty: sent.empty.map(leak) };
    Ok((surface.name, sections.leak(), ux))
}

/// A column of the build with its control, format and condition, or a new one.
fn read_column(app: &'static AppDef, surface: &'static SurfaceDef, entity: &'static EntityDef, sent: SentColumn) -> Result<ColumnDef> {
    let path = find_path(app, entity, &sent.path, |field| !field.secret)?;
    let columns = surface.sections.iter().flat_map(|section| match &section.body {
        SectionBody::Fields(columns) => *columns,
        SectionBody::Nested(_) => &[],
    });
    let built = columns.into_iter().find(|column| column.path == path).copied();
    let (label, help) = (leak(sent.label), sent.help.map(leak));
    Ok(ColumnDef { label, help, ..built.unwrap_or_else(|| ColumnDef::new(path, label)) })
}

fn find_path(app: &'static AppDef, entity: &'static EntityDef, names: &[String], permits: impl Fn(&FieldDef) -> bool) -> Result<Path> {
    let unknown = || Error::bad_request(format!("the build has no field `{}` for a list of `{}`", names.join("."), entity.name));
    let (mut at, mut steps) = (Some(entity), Vec::with_capacity(names.len()));
    for name in names {
        let of = at.ok_or_else(unknown)?;
        let found = of.fields.iter().zip(0..).find(|(field, _)| field.name == name && permits(field));
        let (field, position) = found.ok_or_else(unknown)?;
        steps.push(FieldAt::new(of.ix, position));
        at = field.kind.target().map(|target| app.entity(target));
    }
    Path::from_fields(&steps).ok_or_else(unknown)
}

fn leak(text: String) -> &'static str {
    text.leak()
}
