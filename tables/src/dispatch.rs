//! The choice of code by family. Hardly any other code lists the families.
//!
//! A crate that does something of its own for each family defines a trait, implements it in a folder per family, and
//! calls it through [`with_table!`](crate::with_table) or [`with_rules!`](crate::with_rules). The body is compiled once
//! for each family's own type, so that trait methods and generic functions resolve statically.

/// Evaluates an expression with a table of any family.
///
/// The first argument is a [`FamilyTable`](crate::FamilyTable), usually `table.family()`. The compiler instantiates
/// the body once for each family, so the body can call everything that all families implement. It may use `?` and
/// `return`, and must have the same type for each family.
///
/// With two tables, the body is evaluated if both belong to one family, and otherwise the expression after `else`.
///
/// ```
/// use bouton_tables::{Map, Solved, Table, with_table};
///
/// fn has_depths(table: &Table) -> bool {
///     with_table!(table.family(), |table| table.has_depths())
/// }
///
/// fn have_the_same_rules(a: &Table, b: &Table) -> bool {
///     with_table!(a.family(), b.family(), |a, b| a.game() == b.game(), else false)
/// }
/// ```
#[macro_export]
macro_rules! with_table {
    ($($arguments:tt)+) => { $crate::__with_family!(FamilyTable, $($arguments)+) };
}

/// Evaluates an expression with the rules of any family.
///
/// Works like [`with_table!`](crate::with_table), on one [`Ruleset`](crate::Ruleset) or two.
#[macro_export]
macro_rules! with_rules {
    ($($arguments:tt)+) => { $crate::__with_family!(Ruleset, $($arguments)+) };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __with_family {
    ($enum:ident, $value:expr, |$each:ident| $body:expr $(,)?) => {
        match $value {
            $crate::$enum::Expanding($each) => $body,
            $crate::$enum::Heaps($each) => $body,
        }
    };
    ($enum:ident, $one:expr, $other:expr, |$a:ident, $b:ident| $body:expr, else $else:expr $(,)?) => {
        match ($one, $other) {
            ($crate::$enum::Expanding($a), $crate::$enum::Expanding($b)) => $body,
            ($crate::$enum::Heaps($a), $crate::$enum::Heaps($b)) => $body,
            _ => $else,
        }
    };
}
