//! Keeping other programs from a file.

use std::fs::{File, TryLockError};
use std::ops::Deref;

/// An open file with a lock on it, as far as the file system has locks. The lock ends when this is dropped.
///
/// By itself a lock lasts until all copies of the file's descriptor are closed. A process that another thread has just forked holds one
/// until it runs its own program, and to its end if it runs none (`multiprocessing` of Python): closing the file is not enough, and
/// the lock is taken off by hand.
#[derive(Debug)]
pub struct FileLock {
    file: File,
    is_held: bool,
}

impl FileLock {
    /// Locks a file; `None` if another program holds it. Where the file system has no locks, nobody else can be found out, and it
    /// succeeds without one.
    #[must_use]
    pub fn try_new(file: File) -> Option<Self> {
        match file.try_lock() {
            Ok(()) => Some(Self { file, is_held: true }),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(_)) => Some(Self { file, is_held: false }),
        }
    }

    /// Whether there is a lock.
    #[must_use]
    pub const fn is_held(&self) -> bool {
        self.is_held
    }
}

impl Deref for FileLock {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        if self.is_held {
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
        let locked = FileLock::try_new(open()).unwrap();
        assert!(locked.is_held());
        // What a fork copies.
        let copy = locked.try_clone().unwrap();
        assert!(FileLock::try_new(open()).is_none());
        drop(locked);
        assert!(FileLock::try_new(open()).is_some());
        drop(copy);
    }
}
