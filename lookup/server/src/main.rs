//! `bouton-server`: answers from tables over HTTP, and a page to play on and to see why positions are won or lost.
//!
//! A [`Service`] opens the tables of a folder, or solves the presets, and serves a listener until a signal ends the
//! program. `docs/service.md` describes the answers. After the start, an error goes to the log, and to the client as a
//! problem with a status.

mod accept_header;
mod answer_cache;
mod api;
mod args;
mod caching;
mod connections;
mod error_response;
mod limits;
mod log_throttle;
mod observe;
mod origin;
mod page;
mod problem;
mod public_address;
mod service;
mod solved_tables;
mod tables;
mod work_queue;

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;

use args::{Args, LogFormat};
use bouton_shell::{parse, print_help_or_error};
use bouton_tables::program::{FAILURE, Output, SUCCESS, end, print_failure};
use bouton_tables::when_asked_to_end;
use clap::CommandFactory;
use public_address::PublicAddress;
use service::Service;
use tracing_appender::non_blocking::WorkerGuard;

const PROGRAM: &str = "bouton-server";

fn main() -> ExitCode {
    let args = match parse::<Args>() {
        Ok(args) => args,
        Err(error) => return print_help_or_error(PROGRAM, &error),
    };
    match args.shell.print(Args::command()) {
        Ok(false) => {}
        Ok(true) => return end(PROGRAM, Ok(SUCCESS)),
        Err(error) => return end(PROGRAM, Err(error)),
    }
    // Writes the rest of the log when it is dropped, at the end of `main`.
    let _log = log(&args);
    std::panic::set_hook(Box::new(|panic| tracing::error!(%panic, "a fault of the program")));
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => print_failure(PROGRAM, &error),
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    // Listen first: if that fails, there is no need to open tables.
    let bind = |address: SocketAddr, setting| {
        let error =
            |error| format!("cannot listen on {address}: {error}; choose another address with {setting}");
        TcpListener::bind(address).map_err(error)
    };
    let listener = bind(args.listen, "--listen")?;
    let metrics = args.metrics_listen.map(|address| bind(address, "--metrics-listen")).transpose()?;
    raise_file_limit();
    let public_address =
        PublicAddress { listening: listener.local_addr()?, configured: args.address.clone() };
    let service = Service::new(args, public_address.clone())?;
    // Install the handler before printing the address: a reader may send the signal at once.
    let end = end_signal()?;
    let mut out = Output::data();
    writeln!(out, "listening on http://{}", listener.local_addr()?)?;
    if let Some(metrics) = &metrics {
        writeln!(out, "metrics on http://{}/metrics", metrics.local_addr()?)?;
    }
    if let Some(address) = public_address.current() {
        writeln!(out, "for other machines: {address}")?;
    }
    // The parent process may be waiting for the port.
    out.flush()?;
    drop(out);
    service.serve(listener, metrics, end).map_err(|error| format!("cannot start: {error}").into())
}

/// Raises the limit of open files to the maximum: each connection takes one.
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files stays low, and so does the limit of connections");
    }
}

/// Returns a future that completes at the first signal to end. A second signal ends the program at once.
fn end_signal() -> io::Result<impl Future<Output = ()>> {
    let (sender, signal) = tokio::sync::oneshot::channel();
    let mut sender = Some(sender);
    when_asked_to_end(move |_| match sender.take() {
        Some(sender) => drop(sender.send(())),
        None => std::process::exit(FAILURE.into()),
    })?;
    // The handler holds the sender until the first signal.
    Ok(async { drop(signal.await) })
}

/// Starts the log on a thread of its own. If its reader is slow, the logger drops lines, and nothing else has to wait.
fn log(args: &Args) -> WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(io::stderr());
    let terminal = io::stderr().is_terminal();
    let format = args.log_format.unwrap_or(if terminal { LogFormat::Text } else { LogFormat::Json });
    let log = tracing_subscriber::fmt()
        .with_max_level(args.log)
        .with_writer(writer)
        .with_target(false)
        .with_ansi(terminal);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    guard
}
