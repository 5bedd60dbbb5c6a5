//! The listings of the worked examples in FORMAT.md.

/// The listing in a section: bytes in hexadecimal, with comments.
#[derive(Clone, Copy, Debug)]
pub struct Listing(&'static str);

impl Listing {
    /// Returns the first listing of a section.
    ///
    /// # Panics
    /// If the section has no listing.
    #[must_use]
    pub fn of_section(section: u32) -> Self {
        Self::nth_of_section(section, 0)
    }

    /// Returns listing `number` of a section; the first is 0.
    ///
    /// # Panics
    /// If the section has no such listing.
    #[must_use]
    pub fn nth_of_section(section: u32, number: usize) -> Self {
        let document = include_str!("../../../tables/FORMAT.md");
        let heading = format!("\n## {section}. ");
        let (_, section) = document.split_once(&heading).expect("a section of that number");
        let section = section.split("\n## ").next().unwrap_or_default();
        Self(section.split("```").nth(2 * number + 1).expect("a listing"))
    }

    /// Returns the listed bytes.
    ///
    /// # Panics
    /// If an address is not the number of bytes before it.
    #[must_use]
    pub fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for line in self.0.lines() {
            let mut words = line.split(';').next().unwrap_or_default().split_whitespace();
            let Some(address) = words.next() else { continue };
            assert_eq!(usize::from_str_radix(address, 16), Ok(bytes.len()), "the address of: {line}");
            bytes.extend(words.map(|byte| u8::from_str_radix(byte, 16).expect("a byte in hexadecimal")));
        }
        bytes
    }

    /// Returns the comments on an array's bytes, line by line.
    ///
    /// # Panics
    /// If the array is not in the listing.
    pub fn comments(self, array: &str) -> impl Iterator<Item = &'static str> {
        let heading = format!("; {array}:");
        let part = self.0.split("\n\n").find(|part| part.starts_with(&heading)).expect("the array's bytes");
        part.lines().skip(1).filter_map(|line| Some(line.split_once(';')?.1))
    }

    /// Returns the numbers in the comments on an array's bytes.
    ///
    /// # Panics
    /// If the array is not in the listing.
    #[must_use]
    pub fn numbers(self, array: &str) -> Vec<u64> {
        self.comments(array)
            .flat_map(|comment| comment.split(|c: char| !c.is_ascii_digit()))
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().expect("digits"))
            .collect()
    }
}
