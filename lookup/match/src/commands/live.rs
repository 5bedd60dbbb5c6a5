//! `bouton-match connect` and `bouton-match serve`.

use std::io::{self, Write};
use std::sync::Arc;

use bouton_match::client::{self, Kit, Report};
use bouton_match::server::{self, Journal};
use bouton_match::{Side, open_table};

use super::Done;
use super::game_setup::TranscriptFile;
use crate::args::{ConnectArgs, ServeArgs};

pub(crate) fn connect(args: &ConnectArgs) -> Done {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    let mut report = Report::new(&mut out, &mut err, args.quiet);
    // Done before anybody waits for us.
    let table = args.table.as_deref().map(open_table).transpose()?;
    let mut options = args.options.clone();
    options.kit = Kit::new(args.policy.clone());
    options.side = if args.second { Side::Second } else { Side::First };
    client::check(&args.address, &options)?;
    options.kit.get_ready(table, &mut report)?;
    let transcript = args.record.as_deref().map(TranscriptFile::open).transpose()?;
    client::connect(&args.address, &options, &mut report)?;
    if let Some(mut transcript) = transcript {
        transcript.add(report.transcript())?;
    }
    Ok(())
}

pub(crate) fn serve(args: &ServeArgs) -> Done {
    let (settings, protocol) = (&args.settings, args.settings.protocol);
    settings.check()?;
    let usual = protocol.port().to_string();
    let listener = server::listen(args.listen.as_deref().unwrap_or(&usual))?;
    let mut out = io::stdout().lock();
    writeln!(out, "listening on {} ({}): {settings}", listener.local_addr()?, protocol)?;
    // A script may be waiting for the port.
    out.flush()?;
    drop(out);
    let journal = if args.quiet {
        Journal::new(Box::new(io::sink()), Box::new(io::sink()))
    } else {
        Journal::new(Box::new(io::stdout()), Box::new(io::stderr()))
    };
    Ok(server::serve(listener, settings, Arc::new(journal))?)
}
