//! Whole pages over made-up data: what is escaped, what is where.

use super::*;
use crate::Engine;

/// An application without anything in it.
pub(super) fn app() -> &'static AppDef {
    static APP: AppDef = AppDef {
        name: "vets",
        title: "Harbour <Vets>",
        description: None,
        timezone: "Europe/Lisbon",
        locale: "en",
        hue: 262,
        engine: Engine::Sqlite,
        roles: &[],
        entities: &[],
        account: 0,
        surfaces: &[],
        demo: &[],
    };
    &APP
}
