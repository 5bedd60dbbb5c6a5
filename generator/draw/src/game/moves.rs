//! Writes the moves of a recorded game: below the plot if there is room, otherwise in a list.

use super::game_line::GameLine;
use crate::font::width;
use crate::palette::{HAIRLINE, INK, MISTAKE, PALE_INK, PAPER, PLAYERS};
use crate::scene::{Anchor, Item, Panel, Point, Style};
use crate::sheet::{SMALL, centred};
use bouton_record::GameRecord;

/// Size of the letters.
const LETTERS: f64 = 10.0;
/// Height of a row of moves.
const ROW: f64 = 16.0;
/// Space between neighbouring moves.
const SPACE: f64 = 4.0;

/// Draws a position: a circle if the player who moved first (side 0) wins under best play, otherwise a square.
pub(super) fn shape(side: usize, (x, y): Point, radius: f64) -> Item {
    let style = Style::filled(PLAYERS[side]).edged(PAPER, if radius > 3.0 { 1.0 } else { 0.0 });
    if side == 0 {
        return Item::Circle((x, y), radius, style);
    }
    // A square of about the circle's area.
    let half = radius * 0.9;
    Item::Rect((x - half, y - half), (2.0 * half, 2.0 * half), 0.0, style)
}

/// Returns whether a ply, counted from 1, is a mistake.
fn is_mistake(game: &GameLine, ply: usize) -> bool {
    game.mistakes.binary_search_by_key(&ply, |mistake| mistake.ply).is_ok()
}

/// Writes the moves in two rows, one for each player, each move between its two positions; `None` if moves would not have room.
pub(super) fn rows(record: &GameRecord, game: &GameLine, ply_width: f64) -> Option<Panel> {
    let across = ply_width * (record.moves.len() + 1) as f64;
    let mut items = Vec::new();
    for side in 0..2 {
        let y = 14.0 + (side as f64 + 0.5) * ROW;
        items.push(shape(side, (-10.0, y), 4.5));
        let mut free = 0.0;
        for (ply, chosen) in (1..).zip(&record.moves).skip(side).step_by(2) {
            let (x, half) = (ply as f64 * ply_width, width(chosen, LETTERS) / 2.0);
            if x - half < free || x + half > across {
                return None;
            }
            free = x + half + SPACE;
            let colour = if is_mistake(game, ply) { MISTAKE } else { INK };
            items.push(centred((x, y), Anchor::Middle, LETTERS, colour, chosen));
        }
    }
    items.push(Item::line((0.0, 12.0), (across, 12.0), HAIRLINE, 0.5));
    items.push(centred((-20.0, 14.0 + ROW), Anchor::End, SMALL, PALE_INK, "moves"));
    Some(Panel { width: across, height: 14.0 + 2.0 * ROW + 2.0, items })
}

/// Lists all moves in lines of at most `most` units, or of one move if it is wider. Each line begins with the number of its first ply.
pub(super) fn list(record: &GameRecord, game: &GameLine, most: f64) -> Panel {
    let plies = record.moves.len();
    let column = record.moves.iter().map(|chosen| width(chosen, LETTERS)).fold(0.0, f64::max) + 3.0 * SPACE;
    let left = width("ply ", SMALL) + width(&plies.to_string(), SMALL) + 3.0 * SPACE;
    let most_per_line = ((most - left) / column).max(1.0) as usize;
    // Plies are easier to count if a line has a round number of moves.
    let per_line = [100, 50, 40, 20, 10, 4, 2].into_iter().find(|&moves| moves <= most_per_line).unwrap_or(1);
    let title = "All moves, from left to right; mistakes in white on red";
    let mut panel = Panel { width: width(title, SMALL), height: ROW + 4.0, items: Vec::new() };
    panel.items.push(centred((0.0, ROW / 2.0), Anchor::Start, SMALL, PALE_INK, title));
    for (line, moves) in record.moves.chunks(per_line).enumerate() {
        let (first, y) = (line * per_line + 1, panel.height + ROW / 2.0);
        panel.items.push(centred((0.0, y), Anchor::Start, SMALL, PALE_INK, format!("ply {first}")));
        for (ply, chosen) in (first..).zip(moves) {
            let x = left + ((ply - first) as f64 + 0.5) * column;
            let is_mistake = is_mistake(game, ply);
            if is_mistake {
                let across = width(chosen, LETTERS) + 2.0 * SPACE;
                let corner = (x - across / 2.0, y - ROW / 2.0 + 1.5);
                panel.items.push(Item::Rect(corner, (across, ROW - 3.0), 3.0, Style::filled(MISTAKE)));
            }
            let colour = if is_mistake { PAPER } else { INK };
            panel.items.push(centred((x, y), Anchor::Middle, LETTERS, colour, chosen));
        }
        panel.width = panel.width.max(left + moves.len() as f64 * column);
        panel.height += ROW;
    }
    panel
}
