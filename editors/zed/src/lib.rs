//! The extension of Zed: it starts `dz lsp` for declarations and for Rust files with `dz!` blocks.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree, settings::LspSettings};

struct Dz;

impl zed::Extension for Dz {
    fn new() -> Self {
        Dz
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let set = LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|it| it.binary);
        let (path, arguments) = set.map_or((None, None), |it| (it.path, it.arguments));
        let missing = "the program dz is not in the search path: run `cargo install dz-cli`, or set lsp.dz.binary.path";
        let command = path.or_else(|| worktree.which("dz")).ok_or(missing)?;
        Ok(Command { command, args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]), env: worktree.shell_env() })
    }
}

zed::register_extension!(Dz);
