//! The frame around every page.

pub(crate) mod assets;
pub(crate) mod failure;
mod markup;
pub(crate) mod standalone;

use std::sync::Arc;

use askama::Template;

use crate::{
    Caller, Error, Result, Tx, access,
    def::{AppDef, Archetype, Mode, SurfaceDef, WorkspaceDef},
    preferences::Density,
    texts,
    web::{
        Call,
        page::{Assets, Icon, Markup, admin, cell, experience, identity::invitations, inbox, variant::Variant, workspace},
    },
};

/// The frame around the content of a page.
#[derive(Debug)]
pub struct Shell {
    /// Title of the page, in the browser's tab.
    pub title: String,
    /// Title of the application.
    pub app_title: &'static str,
    /// The initial of the application.
    pub mark: String,
    /// Language of the page.
    pub locale: &'static str,
    /// Stylesheets, besides the one of every page.
    pub styles: Vec<String>,
    /// Scripts, besides the one of every page.
    pub scripts: Vec<String>,
    /// The addresses of assets.
    pub assets: Arc<Assets>,
    /// With or without navigation.
    pub frame: Frame,
    /// True for the width of a form, false for that of the window.
    pub narrow: bool,
    /// True for rows and controls of less height.
    pub compact: bool,
    /// The dialect.
    pub markup: Markup,
}

/// The frame around the content.
#[derive(Debug)]
pub enum Frame {
    /// With a navigation at the side.
    App {
        /// Groups of the navigation.
        groups: Vec<NavGroup>,
        /// The signed-in user.
        who: Option<CurrentUser>,
        /// The form token.
        csrf: String,
        /// The tenants of the user.
        tenants: Vec<TenantChoice>,
    },
    /// One centred card.
    Standalone {
        /// True for the width of a sentence, false for that of a field.
        wide: bool,
    },
}

/// A tenant in the tenant selection.
#[derive(Debug)]
pub struct TenantChoice {
    /// The key.
    pub key: String,
    /// The name.
    pub name: String,
    /// True for the current tenant.
    pub current: bool,
}

/// A group of the navigation.
#[derive(Debug)]
pub struct NavGroup {
    /// The id, unique on the page.
    pub id: &'static str,
    /// The title.
    pub title: &'static str,
    /// The links.
    pub entries: Vec<NavEntry>,
}

/// A link of the navigation.
#[derive(Debug)]
pub struct NavEntry {
    /// The address.
    pub href: String,
    /// The text.
    pub label: &'static str,
    /// The letters of the tile.
    pub mark: String,
    /// The colour of the tile.
    pub tone: &'static str,
    /// The icon in place of the letters.
    pub icon: Option<Icon>,
    /// True for the link of the current page.
    pub current: bool,
    /// What waits behind the link.
    pub count: Option<u64>,
}

/// The signed-in user in the navigation.
#[derive(Debug)]
pub struct CurrentUser {
    /// Name or address.
    pub label: String,
    /// Titles of the roles.
    pub roles: String,
    /// Initials.
    pub mark: String,
    /// The colour of the tile.
    pub tone: &'static str,
}

/// The kind of a page, which determines its stylesheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageKind {
    List,
    Record,
    Form,
    Graph,
    Plain,
    Workspace,
    /// A page of the application's own.
    Own,
}

/// The page whose link in the navigation is the current one.
#[derive(Clone, Copy)]
pub(crate) enum CurrentPage<'a> {
    None,
    Surface(&'a SurfaceDef),
    Workspace(&'a WorkspaceDef),
}

impl<'a> From<Option<&'a SurfaceDef>> for CurrentPage<'a> {
    fn from(surface: Option<&'a SurfaceDef>) -> Self {
        surface.map_or(CurrentPage::None, CurrentPage::Surface)
    }
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
    /// The frame of an application page for this caller.
    pub(crate) fn app<'a>(
        tx: &Tx<'_>,
        call: &Call,
        title: impl Into<String>,
        part: PageKind,
        current: impl Into<CurrentPage<'a>>,
    ) -> Shell {
        let app = tx.app;
        let frame = Frame::App {
            groups: build_navigation(tx, call, current.into()),
            who: current_user(app, tx.caller()),
            csrf: call.csrf.clone(),
            tenants: tenant_choices(tx.caller()),
        };
        let mut shell = Shell::standalone(app, call.markup, title, frame);
        shell.compact = tx.caller().preferences().density.unwrap_or_else(|| Density::of_app(app)) == Density::Compact;
        shell.narrow = matches!(part, PageKind::Form | PageKind::Plain);
        shell.styles.extend(match part {
            PageKind::List => vec![shell.assets.list.clone()],
            PageKind::Record => vec![shell.assets.list.clone(), shell.assets.record.clone()],
            PageKind::Graph => vec![shell.assets.list.clone(), shell.assets.record.clone(), shell.assets.graph.clone()],
            PageKind::Form | PageKind::Own => vec![shell.assets.list.clone(), shell.assets.record.clone(), shell.assets.form.clone()],
            PageKind::Workspace => vec![shell.assets.list.clone(), shell.assets.record.clone(), shell.assets.workspace.clone()],
            PageKind::Plain => vec![shell.assets.record.clone(), shell.assets.form.clone()],
        });
        shell
    }

    /// The frame of a standalone page.
    pub(crate) fn standalone(app: &'static AppDef, markup: Markup, title: impl Into<String>, frame: Frame) -> Shell {
        let mark = app_initial(app);
        let assets = Assets::for_app(app.hue, app.theme, &mark, markup);
        Shell {
            title: title.into(),
            app_title: texts::plain(dz_vocabulary::text_key::APP, app.title),
            mark,
            locale: texts::current().map_or(app.locale, |texts| texts.tag),
            styles: vec![assets.base.clone()],
            scripts: Vec::new(),
            assets,
            frame,
            narrow: false,
            compact: app.theme.compact,
            markup,
        }
    }

    /// True for a language that is written from right to left.
    pub(crate) fn is_right_to_left(&self) -> bool {
        texts::is_right_to_left(self.locale)
    }

    /// Renders the whole page around `content`, in the prefixed dialect.
    ///
    /// # Errors
    ///
    /// If the template fails, which valid data does not cause.
    pub fn render(&self, content: &str) -> Result<String> {
        Layout { of: self, content }.render().map_err(Error::internal)
    }
}

/// Groups of links that the caller can open: workspaces, then lists and forms without a list, then pages of the application's own.
pub(crate) fn build_navigation(tx: &Tx<'_>, call: &Call, current: CurrentPage<'_>) -> Vec<NavGroup> {
    let app = tx.app;
    let mut records = Vec::new();
    let mut people = Vec::new();
    let mut admin = Vec::new();
    let own = visible_workspaces(tx).map(|workspace| workspace_entry(workspace, current));
    let experiences = experience::nav_entries(tx, call);
    let workspaces: Vec<NavEntry> = inbox::nav_entry(call).into_iter().chain(own).chain(experiences).collect();
    let mut surfaces = visible_surfaces(tx);
    surfaces.sort_by_key(|surface| surface.priority);
    for surface in surfaces {
        let entity = app.entity(surface.entity);
        let entry = NavEntry {
            href: surface.address(),
            label: surface.title,
            mark: entity.mark.to_owned(),
            tone: cell::entity_tone(entity),
            icon: None,
            current: matches!(current, CurrentPage::Surface(at) if at.name == surface.name
                || (at.mode != Mode::List && at.entity == surface.entity && is_first_list(tx, surface))),
            count: None,
        };
        match entity.tenancy.archetype {
            Some(Archetype::Settings | Archetype::Tenant | Archetype::TenantSettings) => admin.push(entry),
            _ if entity.account || entity.tenancy.archetype.is_some() => people.push(entry),
            _ => records.push(entry),
        }
    }
    people.extend(invitations::nav_entry(tx, call));
    admin.extend(admin::links(tx));
    [
        ("workspaces", say!("dz-workspaces", "Workspaces"), workspaces),
        ("records", say!("dz-records", "Records"), records),
        ("pages", say!("dz-pages", "Pages"), own_pages(tx, call).collect()),
        ("people", say!("dz-people", "People"), people),
        ("admin", say!("dz-administration", "Administration"), admin),
    ]
    .into_iter()
    .filter(|(_, _, entries)| !entries.is_empty())
    .map(|(id, title, entries)| NavGroup { id, title, entries })
    .collect()
}

/// The links to pages of the application's own.
fn own_pages<'t>(tx: &'t Tx<'_>, call: &'t Call) -> impl Iterator<Item = NavEntry> + 't {
    let roles = if tx.caller().account.is_some() { tx.caller().roles } else { 0 };
    tx.hooks.pages.iter().filter(move |page| page.roles & roles != 0).map(move |page| NavEntry {
        href: page.path.clone(),
        label: page.title,
        mark: page.title.chars().take(1).flat_map(char::to_uppercase).collect(),
        tone: "gray",
        icon: None,
        current: page.is_at(&call.path),
        count: None,
    })
}

/// The workspaces that the caller can open, in the order of the declaration.
pub(crate) fn visible_workspaces<'t>(tx: &'t Tx<'_>) -> impl Iterator<Item = &'static WorkspaceDef> + 't {
    tx.app.workspaces.iter().filter(|workspace| workspace::can_open(tx, workspace))
}

fn workspace_entry(workspace: &'static WorkspaceDef, current: CurrentPage<'_>) -> NavEntry {
    NavEntry {
        href: workspace.address(),
        label: workspace.title,
        mark: String::new(),
        tone: "gray",
        icon: Some(Icon("board")),
        current: matches!(current, CurrentPage::Workspace(at) if at.name == workspace.name),
        count: None,
    }
}

/// True for the first list of an entity, to which the pages of single rows belong.
fn is_first_list(tx: &Tx<'_>, surface: &SurfaceDef) -> bool {
    tx.app
        .surfaces
        .iter()
        .find(|other| other.mode == Mode::List && other.entity == surface.entity)
        .is_some_and(|first| first.name == surface.name)
}

/// The surfaces in the navigation, in the order of the declaration.
pub(crate) fn visible_surfaces(tx: &Tx<'_>) -> Vec<&'static SurfaceDef> {
    let app = tx.app;
    let lists = app.surfaces.iter().copied().filter(|surface| surface.mode == Mode::List && can_open(tx, surface));
    let mut found: Vec<&'static SurfaceDef> = lists.collect();
    for surface in app.surfaces.iter().copied().filter(|surface| surface.mode == Mode::Create) {
        if can_open(tx, surface) && !found.iter().any(|list| list.entity == surface.entity) {
            found.push(surface);
        }
    }
    // The form of a singleton is its only page.
    let settings = |surface: &&'static SurfaceDef| surface.mode == Mode::Edit && surface.place.route.is_some() && can_open(tx, surface);
    found.extend(app.surfaces.iter().copied().filter(settings));
    found
}

/// True if the role permits the action of the surface.
pub(crate) fn can_open(tx: &Tx<'_>, surface: &'static SurfaceDef) -> bool {
    let (app, engine, caller, entity) = (tx.app, tx.engine(), tx.caller(), tx.app.entity(surface.entity));
    if access::check_audience(&caller.for_entity(entity), surface.place.audience).is_err() {
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

/// The tenants of the caller, with the current one.
fn tenant_choices(caller: &Caller) -> Vec<TenantChoice> {
    let choice = |it: &crate::Membership| TenantChoice {
        key: it.tenant.to_key_text().unwrap_or_default(),
        name: it.name.clone(),
        current: caller.tenant() == Some(&it.tenant),
    };
    let mut choices: Vec<TenantChoice> = caller.memberships.iter().map(choice).collect();
    if !choices.is_empty() && choices.iter().all(|choice| !choice.current) {
        choices.insert(0, TenantChoice { key: String::new(), name: say!("dz-choose-one-2", "Choose one").to_owned(), current: true });
    }
    choices
}

fn current_user(app: &'static AppDef, caller: &Caller) -> Option<CurrentUser> {
    let account = caller.account.as_ref()?;
    let roles = role_titles(app, caller);
    Some(CurrentUser {
        label: account.label.clone(),
        roles: if roles.is_empty() { say!("dz-no-role-yet", "No role yet").to_owned() } else { roles.join(", ") },
        mark: cell::initials(&account.label),
        tone: cell::text_tone(&account.label),
    })
}
