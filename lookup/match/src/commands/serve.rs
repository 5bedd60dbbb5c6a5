//! `bouton-match serve`.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use bouton_match::server::{Address, Journal, MatchSettings, serve};

use super::Done;
use crate::FINE;
use crate::args::ServeArgs;

pub(crate) fn run(args: &ServeArgs) -> Done {
    let settings = MatchSettings {
        stones: args.stones,
        resets: args.resets.unwrap_or(args.protocol.resets()),
        clock: args.clock,
        matches: (args.matches > 0).then_some(args.matches),
        join_time: Duration::from_secs(args.join_time.into()),
        pause: Duration::from_millis(args.pause.into()),
        ..MatchSettings::new(args.protocol)
    };
    settings.check()?;
    let address = match &args.listen {
        Some(text) => Address::parse(text)?,
        None => Address::loopback(args.protocol.port()),
    };
    let listener = address.bind()?;
    let mut out = io::stdout().lock();
    writeln!(out, "listening on {} ({}): {settings}", listener.local_addr()?, args.protocol)?;
    // A script may be waiting for the port.
    out.flush()?;
    drop(out);
    let journal = if args.quiet {
        Journal::new(Box::new(io::sink()), Box::new(io::sink()))
    } else {
        Journal::new(Box::new(io::stdout()), Box::new(io::stderr()))
    };
    serve(listener, &settings, Arc::new(journal))?;
    Ok(FINE)
}
