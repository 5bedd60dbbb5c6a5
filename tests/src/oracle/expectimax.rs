//! The winning chances of a best response to an opponent with known habits, computed as naively as possible.
//!
//! The library's chances are compared with this oracle. It does not assume that a player keeps a win: at each of our
//! turns it tries every move and takes the likeliest to win; at each of the opponent's turns it weighs every move by
//! the habits. It visits each position by itself, and merges no mirror images. Keep it so.

mod bayes;
mod expanding;
mod heaps;

pub use bayes::BayesOptimum;
pub use expanding::SolvedExpanding;
pub use heaps::SolvedHeaps;

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

/// A solved game: everything needed to know which moves an opponent intends.
pub trait SolvedGame: Sync {
    /// A position: everything that decides the rest of the game.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move.
    type Move: Clone + PartialEq + Debug;

    /// Returns every position, each after all positions that its moves lead to.
    fn positions(&self) -> Vec<Self::Position>;

    /// Returns every legal move in natural order, each with the position after it.
    fn moves(&self, p: &Self::Position) -> Vec<(Self::Move, Self::Position)>;

    /// Returns every winning move in natural order.
    fn winning(&self, p: &Self::Position) -> Vec<Self::Move>;

    /// Returns the best move; in a won position, the one that wins soonest.
    fn best(&self, p: &Self::Position) -> Option<Self::Move>;

    /// Returns the position as a player sees it after misreading a reset.
    fn misread(&self, p: &Self::Position) -> Self::Position;

    /// Returns whether a player without a move wins.
    fn misere(&self) -> bool;
}

/// The moves that an opponent intends to make. [`Lost`] replaces the first two plans if the opponent sees no winning move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// A winning move.
    Wins,
    /// A move that wins in the position as misread.
    Misreads,
    /// The first legal move.
    TakesOne,
    /// Any legal move.
    AnyMove,
}

/// The moves that the opponent intends after finding no winning move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The first legal move.
    TakesOne,
    /// Any legal move.
    AnyMove,
}

/// The opponent's preference among several winning moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefers {
    /// All are equally likely.
    Any,
    /// The first one.
    First,
    /// The last one.
    Last,
    /// The best one.
    Fastest,
}

/// A way to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habit {
    /// The intended moves.
    pub plan: Plan,
    /// The probability of a random legal move instead.
    pub slip: f64,
    /// The intended moves if the opponent sees no winning move.
    pub lost: Lost,
    /// The preferred winning moves.
    pub prefers: Prefers,
}

/// Habits with their weights. At each move the opponent follows one of them, drawn anew.
pub type Mixture = Vec<(f64, Habit)>;

/// Returns the probability of each legal move, in the order of [`SolvedGame::moves`].
pub fn likelihoods<G: SolvedGame>(game: &G, habit: &Habit, p: &G::Position) -> Vec<f64> {
    let legal: Vec<G::Move> = game.moves(p).into_iter().map(|(chosen, _)| chosen).collect();
    let first = legal.iter().take(1).cloned().collect();
    let perceived = if habit.plan == Plan::Misreads { game.misread(p) } else { p.clone() };
    let mut winning = game.winning(&perceived);
    let intended: Vec<G::Move> = match (habit.plan, habit.lost, habit.prefers) {
        (Plan::TakesOne, _, _) => first,
        (Plan::AnyMove, _, _) => legal.clone(),
        (_, Lost::TakesOne, _) if winning.is_empty() => first,
        (_, Lost::AnyMove, _) if winning.is_empty() => legal.clone(),
        (_, _, Prefers::Any) => winning,
        (_, _, Prefers::First) => vec![winning.remove(0)],
        (_, _, Prefers::Last) => vec![winning.pop().expect("it is not empty")],
        (_, _, Prefers::Fastest) => vec![game.best(&perceived).expect("a won position has a best move")],
    };
    assert!(intended.iter().all(|chosen| legal.contains(chosen)), "every intended move is legal: {p:?}");
    let of = |chosen: &G::Move| {
        let slipped = habit.slip / legal.len() as f64;
        let intended_share = if intended.contains(chosen) { 1.0 / intended.len() as f64 } else { 0.0 };
        slipped + (1.0 - habit.slip) * intended_share
    };
    legal.iter().map(of).collect()
}

/// Returns the probability of each legal move under a mixture of habits.
pub fn mixed_likelihoods<G: SolvedGame>(game: &G, mixture: &Mixture, p: &G::Position) -> Vec<f64> {
    let all: f64 = mixture.iter().map(|(weight, _)| weight).sum();
    let mut mixed = vec![0.0; game.moves(p).len()];
    for (weight, habit) in mixture {
        for (sum, one) in mixed.iter_mut().zip(likelihoods(game, habit, p)) {
            *sum += weight / all * one;
        }
    }
    mixed
}

/// The winning chances of the player with the best response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// If it is this player's turn.
    pub to_move: f64,
    /// If it is the opponent's turn.
    pub waiting: f64,
}

/// Returns the chances in every position.
pub fn chances<G: SolvedGame>(game: &G, mixture: &Mixture) -> HashMap<G::Position, Chance> {
    let mut memo: HashMap<G::Position, Chance> = HashMap::new();
    for p in game.positions() {
        let moves = game.moves(&p);
        let chance = if moves.is_empty() {
            let win = |has_won: bool| if has_won { 1.0 } else { 0.0 };
            Chance { to_move: win(game.misere()), waiting: win(!game.misere()) }
        } else {
            let after: Vec<Chance> = moves.iter().map(|(_, next)| memo[next]).collect();
            let likely = mixed_likelihoods(game, mixture, &p);
            Chance {
                to_move: after.iter().map(|next| next.waiting).fold(0.0, f64::max),
                waiting: after.iter().zip(likely).map(|(next, share)| share * next.to_move).sum(),
            }
        };
        memo.insert(p, chance);
    }
    memo
}

/// A plan treats chances within this relative difference as equal.
const EQUAL: f64 = 1e-6;

/// Returns the chances of several plans against each kind of opponent, for every position: indexed by plan, then by
/// kind. There is one plan against each kind and, if there are several kinds, one against their mixture. If several
/// moves are equally good for its own aim, a plan makes the one with the best sum over all kinds, regardless of their
/// weights.
pub fn plans<G: SolvedGame>(game: &G, mixture: &Mixture) -> HashMap<G::Position, Vec<Vec<Chance>>> {
    let kinds: Vec<&Habit> = mixture.iter().map(|(_, habit)| habit).collect();
    let against = |plan: usize, chance: &dyn Fn(usize) -> f64| -> f64 {
        if plan < kinds.len() {
            return chance(plan);
        }
        mixture.iter().enumerate().map(|(kind, (share, _))| share * chance(kind)).sum()
    };
    let count = if kinds.len() > 1 { kinds.len() + 1 } else { 1 };
    let mut memo: HashMap<G::Position, Vec<Vec<Chance>>> = HashMap::new();
    for p in game.positions() {
        let moves = game.moves(&p);
        let likely: Vec<Vec<f64>> = kinds.iter().map(|kind| likelihoods(game, kind, &p)).collect();
        let of_plan = |plan: usize| -> Vec<Chance> {
            if moves.is_empty() {
                let win = |has_won: bool| if has_won { 1.0 } else { 0.0 };
                return vec![
                    Chance { to_move: win(game.misere()), waiting: win(!game.misere()) };
                    kinds.len()
                ];
            }
            let after: Vec<&Vec<Chance>> = moves.iter().map(|(_, next)| &memo[next][plan]).collect();
            let own_aim = |next: &&&Vec<Chance>| against(plan, &|kind| next[kind].waiting);
            let best = after.iter().map(|next| own_aim(&next)).fold(0.0, f64::max);
            let sum = |next: &&&Vec<Chance>| next.iter().map(|chance| chance.waiting).sum::<f64>();
            let equally_good = after.iter().filter(|next| own_aim(next) >= best * (1.0 - EQUAL));
            let chosen = equally_good.max_by(|a, b| sum(a).total_cmp(&sum(b))).expect("there is a move");
            let waiting = |kind: usize| {
                after.iter().zip(&likely[kind]).map(|(next, share)| share * next[kind].to_move).sum()
            };
            (0..kinds.len())
                .map(|kind| Chance { to_move: chosen[kind].waiting, waiting: waiting(kind) })
                .collect()
        };
        let all = (0..count).map(of_plan).collect();
        memo.insert(p, all);
    }
    memo
}
