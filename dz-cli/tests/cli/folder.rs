//! A folder in which the command runs, and the command's output.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

/// A folder of its own for a test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("dz-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        for (name, text) in files {
            let file = path.join(name);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        Folder(path)
    }

    pub fn dz(&self, args: &[&str]) -> Output {
        self.dz_with(args, "")
    }

    /// Runs the command with a text on its standard input.
    pub fn dz_with(&self, args: &[&str], text: &str) -> Output {
        self.dz_with_bytes(args, text.as_bytes())
    }

    pub fn dz_with_bytes(&self, args: &[&str], input: &[u8]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dz"));
        command.args(args).current_dir(&self.0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("dz runs");
        // A command that reads no input may have ended already.
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        child.wait_with_output().expect("dz ends")
    }

    pub fn write(&self, name: &str, text: &str) {
        let file = self.0.join(name);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("a file")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
pub fn says(output: &Output, code: i32, words: &[&str]) {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
}

#[track_caller]
pub fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
