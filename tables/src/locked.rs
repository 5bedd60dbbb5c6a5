//! A file that no other program uses meanwhile.

use std::fs::{File, TryLockError};
use std::ops::Deref;

/// An open file with a lock on it, which ends when this is dropped.
///
/// A lock on a file lasts until all copies of its descriptor are closed. A process that another thread has just forked holds one
/// until it runs its own program, or for ever if it runs none (`multiprocessing` of Python): closing the file is not enough, and
/// the lock is taken off by hand.
#[derive(Debug)]
pub struct Locked {
    file: File,
    is_locked: bool,
}

impl Locked {
    /// Locks a file, unless somebody else has it. Where files cannot be locked, nobody else can be found out.
    #[must_use]
    pub fn unless_in_use(file: File) -> Option<Self> {
        match file.try_lock() {
            Ok(()) => Some(Self { file, is_locked: true }),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(_)) => Some(Self { file, is_locked: false }),
        }
    }

    /// Whether there is a lock, so that nobody else uses the file for certain.
    #[must_use]
    pub const fn is_locked(&self) -> bool {
        self.is_locked
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        if self.is_locked {
            // If it fails, it ends with the last copy of the descriptor.
            _ = self.file.unlock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_with_its_owner_even_where_a_forked_process_has_the_file_open() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("lock");
        let open = || File::options().create(true).append(true).open(&path).unwrap();
        let locked = Locked::unless_in_use(open()).unwrap();
        assert!(locked.is_locked());
        // What a fork copies.
        let copy = locked.try_clone().unwrap();
        assert!(Locked::unless_in_use(open()).is_none());
        drop(locked);
        assert!(Locked::unless_in_use(open()).is_some());
        drop(copy);
    }
}
