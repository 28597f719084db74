//! `dz completions` and `dz man`: files that shells and `man` read.

use std::{fs, io::stdout, path::PathBuf, process::ExitCode};

use clap::{Args, Command};
use clap_complete::Shell;

use crate::output::{counted, fail, put};

/// Options of `dz completions`.
#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Options of `dz man`.
#[derive(Args)]
pub struct Man {
    /// Writes a page for each command to this folder; without it, the page of `dz` is printed
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Prints the script of a shell.
pub fn completions(options: &Completions, mut command: Command) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "dz", &mut script);
    put(stdout(), &String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}

/// Prints or writes the manual pages.
pub fn man(options: &Man, command: Command) -> ExitCode {
    match write_pages(options, command) {
        Ok(code) => code,
        Err(error) => fail(format!("the manual pages cannot be written: {error}")),
    }
}

fn write_pages(options: &Man, command: Command) -> std::io::Result<ExitCode> {
    let Some(folder) = &options.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        put(stdout(), &String::from_utf8_lossy(&page));
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)?;
    let count = fs::read_dir(folder)?.flatten().filter(|entry| entry.path().extension().is_some_and(|it| it == "1")).count();
    put(stdout(), &format!("{} in {}\n", counted(count, "page"), folder.display()));
    Ok(ExitCode::SUCCESS)
}
