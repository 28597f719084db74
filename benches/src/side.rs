//! The two generated crates, and their edits.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    Cost,
    declaration::{Edit, Edits, declaration},
    measure, twin,
};

/// One of the two crates.
pub struct Side {
    folder: PathBuf,
    target: PathBuf,
    count: usize,
    by_hand: bool,
    edits: Edits,
}

impl Side {
    /// The declaration of `count` entities, in a folder under `root`, with dz from its checkout.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn dz(root: &Path, dz: &Path, count: usize) -> io::Result<Side> {
        let side =
            Side { folder: root.join(format!("dz{count}")), target: root.join("target"), count, by_hand: false, edits: Edits::default() };
        let manifest = format!(
            "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\ndz = {{ path = {:?} }}\ndiesel = {{ version = \"2.3\", default-features = false }}\n\n[profile.dev]\ndebug = \"line-tables-only\"\n",
            dz
        );
        side.prepare(&manifest)?;
        fs::write(
            side.folder.join("src/main.rs"),
            "dz::include_dsl!(\"app.dsl\");\n\nfn main() -> std::process::ExitCode {\n    app().main()\n}\n",
        )?;
        Ok(side)
    }

    /// The same application written by hand.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn twin(root: &Path, count: usize) -> io::Result<Side> {
        let side =
            Side { folder: root.join(format!("twin{count}")), target: root.join("target"), count, by_hand: true, edits: Edits::default() };
        side.prepare(twin::MANIFEST)?;
        fs::write(side.folder.join("src/main.rs"), twin::main_file(count))?;
        fs::write(side.folder.join("src/shared.rs"), twin::SHARED)?;
        Ok(side)
    }

    fn prepare(&self, manifest: &str) -> io::Result<()> {
        fs::create_dir_all(self.folder.join("src"))?;
        fs::write(self.folder.join("Cargo.toml"), manifest)?;
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        fs::copy(lock, self.folder.join("Cargo.lock"))?;
        self.write()
    }

    /// Applies an edit, and measures the command after it.
    ///
    /// # Errors
    /// If the sources cannot be written or the command fails.
    pub fn measure_edit(&mut self, edit: Edit, command: &str) -> io::Result<Cost> {
        self.edits = self.edits.toggle(edit);
        self.write()?;
        self.run(command)
    }

    /// Writes the sources that edits change.
    fn write(&self) -> io::Result<()> {
        if !self.by_hand {
            return write_if_new(&self.folder.join("app.dsl"), &declaration(self.count, self.edits));
        }
        write_if_new(&self.folder.join("src/schema.rs"), &twin::schema(self.count, self.edits))?;
        (0..self.count).try_for_each(|n| write_if_new(&self.folder.join(format!("src/item{n}.rs")), &twin::module(n, self.edits)))
    }

    /// Runs a command of cargo.
    ///
    /// # Errors
    /// If the command fails.
    pub fn run(&self, command: &str) -> io::Result<Cost> {
        measure(&self.folder, &format!("CARGO_TARGET_DIR={} {command}", self.target.display()))
    }

    /// The program of a release build.
    pub fn program(&self) -> PathBuf {
        self.target.join("release").join(if self.by_hand { "twin" } else { "app" })
    }

    /// The folder of the crate.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Does not write a file that would not change, as editors do.
fn write_if_new(path: &Path, text: &str) -> io::Result<()> {
    match fs::read_to_string(path) {
        Ok(old) if old == text => Ok(()),
        _ => fs::write(path, text),
    }
}
