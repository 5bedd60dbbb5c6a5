//! Tests of the solvers share this oracle.

pub(crate) mod oracle;
