//! The quotient of a game as a monoid: named elements, their products, and the lost ones.
//!
//! Example: the quotient of misère Nim with heaps of at most 1 has the elements 1 and a, with a·a = 1, and a is lost.

use std::collections::VecDeque;

use bouton_tables::Ruleset;
use bouton_tables::heaps::Heap;
use serde::Serialize;

use super::definition::{NoQuotient, Quotient};
use super::find;
use crate::control::{Control, Phase};
use crate::making::GenerateError;

/// Maximum number of elements to list: there are as many products as pairs of elements.
const MAX_ELEMENTS: usize = 512;

/// The quotient of a game in which a move takes from one heap: in normal play the Grundy values with the nim-sum, in
/// misère play the misère quotient (Plambeck, 2005). It is proved for heaps up to the greatest bound, in any number.
///
/// In the other fields, an element is its index in `elements`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Elements {
    /// The name of each element as a product of generators: `1`, `a`, `b`, `ab`, `b^2`. Element 0 is the identity.
    pub elements: Vec<String>,
    /// The elements whose positions are lost for the player to move: the P-portion.
    pub lost: Vec<u32>,
    /// The element of a heap of each size, from 0 stones up.
    pub heaps: Vec<u32>,
    /// For each element a row with its products with all elements.
    pub products: Vec<Vec<u32>>,
}

/// Finds and proves the quotient of a ruleset, and lists its elements.
///
/// # Errors
/// The outer error if there is not enough memory, or `control` cancels; the inner one says why no quotient is known.
pub fn quotient_elements(
    ruleset: &Ruleset,
    control: &dyn Control,
) -> Result<Result<Elements, NoQuotient>, GenerateError> {
    let Ruleset::Heaps(rules) = ruleset else {
        return Ok(Err(NoQuotient::Rules("games of heaps")));
    };
    Ok(find(rules, Phase::Verifying, control)?.and_then(|quotient| Elements::of(&quotient)))
}

impl Elements {
    fn of(quotient: &Quotient) -> Result<Self, NoQuotient> {
        let classes = quotient.classes();
        if classes > MAX_ELEMENTS {
            return Err(NoQuotient::TooManyElements(classes, MAX_ELEMENTS));
        }
        let sizes = 0..=quotient.greatest();
        // For each class, some heaps of this class.
        let parents = quotient.parents().expect("the quotient is proved");
        let mut heaps_of: Vec<Vec<Heap>> = vec![Vec::new()];
        for &(parent, heap) in &parents[1..] {
            let mut heaps = heaps_of[parent as usize].clone();
            heaps.push(heap);
            heaps_of.push(heaps);
        }
        let product =
            |class: u32, heaps: &[Heap]| heaps.iter().fold(class, |class, &heap| quotient.next(class, heap));
        Ok(Self {
            elements: names(quotient),
            lost: (0..classes as u32).filter(|&class| quotient.is_lost(class)).collect(),
            heaps: sizes.map(|size| quotient.next(0, size)).collect(),
            products: (0..classes as u32)
                .map(|class| heaps_of.iter().map(|heaps| product(class, heaps)).collect())
                .collect(),
        })
    }
}

/// Returns a name for each class: a shortest product of generators. A heap is a generator if it is not a product of
/// smaller ones.
fn names(quotient: &Quotient) -> Vec<String> {
    let mut generators: Vec<Heap> = Vec::new();
    let mut powers = powers_of(quotient, &generators);
    for size in 1..=quotient.greatest() {
        if powers[quotient.next(0, size) as usize].is_none() {
            generators.push(size);
            powers = powers_of(quotient, &generators);
        }
    }
    let letter = |generator: usize| match u8::try_from(generator) {
        Ok(number @ ..26) => char::from(b'a' + number).to_string(),
        _ => format!("g{generator}"),
    };
    let name = |powers: Option<Vec<u32>>| {
        let powers = powers.expect("each class is a product of heaps");
        let factors = powers.into_iter().enumerate().filter(|&(_, power)| power > 0);
        let factors = factors.map(|(generator, power)| match power {
            1 => letter(generator),
            _ => format!("{}^{power}", letter(generator)),
        });
        let name: String = factors.collect();
        if name.is_empty() { "1".to_owned() } else { name }
    };
    powers.into_iter().map(name).collect()
}

/// Returns, for each class that is a product of generators, the power of each generator in a product of the fewest
/// factors.
fn powers_of(quotient: &Quotient, generators: &[Heap]) -> Vec<Option<Vec<u32>>> {
    let mut powers = vec![None; quotient.classes()];
    powers[0] = Some(vec![0; generators.len()]);
    let mut open = VecDeque::from([0_u32]);
    while let Some(class) = open.pop_front() {
        for (generator, &heap) in generators.iter().enumerate() {
            let after = quotient.next(class, heap);
            if powers[after as usize].is_none() {
                let mut more = powers[class as usize].clone().expect("the class was reached");
                more[generator] += 1;
                powers[after as usize] = Some(more);
                open.push_back(after);
            }
        }
    }
    powers
}

#[cfg(test)]
mod tests {
    use bouton_tables::rulesets::find as ruleset;

    use super::*;

    fn of(preset: &str, settings: &[&str]) -> Result<Elements, NoQuotient> {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        quotient_elements(&ruleset(preset, &settings).unwrap().ruleset, &()).unwrap()
    }

    fn product<'a>(found: &'a Elements, one: &str, other: &str) -> &'a str {
        let place = |name: &str| found.elements.iter().position(|element| element == name).unwrap();
        &found.elements[found.products[place(one)][place(other)] as usize]
    }

    #[test]
    fn misere_nim_has_the_tame_quotients_of_plambeck_and_siegel() {
        // T1 = {1, a} with a^2 = 1, and T2 = {1, a, b, ab, b^2, ab^2} with a^2 = 1 and b^3 = b; lost are a, and in T2
        // b^2 too.
        let ones = of("nim-misere", &["bounds=[1,1,1]"]).unwrap();
        assert_eq!((&ones.elements[..], &ones.lost[..]), (&["1".to_owned(), "a".to_owned()][..], &[1][..]));
        assert_eq!(ones.products, [[0, 1], [1, 0]]);
        let found = of("nim-misere", &["bounds=[3,3,3]"]).unwrap();
        let mut names = found.elements.clone();
        names.sort_unstable();
        assert_eq!(names, ["1", "a", "ab", "ab^2", "b", "b^2"]);
        let lost: Vec<&str> = found.lost.iter().map(|&lost| &found.elements[lost as usize][..]).collect();
        assert_eq!(lost.len(), 2);
        assert!(lost.contains(&"a") && lost.contains(&"b^2"), "{lost:?}");
        let heaps: Vec<&str> = found.heaps.iter().map(|&heap| &found.elements[heap as usize][..]).collect();
        assert_eq!(heaps, ["1", "a", "b", "ab"]);
        for (one, other, both) in
            [("a", "a", "1"), ("b", "b", "b^2"), ("b", "b^2", "b"), ("ab", "b", "ab^2"), ("ab", "ab^2", "b")]
        {
            assert_eq!(
                (product(&found, one, other), product(&found, other, one)),
                (both, both),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn in_normal_play_products_are_nim_sums() {
        let found = of("subtraction", &["bounds=[20,20]", "take=[1,3,4]"]).unwrap();
        // Grundy values 0, 1, 0, 1, 2, 3, 2 with period 7.
        assert_eq!((found.elements.len(), &found.lost[..]), (4, &[0][..]));
        assert_eq!(
            found.heaps[..8],
            [0, 1, 0, 1, 2, 3, 2, 0].map(|value| [0, 1, found.heaps[4], found.heaps[5]][value])
        );
        for (row, products) in found.products.iter().enumerate() {
            assert_eq!(products[row], 0, "each element is its own inverse");
        }
    }

    #[test]
    fn games_whose_quotient_is_unknown_or_too_large_to_list_say_why() {
        for (preset, settings, why) in [
            ("nim-pass", &[][..], "without passes"),
            ("moore", &[], "takes from one heap"),
            ("expanding", &[], "games of heaps"),
            ("nim", &["bounds=[1000]"], "1024 elements"),
        ] {
            let error = of(preset, settings).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
