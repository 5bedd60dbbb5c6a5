//! The functions that JavaScript calls. A text goes in through [`room`], which says where to write it, and comes out of what
//! [`answer`] and [`said`] tell.
#![allow(unsafe_code, reason = "names of functions that are called from outside")]

use std::cell::RefCell;

use crate::Tables;

#[derive(Default)]
struct Door {
    request: Vec<u8>,
    answer: String,
    tables: Tables,
}

thread_local! {
    static DOOR: RefCell<Door> = RefCell::default();
}

/// Makes room for a request of so many bytes, and says where it is to be written.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    DOOR.with_borrow_mut(|door| {
        door.request.clear();
        door.request.resize(bytes, 0);
        door.request.as_mut_ptr()
    })
}

/// Answers the request, and says how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    DOOR.with_borrow_mut(|door| {
        let Door { request, answer, tables } = door;
        *answer =
            tables.answer(&String::from_utf8_lossy(request), &|done, all| tell(done as f64, all as f64));
        answer.len()
    })
}

/// Where the answer is, until the next request.
#[unsafe(no_mangle)]
pub extern "C" fn said() -> *const u8 {
    DOOR.with_borrow(|door| door.answer.as_ptr())
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Told how far solving is.
    safe fn tell(done: f64, all: f64);
}

#[cfg(not(target_family = "wasm"))]
fn tell(_done: f64, _all: f64) {}
