//! Merges equivalent multisets of heaps into classes, and writes the classes as the body of a table.

pub(crate) mod dictionary;
pub(crate) mod edges;
pub(crate) mod level_cut;
pub(crate) mod merge_classes;
pub(crate) mod multisets;
pub(crate) mod numbering;
pub(crate) mod ordered_classes;
pub(crate) mod pack;
pub(crate) mod refine;
pub(crate) mod squares;
pub(crate) mod stage;
pub(crate) mod targets;
