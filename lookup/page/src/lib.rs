//! Bundles the page's sources, many modules and style sheets, into the few files that a browser loads.
//!
//! [`Sources`] are the files of a folder. [`Sources::bundle`] puts `main.js` and all modules that it imports into one
//! file, and the style sheets that `main.css` imports into another. `index.html` names both. In a style sheet
//! `url("icons.svg")` names a picture. Every file except `index.html` has a hash of its content in its name, so that a
//! browser may cache it for ever: [`Files`] maps the names in the sources to the hashed names. A module that is loaded
//! with `import("./texts/de.js")` remains a separate file, and must not import others. With [`Files::embedded`] the page
//! becomes a single file: the script is inside, and all other files are `data:` addresses.
//!
//! The build needs no JavaScript tools: tree-sitter parses the modules. The bundler supports only a part of the language:
//! named imports and `import * as`, from `"./name.js"`, without cycles; `export` before the declaration of a constant,
//! a function or a class; `import()` of a plain string; and `new URL("name", import.meta.url)` of an existing file, the
//! only use of `import.meta`. Anything else is an error with file and line, and never a broken page. The type checker
//! must ensure the rest: that no exported function or class is reassigned (its importers would keep the old one), and
//! that `x.name` of `import * as x` exists.
//!
//! ```
//! use bouton_page::{Files, Sources};
//!
//! let mut sources = Sources::default();
//! sources.insert("index.html", r#"<script type="module" src="page/main.js"></script>"#);
//! sources.insert("main.css", "");
//! sources.insert("main.js", "import { hello } from \"./hello.js\";\nhello();\n");
//! sources.insert("hello.js", "export const hello = () => console.log(\"hello\");\n");
//! let mut files = Files::default();
//! let index = sources.bundle(&mut files)?;
//! let [_, script] = files.all() else { panic!("two files") };
//! assert!(index.contains(&script.name));
//! # Ok::<(), bouton_page::Error>(())
//! ```
//!
//! # Errors
//!
//! [`Error`]: a source cannot be read, or uses unsupported syntax; with its file and line.

mod bundle;
mod files;
mod module;
mod sources;
mod style;

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
