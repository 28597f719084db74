//! The protocol over standard input and output, one message in a line.
//!
//! Two services of the library share the streams: one for requests that contain their protocol version, and one for the session that
//! `initialize` opens. This module answers messages that would end the session in the library.

use std::{
    io::{self, BufRead, Read, Write, stdin, stdout},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use rmcp::{
    RoleServer, ServiceExt,
    model::{ClientJsonRpcMessage, ClientNotification, RequestId, ServerJsonRpcMessage},
    transport::Transport,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{
    message::{Checked, PARSE_ERROR, Refusal, check},
    server::Server,
};

/// The longest line that is read, in bytes.
const LONGEST: usize = 64 << 20;

/// The time limit for open requests after the end of the input.
const PATIENCE: Duration = Duration::from_secs(4);

/// A line of the input; `None` for one that is too long.
type Line = Option<Vec<u8>>;

/// Standard output, with the requests without a response.
#[derive(Clone, Default)]
struct Output {
    open: Arc<Mutex<Vec<RequestId>>>,
    line: Arc<Mutex<()>>,
}

impl Output {
    fn write(&self, message: &str) -> io::Result<()> {
        let _line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = stdout().lock();
        writeln!(out, "{message}")?;
        out.flush()
    }

    /// Adds a request.
    fn open(&self, id: &RequestId) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push(id.clone());
    }

    /// Removes a request that has its response, or that was cancelled and has none.
    fn close(&self, id: &RequestId) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = open.iter().position(|it| it == id) {
            open.swap_remove(at);
        }
    }

    fn has_open(&self) -> bool {
        !self.open.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// The messages of one service.
struct Pipe {
    messages: UnboundedReceiver<ClientJsonRpcMessage>,
    output: Output,
}

impl Transport<RoleServer> for Pipe {
    type Error = io::Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let answered = match &item {
                ServerJsonRpcMessage::Response(response) => Some(&response.id),
                ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
                ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_) => None,
            };
            let written = output.write(&serde_json::to_string(&item).map_err(io::Error::other)?);
            answered.into_iter().for_each(|id| output.close(id));
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A service of the library; the first message starts it.
struct Lane {
    server: Server,
    output: Output,
    messages: Option<UnboundedSender<ClientJsonRpcMessage>>,
}

impl Lane {
    fn new(server: &Server, output: &Output) -> Lane {
        Lane { server: server.clone(), output: output.clone(), messages: None }
    }

    fn is_open(&self) -> bool {
        self.messages.as_ref().is_some_and(|it| !it.is_closed())
    }

    fn send(&mut self, message: ClientJsonRpcMessage) {
        if !self.is_open() {
            let (sender, messages) = unbounded_channel();
            let pipe = Pipe { messages, output: self.output.clone() };
            let server = self.server.clone();
            tokio::spawn(async move {
                if let Ok(service) = server.serve(pipe).await {
                    let _ = service.waiting().await;
                }
            });
            self.messages = Some(sender);
        }
        if let Some(messages) = &self.messages {
            // A service that has ended is started again with the next message.
            let _ = messages.send(message);
        }
    }
}

/// Serves until the end of the input.
pub async fn serve(server: Server) -> io::Result<()> {
    let (sender, mut lines) = unbounded_channel();
    thread::spawn(move || read_lines(&mut stdin().lock(), &sender));
    let output = Output::default();
    let (mut session, mut single) = (Lane::new(&server, &output), Lane::new(&server, &output));
    while let Some(line) = lines.recv().await {
        let is_blank = line.as_ref().is_some_and(|it| it.iter().all(u8::is_ascii_whitespace));
        let too_long = || Checked::Refused(Refusal::without_id(PARSE_ERROR, format!("the line is longer than {} MB", LONGEST >> 20)));
        let (message, has_version) = match line.map_or_else(too_long, |line| check(&line)) {
            _ if is_blank => continue,
            Checked::Message(message, has_version) => (*message, has_version),
            Checked::Ignored => continue,
            Checked::Refused(refusal) => {
                output.write(&refusal.json().to_string())?;
                continue;
            }
        };
        if let ClientJsonRpcMessage::Request(request) = &message {
            output.open(&request.id);
            let lane = if has_version { &mut single } else { &mut session };
            lane.send(message);
        } else {
            if let ClientJsonRpcMessage::Notification(it) = &message
                && let ClientNotification::CancelledNotification(cancelled) = &it.notification
            {
                cancelled.params.request_id.iter().for_each(|id| output.close(id));
            }
            // A notification names a request of either service.
            [&mut session, &mut single].into_iter().filter(|lane| lane.is_open()).for_each(|lane| lane.send(message.clone()));
        }
    }
    let done = async {
        while output.has_open() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    let _ = tokio::time::timeout(PATIENCE, done).await;
    Ok(())
}

/// Reads lines until the end of the input; a line that is too long is discarded.
fn read_lines(input: &mut impl BufRead, lines: &UnboundedSender<Line>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_too_long = line.len() > LONGEST;
        if is_too_long {
            let _ = input.skip_until(b'\n');
        }
        if lines.send((!is_too_long).then_some(line)).is_err() {
            return;
        }
    }
}
