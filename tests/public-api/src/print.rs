//! The list as text: for each public path the item without bodies, private fields and documentation, then its implementations.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{File, ImplItem, Item, ItemImpl, ItemMacro, Type, parse_quote};

use crate::{
    attributes::{is_hidden, is_public, keep_interface, name_of},
    names::{Named, World, has_word},
    walk::{Places, Public},
};

/// The list of a public API.
#[must_use]
pub fn print(world: &World, public: &Public) -> String {
    let implementations = implementations(world, public);
    let by_macros = implementations_by_macros(world, public);
    let mut blocks: BTreeMap<String, String> = BTreeMap::new();
    for (named, places) in public {
        let mut text = String::new();
        for (path, under) in places {
            let conditions: Vec<&str> = under.iter().map(String::as_str).collect();
            let condition = if conditions.is_empty() { String::new() } else { format!(" if {}", conditions.join(", ")) };
            let _ = writeln!(text, "// {path}{condition}");
        }
        text += &match named {
            Named::Module(..) => "mod\n".to_owned(),
            Named::External(path) => format!("use {path}\n"),
            Named::Macro(of, name) => world.exported_macro(*of, name).map_or_else(String::new, matchers),
            Named::ByMacro(of, module, name) => calls(world, *of, module, name),
            Named::Item(of, module, name) => {
                let own = world.items(*of, module).iter().filter(|item| name_of(item).is_some_and(|(it, _)| it == *name));
                let mut items: Vec<Item> = own.map(interface).collect();
                items.extend(implementations.get(named).into_iter().flatten().cloned().map(Item::Impl));
                format(items) + &by_macros.get(named).map_or_else(String::new, |calls| calls.iter().map(String::as_str).collect())
            }
        };
        // The same path can name a module, a macro and a type.
        blocks.entry(first(places)).or_default().push_str(&text);
    }
    blocks.into_values().collect::<Vec<_>>().join("\n")
}

fn first(places: &Places) -> String {
    places.keys().next().cloned().unwrap_or_default()
}

fn format(items: Vec<Item>) -> String {
    let (items, mut blocks): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| !matches!(item, Item::Impl(_)));
    let text = |items: Vec<Item>| prettyplease::unparse(&File { shebang: None, attrs: Vec::new(), items });
    let mut written: Vec<String> = blocks.drain(..).map(|block| text(vec![block])).collect();
    written.sort();
    written.dedup();
    text(items) + &written.concat()
}

/// An item without what is not public.
fn interface(item: &Item) -> Item {
    let mut item = item.clone();
    match &mut item {
        Item::Const(it) => {
            keep_interface(&mut it.attrs);
            it.expr = parse_quote!(_);
        }
        Item::Static(it) => {
            keep_interface(&mut it.attrs);
            it.expr = parse_quote!(_);
        }
        Item::Fn(it) => {
            keep_interface(&mut it.attrs);
            callers_view(&mut it.sig);
            it.block = parse_quote!({});
        }
        Item::Type(it) => keep_interface(&mut it.attrs),
        Item::Struct(it) => {
            keep_interface(&mut it.attrs);
            public_fields(&mut it.fields);
        }
        Item::Enum(it) => {
            keep_interface(&mut it.attrs);
            for variant in &mut it.variants {
                keep_interface(&mut variant.attrs);
                variant.discriminant = None;
                variant.fields.iter_mut().for_each(|field| keep_interface(&mut field.attrs));
            }
        }
        Item::Trait(it) => {
            keep_interface(&mut it.attrs);
            it.items.retain(|item| !is_hidden(trait_attributes(item)));
            it.items.iter_mut().for_each(trait_item);
        }
        _ => {}
    }
    item
}

/// Removes `mut` from parameters, which callers do not see.
fn callers_view(signature: &mut syn::Signature) {
    for input in &mut signature.inputs {
        match input {
            syn::FnArg::Receiver(it) if it.reference.is_none() => it.mutability = None,
            syn::FnArg::Typed(it) => {
                if let syn::Pat::Ident(name) = &mut *it.pat {
                    name.mutability = None;
                }
            }
            syn::FnArg::Receiver(_) => {}
        }
    }
}

fn trait_attributes(item: &syn::TraitItem) -> &[syn::Attribute] {
    match item {
        syn::TraitItem::Fn(it) => &it.attrs,
        syn::TraitItem::Const(it) => &it.attrs,
        syn::TraitItem::Type(it) => &it.attrs,
        _ => &[],
    }
}

/// An item of a trait: a body that exists is empty, so that the list shows which items an implementation can leave out.
fn trait_item(item: &mut syn::TraitItem) {
    match item {
        syn::TraitItem::Fn(it) => {
            keep_interface(&mut it.attrs);
            callers_view(&mut it.sig);
            it.default = it.default.as_ref().map(|_| parse_quote!({}));
        }
        syn::TraitItem::Const(it) => {
            keep_interface(&mut it.attrs);
            it.default = it.default.as_ref().map(|(eq, _)| (*eq, parse_quote!(_)));
        }
        syn::TraitItem::Type(it) => keep_interface(&mut it.attrs),
        _ => {}
    }
}

/// Private fields become one field without a type.
fn public_fields(fields: &mut syn::Fields) {
    for field in fields.iter_mut() {
        keep_interface(&mut field.attrs);
    }
    match fields {
        syn::Fields::Named(named) => {
            let all = named.named.len();
            let kept = named.named.iter().filter(|field| is_public(&field.vis)).cloned().collect::<Vec<_>>();
            let is_whole = kept.len() == all;
            named.named = kept.into_iter().collect();
            if !is_whole {
                named.named.push(syn::Field { ty: parse_quote!(_), ..private_field() });
            }
        }
        syn::Fields::Unnamed(unnamed) => {
            for field in unnamed.unnamed.iter_mut().filter(|field| !is_public(&field.vis)) {
                field.ty = parse_quote!(_);
            }
        }
        syn::Fields::Unit => {}
    }
}

fn private_field() -> syn::Field {
    let item: syn::ItemStruct = parse_quote!(
        struct Private {
            private_fields: (),
        }
    );
    item.fields.into_iter().next().expect("a field")
}

/// The implementations of each public type, and of each public trait for other types.
fn implementations(world: &World, public: &Public) -> BTreeMap<Named, Vec<ItemImpl>> {
    let mut found: BTreeMap<Named, Vec<ItemImpl>> = BTreeMap::new();
    for (of, read) in world.crates.iter().enumerate() {
        for (module, items) in &read.modules {
            for item in items {
                let Item::Impl(it) = item else { continue };
                let target = type_path(&it.self_ty).map(|path| world.resolve(of, module, &path)).unwrap_or_default();
                let target = target.into_iter().find(|named| is_item(named) && public.contains_key(named));
                let contract = match &it.trait_ {
                    None => None,
                    Some((_, path, _)) => {
                        let resolved = world.resolve(of, module, &words(path));
                        // A trait that applications cannot name adds nothing to their interface.
                        if resolved.iter().any(is_item) && !resolved.iter().any(|named| public.contains_key(named)) {
                            continue;
                        }
                        resolved.into_iter().find(|named| is_item(named) && public.contains_key(named))
                    }
                };
                if let (Some(owner), Some(it)) = (target.or(contract), implementation(it)) {
                    found.entry(owner).or_default().push(it);
                }
            }
        }
    }
    found
}

/// The calls of macros that implement a public trait, or something for a public type.
fn implementations_by_macros(world: &World, public: &Public) -> BTreeMap<Named, BTreeSet<String>> {
    let mut found: BTreeMap<Named, BTreeSet<String>> = BTreeMap::new();
    for (of, read) in world.crates.iter().enumerate() {
        for module in read.modules.keys() {
            for call in world.calls(of, module) {
                let called = words(&call.mac.path).pop().unwrap_or_default();
                let Some(declared) = world.macros(of).find(|it| it.ident.as_ref().is_some_and(|own| *own == called)) else { continue };
                let mut headers = BTreeSet::new();
                headers_of(&declared.mac.tokens, &mut headers);
                for header in headers.iter().filter(|header| header.starts_with("impl")) {
                    let names = header.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
                    let owner = names
                        .flat_map(|name| world.resolve(of, module, &[name.to_owned()]))
                        .find(|it| is_item(it) && public.contains_key(it));
                    if let Some(owner) = owner {
                        let line = format!("{called}! declares `{header}` for:\n    {}\n", lines(&call.mac.tokens).join("\n    "));
                        found.entry(owner).or_default().insert(line);
                    }
                }
            }
        }
    }
    found
}

fn is_item(named: &Named) -> bool {
    matches!(named, Named::Item(..))
}

fn words(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

/// The path of the type for which something is implemented.
fn type_path(of: &Type) -> Option<Vec<String>> {
    match of {
        Type::Path(it) => Some(words(&it.path)),
        Type::Reference(it) => type_path(&it.elem),
        Type::TraitObject(it) => it.bounds.iter().find_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => Some(words(&bound.path)),
            _ => None,
        }),
        _ => None,
    }
}

/// An implementation without bodies; `None` if it has nothing that is public.
fn implementation(of: &ItemImpl) -> Option<ItemImpl> {
    let mut it = of.clone();
    keep_interface(&mut it.attrs);
    let is_contract = it.trait_.is_some();
    it.items.retain(|item| match item {
        ImplItem::Fn(it) => !is_contract && is_public(&it.vis) && !is_hidden(&it.attrs),
        ImplItem::Const(it) => !is_contract && is_public(&it.vis) && !is_hidden(&it.attrs),
        ImplItem::Type(_) => true,
        _ => false,
    });
    for item in &mut it.items {
        match item {
            ImplItem::Fn(it) => {
                keep_interface(&mut it.attrs);
                callers_view(&mut it.sig);
                it.block = parse_quote!({});
            }
            ImplItem::Const(it) => {
                keep_interface(&mut it.attrs);
                it.expr = parse_quote!(_);
            }
            ImplItem::Type(it) => keep_interface(&mut it.attrs),
            _ => {}
        }
    }
    (is_contract || !it.items.is_empty()).then_some(it)
}

/// The patterns of a macro, without what they expand to.
fn matchers(of: &ItemMacro) -> String {
    let mut text = format!("macro {}\n", of.ident.as_ref().map(ToString::to_string).unwrap_or_default());
    let tokens: Vec<TokenTree> = of.mac.tokens.clone().into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let is_pattern = matches!(tokens.get(at + 1), Some(TokenTree::Punct(it)) if it.as_char() == '=');
        // An arm whose first word begins with `@` is called by the macro itself.
        let is_own = |tokens: &TokenStream| matches!(tokens.clone().into_iter().next(), Some(TokenTree::Punct(it)) if it.as_char() == '@');
        if let (TokenTree::Group(group), true) = (token, is_pattern)
            && !is_own(&group.stream())
        {
            let _ = writeln!(text, "    ({})", group.stream());
        }
    }
    text
}

/// The calls in a module that declare a name, or that call the macro of this name, with what the macro implements for each.
fn calls(world: &World, of: usize, module: &[String], name: &str) -> String {
    let mut text = String::new();
    for call in world.calls(of, module).filter(|it| it.mac.path.is_ident(name) || has_word(&it.mac.tokens, name)) {
        let called = call.mac.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
        let _ = writeln!(text, "{called}! {{");
        for line in lines(&call.mac.tokens) {
            let _ = writeln!(text, "    {line}");
        }
        text += "}\n";
        let declared = world.macros(of).find(|it| it.ident.as_ref().is_some_and(|own| *own == called));
        let mut headers = BTreeSet::new();
        if let Some(declared) = declared {
            headers_of(&declared.mac.tokens, &mut headers);
        }
        for header in headers {
            let _ = writeln!(text, "{called}! declares `{header}`");
        }
    }
    text
}

/// The statements of the tokens of a call, without documentation.
fn lines(tokens: &TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut line: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_attribute = matches!(&token, TokenTree::Punct(it) if it.as_char() == '#')
            && matches!(tokens.peek(), Some(TokenTree::Group(it)) if it.delimiter() == Delimiter::Bracket);
        if is_attribute {
            tokens.next();
            continue;
        }
        let is_end = matches!(&token, TokenTree::Punct(it) if matches!(it.as_char(), ';' | ','));
        line.push(token);
        if is_end {
            found.push(line.drain(..).collect::<TokenStream>().to_string());
        }
    }
    found.extend((!line.is_empty()).then(|| line.into_iter().collect::<TokenStream>().to_string()));
    found
}

/// The beginnings of the items in a macro: `impl … for …`, `pub struct …`.
fn headers_of(tokens: &TokenStream, found: &mut BTreeSet<String>) {
    let mut header: Option<Vec<TokenTree>> = None;
    for token in tokens.clone() {
        match &token {
            TokenTree::Ident(it) if header.is_none() && (it == "impl" || it == "pub") => header = Some(vec![token]),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                if let Some(header) = header.take() {
                    found.insert(header.into_iter().collect::<TokenStream>().to_string());
                }
                headers_of(&group.stream(), found);
            }
            TokenTree::Punct(it) if it.as_char() == ';' => {
                if let Some(header) = header.take() {
                    found.insert(header.into_iter().collect::<TokenStream>().to_string());
                }
            }
            TokenTree::Group(group) if header.is_none() => headers_of(&group.stream(), found),
            _ => {
                if let Some(header) = &mut header {
                    header.push(token);
                }
            }
        }
    }
}
