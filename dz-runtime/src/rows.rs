//! Untyped access to rows, for the API, the pages and the typed functions of the application.
//!
//! Every function takes a proof of access ([`Grant`](crate::access::Grant)). No other function reads or writes rows.

pub(crate) mod account;
mod account_address;
mod action;
mod audit;
mod bulk;
mod check;
mod create;
mod delete;
pub(crate) mod explain;
mod filter;
mod graph_edges;
mod input;
mod invariants;
mod joins;
mod junction;
mod key;
mod keyset;
mod label;
mod list;
mod lock_order;
mod options;
mod overwrite;
mod query;
mod reachable;
mod read;
mod read_many;
mod read_where;
mod referable;
mod restore;
mod select;
pub(crate) mod singleton;
pub(crate) mod temporal;
#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
pub(crate) mod tests;
pub(crate) mod timed_transitions;
mod total;
pub(crate) mod transitions;
mod unique;
mod update;
mod with_children;
mod write;
mod write_condition;

pub(crate) use crate::field::widen;
pub use crate::record::Row;
pub(crate) use action::run_action;
pub(crate) use audit::{is_audited, record_query, record_read, record_reads, record_write};
pub(crate) use bulk::run_each;
pub(crate) use check::{check_part, constant, stored_form};
pub use create::create;
pub(crate) use create::{create_row, insert_row};
pub use delete::delete;
pub(crate) use delete::{DeletedRows, delete_referrers, delete_with_cascades, is_deletable};
pub(crate) use filter::check_length;
pub use filter::{Filter, FilterOp};
pub use input::Input;
pub(crate) use joins::null_without_row;
pub use junction::Link;
pub(crate) use key::parse_key;
pub(crate) use label::ReferenceLabel;
pub use list::list;
#[cfg(feature = "graphql")]
pub(crate) use list::list_by_parent;
pub(crate) use list::{Group, GroupAggregate, GroupKey, aggregate, aggregate_groups, batch, keys};
#[cfg(feature = "graphql")]
pub(crate) use lock_order::lock_entities_in_order;
pub(crate) use lock_order::{lock_imports, lock_in_order};
pub(crate) use options::labels;
pub use options::{label, options};
pub(crate) use overwrite::overwrite;
pub use query::{Extra, Page, Query, RankedSearch, RowTest, RowsOfLevel};
pub(crate) use query::{MAX_HOPS, MAX_SORTS, MAX_VALUES};
pub(crate) use reachable::{depends_on_row, reachable_keys};
pub use read::read;
pub(crate) use read::{check_surface_scope, from_key, load_values, lock, mask, read_again};
pub(crate) use read_many::{is_readable, is_readable_key, read_many};
pub(crate) use read_where::{filter_own_fields, read_where};
pub(crate) use referable::{are_referable, hide_unseen};
pub use restore::restore;
pub(crate) use restore::restore_row;
pub(crate) use select::ROW;
pub use total::{Counting, Total};
pub(crate) use update::{make_transition, update_row};
pub use update::{replace, transition, update};
pub(crate) use with_children::{await_children, check_children, create_with_children, update_with_children};
pub(crate) use write_condition::{evaluate_conditions, row_as_table};

/// A column of the listed entity, as the statements of lists name it.
pub(crate) fn column_of_row(name: &str) -> String {
    select::column(select::ROW, name)
}
