//! GraphQL: the operations of the JSON API over one schema, which follows from the description of the application.
//!
//! A request is prepared without the database: Juniper parses, limits and validates the document, and a first execution plans it
//! ([`node`]). The plan is checked for its cost, and only then loaded ([`load`], [`write`]) under the same proofs of access as every
//! other request. A second execution writes the response.

mod api;
mod children;
mod connection;
mod data;
mod input;
mod limits;
mod load;
mod node;
mod output;
mod plan;
mod repeat;
mod request;
mod scalar;
mod scalars;
mod select;
mod subscription;
mod write;

pub(crate) use request::{Request, read_post, read_query};
pub(crate) use subscription::Followed;

use std::sync::{Arc, Mutex, PoisonError};

use juniper::{GraphQLError, OperationType, ValidatedOperation, Variables, http::GraphQLResponse};
use serde_json::{Value as Json, json};

use self::{
    data::Object,
    limits::{MAX_DEPTH, MAX_DOCUMENT, MAX_ERRORS, MAX_FIELDS, MAX_TOKENS},
    load::Loader,
    node::{Context, Mode, Root, Shared},
    plan::Selection,
    repeat::MutationEffect,
    request::variables,
    scalar::Scalar,
};
use crate::{Error, Result, Tx, def::AppDef, error::NormalizedError};

/// The schema of an application with its limits.
pub(crate) struct Endpoint {
    app: &'static AppDef,
    shared: Arc<Shared>,
    root: Root,
    /// The schema in which a subscription is a query, because it is executed once for each change.
    changes: Root,
}

type Validated<'a> = ValidatedOperation<'a, node::Node<'static>, node::Node<'static>, node::Node<'static>, Scalar>;

/// A validated operation with its plan.
pub(crate) struct Operation<'a> {
    endpoint: &'a Endpoint,
    validated: Validated<'a>,
    variables: Variables<Scalar>,
    plan: Selection,
}

/// A document that is refused before anything is loaded: the `errors` of the response.
#[derive(Debug)]
pub(crate) struct Refused(Json);

impl Endpoint {
    /// The schema of an application; `introspection` allows queries for the schema itself.
    pub fn new(app: &'static AppDef, introspection: bool) -> Endpoint {
        let shared = Arc::new(Shared::new(api::schema(app)));
        let root = |query: &str| {
            let root = node::create_root(&shared, query).limit_depth(MAX_DEPTH).limit_tokens(MAX_TOKENS).limit_fields(MAX_FIELDS);
            if introspection { root } else { root.disable_introspection() }
        };
        let (root, changes) = (root("Query"), root("Subscription"));
        Endpoint { app, shared, root, changes }
    }

    /// Parses, validates and plans a request, without the database.
    ///
    /// # Errors
    /// The errors of the document, of its variables, and of its limits.
    pub fn prepare<'a>(&'a self, request: &'a Request, request_id: &str) -> Result<Operation<'a>, Refused> {
        self.check_size(request, request_id)?;
        let invalid = |error: GraphQLError| self.refuse(error, request_id);
        let validated = ValidatedOperation::new(&request.query, request.operation.as_deref(), &self.root).map_err(invalid)?;
        let root = match validated.operation_type() {
            OperationType::Query => "Query",
            OperationType::Mutation => "Mutation",
            OperationType::Subscription => {
                let detail = "Send a subscription with the header `Accept: text/event-stream`";
                return Err(self.refused(&Error::new(406, "GRAPHQL_VALIDATION", detail), request_id));
            }
        };
        self.plan(validated, root, request, request_id)
    }

    fn check_size(&self, request: &Request, request_id: &str) -> Result<(), Refused> {
        match request.query.len() > MAX_DOCUMENT {
            true => {
                let error = Error::new(413, "TOO_LARGE", format!("A GraphQL document has at most {MAX_DOCUMENT} bytes"));
                Err(self.refused(&error, request_id))
            }
            false => Ok(()),
        }
    }

    /// A document with one error.
    fn refused(&self, error: &Error, request_id: &str) -> Refused {
        Refused(json!([self.describe(error, request_id)]))
    }

    /// Plans a validated operation, whose fields are those of the type `root`.
    fn plan<'a>(&'a self, validated: Validated<'a>, root: &str, request: &Request, request_id: &str) -> Result<Operation<'a>, Refused> {
        let refused = |error: Error| self.refused(&error, request_id);
        let invalid = |error: GraphQLError| self.refuse(error, request_id);
        let variables = variables(&self.root, request).map_err(refused)?;
        let selection = Selection { ty: self.shared.position(root).unwrap_or_default(), fields: Vec::new() };
        let context = self.context(Mode::Plan(Mutex::new(selection)), request_id);
        validated.execute_sync(&variables, &context).map_err(invalid)?;
        let Mode::Plan(plan) = context.mode else { return Err(refused(Error::internal("a plan became data"))) };
        let plan = plan.into_inner().unwrap_or_else(PoisonError::into_inner);
        plan::check(&self.shared.schema, &plan).map_err(refused)?;
        Ok(Operation { endpoint: self, validated, variables, plan })
    }

    /// Refuses a document that the configuration does not permit.
    pub fn refuse_document(&self, request_id: &str) -> Refused {
        let error = Error::new(
            403,
            "DOCUMENT_NOT_PERMITTED",
            "This application accepts only permitted documents, and this document is not permitted",
        );
        self.refused(&error, request_id)
    }

    /// The error of an operation that cannot begin or go on.
    pub fn refuse_operation(&self, error: &Error, request_id: &str) -> Refused {
        self.refused(error, request_id)
    }

    fn context(&self, mode: Mode, request_id: &str) -> Context {
        let (application, request_id) = (self.app.name, request_id.to_owned());
        let extensions = move |error: &Error| NormalizedError::from_own(error, application, &request_id).to_graphql_extensions();
        Context { mode, extensions: Box::new(extensions) }
    }

    /// An error as an entry of `errors`.
    fn describe(&self, error: &Error, request_id: &str) -> Json {
        let extensions = NormalizedError::from_own(error, self.app.name, request_id).to_graphql_extensions();
        json!({ "message": error.detail, "extensions": extensions })
    }

    /// The errors of a document, with their places.
    fn refuse(&self, mut error: GraphQLError, request_id: &str) -> Refused {
        if let GraphQLError::ValidationError(errors) = &mut error {
            errors.truncate(MAX_ERRORS);
        }
        let is_syntax = matches!(error, GraphQLError::ParseError(_));
        let code = if is_syntax { "GRAPHQL_SYNTAX" } else { "GRAPHQL_VALIDATION" };
        let response = GraphQLResponse::<Scalar>::from_result(Err(error));
        let mut errors = serde_json::to_value(response).map(|mut body| body["errors"].take()).unwrap_or_default();
        for error in errors.as_array_mut().into_iter().flatten() {
            let detail = error["message"].as_str().unwrap_or_default().to_owned();
            error["extensions"] = self.describe(&Error::new(400, code, detail), request_id)["extensions"].take();
        }
        Refused(errors)
    }
}

impl Refused {
    /// The body of the response.
    pub fn body(&self) -> Vec<u8> {
        json!({ "errors": self.0 }).to_string().into_bytes()
    }
}

impl Operation<'_> {
    /// True for a mutation.
    pub fn is_write(&self) -> bool {
        self.validated.operation_type() == OperationType::Mutation
    }

    /// Loads the data in a unit of work, and writes the body of the response.
    ///
    /// # Errors
    /// 401 for an anonymous caller; errors that end the unit of work. Refusals of fields are part of the body.
    pub fn run(&self, tx: &mut Tx<'_>) -> Result<Vec<u8>> {
        self.execute(tx).map(|(body, _)| body)
    }

    /// Runs a mutation with an idempotency key: the body of the response, and the text from which [`repeat`](Operation::repeat) can
    /// write it again; `None` if all of the mutation was refused.
    ///
    /// # Errors
    /// As [`run`](Operation::run).
    pub fn run_once(&self, tx: &mut Tx<'_>) -> Result<(Vec<u8>, Option<String>)> {
        let (body, written) = self.execute(tx)?;
        let stored = repeat::describe(&self.plan, written, &body)?;
        Ok((body, stored))
    }

    /// Writes the body of the response to a mutation that ran before: checks access again, and reads the rows again.
    ///
    /// # Errors
    /// As [`run`](Operation::run).
    pub fn repeat(&self, tx: &mut Tx<'_>, stored: &str) -> Result<Vec<u8>> {
        let request_id = tx.caller().request_id.clone();
        repeat::repeat(Loader::new(tx, &self.endpoint.shared.schema), &self.plan, stored, |data| self.write(data, &request_id))
    }

    fn execute(&self, tx: &mut Tx<'_>) -> Result<(Vec<u8>, Vec<MutationEffect>)> {
        tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?;
        let mut loader = Loader::new(tx, &self.endpoint.shared.schema);
        let data = loader.root(&self.plan)?;
        let written = std::mem::take(&mut loader.written);
        Ok((self.write(data, &tx.caller().request_id)?, written))
    }

    /// Writes the body of the response.
    fn write(&self, data: Object, request_id: &str) -> Result<Vec<u8>> {
        let context = self.endpoint.context(Mode::Data(data), request_id);
        let result = self.validated.execute_sync(&self.variables, &context);
        serde_json::to_vec(&GraphQLResponse::from_result(result)).map_err(Error::internal)
    }
}
