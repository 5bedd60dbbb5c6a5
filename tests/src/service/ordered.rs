//! Parses JSON and keeps the order of its keys, which serde_json's `Value` forgets.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// A JSON value that keeps the order of its keys.
#[derive(Clone, Debug, PartialEq)]
pub enum OrderedJson {
    /// An object.
    Object(Vec<(String, OrderedJson)>),
    /// An array.
    Array(Vec<OrderedJson>),
    /// Anything else.
    Plain(Value),
}

/// Parses a text.
///
/// # Panics
/// If the text is not JSON.
#[must_use]
pub fn ordered(text: &str) -> OrderedJson {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

impl OrderedJson {
    /// Returns the keys of an object, separated by spaces.
    ///
    /// # Panics
    /// If the value is not an object.
    #[must_use]
    pub fn keys(&self) -> String {
        let Self::Object(fields) = self else { panic!("no object: {self:?}") };
        fields.iter().map(|field| &*field.0).collect::<Vec<_>>().join(" ")
    }

    /// Returns the value of a key of an object.
    ///
    /// # Panics
    /// If the value is not an object, or lacks the key.
    #[must_use]
    pub fn at(&self, key: &str) -> &Self {
        let Self::Object(fields) = self else { panic!("no object: {self:?}") };
        &fields.iter().find(|field| field.0 == key).unwrap_or_else(|| panic!("no {key}: {self:?}")).1
    }

    /// Returns the elements of an array.
    ///
    /// # Panics
    /// If the value is not an array.
    #[must_use]
    pub fn elements(&self) -> &[Self] {
        let Self::Array(elements) = self else { panic!("no array: {self:?}") };
        elements
    }
}

impl<'de> Deserialize<'de> for OrderedJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        macro_rules! plain {
            ($($visit:ident $type:ty),*) => {
                $(fn $visit<E>(self, value: $type) -> Result<OrderedJson, E> {
                    Ok(OrderedJson::Plain(Value::from(value)))
                })*
            };
        }

        impl<'de> Visitor<'de> for Reader {
            type Value = OrderedJson;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            plain!(visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str);

            fn visit_unit<E>(self) -> Result<OrderedJson, E> {
                Ok(OrderedJson::Plain(Value::Null))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<OrderedJson, A::Error> {
                let mut all = Vec::new();
                while let Some(element) = elements.next_element()? {
                    all.push(element);
                }
                Ok(OrderedJson::Array(all))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<OrderedJson, A::Error> {
                let mut all = Vec::new();
                while let Some(field) = fields.next_entry()? {
                    all.push(field);
                }
                Ok(OrderedJson::Object(all))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order() {
        let read = ordered("{\"b\":[1,null,{\"z\":-1.5,\"y\":\"x\"}],\"a\":true}");
        assert_eq!((read.keys().as_str(), read.at("b").elements()[2].keys().as_str()), ("b a", "z y"));
        assert_eq!(read.at("a"), &OrderedJson::Plain(Value::Bool(true)));
    }
}
