//! `dz dev`

mod build;
mod edits;
mod process;
mod proxy;
mod status;
mod watch;

use std::{
    io::{stderr, stdout},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use dz_dsl_file::model::Model;
use serde_json::Value as Json;

use self::{
    build::Build,
    edits::Difference,
    process::Running,
    status::Shared,
    watch::{Event, Watch},
};
use crate::{
    output::{fail, put},
    sources::Files,
};

/// Options of `dz dev`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    files: Files,
    /// The port of the pages; 0 selects a free port
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// The program to run, in a package with several
    #[arg(long, value_name = "NAME")]
    bin: Option<String>,
}

/// The time in which changes of several files are one change.
const TOGETHER: Duration = Duration::from_millis(30);

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    match develop(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(message),
    }
}

fn develop(options: &Options) -> Result<(), String> {
    let root = options.files.load()?.root;
    let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
    let root = root.canonicalize().map_err(|error| format!("{} cannot be read: {error}", root.display()))?;
    if !root.join("Cargo.toml").is_file() {
        return Err(format!("{} has no Cargo.toml; `dz new` creates an application", root.display()));
    }
    let shared = Arc::new(Shared::new());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| format!("the server cannot start: {error}"))?;
    let wanted = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), options.port);
    let address = runtime.block_on(proxy::serve(wanted, shared.clone()))?;
    let (sender, events) = channel();
    let mut session = Session {
        options,
        shared,
        watch: Watch::start(root.clone(), sender.clone())?,
        root,
        events,
        running: None,
        is_current: false,
        built: None,
        edits: Json::Null,
        address,
    };
    runtime.spawn(end_with_signal(sender));
    put(stdout(), &format!("dz dev serves http://{address} and watches {}\n", session.root.display()));
    session.develop();
    Ok(())
}

/// Reports a signal that ends the process. The application ends with this process.
async fn end_with_signal(sender: Sender<Event>) {
    #[cfg(unix)]
    {
        let terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        let Ok(mut terminated) = terminated else { return };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = tokio::signal::ctrl_c().await;
    // If there is no receiver, the process is already ending.
    let _ = sender.send(Event::End);
}

/// One run of the command.
struct Session<'o> {
    options: &'o Options,
    shared: Arc<Shared>,
    root: PathBuf,
    watch: Watch,
    events: Receiver<Event>,
    running: Option<Running>,
    /// True if the running program is the result of the last build.
    is_current: bool,
    /// The declaration of the running program; `None` if the files have changed since its build, or if a build of them failed.
    built: Option<Box<Model>>,
    /// The edits of the declaration that the running program has taken over.
    edits: Json,
    address: SocketAddr,
}

/// The result of waiting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Waited {
    Nothing,
    /// Only files of the declaration changed.
    Declaration,
    Changed,
    Ended,
}

impl Session<'_> {
    /// Builds and serves after every change, until the process gets a signal to end.
    fn develop(&mut self) {
        let mut waited = Waited::Changed;
        loop {
            waited = match waited {
                Waited::Ended => return,
                Waited::Declaration => self.take_over_edits(),
                Waited::Changed => self.take_over(),
                Waited::Nothing => self.events.recv().map_or(Waited::Ended, |event| self.react(event)),
            };
        }
    }

    /// Waits for the end of a group of changes.
    fn react(&mut self, first: Event) -> Waited {
        let mut waited = Waited::Nothing;
        let mut next = Some(first);
        while let Some(event) = next {
            let of_event = match event {
                Event::End => return Waited::Ended,
                Event::Folder if self.watch.add_new_folders() => Waited::Changed,
                Event::Folder => Waited::Nothing,
                Event::Declaration => Waited::Declaration,
                Event::Changed => Waited::Changed,
            };
            waited = waited.max(of_event);
            next = self.events.recv_timeout(TOGETHER).ok();
        }
        if waited != Waited::Nothing {
            self.watch.add_new_folders();
        }
        waited
    }

    /// Validates the declaration. The running application takes over its edits, if it can; otherwise it is built.
    fn take_over_edits(&mut self) -> Waited {
        let begun = Instant::now();
        let Some(model) = self.validate() else { return Waited::Nothing };
        let Some(built) = &self.built else { return self.build(model) };
        let Difference::Edits(edits) = edits::compare(built, &model) else { return self.build(model) };
        if self.send(edits) {
            put(stdout(), &format!("taken over in {:.1} ms without a build\n", begun.elapsed().as_secs_f64() * 1000.0));
            return Waited::Nothing;
        }
        self.build(model)
    }

    /// Sends edits to the running application, unless it has them; true if it has taken them over.
    fn send(&mut self, edits: Json) -> bool {
        let Some(running) = &mut self.running else { return false };
        let is_known = self.edits == edits || (self.edits.is_null() && edits::is_empty(&edits));
        if is_known {
            self.shared.ready(None);
            return true;
        }
        if !running.send(&edits) {
            return false;
        }
        self.edits = edits;
        self.shared.ready(Some(running.port));
        true
    }

    /// Validates, builds and starts the present files. If a step fails, the previous version continues to run.
    fn take_over(&mut self) -> Waited {
        match self.validate() {
            Some(model) => self.build(model),
            None => {
                // Files of the program may have changed as well.
                self.built = None;
                Waited::Nothing
            }
        }
    }

    fn build(&mut self, model: Box<Model>) -> Waited {
        self.built = None;
        self.shared.building();
        let begun = Instant::now();
        let build = Build::start(&self.root, self.options.bin.as_deref());
        let build = match build {
            Ok(build) => build,
            Err(message) => return self.failed("The build cannot start", &message),
        };
        let mut waited = Waited::Nothing;
        while !build.is_finished() {
            let Ok(event) = self.events.recv_timeout(Duration::from_millis(20)) else { continue };
            match self.react(event) {
                Waited::Nothing => {}
                Waited::Ended => return Waited::Ended,
                Waited::Declaration | Waited::Changed => {
                    waited = Waited::Changed;
                    // An error is shown before the build of the previous change ends.
                    self.validate();
                }
            }
        }
        if waited == Waited::Changed {
            // The next build can find a program that this one made, and that does not run yet.
            self.is_current = false;
            return waited;
        }
        match build.result() {
            Err(text) => self.failed("The build failed", &text),
            Ok(built) if built.fresh && self.is_current && self.edits == Json::Null => {
                self.built = Some(model);
                self.shared.ready(None);
                Waited::Nothing
            }
            Ok(built) => self.start(&built.program, model, begun),
        }
    }

    fn start(&mut self, program: &Path, model: Box<Model>, begun: Instant) -> Waited {
        let started = Running::start(program, &self.root, self.address);
        self.is_current = started.is_ok();
        match started {
            Err(text) => self.failed("The application does not start", &text),
            Ok(new) => {
                self.shared.ready(Some(new.port));
                // Ends the previous version; the new one serves requests from now on.
                self.running = Some(new);
                (self.built, self.edits) = (Some(model), Json::Null);
                put(stdout(), &format!("built and started in {:.1} s\n", begun.elapsed().as_secs_f64()));
                Waited::Nothing
            }
        }
    }

    /// Validates the declaration and shows its errors.
    fn validate(&self) -> Option<Box<Model>> {
        let begun = Instant::now();
        match build::validate(&self.options.files) {
            Ok(model) => {
                put(stdout(), &format!("the declaration is valid ({:.1} ms)\n", begun.elapsed().as_secs_f64() * 1000.0));
                Some(model)
            }
            Err(text) => {
                put(stderr(), &text);
                self.shared.failed("The declaration has errors", &text);
                None
            }
        }
    }

    fn failed(&self, title: &str, text: &str) -> Waited {
        put(stderr(), &format!("error: {title}\n"));
        self.shared.failed(title, text);
        Waited::Nothing
    }
}

/// Reads lines on a separate thread, and calls `take` with each.
fn read_lines(from: impl std::io::Read + Send + 'static, mut take: impl FnMut(&str) + Send + 'static) -> thread::JoinHandle<()> {
    use std::io::BufRead;
    thread::spawn(move || {
        for line in std::io::BufReader::new(from).split(b'\n').map_while(Result::ok) {
            take(&String::from_utf8_lossy(&line));
        }
    })
}
