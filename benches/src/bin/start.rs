//! The time of an application with many entities from its start to its first response, and its memory afterwards, beside the same
//! application written by hand: `start [N] [rounds=9] [folder=…]`. Both are built with `--release`, and start in turn with a database of
//! their own, which a first start without measurement has created.

use std::{
    env, fs,
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use dz_benches::{median, side::Side};

/// The time limit of a start.
const PATIENCE: Duration = Duration::from_secs(20);

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let count = words.iter().find_map(|it| it.parse().ok()).unwrap_or(50);
    let rounds: usize = words.iter().find_map(|it| it.strip_prefix("rounds=")?.parse().ok()).unwrap_or(9);
    let kept = words.iter().find_map(|it| it.strip_prefix("folder=")).map(PathBuf::from);
    let folder = kept.clone().unwrap_or_else(|| env::temp_dir().join(format!("dz-start-{}", std::process::id())));
    fs::create_dir_all(&folder)?;
    let dz = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let sides = [("dz", Side::dz(&folder, &dz, count)?), ("by hand", Side::twin(&folder, count)?)];
    let mut told: [(Vec<f64>, Vec<f64>); 2] = Default::default();
    for (_, side) in &sides {
        side.run("cargo build --offline --release")?;
        measure_start(side)?;
    }
    for _ in 0..rounds {
        for ((_, side), (times, sizes)) in sides.iter().zip(&mut told) {
            let (time, size) = measure_start(side)?;
            times.push(time);
            sizes.push(size);
        }
    }
    println!("| {count} entities | start to the first answer, ms | memory when idle, MB |\n|---|---|---|");
    for ((name, _), (times, sizes)) in sides.iter().zip(told) {
        println!("| {name} | {:.1} | {:.1} |", median(times), median(sizes));
    }
    if kept.is_none() {
        fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

/// A program that is stopped with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It can have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Milliseconds from the start to the first response, and resident megabytes a second later.
fn measure_start(side: &Side) -> io::Result<(f64, f64)> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut command = Command::new(side.program());
    command.current_dir(side.folder()).env("ROCKET_PORT", port.to_string()).env("ROCKET_LOG_LEVEL", "off");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut running = Running(command.spawn()?);
    while !answers(port) {
        if start.elapsed() > PATIENCE || running.0.try_wait()?.is_some() {
            return Err(io::Error::other(format!("{} does not answer", side.program().display())));
        }
        thread::sleep(Duration::from_micros(200));
    }
    let ready = start.elapsed().as_secs_f64() * 1_000.0;
    thread::sleep(Duration::from_secs(1));
    let status = fs::read_to_string(format!("/proc/{}/status", running.0.id()))?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse::<f64>().ok());
    Ok((ready, resident.map_or(f64::NAN, |kilobytes| kilobytes / 1_024.0)))
}

/// True if a list is answered, with any status, because there is no session.
fn answers(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let request = format!("GET /api/item0s HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    stream.write_all(request.as_bytes()).is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 ")
}
