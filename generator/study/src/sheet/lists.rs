//! Lists of numbers for a sheet of paper: short but exact.

/// Minimum length of a run of numbers in equal steps that is shortened with an ellipsis.
const MIN_RUN: usize = 5;
/// "and up" replaces at least this many numbers.
const MIN_UP: u32 = 4;

/// Writes ascending numbers, and shortens runs of equal steps: `4, 8 … 40` stands for every fourth number from 4 to 40.
///
/// Runs can overlap: in 1, 2, 3, 4, 5, 7, 9, 11, 13 they share 5. Dynamic programming finds the shortest text.
pub(crate) fn shorten(numbers: &[u32]) -> String {
    let count = numbers.len();
    // For the first n numbers, the least length of their text, and the index of the number at which the last part begins.
    let mut best: Vec<(usize, usize)> = vec![(0, 0)];
    best.resize(count + 1, (usize::MAX, 0));
    for begin in 0..count {
        let before = best[begin].0;
        let mut try_end = |end: usize| {
            let length = before + part(&numbers[begin..end]).chars().count() + 2;
            if length < best[end].0 {
                best[end] = (length, begin);
            }
        };
        try_end(begin + 1);
        let steps = numbers[begin..].windows(2).map(|pair| pair[1] - pair[0]);
        let equal = steps.clone().take_while(|step| Some(*step) == steps.clone().next()).count();
        if equal + 1 >= MIN_RUN {
            try_end(begin + equal + 1);
            // The last number of this run may be the first of the next run.
            try_end(begin + equal);
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

/// Writes one number, or a run of equal steps with an ellipsis.
fn part(numbers: &[u32]) -> String {
    match numbers {
        // Non-breaking spaces.
        [first, second, .., last] => format!("{first}, {second}\u{a0}…\u{a0}{last}"),
        _ => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// Writes all numbers, with a bar between hundreds: `1 99 | 100 | 307`.
pub(crate) fn in_full(numbers: &[u32]) -> String {
    let hundreds = numbers.chunk_by(|one, next| one / 100 == next / 100);
    let text = |hundred: &[u32]| hundred.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    hundreds.map(text).collect::<Vec<_>>().join(" | ")
}

/// Returns the lost numbers of stones, except 0. `lost` says for each number from 0 whether it is lost.
pub(crate) fn lost_numbers(lost: &[bool]) -> Vec<u32> {
    (1..).zip(lost.iter().skip(1)).filter(|(_, lost)| **lost).map(|(number, _)| number).collect()
}

/// Returns the least number from which all numbers are lost; `None` if there are fewer than [`MIN_UP`] of these.
pub(crate) fn all_lost_from(lost: &[bool]) -> Option<u32> {
    let count = lost.iter().skip(1).rev().take_while(|lost| **lost).count() as u32;
    (count >= MIN_UP).then(|| lost.len() as u32 - count)
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
    fn a_shortened_list_stands_for_exactly_its_numbers() {
        for bits in 0..1_u32 << 13 {
            let all: Vec<u32> = (1..=13).filter(|n| bits >> (n - 1) & 1 == 1).collect();
            assert_eq!(read(&shorten(&all)), all);
        }
        assert_eq!(shorten(&[4, 8, 12, 16, 20, 23, 26, 30]), "4, 8\u{a0}…\u{a0}20, 23, 26, 30");
        assert_eq!(shorten(&[]), "");
        assert_eq!(in_full(&[1, 99, 100, 307]), "1 99 | 100 | 307");
    }

    #[test]
    fn all_lost_from_finds_the_last_run_of_lost_numbers() {
        let lost = |text: &str| text.bytes().map(|byte| byte == b'x').collect::<Vec<bool>>();
        assert_eq!(all_lost_from(&lost("..x.xxxx")), Some(4));
        assert_eq!(all_lost_from(&lost("..x..xxx")), None);
        assert_eq!(all_lost_from(&lost("xxxx")), None);
        assert_eq!(all_lost_from(&lost(".xxxx")), Some(1));
        assert_eq!(lost_numbers(&lost("xx..x")), [1, 4]);
    }
}
