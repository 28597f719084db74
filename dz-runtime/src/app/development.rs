//! Edits of the declaration for a running debug build, which `dz dev` sends through a pipe. Other builds do not contain this module.

use std::{
    io::{self, BufRead as _},
    sync::Arc,
    thread,
};

use crate::{languages::Edits, output::print_line, state::State};

/// `dz dev` sets this variable; without it, standard input is not read.
const VARIABLE: &str = "DZ_DEV_EDITS";
/// The start of the lines for `dz dev`.
const ANSWER: &str = "dz-dev-edits: ";

/// Takes over the edits that `dz dev` sends, until the pipe is closed.
pub(super) fn follow_edits(state: &Arc<State>) {
    if std::env::var_os(VARIABLE).is_none_or(|value| value != "stdin") {
        return;
    }
    let state = state.clone();
    let follow = move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let done = Edits::read(state.app, &line).map(|edits| state.languages.take_over(state.app, &edits));
            let answer = done.map_or_else(|error| error.detail, |()| "taken over".to_owned());
            if print_line!("{ANSWER}{answer}").is_err() {
                return;
            }
        }
    };
    // Without the thread, `dz dev` builds the application for each change.
    if thread::Builder::new().name("dz-dev-edits".to_owned()).spawn(follow).is_ok() {
        let _ = print_line!("{ANSWER}ready");
    }
}
