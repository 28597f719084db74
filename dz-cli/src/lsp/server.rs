//! The session: it receives messages, answers requests, and publishes findings when the client is silent.

use std::{
    collections::{HashSet, VecDeque},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use lsp_server::{ErrorCode, Message, Notification, Request};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    PublishDiagnosticsParams, Url,
    notification::{
        DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument,
        DidSaveTextDocument, Notification as _, PublishDiagnostics,
    },
};
use serde_json::{Value, json};

use super::{
    diagnostics,
    document::{Document, path_of, real_path},
    failure::Failure,
    initialize::initialize,
    requests,
    state::State,
    transport::{self, Incoming},
};
use crate::sources::Files;

/// How long the client is silent before findings are published.
const SILENCE: Duration = Duration::from_millis(15);

/// How long findings wait for a client that is never silent.
const LONGEST_WAIT: Duration = Duration::from_millis(200);

/// Where a session is between its beginning and its end.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Begins,
    Runs,
    ShutDown,
}

/// Texts whose findings are not published yet.
#[derive(Default)]
struct Changes {
    urls: HashSet<Url>,
    first: Option<Instant>,
    last: Option<Instant>,
}

/// A session.
pub struct Server {
    state: State,
    phase: Phase,
    queue: VecDeque<Incoming>,
    changes: Changes,
    /// The files whose last findings are not empty, or which were opened.
    published: HashSet<Url>,
}

/// The next action of a session after a message.
enum Next {
    Continue,
    Exit,
}

impl Server {
    /// A session; named files and folders are one project.
    pub fn new(files: &Files) -> Server {
        Server {
            state: State::new(files.named().to_vec()),
            phase: Phase::Begins,
            queue: VecDeque::new(),
            changes: Changes::default(),
            published: HashSet::new(),
        }
    }

    /// Runs the session until `exit`, or until the input or the output ends.
    pub fn run(mut self) -> ExitCode {
        let incoming = transport::start();
        // An output that is closed ends the session as the end of the input does.
        let _ = self.serve(&incoming);
        if self.phase == Phase::ShutDown { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn serve(&mut self, incoming: &Receiver<Incoming>) -> io::Result<()> {
        loop {
            self.queue.extend(incoming.try_iter());
            let due = self.changes.due();
            let has_change = self
                .queue
                .iter()
                .any(|it| matches!(it, Incoming::Message(Message::Notification(it)) if it.method == DidChangeTextDocument::METHOD));
            if due.is_some_and(|due| due.is_zero()) && (!has_change || self.changes.is_late()) {
                self.publish()?;
                continue;
            }
            if let Some(next) = self.queue.pop_front() {
                if let Next::Exit = self.handle(next)? {
                    return Ok(());
                }
                continue;
            }
            let next = match due {
                Some(due) => incoming.recv_timeout(due),
                None => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(next) => self.queue.push_back(next),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn handle(&mut self, incoming: Incoming) -> io::Result<Next> {
        match incoming {
            Incoming::Malformed(id, failure) => transport::respond(&id, Err(failure)).map(|()| Next::Continue),
            // The server's own requests need no answer.
            Incoming::Message(Message::Response(_)) => Ok(Next::Continue),
            Incoming::Message(Message::Notification(it)) => self.notification(it),
            Incoming::Message(Message::Request(it)) => {
                let id = json!(it.id);
                let result = if self.is_cancelled(&id) {
                    Err(Failure::new(ErrorCode::RequestCanceled, "the client cancelled the request"))
                } else {
                    self.request(it)
                };
                transport::respond(&id, result).map(|()| Next::Continue)
            }
        }
    }

    /// True if the client has cancelled a request while it waited.
    fn is_cancelled(&self, id: &Value) -> bool {
        self.queue.iter().any(|it| {
            matches!(it, Incoming::Message(Message::Notification(it)) if it.method == "$/cancelRequest" && it.params.get("id") == Some(id))
        })
    }

    fn request(&mut self, request: Request) -> Result<Value, Failure> {
        match (self.phase, request.method.as_str()) {
            (Phase::Begins, "initialize") => {
                let result = initialize(&mut self.state, requests::read(request.params)?);
                self.phase = Phase::Runs;
                Ok(json!(result))
            }
            (Phase::Begins, _) => Err(Failure::new(ErrorCode::ServerNotInitialized, "the first request must be `initialize`")),
            (Phase::ShutDown, _) => Err(Failure::new(ErrorCode::InvalidRequest, "the server is shut down")),
            (Phase::Runs, "initialize") => Err(Failure::new(ErrorCode::InvalidRequest, "the server is initialised already")),
            (Phase::Runs, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Runs, method) => catch_panic(|| requests::answer(&self.state, method, request.params)),
        }
    }

    fn notification(&mut self, it: Notification) -> io::Result<Next> {
        if it.method == "exit" {
            return Ok(Next::Exit);
        }
        if self.phase != Phase::Runs {
            return Ok(Next::Continue);
        }
        let method = it.method.as_str();
        if method == "initialized" {
            self.watch_files()?;
            return Ok(Next::Continue);
        }
        // A notification has no answer, so one with wrong parameters has no effect.
        let _ = match method {
            DidOpenTextDocument::METHOD => requests::read(it.params).map(|it| self.open(it)),
            DidChangeTextDocument::METHOD => requests::read(it.params).map(|it| self.change(it)),
            DidCloseTextDocument::METHOD => requests::read(it.params).map(|it| self.close(it)),
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.read_again();
                Ok(())
            }
            DidChangeWorkspaceFolders::METHOD => requests::read(it.params).map(|it| self.change_folders(it)),
            _ => Ok(()),
        };
        Ok(Next::Continue)
    }

    /// Asks the client to report changes of files on disk, if it can.
    fn watch_files(&self) -> io::Result<()> {
        let workspace = self.state.client.workspace.as_ref();
        let watches = workspace.and_then(|it| it.did_change_watched_files.as_ref()).and_then(|it| it.dynamic_registration);
        if watches != Some(true) {
            return Ok(());
        }
        let watchers = json!([{ "globPattern": "**/*.dsl" }, { "globPattern": "**/dz.toml" }]);
        let registration = json!({ "id": "files", "method": DidChangeWatchedFiles::METHOD, "registerOptions": { "watchers": watchers } });
        transport::request("files", "client/registerCapability", &json!({ "registrations": [registration] }))
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let it = params.text_document;
        let path = path_of(&it.uri);
        let is_rust = it.language_id == "rust" || (it.language_id != "dz" && path.extension().is_some_and(|it| it == "rs"));
        self.state.open.retain(|open| open.url != it.uri);
        self.state.open.push(Document { url: it.uri, path, version: it.version, text: it.text, is_rust });
        self.read_again();
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let (url, encoding) = (params.text_document.uri, self.state.encoding);
        let Some(document) = self.state.open.iter_mut().find(|it| it.url == url) else { return };
        document.version = params.text_document.version;
        for change in params.content_changes {
            document.change(change, encoding);
        }
        self.state.forget_analysis(&url);
        self.changes.add(url);
    }

    fn close(&mut self, params: DidCloseTextDocumentParams) {
        self.state.open.retain(|it| it.url != params.text_document.uri);
        self.read_again();
    }

    fn change_folders(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: Vec<lsp_types::WorkspaceFolder>| {
            folders.into_iter().filter_map(|it| it.uri.to_file_path().ok()).map(|it| real_path(&it)).collect::<Vec<_>>()
        };
        let removed = paths(params.event.removed);
        self.state.roots.retain(|it| !removed.contains(it));
        self.state.roots.extend(paths(params.event.added));
        self.read_again();
    }

    /// Reads all files and settings again.
    fn read_again(&mut self) {
        self.state.forget_projects();
        let urls: Vec<Url> = self.state.open.iter().map(|it| it.url.clone()).collect();
        urls.into_iter().for_each(|url| self.changes.add(url));
        self.changes.begin();
    }

    /// Publishes the findings of the projects with changes, and removes those of files that belong to no open project.
    fn publish(&mut self) -> io::Result<()> {
        let changes = std::mem::take(&mut self.changes);
        let changed: HashSet<_> = changes.urls.iter().map(path_of).collect();
        let mut shown: HashSet<Url> = HashSet::new();
        for project in self.state.open_projects() {
            if !project.paths.iter().any(|path| changed.contains(path)) {
                shown.extend(self.published.iter().filter(|url| project.holds(&path_of(url))).cloned());
                continue;
            }
            let found = catch_panic(|| Ok(diagnostics::of_project(&self.state, &project))).unwrap_or_default();
            for params in found {
                shown.insert(params.uri.clone());
                transport::notify(PublishDiagnostics::METHOD, &json!(params))?;
            }
        }
        for uri in self.published.difference(&shown) {
            let none = PublishDiagnosticsParams { uri: uri.clone(), diagnostics: Vec::new(), version: None };
            transport::notify(PublishDiagnostics::METHOD, &json!(none))?;
        }
        self.published = shown;
        Ok(())
    }
}

impl Changes {
    fn add(&mut self, url: Url) {
        self.urls.insert(url);
        self.begin();
    }

    fn begin(&mut self) {
        let now = Instant::now();
        self.first.get_or_insert(now);
        self.last = Some(now);
    }

    /// How long to wait before findings are published; `None` without changes.
    fn due(&self) -> Option<Duration> {
        let silent = self.last?.elapsed();
        Some(if self.is_late() { Duration::ZERO } else { SILENCE.saturating_sub(silent) })
    }

    fn is_late(&self) -> bool {
        self.first.is_some_and(|first| first.elapsed() >= LONGEST_WAIT)
    }
}

/// A result, or an error for a panic, after which the session continues.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let panicked = |_| Err(Failure::new(ErrorCode::InternalError, "the server has an error; the details are on its standard error"));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked)
}

#[cfg(test)]
mod tests {
    use super::{Failure, catch_panic};

    #[test]
    fn a_panic_in_a_request_is_an_internal_error() {
        let failed: Result<(), Failure> = catch_panic(|| panic!("as a test"));
        assert_eq!(failed.map_err(|it| it.code), Err(-32603));
        assert_eq!(catch_panic(|| Ok(1)), Ok(1));
    }
}
