//! The files of the page: with a hash of their content in the name, or embedded in the files that refer to them.

use std::collections::BTreeMap;

use crate::Error;

/// A file that a browser loads. Its content never changes under this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Name of the file, for example `main-0123456789abcdef.js`.
    pub name: String,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// The files that browsers load, by their names in the sources.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The separate files; none if files are embedded.
    all: Vec<File>,
    /// The hashed name or the address of each file, by its name in the sources.
    names: BTreeMap<String, String>,
    /// Makes the address that embeds a file; `None` if the files are separate.
    embed: Option<EmbedFile>,
    /// The script inside the page; `None` if it is a separate file.
    pub(crate) inline_script: Option<String>,
}

/// Makes an address that embeds a file, such as `data:text/plain,hello`, from the file's name in the sources and its
/// content. The address must be valid inside quotes in JavaScript and in HTML.
pub type EmbedFile = fn(&str, &[u8]) -> String;

/// Digits of the digest in a name.
const DIGITS: usize = 16;

impl Files {
    /// Returns an empty list. It embeds each added file in the files that refer to it, and the script in the page, so that
    /// the page is a single file.
    #[must_use]
    pub fn embedded(embed: EmbedFile) -> Self {
        Self { embed: Some(embed), ..Self::default() }
    }

    /// Adds a file, and returns its hashed name, in which folders become part of the name: `texts/de.js` becomes
    /// `texts-de-0123456789abcdef.js`. If files are embedded, returns the address.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) -> String {
        if let Some(embed) = self.embed {
            let address = embed(name, &bytes);
            self.names.insert(name.to_owned(), address.clone());
            return address;
        }
        let digest = &blake3::hash(&bytes).to_hex()[..DIGITS];
        let flat = name.replace('/', "-");
        let hashed = match flat.rsplit_once('.') {
            Some((stem, ending)) => format!("{stem}-{digest}.{ending}"),
            None => format!("{flat}-{digest}"),
        };
        self.names.insert(name.to_owned(), hashed.clone());
        self.all.push(File { name: hashed.clone(), bytes });
        hashed
    }

    /// Reports whether the page is a single file.
    pub(crate) fn are_embedded(&self) -> bool {
        self.embed.is_some()
    }

    /// Returns the script inside the page; `None` if it is a separate file, or the page was not bundled yet.
    #[must_use]
    pub fn inline_script(&self) -> Option<&str> {
        self.inline_script.as_deref()
    }

    /// Returns all separate files, in the order of their addition.
    #[must_use]
    pub fn all(&self) -> &[File] {
        &self.all
    }

    /// Returns the hashed name, or the address, of a file by its name in the sources.
    #[must_use]
    pub fn name_of(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    /// Returns the address of a file as other files of the page write it. `name` is the name in the sources.
    pub(crate) fn address(&self, name: &str) -> Option<String> {
        let folder = if self.are_embedded() { "" } else { "./" };
        self.name_of(name).map(|name| format!("{folder}{name}"))
    }

    /// Replaces every quoted `"page/NAME"` in a text by the hashed name or the address of the file.
    ///
    /// # Errors
    /// If a file is missing. `file` is the name of the text, for the error.
    pub fn with_names(&self, file: &str, text: &str) -> Result<String, Error> {
        let folder = if self.are_embedded() { "" } else { "page/" };
        let mut named = String::with_capacity(text.len());
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let mut parts = line.split("\"page/");
            named.push_str(parts.next().unwrap_or_default());
            for part in parts {
                let (name, rest) = part.split_once('"').unwrap_or((part, ""));
                let Some(hashed) = self.name_of(name) else {
                    let what = format!("there is no file '{name}' in the page's folder");
                    return Err(Error::new(file, number + 1, what));
                };
                named.push_str(&format!("\"{folder}{hashed}\"{rest}"));
            }
        }
        Ok(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hashed_name_depends_on_the_name_and_the_content_only() {
        let name = |bytes: &[u8]| Files::default().add("texts/de.js", bytes.to_vec());
        assert_eq!(name(b"a"), name(b"a"));
        assert_ne!(name(b"a"), name(b"b"));
        let name = name(b"a");
        assert!(name.starts_with("texts-de-") && name.ends_with(".js"), "{name}");
    }

    #[test]
    fn embedded_files_replace_their_names() {
        let mut files = Files::embedded(|name, bytes| format!("data:{name},{}", bytes.len()));
        assert_eq!(files.add("icon.svg", b"<svg/>".to_vec()), "data:icon.svg,6");
        assert_eq!(
            files.with_names("x.html", "<img src=\"page/icon.svg\" />").unwrap(),
            "<img src=\"data:icon.svg,6\" />"
        );
        let worker = files.add_module("worker.js", "f(new URL(\"icon.svg\", import.meta.url));\n").unwrap();
        assert_eq!(
            worker,
            format!("data:worker.js,{}", "f(new URL(\"data:icon.svg,6\", import.meta.url));\n".len())
        );
        assert_eq!(files.address("worker.js"), Some(worker));
        assert_eq!(files.all(), &[]);
    }

    #[test]
    fn names_in_a_text_become_hashed_names_and_unknown_ones_are_refused() {
        let mut files = Files::default();
        let icon = files.add("icon.svg", b"<svg/>".to_vec());
        let text = "<img src=\"page/icon.svg\" />\n<a href=\"other/page/x\"></a>\n";
        assert_eq!(files.with_names("x.html", text).unwrap(), text.replace("icon.svg", &icon));
        let error = files.with_names("x.html", "\n<img src=\"page/no.svg\" />").unwrap_err();
        assert_eq!(error.to_string(), "x.html:2: there is no file 'no.svg' in the page's folder");
    }
}
