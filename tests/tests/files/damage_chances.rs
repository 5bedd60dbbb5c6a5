//! Files of chances that are damaged and sealed again with correct checksums: the reader refuses them or answers, and
//! never panics or loops.

use bouton_match::models::{Chances, ChancesFile};
use bouton_match::{Playable, Solution};
use bouton_tables::Play;
use bouton_tables::expanding::ExpandingKeys;
use bouton_tables::heaps::HeapKeys;
use bouton_tests::format_twin::chances::Twin;
use bouton_tests::programs::run_match;
use bouton_tests::seal::Parts;
use rayon::prelude::*;

/// Returns the parts of valid files of both families.
fn valid_files() -> [Parts; 3] {
    let expanding =
        |resets| ExpandingKeys { stones: 7, resets, ..Default::default() }.rules().expect("allowed rules");
    let heaps = HeapKeys { bounds: vec![5, 4], passes: 2, play: Play::Misere, ..Default::default() }
        .rules()
        .expect("allowed rules");
    [parts(&expanding([1, 1])), parts(&expanding([0, 1])), parts(&heaps)]
}

/// Returns a file of the chances against a model, for a solved game.
fn file<F: Playable>(solution: &Solution<F>) -> Vec<u8> {
    let model = "err:0.1".parse().expect("a model");
    let chances = Chances::compute(solution, &model, &()).expect("they can be computed");
    chances.to_file(solution).expect("the table is whole")
}

/// Makes a file of chances, and takes it apart.
fn parts<F: Playable>(rules: &F) -> Parts {
    let valid = file(&Solution::solve(rules).unwrap());
    let parts = Parts::of(&valid);
    assert_eq!(parts.seal_chances(), valid, "a valid file taken apart and sealed is the same");
    parts
}

/// Reads the chances at many position numbers, if the file opens. Returns whether it opens.
fn ask(bytes: Vec<u8>) -> bool {
    let Ok(file) = ChancesFile::open(bytes) else { return false };
    let _ = file.check_whole();
    // Also numbers at and after the end that the header claims.
    let numbers = file.header().numbers;
    let distant = [numbers.saturating_sub(1), numbers, numbers.saturating_add(1), 1 << 32, u64::MAX];
    for number in (0..numbers.min(2000)).chain(distant) {
        if let Ok(Some(chance)) = file.get(number) {
            assert!((0.0..=1.0).contains(&chance), "{number}: {chance}");
        }
    }
    true
}

#[test]
fn a_file_with_any_changed_byte_is_refused_or_read() {
    for valid in valid_files() {
        let (header, all) = (valid.header.len(), valid.header.len() + valid.body.len());
        let opened: usize = (0..all)
            .into_par_iter()
            .map(|at| {
                let mut parts = valid.clone();
                let changed = |parts: &mut Parts, by: u8| match at.checked_sub(header) {
                    None => parts.header[at] ^= by,
                    Some(at) => parts.body[at] ^= by,
                };
                let opens_changed = |by: &u8| {
                    changed(&mut parts, *by);
                    let file = parts.seal_chances();
                    changed(&mut parts, *by);
                    ask(file)
                };
                (1..=255).filter(opens_changed).count()
            })
            .sum();
        // Most changes are visible only when the changed record is read, or not at all.
        assert!(opened > 0 && opened < 255 * all, "{opened} of {} open", 255 * all);
    }
}

#[test]
fn truncated_and_lengthened_parts_are_refused_or_read() {
    for valid in valid_files() {
        for length in 0..=valid.body.len() {
            ask(Parts { body: valid.body[..length].to_vec(), ..valid.clone() }.seal_chances());
        }
        for length in 0..valid.header.len() {
            let cut = Parts { header: valid.header[..length].to_vec(), ..valid.clone() }.seal_chances();
            assert!(Twin::read(&cut).is_err() && !ask(cut), "a header of {length} bytes");
        }
        let longer = Parts { header: [&valid.header[..], &[0]].concat(), ..valid.clone() };
        assert!(!ask(longer.seal_chances()), "a byte after the header's last value is refused");
    }
}

#[test]
fn a_header_that_claims_too_much_is_refused() {
    for valid in valid_files() {
        // The header: the digest, the model's length, the model, then two numbers.
        let rest = 32 + 1 + usize::from(valid.header[32]);
        for numbers in [u64::MAX, 1 << 63, 1 << 40, 1 << 32] {
            for lost in [numbers, numbers - 1, 0] {
                let number = |number: u64| [&[253][..], &number.to_le_bytes()].concat();
                let header = [&valid.header[..rest], &number(numbers), &number(lost)].concat();
                assert!(!ask(Parts { header, ..valid.clone() }.seal_chances()), "{numbers} and {lost}");
            }
        }
        for length in [u64::MAX, 1 << 63, 1 << 32, 65_536] {
            let header = [&valid.header[..32], &[253], &length.to_le_bytes(), &valid.header[33..]].concat();
            assert!(!ask(Parts { header, ..valid.clone() }.seal_chances()), "a model of {length} bytes");
        }
    }
}

#[test]
fn a_game_by_damaged_chances_is_played_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rules =
        ExpandingKeys { stones: 20, resets: [1, 1], ..Default::default() }.rules().expect("allowed rules");
    let table = bouton_generator::generate_in_memory(&rules.clone().into(), true).unwrap();
    std::fs::write(folder.path().join("t.bouton"), table).unwrap();
    let valid = Parts::of(&file(&Solution::solve(&rules).unwrap()));
    let (mut played, mut refused) = (0, 0);
    let all = valid.header.len() + valid.body.len();
    let offsets = (0..all).step_by(all / 60).chain(valid.header.len()..valid.header.len() + 48);
    for at in offsets {
        let mut parts = valid.clone();
        match at.checked_sub(parts.header.len()) {
            None => parts.header[at] ^= 0x11,
            Some(at) => parts.body[at] ^= 0x11,
        }
        std::fs::write(folder.path().join("damaged.chances"), parts.seal_chances()).unwrap();
        let args = ["play", "table:t.bouton:swindle:damaged.chances", "random", "--games", "2", "-q"];
        let ran = run_match(folder.path(), &args, b"");
        match ran.status {
            Some(0) => played += 1,
            Some(2) => {
                assert!(ran.stderr.starts_with("bouton-match: ") && ran.stdout.is_empty(), "{at}: {ran:?}");
                refused += 1;
            }
            _ => panic!("byte {at}: {ran:?}"),
        }
        assert!(!ran.stderr.contains("panicked"), "byte {at}: {}", ran.stderr);
    }
    assert!(played > 0 && refused > 0, "{played} played, {refused} refused");
}
