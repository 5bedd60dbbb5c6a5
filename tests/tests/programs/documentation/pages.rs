//! The pages: the README, and the book in docs/.

use std::fs;
use std::path::PathBuf;

use bouton_tests::programs::workspace;

use super::blocks::{Block, blocks};

/// A page.
#[derive(Debug)]
pub(crate) struct Page {
    /// The path.
    pub(crate) path: PathBuf,
    /// The text.
    pub(crate) text: String,
}

impl Page {
    /// Returns the page's blocks of code.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let path = self.path.strip_prefix(workspace()).expect("pages are in the workspace");
        blocks(&path.display().to_string(), &self.text)
    }

    /// Returns the page's name in the book, if it is a page of the book.
    pub(crate) fn in_book(&self) -> Option<String> {
        let name = self.path.strip_prefix(workspace().join("docs")).ok()?;
        Some(name.display().to_string())
    }
}

/// Returns all pages.
pub(crate) fn pages() -> Vec<Page> {
    let book = fs::read_dir(workspace().join("docs")).expect("the book is there");
    let mut paths: Vec<PathBuf> = book
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.push(workspace().join("README.md"));
    paths.sort();
    let read = |path: PathBuf| Page { text: fs::read_to_string(&path).expect("pages are UTF-8"), path };
    paths.into_iter().map(read).collect()
}
