//! The application: roles, entities, surfaces, demo data, and `app()`.

use dz_dsl_file::{
    emit::{flow, schema::Engine},
    model::{DemoRow, DemoValue, Model, Persona, Scenario},
    project::Density,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{experience, expr, llm, names, positions, schedules, services, surface, workspace};
use crate::manifest::{Migration, Package};

pub(super) fn expand(model: &Model, package: &Package) -> TokenStream {
    let app = &model.app;
    let (name, title, timezone, locale) = (&app.name, &app.title, &app.timezone, &app.locale);
    let (hue, theme) = (positions::number(package.settings.theme.accent.unwrap_or(app.hue)), theme(package));
    let description = expr::option(app.description.as_ref().map(|it| quote!(#it)));
    let engine = expr::option(package.settings.project.database.map(|it| it.as_str()).map(|it| quote!(#it)));
    let languages = languages(package);
    let roles = model.personas.iter().map(|role| {
        let (name, title, declared) = (&role.name, &role.title, role.declared);
        let start = expr::option(start_address(model, role).map(|it| quote!(#it)));
        quote!(RoleDef { name: #name, title: #title, declared: #declared, start: #start })
    });
    let modules = model.entities.iter().map(names::module);
    let account = positions::entity(model, model.account);
    let surfaces = model.surfaces.iter().map(|it| surface::expand(model, it, package));
    let workspaces = model.workspaces.iter().map(|it| workspace::expand(model, it));
    let services = model.services.iter().map(|it| services::describe(model, it));
    let processes = flow::describe_all(model);
    let (llm, schedules) = (llm::describe(model), schedules::describe(model));
    let migrations = migrations(package);
    let experiences = model.experiences.iter().map(|it| experience::expand(model, it));
    let demo = model.demo.iter().map(|row| demo_row(model, row));
    let scenarios = model.scenarios.iter().map(|it| scenario(model, it));
    let agreed = lock_file_test(package);
    let registration = expr::option(app.registration.map(|it| quote!(#it)));
    // The name contains the version, so that a macro and a runtime of different versions fail to compile with a clear error.
    let lock = format_ident!("VERSION_{}", env!("CARGO_PKG_VERSION").replace(['.', '-'], "_"));
    let doc = format!(" {title}: the application, ready to be extended and started.");
    quote! {
        mod __dz_app {
            use ::dz::__private::def::*;

            const _: () = ::dz::__private::#lock;

            pub(super) static APP: AppDef = AppDef {
                name: #name,
                title: #title,
                description: #description,
                timezone: #timezone,
                locale: #locale,
                languages: #languages,
                hue: #hue,
                theme: #theme,
                engine: ::dz::__private::engine(#engine),
                roles: &[#(#roles,)*],
                entities: &[#(&super::#modules::ENTITY,)*],
                account: #account,
                surfaces: &[#(#surfaces,)*],
                workspaces: &[#(#workspaces,)*],
                services: &[#(#services,)*],
                processes: &[#(#processes,)*],
                llm: #llm,
                schedules: &[#(#schedules,)*],
                experiences: &[#(#experiences,)*],
                demo: &[#(#demo,)*],
                scenarios: &[#(#scenarios,)*],
                registration: #registration,
                access: super::__dz_documents::ACCESS,
                schema: Schemas::new(super::__dz_documents::SQLITE, super::__dz_documents::POSTGRES) #migrations,
            };
        }

        #[doc = #doc]
        pub fn app() -> ::dz::App {
            ::dz::App::new(&__dz_app::APP)
        }

        #agreed
    }
}

/// The look of the pages.
fn theme(package: &Package) -> TokenStream {
    let theme = &package.settings.theme;
    if package.logo.is_none() && (theme.radius, theme.density) == Default::default() {
        return quote!(ThemeDef::DEFAULT);
    }
    let (radius, compact) = (positions::number(theme.radius.percent()), theme.density == Density::Compact);
    let logo = expr::option(package.logo.as_deref().map(text_of));
    quote!(ThemeDef { radius: #radius, compact: #compact, logo: #logo })
}

/// The files of other languages, as texts that cargo watches.
fn languages(package: &Package) -> TokenStream {
    let files = package.locales.iter().map(|(tag, path)| {
        let text = text_of(path);
        quote!((#tag, #text))
    });
    quote!(LanguagesDef::new(&[#(#files,)*]))
}

/// The address of the start page of a persona.
fn start_address(model: &Model, persona: &Persona) -> Option<String> {
    let workspace = persona.default_workspace.map(|at| format!("/app/{}", model.workspaces[at.it.0].name));
    workspace.or_else(|| persona.default_route.as_ref().map(|route| route.it.clone()))
}

/// The test that compares the access rules with the lock file, if there is one.
fn lock_file_test(package: &Package) -> TokenStream {
    let Some(path) = &package.lock else { return TokenStream::new() };
    let text = text_of(path);
    let root = package.root.canonicalize().unwrap_or_default();
    let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
    quote! {
        #[cfg(test)]
        #[test]
        fn access_rules_match_the_lock_file() {
            ::dz::__private::check_lock(#name, #text, __dz_app::APP.access);
        }
    }
}

/// The migrations, as texts that cargo watches.
fn migrations(package: &Package) -> TokenStream {
    let Some(migrations) = &package.migrations else { return TokenStream::new() };
    let engine = match migrations.engine {
        Engine::Sqlite => quote!(::dz::Engine::Sqlite),
        Engine::Postgres => quote!(::dz::Engine::Postgres),
    };
    let all = migrations.all.iter().map(|migration| {
        let Migration { version, name, in_transaction, .. } = migration;
        let up = text_of(&migration.up);
        let down = migration.down.as_deref().map_or_else(|| quote!(""), text_of);
        quote!(MigrationDef { version: #version, name: #name, up: #up, down: #down, in_transaction: #in_transaction })
    });
    quote!(.with_migrations(#engine, &[#(#all,)*]))
}

fn text_of(path: &std::path::Path) -> TokenStream {
    let path = path.to_string_lossy();
    quote!(::core::include_str!(#path))
}

fn demo_row(model: &Model, row: &DemoRow) -> TokenStream {
    let entity = positions::entity(model, row.entity);
    let values = row.values.iter().map(|(field, value)| {
        let field = positions::field(model, row.entity, *field);
        let value = match value {
            DemoValue::Literal(literal) => {
                let literal = expr::expand(model, literal);
                quote!(DemoValue::Literal(#literal))
            }
            DemoValue::Row(at) => {
                let at = positions::index(*at);
                quote!(DemoValue::Row(#at))
            }
        };
        quote!((#field, #value))
    });
    let account = expr::option(row.account.as_ref().map(|account| {
        let password = expr::option(account.password.as_ref().map(|it| quote!(#it)));
        let roles = positions::roles(model, account.roles.iter().copied());
        quote!(DemoAccount { password: #password, roles: #roles })
    }));
    quote!(DemoRow { entity: #entity, values: &[#(#values),*], account: #account })
}

fn scenario(model: &Model, it: &Scenario) -> TokenStream {
    let Scenario { name, title, .. } = it;
    let description = expr::option(it.description.as_ref().map(|text| quote!(#text)));
    let starts = it.personas.iter().map(|start| {
        let role = positions::index(start.persona.it.0);
        let route = expr::option(start.start_route.as_ref().map(|route| &route.it).map(|route| quote!(#route)));
        quote!((#role, #route))
    });
    let rows = it.demo.iter().map(|row| demo_row(model, row));
    quote! {
        ScenarioDef {
            name: #name,
            title: #title,
            description: #description,
            starts: &[#(#starts),*],
            demo: &[#(#rows,)*],
        }
    }
}

#[cfg(test)]
mod tests {
    use dz_dsl_file::{SourceMap, analyse, project};

    use super::*;

    #[test]
    fn the_look_is_that_of_dz_toml() {
        let analysis = analyse(SourceMap::single("app.dsl", "app a:\n  theme: 7\n\nentity Note \"Note\":\n  id: uuid pk\n"));
        let model = analysis.model.expect("a model");
        let text = |package: &Package| expand(&model, package).to_string();
        let plain = Package::default();
        assert!(text(&plain).contains(&quote!(hue: 7, theme: ThemeDef::DEFAULT,).to_string()));
        let settings = project::read("[theme]\naccent = \"green\"\nradius = \"small\"\ndensity = \"compact\"\n").expect("settings");
        let themed = Package { settings, logo: Some("/brand/logo.svg".into()), ..Package::default() };
        let logo = quote!(::core::include_str!("/brand/logo.svg"));
        let expected = quote!(hue: 150, theme: ThemeDef { radius: 50, compact: true, logo: Some(#logo) },);
        assert!(text(&themed).contains(&expected.to_string()), "{}", text(&themed));
    }
}
