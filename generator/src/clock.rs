//! The time: that of the system, where it has one. In a browser there is none, and none passes.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use none::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod none {
    use std::time::Duration;

    /// Stands for [`std::time::Instant`], which would panic.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Instant;

    impl Instant {
        pub(crate) fn now() -> Self {
            Self
        }

        pub(crate) fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
    }
}
