//! The lost positions according to theorems in the literature.

use crate::oracle::heaps::{Rules, Take};

/// A theorem's statement: returns whether the player to move loses with these heaps.
type IsLost = Box<dyn Fn(&[u32]) -> bool>;

/// A theorem about a game's rules, or about the same rules in normal play and without passes.
pub(super) struct Theorem {
    pub(super) name: &'static str,
    /// True if the theorem covers exactly these rules.
    pub(super) applies: bool,
    pub(super) is_lost: IsLost,
}

/// Returns the least number that is not in the list (the minimum excludant).
fn mex(numbers: &[u32]) -> u32 {
    (0..).find(|number| !numbers.contains(number)).expect("they are finitely many")
}

/// Returns the Grundy values of heaps of 0 to `most` stones, by their definition.
pub(super) fn grundy(take: &Take, most: u32) -> Vec<u32> {
    let may = |stones: u32| match take {
        Take::Any => true,
        Take::UpTo(limit) => stones <= *limit,
        Take::Exactly(amounts) => amounts.contains(&stones),
    };
    let mut values: Vec<u32> = Vec::new();
    for heap in 0..=most {
        let reached = (1..=heap).filter(|&stones| may(stones)).map(|stones| values[(heap - stones) as usize]);
        let reached: Vec<u32> = reached.collect();
        values.push(mex(&reached));
    }
    values
}

/// Returns the nim-sum of heaps.
fn nim_sum(heaps: &[u32]) -> u32 {
    heaps.iter().fold(0, |sum, heap| sum ^ heap)
}

/// Moore's theorem: lost if each power of two occurs in a multiple of `per_move + 1` of the heaps.
fn moore(heaps: &[u32], per_move: usize) -> bool {
    let heaps_with = |bit: u32| heaps.iter().filter(|&heap| heap >> bit & 1 == 1).count();
    (0..32).all(|bit| heaps_with(bit).is_multiple_of(per_move + 1))
}

/// Returns Wythoff's pairs (0,0), (1,2), (3,5), ... with lesser heaps up to `most`. Pair number n is (a, a + n),
/// where a is the least number in no earlier pair.
fn wythoff(most: u32) -> Vec<[u32; 2]> {
    let (mut used, mut pairs) = (Vec::new(), Vec::new());
    loop {
        let less = mex(&used);
        let greater = less + pairs.len() as u32;
        if less > most {
            return pairs;
        }
        used.extend([less, greater]);
        pairs.push([less, greater]);
    }
}

/// Returns the theorem for a game, if there is one.
pub(super) fn theorem(rules: &Rules) -> Option<Theorem> {
    let (per_move, any) = (rules.heaps_per_move, rules.take == Take::Any);
    let most = rules.bounds.iter().copied().max().unwrap_or(0);
    // The limit of a game with a single heap.
    let limit = match rules.take {
        Take::UpTo(limit) if rules.bounds.len() == 1 => Some(limit),
        _ => None,
    };
    let (name, play_matters, is_lost): (_, bool, IsLost) = match (per_move, any, limit) {
        (1, true, _) if rules.misere => (
            "Bouton, misère",
            false,
            Box::new(|heaps| {
                let small = heaps.iter().all(|&heap| heap <= 1);
                nim_sum(heaps) == u32::from(small)
            }),
        ),
        (1, true, _) => ("Bouton", true, Box::new(|heaps| nim_sum(heaps) == 0)),
        (1, false, Some(limit)) => {
            let remainder = u32::from(rules.misere);
            // Whatever one player takes, the other can bring the total taken to `limit + 1`.
            let lost = move |heaps: &[u32]| {
                let mut heap = heaps[0];
                while heap > limit {
                    heap -= limit + 1;
                }
                heap == remainder
            };
            ("Bachet", false, Box::new(lost))
        }
        (1, false, None) => {
            let values = grundy(&rules.take, most);
            let is_lost = move |heaps: &[u32]| {
                nim_sum(&heaps.iter().map(|&heap| values[heap as usize]).collect::<Vec<_>>()) == 0
            };
            ("Sprague and Grundy", true, Box::new(is_lost))
        }
        (_, true, _) if !rules.equal_take => ("Moore", true, Box::new(move |heaps| moore(heaps, per_move))),
        (2, true, _) if rules.bounds.len() == 2 => {
            let pairs = wythoff(most);
            let is_lost = move |heaps: &[u32]| {
                pairs.iter().any(|pair| *pair == [heaps[0].min(heaps[1]), heaps[0].max(heaps[1])])
            };
            ("Wythoff", true, Box::new(is_lost))
        }
        _ => return None,
    };
    let applies = rules.passes == 0 && !(play_matters && rules.misere);
    Some(Theorem { name, applies, is_lost })
}
