//! `bouton-match advise`: replies for a game on another board.

use std::env;
use std::io::{self, IsTerminal};

use bouton_match::advisor::{AdvisedGame, Advisor, ConversationStyle, ask_side};
use bouton_match::players::{Keyboard, TablePlayer};
use bouton_match::{Playable, Side, Solution, Transcript};
use bouton_tables::input::{display_name, is_stream};
use bouton_tables::program::note;
use bouton_tables::rulesets::{change, find, names_a_table};
use bouton_tables::{Ruleset, with_rules};

use super::game_setup::{read_start, start_of};
use super::rules::{self, GameRules};
use super::{CommandResult, output, preparation_bar};
use crate::args::AdviseArgs;

pub(crate) fn run(args: &AdviseArgs) -> CommandResult {
    let mut rules_args = args.rules.clone();
    match &args.game {
        Some(game) if names_a_table(game) => rules_args.table = Some(game.clone()),
        Some(game) => rules_args.rules = Some(game.clone()),
        None => {}
    }
    if let Some(game) =
        [&rules_args.rules, &rules_args.table].into_iter().flatten().find(|game| is_stream(game))
    {
        let shown = display_name(game);
        return Err(format!(
            "{shown} cannot be the game: moves come from standard input; name a file or a preset"
        )
        .into());
    }
    let GameRules { ruleset, table } = rules::read(&rules_args, || Ok(find("expanding", &[])?.ruleset))?;
    let ruleset = if table.is_some() { ruleset } else { with_stones(ruleset, args.stones)? };
    with_rules!(&ruleset, |rules| {
        advise(args, rules, table.and_then(|table| Solution::of_game(table, rules)))
    })
}

/// Returns the rules, with their stones raised to the number of the option.
fn with_stones(ruleset: Ruleset, stones: Option<u64>) -> CommandResult<Ruleset> {
    match (&ruleset, stones) {
        (Ruleset::Expanding(rules), Some(stones)) if stones > rules.stones() => {
            Ok(change(&ruleset, &[format!("stones={stones}")])?)
        }
        _ => Ok(ruleset),
    }
}

fn start<G: Playable>(args: &AdviseArgs, rules: &G, from_table: bool) -> CommandResult<G::Position> {
    let text = match (args.stones, &args.start) {
        (Some(stones), _) => start_of(rules, stones)?,
        (None, Some(text)) => text.clone(),
        (None, None) => return Ok(rules.start()),
    };
    if from_table { Ok(rules.read_position(&text)?) } else { Ok(read_start(rules, &text)?) }
}

fn advise<G: Playable>(args: &AdviseArgs, rules: &G, table: Option<Solution<G>>) -> CommandResult {
    let start = start(args, rules, table.is_some())?;
    let transcript = args.record.as_deref().map(Transcript::open).transpose()?;
    transcript.iter().for_each(Transcript::end_when_interrupted);
    let preparing = preparation_bar(args.quiet);
    let solution = match table {
        Some(solution) => solution,
        None => Solution::solve_if_small(rules, &preparing)?,
    };
    let policy = args.policy.as_ref();
    let prepared = TablePlayer::with_policy(solution, policy, &preparing);
    let (player, why) = prepared.map_err(|error| match policy {
        Some(policy) => format!("cannot play by {policy}: {error}; give another --policy, or none"),
        None => error.to_string(),
    })?;
    preparing.finish_and_clear();
    why.iter().for_each(|why| note("bouton-match", why));
    let player = player.with_seed(fastrand::u64(..));
    let (at_terminal, out_is_terminal) = (io::stdin().is_terminal(), io::stdout().is_terminal());
    let bold = out_is_terminal && env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    let style = ConversationStyle { at_terminal, quiet: args.quiet, bold };
    let (input, mut out) = (Keyboard::stdin(), output(args.record.as_deref()));
    let side = match (args.first, args.second) {
        (_, true) => Side::Second,
        (false, false) if at_terminal && !args.quiet => match ask_side(&input, &mut out)? {
            Some(side) => side,
            None => return Ok(()),
        },
        _ => Side::First,
    };
    let game = AdvisedGame::new(player, rules.clone(), start, side)?;
    let mut advisor = Advisor::new(game, input, &mut out, style);
    (advisor.opponent, advisor.transcript) = (args.opponent.clone(), transcript);
    let invalid_lines = advisor.run()?;
    if invalid_lines > 0 && !at_terminal {
        let lines = if invalid_lines == 1 { "1 line was" } else { &*format!("{invalid_lines} lines were") };
        return Err(format!("{lines} invalid; standard output says why").into());
    }
    Ok(())
}
