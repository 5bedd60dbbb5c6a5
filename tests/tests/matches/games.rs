//! Games played to the end with the preset `expanding`: won positions are won, and lost positions are won as often as
//! the chances predict.

use bouton_match::models::{Chances, Model};
use bouton_match::players::{
    GreedyPlayer, LosingPolicy, MinimaxPlayer, ModelPlayer, PlayerFactory, RandomPlayer, TablePlayer,
};
use bouton_match::tournament::{Conditions, Fixture};
use bouton_match::{Referee, Side, Solution, play_out};
use bouton_tables::expanding::{Expanding, ExpandingKeys, Position, Turn};
use bouton_tables::{Outcome, Solved};
use rayon::prelude::*;

use crate::players::UNNAMED;

/// Returns the rules of the preset `expanding`.
fn preset() -> Expanding {
    ExpandingKeys::default().rules().expect("allowed rules")
}

/// Parses a model of an opponent.
fn model(text: &str) -> Model {
    text.parse().expect("a model")
}

/// Returns some positions with the losing side, the player to move or the one waiting, and its chance, which is far from
/// 0 and 1. They are starts of games of all sizes, and later positions.
fn uncertain_positions(
    chances: &Chances<Expanding>,
    solution: &Solution<Expanding>,
) -> Vec<(Side, Position, f64)> {
    let mut all = Vec::new();
    for stones in 4..=1000 {
        for (currentmax, resets, imposed) in [(0, [4, 4], false), (5, [2, 3], true), (9, [0, 2], false)] {
            let position = Position { stones, currentmax, turn: Turn::First, resets, imposed };
            if solution.get().verdict(&position).is_err() {
                continue;
            }
            let to_move = chances.chance_to_move(&position).expect("it is covered");
            let waiting = chances.chance_waiting(solution.get(), &position).expect("it is covered");
            all.push((Side::First, position.clone(), to_move));
            all.push((Side::Second, position, waiting));
        }
    }
    // The winning side has a chance of 1, and in a long game the opponent is nearly sure to err. So few chances are far
    // from 1.
    let with_side = |side| {
        let fits = |&&(of, _, chance): &&(Side, Position, f64)| of == side && (0.1..0.9).contains(&chance);
        all.iter().filter(fits).cloned().collect::<Vec<_>>()
    };
    let quartiles = |found: Vec<(Side, Position, f64)>| {
        assert!(found.len() >= 4, "there are such positions");
        [found.len() / 4, found.len() * 3 / 4].map(|number| found[number].clone())
    };
    [quartiles(with_side(Side::First)), quartiles(with_side(Side::Second))].concat()
}

#[test]
fn lost_games_of_the_preset_are_won_as_often_as_the_chances_say() {
    const GAMES: u64 = 20_000;
    let solution = Solution::solve(&preset()).unwrap();
    let mut seed = 0;
    for text in ["err:0.05", "misread:0.05", "0.7*misread:0.05+0.3*err:0.2/random"] {
        let chances = Chances::compute(&solution, &model(text), &()).expect("it is not too large");
        let prepared = TablePlayer::new(solution.clone(), &LosingPolicy::Swindle(model(text)), &())
            .expect("the same chances are not too large");
        for (side, start, chance) in uncertain_positions(&chances, &solution) {
            let wins = |&seed: &u64| {
                let mut us = prepared.with_seed(seed);
                let mut them = ModelPlayer::new(solution.clone(), model(text), seed);
                let mut referee = Referee::new(preset(), start.clone(), None);
                match side {
                    Side::First => play_out(UNNAMED, &mut referee, [&mut us, &mut them], &mut |_| {}),
                    Side::Second => play_out(UNNAMED, &mut referee, [&mut them, &mut us], &mut |_| {}),
                }
                referee.ending().is_some_and(|ending| ending.winner == side)
            };
            let won = (seed..seed + GAMES).into_par_iter().filter(wins).count() as f64 / GAMES as f64;
            seed += GAMES;
            let error = (chance * (1.0 - chance) / GAMES as f64).sqrt();
            assert!(
                (won - chance).abs() <= 4.0 * error,
                "{start} as {side} against {text}: {won}, not {chance}"
            );
        }
    }
}

#[test]
fn players_with_a_table_never_lose_a_won_game_of_the_preset() {
    let solution = Solution::solve(&preset()).unwrap();
    let table = |policy| {
        let prepared = TablePlayer::new(solution.clone(), &policy, &()).expect("it is not too large");
        PlayerFactory::new(move |seed| prepared.with_seed(seed))
    };
    let opponent = |text| {
        let (solution, model) = (solution.clone(), model(text));
        PlayerFactory::new(move |seed| ModelPlayer::new(solution.clone(), model.clone(), seed))
    };
    let mut factories = vec![
        table(LosingPolicy::Longest),
        table(LosingPolicy::Swindle(model("err:0.05"))),
        table(LosingPolicy::Adapt(None)),
    ];
    let tables = factories.len();
    // Three random players with different seeds.
    factories.extend([(); 3].map(|()| PlayerFactory::new(RandomPlayer::new)));
    factories
        .extend([PlayerFactory::new(|_| GreedyPlayer), PlayerFactory::new(|_| MinimaxPlayer { depth: 1 })]);
    factories.extend(["perfect", "misread", "takes-one", "err:0.3/random"].map(opponent));
    let names: Vec<String> = (0..factories.len()).map(|number| format!("player {number}")).collect();
    // Every size of game, with either player to move first.
    let turns = [Turn::First, Turn::Second];
    let starts: Vec<Position> =
        (1..=1000).flat_map(|stones| turns.map(|turn| Position { turn, ..preset().start(stones) })).collect();
    let rules = preset();
    let conditions = Conditions { seed: 7, ..Conditions::new(&rules, &starts, &names) };
    let mut fixtures = Vec::new();
    for (start, us, them) in (0..starts.len())
        .flat_map(|start| (0..tables).map(move |us| (start, us)))
        .flat_map(|(start, us)| (tables..names.len()).map(move |them| (start, us, them)))
    {
        for (side, players) in [(Side::First, [us, them]), (Side::Second, [them, us])] {
            fixtures.push((side, Fixture { number: fixtures.len(), players, start }));
        }
    }
    let won_starts = fixtures.par_iter().map(|&(side, fixture)| {
        let won_by_us = |to_move: Side, position: &Position| {
            let outcome = solution.get().verdict(position).expect("it is covered").outcome;
            (outcome == Outcome::Win) == (to_move == side)
        };
        let won_start = won_by_us(Side::First, &starts[fixture.start]);
        let mut won = won_start;
        let played = conditions.play(&factories, &mut Default::default(), fixture, &mut |referee| {
            let is_still_won = won_by_us(referee.to_move(), referee.position());
            assert!(is_still_won || !won, "{fixture:?}: {:?}", referee.plies().last());
            won = is_still_won;
        });
        assert_eq!(played.ending.winner == side, won, "{fixture:?}");
        assert_eq!(played.ending.reason, bouton_match::Reason::Played, "{fixture:?}");
        usize::from(won_start)
    });
    // Exactly one of the two sides wins from each start.
    assert_eq!(won_starts.sum::<usize>(), fixtures.len() / 2);
}
