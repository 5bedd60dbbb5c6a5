//! What the programs have in common with each other at a terminal: how they read their command lines, what they write to, progress
//! bars, completions for shells, and pages for `man`.

mod bars;
mod target;
mod width;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::error::{ContextKind, ErrorKind};
use clap::{Args, Command, Parser};
use clap_complete::Shell;
use clap_mangen::Man;

pub use bars::Bar;
pub use target::{Target, advice_on_writing, cannot_write};
pub use width::{in_columns, width, wrapped};

/// Reads the command line.
///
/// # Errors
/// What is wrong with it, or the help that it asks for.
pub fn parse<P: Parser>() -> Result<P, clap::Error> {
    P::try_parse().map_err(|mut error| {
        // To write what begins with a dash behind `--` helps with names of files, of which hardly any begin so. What is meant is
        // a negative number, or an option that there is not.
        if error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::SuggestedArg).is_none() {
            error.remove(ContextKind::Suggested);
        }
        error
    })
}

/// Which shell to complete for, as a subcommand.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "To keep them: bash ~/.local/share/bash-completion/completions/PROGRAM; zsh a folder of $fpath, as _PROGRAM; fish \
                  ~/.config/fish/completions/PROGRAM.fish; PowerShell: add them to $PROFILE."
)]
pub struct Completions {
    /// The shell.
    pub shell: Shell,
}

/// Where pages for `man` go, as a subcommand.
#[derive(Clone, Debug, Args)]
pub struct Pages {
    /// A folder for the pages, PROGRAM.1 and one for each subcommand. Without it, the first one is printed.
    pub folder: Option<PathBuf>,
}

/// The same as options, for a program without subcommands.
#[derive(Clone, Debug, Default, Args)]
pub struct ShellOptions {
    /// Print completions for a shell, and do nothing else
    #[arg(long, value_name = "SHELL", exclusive = true)]
    pub completions: Option<Shell>,
    /// Print the page for `man`, and do nothing else
    #[arg(long, exclusive = true)]
    pub man: bool,
}

impl ShellOptions {
    /// Prints what is asked for. Gives whether anything was.
    ///
    /// # Errors
    /// Those of standard output.
    pub fn print(&self, command: Command) -> io::Result<bool> {
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
    ///
    /// # Errors
    /// Those of standard output.
    pub fn print(&self, mut command: Command) -> io::Result<()> {
        let (name, mut text) = (command.get_name().to_owned(), Vec::new());
        clap_complete::generate(self.shell, &mut command, name, &mut text);
        io::stdout().lock().write_all(&text)
    }
}

impl Pages {
    /// Writes the pages of a program.
    ///
    /// # Errors
    /// Those of the folder, or of standard output.
    pub fn write(&self, command: Command) -> io::Result<()> {
        match &self.folder {
            None => {
                let mut text = Vec::new();
                Man::new(command).render(&mut text)?;
                io::stdout().lock().write_all(&text)
            }
            Some(folder) => {
                std::fs::create_dir_all(folder)?;
                clap_mangen::generate_to(command, folder)
            }
        }
    }
}
