//! Numbers for people.

/// A number with its thousands set apart. What is counted is counted up to the greatest u64.
#[must_use]
pub fn grouped(number: u64) -> String {
    if number == u64::MAX {
        return "more than 10^19".to_owned();
    }
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
