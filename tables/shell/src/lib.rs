//! Parts of all programs: command lines, output files, progress bars, shell completions, and pages for `man`.

mod bars;
mod columns;
mod command_line;
mod numbers;
mod target;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use bouton_tables::printable::printable_path;
use bouton_tables::program::{Output, unwritten};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

pub use bars::Bar;
pub use columns::in_columns;
pub use command_line::{parse, print_help_or_error};
pub use numbers::{whole, whole_of};
pub use target::{OutputTarget, advice_on_writing, cannot_write};

/// The subcommand that prints completions for a shell.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "To install them: bash ~/.local/share/bash-completion/completions/PROGRAM; zsh a folder of $fpath, as _PROGRAM; fish \
                  ~/.config/fish/completions/PROGRAM.fish; PowerShell: add them to $PROFILE."
)]
pub struct Completions {
    /// The shell.
    pub shell: Shell,
}

/// The subcommand that writes pages for `man`.
#[derive(Clone, Debug, Args)]
pub struct Pages {
    /// A folder for the pages: PROGRAM.1, and one page for each subcommand [default: print PROGRAM.1]
    pub folder: Option<PathBuf>,
}

/// [`Completions`] and [`Pages`] as options, for a program without subcommands.
#[derive(Clone, Debug, Default, Args)]
pub struct ShellOptions {
    /// Print completions for a shell and exit
    #[arg(long, value_name = "SHELL", exclusive = true)]
    pub completions: Option<Shell>,
    /// Print the page for `man` and exit
    #[arg(long, exclusive = true)]
    pub man: bool,
}

impl ShellOptions {
    /// Prints the completions or the page that the user asked for. Returns false if neither.
    pub fn print(&self, command: Command) -> Result<bool, Box<dyn Error>> {
        match self.completions {
            Some(shell) => Completions { shell }.print(command)?,
            None if self.man => Pages { folder: None }.write(command)?,
            None => return Ok(false),
        }
        Ok(true)
    }
}

impl Completions {
    /// Prints the completions of a program.
    pub fn print(&self, mut command: Command) -> io::Result<()> {
        let (name, mut text) = (command.get_name().to_owned(), Vec::new());
        clap_complete::generate(self.shell, &mut command, name, &mut text);
        Output::data().write_all(&text)
    }
}

impl Pages {
    /// Writes the pages of a program.
    pub fn write(&self, command: Command) -> Result<(), Box<dyn Error>> {
        let Some(folder) = &self.folder else {
            let mut text = Vec::new();
            Man::new(command).render(&mut text)?;
            return Ok(Output::data().write_all(&text)?);
        };
        let shown = printable_path(folder);
        if folder.exists() && !folder.is_dir() {
            return Err(format!("{shown} is a file; name a folder for the pages").into());
        }
        let written =
            std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
        written.map_err(|error| {
            let why = unwritten(&error);
            format!("cannot write the pages to {shown}: {why}; name a folder that you may write to").into()
        })
    }
}
