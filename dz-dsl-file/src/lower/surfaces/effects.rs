//! Keys of `ux:` without an effect on a surface of some mode.

use crate::{
    Diagnostic,
    cursor::Name,
    lower::Lowering,
    model::{Mode, Word},
    syntax::surface::ux::Ux,
};

pub(super) fn report(it: &mut Lowering<'_>, ux: &Ux, mode: Mode) {
    for name in ux.keys.iter().filter(|name| name.text != "purpose" && mode != Mode::List) {
        useless(it, name, mode, "a surface of mode `list`");
    }
    for name in ux.attention.iter().map(|it| &it.keyword).filter(|_| mode == Mode::Create) {
        useless(it, name, mode, "a surface that shows rows which exist");
    }
    for name in ux.variants.iter().flat_map(|variant| &variant.keys) {
        match name.text.as_str() {
            "show_aggregate" | "empty" if mode != Mode::List => useless(it, name, mode, "a surface of mode `list`"),
            "defaults" if mode != Mode::Create => useless(it, name, mode, "a surface of mode `create`"),
            "scope" if mode == Mode::Create => useless(it, name, mode, "a surface that shows rows which exist"),
            _ => {}
        }
    }
}

fn useless(it: &mut Lowering<'_>, name: &Name, mode: Mode, place: &str) {
    let message = format!("`{}` has no effect on a surface of mode `{}`", name.text, mode.word());
    it.out.push(Diagnostic::warning("without-effect", name.span, message).help(format!("remove it, or write it on {place}")));
}
