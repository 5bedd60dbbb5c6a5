//! Tables that are solved when they are needed, and their answers.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_answers::{
    About, Asked, Line, LookUp, Map, Played, Question, State, ToCompare, USUAL_PLIES, WholeGame, Why, about,
    compare, may_compare,
};
use bouton_generator::{Control, GenerateError, Phase, generate_small};
use bouton_lookup::{Options, Policy};
use bouton_tables::format::in_memory;
use bouton_tables::{Ruleset, Table};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// The most positions of a game that is solved here: for more, a browser has neither the time nor the memory.
const MOST_POSITIONS: u64 = 20_000_000;

/// The tables that are solved.
#[derive(Debug, Default)]
pub struct Tables(Vec<(Asked<Vec<u8>>, About)>);

/// A request. What is asked for decides what else is there, as in a query of the service.
#[derive(Debug, Deserialize)]
struct Request {
    ask: Ask,
    /// The name of the table, and of the one that it is compared with.
    table: String,
    #[serde(default)]
    other: String,
    /// What is to be solved under the name.
    ruleset: Option<Ruleset>,
    #[serde(default)]
    position: String,
    /// Whether legal moves are listed, or the moves of a game.
    #[serde(default)]
    moves: String,
    #[serde(default)]
    policy: String,
    plies: Option<usize>,
}

/// What is asked of a table; the names are those of the service's paths.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ask {
    Solve,
    About,
    Diff,
    State,
    Game,
    Why,
    Line,
    Lookup,
    Map,
    GameMap,
}

impl Tables {
    /// Answers a request in JSON, with JSON. Progress of solving is told in steps: those done, and all.
    pub fn answer(&mut self, request: &str, progress: &(dyn Fn(u64, u64) + Sync)) -> String {
        let answered = serde_json::from_str(request)
            .map_err(|error| Problem::request(error.to_string()))
            .and_then(|request| self.ask(request, progress));
        let (status, body) = match answered {
            Ok(body) => (200, body),
            Err(problem) => (problem.status, json(&problem)),
        };
        format!("{{\"status\":{status},\"body\":{body}}}")
    }

    fn ask(&mut self, request: Request, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<String, Problem> {
        let Request { ask, table: name, other, ruleset, position, moves, policy, plies } = request;
        if let Ask::Solve = ask {
            let ruleset =
                ruleset.ok_or_else(|| Problem::request("there is no ruleset to solve".to_owned()))?;
            self.solve(&name, &ruleset, progress)?;
        }
        let (table, about) = self.get(&name)?;
        let policy = read_policy(&policy)?;
        let listed = || Ok::<_, Problem>(Options { policy, moves: flag(&moves)? });
        match ask {
            Ask::Solve | Ask::About => Ok(json(about)),
            Ask::Diff => {
                let (other, about_other) = self.get(&other)?;
                may_compare((&name, table.ruleset()), (&about_other.name, other.ruleset()))?;
                let options = listed()?;
                let of = |table: &Asked<_>| table.ask(ToCompare { position: position.clone(), options });
                Ok(json(&compare((about, of(table)?), (about_other, of(other)?))))
            }
            Ask::State => put(table, State { position, policy }),
            Ask::Game => put(table, Played { position, moves, policy }),
            Ask::Why => put(table, Why { position }),
            Ask::Line => put(table, Line { position, policy, plies: plies.unwrap_or(USUAL_PLIES) }),
            Ask::Lookup => put(table, LookUp { position, options: listed()? }),
            Ask::Map => put(table, Map { position }),
            Ask::GameMap => put(table, WholeGame { position }),
        }
    }

    /// Solves a game under a name, if it is not solved.
    fn solve(
        &mut self,
        name: &str,
        ruleset: &Ruleset,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(), Problem> {
        if self.get(name).is_err() {
            let table = solve(ruleset, progress)?;
            let about = about(&table, name.to_owned(), "built in");
            self.0.push((Asked::new(table), about));
        }
        Ok(())
    }

    fn get(&self, name: &str) -> Result<&(Asked<Vec<u8>>, About), Problem> {
        self.0.iter().find(|(_, about)| about.name == name).ok_or_else(|| Problem::no_table(name))
    }
}

fn put<Q: Question<Answer: Serialize>>(asked: &Asked<Vec<u8>>, question: Q) -> Result<String, Problem> {
    Ok(json(&asked.ask(question)?))
}

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("texts and numbers are JSON")
}

/// How to choose a move in a lost position; as usual, if that is left out.
fn read_policy(text: &str) -> Result<Policy, Problem> {
    match text {
        "" => Ok(Policy::default()),
        name => name.parse().map_err(|_| unexpected(name, "fastest, longest or trap")),
    }
}

/// True or false; false, if it is left out.
fn flag(text: &str) -> Result<bool, Problem> {
    match text {
        "" => Ok(false),
        text => text.parse().map_err(|_| unexpected(text, "true or false")),
    }
}

fn unexpected(text: &str, expected: &str) -> Problem {
    let found: String = text.chars().take(40).collect();
    Problem::request(format!("found '{found}', expected {expected}"))
}

const SOLVED: bouton_generator::Options = bouton_generator::Options { depths: true };

/// Solves a game, if it is small enough.
fn solve(ruleset: &Ruleset, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<Table<Vec<u8>>, Problem> {
    let positions = ruleset.positions();
    if positions > MOST_POSITIONS {
        return Err(Problem::too_much(format!(
            "the game has {positions} positions, and a browser solves up to {MOST_POSITIONS}; choose fewer stones or heaps"
        )));
    }
    let watch = Watch { progress, all: Default::default(), done: Default::default() };
    let made = in_memory(|sink| generate_small(ruleset, SOLVED, sink, &watch).map(|_| ()));
    let made = made.map_err(|error: GenerateError| {
        Problem::too_much(format!("the game cannot be solved: {error}; choose fewer stones or heaps"))
    })?;
    Ok(Table::open(made).expect("a table just made opens"))
}

/// Tells how far the solver is.
struct Watch<'a> {
    progress: &'a (dyn Fn(u64, u64) + Sync),
    all: AtomicU64,
    done: AtomicU64,
}

impl Control for Watch<'_> {
    fn begin(&self, _: Phase, steps: u64) {
        self.all.store(steps, Relaxed);
        self.done.store(0, Relaxed);
    }

    fn advance(&self, steps: u64) {
        let before = self.done.fetch_add(steps, Relaxed);
        let all = self.all.load(Relaxed).max(1);
        // Only where it can be seen.
        if before * 100 / all != (before + steps) * 100 / all {
            (self.progress)(before + steps, all);
        }
    }
}
