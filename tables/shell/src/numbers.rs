//! Parsers of whole numbers, for the values of options.

use std::ops::RangeInclusive;

/// Returns a parser of a whole number in a range, for `value_parser`. `T` must hold each number of the range.
pub fn whole<T: TryFrom<i128>>(range: RangeInclusive<i128>) -> impl Fn(&str) -> Result<T, String> + Clone {
    whole_of("", range)
}

/// Returns a parser of a whole number of units, such as `seconds`, in a range. `T` must hold each number of the range.
pub fn whole_of<T: TryFrom<i128>>(
    units: &str,
    range: RangeInclusive<i128>,
) -> impl Fn(&str) -> Result<T, String> + Clone + use<T> {
    assert!(
        [range.start(), range.end()].into_iter().all(|&end| T::try_from(end).is_ok()),
        "the type of the option has each number of its range"
    );
    let of_units = if units.is_empty() { String::new() } else { format!(" of {units}") };
    let allowed = format!("expected a whole number{of_units} from {} to {}", range.start(), range.end());
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| allowed.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_its_range_is_refused_with_the_range_in_words() {
        let threads = whole::<u16>(1..=1024);
        assert_eq!([threads("1"), threads("1024")], [Ok(1), Ok(1024)]);
        let allowed = "expected a whole number from 1 to 1024";
        for text in ["0", "1025", "-1", "1.5", "", "two", "99999999999999999999"] {
            assert_eq!(threads(text), Err(allowed.to_owned()), "{text:?}");
        }
        let offset = whole::<i32>(-5..=5);
        assert_eq!([offset("-5"), offset("+3")], [Ok(-5), Ok(3)]);
        let pause = whole_of::<u64>("seconds", 0..=60);
        assert_eq!(pause("61"), Err("expected a whole number of seconds from 0 to 60".to_owned()));
    }
}
