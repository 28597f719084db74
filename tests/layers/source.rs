//! Rust sources as token trees: the paths that they name, and the length of their functions.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path in code, from the root of its crate.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    pub line: usize,
    pub path: Vec<String>,
}

/// A function with its length.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub line: usize,
    pub lines: usize,
}

/// The paths, names and functions of a source file.
#[derive(Debug, Default)]
pub struct Source {
    /// Paths that begin with `crate`, `super` or `self`, outside of tests.
    pub paths: Vec<Named>,
    /// Every other name outside of tests.
    pub names: Vec<String>,
    /// Modules in files of their own that are compiled only for tests.
    pub test_modules: Vec<Vec<String>>,
    pub functions: Vec<Function>,
}

impl Source {
    /// Reads the text of the module `module`.
    pub fn read(text: &str, module: &[String]) -> Source {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", module.join("::")));
        let mut source = Source::default();
        source.read_tokens(tokens, module, false);
        source
    }

    fn read_tokens(&mut self, tokens: TokenStream, module: &[String], for_tests: bool) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut own_for_tests = for_tests;
        let mut at = 0;
        while at < trees.len() {
            self.read_function(&trees[at..]);
            match &trees[at..] {
                [TokenTree::Punct(sign), TokenTree::Group(attribute), ..] if sign.as_char() == '#' => {
                    own_for_tests |= is_for_tests(attribute.stream());
                    at += 2;
                    continue;
                }
                [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..] if word == "mod" => {
                    self.read_tokens(body.stream(), &child(module, &name.to_string()), own_for_tests);
                    own_for_tests = for_tests;
                    at += 3;
                    continue;
                }
                [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Punct(end), ..] if word == "mod" && end.as_char() == ';' => {
                    if own_for_tests {
                        self.test_modules.push(child(module, &name.to_string()));
                    }
                    own_for_tests = for_tests;
                    at += 3;
                    continue;
                }
                [TokenTree::Ident(word), rest @ ..] if begins_path(word) && is_separator(rest) && !own_for_tests => {
                    at = self.read_path(&trees, at, module);
                    continue;
                }
                [TokenTree::Ident(word), ..] if !own_for_tests => self.names.push(word.to_string()),
                [TokenTree::Group(group), ..] => {
                    self.read_tokens(group.stream(), module, own_for_tests);
                    if group.delimiter() == Delimiter::Brace {
                        own_for_tests = for_tests;
                    }
                }
                [TokenTree::Punct(sign), ..] if sign.as_char() == ';' => own_for_tests = for_tests,
                _ => {}
            }
            at += 1;
        }
    }

    /// Records a function that begins here: its body is the first block after its name.
    fn read_function(&mut self, trees: &[TokenTree]) {
        let [TokenTree::Ident(word), TokenTree::Ident(name), rest @ ..] = trees else { return };
        if word != "fn" {
            return;
        }
        let is_end = |tree: &&TokenTree| match tree {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(sign) => sign.as_char() == ';',
            _ => false,
        };
        if let Some(TokenTree::Group(body)) = rest.iter().find(is_end) {
            let line = word.span().start().line;
            let lines = body.span_close().end().line - line + 1;
            self.functions.push(Function { name: name.to_string(), line, lines });
        }
    }

    /// Records the paths that begin at `at`, and returns the position after them.
    fn read_path(&mut self, trees: &[TokenTree], mut at: usize, module: &[String]) -> usize {
        let mut path = match &trees[at] {
            TokenTree::Ident(word) if word == "crate" => Vec::new(),
            _ => module.to_vec(),
        };
        while let [TokenTree::Ident(word), rest @ ..] = &trees[at..]
            && begins_path(word)
            && is_separator(rest)
        {
            if word == "super" {
                path.pop();
            }
            at += 3;
        }
        self.read_branch(trees, at, path)
    }

    fn read_branch(&mut self, trees: &[TokenTree], at: usize, mut path: Vec<String>) -> usize {
        match &trees[at..] {
            [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ',');
                for branch in inner.split(is_comma).filter(|branch| !branch.is_empty()) {
                    self.read_branch(branch, 0, path.clone());
                }
                at + 1
            }
            [TokenTree::Ident(word), rest @ ..] => {
                if word != "self" {
                    path.push(word.to_string());
                }
                let goes_on = is_separator(rest) && matches!(rest.get(2), Some(TokenTree::Ident(_) | TokenTree::Group(_)));
                if goes_on {
                    return self.read_branch(trees, at + 3, path);
                }
                // Macros are in the root of the crate, in every module that declares them.
                let is_macro = matches!(rest, [TokenTree::Punct(sign), TokenTree::Group(_), ..] if sign.as_char() == '!');
                if !is_macro || path.len() > 1 {
                    self.paths.push(Named { line: word.span().start().line, path });
                }
                at + 1
            }
            _ => {
                let line = trees.get(at).or(trees.last()).map_or(0, |tree| tree.span().start().line);
                self.paths.push(Named { line, path });
                at + 1
            }
        }
    }
}

fn child(module: &[String], name: &str) -> Vec<String> {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

fn begins_path(word: &proc_macro2::Ident) -> bool {
    word == "crate" || word == "super" || word == "self"
}

/// True if `::` follows.
fn is_separator(trees: &[TokenTree]) -> bool {
    let is_colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ':');
    matches!(trees, [first, second, ..] if is_colon(first) && is_colon(second))
}

/// True for `cfg(test)`, also inside `all(…)`; not for `cfg(not(test))`.
fn is_for_tests(attribute: TokenStream) -> bool {
    let text = attribute.to_string().replace(' ', "");
    text.starts_with("cfg(")
        && ["(test)", "(test,", ",test)", ",test,"].iter().any(|part| text.contains(part))
        && !text.contains("not(test)")
}

#[cfg(test)]
mod tests {
    use super::Source;

    fn module(path: &str) -> Vec<String> {
        path.split("::").map(str::to_owned).collect()
    }

    fn paths(text: &str, of: &str) -> Vec<String> {
        Source::read(text, &module(of)).paths.into_iter().map(|named| named.path.join("::")).collect()
    }

    #[test]
    fn paths_are_found_wherever_they_are_written() {
        assert_eq!(paths("use crate::{Value, db::{self, Conn}, web::*};", "a::b"), ["Value", "db", "db::Conn", "web"]);
        assert_eq!(paths("use super::{x, super::y::z as w};", "a::b"), ["a::x", "a::super::y::z"]);
        assert_eq!(paths("fn f() { let x = crate::a::g::<u8>(super::h(1)); }", "b::c"), ["a::g", "b::h"]);
        assert_eq!(paths("mod inner { use super::super::x; }", "a::b"), ["a::x"]);
        assert_eq!(paths("macro_rules! m { () => { $crate::page::x() }; }", "a"), ["page::x"]);
        assert_eq!(paths("// crate::a\nconst X: &str = \"crate::b\";", "a"), Vec::<String>::new());
    }

    #[test]
    fn code_for_tests_is_left_out() {
        assert_eq!(paths("#[cfg(test)] mod tests { use crate::a; } use crate::b;", "c"), ["b"]);
        assert_eq!(paths("#[cfg(all(test, feature = \"x\"))] use crate::a; use crate::b;", "c"), ["b"]);
        assert_eq!(paths("#[cfg(not(test))] use crate::a;", "c"), ["a"]);
        let source = Source::read("#[cfg(test)] mod tests; mod real;", &module("a"));
        assert_eq!(source.test_modules, [module("a::tests")]);
    }

    #[test]
    fn functions_have_their_lines() {
        let source = Source::read("trait T { fn none(&self); }\nfn two(x: [u8; 2]) -> u8 {\n    x[0] }\n", &module("a"));
        let functions: Vec<_> = source.functions.iter().map(|it| (it.name.as_str(), it.line, it.lines)).collect();
        assert_eq!(functions, [("two", 2, 2)]);
    }
}
