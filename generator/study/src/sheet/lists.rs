//! Lists of numbers for a sheet of paper: short but exact.

/// The fewest numbers in equal steps that the notation with an ellipsis replaces.
const MIN_STEPS: usize = 5;
/// The fewest numbers up to the greatest possible one that "and up" replaces.
const MIN_UP: u32 = 4;

/// Writes ascending numbers with equal steps shortened: `4, 8 … 40` is every fourth number from 4 to 40.
///
/// Runs of equal steps can overlap, so that there are several ways. Dynamic programming over the beginnings of the list finds the
/// shortest text.
pub(crate) fn shortened(numbers: &[u32]) -> String {
    let count = numbers.len();
    // For the first n numbers, the least length of their text, and the index at which its last part begins.
    let mut best: Vec<(usize, usize)> = vec![(0, 0)];
    best.resize(count + 1, (usize::MAX, 0));
    for begin in 0..count {
        let so_far = best[begin].0;
        let mut consider = |end: usize| {
            let length = so_far + part(&numbers[begin..end]).chars().count() + 2;
            if length < best[end].0 {
                best[end] = (length, begin);
            }
        };
        consider(begin + 1);
        let steps = numbers[begin..].windows(2).map(|pair| pair[1] - pair[0]);
        let same = steps.clone().take_while(|step| Some(*step) == steps.clone().next()).count();
        if same + 1 >= MIN_STEPS {
            consider(begin + same + 1);
            // The last number of this run may be the first of the next run.
            consider(begin + same);
        }
    }
    let (mut parts, mut end) = (Vec::new(), count);
    while end > 0 {
        let begin = best[end].1;
        parts.push(part(&numbers[begin..end]));
        end = begin;
    }
    parts.reverse();
    parts.join(", ")
}

/// Writes one number, or a run of equal steps.
fn part(numbers: &[u32]) -> String {
    match numbers {
        // Non-breaking spaces.
        [first, second, .., last] => format!("{first}, {second}\u{a0}…\u{a0}{last}"),
        _ => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// Writes all numbers, with a bar between hundreds.
pub(crate) fn in_full(numbers: &[u32]) -> String {
    let hundreds = numbers.chunk_by(|one, next| one / 100 == next / 100);
    let text = |hundred: &[u32]| hundred.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    hundreds.map(text).collect::<Vec<_>>().join(" | ")
}

/// Returns the indices from 1 at which `are` is true.
pub(crate) fn numbers(are: &[bool]) -> Vec<u32> {
    (1..).zip(are.iter().skip(1)).filter(|(_, is)| **is).map(|(number, _)| number).collect()
}

/// Returns the least index from which `are` is true to its end; `None` if these are fewer than [`MIN_UP`].
pub(crate) fn all_from(are: &[bool]) -> Option<u32> {
    let last = are.iter().skip(1).rev().take_while(|is| **is).count() as u32;
    (last >= MIN_UP).then(|| are.len() as u32 - last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes a shortened list, as a reader would.
    fn read(text: &str) -> Vec<u32> {
        let number = |text: &str| text.parse::<u32>().unwrap();
        let mut found: Vec<u32> = Vec::new();
        for item in text.split(", ").filter(|item| !item.is_empty()) {
            match item.split_once("\u{a0}…\u{a0}") {
                None => found.push(number(item)),
                Some((second, last)) => {
                    let step = number(second) - found.last().unwrap();
                    found.extend((number(second)..=number(last)).step_by(step as usize));
                    assert_eq!(found.last(), Some(&number(last)));
                }
            }
        }
        found
    }

    #[test]
    fn shortened_lists_are_read_as_what_they_were() {
        for bits in 0..1_u32 << 13 {
            let all: Vec<u32> = (1..=13).filter(|n| bits >> (n - 1) & 1 == 1).collect();
            assert_eq!(read(&shortened(&all)), all);
        }
        assert_eq!(shortened(&[4, 8, 12, 16, 20, 23, 26, 30]), "4, 8\u{a0}…\u{a0}20, 23, 26, 30");
        assert_eq!(shortened(&[]), "");
        assert_eq!(in_full(&[1, 99, 100, 307]), "1 99 | 100 | 307");
    }

    #[test]
    fn the_last_numbers_are_seen_to_be_all() {
        let are = |text: &str| text.bytes().map(|byte| byte == b'x').collect::<Vec<bool>>();
        assert_eq!(all_from(&are("..x.xxxx")), Some(4));
        assert_eq!(all_from(&are("..x..xxx")), None);
        assert_eq!(all_from(&are("xxxx")), None);
        assert_eq!(all_from(&are(".xxxx")), Some(1));
        assert_eq!(numbers(&are("xx..x")), [1, 4]);
    }
}
