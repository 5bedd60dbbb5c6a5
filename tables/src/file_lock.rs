//! Advisory locks on files.

use std::fs::{File, TryLockError};
use std::ops::Deref;

/// An open file with an advisory lock, if the file system supports locks. Dropping it releases the lock.
///
/// Closing the file would not be enough: the system keeps a lock until all copies of the descriptor are closed, and a
/// forked process has a copy until it runs its own program, or until it ends (`multiprocessing` of Python).
#[derive(Debug)]
pub struct FileLock {
    file: File,
    is_held: bool,
}

impl FileLock {
    /// Locks a file; `None` if another program has locked it. If the file system has no locks, the file stays unlocked.
    #[must_use]
    pub fn try_new(file: File) -> Option<Self> {
        match file.try_lock() {
            Ok(()) => Some(Self { file, is_held: true }),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(_)) => Some(Self { file, is_held: false }),
        }
    }

    /// Returns true if the file is locked.
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
            // On failure, the lock ends with the last copy of the descriptor.
            _ = self.file.unlock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_a_lock_releases_it_even_if_a_copy_of_the_descriptor_is_open() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("lock");
        let open = || File::options().create(true).append(true).open(&path).unwrap();
        let locked = FileLock::try_new(open()).unwrap();
        assert!(locked.is_held());
        // A copy of the descriptor, as a fork makes one.
        let copy = locked.try_clone().unwrap();
        assert!(FileLock::try_new(open()).is_none());
        drop(locked);
        assert!(FileLock::try_new(open()).is_some());
        drop(copy);
    }
}
