//! What the user types.

use std::path::PathBuf;

use clap::{Args as Arguments, Parser, Subcommand};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (table format 1)");

/// Plays what the tables know: games between players of any kind, tournaments, and matches on real servers.
#[derive(Debug, Parser)]
#[command(name = "bouton-match", version = VERSION, propagate_version = true)]
#[command(
    after_help = "Exit status: 0 fine; 1 the answer is no; 2 trouble (bad usage, unreadable or damaged \
                        file, a server that breaks off)."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a match on a server of the Expanding Nim tournaments.
    Connect(Connect),
    /// Host matches for other people's clients, as the tournaments' servers do.
    Serve(Serve),
}

/// To be written.
#[derive(Debug, Arguments)]
pub(crate) struct Connect {
    /// To be written.
    pub(crate) address: String,
}

/// To be written.
#[derive(Debug, Arguments)]
pub(crate) struct Serve {
    /// To be written.
    #[arg(long)]
    pub(crate) listen: PathBuf,
}
