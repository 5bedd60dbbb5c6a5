//! The functions that JavaScript calls: [`allocate`] returns the address of a buffer, into which JavaScript writes a
//! request; [`answer`] answers the request and returns the answer's length; [`answer_address`] returns the answer's
//! address. [`open`] takes the content of the buffer as the file of a table instead.
#![allow(unsafe_code, reason = "names of functions that are called from outside")]

use std::cell::RefCell;

use crate::BrowserTables;

/// The state between two calls.
#[derive(Default)]
struct CallState {
    request: Vec<u8>,
    answer: String,
    tables: BrowserTables,
}

thread_local! {
    static STATE: RefCell<CallState> = RefCell::default();
}

/// Allocates a buffer for a request of this many bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.request.clear();
        state.request.resize(bytes, 0);
        state.request.as_mut_ptr()
    })
}

/// Answers the request in the buffer, and returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    STATE.with_borrow_mut(|CallState { request, answer, tables }| {
        let progress = |done: u64, total: u64| report_progress(done as f64, total as f64);
        *answer = tables.answer(&String::from_utf8_lossy(request), &progress);
        answer.len()
    })
}

/// Opens the bytes in the buffer as a table, and returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    STATE.with_borrow_mut(|CallState { request, answer, tables }| {
        *answer = tables.open(std::mem::take(request));
        answer.len()
    })
}

/// Returns the address of the answer, valid until the next request.
#[unsafe(no_mangle)]
pub extern "C" fn answer_address() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Reports the progress of solving to the page.
    safe fn report_progress(done: f64, total: f64);
}

#[cfg(not(target_family = "wasm"))]
fn report_progress(_: f64, _: f64) {}
