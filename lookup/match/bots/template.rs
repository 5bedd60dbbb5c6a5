//! A bot to copy and to change. It makes random legal moves, but never resets, and takes from one heap only.
//!
//!     rustc -O template.rs
//!     bouton-match play bot:./template greedy
//!
//! docs/bots.md describes what the bot and bouton-match say to each other. Your strategy goes into `choose`.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    // With `pairing`, one process plays all games against the same opponent; otherwise, each game has its own.
    let pairing = std::env::args().skip(1).any(|argument| argument == "pairing");
    let (mut rules, mut random) = (String::new(), Random(0));
    for line in io::stdin().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "bouton" => say(if pairing { "ready 1 pairing" } else { "ready 1" })?,
            "newgame" => {
                let (settings, json) = rest.split_once(" rules ").unwrap_or((rest, ""));
                rules = json.to_owned();
                random = Random(value_after(settings, "seed").parse().unwrap_or(0));
            }
            "position" => {
                let position = rest.split(' ').next().unwrap_or("");
                say(&choose(&rules, position, &mut random))?;
            }
            // A bot that learns does so here.
            "result" => {}
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

/// Prints a line. Without the flush, it would wait in a buffer.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// A legal move. The rules are JSON, with the keys that docs/rules.md lists.
fn choose(rules: &str, position: &str, random: &mut Random) -> String {
    if rules.contains("\"game\":\"expanding\"") {
        expanding_move(rules, position, random)
    } else {
        heaps_move(rules, position, random)
    }
}

/// The position is STONES/CURRENTMAX/TURN/RESETS1,RESETS2/IMPOSED, a move is STONES, or STONESr to impose a reset.
fn expanding_move(rules: &str, position: &str, random: &mut Random) -> String {
    let fields: Vec<&str> = position.split('/').collect();
    let [stones, currentmax, _turn, _resets, imposed] = fields[..] else { return "1".to_owned() };
    let limit = if imposed == "r" {
        number(key(rules, "reset-limit"))
    } else {
        number(key(rules, "base-limit")).max(number(currentmax) + number(key(rules, "growth")))
    };
    random.up_to(limit.min(number(stones))).to_string()
}

/// The position is HEAP,HEAP,... and /PASSES if the rules have any, a move is ROW:STONES or `pass`.
fn heaps_move(rules: &str, position: &str, random: &mut Random) -> String {
    let heaps = position.split('/').next().unwrap_or("").split(',').map(number);
    let mut moves = Vec::new();
    for (row, heap) in (1..).zip(heaps) {
        if let Some(stones) = amount(key(rules, "take"), heap, random) {
            moves.push(format!("{row}:{stones}"));
        }
    }
    // Never reached: if no stone can be taken, the game is over. While passes are left, a bot may also pass.
    if moves.is_empty() {
        return "pass".to_owned();
    }
    moves.swap_remove(random.up_to(moves.len() as u64) as usize - 1)
}

/// A number of stones that may be taken from a heap. `take` is `"any"`, the maximum, or a list such as `[1,3,4]`.
fn amount(take: &str, heap: u64, random: &mut Random) -> Option<u64> {
    let Some(list) = take.strip_prefix('[') else {
        let max = if take == "\"any\"" { heap } else { number(take).min(heap) };
        return (max > 0).then(|| random.up_to(max));
    };
    let allowed: Vec<u64> =
        list.trim_end_matches(']').split(',').map(number).filter(|&stones| stones <= heap).collect();
    (!allowed.is_empty()).then(|| allowed[random.up_to(allowed.len() as u64) as usize - 1])
}

/// The value of a key, as it stands in the JSON of the rules. A search is enough: there are no blanks, and each value
/// is a number, a word, a truth value or a list.
fn key<'a>(rules: &'a str, key: &str) -> &'a str {
    let name = format!("\"{key}\":");
    let rest = rules.find(&name).map_or("", |at| &rules[at + name.len()..]);
    let end = if rest.starts_with('[') { rest.find(']').map(|end| end + 1) } else { rest.find([',', '}']) };
    &rest[..end.unwrap_or(rest.len())]
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

/// The word that follows another one.
fn value_after<'a>(line: &'a str, word: &str) -> &'a str {
    line.split(' ').skip_while(|&other| other != word).nth(1).unwrap_or("")
}

/// SplitMix64, a generator of random numbers.
struct Random(u64);

impl Random {
    /// A number from 1 to `max`.
    fn up_to(&mut self, max: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % max.max(1) + 1
    }
}
