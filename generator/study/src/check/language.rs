//! The language of claims: Jinja expressions, which resemble Python's, with names and functions of our own.

use std::sync::Arc;

use minijinja::value::{Object, Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};

/// The functions that an expression can call.
pub(super) const FUNCTIONS: [&str; 9] = ["xor", "sum", "min", "max", "sorted", "mod", "floor", "sqrt", "abs"];

/// The values of the names in an expression, at one position.
#[derive(Debug)]
pub(super) struct NameValues(pub(super) Vec<(&'static str, Value)>);

impl Object for NameValues {
    fn get_value(self: &Arc<Self>, name: &Value) -> Option<Value> {
        let name = name.as_str()?;
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }
}

/// Makes the environment of minijinja in which expressions are parsed and evaluated: it knows only [`FUNCTIONS`].
pub(super) fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_function("xor", |values: Rest<Value>| {
        whole_numbers(&values)?.into_iter().reduce(|a, b| a ^ b).ok_or_else(|| no_numbers("xor"))
    });
    environment.add_function("sum", |values: Rest<Value>| {
        let mut values = numbers(&values)?.into_iter();
        let first = values.next().unwrap_or(Value::from(0));
        values.try_fold(first, |sum, value| checked_sum(&sum, &value))
    });
    environment.add_function("min", |values: Rest<Value>| {
        numbers(&values)?.into_iter().min().ok_or_else(|| no_numbers("min"))
    });
    environment.add_function("max", |values: Rest<Value>| {
        numbers(&values)?.into_iter().max().ok_or_else(|| no_numbers("max"))
    });
    environment.add_function("sorted", |values: Rest<Value>| {
        let mut values = numbers(&values)?;
        values.sort();
        Ok::<_, Error>(Value::from(values))
    });
    // The remainder is never negative. The remainder of `%` has the sign of b, as in Python.
    environment.add_function("mod", |a: i64, b: i64| {
        a.checked_rem_euclid(b).ok_or_else(|| invalid(format!("unable to calculate {a} mod {b}")))
    });
    environment.add_function("floor", |value: Value| match value.as_i64() {
        Some(whole) => Ok(whole),
        None => floor(real_number(&value)?),
    });
    environment.add_function("sqrt", |value: Value| match real_number(&value)? {
        negative if negative < 0.0 => {
            Err(invalid(format!("a negative number, {negative}, has no square root")))
        }
        number => Ok(number.sqrt()),
    });
    environment.add_function("abs", |value: Value| match value.as_i64().and_then(i64::checked_abs) {
        Some(whole) => Ok(Value::from(whole)),
        None => real_number(&value).map(|number| Value::from(number.abs())),
    });
    environment
}

fn invalid(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, why.into())
}

fn no_numbers(function: &str) -> Error {
    invalid(format!("{function} needs at least one number"))
}

fn not_a_number(value: &Value) -> Error {
    invalid(format!("{value} is not a number"))
}

/// Returns the arguments of a function, or the elements of its only argument: `max(3, 5)` is `max([3, 5])`. All must be numbers.
fn numbers(values: &[Value]) -> Result<Vec<Value>, Error> {
    let values = match values {
        [list] if list.kind() == ValueKind::Seq => list.try_iter()?.collect(),
        values => values.to_vec(),
    };
    match values.iter().find(|value| value.kind() != ValueKind::Number) {
        Some(other) => Err(not_a_number(other)),
        None => Ok(values),
    }
}

/// Returns the same values as [`numbers`]. All must be whole numbers.
fn whole_numbers(values: &[Value]) -> Result<Vec<i64>, Error> {
    let whole =
        |value: &Value| value.as_i64().ok_or_else(|| invalid(format!("{value} is not a whole number")));
    numbers(values)?.iter().map(whole).collect()
}

fn real_number(value: &Value) -> Result<f64, Error> {
    let number = if value.kind() == ValueKind::Number { f64::try_from(value.clone()).ok() } else { None };
    number.ok_or_else(|| not_a_number(value))
}

fn checked_sum(a: &Value, b: &Value) -> Result<Value, Error> {
    match (a.as_i64(), b.as_i64()) {
        (Some(a), Some(b)) => a.checked_add(b).map(Value::from).ok_or_else(|| invalid("a sum is too large")),
        _ => Ok(Value::from(real_number(a)? + real_number(b)?)),
    }
}

/// Rounds down to a whole number.
fn floor(number: f64) -> Result<i64, Error> {
    let floor = number.floor();
    // 2^63, the least number above the range of i64, is exact as f64; `i64::MAX` is not.
    let end = -(i64::MIN as f64);
    if (-end..end).contains(&floor) {
        Ok(floor as i64)
    } else {
        Err(invalid(format!("{number} is too large to be rounded")))
    }
}

const COMPARISONS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// Splits an expression into words, numbers, comparisons, quoted texts and single characters.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let until = |end: &dyn Fn(char) -> bool| rest.find(end).unwrap_or(rest.len());
        let len = match COMPARISONS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => sign.len(),
            None if first.is_ascii_digit() => until(&|c| !in_word(c) && c != '.'),
            None if in_word(first) => until(&|c| !in_word(c)),
            None if first == '"' || first == '\'' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            None => first.len_utf8(),
        };
        let (token, after) = rest.split_at(len);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Returns the first function that an expression names without calling it, as in `max == 3`, which is a mistake.
pub(super) fn uncalled_function<'a>(tokens: &[&'a str]) -> Option<&'a str> {
    let next = tokens.iter().skip(1).copied().chain([""]);
    let mut uncalled =
        tokens.iter().zip(next).filter(|&(name, next)| FUNCTIONS.contains(name) && next != "(");
    uncalled.next().map(|(name, _)| *name)
}

/// Returns a list and a number or truth value that an expression compares, as in `heaps == 0` or `heaps < 3`. This is a mistake: the
/// result would not depend on the elements. Does not recognize longer operands, as in `heaps == 0 + 1`. `is_list` says whether a name
/// stands for a list; `None` for an unknown name.
pub(super) fn list_compared_with_single_value<'a>(
    tokens: &[&'a str],
    is_list: impl Fn(&str) -> Option<bool>,
) -> Option<(&'a str, &'a str)> {
    let is_single_value =
        |token: &str| is_list(token) == Some(false) || token.starts_with(|c: char| c.is_ascii_digit());
    let ends_operand = |token: &&str| {
        COMPARISONS.contains(token) || ["(", ")", ",", "and", "or", "not", "if", "else"].contains(token)
    };
    let mut comparisons = (1..tokens.len()).filter(|&at| COMPARISONS.contains(&tokens[at]));
    comparisons.find_map(|at| {
        let (left, right) = (tokens[at - 1], *tokens.get(at + 1)?);
        let before = at.checked_sub(2).and_then(|before| tokens.get(before));
        let are_whole_operands = [before, tokens.get(at + 2)].into_iter().flatten().all(&ends_operand);
        let mut orders = [(left, right), (right, left)].into_iter().filter(|_| are_whole_operands);
        orders.find(|(list, single)| is_list(list) == Some(true) && is_single_value(single))
    })
}

/// Operators of other languages, with advice on their equivalents here.
const REPLACEMENTS: [(&str, &str); 6] = [
    ("&", "write `and`"),
    ("|", "write `or`"),
    ("!", "write `not`"),
    ("^", "write xor(a, b), or a ** b for a power"),
    ("=", "write == for `is equal to`"),
    ("?", "write a if condition else b"),
];

/// Returns the advice for an operator of another language with which `found` begins.
pub(super) fn replacement(found: &str) -> Option<&'static str> {
    REPLACEMENTS.iter().find(|(sign, _)| found.starts_with(sign)).map(|&(_, instead)| instead)
}
