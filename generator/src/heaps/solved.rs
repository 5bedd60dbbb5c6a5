//! The value of a position, as kernels hand it to the packer.

/// A solved position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Solved {
    pub(crate) depth: u32,
    /// Stones that the best move of a lost position takes in all; 0 if there is none.
    pub(crate) stones: u32,
}
