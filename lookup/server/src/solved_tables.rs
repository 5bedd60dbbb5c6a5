//! Tables whose names spell the rules: solved when a client first asks, and cached.

use std::sync::{Arc, Weak};
use std::time::Instant;

use bouton_answers::{OwnRules, Refusal};
use bouton_generator::{Control, GenerateError, GenerateOptions, generate, memory_beyond};
use bouton_tables::Table;
use bouton_tables::format::in_memory;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::time::timeout;

use crate::limits;
use crate::problem::Problem;
use crate::tables::ServedTable;
use crate::work_queue::WorkQueue;

/// A table, or the reason why the game is not solved. Refusals are cached too: a game that is too large stays too large.
type SolveResult = Result<Arc<ServedTable>, Refusal>;

/// The cached tables, by name.
#[derive(Debug)]
pub(crate) struct SolvedTables {
    tables: Cache<String, SolveResult, TableBytes>,
    /// Maximum number of positions of a game to solve; 0 to solve none.
    pub(crate) max_positions: u64,
    /// Maximum number of steps for one answer.
    max_answer_steps: u64,
}

/// Weight of a cached table, in bytes.
#[derive(Clone, Debug)]
struct TableBytes;

impl Weighter<String, SolveResult> for TableBytes {
    fn weight(&self, _: &String, made: &SolveResult) -> u64 {
        made.as_ref().map_or(0, |table| table.about.bytes as u64) + limits::TABLE_OVERHEAD_BYTES
    }
}

impl SolvedTables {
    pub(crate) fn new(max_positions: u64, max_answer_steps: u64) -> Self {
        // With so few expected entries the cache has a single shard, which can use all the bytes.
        Self {
            tables: Cache::with_weighter(limits::USUAL_TABLES, limits::TABLE_CACHE_BYTES, TableBytes),
            max_positions,
            max_answer_steps,
        }
    }

    /// Returns the table of the ruleset that a name spells, solved if it is not cached. Concurrent requests for it wait.
    pub(crate) async fn table(&self, name: &str, work: &WorkQueue) -> Result<Arc<ServedTable>, Problem> {
        if self.max_positions == 0 {
            return Err(Problem::NoSuchTable(
                "this service does not solve its clients' own rules; its operator can allow it with \
                --solve-limit POSITIONS"
                    .to_owned(),
            ));
        }
        let own = OwnRules::read(name)?;
        own.check_positions(self.max_positions)?;
        own.check_moves(limits::MAX_SOLVE_MOVES)?;
        let name = own.name.clone();
        let made = self.tables.get_or_insert_async(&name, solve(own, work, self.max_answer_steps));
        Ok(timeout(limits::MAX_SOLVED_WAIT, made).await.map_err(|_| Problem::Busy)???)
    }
}

/// Solves a game on another thread. The outer error means that the service is overloaded, and is not cached.
async fn solve(own: OwnRules, work: &WorkQueue, max_answer_steps: u64) -> Result<SolveResult, Problem> {
    // If the client of this request is gone, this future is dropped, and `request` with it: the solver stops.
    let request = Arc::new(());
    let weak_request = Arc::downgrade(&request);
    let solve = move || {
        // The time limit begins when the solver starts, not in the queue.
        let control = Deadline { until: Instant::now() + limits::MAX_SOLVE_TIME, request: weak_request };
        solve_now(own, &control, max_answer_steps)
    };
    work.run_solver(solve).await
}

fn solve_now(OwnRules { name, ruleset }: OwnRules, control: &Deadline, max_answer_steps: u64) -> SolveResult {
    let options = GenerateOptions { depths: true };
    let too_much =
        |why: &str| Refusal::TooMuch(format!("{why}; choose fewer stones, heaps, passes or resets"));
    if memory_beyond(&ruleset, options, limits::MAX_SOLVE_MEMORY).is_some() {
        let most = limits::MAX_SOLVE_MEMORY >> 20;
        return Err(too_much(&format!("solving this game takes more than {most} MiB of memory")));
    }
    let made = in_memory(|sink| generate(&ruleset, options, sink, control).map(drop));
    let made = made.map_err(|error| match error {
        GenerateError::Cancelled => {
            let most = limits::MAX_SOLVE_TIME.as_secs();
            too_much(&format!("solving this game takes longer than {most} seconds"))
        }
        error => too_much(&error.to_string()),
    })?;
    // A table must leave room for others in the cache.
    if made.len() as u64 > limits::TABLE_CACHE_BYTES / 4 {
        let most = (limits::TABLE_CACHE_BYTES / 4) >> 20;
        return Err(too_much(&format!("the table of this game takes more than {most} MiB")));
    }
    let table = Table::open(made).expect("a table just made opens");
    Ok(Arc::new(ServedTable::new(name, table, "on request", max_answer_steps)))
}

/// Cancels the solver after its time limit, or if the request is gone.
struct Deadline {
    until: Instant,
    /// Expired if the request is gone.
    request: Weak<()>,
}

impl Control for Deadline {
    fn is_cancelled(&self) -> bool {
        self.request.strong_count() == 0 || Instant::now() > self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn different_spellings_of_rules_share_one_table() {
        let (solved, work) = (SolvedTables::new(1000, 1_000_000), WorkQueue::new(1));
        let one = solved.table("own:play=misere;bounds=7,5,3", &work).await.unwrap();
        let other = solved.table("own:bounds=3,5,7;play=misere;passes=0", &work).await.unwrap();
        assert!(Arc::ptr_eq(&one, &other));
        assert_eq!(
            (one.about.name.as_str(), one.about.origin),
            ("own:bounds=3,5,7;play=misere", "on request")
        );
    }

    #[tokio::test]
    async fn the_cache_stays_within_its_limit() {
        let (solved, work) = (SolvedTables::new(10_000, 1_000_000), WorkQueue::new(1));
        let most = limits::TABLE_CACHE_BYTES / limits::TABLE_OVERHEAD_BYTES;
        for size in 1..=most + 50 {
            solved.table(&format!("own:bounds={size};take=1"), &work).await.unwrap();
        }
        assert!(solved.tables.weight() <= limits::TABLE_CACHE_BYTES, "{}", solved.tables.weight());
        assert!(solved.tables.len() > most as usize / 4, "{}", solved.tables.len());
    }

    #[tokio::test]
    async fn invalid_and_too_large_games_are_refused() {
        let (solved, work) = (SolvedTables::new(1000, 1_000_000), WorkQueue::new(1));
        for (name, kind) in
            [("own:bounds=1000", "too-much"), ("own:bounds=0", "bad-rules"), ("own:", "bad-rules")]
        {
            assert_eq!(solved.table(name, &work).await.unwrap_err().cause(), kind, "{name}");
        }
        let off = SolvedTables::new(0, 1_000_000).table("own:bounds=3", &work).await.unwrap_err();
        assert!(off.detail().contains("--solve-limit"), "{off:?}");
    }

    #[tokio::test]
    async fn a_refusal_is_cached() {
        let (solved, work) = (SolvedTables::new(1000, 1_000_000), WorkQueue::new(1));
        let name = "own:bounds=9";
        let too_much = Refusal::TooMuch("as an example".to_owned());
        solved.tables.insert(name.to_owned(), Err(too_much.clone()));
        assert_eq!(solved.table(name, &work).await.unwrap_err(), too_much.into());
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waits_for_a_concurrent_one_up_to_a_limit() {
        let (solved, work) = (SolvedTables::new(1000, 1_000_000), WorkQueue::new(1));
        let name = "own:bounds=9";
        let other = solved.tables.get_value_or_guard_async(name).await.unwrap_err();
        assert_eq!(solved.table(name, &work).await.unwrap_err(), Problem::Busy);
        drop(other);
        assert_eq!(solved.table(name, &work).await.unwrap().about.name, name);
    }

    #[test]
    fn a_solver_stops_if_its_request_is_gone() {
        let request = Arc::new(());
        let until = Instant::now() + limits::MAX_SOLVE_TIME;
        let control = Deadline { until, request: Arc::downgrade(&request) };
        assert!(!control.is_cancelled());
        drop(request);
        assert!(control.is_cancelled());
        let refused =
            solve_now(OwnRules::read("own:bounds=90,90,90").unwrap(), &control, 1_000_000).unwrap_err();
        assert!(matches!(refused, Refusal::TooMuch(_)), "{refused}");
    }
}
