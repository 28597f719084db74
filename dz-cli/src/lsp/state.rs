//! The state of the server: the open texts, the projects, and the capabilities of the client.

use std::{cell::RefCell, path::PathBuf, rc::Rc};

use dz_dsl_file::FileId;
use lsp_types::{ClientCapabilities, Position, Url};

use super::{
    document::{Document, path_of},
    failure::Failure,
    position::Encoding,
    projects::{self, Project},
    unit::Unit,
};

/// The open texts and their projects.
pub struct State {
    /// The unit of columns.
    pub encoding: Encoding,
    /// The capabilities of the client.
    pub client: ClientCapabilities,
    /// The folders that are open in the editor.
    pub roots: Vec<PathBuf>,
    /// The files and folders of the command line.
    pub named: Vec<PathBuf>,
    /// The open texts.
    pub open: Vec<Document>,
    projects: RefCell<Vec<Rc<Project>>>,
}

/// A text of a project.
pub struct Place {
    /// The project.
    pub project: Rc<Project>,
    path: PathBuf,
}

impl State {
    /// The state before a client initialises the server.
    pub fn new(named: Vec<PathBuf>) -> State {
        State {
            encoding: Encoding::Utf16,
            client: ClientCapabilities::default(),
            roots: Vec::new(),
            named,
            open: Vec::new(),
            projects: RefCell::default(),
        }
    }

    /// The project of a text.
    pub fn project(&self, url: &Url) -> Rc<Project> {
        let path = path_of(url);
        if let Some(known) = self.projects.borrow().iter().find(|it| it.holds(&path)) {
            return Rc::clone(known);
        }
        let opened = self.open.iter().find(|it| it.url == *url);
        let is_rust = opened.map_or_else(|| path.extension().is_some_and(|it| it == "rs"), |it| it.is_rust);
        let found = Rc::new(projects::of_file(&path, url, is_rust, &self.roots, &self.named));
        self.projects.borrow_mut().push(Rc::clone(&found));
        found
    }

    /// Every project of an open text, each once.
    pub fn open_projects(&self) -> Vec<Rc<Project>> {
        let mut found: Vec<Rc<Project>> = Vec::new();
        for document in &self.open {
            let project = self.project(&document.url);
            if !found.iter().any(|it| Rc::ptr_eq(it, &project)) {
                found.push(project);
            }
        }
        found
    }

    /// Every project of an open text and of the folders that are open in the editor, each once.
    pub fn all_projects(&self) -> Vec<Rc<Project>> {
        let mut found = self.open_projects();
        for url in self.roots.iter().flat_map(|root| projects::declarations_below(root)).filter_map(|path| Url::from_file_path(path).ok()) {
            let project = self.project(&url);
            if !found.iter().any(|it| Rc::ptr_eq(it, &project)) {
                found.push(project);
            }
        }
        found
    }

    /// Forgets the analysis of a text's project.
    pub fn forget_analysis(&mut self, url: &Url) {
        let path = path_of(url);
        for project in self.projects.get_mut().iter_mut().filter(|it| it.holds(&path)) {
            if let Some(project) = Rc::get_mut(project) {
                project.forget();
            }
        }
    }

    /// Forgets every project, because files or settings have changed.
    pub fn forget_projects(&mut self) {
        self.projects.get_mut().clear();
    }

    /// A text. The error is about a text that is neither open nor on disk.
    pub fn place(&self, url: &Url) -> Result<Place, Failure> {
        let path = path_of(url);
        if !self.open.iter().any(|it| it.url == *url) && !path.is_file() {
            return Err(Failure::wrong_params(format!("`{url}` is not open, and there is no such file")));
        }
        Ok(Place { project: self.project(url), path })
    }
}

impl Place {
    /// The applications with this text: one, or each block of a Rust file.
    pub fn units<'p>(&'p self, state: &State) -> impl Iterator<Item = (&'p Unit, FileId)> + use<'p> {
        self.project.units(&state.open).iter().filter_map(move |unit| unit.file_at(&self.path).map(|file| (unit, file)))
    }

    /// The application at a position, with the byte; `None` outside the blocks of a Rust file.
    pub fn at<'p>(&'p self, state: &State, position: Position) -> Option<At<'p>> {
        self.units(state).find_map(|(unit, file)| {
            let byte = unit.byte(file, position, state.encoding);
            let inside = unit.block.is_none_or(|it| it.start <= byte as usize && byte as usize <= it.end);
            inside.then_some(At { unit, file, byte })
        })
    }
}

/// A byte of a text.
#[derive(Clone, Copy)]
pub struct At<'p> {
    /// The application.
    pub unit: &'p Unit,
    /// The text.
    pub file: FileId,
    /// The byte.
    pub byte: u32,
}
