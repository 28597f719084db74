//! Subscriptions: a subscription is executed as a query, once for each change of a row, under the rules of its caller at that time.

use std::{collections::HashSet, sync::Arc};

use dz_graphql::{ChangePart, Operation as Of, Source};
use juniper::{Definition, GraphQLError, OperationType, Selection, ValidatedOperation, parser::parse_document_source};

use super::{
    Endpoint, Operation, Refused, Request,
    data::{Data, Object},
    limits::{MAX_KNOWN, MAX_SUBSCRIPTION},
    load::Loader,
    plan::Selected,
    scalar::{self, Scalar},
    select,
};
use crate::{
    Error, Result, Tx,
    access::List,
    db::{Change, emit::Condition},
    def::{Comparison, EntityDef, FieldAt},
    rows::{self, Filter, FilterOp, Query, Row},
};

/// The keyword of a subscription, and that of a query in as many bytes, so that positions in the document stay.
const KEYWORDS: (&str, &str) = ("subscription", "query       ");

/// The rows that a stream has reported.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    keys: HashSet<String>,
}

impl Followed {
    fn add(&mut self, key: String) {
        if self.keys.len() < MAX_KNOWN {
            self.keys.insert(key);
        }
    }
}

impl Endpoint {
    /// The request as one that [`prepare_change`](Endpoint::prepare_change) accepts; `None` if it is not a subscription.
    ///
    /// # Errors
    /// The errors of the document.
    pub fn find_subscription(&self, request: &Request, request_id: &str) -> Result<Option<Request>, Refused> {
        self.check_size(request, request_id)?;
        if !request.query.contains(KEYWORDS.0) {
            return Ok(None);
        }
        let invalid = |error: GraphQLError| self.refuse(error, request_id);
        let validated = ValidatedOperation::new(&request.query, request.operation.as_deref(), &self.root).map_err(invalid)?;
        if validated.operation_type() != OperationType::Subscription {
            return Ok(None);
        }
        let document = parse_document_source(&request.query, &self.root.schema).map_err(|error| invalid(error.into()))?;
        let is_chosen = |name: Option<&str>| request.operation.as_deref().is_none_or(|chosen| name == Some(chosen));
        let mut used = HashSet::new();
        for definition in &document {
            if let Definition::Operation(operation) = definition
                && is_chosen(operation.item.name.as_ref().map(|name| name.item))
            {
                add_fragments(&document, &operation.item.selection_set, &mut used);
            }
        }
        let mut query = request.query.clone();
        for definition in &document {
            let (span, description, is_kept) = match definition {
                Definition::Operation(operation) => {
                    (&operation.span, &operation.item.description, is_chosen(operation.item.name.as_ref().map(|name| name.item)))
                }
                Definition::Fragment(fragment) if used.contains(fragment.item.name.item) => continue,
                Definition::Fragment(fragment) => (&fragment.span, &fragment.item.description, false),
            };
            let first = description.as_ref().filter(|_| !is_kept).map_or(span.start, |description| description.span.start);
            let (start, end) = (first.index(), span.end.index());
            let Some(text) = request.query.get(start..end) else { continue };
            let written = match (is_kept, text.find(KEYWORDS.0)) {
                (true, Some(at)) => format!("{}{}{}", &text[..at], KEYWORDS.1, &text[at + KEYWORDS.0.len()..]),
                // Other operations are not executed, and a fragment that only they use would be an error.
                _ => blank(text),
            };
            query.replace_range(start..end, &written);
        }
        if query.split_whitespace().map(str::len).sum::<usize>() > MAX_SUBSCRIPTION {
            let detail = format!("A subscription has at most {MAX_SUBSCRIPTION} bytes without blanks");
            return Err(self.refused(&Error::new(413, "TOO_LARGE", detail), request_id));
        }
        Ok(Some(Request { query, ..request.clone() }))
    }

    /// Prepares a subscription for a change.
    ///
    /// # Errors
    /// As [`prepare`](Endpoint::prepare).
    pub fn prepare_change<'a>(&'a self, request: &'a Request, request_id: &str) -> Result<Operation<'a>, Refused> {
        let invalid = |error: GraphQLError| self.refuse(error, request_id);
        let validated = ValidatedOperation::new(&request.query, request.operation.as_deref(), &self.changes).map_err(invalid)?;
        let operation = self.plan(validated, "Subscription", request, request_id)?;
        match operation.plan.fields.as_slice() {
            [selected] if operation.changes(selected).is_some() => Ok(operation),
            _ => {
                let error = Error::new(400, "GRAPHQL_VALIDATION", "A subscription has exactly one field at its root");
                Err(self.refused(&error, request_id))
            }
        }
    }
}

/// Adds the names of the fragments that a selection uses, and of those that these use.
fn add_fragments<'d>(document: &'d [Definition<'d, Scalar>], selections: &'d [Selection<'d, Scalar>], used: &mut HashSet<&'d str>) {
    for selection in selections {
        match selection {
            Selection::Field(field) => add_fragments(document, field.item.selection_set.as_deref().unwrap_or_default(), used),
            Selection::InlineFragment(part) => add_fragments(document, &part.item.selection_set, used),
            Selection::FragmentSpread(spread) => {
                let wanted = spread.item.name.item;
                if !used.insert(wanted) {
                    continue;
                }
                for definition in document {
                    if let Definition::Fragment(fragment) = definition
                        && fragment.item.name.item == wanted
                    {
                        add_fragments(document, &fragment.item.selection_set, used);
                    }
                }
            }
        }
    }
}

/// As many blanks as a text has bytes, with its line breaks, so that positions in the document stay.
fn blank(text: &str) -> String {
    text.chars().map(|letter| if letter == '\n' { "\n".to_owned() } else { " ".repeat(letter.len_utf8()) }).collect()
}

impl Operation<'_> {
    /// The position of the entity whose changes a root field reports.
    fn changes(&self, selected: &Selected) -> Option<usize> {
        let source = selected.describe(&self.endpoint.shared.schema, self.plan.ty).map(|field| &field.source);
        if let Some(Source::Root(entity, Of::Changes)) = source { Some(*entity) } else { None }
    }

    fn followed(&self, tx: &Tx<'_>) -> Result<(&'static EntityDef, &Selected)> {
        tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?;
        let selected = self.plan.fields.first().ok_or_else(|| Error::internal("a subscription without a field"))?;
        let entity = self.changes(selected).ok_or_else(|| Error::internal("a field without changes"))?;
        Ok((tx.app.entities[entity], selected))
    }

    /// Begins a subscription: checks the caller and the arguments, and notes the selected row if the subscription names its key. Returns
    /// the key of the account.
    ///
    /// # Errors
    /// 401 for an anonymous caller, 403 without a permission to list rows; 422 for an argument.
    pub fn begin_changes(&self, tx: &mut Tx<'_>, followed: &mut Followed) -> Result<String> {
        let (entity, selected) = self.followed(tx)?;
        let grant = tx.ask::<List>(entity)?;
        let query = Query { limit: 1, sort: Vec::new(), ..select::query(tx, entity, selected)? };
        let key = dz_graphql::field_name(entity.key().name);
        if selected.argument(&key).is_some_and(|key| !key.is_null()) {
            for row in rows::list(tx, &grant, &query)?.rows {
                followed.add(row.value(entity.pk).to_key_text().unwrap_or_default());
            }
        }
        let account = tx.caller().account.as_ref().and_then(|account| account.id.to_key_text());
        Ok(account.unwrap_or_default())
    }

    /// The entity whose changes the subscription reports.
    pub fn followed_entity(&self) -> Option<usize> {
        self.plan.fields.first().and_then(|selected| self.changes(selected))
    }

    /// The body of the event of a change; `None` if the caller may not know of it, or did not select the row.
    ///
    /// # Errors
    /// As [`begin_changes`](Operation::begin_changes), for a caller whose session or permission has ended.
    pub fn run_change(&self, tx: &mut Tx<'_>, followed: &mut Followed, change: &Change) -> Result<Option<Vec<u8>>> {
        let (entity, selected) = self.followed(tx)?;
        let grant = tx.ask::<List>(entity)?;
        let selection = select::query(tx, entity, selected)?;
        let sees_all = selected.arguments.iter().all(|(_, value)| value.is_null())
            && entity.tenancy.tenant.is_none_or(|_| tx.caller().tenant() == Some(&change.tenant))
            && matches!(grant.condition(tx.app, tx.engine(), &tx.caller, "r"), Condition::Always);
        let mut query = Query { limit: 1, sort: Vec::new(), ..selection };
        let key = FieldAt::new(entity.ix, entity.pk).path();
        query.filters.push(Filter { path: key, op: FilterOp::Compare(Comparison::Eq, change.key.clone()) });
        let row = rows::list(tx, &grant, &query)?.rows.pop();
        let text = change.key.to_key_text().unwrap_or_default();
        let kind = match &row {
            Some(_) => {
                followed.add(text.clone());
                change.event
            }
            None if followed.keys.remove(&text) || (sees_all && change.event == REMOVED) => "removed",
            None => return Ok(None),
        };
        let data = self.describe_change(tx, entity, selected, kind, text, row.as_ref())?;
        let root = Object { selection: Arc::new(self.plan.clone()), values: vec![data] };
        self.write(root, &tx.caller().request_id).map(Some)
    }

    fn describe_change(
        &self,
        tx: &mut Tx<'_>,
        entity: &'static EntityDef,
        selected: &Selected,
        kind: &str,
        key: String,
        row: Option<&Row>,
    ) -> Result<Data> {
        let (schema, selection) = (&self.endpoint.shared.schema, &selected.selection);
        let mut loader = Loader::new(tx, schema);
        let mut values = Vec::with_capacity(selection.fields.len());
        for of in &selection.fields {
            let source = of.describe(schema, selection.ty).map(|field| &field.source);
            let Some(Source::Change(part)) = source else { return Err(Error::internal("a field of another type")) };
            values.push(match part {
                ChangePart::Kind => Data::Leaf(scalar::text(kind)),
                ChangePart::Key => Data::Leaf(scalar::text(key.as_str())),
                ChangePart::Node => row.map_or_else(|| Ok(Data::null()), |row| loader.object(entity, row, &of.selection))?,
            });
        }
        Ok(Data::Object(Object { selection: Arc::new(selection.clone()), values }))
    }
}

/// The name of the event of a row that was deleted.
const REMOVED: &str = "deleted";
