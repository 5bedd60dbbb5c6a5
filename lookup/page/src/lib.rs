//! Bundles the page's sources, many modules and style sheets, into the few files that a browser loads.
//!
//! [`Sources`] are the files of a folder. [`Sources::make`] puts the script that `index.html` names and all modules that it
//! imports into one file, and the style sheets that `index.html` links into another. Every file has a hash of its content in its name, so
//! that a browser may cache it for ever: [`Files`] maps the names. A module that is loaded with `import("./texts/de.js")` remains a
//! separate file, and must use no others. [`Files::in_one`] makes a page that is a single file instead, with all others embedded as `data:` addresses.
//!
//! The bundler supports a part of the language. Anything else is an error with its place, and never a broken page:
//! named imports and `import * as`, from `"./name.js"`, without cycles; exports where a constant, a function or a class is declared;
//! `import()` of a plain string; `import.meta` in `new URL("name", import.meta.url)` only, for an existing file. In return the build
//! needs no JavaScript tools, and the bundler is small. The type checker has to ensure the rest: that no function or class that
//! is exported is reassigned (its importers would keep the old one), and that `x.name` of `import * as x` exists.
//!
//! ```
//! use bouton_page::{Files, Sources};
//!
//! let mut sources = Sources::default();
//! sources.put("index.html", r#"<script type="module" src="page/main.js"></script>"#);
//! sources.put("main.js", "import { hello } from \"./hello.js\";\nhello();\n");
//! sources.put("hello.js", "export const hello = () => console.log(\"hello\");\n");
//! let mut files = Files::default();
//! let index = sources.make(&mut files)?;
//! let [script] = files.all() else { panic!("one file") };
//! assert!(index.contains(&script.name));
//! # Ok::<(), bouton_page::Error>(())
//! ```
//!
//! # Errors
//!
//! [`Error`]: a source cannot be read, or uses unsupported syntax; with its file and line.

mod bundle;
mod files;
mod html;
mod module;
mod sources;
mod style;
mod tokens;

pub use files::{EmbedFile, File, Files};
pub use sources::Sources;

/// An error in a source: file, line, and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct Error {
    file: String,
    line: usize,
    what: String,
}

impl Error {
    fn new(file: &str, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, what: what.into() }
    }
}
