//! What people type for a move.

/// Words that say nothing in any game.
const EMPTY: [&str; 11] =
    ["a", "the", "take", "takes", "took", "stone", "stones", "stick", "sticks", "match", "matches"];

/// The words of a text in small letters, without those that say nothing, in any game or in this one.
pub(super) fn telling_words(typed: &str, empty: &[&str]) -> Vec<String> {
    let words = typed.split_whitespace().map(str::to_lowercase);
    words.filter(|word| !EMPTY.contains(&&**word) && !empty.contains(&&**word)).collect()
}

#[cfg(test)]
mod tests {
    use bouton_tables::expanding::ExpandingKeys;
    use bouton_tables::heaps::HeapKeys;

    use crate::Illustrated;

    #[test]
    fn moves_are_read_as_people_type_them() {
        let pile = ExpandingKeys::default().rules().expect("allowed rules");
        for (typed, notation) in [
            ("7", "7"),
            (" 7R ", "7r"),
            ("7 r", "7r"),
            ("Take 7", "7"),
            ("took 7 stones", "7"),
            ("7 reset", "7r"),
            ("7 and a reset", "7r"),
            ("take 7 and impose a reset", "7r"),
            // What is not a move does not become one.
            ("7 3", "7 3"),
            ("take", ""),
            ("reset", "r"),
        ] {
            assert_eq!(pile.notation_of_move(typed), notation, "{typed}");
        }
        let heaps = HeapKeys { bounds: vec![3, 5, 7], heaps_per_move: 2, passes: 1, ..Default::default() };
        let heaps = heaps.rules().expect("allowed rules");
        for (typed, notation) in [
            ("3:2", "3:2"),
            ("3: 2", "3:2"),
            ("Row 3 : 2", "3:2"),
            ("2 from heap 3", "3:2"),
            ("take 2 sticks from row 3", "3:2"),
            ("1:2 + 3:1", "1:2+3:1"),
            ("take 2 from row 1 and 1 from row 3", "1:2+3:1"),
            ("PASS", "pass"),
            ("take nothing", "pass"),
            ("3 2", "3 2"),
            ("1:2 3:1", "1:2 3:1"),
            ("2 from", "2 from"),
            ("3", "3"),
        ] {
            assert_eq!(heaps.notation_of_move(typed), notation, "{typed}");
        }
        let one = HeapKeys { bounds: vec![30], ..Default::default() }.rules().expect("allowed rules");
        assert_eq!(
            ["7", "take 7", "1:7", "7 7", ""].map(|typed| one.notation_of_move(typed)),
            ["1:7", "1:7", "1:7", "7 7", ""]
        );
    }

    #[test]
    fn whatever_a_move_is_called_can_be_typed() {
        fn check<G: Illustrated>(game: &G) {
            for chosen in game.moves(&game.start()) {
                for typed in [chosen.to_string(), game.move_in_words(chosen)] {
                    for typed in [typed.to_uppercase(), typed] {
                        assert_eq!(game.parse_move(&game.notation_of_move(&typed)), Ok(chosen), "{typed}");
                    }
                }
            }
        }
        check(&ExpandingKeys { base_limit: 30, ..Default::default() }.rules().expect("allowed rules"));
        for (bounds, heaps_per_move) in [(vec![3, 5, 7], 1), (vec![3, 5, 7], 3), (vec![12], 1)] {
            let keys = HeapKeys { bounds, heaps_per_move, passes: 1, ..Default::default() };
            check(&keys.rules().expect("allowed rules"));
        }
    }
}
