//! The server: one tool, the resources, and the prompts.

use std::sync::{Arc, Mutex, PoisonError};

use dz_knowledge::{OPERATIONS, input_schema, output_schema};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams, GetPromptResponse, Implementation,
        ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
        ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::{Map, Value, json};

use super::{library, prompts};
use crate::knowledge::Project;

/// The name of the tool.
pub const TOOL: &str = "graph";

const INSTRUCTIONS: &str = "Answers questions about this dz project and about the dz language. Begin with `topology` or `query`. Before \
                            you write a declaration, ask `propose` or `inference` for a pattern; check each text with `validate`.";

/// The server over one project.
#[derive(Clone)]
pub struct Server {
    project: Arc<Mutex<Project>>,
}

impl Server {
    /// A server over a project.
    pub fn new(project: Arc<Mutex<Project>>) -> Server {
        Server { project }
    }

    /// Runs work on the project on a blocking thread, unless the request is cancelled first.
    async fn with_project<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&mut Project) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let project = Arc::clone(&self.project);
        let mut task = tokio::task::spawn_blocking(move || work(&mut project.lock().unwrap_or_else(PoisonError::into_inner)));
        tokio::select! {
            done = &mut task => done.map_err(|_| ErrorData::internal_error("the operation failed inside dz", None)),
            () = context.ct.cancelled() => {
                // Work that has not begun is not executed.
                task.abort();
                Err(ErrorData::internal_error("the request was cancelled", None))
            }
        }
    }
}

/// The tool with its schemas. Its description lists the operations, because a client reads only the description before the first call.
pub fn tool() -> Tool {
    let mut description = "Asks the knowledge graph of a dz project. Operations, with their parameters (* required):".to_owned();
    for it in OPERATIONS {
        let name = |it: &dz_knowledge::Parameter| format!("{}{}", it.name, if it.required { "*" } else { "" });
        let parameters: Vec<String> = it.parameters.iter().map(name).collect();
        description.push_str(&format!("\n{}({}): {}", it.name, parameters.join(", "), it.summary));
    }
    Tool::new(TOOL, description, Arc::new(input_schema()))
        .with_title("Knowledge graph")
        .with_raw_output_schema(Arc::new(output_schema()))
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(false).open_world(false))
}

/// The result of a call; true if it is an error.
fn answer(project: &mut Project, mut arguments: Map<String, Value>) -> (Value, bool) {
    let failed = |message: String| (json!({ "error": message }), true);
    let operation = match arguments.remove("operation") {
        Some(Value::String(operation)) => operation,
        Some(_) => return failed("`operation` must be text".to_owned()),
        None => {
            let known: Vec<&str> = OPERATIONS.iter().map(|it| it.name).collect();
            return failed(format!("`operation` is missing; known ones are {}", known.join(", ")));
        }
    };
    if let Err(message) = project.refresh() {
        return failed(message);
    }
    match project.call(&operation, &Value::Object(arguments)) {
        Ok(value) => (value, false),
        Err(failure) => failed(failure.message),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("dz", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![tool()]))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        (name == TOOL).then(tool)
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        if request.name != TOOL {
            return Err(ErrorData::invalid_params(format!("unknown tool `{}`; the tool is `{TOOL}`", request.name), None));
        }
        let arguments = request.arguments.unwrap_or_default();
        report(&context, 0.0).await;
        let (value, is_error) = self.with_project(&context, |project| answer(project, arguments)).await?;
        report(&context, 1.0).await;
        let result = if is_error { CallToolResult::structured_error(value) } else { CallToolResult::structured(value) };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let files = self.with_project(&context, |project| project.files()).await?.map_err(internal)?;
        Ok(ListResourcesResult::with_all_items(library::resources(&files)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.with_project(&context, move |project| project.files().map(|files| library::read(&files, &request.uri)));
        read.await?.map_err(internal)?.map(Into::into)
    }

    async fn list_prompts(&self, _: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::all()))
    }

    async fn get_prompt(&self, request: GetPromptRequestParams, _: RequestContext<RoleServer>) -> Result<GetPromptResponse, ErrorData> {
        prompts::filled_in(&request.name, &request.arguments.unwrap_or_default()).map(Into::into)
    }
}

/// Reports the progress of a request, as a share of its work, to a client that wants it.
async fn report(context: &RequestContext<RoleServer>, progress: f64) {
    if let Some(token) = context.meta.get_progress_token() {
        // The error for a client that has disconnected is ignored.
        let _ = context.peer.notify_progress(ProgressNotificationParam::new(token, progress).with_total(1.0)).await;
    }
}

fn internal(message: String) -> ErrorData {
    ErrorData::internal_error(message, None)
}
