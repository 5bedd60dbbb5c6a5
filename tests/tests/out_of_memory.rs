//! If any large allocation fails, making a table returns an error and does not abort the program. An allocator that
//! fails a chosen allocation replaces the system's.

#![allow(unsafe_code, reason = "an allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use bouton_generator::{GenerateError, generate_in_memory};
use bouton_tables::{Ruleset, rulesets};

/// An allocator that fails one of the large allocations.
struct FailingAllocator;

/// The least size in bytes of an allocation that counts. In these games, allocations that do not depend on the ruleset
/// are smaller.
const MIN_LARGE: usize = 8 << 10;

/// The number of large allocations that still succeed.
static SUCCESSES_LEFT: AtomicU64 = AtomicU64::new(u64::MAX);
/// The number of large allocations made so far.
static LARGE_ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// Returns whether the allocation of this number of bytes must fail, and counts it if it is large.
fn must_fail(size: usize) -> bool {
    if size < MIN_LARGE {
        return false;
    }
    LARGE_ALLOCATIONS.fetch_add(1, Relaxed);
    SUCCESSES_LEFT.fetch_sub(1, Relaxed) == 0
}

// SAFETY: allocations are the system allocator's, or refused with a null pointer.
unsafe impl GlobalAlloc for FailingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the system allocator's conditions.
        if must_fail(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        if must_fail(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        if must_fail(size) { std::ptr::null_mut() } else { unsafe { System.realloc(pointer, layout, size) } }
    }
}

#[global_allocator]
static ALLOCATOR: FailingAllocator = FailingAllocator;

/// Makes a table, with one failing allocation: the large one after `successes` others. Returns the result and the
/// number of large allocations made.
fn generate_failing_after(
    ruleset: &Ruleset,
    depths: bool,
    successes: u64,
) -> (Result<Vec<u8>, GenerateError>, usize) {
    LARGE_ALLOCATIONS.store(0, Relaxed);
    SUCCESSES_LEFT.store(successes, Relaxed);
    let generated = generate_in_memory(ruleset, depths);
    SUCCESSES_LEFT.store(u64::MAX, Relaxed);
    (generated, LARGE_ALLOCATIONS.load(Relaxed))
}

/// The only test in this program, because another would allocate at the same time.
#[test]
fn a_large_allocation_that_fails_makes_the_generator_return_an_error() {
    // Each solver, in games that are just large enough.
    let games: [(&str, &[&str], bool); 12] = [
        ("expanding", &["stones=2000", "resets=[1,1]"], false),
        ("expanding", &["stones=700", "resets=[1,0]"], true),
        ("expanding", &["stones=900", "resets=[0,1]", "growth=40", "base-limit=90"], true),
        ("nim", &["bounds=[20,30,40]"], true),
        ("nim", &["bounds=[10,12,14,16]", "passes=2"], true),
        ("nim", &["bounds=[5000,6000]"], false),
        ("nim", &["bounds=[70000]", "take=1000"], true),
        ("subtraction", &["bounds=[9,12,15,20]", "passes=1"], false),
        ("subtraction", &["bounds=[70,80,90]"], false),
        ("subtraction", &["bounds=[9,12,25,30]", "passes=1"], true),
        ("moore", &["heaps=4", "size=12", "passes=1"], true),
        ("moore", &["heaps=4", "size=20", "take=3"], true),
    ];
    // One thread, so that allocations have the same order in each run.
    let thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (preset, settings, depths) in games {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let ruleset = rulesets::find(preset, &settings).unwrap().ruleset;
        thread.install(|| {
            let (generated, allocations) = generate_failing_after(&ruleset, depths, u64::MAX);
            let table = generated.expect("nothing fails");
            assert!(allocations > 2, "{preset} {settings:?} has {allocations} large allocations");
            // All of them; in the longest game the first and last 30, and a sample.
            let step = allocations.div_ceil(650);
            for successes in (0..allocations).filter(|n| n % step == 0 || n + 30 > allocations || *n < 30) {
                let (generated, _) = generate_failing_after(&ruleset, depths, successes as u64);
                // Only memory that would have been freed earlier may be missing without harm.
                let is_same = generated.as_ref().is_ok_and(|generated| *generated == table);
                assert!(
                    is_same || matches!(generated, Err(GenerateError::Memory)),
                    "{preset} {settings:?}, allocation {successes}"
                );
            }
            let (generated, _) = generate_failing_after(&ruleset, depths, allocations as u64);
            assert!(generated.unwrap() == table);
        });
    }
}
