//! Files under names by content.

use std::collections::BTreeMap;

use crate::Error;
use crate::module::Module;

/// A file that a browser loads. What it contains never changes under this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, for example `main-0123456789abcdef.js`.
    pub name: String,
    /// What it contains.
    pub bytes: Vec<u8>,
}

/// Files that browsers load, and how sources name them.
#[derive(Clone, Debug, Default)]
pub struct Files {
    all: Vec<File>,
    names: BTreeMap<String, String>,
}

/// The digits of a digest that are in a name.
const DIGITS: usize = 16;

impl Files {
    /// Adds a file, and gives the name by content for `name`. Folders become a part of it: `texts/de.js` is
    /// `texts-de-0123456789abcdef.js`.
    pub fn put(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let digest = &blake3::hash(&bytes).to_hex()[..DIGITS];
        let flat = name.replace('/', "-");
        let by_content = match flat.rsplit_once('.') {
            Some((stem, ending)) => format!("{stem}-{digest}.{ending}"),
            None => format!("{flat}-{digest}"),
        };
        self.names.insert(name.to_owned(), by_content.clone());
        self.all.push(File { name: by_content.clone(), bytes });
        by_content
    }

    /// Adds a module that is a file of its own, as that of a worker. Files in it that are named by `new URL("name", import.meta.url)`,
    /// and were added before, get their names by content.
    ///
    /// # Errors
    /// If it imports or loads others, names a file that was not added, or has what modules of the page may not have.
    pub fn put_module(&mut self, name: &str, source: &str) -> Result<String, Error> {
        let code = Module::read(name, source, self)?.alone(name)?;
        Ok(self.put(name, code.into_bytes()))
    }

    /// All files, in the order in which they were added.
    #[must_use]
    pub fn all(&self) -> &[File] {
        &self.all
    }

    /// The name by content of a file that sources name so.
    #[must_use]
    pub fn name_of(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    /// A text in which files have their names by content, wherever one is in quotes and below `page/`.
    ///
    /// # Errors
    /// If there is no such file; `file` is the text's own name.
    pub fn named(&self, file: &str, text: &str) -> Result<String, Error> {
        let mut named = String::with_capacity(text.len());
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let mut parts = line.split("\"page/");
            named.push_str(parts.next().unwrap_or_default());
            for part in parts {
                let (name, rest) = part.split_once('"').unwrap_or((part, ""));
                let Some(known) = self.name_of(name) else {
                    return Err(Error::new(
                        file,
                        number + 1,
                        format!("there is no file '{name}' in the page's folder"),
                    ));
                };
                named.push_str(&format!("\"page/{known}\"{rest}"));
            }
        }
        Ok(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_changes_with_the_content_and_with_nothing_else() {
        let name = |bytes: &[u8]| Files::default().put("texts/de.js", bytes.to_vec());
        assert_eq!(name(b"a"), name(b"a"));
        assert_ne!(name(b"a"), name(b"b"));
        let name = name(b"a");
        assert!(name.starts_with("texts-de-") && name.ends_with(".js"), "{name}");
    }

    #[test]
    fn names_in_a_text_become_names_by_content_and_unknown_ones_are_refused() {
        let mut files = Files::default();
        let icon = files.put("icon.svg", b"<svg/>".to_vec());
        let text = "<img src=\"page/icon.svg\" />\n<a href=\"other/page/x\"></a>\n";
        assert_eq!(files.named("x.html", text).unwrap(), text.replace("icon.svg", &icon));
        let error = files.named("x.html", "\n<img src=\"page/no.svg\" />").unwrap_err();
        assert_eq!(error.to_string(), "x.html:2: there is no file 'no.svg' in the page's folder");
    }
}
