//! The command as users and editors run it.

mod access;
mod add;
#[cfg(feature = "mcp")]
mod agent;
#[cfg(feature = "dev")]
mod dev;
mod distribute;
mod docs;
mod doctor;
#[cfg(feature = "lsp")]
mod editor;
mod eject;
mod explain;
mod fmt;
mod folder;
#[cfg(feature = "mcp")]
mod helpdesk;
#[cfg(feature = "import")]
mod import_schema;
mod kg;
mod lint;
mod locale;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "lsp")]
mod lsp_editing;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "mcp")]
mod mcp_calls;
mod migrate;
mod new;
mod plan;
#[cfg(feature = "mcp")]
mod radio;
mod schema;
mod specs;
mod stubs;
mod validate;
