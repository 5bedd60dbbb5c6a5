//! The functions that JavaScript calls: [`room`] returns the address of a buffer, into which JavaScript writes a request;
//! [`answer`] answers the request and returns the answer's length; [`said`] returns the answer's address. [`open`] takes
//! the content of the buffer as the file of a table instead.
#![allow(unsafe_code, reason = "names of functions that are called from outside")]

use std::cell::RefCell;

use crate::BrowserTables;

/// The state between two calls.
#[derive(Default)]
struct Door {
    request: Vec<u8>,
    answer: String,
    tables: BrowserTables,
}

thread_local! {
    static DOOR: RefCell<Door> = RefCell::default();
}

/// Allocates a buffer for a request of this many bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    DOOR.with_borrow_mut(|door| {
        door.request.clear();
        door.request.resize(bytes, 0);
        door.request.as_mut_ptr()
    })
}

/// Answers the request in the buffer, and returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    DOOR.with_borrow_mut(|door| {
        let Door { request, answer, tables } = door;
        *answer =
            tables.answer(&String::from_utf8_lossy(request), &|done, total| tell(done as f64, total as f64));
        answer.len()
    })
}

/// Opens the bytes in the buffer as a table, and returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    DOOR.with_borrow_mut(|door| {
        let Door { request, answer, tables } = door;
        *answer = tables.open(std::mem::take(request));
        answer.len()
    })
}

/// Returns the address of the answer, valid until the next request.
#[unsafe(no_mangle)]
pub extern "C" fn said() -> *const u8 {
    DOOR.with_borrow(|door| door.answer.as_ptr())
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Reports the progress of solving to the page.
    safe fn tell(done: f64, total: f64);
}

#[cfg(not(target_family = "wasm"))]
fn tell(_: f64, _: f64) {}
