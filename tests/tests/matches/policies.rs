//! Players that respond to a model (`swindle`) and players that learn about their opponent (`adapt`) make the best
//! moves by the oracle's chances and by Bayes' rule.

use std::collections::HashMap;
use std::time::Duration;

use bouton_match::players::{LosingPolicy, ModelPlayer, RandomPlayer, TablePlayer, usual_opponents};
use bouton_match::{Choice, GameInfo, MoveRequest, Playable, Player, Ply, Side, Solution};
use bouton_tables::Game;
use bouton_tests::compare::models::{
    ModelCase, PlayableOracle, misreading_models, order_dependent_models, order_free_models,
};
use bouton_tests::oracle::expanding::Rules;
use bouton_tests::oracle::expectimax::{
    Chance, Habit, Mixture, Prefers, SolvedExpanding, SolvedHeaps, chances, likelihoods, plans,
};
use bouton_tests::oracle::heaps::{Rules as HeapRules, Take};
use rayon::prelude::*;

/// Numbers with at most this difference are equal up to rounding.
const ROUNDING: f64 = 1e-9;

/// Returns the tested games of Expanding Nim.
fn expanding_games() -> Vec<SolvedExpanding> {
    let mut games = Vec::new();
    for (base_limit, growth, reset_limit) in [(3, 1, 3), (4, 1, 2), (2, 3, 1)] {
        for (resets, misere) in [([1, 1], false), ([2, 0], true), ([1, 3], false)] {
            let stones = 18;
            let rules = Rules { stones, base_limit, growth, reset_limit, resets, misere };
            games.push(SolvedExpanding::new(rules));
        }
    }
    games
}

/// Returns the tested heap games.
fn heap_games() -> Vec<SolvedHeaps> {
    let nim = HeapRules {
        bounds: vec![3, 5, 4],
        take: Take::Any,
        heaps_per_move: 1,
        exactly: vec![],
        equal_take: false,
        passes: 0,
        misere: true,
    };
    let passing = HeapRules { bounds: vec![6, 6], passes: 2, misere: false, ..nim.clone() };
    [nim, passing].map(SolvedHeaps::new).to_vec()
}

/// Returns the weighted mixture of the habits with these notations.
fn mixture(text: &'static str, weights: &[(f64, &str)]) -> ModelCase {
    let all = [order_free_models(), order_dependent_models(), misreading_models()].concat();
    let of =
        |text: &str| all.iter().find(|case| case.text == text).expect("there is such a case").mixture[0].1;
    ModelCase { text, mixture: weights.iter().map(|&(weight, text)| (weight, of(text))).collect() }
}

/// Returns mixtures of habits that never slip, so that a single move may identify the habit.
fn mixtures_without_slips() -> Vec<ModelCase> {
    vec![
        mixture("takes-one+random", &[(1.0, "takes-one"), (1.0, "random")]),
        mixture("0.25*random+0.75*misread", &[(1.0, "random"), (3.0, "misread")]),
        mixture(
            "misread/fastest+misread+perfect/first",
            &[(1.0, "misread/fastest"), (1.0, "misread"), (1.0, "perfect/first")],
        ),
    ]
}

/// Returns a ply that took no time.
fn ply<G: Game>(before: &G::Position, chosen: G::Move) -> Ply<G> {
    Ply::new(before.clone(), chosen, Duration::ZERO)
}

/// Returns the move that a player chooses in a position after these plies.
fn chosen_by<F: Playable>(
    player: &mut TablePlayer<F>,
    rules: &F,
    position: &F::Position,
    plies: &[Ply<F>],
) -> F::Move {
    let request = MoveRequest { game: rules, position, plies, deadline: None, clocks: None };
    match player.choose(&request) {
        Ok(Choice::Move(chosen)) => chosen,
        other => panic!("no move at {position:?}: {other:?}"),
    }
}

/// Asks the player with the policy `swindle` for a move in every position, and checks that none has a better chance.
fn check_best_responses<T: PlayableOracle>(oracle: &T, cases: &[ModelCase]) {
    let rules = oracle.rules();
    let solution = Solution::solve(&rules).unwrap();
    for case in cases {
        let prepared = TablePlayer::new(solution.clone(), &LosingPolicy::Swindle(case.model()), &())
            .expect("a small game");
        let known = chances(oracle, &case.mixture);
        for p in oracle.positions() {
            let moves = oracle.moves(&p);
            if moves.is_empty() {
                continue;
            }
            let position = oracle.position(&p);
            let mut player = prepared.with_seed(0);
            player.begin(&GameInfo::new(&rules, Side::First, &position)).expect("the player can play");
            let chosen = chosen_by(&mut player, &rules, &position, &[]);
            let (chosen, next) =
                moves.iter().find(|(mv, _)| oracle.chosen(mv) == chosen).expect("the move is legal");
            if oracle.winning(&p).is_empty() {
                let (found, best) = (known[next].waiting, known[&p].to_move);
                assert!(found >= best - ROUNDING, "{chosen:?} in {p:?}, {}: {found}, not {best}", case.text);
            } else {
                assert!(oracle.winning(&p).contains(chosen), "{chosen:?} in {p:?} throws the win away");
            }
        }
    }
}

#[test]
fn the_best_response_to_a_model_is_the_likeliest_move_to_win() {
    let all = [order_free_models(), order_dependent_models(), misreading_models()].concat();
    expanding_games().par_iter().for_each(|oracle| check_best_responses(oracle, &all));
    heap_games().par_iter().for_each(|oracle| {
        check_best_responses(oracle, &[order_free_models(), order_dependent_models()].concat());
    });
}

/// In each position with a move that only one habit makes, lets the opponent make it, and compares the answer of `adapt`
/// with that of `swindle` against this habit. Returns how often another habit would call for another answer.
fn count_identifying_moves<T: PlayableOracle>(oracle: &T, case: &ModelCase) -> usize {
    let rules = oracle.rules();
    let solution = Solution::solve(&rules).unwrap();
    let prepared = |policy| TablePlayer::new(solution.clone(), &policy, &()).expect("a small game");
    let adapt = prepared(LosingPolicy::Adapt(Some(case.model())));
    let terms: Vec<_> = case.model().terms().to_vec();
    let swindles: Vec<_> =
        terms.iter().map(|&(_, habit)| prepared(LosingPolicy::Swindle(habit.into()))).collect();
    let mut differing = 0;
    for p in oracle.positions() {
        let likely: Vec<_> = case.mixture.iter().map(|(_, habit)| likelihoods(oracle, habit, &p)).collect();
        let before = oracle.position(&p);
        for (number, (chosen, next)) in oracle.moves(&p).iter().enumerate() {
            let possible_kinds: Vec<usize> =
                (0..likely.len()).filter(|&kind| likely[kind][number] > 0.0).collect();
            if possible_kinds.len() != 1 || oracle.moves(next).is_empty() {
                continue;
            }
            let plies = [ply::<T::Game>(&before, oracle.chosen(chosen))];
            // The library's position after the move may list heaps in another order than the oracle's.
            let position = rules.after(&before, oracle.chosen(chosen));
            let answer = |prepared: &TablePlayer<T::Game>| {
                let mut player = prepared.with_seed(0);
                player.begin(&GameInfo::new(&rules, Side::Second, &before)).expect("the player can play");
                player.observe(&plies[0], Side::First);
                chosen_by(&mut player, &rules, &position, &plies)
            };
            let (ours, theirs) = (answer(&adapt), answer(&swindles[possible_kinds[0]]));
            assert_eq!(
                ours, theirs,
                "{position:?} after {chosen:?} in {p:?}, {:?}",
                terms[possible_kinds[0]].1
            );
            differing += usize::from(swindles.iter().any(|other| answer(other) != theirs));
        }
    }
    differing
}

#[test]
fn a_move_that_only_one_habit_makes_identifies_it() {
    for case in mixtures_without_slips() {
        let differing: usize =
            expanding_games().par_iter().map(|oracle| count_identifying_moves(oracle, &case)).sum();
        assert!(differing > 20, "{}: {differing}", case.text);
    }
    let case = &mixtures_without_slips()[0];
    let differing: usize = heap_games().par_iter().map(|oracle| count_identifying_moves(oracle, case)).sum();
    assert!(differing > 20, "{}: {differing}", case.text);
}

/// The tolerance of the plans' chances, which are stored with 24 bits.
const STORED: f64 = 1e-5;

/// The oracle's beliefs about an opponent of several possible kinds.
struct OpponentBelief<T: PlayableOracle> {
    /// The possible kinds.
    habits: Vec<Habit>,
    /// The probability of each kind before the first reply.
    prior: Vec<f64>,
    /// The chances by plan, then by kind.
    chances: HashMap<T::Position, Vec<Vec<Chance>>>,
}

impl<T: PlayableOracle> OpponentBelief<T> {
    /// Returns the belief before the first reply.
    fn new(oracle: &T, case: &ModelCase) -> Self {
        let all: f64 = case.mixture.iter().map(|(weight, _)| weight).sum();
        let habits: Vec<Habit> = case.mixture.iter().map(|&(_, habit)| habit).collect();
        let mixture: Mixture = case.mixture.iter().map(|&(weight, habit)| (weight / all, habit)).collect();
        let prior = mixture.iter().map(|&(share, _)| share).collect();
        Self { chances: plans(oracle, &mixture), habits, prior }
    }

    /// Updates the belief by Bayes' rule; a move that no kind makes teaches nothing.
    fn learn(&self, oracle: &T, shares: &mut Vec<f64>, p: &T::Position, number: usize) {
        let likely = self.habits.iter().map(|habit| likelihoods(oracle, habit, p)[number]);
        let joint: Vec<f64> = shares.iter().zip(likely).map(|(share, likely)| share * likely).collect();
        let all: f64 = joint.iter().sum();
        if all > 0.0 {
            *shares = joint.iter().map(|part| part / all).collect();
        }
    }

    /// Returns the chance after a move if the opponent keeps its habit, and we keep the plan that is best now.
    fn expected(&self, shares: &[f64], next: &T::Position) -> f64 {
        let of_plan =
            |plan: &Vec<Chance>| shares.iter().zip(plan).map(|(share, chance)| share * chance.waiting).sum();
        self.chances[next].iter().map(of_plan).fold(0.0, f64::max)
    }
}

/// Plays a game from a position. At each of its turns the adapting player must make a move that is best by the
/// oracle's belief. Returns the number of its moves in lost positions before the opponent's kind was certain.
fn check_adapting_game<T: PlayableOracle>(
    oracle: &T,
    kinds: &OpponentBelief<T>,
    us: &mut TablePlayer<T::Game>,
    them: &mut dyn Player<T::Game>,
    start: &T::Position,
    side: Side,
) -> usize {
    let rules = oracle.rules();
    let (mut p, mut plies, mut shares) = (start.clone(), Vec::new(), kinds.prior.clone());
    us.begin(&GameInfo::new(&rules, side, &oracle.position(start))).expect("the player can play");
    them.begin(&GameInfo::new(&rules, side.other(), &oracle.position(start))).expect("the player can play");
    let mut uncertain_moves = 0;
    loop {
        let moves = oracle.moves(&p);
        let mover = Side::of_ply(plies.len());
        if moves.is_empty() {
            return uncertain_moves;
        }
        let position = oracle.position(&p);
        let chosen = if mover == side {
            chosen_by(us, &rules, &position, &plies)
        } else {
            let request = MoveRequest {
                game: &rules,
                position: &position,
                plies: &plies,
                deadline: None,
                clocks: None,
            };
            let Ok(Choice::Move(chosen)) = them.choose(&request) else { panic!("the opponent has a move") };
            chosen
        };
        let number = moves.iter().position(|(mv, _)| oracle.chosen(mv) == chosen);
        let number = number.unwrap_or_else(|| panic!("{chosen} is not legal in {p:?}"));
        if mover == side {
            let winning = oracle.winning(&p);
            if winning.is_empty() {
                let value = |next| kinds.expected(&shares, next);
                let best = moves.iter().map(|(_, next)| value(next)).fold(0.0, f64::max);
                let found = value(&moves[number].1);
                assert!(found >= best - STORED, "{chosen} in {p:?}, {shares:?}: {found}, not {best}");
                uncertain_moves += usize::from(shares.iter().all(|&share| share < 1.0));
            } else {
                assert!(winning.contains(&moves[number].0), "{chosen} in {p:?} throws the win away");
            }
        } else {
            kinds.learn(oracle, &mut shares, &p, number);
        }
        let ply = ply::<T::Game>(&position, chosen);
        us.observe(&ply, mover);
        them.observe(&ply, mover);
        plies.push(ply);
        p = moves[number].1.clone();
    }
}

/// Plays games from every `step`-th position, on either side, against each kind and against a random player. Returns
/// the number of moves in lost positions before the opponent's kind was certain.
fn check_adapting_games<T: PlayableOracle>(
    oracle: &T,
    case: &ModelCase,
    policy: &LosingPolicy,
    step: usize,
) -> usize {
    let solution = Solution::solve(&oracle.rules()).unwrap();
    let prepared = TablePlayer::new(solution.clone(), policy, &()).expect("a small game");
    let kinds = OpponentBelief::new(oracle, case);
    let model = case.model();
    let mut uncertain_moves = 0;
    for (number, start) in oracle.positions().iter().enumerate().step_by(step) {
        let seed = number as u64;
        let mut opponents: Vec<Box<dyn Player<T::Game>>> = vec![Box::new(RandomPlayer::new(seed))];
        for &(_, habit) in model.terms() {
            opponents.push(Box::new(ModelPlayer::new(solution.clone(), habit.into(), seed)));
        }
        for mut them in opponents {
            for side in Side::BOTH {
                uncertain_moves += check_adapting_game(
                    oracle,
                    &kinds,
                    &mut prepared.with_seed(seed),
                    &mut *them,
                    start,
                    side,
                );
            }
        }
    }
    uncertain_moves
}

#[test]
fn the_adapting_player_makes_the_best_move_by_bayes_rule() {
    let misread = mixture("misread", &[(1.0, "misread")]).mixture[0].1;
    let err = mixture("err:0.05", &[(1.0, "err:0.05")]).mixture[0].1;
    let prefers = |prefers| (0.283, Habit { prefers, slip: 0.002, ..misread });
    let usual = ModelCase {
        text: "0.283*misread:0.002/first+0.283*misread:0.002/last+0.283*misread:0.002+0.151*err:0.05",
        mixture: vec![prefers(Prefers::First), prefers(Prefers::Last), prefers(Prefers::Any), (0.151, err)],
    };
    assert_eq!(usual_opponents(true), usual.model());
    let mut cases: Vec<(ModelCase, LosingPolicy)> = vec![(usual, LosingPolicy::Adapt(None))];
    let several = mixture(
        "0.5*misread:0.05+0.3*err:0.05+0.2*err:0.5/random",
        &[(0.5, "misread:0.05"), (0.3, "err:0.05"), (0.2, "err:0.5/random")],
    );
    for case in mixtures_without_slips().into_iter().chain([several]) {
        let policy = LosingPolicy::Adapt(Some(case.model()));
        cases.push((case, policy));
    }
    for (case, policy) in cases {
        let uncertain_moves =
            expanding_games().into_par_iter().map(|oracle| check_adapting_games(&oracle, &case, &policy, 7));
        let uncertain_moves: usize = uncertain_moves.sum();
        assert!(uncertain_moves > 100, "{}: {uncertain_moves}", case.text);
    }
    let err = mixture("0.6*err:0.05+0.4*err:0.5/random", &[(0.6, "err:0.05"), (0.4, "err:0.5/random")]);
    let policy = LosingPolicy::Adapt(Some(err.model()));
    let uncertain_moves =
        heap_games().into_par_iter().map(|oracle| check_adapting_games(&oracle, &err, &policy, 1));
    let uncertain_moves: usize = uncertain_moves.sum();
    assert!(uncertain_moves > 100, "{}: {uncertain_moves}", err.text);
}
