//! `include_dsl!("app.dsl")`: a file, or a folder of them.

use std::path::{Path, PathBuf};

use dz_dsl_file::{SourceMap, decode};
use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::{
    bare, compile,
    options::{Call, Options},
};
use crate::{
    manifest::Package,
    report::{self, Place},
};

const CALL: &str = "include_dsl! takes a path and then options, such as include_dsl!(\"app.dsl\", database = \"sqlite\")";

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let Ok(Call { path, options }) = syn::parse2(input) else {
        return without_app(&report::error(CALL, Span::call_site(), Span::call_site()));
    };
    let options = match Options::read(options) {
        Ok(options) => options,
        Err(wrong) => return without_app(&wrong.write_errors()),
    };
    let span = path.span();
    match load(&path.value(), span, options) {
        Ok((sources, mut package, files)) => {
            package.watched.extend(files);
            let watched = package.watched.iter().map(|path| path.to_string_lossy().into_owned());
            let expanded = compile(sources, &Literal(span), &package);
            // Cargo rebuilds the package if one of these files changes.
            quote!(#(const _: &[u8] = ::core::include_bytes!(#watched);)* #expanded)
        }
        Err(message) => without_app(&report::error(&message, span, span)),
    }
}

/// The error, with an `app` function, so that the error "cannot find function" does not follow.
fn without_app(error: &TokenStream) -> TokenStream {
    let app = bare();
    quote!(#error #app)
}

/// The literal in the macro call: findings in a file can only point to this place of the user's Rust.
pub(super) struct Literal(pub(super) Span);

impl Place for Literal {
    fn spans(&self, _: usize, _: usize) -> (Span, Span) {
        (self.0, self.0)
    }

    fn snippet(&self) -> bool {
        true
    }
}

fn load(path: &str, span: Span, options: Options) -> Result<(SourceMap, Package, Vec<PathBuf>), String> {
    let mut package = Package::read(|project| options.apply(project))?;
    let beside = span.local_file().and_then(|file| file.parent().map(Path::to_path_buf));
    let beside = beside.map(|folder| folder.join(path));
    let at_root = package.root.join(path);
    let found = beside.iter().chain([&at_root]).find(|candidate| candidate.exists());
    let Some(found) = found else {
        let places: Vec<String> = beside.iter().chain([&at_root]).map(|it| it.display().to_string()).collect();
        return Err(format!("there is no `{path}`, neither at {}", places.join(" nor at ")));
    };
    let (sources, files) = read(found, Path::new(path))?;
    package.find_lock(if found.is_dir() { found } else { found.parent().unwrap_or(found) });
    Ok((sources, package, files))
}

/// The texts of a file or a folder. Findings use the path as `written`.
pub(super) fn read(path: &Path, written: &Path) -> Result<(SourceMap, Vec<PathBuf>), String> {
    let root = path.canonicalize().map_err(|error| format!("{} cannot be opened: {error}", path.display()))?;
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    if files.is_empty() {
        return Err(format!("the folder {} holds no *.dsl file", path.display()));
    }
    let mut sources = SourceMap::default();
    for file in &files {
        let bytes = std::fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
        let inside = file.strip_prefix(&root).unwrap_or(file);
        let name = if inside.as_os_str().is_empty() { written.to_path_buf() } else { written.join(inside) };
        let name = name.to_string_lossy();
        let text = decode(&name, bytes)?;
        sources.add(name, text);
    }
    Ok((sources, files))
}

/// A file, or every `*.dsl` below a folder, sorted by path.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "dsl") {
            collect(&path, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::read;

    #[test]
    fn findings_call_a_file_as_the_call_does() {
        let folder = std::env::temp_dir().join(format!("dz-macros-names-{}", std::process::id()));
        fs::create_dir_all(folder.join("parts/deep")).expect("a folder to write into");
        for name in ["one.dsl", "parts/two.dsl", "parts/deep/three.dsl"] {
            fs::write(folder.join(name), "").expect("a file");
        }
        let names = |written: &str| -> Vec<String> {
            let (sources, _) = read(&folder.join(written), Path::new(written)).expect("the texts");
            sources.files().map(|(_, file)| file.name.clone()).collect()
        };
        assert_eq!(names("one.dsl"), ["one.dsl"]);
        assert_eq!(names("parts/two.dsl"), ["parts/two.dsl"]);
        assert_eq!(names("parts"), ["parts/deep/three.dsl", "parts/two.dsl"]);
        fs::remove_dir_all(folder).expect("the folder is removed");
    }
}
