//! Modules: which file can use the names of which module.

use std::collections::{HashMap, HashSet};

use super::Lowering;
use crate::{
    Diagnostic, FileId, Span,
    cursor::Name,
    model::{Import, Module},
    suggestion::same,
    syntax::{self, File, Item},
};

/// The modules during name resolution.
#[derive(Default)]
pub(crate) struct Modules {
    /// The module of each file that declares one.
    of: HashMap<FileId, Name>,
    /// `use` lines, in order.
    pub imports: Vec<Import>,
    /// Position in `imports` by file and module.
    used_by: HashMap<(FileId, String), usize>,
    /// For each file with a module: the place for another `use` line, and its indentation.
    room: HashMap<FileId, (Span, String)>,
    /// Missing lines that are already reported.
    reported: HashSet<(FileId, String)>,
}

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) -> Vec<Module> {
    let mut modules: Vec<Module> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for file in files {
        let Some(name) = &file.module else { continue };
        it.modules.of.insert(file.id, name.clone());
        let last = file.uses.iter().map(|used| used.name.span).filter(|span| span.start > name.span.start).max();
        it.modules.room.insert(file.id, (last.unwrap_or(name.span), file.margin.clone()));
        let at = *known.entry(&name.text).or_insert_with(|| {
            modules.push(Module { name: name.text.clone(), files: Vec::new() });
            modules.len() - 1
        });
        modules[at].files.push(name.span);
    }
    for file in files {
        for used in &file.uses {
            if let Some(at) = known.get(used.name.text.as_str()) {
                let declared = modules[*at].files[0];
                it.used(used.name.span, declared);
                import(it, file.id, used);
            } else {
                unknown(it, &used.name, &modules);
            }
        }
    }
    cycles(it, &modules, &known);
    modules
}

/// Collects the places of what processes call, because these names are resolved before they are lowered.
pub(super) fn places(it: &mut Lowering<'_>, files: &[File]) {
    for item in files.iter().flat_map(|file| &file.items) {
        let (what, name) = match item {
            Item::Story(story) => ("story", &story.name),
            Item::Service(service) => ("service", &service.name),
            Item::Process(process) => ("process", &process.name),
            Item::LlmModel(model) => ("language model", &model.name),
            Item::LlmIntent(intent) => ("intent", &intent.name),
            _ => continue,
        };
        it.callable.places.entry((what, name.text.clone())).or_insert(name.span);
    }
}

fn import(it: &mut Lowering<'_>, file: FileId, used: &syntax::module::Use) {
    let at = it.modules.imports.len();
    it.modules.used_by.insert((file, used.name.text.clone()), at);
    it.modules.imports.push(Import { file, module: used.name.text.clone(), used: false, line: used.line, span: used.name.span });
}

fn unknown(it: &mut Lowering<'_>, name: &Name, modules: &[Module]) {
    let own = it.modules.of.get(&name.span.file).map(|own| own.text.as_str());
    let names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).filter(|other| Some(*other) != own).collect();
    let found = Diagnostic::error("unknown-module", name.span, format!("no file is the module `{}`", name.text))
        .suggest(name.span, &name.text, names)
        .or_else_help(&format!("declare it at the top of a file: `module {}`", name.text));
    it.out.push(found);
}

/// Reports every `use` line that closes a cycle.
fn cycles(it: &mut Lowering<'_>, modules: &[Module], known: &HashMap<&str, usize>) {
    let mut edges: Vec<Vec<(usize, Span)>> = vec![Vec::new(); modules.len()];
    for import in &it.modules.imports {
        let from = it.modules.of.get(&import.file).and_then(|name| known.get(name.text.as_str()));
        let to = known.get(import.module.as_str());
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            edges[*from].push((*to, import.span));
        }
    }
    let mut done = vec![false; modules.len()];
    for start in 0..modules.len() {
        // The path from `start` to here; each node with the next edge to try.
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut place: HashMap<usize, usize> = HashMap::new();
        if !done[start] {
            place.insert(start, 0);
            way.push((start, 0));
        }
        while let Some((here, next)) = way.last_mut() {
            let Some((to, span)) = edges[*here].get(*next).copied() else {
                done[*here] = true;
                place.remove(here);
                way.pop();
                continue;
            };
            *next += 1;
            if let Some(first) = place.get(&to) {
                let circle: Vec<&str> = way[*first..].iter().map(|(at, _)| *at).chain([to]).map(|at| modules[at].name.as_str()).collect();
                circular(it, span, &circle);
            } else if !done[to] {
                place.insert(to, way.len());
                way.push((to, 0));
            }
        }
    }
}

fn circular(it: &mut Lowering<'_>, span: Span, circle: &[&str]) {
    let names: Vec<String> = circle.iter().map(|name| format!("`{name}`")).collect();
    it.out.push(
        Diagnostic::error("module-cycle", span, format!("modules use each other in a circle: {}", names.join(" → ")))
            .help("put the shared declarations into a third module, or make them one module if their declarations name each other"),
    );
}

impl Modules {
    /// Notes that a construct without a meaning yet uses a name of another file.
    pub fn mention(&mut self, file: FileId, declared: FileId) {
        let Some(module) = self.of.get(&declared) else { return };
        if let Some(at) = self.used_by.get(&(file, module.text.clone())) {
            self.imports[*at].used = true;
        }
    }

    /// True if a module uses another, directly or through others, by its lines or by those that are reported as missing.
    fn uses(&self, module: &str, other: &str) -> bool {
        let (mut open, mut seen) = (vec![module], HashSet::from([module]));
        while let Some(here) = open.pop() {
            if here == other {
                return true;
            }
            let lines = self.imports.iter().map(|import| (import.file, import.module.as_str()));
            let missing = self.reported.iter().map(|(file, module)| (*file, module.as_str()));
            let edges = lines.chain(missing).filter(|(file, _)| self.of.get(file).is_some_and(|own| own.text == here));
            open.extend(edges.map(|(_, to)| to).filter(|to| seen.insert(to)));
        }
        false
    }
}

impl Lowering<'_> {
    /// Notes that `name` refers to the declaration at `declared`, which needs no `use` line.
    pub fn mentioned(&mut self, name: &Name, declared: Span) {
        self.used(name.span, declared);
        self.modules.mention(name.span.file, declared.file);
    }

    /// Notes that `name` refers to the declaration at `declared`, and reports a missing `use` line.
    pub fn refer(&mut self, name: &Name, declared: Span) {
        self.used(name.span, declared);
        let file = name.span.file;
        // What dz supplies has no place.
        if file == declared.file || declared.start == declared.end {
            return;
        }
        let Some(target) = self.modules.of.get(&declared.file).map(|module| module.text.clone()) else { return };
        if self.modules.of.get(&file).is_some_and(|own| own.text == target) {
            return;
        }
        let key = (file, target);
        if let Some(at) = self.modules.used_by.get(&key) {
            self.modules.imports[*at].used = true;
            return;
        }
        let Some((room, margin)) = self.modules.room.get(&file) else { return };
        let after = Span { start: room.end, ..*room };
        let line = format!("use {}", key.1);
        let found = Diagnostic::error("missing-import", name.span, format!("`{}` belongs to the module `{}`", name.text, key.1))
            .label(declared, "declared here");
        let own = self.modules.of.get(&file).map_or("", |own| own.text.as_str());
        let found = if self.modules.uses(&key.1, own) {
            found.help(format!(
                "`{target}` uses `{own}`, so `{line}` would close a circle: put both into one module (`module {target}` at the top of each \
                 file), or what both use into a third one",
                target = key.1
            ))
        } else {
            found.help(format!("add the line `{line}` to this file")).replace(after, same(format!("\n{margin}{line}")))
        };
        if self.modules.reported.insert(key) {
            self.out.push(found);
        }
    }
}
