//! The state that all endpoints share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bouton_answers::OwnRules;
use metrics::Counter;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::answer_cache::AnswerCache;
use crate::problem::Problem;
use crate::public_address::PublicAddress;
use crate::solved_tables::SolvedTables;
use crate::tables::{Catalog, ServedTable};
use crate::work_queue::WorkQueue;

/// The state that all endpoints share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) catalog: Catalog,
    pub(crate) solved: SolvedTables,
    pub(crate) work: WorkQueue,
    /// Cached maps, the answers that take longest to compute.
    pub(crate) maps: AnswerCache,
    /// The address of the page for other machines.
    pub(crate) address: PublicAddress,
    /// Whether the service is ready: false once it begins to shut down.
    pub(crate) is_ready: AtomicBool,
    /// Maximum time for the body of a request.
    pub(crate) body_time: Duration,
    /// Maximum time for the whole answer to many positions.
    pub(crate) answer_time: Duration,
    pub(crate) metrics: PrometheusHandle,
    /// Number of positions looked up.
    pub(crate) positions: Counter,
}

impl App {
    /// Returns the table that a path names, and whether the name is a digest, which always means the same table. Solves
    /// the table if the name spells rules.
    pub(super) async fn table(&self, name: &str) -> Result<(Arc<ServedTable>, bool), Problem> {
        match OwnRules::is_spelled(name) {
            true => Ok((self.solved.table(name, &self.work).await?, false)),
            false => self.catalog.find(name),
        }
    }
}

pub(crate) type Shared = Arc<App>;
