//! Reading a key of a ruleset file.

use toml::{Table as Keys, Value};

use crate::error::shorten;
use crate::{Play, RulesetError};

/// A key of a ruleset file.
pub(super) struct Key<'a> {
    pub(super) name: &'static str,
    pub(super) keys: &'a Keys,
}

impl Key<'_> {
    /// What it is set to.
    pub(super) fn value(&self) -> Option<&Value> {
        self.keys.get(self.name)
    }

    /// The error for a value that is missing or not allowed.
    pub(super) fn bad(&self, found: Option<&Value>, allowed: &str) -> RulesetError {
        let (key, allowed) = (self.name, allowed.to_owned());
        match found {
            None => RulesetError::MissingKey { key, allowed },
            Some(found) => RulesetError::BadValue { key, found: shorten(&show(found)), allowed },
        }
    }

    /// A whole number in a range.
    pub(super) fn number(&self, least: u32, most: u32) -> Result<u32, RulesetError> {
        let found = self.value();
        let number = found.and_then(Value::as_integer).and_then(|number| u32::try_from(number).ok());
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| self.bad(found, &format!("a whole number from {least} to {most}")))
    }

    /// Whether it is there.
    pub(super) fn is_set(&self) -> bool {
        self.value().is_some()
    }

    /// A whole number in a range, or what it is when it is left out.
    pub(super) fn number_or(&self, default: u32, least: u32, most: u32) -> Result<u32, RulesetError> {
        if self.is_set() { self.number(least, most) } else { Ok(default) }
    }

    /// A truth value; false if it is left out.
    pub(super) fn truth(&self) -> Result<bool, RulesetError> {
        match self.value() {
            None => Ok(false),
            Some(Value::Boolean(truth)) => Ok(*truth),
            found => Err(self.bad(found, "true or false")),
        }
    }

    /// A list of whole numbers from 1 to `most`.
    pub(super) fn list(&self, most: u32, allowed: &str) -> Result<Vec<u32>, RulesetError> {
        let found = self.value();
        let number =
            |value: &Value| u32::try_from(value.as_integer()?).ok().filter(|n| (1..=most).contains(n));
        let numbers = found
            .and_then(Value::as_array)
            .and_then(|array| array.iter().map(number).collect::<Option<Vec<u32>>>());
        numbers.ok_or_else(|| self.bad(found, allowed))
    }

    /// Two whole numbers.
    pub(super) fn pair(&self, most: u8) -> Result<[u8; 2], RulesetError> {
        let found = self.value();
        let numbers = found.and_then(Value::as_array).and_then(|array| {
            let number = |value: &Value| u8::try_from(value.as_integer()?).ok().filter(|&n| n <= most);
            array.iter().map(number).collect::<Option<Vec<u8>>>()
        });
        numbers
            .and_then(|numbers| <[u8; 2]>::try_from(numbers).ok())
            .ok_or_else(|| self.bad(found, &format!("two whole numbers from 0 to {most}, such as [4, 4]")))
    }

    /// The kind of play.
    pub(super) fn play(&self) -> Result<Play, RulesetError> {
        match self.value() {
            Some(Value::String(play)) if play == "normal" => Ok(Play::Normal),
            Some(Value::String(play)) if play == "misere" => Ok(Play::Misere),
            found => Err(self.bad(found, "\"normal\" or \"misere\"")),
        }
    }
}

/// A value as it would stand in a file, on one line.
fn show(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{text}\""),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(truth) => truth.to_string(),
        Value::Datetime(when) => when.to_string(),
        Value::Array(values) => format!("[{}]", values.iter().map(show).collect::<Vec<_>>().join(", ")),
        Value::Table(_) => "a table".to_owned(),
    }
}
