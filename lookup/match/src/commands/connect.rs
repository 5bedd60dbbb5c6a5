//! `bouton-match connect`.

use std::io;
use std::time::Duration;

use bouton_match::client::{self, Kit, MatchOptions, Report};
use bouton_match::{Side, open_table};

use super::Done;
use super::game_setup::TranscriptFile;
use crate::FINE;
use crate::args::ConnectArgs;

pub(crate) fn run(args: &ConnectArgs) -> Done {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    let mut report = Report::new(&mut out, &mut err, args.quiet);
    // Done before anybody waits for us.
    let table = args.table.as_deref().map(open_table).transpose()?;
    let kit = Kit::new(table, args.policy.clone());
    let mut options = MatchOptions {
        protocol: args.protocol,
        name: args.name.clone().unwrap_or_else(|| format!("Bouton-{:04}", fastrand::u32(..10_000))),
        side: if args.second { Side::Second } else { Side::First },
        kit,
        session: args.session,
        stones: args.stones,
        patience: Duration::from_secs(args.patience),
        pause: Duration::from_millis(args.pause),
    };
    client::check(&args.address, &options)?;
    options.kit.get_ready(&mut report)?;
    let transcript = args.record.as_deref().map(TranscriptFile::open).transpose()?;
    client::connect(&args.address, &options, &mut report)?;
    if let Some(mut transcript) = transcript {
        transcript.add(report.transcript())?;
    }
    // The exit status says that the match was played, not who won.
    Ok(FINE)
}
