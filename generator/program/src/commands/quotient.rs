//! `bouton analyze --quotient`: the quotient of a game of heaps, a monoid that decides the game. In normal play, its
//! elements are the Grundy values and its operation is the nim-sum; in misère play it is the misère quotient.

use bouton_generator::heaps::{Elements, quotient_elements};
use bouton_tables::Ruleset;
use serde::Serialize;

use super::{ExitResult, count, in_columns, print};
use crate::progress::WorkProgressBar;

/// The result, as `--json` prints it.
#[derive(Serialize)]
struct QuotientReport<'a> {
    #[serde(flatten)]
    ruleset: &'a Ruleset,
    quotient: &'a Elements,
}

pub(super) fn run(name: &str, ruleset: &Ruleset, json: bool, quiet: bool) -> ExitResult {
    let found = quotient_elements(ruleset, &WorkProgressBar::new("bouton", quiet))?
        .map_err(|reason| format!("no quotient of {name} can be listed: {reason}"))?;
    print(&QuotientReport { ruleset, quotient: &found }, json, false, |_| in_words(name, &found))
}

/// Maximum number of elements for which the table of products is printed for people.
const MAX_ELEMENTS: usize = 32;
/// Maximum number of heap sizes whose elements are printed for people.
const MAX_SIZES: usize = 60;

fn in_words(name: &str, found: &Elements) -> String {
    let Elements { elements, lost, heaps, products } = found;
    let names = |numbers: &[u32]| {
        numbers.iter().map(|&number| &elements[number as usize][..]).collect::<Vec<_>>().join(", ")
    };
    let order = count(elements.len() as u64, "element", "elements");
    let shown = &heaps[..heaps.len().min(MAX_SIZES)];
    let more = if shown.len() < heaps.len() { " ..." } else { "" };
    let mut text = format!(
        "{name}: a quotient of {order}, proved for any number of heaps of up to {}\n\nElements: {}\nLost: {}\n\
         Heaps of 0, 1, 2 and so on stones: {}{more}\n",
        count(heaps.len() as u64 - 1, "stone", "stones"),
        elements.join(", "),
        names(lost),
        names(shown),
    );
    if elements.len() > MAX_ELEMENTS {
        return text + "\nThe products are in --json.\n";
    }
    let heading = [String::new()].into_iter().chain(elements.iter().cloned()).collect();
    let row = |(name, products): (&String, &Vec<u32>)| {
        let products = products.iter().map(|&product| elements[product as usize].clone());
        [name.clone()].into_iter().chain(products).collect()
    };
    let rows: Vec<Vec<String>> =
        [heading].into_iter().chain(elements.iter().zip(products).map(row)).collect();
    text += "\nProducts:\n";
    text + &in_columns(&rows)
}
