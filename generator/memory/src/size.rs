//! Writes numbers of bytes for people.

const UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Returns a number of bytes in the greatest unit that is not greater than the number, with one decimal from 1 KiB on.
/// `u64::MAX` stands for 16 EiB or more.
#[must_use]
pub fn bytes(number: u64) -> String {
    if number == u64::MAX {
        return "16 EiB or more".to_owned();
    }
    let unit = number.max(1).ilog2() / 10;
    if unit == 0 {
        return format!("{number} bytes");
    }
    format!("{:.1} {}", number as f64 / (1_u64 << (10 * unit)) as f64, UNITS[unit as usize])
}

/// Returns a number of bytes as [`bytes`] does, but rounded up: reading the text again gives at least the number.
#[must_use]
pub fn bytes_rounded_up(number: u64) -> String {
    let unit = 10 * (number.max(1).ilog2() / 10);
    let tenth = ((1_u64 << unit) / 10).max(1);
    bytes(number.saturating_add(tenth / 2 + 1))
}

/// Returns "about 1.5 GiB", or "16 EiB or more".
#[must_use]
pub fn about_bytes(number: u64) -> String {
    qualified("about", number, bytes)
}

/// Returns "at least 1.5 GiB", rounded up, or "16 EiB or more".
#[must_use]
pub fn at_least_bytes(number: u64) -> String {
    qualified("at least", number, bytes_rounded_up)
}

fn qualified(word: &str, number: u64, in_words: fn(u64) -> String) -> String {
    match in_words(number) {
        more if more.ends_with("or more") => more,
        size => format!("{word} {size}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_the_greatest_unit_that_fits() {
        assert_eq!([0, 1023, 1536, 3 << 30].map(bytes), ["0 bytes", "1023 bytes", "1.5 KiB", "3.0 GiB"]);
        assert_eq!(bytes(17_592_186_044_415 << 20), "16.0 EiB");
        assert_eq!(bytes(u64::MAX), "16 EiB or more");
        assert_eq!(bytes_rounded_up((1 << 30) + 1), "1.1 GiB");
    }

    #[test]
    fn a_number_too_great_to_count_gets_neither_about_nor_at_least() {
        assert_eq!([3 << 30, u64::MAX].map(about_bytes), ["about 3.0 GiB", "16 EiB or more"]);
        assert_eq!([3 << 30, u64::MAX].map(at_least_bytes), ["at least 3.1 GiB", "16 EiB or more"]);
    }
}
