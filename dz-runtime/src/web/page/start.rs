//! The start page: the redirect of `/` and `/app` to the first page that the caller can open, and the page of a caller without a tenant.

use crate::{
    Error, Result, Tx,
    def::SurfaceDef,
    web::{
        Call, Reply,
        page::{
            Answer, Document,
            shell::{self, failure},
            workspace,
        },
    },
};

/// Redirects to the start page of the caller's roles, or else to the first page that the caller can see.
pub(super) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    if let Some(start) = find_start(tx) {
        return Ok(Reply::see_other(start));
    }
    if let Some(surface) = shell::visible_surfaces(tx).first() {
        return Ok(Reply::see_other(surface.address()));
    }
    let account = tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?;
    if let Some(workspace) = shell::visible_workspaces(tx).next() {
        return Ok(Reply::see_other(workspace.address()));
    }
    if tx.app.tenant().is_some() && tx.caller().membership.is_none() {
        return show_no_tenant(tx, call);
    }
    Ok(failure::no_role_page(tx.app, call, &account.email))
}

/// The start page that the first of the caller's roles declares, if the caller can open it.
fn find_start(tx: &Tx<'_>) -> Option<String> {
    let (app, caller) = (tx.app, tx.caller());
    let held = app.roles.iter().enumerate().filter(|(bit, _)| caller.roles >> bit & 1 == 1);
    held.filter_map(|(_, role)| role.start).find(|start| is_open(tx, start)).map(str::to_owned)
}

/// True for an address that the caller can open, as far as the declaration shows: pages of the framework refuse callers themselves.
fn is_open(tx: &Tx<'_>, address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or(address);
    if let Some(workspace) = tx.app.workspaces.iter().find(|workspace| workspace.address() == path) {
        return workspace::can_open(tx, workspace);
    }
    let own = |surface: &SurfaceDef| path.strip_prefix(&surface.address()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let surface = tx.app.surfaces.iter().copied().find(|surface| own(surface));
    path != "/app" && path != "/" && surface.is_none_or(|surface| shell::can_open(tx, surface))
}

#[derive(askama::Template)]
#[template(source = "<h1>{{ title }}</h1><p class=\"dz-muted\">{{ text }}</p>", ext = "html")]
struct NoTenantHtml {
    title: &'static str,
    text: &'static str,
}

/// The page of a caller without a tenant; the navigation lists the tenants.
fn show_no_tenant(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let text = match tx.caller().memberships.is_empty() {
        true => say!("dz-you-are-not-a-member-yet", "You are not a member yet. Ask an administrator to add you."),
        false => say!("dz-choose-a-tenant", "Choose a tenant in the navigation."),
    };
    let title = say!("dz-welcome", "Welcome");
    let content = askama::Template::render(&NoTenantHtml { title, text }).map_err(Error::internal)?;
    let shell = shell::Shell::app(tx, call, title, shell::PageKind::Plain, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(403, call.markup))
}
