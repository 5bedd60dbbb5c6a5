//! `bouton-server`: answers from tables over HTTP, and a page to play on and to see why positions are won or lost.
//!
//! A [`Service`] opens the tables of a folder, or solves the presets, and serves a listener until it is asked to
//! end. `docs/service.md` describes its answers. An error after the start goes to the client, as a problem with a status,
//! and to the log.

mod accepted;
mod api;
mod args;
mod caching;
mod connections;
mod error_page;
mod kept;
mod limits;
mod observe;
mod origin;
mod others;
mod page;
mod problem;
mod seldom;
mod service;
mod solved;
mod tables;
mod work;

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;

use args::{Args, Format};
use bouton_shell::{parse, refuse};
use bouton_tables::program::{FINE, Output, TROUBLE, end, trouble};
use bouton_tables::when_asked_to_end;
use clap::CommandFactory;
use others::Others;
use service::Service;
use tracing_appender::non_blocking::WorkerGuard;

const PROGRAM: &str = "bouton-server";

fn main() -> ExitCode {
    let args = match parse::<Args>() {
        Ok(args) => args,
        Err(error) => return refuse(PROGRAM, &error),
    };
    match args.shell.print(Args::command()) {
        Ok(false) => {}
        Ok(true) => return end(PROGRAM, Ok(FINE)),
        Err(error) => return end(PROGRAM, Err(error)),
    }
    // Kept to the end: it writes out what is left of the log.
    let _log = log(&args);
    std::panic::set_hook(Box::new(|panic| tracing::error!(%panic, "a fault of the program")));
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => trouble(PROGRAM, &error),
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    // First: without a listener there is no need to open tables.
    let bind = |address: SocketAddr, setting| {
        let error =
            |error| format!("cannot listen on {address}: {error}; choose another address with {setting}");
        TcpListener::bind(address).map_err(error)
    };
    let listener = bind(args.listen, "--listen")?;
    let metrics = args.metrics_listen.map(|address| bind(address, "--metrics-listen")).transpose()?;
    raise_file_limit();
    let others = Others::new(listener.local_addr()?, args.address.clone());
    let service = Service::new(args, others.clone())?;
    // Before the address is printed.
    let end = told_to_end()?;
    let mut out = Output::data();
    writeln!(out, "listening on http://{}", listener.local_addr()?)?;
    if let Some(metrics) = &metrics {
        writeln!(out, "metrics on http://{}/metrics", metrics.local_addr()?)?;
    }
    if let Some(address) = others.address() {
        writeln!(out, "for other machines: {address}")?;
    }
    // The parent process may be waiting for the port.
    out.flush()?;
    drop(out);
    service.serve(listener, metrics, end).map_err(|error| format!("cannot start: {error}").into())
}

/// Each connection takes a file; systems allow more of them than they give.
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files stays low, and with it that of connections");
    }
}

/// Being asked to end, from now on: the first time ends the service, a second one the program.
fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    let (sender, told) = tokio::sync::oneshot::channel();
    let mut sender = Some(sender);
    when_asked_to_end(move |_| match sender.take() {
        Some(sender) => drop(sender.send(())),
        None => std::process::exit(TROUBLE.into()),
    })?;
    // The sender stays until it is used.
    Ok(async { drop(told.await) })
}

/// Starts the log, which has a thread of its own: a slow reader of the log slows nothing else down, and lines are
/// dropped rather than kept forever.
fn log(args: &Args) -> WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(io::stderr());
    let terminal = io::stderr().is_terminal();
    let format = args.log_format.unwrap_or(if terminal { Format::Text } else { Format::Json });
    let log = tracing_subscriber::fmt()
        .with_max_level(args.log)
        .with_writer(writer)
        .with_target(false)
        .with_ansi(terminal);
    match format {
        Format::Text => log.init(),
        Format::Json => log.json().flatten_event(true).init(),
    }
    guard
}
