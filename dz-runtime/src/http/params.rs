//! Parameters of lists.

use crate::{
    Result,
    def::{AppDef, EntityDef, SurfaceDef},
    rows::Query,
};

/// What happens to a parameter that is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// It is refused, with the nearest name.
    Api,
    /// It is ignored.
    Page,
}

/// The query of a list, from decoded pairs.
pub fn parse(app: &'static AppDef, entity: &'static EntityDef, surface: Option<&'static SurfaceDef>, pairs: &[(String, String)], strictness: Strictness) -> Result<Query> {
    let _ = (app, entity, surface, pairs, strictness);
    todo!()
}
