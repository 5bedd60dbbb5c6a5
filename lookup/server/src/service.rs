//! The service as a whole: its start, its threads and its end.

use std::future::Future;
use std::io;
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::http::header::{ETAG, HeaderName, RETRY_AFTER};
use axum::http::{HeaderValue, Method};
use bouton_connections::Limits;
use bouton_tables::printable::{printable, printable_path};
use metrics::Gauge;
use tower_http::cors::{Any, CorsLayer};
use tracing::{info, warn};

use crate::answer_cache::AnswerCache;
use crate::api::{self, App, Shared};
use crate::args::Args;
use crate::connections::WorkerThreads;
use crate::limits;
use crate::observe::{self, ObservedRoutes};
use crate::origin::is_origin;
use crate::page::policy_for_frames;
use crate::public_address::PublicAddress;
use crate::solved_tables::SolvedTables;
use crate::tables::{Catalog, TableFolder, put_built_in};
use crate::work_queue::WorkQueue;

/// Time between two updates of the gauges.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(1);

/// The service, with its tables opened, ready to serve.
#[derive(Debug)]
pub(crate) struct Service {
    app: Shared,
    folder: Option<TableFolder>,
    routes: ObservedRoutes,
    limits: Limits,
    threads: usize,
}

impl Service {
    /// Opens the tables of the folder, or solves the presets.
    ///
    /// # Errors
    /// If the folder cannot be read, or a setting is invalid.
    pub(crate) fn new(args: &Args, address: PublicAddress) -> Result<Self, String> {
        let cors = cors_layer(&args.cors)?;
        let frame_policy = (!args.frame_ancestors.is_empty())
            .then(|| policy_for_frames(&args.frame_ancestors))
            .transpose()?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = args.threads.map_or_else(cores, |threads| threads as usize);
        let catalog = Catalog::default();
        let (folder, files) = match &args.tables {
            None => (None, 0),
            Some(path) => {
                let max_in_memory = if args.in_memory { u64::MAX } else { limits::MAX_FILE_IN_MEMORY };
                let opened = TableFolder::open(path.clone(), max_in_memory, args.work, &catalog);
                let (folder, files) = opened.map_err(|error| {
                    format!(
                        "cannot read the folder {}: {error}; give the folder of tables made by `bouton \
                         generate`, or omit --tables",
                        path.display()
                    )
                })?;
                if files == 0 {
                    warn!(folder = %printable_path(path), "no table is in the folder; the presets are served");
                }
                (Some(folder), files)
            }
        };
        if files == 0 {
            put_built_in(&catalog, args.work)
                .map_err(|error| format!("cannot solve the presets: {error}"))?;
        }
        let metrics =
            observe::install_metrics().map_err(|error| format!("cannot count requests: {error}"))?;
        let app = Arc::new(App {
            catalog,
            solved: SolvedTables::new(args.solve_limit, args.work),
            work: WorkQueue::new(threads),
            maps: AnswerCache::new(),
            address,
            is_ready: AtomicBool::new(true),
            body_time: args.body_time,
            answer_time: args.answer_time,
            metrics,
            positions: metrics::counter!("bouton_positions_total"),
        });
        let connections = args.connections as usize;
        let share = args.connections_per_address.map(|share| share as usize);
        let limits = Limits {
            connections,
            per_address: share.unwrap_or(Limits::share_of(connections)),
            head: args.head_time,
            idle: args.idle_time,
            write: args.write_time,
            ..Limits::default()
        };
        let routes = api::routes(Arc::clone(&app), cors, frame_policy, args.metrics_listen.is_none());
        Ok(Self { app, folder, routes, limits, threads })
    }

    /// Serves a listener until `end`, then finishes open requests. If a listener `metrics` is given, only it serves
    /// `/metrics`.
    ///
    /// # Errors
    /// If the system refuses threads or a listener.
    pub(crate) fn serve(
        self,
        listener: TcpListener,
        metrics: Option<TcpListener>,
        end: impl Future<Output = ()>,
    ) -> io::Result<()> {
        info!(tables = self.app.catalog.all().len(), "serving");
        listener.set_nonblocking(true)?;
        // This thread accepts connections and updates the gauges; other threads answer.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let open = metrics::gauge!("bouton_connections");
        let threads = WorkerThreads::start(self.threads, self.limits, &self.routes, &open)?;
        if let Some(folder) = self.folder {
            let app = Arc::clone(&self.app);
            std::thread::Builder::new()
                .name("folder".to_owned())
                .spawn(move || scan_for_ever(folder, &app))?;
        }
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::spawn(keep_metrics(Arc::clone(&self.app)));
            if let Some(metrics) = metrics {
                metrics.set_nonblocking(true)?;
                let metrics = tokio::net::TcpListener::from_std(metrics)?;
                let few = limits::MAX_METRICS_CONNECTIONS;
                let few = Limits { connections: few, per_address: few, ..self.limits };
                let routes = api::metrics_routes(Arc::clone(&self.app));
                let thread = WorkerThreads::start(1, few, &routes, &Gauge::noop())?;
                tokio::spawn(thread.serve(metrics, std::future::pending()));
            }
            let end = async {
                end.await;
                self.app.is_ready.store(false, Relaxed);
            };
            threads.serve(listener, end).await;
            Ok::<_, io::Error>(())
        })?;
        info!("ended");
        Ok(())
    }
}

fn scan_for_ever(mut folder: TableFolder, app: &App) {
    loop {
        std::thread::sleep(limits::FOLDER_INTERVAL);
        // A panic in one scan, which the hook has logged, must not prevent the next scan.
        let _ = catch_unwind(AssertUnwindSafe(|| folder.scan(&app.catalog)));
    }
}

/// Updates the gauges, and lets the metrics discard old samples.
async fn keep_metrics(app: Shared) {
    loop {
        metrics::gauge!("bouton_tables").set(app.catalog.all().len() as f64);
        metrics::gauge!("bouton_tables_refused").set(app.catalog.refused().len() as f64);
        app.metrics.run_upkeep();
        tokio::time::sleep(UPKEEP_INTERVAL).await;
    }
}

fn cors_layer(origins: &[String]) -> Result<Option<CorsLayer>, String> {
    if origins.is_empty() {
        return Ok(None);
    }
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers(Any)
        .expose_headers([ETAG, HeaderName::from_static("x-request-id"), RETRY_AFTER]);
    if origins.iter().any(|origin| origin == "*") {
        return Ok(Some(layer.allow_origin(Any)));
    }
    let parse = |origin: &String| {
        let is_one_origin = is_origin(origin) && !origin.contains('*');
        let value = HeaderValue::from_str(origin).ok().filter(|_| is_one_origin);
        value.ok_or_else(|| {
            format!(
                "found '{}' for --cors; give an origin such as https://example.org, without a path, or '*' \
                for all",
                printable(origin)
            )
        })
    };
    let origins = origins.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(layer.allow_origin(origins)))
}
