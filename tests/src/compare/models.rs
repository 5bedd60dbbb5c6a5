//! Compares the library's models of opponents, and the winning chances against them, with the oracle `expectimax`,
//! position by position. Also lists models in notation with their meanings.

use std::fmt::Debug;

use bouton_match::models::{Chances, Intention, Model, Preference, Situation, WhenLost};
use bouton_match::{Playable, Solution};
use bouton_tables::Game;
use bouton_tables::expanding::{Expanding, Move as ExpandingMove};
use bouton_tables::heaps::{HeapRules, Position as HeapPosition};

use super::{expanding, heaps};
use crate::oracle::expectimax::{
    Habit, Lost, Mixture, Plan, Prefers, SolvedExpanding, SolvedGame, SolvedHeaps, chances, likelihoods,
};

/// An oracle's game that the library can play as well.
pub trait PlayableOracle: SolvedGame {
    /// The library's rules.
    type Game: Playable;

    /// Returns the library's rules.
    fn rules(&self) -> Self::Game;

    /// Converts a position to the library's.
    fn position(&self, p: &Self::Position) -> <Self::Game as Game>::Position;

    /// Converts a move to the library's.
    fn chosen(&self, chosen: &Self::Move) -> <Self::Game as Game>::Move;
}

impl PlayableOracle for SolvedExpanding {
    type Game = Expanding;

    fn rules(&self) -> Expanding {
        expanding::ruleset(&self.rules)
    }

    fn position(&self, p: &Self::Position) -> <Expanding as Game>::Position {
        expanding::position(p)
    }

    fn chosen(&self, &(take, reset): &(u32, bool)) -> ExpandingMove {
        ExpandingMove { take, reset }
    }
}

impl PlayableOracle for SolvedHeaps {
    type Game = HeapRules;

    fn rules(&self) -> HeapRules {
        heaps::ruleset(&self.rules)
    }

    fn position(&self, (rows, passes): &Self::Position) -> HeapPosition {
        let passes = u8::try_from(*passes).expect("at most 15");
        HeapPosition { heaps: rows.iter().copied().collect(), passes }
    }

    fn chosen(&self, chosen: &Self::Move) -> <HeapRules as Game>::Move {
        heaps::to_move(chosen)
    }
}

/// A model in the library's notation, with its meaning.
#[derive(Clone, Debug)]
pub struct ModelCase {
    /// The notation.
    pub text: &'static str,
    /// The habits with their weights, which need not add up to 1.
    pub mixture: Mixture,
}

impl ModelCase {
    /// Parses the library's model.
    ///
    /// # Panics
    /// If the text is not a model.
    #[must_use]
    pub fn model(&self) -> Model {
        self.text.parse().unwrap_or_else(|error| panic!("{}: {error}", self.text))
    }
}

/// Translates a model of the library into the oracle's habits.
#[must_use]
pub fn mixture_of(model: &Model) -> Mixture {
    let of_term = |&(weight, habit): &(f64, bouton_match::models::Habit)| {
        let plan = match habit.intention {
            Intention::Perfect => Plan::Wins,
            Intention::Misread => Plan::Misreads,
            Intention::FirstMove => Plan::TakesOne,
            Intention::Random => Plan::AnyMove,
        };
        let lost = match habit.when_lost {
            WhenLost::FirstMove => Lost::TakesOne,
            WhenLost::Random => Lost::AnyMove,
        };
        let prefers = match habit.prefers {
            Preference::Any => Prefers::Any,
            Preference::First => Prefers::First,
            Preference::Last => Prefers::Last,
            Preference::Fastest => Prefers::Fastest,
        };
        (weight, Habit { plan, slip: habit.slip, lost, prefers })
    };
    model.terms().iter().map(of_term).collect()
}

fn habit(plan: Plan, slip: f64, lost: Lost, prefers: Prefers) -> Habit {
    Habit { plan, slip, lost, prefers }
}

/// Returns models for every game. The order in which a game lists its moves does not influence their choices.
#[must_use]
pub fn order_free_models() -> Vec<ModelCase> {
    use {Lost::AnyMove as AtRandom, Lost::TakesOne as One, Prefers::Any};
    let err = |slip| habit(Plan::Wins, slip, One, Any);
    let random_if_lost = |slip| habit(Plan::Wins, slip, AtRandom, Any);
    let random = habit(Plan::AnyMove, 0.0, One, Any);
    let one = |text, habit| ModelCase { text, mixture: vec![(1.0, habit)] };
    vec![
        one("perfect", err(0.0)),
        one("err:0.05", err(0.05)),
        one("err:0.5", err(0.5)),
        one("err:1", err(1.0)),
        one("err:0/random", random_if_lost(0.0)),
        one("err:0.3/random", random_if_lost(0.3)),
        one("err:0.5/random", random_if_lost(0.5)),
        one("random", random),
        ModelCase { text: "0.7*err:0.05+0.3*random", mixture: vec![(0.7, err(0.05)), (0.3, random)] },
        ModelCase {
            text: "0.75*perfect+0.25*err:0.5/random",
            mixture: vec![(3.0, err(0.0)), (1.0, random_if_lost(0.5))],
        },
    ]
}

/// Returns models for every game, whose choices depend on the order in which the game lists its moves.
#[must_use]
pub fn order_dependent_models() -> Vec<ModelCase> {
    use {Lost::AnyMove as AtRandom, Lost::TakesOne as One, Prefers::Any};
    let wins = |slip, prefers| habit(Plan::Wins, slip, One, prefers);
    let takes_one = habit(Plan::TakesOne, 0.0, One, Any);
    let one = |text, habit| ModelCase { text, mixture: vec![(1.0, habit)] };
    vec![
        one("takes-one", takes_one),
        one("perfect/first", wins(0.0, Prefers::First)),
        one("err:0.1/first", wins(0.1, Prefers::First)),
        one("err:0.5/last/random", habit(Plan::Wins, 0.5, AtRandom, Prefers::Last)),
        one("err:0.05/fastest", wins(0.05, Prefers::Fastest)),
        ModelCase {
            text: "0.2*err:0.05/last+0.5*takes-one+0.3*perfect/fastest",
            mixture: vec![
                (0.2, wins(0.05, Prefers::Last)),
                (0.5, takes_one),
                (0.3, wins(0.0, Prefers::Fastest)),
            ],
        },
    ]
}

/// Returns models that misread resets.
#[must_use]
pub fn misreading_models() -> Vec<ModelCase> {
    use {Lost::AnyMove as AtRandom, Lost::TakesOne as One, Prefers::Any};
    let misread = |slip, lost, prefers| habit(Plan::Misreads, slip, lost, prefers);
    let err = |slip, lost| habit(Plan::Wins, slip, lost, Any);
    let one = |text, habit| ModelCase { text, mixture: vec![(1.0, habit)] };
    vec![
        one("misread", misread(0.0, One, Any)),
        one("misread:0.05", misread(0.05, One, Any)),
        one("misread:1", misread(1.0, One, Any)),
        one("misread/random", misread(0.0, AtRandom, Any)),
        one("misread:0.5/first", misread(0.5, One, Prefers::First)),
        one("misread:0.05/last/random", misread(0.05, AtRandom, Prefers::Last)),
        one("misread/fastest", misread(0.0, One, Prefers::Fastest)),
        ModelCase {
            text: "0.7*misread:0.05+0.3*err:0.2/random",
            mixture: vec![(0.7, misread(0.05, One, Any)), (0.3, err(0.2, AtRandom))],
        },
        ModelCase {
            text: "0.25*misread:0.5/fastest/random+0.5*takes-one+0.25*err:0.05",
            mixture: vec![
                (1.0, misread(0.5, AtRandom, Prefers::Fastest)),
                (2.0, habit(Plan::TakesOne, 0.0, One, Any)),
                (1.0, err(0.05, One)),
            ],
        },
    ]
}

/// Numbers with at most this difference are equal up to rounding.
const ROUNDING: f64 = 1e-9;

/// Computes the chances against each model, and compares them with the oracle's in every position.
///
/// # Panics
/// At the first difference, or if the chance of a won position is below 1.
pub fn check_chances<T: PlayableOracle>(oracle: &T, cases: &[ModelCase], rules: &impl Debug) {
    let solution = Solution::solve(&oracle.rules()).unwrap();
    for case in cases {
        let computed = Chances::compute(&solution, &case.model(), &()).expect("a small game");
        let expected = chances(oracle, &case.mixture);
        for (p, chance) in &expected {
            let position = oracle.position(p);
            let to_move = computed.chance_to_move(&position).expect("it is covered");
            let waiting = computed.chance_waiting(solution.get(), &position).expect("it is covered");
            assert!(
                (to_move - chance.to_move).abs() <= ROUNDING && (waiting - chance.waiting).abs() <= ROUNDING,
                "{p:?} of {rules:?} against {}: found {to_move} to move and {waiting} waiting, expected {chance:?}",
                case.text
            );
            let won = !oracle.winning(p).is_empty() || oracle.moves(p).is_empty() && oracle.misere();
            assert!(!won || chance.to_move >= 1.0 - ROUNDING, "{p:?} of {rules:?} is won");
        }
    }
}

/// Compares the probability of each legal move under each habit of the models, in every position.
///
/// # Panics
/// At the first difference, or if the probabilities do not add up to 1.
pub fn check_likelihoods<T: PlayableOracle>(oracle: &T, cases: &[ModelCase], rules: &impl Debug) {
    let solution = Solution::solve(&oracle.rules()).unwrap();
    for case in cases {
        let model = case.model();
        assert_eq!(model.terms().len(), case.mixture.len());
        for ((share, found), (weight, habit)) in model.terms().iter().zip(&case.mixture) {
            let all: f64 = case.mixture.iter().map(|(weight, _)| weight).sum();
            assert!((share - weight / all).abs() <= ROUNDING, "{}", case.text);
            for p in oracle.positions() {
                let position = oracle.position(&p);
                let situation = Situation::<T::Game>::new(solution.get(), &position).expect("it is covered");
                let mut sum = 0.0;
                for ((chosen, _), expected) in oracle.moves(&p).iter().zip(likelihoods(oracle, habit, &p)) {
                    let likely = found.likelihood(&situation, oracle.chosen(chosen)).expect("it is covered");
                    assert!(
                        (likely - expected).abs() <= ROUNDING,
                        "{chosen:?} in {p:?} of {rules:?}, {found:?}: found {likely}, expected {expected}"
                    );
                    sum += likely;
                }
                let end = oracle.moves(&p).is_empty();
                assert!(
                    end || (sum - 1.0).abs() <= ROUNDING,
                    "{p:?} of {rules:?}, {found:?}: the probabilities add up to {sum}"
                );
            }
        }
    }
}
