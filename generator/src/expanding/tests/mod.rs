//! The oracle that the tests of all solvers share.

pub(crate) mod oracle;
