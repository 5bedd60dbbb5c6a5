//! Files under names by content, or each inside of those that name it.

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
    /// The address that has a file in itself, if they are not to be apart.
    whole: Option<WholeAddress>,
}

/// Makes an address that has a whole file in itself, as `data:text/plain,hello`, from the name of the file in the sources and what it
/// contains. It stands in quotes in JavaScript and in HTML.
pub type WholeAddress = fn(&str, &[u8]) -> String;

/// The digits of a digest that are in a name.
const DIGITS: usize = 16;

impl Files {
    /// Files that become part of those that name them, so that the page is a single file at the end.
    #[must_use]
    pub fn in_one(whole: WholeAddress) -> Self {
        Self { whole: Some(whole), ..Self::default() }
    }

    /// Adds a file, and gives the name by content for `name`. Folders become a part of it: `texts/de.js` is
    /// `texts-de-0123456789abcdef.js`. Where files become part of others, it gives the address.
    pub fn put(&mut self, name: &str, bytes: Vec<u8>) -> String {
        if let Some(whole) = self.whole {
            let address = whole(name, &bytes);
            self.names.insert(name.to_owned(), address.clone());
            return address;
        }
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
    /// and were added before, get their names by content, or their addresses.
    ///
    /// # Errors
    /// If it imports or loads others, names a file that was not added, or has what modules of the page may not have.
    pub fn put_module(&mut self, name: &str, source: &str) -> Result<String, Error> {
        let code = Module::read(name, source, self)?.alone(name)?;
        Ok(self.put(name, code.into_bytes()))
    }

    /// All files apart, in the order in which they were added.
    #[must_use]
    pub fn all(&self) -> &[File] {
        &self.all
    }

    /// The name by content of a file that sources name so, or its address.
    #[must_use]
    pub fn name_of(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    /// How a module of the same folder loads a file that sources name so.
    pub(crate) fn loaded_as(&self, name: &str) -> Option<String> {
        let folder = if self.whole.is_some() { "" } else { "./" };
        self.name_of(name).map(|name| format!("{folder}{name}"))
    }

    /// A text in which files have their names by content, or their addresses, wherever one is in quotes and below `page/`.
    ///
    /// # Errors
    /// If there is no such file; `file` is the text's own name.
    pub fn named(&self, file: &str, text: &str) -> Result<String, Error> {
        let folder = if self.whole.is_some() { "" } else { "page/" };
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
                named.push_str(&format!("\"{folder}{known}\"{rest}"));
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
    fn files_that_become_part_of_others_stand_where_they_are_named() {
        let mut files = Files::in_one(|name, bytes| format!("data:{name},{}", bytes.len()));
        assert_eq!(files.put("icon.svg", b"<svg/>".to_vec()), "data:icon.svg,6");
        assert_eq!(
            files.named("x.html", "<img src=\"page/icon.svg\" />").unwrap(),
            "<img src=\"data:icon.svg,6\" />"
        );
        let worker = files.put_module("worker.js", "f(new URL(\"icon.svg\", import.meta.url));\n").unwrap();
        assert_eq!(
            worker,
            format!("data:worker.js,{}", "f(new URL(\"data:icon.svg,6\", import.meta.url));\n".len())
        );
        assert_eq!(files.loaded_as("worker.js"), Some(worker));
        assert_eq!(files.all(), &[]);
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
