//! Tables, and answers from them. A game with own rules is solved at the first question, any other at the request `solve`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_answers::{
    About, Answerer, CompareQuestion, GameMapQuestion, GameQuestion, LineQuestion, LookUpQuestion,
    NoParameters, OwnRules, PartOfTableQuestion, Question, Refusal, StateQuestion, WhyQuestion, about,
    check_comparable, compare,
};
use bouton_generator::{Control, GenerateError, GenerateOptions, Phase, generate_small};
use bouton_tables::format::in_memory;
use bouton_tables::{OpenError, Ruleset, Table, hex};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::problem::Problem;
use crate::request::Request;

/// Maximum number of positions of any game: beyond that, a browser has neither the time nor the memory.
const MAX_POSITIONS: u64 = 20_000_000;

/// Maximum number of positions of a game with own rules: a slow phone solves it in some seconds.
pub const MAX_OWN_POSITIONS: u64 = 2_000_000;
/// Maximum number of moves examined to solve a heap game with own rules, as [`OwnRules::check_moves`] counts them.
const MAX_OWN_MOVES: u64 = 200_000_000;
/// Number of tables of own rules that are kept; a comparison needs two.
const MAX_OWN_TABLES: usize = 4;

/// A function that reports progress: the steps done, and all steps.
type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// The solved tables. The tables of own rules are in order of use, the most recently used last.
#[derive(Debug, Default)]
pub struct BrowserTables(Vec<(Answerer, About)>);

impl BrowserTables {
    /// Answers a request with JSON. While a game is solved, calls `progress(done, total)` at each whole percent.
    pub fn answer(&mut self, request: &str, progress: &(dyn Fn(u64, u64) + Sync)) -> String {
        reply(self.ask(Request::new(request), progress))
    }

    /// Opens the file of a table after a check of all its bytes, and describes it. Its name is its digest.
    pub fn open(&mut self, file: Vec<u8>) -> String {
        reply(self.add(file).map_err(Problem::from))
    }

    fn add(&mut self, file: Vec<u8>) -> Result<String, OpenError> {
        let table = Table::open(file)?;
        table.check_whole()?;
        let name = hex(&table.digest());
        if self.get(&name).is_err() {
            let about = about(&table, name.clone(), "opened");
            self.0.push((Answerer::new(table), about));
        }
        Ok(self.get(&name).map(|(_, about)| json(about)).expect("the table was added"))
    }

    fn ask(&mut self, mut request: Request, progress: Progress) -> Result<String, Problem> {
        let ask = request.take("ask");
        if ask == "diff" {
            return self.compare(request.question()?, progress);
        }
        let name = self.ensure_own_solved(request.take("table"), progress)?;
        if ask == "solve" {
            let ruleset = Ruleset::from_spelling(request.take("ruleset"));
            let ruleset = ruleset.map_err(|error| Refusal::Rules(error.to_string()))?;
            self.ensure_solved(&name, &ruleset, progress)?;
        }
        let (table, about) = self.get(&name)?;
        match ask {
            "solve" | "about" => Ok(request.question().map(|NoParameters {}| json(about))?),
            "state" => ask_json::<StateQuestion>(table, request),
            "game" => ask_json::<GameQuestion>(table, request),
            "why" => ask_json::<WhyQuestion>(table, request),
            "line" => ask_json::<LineQuestion>(table, request),
            "lookup" => ask_json::<LookUpQuestion>(table, request),
            "map" => ask_json::<PartOfTableQuestion>(table, request),
            "game-map" => ask_json::<GameMapQuestion>(table, request),
            ask => {
                let found: String = ask.chars().take(40).collect();
                let what = format!("found '{found}', expected a question that the service has a path for");
                Err(Refusal::Question(what).into())
            }
        }
    }

    fn compare(&mut self, question: CompareQuestion, progress: Progress) -> Result<String, Problem> {
        let a = self.ensure_own_solved(&question.a, progress)?;
        let b = self.ensure_own_solved(&question.b, progress)?;
        let ((table_a, about_a), (table_b, about_b)) = (self.get(&a)?, self.get(&b)?);
        check_comparable((&a, table_a.ruleset()), (&b, table_b.ruleset()))?;
        let (first, second) = (table_a.answer(question.clone())?, table_b.answer(question)?);
        Ok(json(&compare((about_a, first), (about_b, second))?))
    }

    /// Solves a game under a name, if it is not solved yet, and moves its table to the end.
    fn ensure_solved(&mut self, name: &str, ruleset: &Ruleset, progress: Progress) -> Result<(), Refusal> {
        if let Some(at) = self.0.iter().position(|(_, about)| about.name == name) {
            // Keep the tables in order of use.
            self.0[at..].rotate_left(1);
            return Ok(());
        }
        let table = solve(ruleset, progress)?;
        let origin = if OwnRules::is_spelled(name) { "on request" } else { "built in" };
        let about = about(&table, name.to_owned(), origin);
        self.0.push((Answerer::new(table), about));
        Ok(())
    }

    /// Solves the game if the name spells its rules. Returns the canonical name of the table.
    fn ensure_own_solved(&mut self, name: &str, progress: Progress) -> Result<String, Refusal> {
        if !OwnRules::is_spelled(name) {
            return Ok(name.to_owned());
        }
        let own = OwnRules::read(name)?;
        own.check_positions(MAX_OWN_POSITIONS)?;
        own.check_moves(MAX_OWN_MOVES)?;
        self.ensure_solved(&own.name, &own.ruleset, progress)?;
        // The first table of own rules is the least recently used one of them, so never one of two that are compared.
        let is_own = |(_, about): &(_, About)| OwnRules::is_spelled(&about.name);
        if self.0.iter().filter(|table| is_own(table)).count() > MAX_OWN_TABLES
            && let Some(oldest) = self.0.iter().position(is_own)
        {
            self.0.remove(oldest);
        }
        Ok(own.name)
    }

    fn get(&self, name: &str) -> Result<&(Answerer, About), Problem> {
        self.0.iter().find(|(_, about)| about.name == name).ok_or_else(|| Problem::no_table(name))
    }
}

fn ask_json<Q: Question<Answer: Serialize> + DeserializeOwned>(
    table: &Answerer,
    request: Request,
) -> Result<String, Problem> {
    Ok(json(&table.answer(request.question::<Q>()?)?))
}

/// Returns the status and the body of an answer as JSON.
fn reply(answer: Result<String, Problem>) -> String {
    let (status, body) = match answer {
        Ok(body) => (200, body),
        Err(problem) => (problem.status, json(&problem)),
    };
    format!("{{\"status\":{status},\"body\":{body}}}")
}

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("texts and numbers are JSON")
}

/// Solves a game with depths, if it is small enough.
fn solve(ruleset: &Ruleset, progress: Progress) -> Result<Table, Refusal> {
    let positions = ruleset.positions();
    if positions > MAX_POSITIONS {
        return Err(Refusal::TooMuch(format!(
            "the game has {positions} positions, and a browser solves up to {MAX_POSITIONS}; choose fewer stones or heaps"
        )));
    }
    let reporter = ProgressReporter { progress, total: Default::default(), done: Default::default() };
    let made = in_memory(|sink| {
        generate_small(ruleset, GenerateOptions { depths: true }, sink, &reporter).map(|_| ())
    });
    let made = made.map_err(|error: GenerateError| {
        Refusal::TooMuch(format!("the game cannot be solved: {error}; choose fewer stones or heaps"))
    })?;
    Table::open(made).map_err(|error| unreachable!("a table just made opens: {error}"))
}

struct ProgressReporter<'a> {
    progress: Progress<'a>,
    total: AtomicU64,
    done: AtomicU64,
}

impl Control for ProgressReporter<'_> {
    fn begin(&self, _: Phase, steps: u64) {
        self.total.store(steps, Relaxed);
        self.done.store(0, Relaxed);
    }

    fn advance(&self, steps: u64) {
        let before = self.done.fetch_add(steps, Relaxed);
        let total = self.total.load(Relaxed).max(1);
        // Report whole percents only.
        if before * 100 / total != (before + steps) * 100 / total {
            (self.progress)(before + steps, total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(tables: &mut BrowserTables, request: &str) -> String {
        tables.answer(request, &|_, _| {})
    }

    #[test]
    fn a_game_is_solved_once_and_found_by_its_name() {
        let mut tables = BrowserTables::default();
        let solve = "ask=solve\ntable=sticks\nruleset=bounds=3,5,7;play=misere";
        assert!(ask(&mut tables, solve).starts_with("{\"status\":200,\"body\":{\"name\":\"sticks\""));
        assert_eq!(ask(&mut tables, solve), ask(&mut tables, "ask=about\ntable=sticks"));
        let answer = ask(&mut tables, "ask=lookup\ntable=sticks\nposition=2,5,7");
        assert!(
            answer.starts_with("{\"status\":200,\"body\":{\"position\":\"2,5,7\",\"outcome\":\"loss\""),
            "{answer}"
        );
        assert_eq!(tables.0.len(), 1);
    }

    #[test]
    fn the_most_recent_tables_of_own_rules_are_kept() {
        let mut tables = BrowserTables::default();
        ask(&mut tables, "ask=solve\ntable=sticks\nruleset=bounds=3,5,7;play=misere");
        for size in 1..20 {
            let answer = ask(
                &mut tables,
                &format!("ask=lookup\ntable=own:play=normal;bounds={size}\nposition={size}"),
            );
            assert!(answer.starts_with("{\"status\":200,"), "{answer}");
        }
        assert_eq!(tables.0.len(), 1 + MAX_OWN_TABLES);
        assert_eq!(tables.0.last().unwrap().1.name, "own:bounds=19");
        let answer = ask(&mut tables, "ask=diff\na=own:bounds=1\nb=own:bounds=2\nposition=1");
        assert!(answer.starts_with("{\"status\":200,"), "{answer}");
    }

    #[test]
    fn a_comparison_keeps_both_of_its_tables() {
        let mut tables = BrowserTables::default();
        for size in 1..=MAX_OWN_TABLES {
            ask(&mut tables, &format!("ask=about\ntable=own:bounds={size}"));
        }
        let answer = ask(&mut tables, "ask=diff\na=own:bounds=1\nb=own:bounds=9\nposition=1");
        assert!(answer.starts_with("{\"status\":200,"), "{answer}");
        let kept: Vec<_> = tables.0.iter().map(|(_, about)| about.name.as_str()).collect();
        assert_eq!(kept.len(), MAX_OWN_TABLES);
        assert_eq!(kept[MAX_OWN_TABLES - 2..], ["own:bounds=1", "own:bounds=9"]);
    }

    #[test]
    fn the_file_of_a_table_is_checked_and_answers_by_its_digest() {
        let rules = Ruleset::from_spelling("bounds=3,5,7;play=misere").unwrap();
        let file =
            in_memory(|sink| generate_small(&rules, GenerateOptions { depths: true }, sink, &()).map(|_| ()));
        let file: Vec<u8> = file.map_err(|error: GenerateError| error).unwrap();
        let mut tables = BrowserTables::default();
        let opened = tables.open(file.clone());
        let digest = opened.split('"').skip_while(|&part| part != "digest").nth(2).unwrap().to_owned();
        assert!(
            opened.starts_with(&format!("{{\"status\":200,\"body\":{{\"name\":\"{digest}\"")),
            "{opened}"
        );
        assert_eq!(tables.open(file.clone()), opened, "opening it again changes nothing");
        assert_eq!(tables.0.len(), 1);
        let answer = ask(&mut tables, &format!("ask=lookup\ntable={digest}\nposition=2,5,7"));
        assert!(answer.contains("\"outcome\":\"loss\""), "{answer}");
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            let answer = tables.open(damaged);
            assert!(answer.starts_with("{\"status\":400,\"body\":{\"type\":\"urn:bouton:"), "{at}: {answer}");
        }
        let mut longer = file.clone();
        longer.push(0);
        for (bytes, kind) in [(&file[..file.len() - 1], "damaged"), (&longer, "damaged"), (b"1:1", "not-a")] {
            let answer = tables.open(bytes.to_vec());
            assert!(answer.contains(&format!("\"urn:bouton:{kind}-table\"")), "{answer}");
        }
        assert_eq!(tables.0.len(), 1);
    }

    #[test]
    fn invalid_requests_are_refused() {
        let mut tables = BrowserTables::default();
        ask(&mut tables, "ask=solve\ntable=sticks\nruleset=bounds=3,5,7;play=misere");
        for (request, status, detail) in [
            ("", 404, "there is no table ''"),
            ("ask=state\ntable=chess\nposition=1", 404, "there is no table 'chess'"),
            ("ask=chess\ntable=sticks", 400, "found 'chess', expected a question"),
            (
                "ask=about\ntable=sticks\ncolour=red",
                400,
                "there is no parameter 'colour', as none is expected",
            ),
            ("ask=about\ntable=sticks\ntable=nim", 400, "there is no parameter 'table'"),
            ("ask=why\ntable=sticks", 400, "the parameter 'position' is missing"),
            ("ask=map\ntable=sticks\nposition=1\nposition=2", 400, "the parameter 'position' is given twice"),
            ("ask=why\ntable=sticks\nx=2", 400, "there is no parameter 'x'; there is 'position'"),
            ("ask=map\ntable=sticks\nposition=1\nx=a", 400, "x: found 'a', expected a whole number"),
            ("ask=state\ntable=sticks\nposition=9,9,9", 400, "heaps: found 9,9,9"),
            (
                "ask=state\ntable=sticks\nposition=1\npolicy=slow",
                400,
                "policy: found 'slow', expected fastest",
            ),
            ("ask=lookup\ntable=sticks\nposition=1\nmoves=maybe", 400, "moves: found 'maybe', expected true"),
            ("ask=line\ntable=sticks\nposition=1\nplies=0", 400, "plies: found '0', expected a whole number"),
            ("ask=solve\ntable=x\nruleset=bounds=0", 400, "bounds = [0]: expected"),
            ("ask=about\ntable=own:bounds=0", 400, "bounds = [0]: expected"),
            ("ask=about\ntable=own:bounds=2000000", 422, "the game has 2,000,001 positions"),
            (
                "ask=about\ntable=own:bounds=1000000;take=1000000",
                422,
                "the game has 1,000,001 positions with up to",
            ),
        ] {
            let answer = ask(&mut tables, request);
            assert!(answer.starts_with(&format!("{{\"status\":{status},")), "{request}: {answer}");
            assert!(answer.contains(&format!("\"detail\":\"{detail}")), "{request}: {answer}");
        }
    }
}
