//! A service of object storage, and a proxy before it that fails on request.

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex, OnceLock},
    thread,
    time::{Duration, Instant},
};

/// The key that the service accepts.
pub const KEY: &str = "S3RVER";
/// The bucket that the service has.
pub const BUCKET: &str = "plates";

/// Requests whose signature is wrong are refused.
const PROGRAM: &str = concat!(
    include_str!("signatures.js"),
    "
const [S3rver, port, directory, bucket, secret] = [require(process.env.DZ_TEST_S3RVER), ...process.argv.slice(1)];
const service = new S3rver({ address: '127.0.0.1', port: Number(port), directory, silent: true, vhostBuckets: false,
                             configureBuckets: [{ name: bucket }] });
service.middleware.unshift(check(secret));
service.run();
process.stdin.resume();
process.stdin.on('end', () => process.exit());
"
);

/// The service, which ends with this program.
struct Service {
    port: u16,
    folder: PathBuf,
    _child: (Child, ChildStdin),
}

/// The service; `None` if it is not installed.
fn service() -> Option<&'static Service> {
    static SERVICE: OnceLock<Option<Service>> = OnceLock::new();
    SERVICE.get_or_init(start).as_ref()
}

fn start() -> Option<Service> {
    if std::env::var_os("DZ_TEST_S3RVER").is_none_or(|path| path.is_empty()) {
        println!("SKIPPED: DZ_TEST_S3RVER does not name the folder of s3rver (npm install s3rver)");
        return None;
    }
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port();
    let folder = std::env::temp_dir().join(format!("dz-s3-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut command = Command::new("node");
    // The service encrypts the positions of its lists with a cipher that newer versions of OpenSSL permit on request only.
    command.args(["--openssl-legacy-provider", "-e", PROGRAM, &port.to_string()]).arg(&folder).args([BUCKET, KEY]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("node starts");
    let input = child.stdin.take().expect("its input");
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the object storage does not answer");
        thread::sleep(Duration::from_millis(50));
    }
    Some(Service { port, folder, _child: (child, input) })
}

/// What the proxy does with a request.
#[derive(Clone, Copy)]
pub enum Fault {
    /// It answers with status 503.
    Unavailable,
    /// It answers with status 403 and this code.
    Refused(&'static str),
    /// It does not answer.
    Silent,
    /// It sends this number of bytes of the body, and closes the connection.
    Truncated(usize),
}

/// A fault for the requests whose first line contains a text.
type Rule = (Fault, &'static str, usize);

/// A proxy before the service.
pub struct Proxy {
    pub port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    rule: Mutex<Option<Rule>>,
    requests: Mutex<Vec<String>>,
    /// The list of incomplete uploads.
    uploads: Mutex<String>,
}

impl Proxy {
    /// A proxy; `None` if the service is not installed.
    pub fn start() -> Option<Proxy> {
        let target = service()?.port;
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let shared = own.clone();
                thread::spawn(move || shared.carry(client, target));
            }
        });
        Some(Proxy { port, shared })
    }

    /// Fails this number of requests whose first line contains a text.
    pub fn fail(&self, fault: Fault, matching: &'static str, count: usize) {
        *self.shared.rule.lock().expect("a rule") = Some((fault, matching, count));
    }

    /// Lists these incomplete uploads: the name of the object, the identifier, and the time of the start.
    pub fn list_uploads(&self, uploads: &[(&str, &str, String)]) {
        let upload = |(key, id, begun): &(&str, &str, String)| {
            format!("<Upload><Key>{key}</Key><UploadId>{id}</UploadId><Initiated>{begun}</Initiated></Upload>")
        };
        let list: String = uploads.iter().map(upload).collect();
        *self.shared.uploads.lock().expect("uploads") = format!("<ListMultipartUploadsResult>{list}</ListMultipartUploadsResult>");
    }

    /// Forwards every request again.
    pub fn mend(&self) {
        *self.shared.rule.lock().expect("a rule") = None;
    }

    /// The number of requests whose first line contains these texts.
    pub fn count(&self, texts: &[&str]) -> usize {
        let requests = self.shared.requests.lock().expect("requests");
        requests.iter().filter(|line| texts.iter().all(|text| line.contains(text))).count()
    }

    /// The objects below a prefix, with the sizes of their contents.
    pub fn objects(&self, prefix: &str) -> Vec<(String, u64)> {
        let root = service().expect("the service").folder.join(BUCKET);
        let (mut found, mut open) = (Vec::new(), vec![root.join(prefix)]);
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                } else if let Some(name) = path.strip_prefix(&root).ok().and_then(|it| it.to_str()?.strip_suffix("._S3rver_object")) {
                    found.push((name.to_owned(), path.metadata().map_or(0, |it| it.len())));
                }
            }
        }
        found.sort();
        found
    }

    /// Replaces the content of an object.
    pub fn damage(&self, name: &str, content: &str) {
        let path = service().expect("the service").folder.join(BUCKET).join(format!("{name}._S3rver_object"));
        std::fs::write(path, content).expect("an object");
    }
}

impl Shared {
    /// Handles the one request of a connection.
    fn carry(&self, mut client: TcpStream, target: u16) {
        let Some((head, body)) = read_request(&mut client) else { return };
        let line = head.lines().next().unwrap_or_default().to_owned();
        self.requests.lock().expect("requests").push(line.clone());
        let fault = self.take_fault(&line);
        // The service has no list of uploads, and no aborts.
        if line.starts_with("DELETE") && line.contains("uploadId=") {
            let _ = client.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
            return;
        }
        if line.starts_with("GET") && line.contains("uploads=") {
            let list = self.uploads.lock().expect("uploads").clone();
            let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", list.len());
            let _ = client.write_all((head + &list).as_bytes());
            return;
        }
        match fault {
            Some(Fault::Unavailable) => {
                let body = "<Error><Code>SlowDown</Code></Error>";
                let head = format!("HTTP/1.1 503 Slow Down\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
                let _ = client.write_all((head + body).as_bytes());
            }
            Some(Fault::Refused(code)) => {
                let body = format!("<Error><Code>{code}</Code></Error>");
                let head = format!("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
                let _ = client.write_all((head + &body).as_bytes());
            }
            Some(Fault::Silent) => {
                let _ = client.set_read_timeout(Some(Duration::from_secs(120)));
                // Until the client closes the connection.
                let _ = client.read(&mut [0]);
            }
            Some(Fault::Truncated(most)) => self.forward(client, target, &head, &body, Some(most)),
            None => self.forward(client, target, &head, &body, None),
        }
    }

    fn take_fault(&self, line: &str) -> Option<Fault> {
        let mut rule = self.rule.lock().expect("a rule");
        let (fault, matching, count) = rule.as_mut()?;
        if *count == 0 || !line.contains(*matching) {
            return None;
        }
        *count -= 1;
        Some(*fault)
    }

    fn forward(&self, mut client: TcpStream, target: u16, head: &str, body: &[u8], most: Option<usize>) {
        let Ok(mut server) = TcpStream::connect(("127.0.0.1", target)) else { return };
        let head = head.replacen("\r\n", "\r\nConnection: close\r\n", 1);
        if server.write_all(head.as_bytes()).and_then(|()| server.write_all(body)).is_err() {
            return;
        }
        let mut answer = Vec::new();
        let _ = server.read_to_end(&mut answer);
        if let (Some(most), Some(end)) = (most, answer.windows(4).position(|it| it == b"\r\n\r\n")) {
            answer.truncate(end + 4 + most);
        }
        let _ = client.write_all(&answer);
    }
}

/// The head and the body of a request.
fn read_request(client: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let (mut bytes, mut part) = (Vec::new(), [0; 65_536]);
    loop {
        if let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end + 4]).into_owned();
            let lower = head.to_ascii_lowercase();
            let length = lower.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok()).unwrap_or(0);
            let mut body = bytes.split_off(end + 4);
            while body.len() < length {
                match client.read(&mut part).ok()? {
                    0 => return None,
                    read => body.extend_from_slice(&part[..read]),
                }
            }
            return Some((head, body));
        }
        match client.read(&mut part).ok()? {
            0 => return None,
            read => bytes.extend_from_slice(&part[..read]),
        }
    }
}
