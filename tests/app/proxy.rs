//! A proxy between an application and its database, so that a test can interrupt the connection.

use std::{
    io::copy,
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// A proxy to a server.
pub struct Proxy {
    pub port: u16,
    line: Arc<Line>,
}

struct Line {
    cut: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// A proxy to the server at `host:port`.
    pub fn start(target: &str) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let line = Arc::new(Line { cut: AtomicBool::new(false), open: Mutex::default() });
        let (shared, target) = (line.clone(), target.to_owned());
        thread::spawn(move || listener.incoming().flatten().for_each(|client| shared.carry(client, &target)));
        Proxy { port, line }
    }

    /// Closes every connection, and accepts no new one.
    pub fn cut(&self) {
        self.line.cut.store(true, Ordering::SeqCst);
        for stream in self.line.open.lock().expect("connections").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Accepts connections again.
    pub fn mend(&self) {
        self.line.cut.store(false, Ordering::SeqCst);
    }
}

impl Line {
    fn carry(&self, client: TcpStream, target: &str) {
        if self.cut.load(Ordering::SeqCst) {
            return;
        }
        let Ok(server) = TcpStream::connect(target) else { return };
        for (from, to) in [(&client, &server), (&server, &client)] {
            let (Ok(mut from), Ok(mut to), Ok(kept)) = (from.try_clone(), to.try_clone(), from.try_clone()) else { return };
            self.open.lock().expect("connections").push(kept);
            thread::spawn(move || {
                let _ = copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Both);
            });
        }
    }
}
