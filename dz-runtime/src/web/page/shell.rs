//! The frame around every page.

pub(crate) mod assets;
pub(crate) mod failure;
mod markup;
pub(crate) mod standalone;

use std::sync::Arc;

use askama::Template;

use crate::{
    Caller, Error, Result, Tx, access,
    def::{AppDef, Archetype, Mode, SurfaceDef},
    web::{
        Call,
        page::{Assets, Icon, Markup, admin, cell, identity::invitations, variant::Variant},
    },
};

/// The frame of a page: what stands around its content.
#[derive(Debug)]
pub struct Shell {
    /// Title of the page, in the browser's tab.
    pub title: String,
    /// Title of the application.
    pub app_title: &'static str,
    /// Its initial.
    pub mark: String,
    /// Language of the page.
    pub locale: &'static str,
    /// Stylesheets, besides the one of every page.
    pub styles: Vec<String>,
    /// Addresses of what pages load.
    pub assets: Arc<Assets>,
    /// With or without navigation.
    pub frame: Frame,
    /// As wide as a form rather than as the window.
    pub narrow: bool,
    /// The dialect.
    pub markup: Markup,
}

/// What stands around the content.
#[derive(Debug)]
pub enum Frame {
    /// Navigation at the side.
    App {
        /// Groups of the navigation.
        groups: Vec<NavGroup>,
        /// Who is signed in.
        who: Option<CurrentUser>,
        /// The form token.
        csrf: String,
        /// The tenants to go on in.
        tenants: Vec<TenantChoice>,
    },
    /// One card in the middle.
    Standalone {
        /// As wide as a sentence rather than as a field.
        wide: bool,
    },
}

/// A tenant to go on in.
#[derive(Debug)]
pub struct TenantChoice {
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// It is the one where the caller is.
    pub current: bool,
}

/// A group of the navigation.
#[derive(Debug)]
pub struct NavGroup {
    /// Unique on the page.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its links.
    pub entries: Vec<NavEntry>,
}

/// A link of the navigation.
#[derive(Debug)]
pub struct NavEntry {
    /// Where it leads.
    pub href: String,
    /// What it says.
    pub label: &'static str,
    /// Its mark.
    pub mark: String,
    /// Colour of the mark.
    pub tone: &'static str,
    /// The page belongs to it.
    pub current: bool,
}

/// Who is signed in, as the navigation shows it.
#[derive(Debug)]
pub struct CurrentUser {
    /// Name or address.
    pub label: String,
    /// Titles of the roles.
    pub roles: String,
    /// Initials.
    pub mark: String,
    /// Colour of the mark.
    pub tone: &'static str,
}

/// What kind of page it is, and so which stylesheets it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageKind {
    List,
    Record,
    Form,
    Plain,
}

#[derive(Template)]
#[template(path = "layout.html")]
struct Layout<'a> {
    of: &'a Shell,
    content: &'a str,
}

/// The initial of an application.
pub(crate) fn app_initial(app: &AppDef) -> String {
    app.title.chars().next().map(|c| c.to_uppercase().collect()).unwrap_or_default()
}

impl Shell {
    /// The frame of a page of the application, for this caller.
    pub(crate) fn app(tx: &Tx<'_>, call: &Call, title: impl Into<String>, part: PageKind, current: Option<&SurfaceDef>) -> Shell {
        let app = tx.app;
        let frame = Frame::App {
            groups: build_navigation(tx, call, current),
            who: current_user(app, tx.caller()),
            csrf: call.csrf.clone(),
            tenants: tenant_choices(tx.caller()),
        };
        let mut shell = Shell::standalone(app, call.markup, title, frame);
        shell.narrow = matches!(part, PageKind::Form | PageKind::Plain);
        shell.styles.extend(match part {
            PageKind::List => vec![shell.assets.list.clone()],
            PageKind::Record => vec![shell.assets.list.clone(), shell.assets.record.clone()],
            PageKind::Form => vec![shell.assets.list.clone(), shell.assets.record.clone(), shell.assets.form.clone()],
            PageKind::Plain => vec![shell.assets.record.clone(), shell.assets.form.clone()],
        });
        shell
    }

    /// The frame of a page that stands alone.
    pub(crate) fn standalone(app: &'static AppDef, markup: Markup, title: impl Into<String>, frame: Frame) -> Shell {
        let mark = app_initial(app);
        let assets = Assets::for_app(app.hue, &mark, markup);
        Shell {
            title: title.into(),
            app_title: app.title,
            mark,
            locale: app.locale,
            styles: vec![assets.base.clone()],
            assets,
            frame,
            narrow: false,
            markup,
        }
    }

    /// The whole page around `content`, in the prefixed dialect.
    ///
    /// # Errors
    ///
    /// When the template fails, which askama's templates over valid data do not.
    pub fn render(&self, content: &str) -> Result<String> {
        Layout { of: self, content }.render().map_err(Error::internal)
    }
}

/// Groups of links to what the caller may see: lists first, then forms without a list.
fn build_navigation(tx: &Tx<'_>, call: &Call, current: Option<&SurfaceDef>) -> Vec<NavGroup> {
    let app = tx.app;
    let mut records = Vec::new();
    let mut people = Vec::new();
    let mut admin = Vec::new();
    for surface in visible_surfaces(tx) {
        let entity = app.entity(surface.entity);
        let entry = NavEntry {
            href: surface.address(),
            label: surface.title,
            mark: entity.mark.to_owned(),
            tone: cell::entity_tone(entity),
            current: current.is_some_and(|at| {
                at.name == surface.name || (at.mode != Mode::List && at.entity == surface.entity && is_first_list(tx, surface))
            }),
        };
        match entity.tenancy.archetype {
            Some(Archetype::Settings | Archetype::Tenant | Archetype::TenantSettings) => admin.push(entry),
            _ if entity.account || entity.tenancy.archetype.is_some() => people.push(entry),
            _ => records.push(entry),
        }
    }
    people.extend(invitations::nav_entry(tx, call));
    admin.extend(admin::links(tx));
    [("records", "Records", records), ("people", "People", people), ("admin", "Administration", admin)]
        .into_iter()
        .filter(|(_, _, entries)| !entries.is_empty())
        .map(|(id, title, entries)| NavGroup { id, title, entries })
        .collect()
}

/// True for the first list of its entity: pages of single rows belong to it.
fn is_first_list(tx: &Tx<'_>, surface: &SurfaceDef) -> bool {
    tx.app
        .surfaces
        .iter()
        .find(|other| other.mode == Mode::List && other.entity == surface.entity)
        .is_some_and(|first| first.name == surface.name)
}

/// The surfaces that navigation leads to, in the order in which they are declared.
pub(crate) fn visible_surfaces(tx: &Tx<'_>) -> Vec<&'static SurfaceDef> {
    let app = tx.app;
    let lists = app.surfaces.iter().copied().filter(|surface| surface.mode == Mode::List && can_open(tx, surface));
    let mut found: Vec<&'static SurfaceDef> = lists.collect();
    for surface in app.surfaces.iter().copied().filter(|surface| surface.mode == Mode::Create) {
        if can_open(tx, surface) && !found.iter().any(|list| list.entity == surface.entity) {
            found.push(surface);
        }
    }
    // The form for the one row of an entity is the only way to it.
    let settings = |surface: &&'static SurfaceDef| surface.mode == Mode::Edit && surface.place.route.is_some() && can_open(tx, surface);
    found.extend(app.surfaces.iter().copied().filter(settings));
    found
}

/// True when the role gate of the surface's action lets the caller in.
pub(crate) fn can_open(tx: &Tx<'_>, surface: &'static SurfaceDef) -> bool {
    let (app, engine, caller, entity) = (tx.app, tx.engine(), tx.caller(), tx.app.entity(surface.entity));
    if access::audience(caller, surface.place.audience).is_err() {
        return false;
    }
    match surface.mode {
        Mode::List => access::ask::<access::List>(app, engine, caller, entity).is_ok(),
        Mode::View => access::ask::<access::Read>(app, engine, caller, entity).is_ok(),
        Mode::Create => access::ask::<access::Create>(app, engine, caller, entity).is_ok() && !Variant::resolve(tx, surface).is_read_only(),
        Mode::Edit => access::ask::<access::Update>(app, engine, caller, entity).is_ok(),
    }
}

/// Titles of the caller's roles.
pub(crate) fn role_titles(app: &'static AppDef, caller: &Caller) -> Vec<&'static str> {
    let has = |at: usize| caller.roles & (1_u64 << (at as u32 % 64)) != 0;
    app.roles.iter().enumerate().filter(|(at, _)| has(*at)).map(|(_, role)| role.title).collect()
}

/// Where a caller may go on, with where it is now.
fn tenant_choices(caller: &Caller) -> Vec<TenantChoice> {
    let choice = |it: &crate::Membership| TenantChoice {
        key: it.tenant.to_key_text().unwrap_or_default(),
        name: it.name.clone(),
        current: caller.tenant() == Some(&it.tenant),
    };
    let mut choices: Vec<TenantChoice> = caller.memberships.iter().map(choice).collect();
    if !choices.is_empty() && choices.iter().all(|choice| !choice.current) {
        choices.insert(0, TenantChoice { key: String::new(), name: "Choose one".to_owned(), current: true });
    }
    choices
}

fn current_user(app: &'static AppDef, caller: &Caller) -> Option<CurrentUser> {
    let account = caller.account.as_ref()?;
    let roles = role_titles(app, caller);
    Some(CurrentUser {
        label: account.label.clone(),
        roles: if roles.is_empty() { "No role yet".to_owned() } else { roles.join(", ") },
        mark: cell::initials(&account.label),
        tone: cell::text_tone(&account.label),
    })
}
