//! The service as a whole: how it starts, runs and ends.

use std::future::Future;
use std::io;
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::http::header::{ETAG, HeaderName, RETRY_AFTER};
use axum::http::{HeaderValue, Method};
use bouton_generator::GenerateError;
use bouton_tables::printable::printable_path;
use metrics_exporter_prometheus::BuildError;
use thiserror::Error;
use tower_http::cors::{Any, CorsLayer};
use tracing::{info, warn};

use crate::api::{self, App, Shared};
use crate::connections::Threads;
use crate::tables::{Folder, Shelf, make_built_in};
use crate::work::Work;
use crate::{limits, observe};

/// How often counts are tidied up.
const TIDY: Duration = Duration::from_secs(1);

/// What the user chooses.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the tables; `None` for tables made on the spot.
    pub tables: Option<PathBuf>,
    /// Whether tables of any size are read into memory, where nothing that happens to their files can touch them.
    pub in_memory: bool,
    /// Origins whose pages may read answers; `*` stands for all.
    pub cors: Vec<String>,
    /// The most connections at once; `None` for the usual number.
    pub connections: Option<usize>,
    /// Threads that answer; `None` for as many as there are cores.
    pub threads: Option<usize>,
}

/// Why the service cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// A setting is invalid, or the folder of tables cannot be read.
    #[error("{0}")]
    Setting(String),
    /// The presets cannot be solved.
    #[error("cannot solve the presets: {0}")]
    Solve(#[from] GenerateError),
    /// Counting cannot begin.
    #[error("cannot count requests: {0}")]
    Metrics(#[from] BuildError),
    /// The system gives no threads or no sockets.
    #[error("cannot start: {0}")]
    Io(#[from] io::Error),
}

/// The service, with its tables opened, ready to serve.
#[derive(Debug)]
pub struct Service {
    app: Shared,
    folder: Option<Folder>,
    cors: Option<CorsLayer>,
    connections: usize,
    threads: usize,
}

impl Service {
    /// Opens the tables, or makes them.
    ///
    /// # Errors
    /// If the folder cannot be read, or a setting is invalid.
    pub fn new(settings: Settings) -> Result<Self, StartError> {
        let cors = cors(&settings.cors)?;
        let threads = settings.threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
        let threads = threads.unwrap_or(1);
        let shelf = Shelf::default();
        let mut folder = settings.tables.map(|path| {
            let in_memory = if settings.in_memory { u64::MAX } else { limits::IN_MEMORY };
            Folder::new(path, in_memory)
        });
        let files = match &mut folder {
            None => 0,
            Some(folder) => folder.open(&shelf).map_err(|error| {
                StartError::Setting(format!(
                    "cannot read the folder {}: {error}; give the folder of tables made by `bouton generate`, or leave \
                     --tables out",
                    folder.path().display()
                ))
            })?,
        };
        if files == 0 {
            if let Some(folder) = &folder {
                warn!(folder = %printable_path(folder.path()), "no table is in the folder; the presets are served");
            }
            make_built_in()?.into_iter().for_each(|table| shelf.put(table));
        }
        let metrics = observe::count()?;
        let positions = metrics::counter!("bouton_positions_total");
        let (work, ready) = (Work::new(threads), AtomicBool::new(true));
        let app = App { shelf, work, ready, metrics, positions };
        let connections = settings.connections.unwrap_or(limits::CONNECTIONS);
        Ok(Self { app: Arc::new(app), folder, cors, connections, threads })
    }

    /// The number of tables that are served.
    #[must_use]
    pub fn tables(&self) -> usize {
        self.app.shelf.all().len()
    }

    /// Serves a listener until `end`, then finishes what has begun.
    ///
    /// # Errors
    /// If the system refuses threads or the listener.
    pub fn serve(
        self,
        listener: TcpListener,
        end: impl Future<Output = ()> + Send,
    ) -> Result<(), StartError> {
        listener.set_nonblocking(true)?;
        // This one accepts connections and tidies up; the others answer.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let routes = api::routes(Arc::clone(&self.app), self.cors);
        let threads = Threads::start(self.threads, &routes)?;
        if let Some(folder) = self.folder {
            let app = Arc::clone(&self.app);
            std::thread::Builder::new().name("folder".to_owned()).spawn(move || watch(folder, &app))?;
        }
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::spawn(tidy(Arc::clone(&self.app)));
            let end = async {
                end.await;
                self.app.ready.store(false, Relaxed);
            };
            threads.serve(listener, self.connections, end).await;
            Ok::<_, io::Error>(())
        })?;
        info!("ended");
        Ok(())
    }
}

/// Looks at the folder again and again.
fn watch(mut folder: Folder, app: &App) {
    loop {
        std::thread::sleep(limits::LOOK);
        // A fault in one look, which the log has, does not keep from the next.
        let _ = catch_unwind(AssertUnwindSafe(|| folder.look(&app.shelf)));
    }
}

/// Keeps the counts small, and counts what changes seldom.
async fn tidy(app: Shared) {
    loop {
        metrics::gauge!("bouton_tables").set(app.shelf.all().len() as f64);
        metrics::gauge!("bouton_tables_refused").set(app.shelf.refused().len() as f64);
        app.metrics.run_upkeep();
        tokio::time::sleep(TIDY).await;
    }
}

fn cors(origins: &[String]) -> Result<Option<CorsLayer>, StartError> {
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
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let sound = host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', ' ', '*']));
        let value = HeaderValue::from_str(origin).ok().filter(|_| sound);
        value.ok_or_else(|| {
            StartError::Setting(format!(
                "found the origin '{origin}'; give one as https://example.org, without a path, or '*' for all"
            ))
        })
    };
    let origins = origins.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(layer.allow_origin(origins)))
}
