//! Rust as text, with line breaks inside dz's own macros: prettyplease writes the tokens of a macro in one line.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::{File, Item, Lit, MetaNameValue};

/// The text of a file.
pub(super) fn text(mut file: File) -> String {
    let mut bodies = Vec::new();
    take_bodies(&mut file.items, &mut bodies);
    let mut out = String::new();
    for line in prettyplease::unparse(&file).lines() {
        let indent = line.len() - line.trim_start().len();
        match line.trim().strip_prefix("given_").and_then(|at| at.parse::<usize>().ok()) {
            Some(at) => lines(bodies[at].clone(), indent, &mut out),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// Replaces the tokens of each macro by a placeholder.
fn take_bodies(items: &mut [Item], bodies: &mut Vec<TokenStream>) {
    for item in items {
        match item {
            Item::Mod(module) => take_bodies(module.content.as_mut().map_or(&mut [], |(_, items)| items), bodies),
            Item::Macro(call) if matches!(call.mac.delimiter, syn::MacroDelimiter::Brace(_)) => {
                let word = quote::format_ident!("given_{}", bodies.len());
                bodies.push(std::mem::replace(&mut call.mac.tokens, quote::quote!(#word)));
            }
            _ => {}
        }
    }
}

/// Writes each part on a line: parts end with `;`, or with `,` if there is neither `;` nor a brace. Attributes are parts.
fn lines(tokens: TokenStream, indent: usize, out: &mut String) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let marked = tokens.iter().any(|token| token.to_string() == ";");
    let braced = tokens.iter().any(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace));
    let end = if marked || braced { ";" } else { "," };
    let (mut starts, mut angles, mut before) = (true, 0_i32, String::new());
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let word = match &token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => "{".to_owned(),
            TokenTree::Group(group) if before == "#" => attribute(group.stream()),
            TokenTree::Punct(mark) if mark.spacing() == Spacing::Joint => {
                format!("{mark}{}", tokens.next().map(|it| it.to_string()).unwrap_or_default())
            }
            token => token.to_string().replace(" ,", ","),
        };
        if starts {
            out.push_str(if before.is_empty() { "" } else { "\n" });
            out.push_str(&" ".repeat(indent));
        } else if needs_space(&before, &word) {
            out.push(' ');
        }
        out.push_str(if word == "#" { "" } else { &word });
        if let ("{", TokenTree::Group(group)) = (word.as_str(), &token) {
            out.push('\n');
            lines(group.stream(), indent + 4, out);
            out.push_str(&format!("\n{}}}", " ".repeat(indent)));
        }
        angles += i32::from(word == "<") - i32::from(word == ">");
        starts = before == "#" || (word == end && angles == 0);
        before = word;
    }
}

/// An attribute, which is documentation or `[…]`.
fn attribute(tokens: TokenStream) -> String {
    let documentation = syn::parse2::<MetaNameValue>(tokens.clone()).ok().filter(|it| it.path.is_ident("doc"));
    match documentation.map(|it| it.value) {
        Some(syn::Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. })) => format!("///{}", text.value()),
        _ => format!("#[{tokens}]"),
    }
}

/// True if a space is usual between two tokens.
fn needs_space(before: &str, word: &str) -> bool {
    let path = word == "::" && before.ends_with(|it: char| it.is_alphanumeric());
    !matches!(before, "<" | "#" | "::") && !path && !word.starts_with(['(', '[', ';', ',', '<', '>', '?']) && word != ":"
}
