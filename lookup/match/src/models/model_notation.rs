//! The notation of models: parsing and printing, which are inverse.

use std::fmt;
use std::str::FromStr;

use bouton_tables::printable::shorten;
use clap::ValueEnum;

use super::{Habit, Intention, Model, Preference, WhenLost};

/// The help on models.
pub const MODELS_HELP: &str = "\
A model of an opponent is one of these:
  perfect      makes a winning move if there is one
  err:E        the same, but with probability E makes any legal move
  misread:E    after a reset, thinks that currentmax is lower than it is, like the many programs
               that believe the server's current_max; otherwise like err:E (`misread` means E = 0)
  takes-one    makes the first legal move, which takes one stone where that is allowed
  random       makes any legal move
Options follow the name. If there is no winning move, or the model does not see it: /takes-one (the default) or /random.
The choice among several winning moves: /any (the default), /first, /last or /fastest.
A mixture draws one of several models for each move, by weights that add up to 1:
0.7*misread:0.05+0.3*err:0.2/random. Without weights, all are equally likely: misread+err:0.2.
";

fn wrong(found: &str, expected: &str) -> String {
    let found = shorten(found, 60);
    format!(
        "found '{found}' in a model, expected {expected}; models are perfect, err:E, misread, misread:E, takes-one, random, \
         and mixtures such as 0.7*misread:0.05+0.3*err:0.2"
    )
}

fn value_named<T: ValueEnum>(name: &str) -> Option<T> {
    T::from_str(name, false).ok()
}

fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().expect("everything has a name").get_name().to_owned()
}

fn number(text: &str, expected: &'static str, allowed: impl Fn(f64) -> bool) -> Result<f64, String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|&number| is_plain && allowed(number)).ok_or_else(|| wrong(text, expected))
}

impl FromStr for Habit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split('/');
        let head = parts.next().unwrap_or_default();
        let (name, slip) = head.split_once(':').map_or((head, None), |(name, slip)| (name, Some(slip)));
        let intention = value_named(name).ok_or_else(|| wrong(text, "a model's name"))?;
        let slip = match (name, slip) {
            ("err" | "misread", Some(slip)) => {
                number(slip, "a probability from 0 to 1", |slip| (0.0..=1.0).contains(&slip))?
            }
            ("err", None) => return Err(wrong(text, "a probability after it, such as err:0.05")),
            (_, None) => 0.0,
            (_, Some(_)) => return Err(wrong(text, "no probability after this name")),
        };
        let (when_lost, prefers) = (WhenLost::default(), Preference::default());
        let mut habit = Self { intention, slip, when_lost, prefers };
        let mut given = (None, None);
        for option in parts {
            let before = if let Some(when_lost) = value_named(option) {
                habit.when_lost = when_lost;
                given.0.replace(option)
            } else if let Some(prefers) = value_named(option) {
                habit.prefers = prefers;
                given.1.replace(option)
            } else {
                return Err(wrong(
                    option,
                    "one of the options takes-one, random, any, first, last and fastest",
                ));
            };
            if let Some(before) = before {
                return Err(format!(
                    "the model '{}' has both {before} and {option}; give only one of them",
                    shorten(text, 60)
                ));
            }
        }
        Ok(habit)
    }
}

impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.intention {
            Intention::Perfect if self.slip > 0.0 => write!(f, "err:{}", self.slip)?,
            intention => f.write_str(&name_of(&intention))?,
        }
        if self.intention == Intention::Misread && self.slip > 0.0 {
            write!(f, ":{}", self.slip)?;
        }
        if self.when_lost != WhenLost::default() {
            write!(f, "/{}", name_of(&self.when_lost))?;
        }
        if self.prefers != Preference::default() {
            write!(f, "/{}", name_of(&self.prefers))?;
        }
        Ok(())
    }
}

/// Allowed distance of the weights' sum from 1: weights may be rounded, such as 0.3333 three times.
const ROUNDING: f64 = 5e-4;

impl FromStr for Model {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut terms = Vec::new();
        let are_equal = !text.contains('*');
        let number_of_terms = text.split('+').count() as f64;
        for term in text.split('+') {
            terms.push(match term.split_once('*') {
                None => {
                    let habit = term.parse()?;
                    if !are_equal {
                        return Err(wrong(term, "a weight before it, as before the others: 0.5*err:0.1"));
                    }
                    (1.0 / number_of_terms, habit)
                }
                Some((weight, habit)) => {
                    let allowed = |weight: f64| weight > 0.0 && weight <= 1.0;
                    (number(weight, "a weight above 0 and up to 1", allowed)?, habit.parse()?)
                }
            });
        }
        let sum_of_weights: f64 = terms.iter().map(|&(weight, _): &(f64, Habit)| weight).sum();
        if (sum_of_weights - 1.0).abs() > ROUNDING {
            let sum = format!("{sum_of_weights:.5}");
            let (text, sum) = (shorten(text, 60), sum.trim_end_matches('0').trim_end_matches('.'));
            return Err(format!(
                "the weights of the model '{text}' add up to {sum}, not to 1; change them, or omit all: then \
                 all are equally likely"
            ));
        }
        // Weights that add up to 1, up to rounding of `f64`, stay as they are, so that a model reads back from its own text.
        if (sum_of_weights - 1.0).abs() > 1e-9 {
            terms.iter_mut().for_each(|(weight, _)| *weight /= sum_of_weights);
        }
        Ok(Self { terms })
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [(_, habit)] = &self.terms[..] {
            return habit.fmt(f);
        }
        for (number, (share, habit)) in self.terms.iter().enumerate() {
            let plus = if number > 0 { "+" } else { "" };
            write!(f, "{plus}{share}*{habit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_back_as_it_prints() {
        for text in [
            "perfect",
            "err:0.05",
            "misread",
            "misread:0.05/random/last",
            "takes-one",
            "random",
            "perfect/fastest",
            "0.75*misread:0.05+0.25*err:0.2/random",
        ] {
            let model: Model = text.parse().unwrap();
            assert_eq!(model.to_string(), text);
            assert_eq!(model.to_string().parse::<Model>().unwrap(), model);
        }
    }

    #[test]
    fn options_that_exclude_each_other_are_refused() {
        for (text, both) in
            [("misread/any/last", "any and last"), ("err:0.1/random/takes-one", "random and takes-one")]
        {
            let error = text.parse::<Model>().unwrap_err().to_string();
            assert!(
                error.contains(&format!("the model '{text}' has both {both}; give only one of them")),
                "{error}"
            );
        }
        assert!("misread/last/random".parse::<Model>().is_ok());
    }

    #[test]
    fn weights_that_do_not_add_up_to_1_are_refused() {
        assert_eq!("misread+perfect".parse::<Model>().unwrap().to_string(), "0.5*misread+0.5*perfect");
        let rounded: Model = "0.3333*misread+0.3333*perfect+0.3333*random".parse().unwrap();
        let sum: f64 = rounded.terms().iter().map(|(share, _)| share).sum();
        assert!((sum - 1.0).abs() < 1e-15);
        for (text, sum) in
            [("0.7*misread+0.7*perfect", "1.4"), ("0.99*random", "0.99"), ("0.4*random+0.599*err:1", "0.999")]
        {
            let error = text.parse::<Model>().unwrap_err().to_string();
            let expected = format!(
                "the weights of the model '{text}' add up to {sum}, not to 1; change them, or omit all: then \
                 all are equally likely"
            );
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn an_invalid_model_is_refused_with_what_is_expected() {
        for (text, expected) in [
            ("", "a model's name"),
            ("perfekt", "a model's name"),
            ("err", "a probability after it"),
            ("err:2", "a probability from 0 to 1"),
            ("err:-0.1", "a probability from 0 to 1"),
            ("err:nan", "a probability from 0 to 1"),
            ("err:1e-3", "a probability from 0 to 1"),
            ("random:0.1", "no probability after this name"),
            ("perfect/fast", "one of the options"),
            ("0*perfect", "a weight above 0"),
            ("0.5*perfect+", "a model's name"),
            ("inf*perfect", "a weight above 0"),
            ("2*perfect", "a weight above 0 and up to 1"),
            ("0.5*perfect+random", "found 'random' in a model, expected a weight before it"),
        ] {
            let error = text.parse::<Model>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
