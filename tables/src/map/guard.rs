//! A memory map whose reads never end the program, whatever happens to the file.
//!
//! Reading a page of a map whose file was truncated, or whose disk fails, raises SIGBUS, which ends a program. The
//! handler in this module replaces the whole map by zeros, marks it as lost, and lets the thread continue. The bytes
//! read are then wrong, and bytes read earlier may be wrong, too. So a reader must ask afterwards if the map is intact;
//! `Map::is_intact` states the limits of this check. Any other fault goes to the previous handler.

#![allow(unsafe_code)]

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::SeqCst};
use std::{io, mem, ptr};

use libc::{c_int, c_void, siginfo_t};

/// Maximum number of maps that are guarded at once. The handler must not allocate, so the slots are static.
const MAX_MAPS: usize = 1024;

static SLOTS: [Slot; MAX_MAPS] = [const { Slot::new() }; MAX_MAPS];

/// A place for one guarded range of memory.
#[derive(Debug)]
struct Slot {
    /// True while a map uses the slot.
    is_taken: AtomicBool,
    /// Address of the range.
    start: AtomicUsize,
    /// Length of the range; 0 while the slot guards nothing.
    len: AtomicUsize,
    /// True if the handler has replaced the map by zeros.
    is_lost: AtomicBool,
}

impl Slot {
    const fn new() -> Self {
        Self {
            is_taken: AtomicBool::new(false),
            start: AtomicUsize::new(0),
            len: AtomicUsize::new(0),
            is_lost: AtomicBool::new(false),
        }
    }

    /// Takes a free slot for a range; `None` if all are taken.
    fn take(start: usize, len: usize) -> Option<&'static Self> {
        let slot = SLOTS.iter().find(|slot| !slot.is_taken.swap(true, SeqCst))?;
        slot.is_lost.store(false, SeqCst);
        slot.start.store(start, SeqCst);
        slot.len.store(len, SeqCst);
        Some(slot)
    }

    /// Returns the start and length of the range, if an address lies in it.
    fn range_with(&self, address: usize) -> Option<(usize, usize)> {
        let (start, len) = (self.start.load(SeqCst), self.len.load(SeqCst));
        // Read both again: they must belong to the same map, and between two maps the length is 0.
        let is_same_map = self.start.load(SeqCst) == start && self.len.load(SeqCst) == len;
        (is_same_map && address.wrapping_sub(start) < len).then_some((start, len))
    }

    /// Frees the slot. Nobody may read the range any more.
    fn free(&self) {
        self.len.store(0, SeqCst);
        self.is_taken.store(false, SeqCst);
    }
}

/// The properties of a file that change when a program writes to it: its length, and the seconds and nanoseconds of the
/// last modification.
type WriteStamp = (u64, i64, i64);

fn stamp(metadata: &Metadata) -> WriteStamp {
    (metadata.len(), metadata.mtime(), metadata.mtime_nsec())
}

#[derive(Debug)]
pub(super) struct Guarded {
    map: memmap2::Mmap,
    slot: &'static Slot,
    file: File,
    /// The stamp of the file when it was mapped.
    stamp: WriteStamp,
}

impl Guarded {
    pub(super) fn new(file: File, metadata: &Metadata) -> io::Result<Self> {
        install();
        // SAFETY: the map is only read, as bytes, for which every pattern is valid, and all values computed from them
        // are range-checked. If the file is truncated, the handler below replaces the map; if it is written to,
        // `is_intact` reports it.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        let slot = Slot::take(map.as_ptr() as usize, map.len()).ok_or_else(|| {
            io::Error::other(format!("more than {MAX_MAPS} large files would be mapped at once"))
        })?;
        Ok(Self { map, slot, file, stamp: stamp(metadata) })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    pub(super) fn is_intact(&self) -> bool {
        // A fault during a read comes before this check on the same thread, so its mark is seen.
        !self.slot.is_lost.load(SeqCst)
            && self.file.metadata().is_ok_and(|metadata| stamp(&metadata) == self.stamp)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // Free the slot before the field `map` is dropped, which unmaps the range: another map may then get the range.
        self.slot.free();
    }
}

/// The previous action for SIGBUS.
static BEFORE: AtomicPtr<libc::sigaction> = AtomicPtr::new(ptr::null_mut());

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: a sigaction of zeros is valid, and its fields are set below. The handler uses atomics and system
        // calls only, which are allowed in a signal handler. Its data is stored before it can run, and never freed.
        unsafe {
            let mut before: libc::sigaction = mem::zeroed();
            libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut before);
            BEFORE.store(Box::into_raw(Box::new(before)), SeqCst);
            let mut ours: libc::sigaction = mem::zeroed();
            ours.sa_sigaction = on_bus_error as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut ours.sa_mask);
            libc::sigaction(libc::SIGBUS, &raw const ours, ptr::null_mut());
        }
    });
}

extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: with SA_SIGINFO the system passes a valid `info`. A signal of a fault, not of a program, has an address.
    let address = unsafe { ((*info).si_code > 0).then(|| (*info).si_addr() as usize) };
    let range = |slot: &'static Slot| Some((slot, slot.range_with(address?)?));
    match SLOTS.iter().find_map(range) {
        Some((slot, (start, len))) if replace_by_zeros(slot, start, len) => {}
        _ => pass_on(signal, info, context),
    }
}

/// Replaces a map by zeros. Returns true on success.
fn replace_by_zeros(slot: &Slot, start: usize, len: usize) -> bool {
    // Mark first, so that no thread sees zeros in a map that counts as intact.
    slot.is_lost.store(true, SeqCst);
    // SAFETY: the range belongs to a live map, since the faulting thread is reading it. Present and later readers get
    // bytes, of the file or zeros. The system's error number is restored for the interrupted code.
    unsafe {
        let error = *libc::__errno_location();
        let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let zeros = libc::mmap(start as *mut c_void, len, libc::PROT_READ, flags, -1, 0);
        *libc::__errno_location() = error;
        zeros != libc::MAP_FAILED
    }
}

/// Handles a fault as the process would without this module.
fn pass_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the action was stored before this handler was installed. If it is a handler, call it as the system
    // would; if not, restore it, and the fault recurs when this handler returns.
    unsafe {
        let before = &*BEFORE.load(SeqCst);
        match before.sa_sigaction {
            libc::SIG_DFL | libc::SIG_IGN => {
                libc::sigaction(signal, before, ptr::null_mut());
            }
            handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
                let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = mem::transmute(handler);
                handler(signal, info, context);
            }
            handler => {
                let handler: extern "C" fn(c_int) = mem::transmute(handler);
                handler(signal);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    use std::path::PathBuf;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::Map;

    fn file_of(bytes: usize) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, vec![7_u8; bytes]).unwrap();
        (folder, path)
    }

    fn sum(map: &Map) -> usize {
        map.as_ref().iter().map(|&byte| usize::from(byte)).sum()
    }

    #[test]
    fn a_range_has_its_own_addresses_and_no_others() {
        let slot = Slot::new();
        assert_eq!(slot.range_with(0), None);
        slot.start.store(1000, SeqCst);
        slot.len.store(10, SeqCst);
        for (address, there) in [(0, false), (999, false), (1000, true), (1009, true), (1010, false)] {
            assert_eq!(slot.range_with(address).is_some(), there, "{address}");
        }
    }

    #[test]
    fn a_truncated_file_reads_as_zeros_and_is_not_intact() {
        for left in [0, 1, 5000, 1 << 20] {
            let (_folder, path) = file_of(3 << 20);
            let map = Map::guarded(&path, 0).unwrap();
            assert!(sum(&map) == 7 * (3 << 20) && map.is_intact());
            std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(left).unwrap();
            assert!(sum(&map) < 7 * (3 << 20));
            assert!(!map.is_intact());
            assert_eq!(map.as_ref()[0], 0, "the whole map reads as zeros");
        }
    }

    #[test]
    fn several_threads_survive_the_loss_of_the_same_file() {
        let (_folder, path) = file_of(8 << 20);
        let map = Map::guarded(&path, 0).unwrap();
        std::fs::write(&path, b"").unwrap();
        std::thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| assert_eq!(sum(&map), 0));
            }
        });
        assert!(!map.is_intact());
    }

    #[test]
    fn a_file_written_to_in_place_is_no_longer_intact() {
        let (_folder, path) = file_of(1 << 20);
        let map = Map::guarded(&path, 0).unwrap();
        // File times are no finer than the system's ticks.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.write_all(b"x").unwrap();
        assert!(!map.is_intact());
    }

    extern "C" fn plain_handler(signal: c_int) {
        // SAFETY: the handler ends the process at once.
        unsafe { libc::_exit(if signal == libc::SIGBUS { 41 } else { 1 }) }
    }

    extern "C" fn siginfo_handler(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
        // SAFETY: with SA_SIGINFO the system passes a valid `info`; the handler ends the process at once.
        unsafe { libc::_exit(if signal == libc::SIGBUS && (*info).si_signo == signal { 42 } else { 1 }) }
    }

    /// Reads a truncated part of an unguarded file, in a process that guards another file.
    fn fault(handler: usize, flags: c_int) {
        // SAFETY: as in `install`.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            (action.sa_sigaction, action.sa_flags) = (handler, flags);
            libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut());
        }
        let (_guarded, path) = file_of(1 << 20);
        let map = Map::guarded(&path, 0).unwrap();
        let (_other, path) = file_of(1 << 20);
        let other = Map::open(&path).unwrap();
        std::fs::write(&path, b"").unwrap();
        assert_eq!(
            (sum(&map), sum(&other)),
            (7 << 20, 0),
            "the process should end before it has the second sum"
        );
    }

    const FAULT: &str = "BOUTON_TEST_FAULT";

    /// The test runs itself once more for each kind of previous handler.
    #[test]
    fn a_fault_outside_of_all_guarded_maps_goes_to_the_previous_handler() {
        let handlers = [
            ("none", libc::SIG_DFL, 0, None),
            ("plain", plain_handler as extern "C" fn(c_int) as usize, 0, Some(41)),
            (
                "siginfo",
                siginfo_handler as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize,
                libc::SA_SIGINFO,
                Some(42),
            ),
        ];
        if let Ok(chosen) = std::env::var(FAULT) {
            let (_, handler, flags, _) = handlers.into_iter().find(|(name, ..)| *name == chosen).unwrap();
            return fault(handler, flags);
        }
        let own = "map::guard::tests::a_fault_outside_of_all_guarded_maps_goes_to_the_previous_handler";
        for (name, _, _, status) in handlers {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", own, "--test-threads", "1"]).env(FAULT, name);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let mut ended = None;
            for _ in 0..1000 {
                ended = child.try_wait().unwrap();
                if ended.is_some() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            let Some(ended) = ended else {
                child.kill().unwrap();
                panic!("{name}: the process does not end");
            };
            let signal = status.is_none().then_some(libc::SIGBUS);
            assert_eq!((ended.code(), ended.signal()), (status, signal), "{name}");
        }
    }

    #[test]
    fn a_file_replaced_by_renaming_leaves_its_map_alone() {
        let (folder, path) = file_of(1 << 20);
        let map = Map::guarded(&path, 0).unwrap();
        let new = folder.path().join("new");
        std::fs::write(&new, b"new").unwrap();
        std::fs::rename(&new, &path).unwrap();
        assert!(sum(&map) == 7 << 20 && map.is_intact());
        std::fs::remove_file(&path).unwrap();
        assert!(sum(&map) == 7 << 20 && map.is_intact());
    }

    #[test]
    fn the_slots_of_dropped_maps_are_used_again() {
        let (_folder, path) = file_of(1 << 12);
        for _ in 0..3 * super::MAX_MAPS {
            drop(Map::guarded(&path, 0).unwrap());
        }
        let all: Vec<Map> = (0..super::MAX_MAPS - 64).map(|_| Map::guarded(&path, 0).unwrap()).collect();
        assert!(all.iter().all(Map::is_intact));
    }
}
