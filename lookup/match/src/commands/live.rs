//! `bouton-match connect` and `bouton-match serve`.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use bouton_match::client::{MatchKit, MatchOptions, Report, Server};
use bouton_match::server::{self, Journal, MatchSettings};
use bouton_match::{Side, Transcript};
use bouton_tables::program::Output;

use super::{CommandResult, output, preparation_bar, rules};
use crate::args::{ConnectArgs, RulesArgs, ServeArgs};

pub(crate) fn connect(args: &ConnectArgs) -> CommandResult {
    // Do not lock standard error: other threads draw the bar there.
    let (mut out, mut err) = (output(args.record.as_deref()), io::stderr());
    let mut report = Report::new(&mut out, &mut err, args.quiet);
    report.on_one_screen = io::stdout().is_terminal() && io::stderr().is_terminal();
    let match_rules = rules::of_match(&args.rules, &args.size, &MatchOptions::default().rules)?;
    let mut options = args.options.clone();
    let RulesArgs { rules, settings, table } = &args.rules;
    options.are_rules_given = table.is_none() && (rules.is_some() || !settings.is_empty());
    (options.stones, options.resets) = (match_rules.stones, match_rules.resets);
    options.rules = match_rules.rules.clone();
    options.kit = MatchKit::new(args.policy.clone());
    options.side = if args.second { Side::Second } else { Side::First };
    report.transcript = args.record.as_deref().map(Transcript::open).transpose()?;
    report.transcript.iter().for_each(Transcript::end_when_interrupted);
    let server = Server::find(&args.address, &options, &mut report)?;
    // We have sent no name yet. Only the server of 2016, which asks for none, may already begin the match and a clock.
    let preparing = preparation_bar(args.quiet);
    options.kit.get_ready(match_rules.table, &match_rules.rules, &mut report, &preparing)?;
    preparing.finish_and_clear();
    server.play(&options, &mut report)?;
    Ok(())
}

pub(crate) fn serve(args: &ServeArgs) -> CommandResult {
    let protocol = args.settings.protocol;
    let match_rules = rules::of_match(&args.rules, &args.size, &protocol.usual_rules())?;
    let settings = &MatchSettings { rules: match_rules.rules, ..args.settings.clone() };
    settings.check()?;
    let usual = protocol.port().to_string();
    let listener = server::listen(args.listen.as_deref().unwrap_or(&usual))?;
    let mut out = Output::words();
    writeln!(out, "listening on {} ({}): {settings}", listener.local_addr()?, protocol)?;
    // A script may be waiting for the port.
    out.flush()?;
    drop(out);
    let journal = if args.quiet {
        Journal::new(Box::new(io::sink()), Box::new(io::sink()))
    } else {
        Journal::new(Box::new(Output::words()), Box::new(Output::to_stderr()))
    };
    Ok(server::serve(listener, settings, Arc::new(journal))?)
}
