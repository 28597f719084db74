//! A client that sends prepared requests over a few connections, limited in number and time.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// The number of connections.
const CONNECTIONS: usize = 4;
/// The time limit of a round.
const LONGEST: Duration = Duration::from_secs(20);
/// The time limit of a response.
const PATIENCE: Duration = Duration::from_secs(600);

/// A command under which the measured applications run, such as a profiler; it lifts the time limits.
pub const UNDER: &str = "DZ_BENCH_UNDER";

/// A response.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The head, as sent.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

/// An open connection.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects to a loopback port.
    ///
    /// # Errors
    /// If no process listens there.
    pub fn open(port: u16) -> io::Result<Connection> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Connection { stream, buffer: Vec::with_capacity(1 << 16) })
    }

    /// Sends a request and reads the whole response.
    ///
    /// # Errors
    /// If the connection ends, or the response is not valid.
    pub fn ask(&mut self, request: &[u8]) -> io::Result<Answer> {
        self.stream.write_all(request)?;
        self.buffer.clear();
        let mut chunk = [0_u8; 1 << 14];
        let mut whole = usize::MAX;
        let mut head_end = 0;
        let mut chunked = false;
        while self.buffer.len() < whole && !(chunked && self.buffer.ends_with(b"\r\n0\r\n\r\n")) {
            let read = self.stream.read(&mut chunk)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.buffer.extend_from_slice(&chunk[..read]);
            if head_end == 0
                && let Some(end) = self.buffer.windows(4).position(|it| it == b"\r\n\r\n")
            {
                head_end = end + 4;
                chunked = String::from_utf8_lossy(&self.buffer[..head_end]).to_ascii_lowercase().contains("transfer-encoding: chunked");
                whole = if chunked { usize::MAX } else { head_end + length(&self.buffer[..head_end])? };
            }
        }
        let head = String::from_utf8_lossy(&self.buffer[..head_end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
        Ok(Answer { status, head, body: self.buffer[head_end..].to_vec() })
    }
}

fn length(head: &[u8]) -> io::Result<usize> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    match head.lines().find_map(|line| line.strip_prefix("content-length:")) {
        Some(length) => length.trim().parse().map_err(|_| io::ErrorKind::InvalidData.into()),
        None => Ok(0),
    }
}

/// The cost of a round of requests.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    /// Responses per second.
    pub per_second: f64,
    /// The 99th percentile of the response time in milliseconds.
    pub p99: f64,
    /// The average size of a body in bytes.
    pub bytes: f64,
}

/// Sends `count` requests, the prepared ones in turn, and expects `status` for each.
///
/// # Errors
/// If a response has another status, or a connection ends.
pub fn round(port: u16, requests: &[Vec<u8>], count: usize, status: u16) -> io::Result<Round> {
    let (next, bytes) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let longest = if std::env::var_os(UNDER).is_some() { PATIENCE } else { LONGEST };
    let start = Instant::now();
    let work = || -> io::Result<Vec<f64>> {
        let mut connection = Connection::open(port)?;
        let mut times = Vec::with_capacity(count);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count || start.elapsed() > longest {
                return Ok(times);
            }
            let sent = Instant::now();
            let answer = connection.ask(&requests[at % requests.len()])?;
            times.push(sent.elapsed().as_secs_f64() * 1_000.0);
            bytes.fetch_add(answer.body.len(), Ordering::Relaxed);
            if answer.status != status {
                return Err(io::Error::other(format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body))));
            }
        }
    };
    let mut times = Vec::new();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|it| {
            times.extend(it.join().map_err(|_| io::Error::other("a connection's thread panicked"))??);
            io::Result::Ok(())
        })
    })?;
    let seconds = start.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    let p99 = times.get((times.len() * 99 / 100).min(times.len().saturating_sub(1))).copied().unwrap_or(f64::NAN);
    let bytes = bytes.load(Ordering::Relaxed) as f64 / times.len().max(1) as f64;
    Ok(Round { per_second: times.len() as f64 / seconds, p99, bytes })
}
