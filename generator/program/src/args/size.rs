//! Sizes of memory, as users type them.

const UNITS: [(&str, u64); 9] = [
    ("B", 1),
    ("KB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

/// Parses a number and a unit, such as `512MiB`, `4GB` or `1.5 GiB`, into bytes. A unit of one letter is a power of
/// 1024: `4G`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong =
        || format!("'{text}' is not a size of memory; write a number and a unit, for example 512MiB or 4GiB");
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let (number, unit): (f64, _) = (number.parse().map_err(|_| wrong())?, unit.trim());
    let named = |(name, _): &&(&str, u64)| {
        name.eq_ignore_ascii_case(unit) || unit.len() == 1 && format!("{unit}iB").eq_ignore_ascii_case(name)
    };
    let bytes = number * UNITS.iter().find(named).ok_or_else(wrong)?.1 as f64;
    if bytes < 1.0 || bytes >= u64::MAX as f64 { Err(wrong()) } else { Ok(bytes as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_number_and_a_unit() {
        for (text, bytes) in [
            ("1B", 1),
            ("64KiB", 1 << 16),
            ("64 kib", 1 << 16),
            ("512MiB", 512 << 20),
            ("4GB", 4_000_000_000),
            ("4G", 4 << 30),
            ("1.5GiB", 3 << 29),
            ("2t", 2 << 40),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "4", "GiB", "-4GiB", "4 giga", "0GiB", "1.2.3GiB", "99999999999TiB", "NaN", "4GiB4"]
        {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
