//! `account export` and `account erase`: the data about one person, as Articles 15 and 17 of the GDPR ask for it.

mod background;
mod erase;
mod export;

pub(super) use self::{erase::erase, export::export};

use crate::{
    Value,
    db::{BindKind, Statement},
    def::{AppDef, EntityDef, FieldDef},
};

/// A reference field to accounts.
struct AccountReference {
    entity: &'static EntityDef,
    field: &'static FieldDef,
}

/// The references to accounts of all entities, those of the account entity to itself included.
fn references(app: &'static AppDef) -> Vec<AccountReference> {
    let account = app.account().ix;
    let of_entity = |entity: &'static EntityDef| {
        let fields = entity.fields.iter().filter(move |field| field.kind.target() == Some(account) && field.is_stored());
        fields.map(move |field| AccountReference { entity, field })
    };
    app.entities.iter().copied().flat_map(of_entity).collect()
}

impl AccountReference {
    /// ` WHERE` with the rows that refer to the account.
    fn condition(&self, app: &'static AppDef, account: &Value) -> Option<Statement> {
        let mut condition = Statement::new();
        let kind = BindKind::from_kind(self.field.kind, app)?;
        condition.push(" WHERE ").ident(self.field.name).push(" = ").bind(account.clone(), kind);
        Some(condition)
    }
}
