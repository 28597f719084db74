//! A project that `dz new` writes builds without a warning, passes its tests and serves its pages. This compiles dz once more; `test.sh`
//! runs it.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// A new project.
struct Project {
    folder: PathBuf,
    target: PathBuf,
}

impl Project {
    /// Writes it with dz from this checkout. It has the versions of dependencies of this workspace, and shares their builds.
    fn new(name: &str) -> Project {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root");
        // Not below the checkout, as a user would have it.
        let parent = std::env::temp_dir().join(format!("dz-new-project-{}", std::process::id()));
        let _ = fs::remove_dir_all(&parent);
        fs::create_dir_all(&parent).expect("a folder");
        let mut dz = Command::new(env!("CARGO_BIN_EXE_dz"));
        let status = dz.args(["new", name, "--path"]).arg(checkout).current_dir(&parent).status().expect("dz runs");
        assert!(status.success());
        let folder = parent.join(name);
        fs::copy(checkout.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder").to_path_buf();
        Project { folder, target }
    }

    fn cargo(&self, args: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(args).current_dir(&self.folder).env("CARGO_TARGET_DIR", &self.target);
        command
    }

    /// Runs a command of cargo, which must succeed without a warning; returns what it printed.
    fn succeed(&self, args: &[&str]) -> String {
        let output = self.cargo(args).output().expect("cargo runs");
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && !text.contains("warning"), "cargo {args:?}: {text}");
        text
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.folder.parent().expect("a parent"));
    }
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "compiles an application; test.sh runs it"]
fn a_new_project_builds_passes_its_tests_and_serves() {
    let project = Project::new("corner-shop");
    project.succeed(&["fmt", "--check"]);
    let tested = project.succeed(&["test", "--offline"]);
    assert!(tested.contains("5 passed; 0 failed"), "{tested}");
    // The program itself, since cargo would go on after the end of the test.
    project.succeed(&["build", "--offline"]);
    let program = project.target.join("debug/corner-shop");
    let mut program = Command::new(program);
    program.current_dir(&project.folder).env("ROCKET_PORT", "0").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut running = Running(program.spawn().expect("the application runs"));
    let lines = BufReader::new(running.0.stdout.take().expect("a pipe")).lines().map(|line| line.expect("a line"));
    let mut address = None;
    let mut sign_ins = 0;
    for line in lines {
        if let Some((_, place)) = line.split_once("Corner shop is at http://") {
            address = Some(place.to_owned());
        }
        sign_ins += usize::from(line.starts_with("Sign in: "));
        if sign_ins == 2 {
            break;
        }
    }
    let page = login_page(&address.expect("the address is printed"));
    assert!(page.starts_with("HTTP/1.0 200") && page.contains("Sign in") && page.contains("Corner shop"), "{page}");
    assert!(project.folder.join("corner_shop.db").is_file());
    drop(running);
    follow_changes(&project);
}

/// The page on which users sign in.
fn login_page(address: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the application answers");
    stream.write_all(b"GET /login HTTP/1.0\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("a page");
    page
}

/// `dz dev` shows a changed title without a restart by hand, and leaves the policy of the pages as it is.
fn follow_changes(project: &Project) {
    let mut dz = Command::new(env!("CARGO_BIN_EXE_dz"));
    dz.args(["dev", "--port", "0"]).current_dir(&project.folder).env("CARGO_TARGET_DIR", &project.target).env("CARGO_NET_OFFLINE", "true");
    let mut running = Ended(dz.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("dz runs"));
    let mut lines = BufReader::new(running.0.stdout.take().expect("a pipe")).lines().map(|line| line.expect("a line"));
    let first = lines.next().expect("a line");
    let address = first.split("http://").nth(1).and_then(|rest| rest.split(' ').next()).expect("an address").to_owned();
    let mut wait_for = |words: &str| lines.find(|line| line.contains(words)).unwrap_or_else(|| panic!("`{words}` is not printed"));
    wait_for("built and started in ");
    let page = login_page(&address);
    assert!(page.contains("Corner shop") && page.contains("/-/dz-dev/client.js"), "{page}");
    assert!(page.contains("script-src 'self';") && !page.contains("unsafe-inline"), "{page}");
    let declaration = project.folder.join("app.dsl");
    let text = fs::read_to_string(&declaration).expect("the declaration");
    let edited = text.replace("\"Corner shop\"", "\"Round shop\"");
    fs::write(&declaration, &edited).expect("written");
    wait_for("taken over in ");
    let page = login_page(&address);
    assert!(page.contains("Round shop") && !page.contains("Corner shop"), "{page}");
    // A rule is a part of the program.
    let rule = "delete: role(manager)";
    assert_eq!(edited.matches(rule).count(), 1, "{edited}");
    let edited = edited.replace(rule, "delete: role(member, manager)").replace("Round shop", "Square shop");
    fs::write(&declaration, edited).expect("written");
    wait_for("built and started in ");
    let page = login_page(&address);
    assert!(page.contains("Square shop"), "{page}");
}

/// A process that is asked to end with the test, and ends the processes that it started.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        let _ = self.0.wait();
    }
}
