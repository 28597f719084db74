//! Descriptions without content, from which tests make theirs.

use super::{AppDef, EntityDef, LanguagesDef, LlmDef, Schemas, ThemeDef};
use crate::Engine;

impl AppDef {
    /// An application without entities.
    pub(crate) const EMPTY: AppDef = AppDef {
        name: "",
        title: "",
        description: None,
        timezone: "UTC",
        locale: "en",
        languages: LanguagesDef::NONE,
        hue: 250,
        theme: ThemeDef::DEFAULT,
        engine: Engine::Sqlite,
        roles: &[],
        entities: &[],
        account: 0,
        surfaces: &[],
        workspaces: &[],
        services: &[],
        processes: &[],
        llm: LlmDef::NONE,
        schedules: &[],
        experiences: &[],
        scenarios: &[],
        demo: &[],
        registration: None,
        access: "{}",
        schema: Schemas::NONE,
    };
}

impl EntityDef {
    /// An entity without fields.
    pub(crate) const EMPTY: EntityDef = EntityDef::new(0, "", "", "", "", 0);
}
