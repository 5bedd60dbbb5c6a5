//! How likely the best response to an opponent of known habits is to win, as naively as can be.
//!
//! This is the twin that chances are compared against. It does not know that whoever has won a position can
//! keep it: at each of our turns, in every position, every move is tried and the likeliest one to win is
//! taken; at each of his, the habits tell how likely every move is. Every position is looked at by itself,
//! and nothing is merged or taken for the mirror image of something else. Keep it so.

mod bayes;
mod expanding;
mod heaps;

pub use bayes::BayesOptimum;
pub use expanding::JudgedExpanding;
pub use heaps::JudgedHeaps;

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

/// A game of which every position has been judged: what it takes to know what an opponent means to do.
pub trait Judged: Sync {
    /// All that decides the rest of the game.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move.
    type Move: Clone + PartialEq + Debug;

    /// Every position, behind all those that its moves lead to.
    fn positions(&self) -> Vec<Self::Position>;

    /// Every legal move in the natural order, each with where it leads.
    fn moves(&self, p: &Self::Position) -> Vec<(Self::Move, Self::Position)>;

    /// Every winning move in the natural order.
    fn winning(&self, p: &Self::Position) -> Vec<Self::Move>;

    /// The best move, which in a won position is the one that wins soonest.
    fn best(&self, p: &Self::Position) -> Option<Self::Move>;

    /// What somebody who misreads resets takes the position for.
    fn misread(&self, p: &Self::Position) -> Self::Position;

    /// Whether a player without a move has won.
    fn misere(&self) -> bool;
}

/// What somebody means to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// To make a winning move.
    Wins,
    /// To make a move that wins in what he takes the position for.
    Misreads,
    /// To make the first legal move.
    TakesOne,
    /// To make any legal move.
    AnyMove,
}

/// What he means to do where he sees no winning move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// To make the first legal move.
    TakesOne,
    /// To make any legal move.
    AnyMove,
}

/// Which one he prefers of several winning moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefers {
    /// Each as likely.
    Any,
    /// The first one.
    First,
    /// The last one.
    Last,
    /// The best one.
    Fastest,
}

/// One way to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habit {
    /// What he means to do.
    pub plan: Plan,
    /// How likely he is to make any legal move instead.
    pub slip: f64,
    /// What he does where he sees no winning move.
    pub lost: Lost,
    /// Which winning move he makes.
    pub prefers: Prefers,
}

/// Habits with their weights, of which the opponent follows one at each of his moves.
pub type Mixture = Vec<(f64, Habit)>;

/// How likely each legal move is, in the order of [`Judged::moves`].
pub fn likelihoods<G: Judged>(game: &G, habit: &Habit, p: &G::Position) -> Vec<f64> {
    let legal: Vec<G::Move> = game.moves(p).into_iter().map(|(chosen, _)| chosen).collect();
    let first = legal.iter().take(1).cloned().collect();
    let seen = if habit.plan == Plan::Misreads { game.misread(p) } else { p.clone() };
    let mut winning = game.winning(&seen);
    let meant: Vec<G::Move> = match (habit.plan, habit.lost, habit.prefers) {
        (Plan::TakesOne, _, _) => first,
        (Plan::AnyMove, _, _) => legal.clone(),
        (_, Lost::TakesOne, _) if winning.is_empty() => first,
        (_, Lost::AnyMove, _) if winning.is_empty() => legal.clone(),
        (_, _, Prefers::Any) => winning,
        (_, _, Prefers::First) => vec![winning.remove(0)],
        (_, _, Prefers::Last) => vec![winning.pop().expect("it is not empty")],
        (_, _, Prefers::Fastest) => vec![game.best(&seen).expect("a won position has a best move")],
    };
    assert!(meant.iter().all(|chosen| legal.contains(chosen)), "he means to make legal moves: {p:?}");
    let of = |chosen: &G::Move| {
        let slipped = habit.slip / legal.len() as f64;
        let meant_it = if meant.contains(chosen) { 1.0 / meant.len() as f64 } else { 0.0 };
        slipped + (1.0 - habit.slip) * meant_it
    };
    legal.iter().map(of).collect()
}

/// How likely each legal move is of an opponent with several habits.
pub fn mixed_likelihoods<G: Judged>(game: &G, mixture: &Mixture, p: &G::Position) -> Vec<f64> {
    let all: f64 = mixture.iter().map(|(weight, _)| weight).sum();
    let mut mixed = vec![0.0; game.moves(p).len()];
    for (weight, habit) in mixture {
        for (sum, one) in mixed.iter_mut().zip(likelihoods(game, habit, p)) {
            *sum += weight / all * one;
        }
    }
    mixed
}

/// The chances to win of who plays the best response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// If it is his turn.
    pub to_move: f64,
    /// If it is the opponent's.
    pub waiting: f64,
}

/// The chances in every position.
pub fn chances<G: Judged>(game: &G, mixture: &Mixture) -> HashMap<G::Position, Chance> {
    let mut known: HashMap<G::Position, Chance> = HashMap::new();
    for p in game.positions() {
        let moves = game.moves(&p);
        let chance = if moves.is_empty() {
            let win = |has_won: bool| if has_won { 1.0 } else { 0.0 };
            Chance { to_move: win(game.misere()), waiting: win(!game.misere()) }
        } else {
            let after: Vec<Chance> = moves.iter().map(|(_, next)| known[next]).collect();
            let likely = mixed_likelihoods(game, mixture, &p);
            Chance {
                to_move: after.iter().map(|next| next.waiting).fold(0.0, f64::max),
                waiting: after.iter().zip(likely).map(|(next, share)| share * next.to_move).sum(),
            }
        };
        known.insert(p, chance);
    }
    known
}

/// Chances that differ by no more than this part are equal, where a plan has the choice.
const EQUAL: f64 = 1e-6;

/// For several plans, the chances against each of several kinds of opponents, in every position: by plan, then by kind. There
/// is a plan against each of the kinds, and, if there are several, one against all of them, each as likely as said. Of
/// several moves that are equally good against those, a plan makes the one that is best against all kinds, however likely.
pub fn plans<G: Judged>(game: &G, mixture: &Mixture) -> HashMap<G::Position, Vec<Vec<Chance>>> {
    let kinds: Vec<&Habit> = mixture.iter().map(|(_, habit)| habit).collect();
    let against = |plan: usize, chance: &dyn Fn(usize) -> f64| -> f64 {
        if plan < kinds.len() {
            return chance(plan);
        }
        mixture.iter().enumerate().map(|(kind, (share, _))| share * chance(kind)).sum()
    };
    let count = if kinds.len() > 1 { kinds.len() + 1 } else { 1 };
    let mut known: HashMap<G::Position, Vec<Vec<Chance>>> = HashMap::new();
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
            let after: Vec<&Vec<Chance>> = moves.iter().map(|(_, next)| &known[next][plan]).collect();
            let own = |next: &&&Vec<Chance>| against(plan, &|kind| next[kind].waiting);
            let best = after.iter().map(|next| own(&next)).fold(0.0, f64::max);
            let sum = |next: &&&Vec<Chance>| next.iter().map(|chance| chance.waiting).sum::<f64>();
            let good = after.iter().filter(|next| own(next) >= best * (1.0 - EQUAL));
            let chosen = good.max_by(|a, b| sum(a).total_cmp(&sum(b))).expect("there is a move");
            let waiting = |kind: usize| {
                after.iter().zip(&likely[kind]).map(|(next, share)| share * next[kind].to_move).sum()
            };
            (0..kinds.len())
                .map(|kind| Chance { to_move: chosen[kind].waiting, waiting: waiting(kind) })
                .collect()
        };
        let all = (0..count).map(of_plan).collect();
        known.insert(p, all);
    }
    known
}
