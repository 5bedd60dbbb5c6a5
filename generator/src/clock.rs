//! The system's clock. WebAssembly has none: there, no time ever passes.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use stopped::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod stopped {
    use std::time::Duration;

    /// Replaces [`std::time::Instant`], which panics on this target.
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
