//! The rules that the options name.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use bouton_match::{Playable, Solution, differing_settings, open_table};
use bouton_tables::expanding::Expanding;
use bouton_tables::printable::printable_path;
use bouton_tables::rulesets::{change, find, preset};
use bouton_tables::{Game, Ruleset, Table, with_rules};

use super::CommandResult;
use crate::args::{RulesArgs, SizeArgs};

/// Rules, and the table to play from.
pub(crate) struct GameRules {
    pub(crate) ruleset: Ruleset,
    pub(crate) table: Option<Arc<Table>>,
}

/// Returns the rules of the options. `default` is called if they name neither a ruleset nor a table.
pub(crate) fn read(
    args: &RulesArgs,
    default: impl FnOnce() -> CommandResult<Ruleset>,
) -> CommandResult<GameRules> {
    if let Some(file) = &args.table {
        let table = open_table(file)?;
        let ruleset = change(&table.header().ruleset, &args.settings)?;
        check_covered(file, &table.header().ruleset, &ruleset)?;
        return Ok(GameRules { ruleset, table: Some(table) });
    }
    let ruleset = match &args.rules {
        Some(rules) => find(rules, &args.settings)?.ruleset,
        None => change(&default()?, &args.settings)?,
    };
    Ok(GameRules { ruleset, table: None })
}

/// Opens a table that covers a game. Fails if the table cannot be opened, or does not cover the game.
pub(crate) fn open_covering(file: &Path, ruleset: &Ruleset) -> CommandResult<Arc<Table>> {
    let table = open_table(file)?;
    check_covered(file, &table.header().ruleset, ruleset)?;
    Ok(table)
}

/// Checks that a table covers the game of a ruleset, which may differ from the table's own. The error names the values
/// of both.
fn check_covered(file: &Path, table_rules: &Ruleset, ruleset: &Ruleset) -> CommandResult {
    let covered = with_rules!(ruleset, |rules| covers(table_rules, rules));
    if covered {
        return Ok(());
    }
    let has = differing_settings(table_rules, ruleset).join(" and ");
    let needs = differing_settings(ruleset, table_rules);
    let options: String = needs.iter().map(|setting| format!(" --set {setting}")).collect();
    Err(format!(
        "{}: the table has {has}, but the game has {}; make a table with `bouton generate{options}`, or omit \
         --table to solve the game on the spot",
        printable_path(file),
        needs.join(" and ")
    )
    .into())
}

/// Returns true if a table covers all games of these rules.
fn covers<G: Playable>(table_rules: &Ruleset, rules: &G) -> bool {
    G::of(table_rules)
        .is_some_and(|table_game| table_game.plays_like(rules) && table_game.check(&rules.start()).is_ok())
}

pub(crate) struct MatchRules {
    pub(crate) rules: Expanding,
    pub(crate) table: Option<Solution<Expanding>>,
    /// The stones, if a setting names them, or the rules come from a file, which names all keys.
    pub(crate) stones: Option<u64>,
    /// The resets, if a setting names them, or the rules come from a file, which names all keys.
    pub(crate) resets: Option<[u8; 2]>,
}

/// Returns the rules of a match, which must be of Expanding Nim. `server_rules` is the default of the server.
pub(crate) fn of_match(
    args: &RulesArgs,
    size: &SizeArgs,
    server_rules: &Expanding,
) -> CommandResult<MatchRules> {
    // The preset `expanding` stands for the server's usual game, which has its own number of resets.
    let is_server_game = |rules: &&std::path::PathBuf| rules.as_os_str() == OsStr::new("expanding");
    let named = args.rules.as_ref().filter(|rules| !is_server_game(rules));
    let settings = with_size(args, size)?;
    let is_set = |key: &str| {
        named.is_some_and(|rules| rules.to_str().and_then(preset).is_none())
            || settings.iter().any(|setting| setting.split('=').next().map(str::trim) == Some(key))
    };
    let (stones, resets) = (is_set("stones"), is_set("resets"));
    let args = RulesArgs { rules: named.cloned(), settings, table: args.table.clone() };
    let GameRules { ruleset, table } = read(&args, || Ok(server_rules.clone().into()))?;
    let Some(rules) = Expanding::of(&ruleset) else {
        return Err(format!(
            "the rules are of the game \"{}\", but the servers of the tournaments play Expanding Nim only; give rules or a \
             table of \"expanding\", or none; `bouton-match play` and `advise` play every game",
            ruleset.family()
        )
        .into());
    };
    Ok(MatchRules {
        stones: stones.then_some(rules.stones()),
        resets: resets.then_some(rules.resets()),
        rules: rules.clone(),
        table: table.and_then(Solution::new),
    })
}

/// Returns the settings, extended by --stones and --resets, which are short forms of two settings.
fn with_size(args: &RulesArgs, size: &SizeArgs) -> CommandResult<Vec<String>> {
    let short = [
        size.stones.map(|stones| (format!("--stones {stones}"), format!("stones={stones}"))),
        size.resets.map(|resets| (format!("--resets {resets}"), format!("resets={resets},{resets}"))),
    ];
    let expanding = find("expanding", &[])?.ruleset;
    let mut settings = args.settings.clone();
    for (option, short) in short.into_iter().flatten() {
        let key = |setting: &str| setting.split('=').next().unwrap_or_default().trim().to_owned();
        let wanted = change(&expanding, std::slice::from_ref(&short))?;
        for setting in args.settings.iter().filter(|setting| key(setting) == key(&short)) {
            if change(&expanding, std::slice::from_ref(setting))? != wanted {
                return Err(
                    format!("{option} and --set {setting} contradict each other; give one of them").into()
                );
            }
        }
        settings.push(short);
    }
    Ok(settings)
}
