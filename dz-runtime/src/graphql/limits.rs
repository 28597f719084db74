//! The limits on documents, operations, responses and subscriptions.

use std::time::Duration;

/// The largest document in bytes.
pub(super) const MAX_DOCUMENT: usize = 64 << 10;
/// The largest nesting of a document. The introspection query of GraphQL.js needs 22 levels.
pub(super) const MAX_DEPTH: usize = 24;
/// The maximum number of tokens of a document, and of fields with all fragments.
pub(super) const MAX_TOKENS: usize = 10_000;
pub(super) const MAX_FIELDS: usize = 4_000;
/// The maximum number of values of all variables, with those inside of lists and objects. The value of a scalar `JSON` counts once.
pub(super) const MAX_VALUES: usize = 20_000;
/// The maximum number of errors of a document that are described; Juniper finds one for each unknown field and each wrong value.
pub(super) const MAX_ERRORS: usize = 100;
/// The number of rows of a list without `limit`.
pub(super) const DEFAULT_LIMIT: u64 = 100;
/// The largest `limit`.
pub(super) const MAX_LIMIT: u64 = 1_000;
/// The largest cost of an operation: each field costs one, times the rows of the lists around it. It is also the largest number of values
/// that an operation loads.
pub(super) const MAX_COMPLEXITY: u64 = 250_000;
/// The number of rows that the cost assumes for a relation without `limit`: most rows have few others, and the values that are loaded are
/// counted as well.
pub(super) const EXPECTED_CHILDREN: u64 = 10;
/// The maximum number of fields at the root of an operation.
pub(super) const MAX_ROOT_FIELDS: usize = 50;
/// The maximum number of references and relations of an operation, each of which is a statement.
pub(super) const MAX_RELATIONS: usize = 100;
/// The maximum number of connections that a many-to-many relation loads for all parents together.
pub(super) const MAX_PAIRS: u64 = 10_000;
/// The maximum number of bytes of all texts and JSON values of a response.
pub(super) const MAX_TEXT: usize = 16 << 20;
/// The maximum time in which the data of a query is loaded. A statement that runs is completed.
pub(super) const MAX_TIME: Duration = Duration::from_secs(10);
/// The maximum number of rows that belong to one new row.
pub(super) const MAX_CHILDREN: usize = 1_000;
/// The largest subscription in bytes, without blanks and other operations. Each change of its entity validates it again.
pub(super) const MAX_SUBSCRIPTION: usize = 8 << 10;
/// The largest number of rows whose removal a stream reports.
pub(super) const MAX_KNOWN: usize = 10_000;
