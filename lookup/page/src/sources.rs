//! The sources of the page, and their conversion into files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use crate::bundle::Bundler;
use crate::files::Files;
use crate::{Error, style};

/// The page.
const INDEX: &str = "index.html";
/// The main module, which imports all others that belong to the script.
const SCRIPT: &str = "main.js";
/// The style sheet, which imports all others.
const STYLE: &str = "main.css";
/// How the source of the page loads the script.
const SCRIPT_TAG: &str = "<script type=\"module\" src=\"page/main.js\">";
/// How a script inside the page begins.
const INLINE_TAG: &str = "<script type=\"module\">";

/// The source files, by their paths in the folder, such as `texts/de.js`.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<String, Vec<u8>>);

impl Sources {
    /// Reads all files of a folder and its subfolders, except those whose names begin with a dot.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut sources = Self::default();
        sources.read_folder(folder, "")?;
        Ok(sources)
    }

    /// Adds the files of a folder. Their names get the prefix `prefix`: the folder's path, such as `texts/`, or nothing.
    fn read_folder(&mut self, folder: &Path, prefix: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().into_string();
            let name = name.map_err(|name| io::Error::other(format!("the name {name:?} is not UTF-8")))?;
            if name.starts_with('.') {
                continue;
            }
            let (path, name) = (entry.path(), format!("{prefix}{name}"));
            if entry.file_type()?.is_dir() {
                self.read_folder(&path, &format!("{name}/"))?;
            } else {
                self.0.insert(name, fs::read(&path)?);
            }
        }
        Ok(())
    }

    /// Adds a file, or replaces the one of that name.
    pub fn insert(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        self.0.insert(name.to_owned(), text.into());
    }

    /// Adds the files that browsers load to `files`, and returns the page, which links to them or contains them.
    ///
    /// # Errors
    /// If a source is not UTF-8, uses unsupported syntax, or names a missing file or export; if modules import each
    /// other in a circle; if a module or style sheet is not used; if the script cannot be inside the page.
    pub fn bundle(&self, files: &mut Files) -> Result<String, Error> {
        let mut texts = BTreeMap::new();
        for (name, bytes) in &self.0 {
            if [".css", ".html", ".js"].iter().any(|ending| name.ends_with(ending)) {
                texts.insert(name.as_str(), text(name, bytes)?);
            } else {
                files.add(name, bytes.clone());
            }
        }
        let text = |place: (&str, usize), name: &str| {
            let missing = || Error::new(place.0, place.1, format!("the page's folder has no file '{name}'"));
            texts.get(name).copied().ok_or_else(missing)
        };
        let mut style_sheet = String::new();
        let sheets = style::imports(STYLE, text((INDEX, 1), STYLE)?)?;
        for (number, name) in sheets.iter().enumerate() {
            let source = text((STYLE, number + 1), name)?;
            style_sheet.push_str(&style::read(name, source, |name| files.address(name))?);
        }
        files.add(STYLE, style_sheet.into_bytes());
        let mut bundler = Bundler::new(&texts, files);
        bundler.add((INDEX, 1), SCRIPT)?;
        let (script, modules) = bundler.script()?;
        let used =
            |name: &str| modules.contains(&name) || sheets.contains(&name) || files.name_of(name).is_some();
        if let Some(unused) = texts.keys().find(|name| **name != INDEX && !used(name)) {
            let what =
                format!("{SCRIPT} and {STYLE} do not import it: import it, directly or not, or delete it");
            return Err(Error::new(unused, 1, what));
        }
        let page = text((INDEX, 1), INDEX)?;
        if !files.are_embedded() {
            files.add(SCRIPT, script.into_bytes());
            return files.with_names(INDEX, page);
        }
        // Not at a `data:` address: Chromium takes seconds for each module that a script of a megabyte imports from there.
        let page = files.with_names(INDEX, &page.replace(SCRIPT_TAG, INLINE_TAG))?;
        let page = with_inline_script(&page, &script)?;
        files.inline_script = Some(script);
        Ok(page)
    }
}

/// Inserts the script after the tag for it.
fn with_inline_script(page: &str, script: &str) -> Result<String, Error> {
    // HTML would end the script at these.
    let lower = script.to_ascii_lowercase();
    if let Some(found) = ["</script", "<!--"].into_iter().find(|&text| lower.contains(text)) {
        let what = format!("the script contains {found}, which ends a script inside a page; split the text");
        return Err(Error::new(SCRIPT, 1, what));
    }
    match page.matches(INLINE_TAG).count() {
        1 => Ok(page.replace(INLINE_TAG, &format!("{INLINE_TAG}{script}"))),
        found => Err(Error::new(INDEX, 1, format!("it contains {SCRIPT_TAG} {found} times, expected once"))),
    }
}

fn text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Error> {
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::new(name, line, "it is not UTF-8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::LOADER;

    const PAGE: &str = "<link rel=\"stylesheet\" href=\"page/main.css\" />\n<script type=\"module\" src=\"page/main.js\"></script>\n";

    fn sources(files: &[(&str, &str)]) -> Sources {
        let mut sources = Sources::default();
        sources.insert(INDEX, PAGE);
        sources.insert(STYLE, "@import \"a.css\";\n");
        sources.insert("a.css", "a {\n}\n");
        files.iter().for_each(|(name, text)| sources.insert(name, *text));
        sources
    }

    #[test]
    fn modules_come_after_their_imports() {
        let sources = sources(&[
            (
                "main.js",
                "import * as b from \"./b.js\";\nimport { c as d } from \"./c.js\";\nd(b.n, import(\"./texts/x.js\"));\n",
            ),
            ("b.js", "import { c } from \"./c.js\";\nexport const n = c();\n"),
            ("c.js", "export const c = () => 1;\n"),
            ("texts/x.js", "// why\nexport const hello = \"Hallo\";\n"),
        ]);
        let mut files = Files::default();
        let page = sources.bundle(&mut files).unwrap();
        let file = |name: &str| {
            let name = files.name_of(name).unwrap();
            let file = files.all().iter().find(|file| file.name == name).unwrap();
            std::str::from_utf8(&file.bytes).unwrap()
        };
        let text = files.name_of("texts/x.js").unwrap();
        assert_eq!(
            file("main.js"),
            LOADER.to_owned()
                + &"let $0;\n{\nconst c = () => 1;\n$0 = { c };\n}\n\
                 let $1;\n{\nconst { c: c } = $0;\nconst n = c();\n$1 = { n };\n}\n\
                 let $2;\n{\nconst b = $1;\nconst { c: d } = $0;\nd(b.n, $load(\"./@text\"));\n$2 = {  };\n}\n"
                .replace("@text", text)
        );
        assert_eq!(file("texts/x.js"), " \nconst hello = \"Hallo\";\n\nexport { hello };\n");
        for name in ["main.css", "main.js"] {
            assert!(page.contains(&format!("\"page/{}\"", files.name_of(name).unwrap())), "{page}");
        }
        assert_eq!(files.all().len(), 3);
    }

    #[test]
    fn the_script_of_a_single_file_is_inside_the_page() {
        let bundle = |page: &str, script: &str| {
            let mut sources = sources(&[("main.js", script)]);
            sources.insert(INDEX, page);
            let mut files = Files::embedded(|name, _| format!("data:{name}"));
            sources.bundle(&mut files).map(|page| (page, files))
        };
        let (page, files) = bundle(PAGE, "f(\"page/main.js\");\n").unwrap();
        let script = files.inline_script().unwrap();
        assert_eq!(script, "let $0;\n{\nf(\"page/main.js\");\n$0 = {  };\n}\n");
        assert_eq!(
            page,
            PAGE.replace("page/main.css", "data:main.css")
                .replace(" src=\"page/main.js\">", &format!(">{script}"))
        );
        for text in ["</SCRIPT", "<!--"] {
            let error = bundle(PAGE, &format!("f(\"{text}\");\n")).unwrap_err().to_string();
            assert!(error.starts_with("main.js:1: the script contains"), "{error}");
        }
        let error = bundle(&PAGE.repeat(2), "f();\n").unwrap_err().to_string();
        assert!(error.contains("2 times, expected once"), "{error}");
    }

    #[test]
    fn a_module_without_exports_can_be_imported() {
        let sources = sources(&[("main.js", "import * as a from \"./a.js\";\n"), ("a.js", "f();\n")]);
        let mut files = Files::default();
        sources.bundle(&mut files).unwrap();
        let name = files.name_of("main.js").unwrap();
        let script = &files.all().iter().find(|file| file.name == name).unwrap().bytes;
        assert_eq!(
            std::str::from_utf8(script).unwrap(),
            "let $0;\n{\nf();\n$0 = {  };\n}\nlet $1;\n{\nconst a = $0;\n\n$1 = {  };\n}\n"
        );
    }

    #[test]
    fn sources_that_cannot_be_bundled_are_refused_with_file_and_line() {
        for (files, place, what) in [
            (&[("main.js", "import { a } from \"./a.js\";\n")][..], "main.js:1", "no module 'a.js'"),
            (&[("main.js", ""), ("a.js", "")], "a.js:1", "do not import it"),
            (&[("main.js", ""), ("b.css", "")], "b.css:1", "do not import it"),
            (
                &[("main.js", ""), (STYLE, "@import \"a.css\";\n@import \"b.css\";\n")],
                "main.css:2",
                "no file 'b.css'",
            ),
            (&[("main.js", ""), (STYLE, "@import \"a.css\";\nb {}\n")], "main.css:2", "expected @import"),
            (&[("main.js", "\nimport { b } from \"./b.js\";"), ("b.js", "")], "main.js:2", "not exported"),
            (
                &[
                    ("main.js", "import { b } from \"./b.js\";"),
                    ("b.js", "import { c } from \"./c.js\";\nexport const b = 1;"),
                    ("c.js", "import { b } from \"./b.js\";\nexport const c = 1;"),
                ],
                "c.js:1",
                "b.js imports c.js imports b.js",
            ),
            (&[("main.js", "\nimport(\"./x.js\");")], "main.js:2", "no module 'x.js'"),
            (&[("main.js", "\nimport(\"./main.js\");")], "main.js:2", "uses no others"),
            (
                &[
                    ("main.js", "import { a } from \"./texts/a.js\";\nimport(\"./texts/a.js\");"),
                    ("texts/a.js", "export const a = 1;"),
                ],
                "main.js:2",
                "is imported",
            ),
            (&[("main.js", ""), ("texts/x.js", "")], "texts/x.js:1", "do not import it"),
            (
                &[("main.js", "import(\"./x.js\");"), ("x.js", "\nimport { b } from \"./b.js\";")],
                "x.js:2",
                "uses no others",
            ),
            (
                &[("main.js", "import(\"./x.js\");"), ("x.js", "import(\"./y.js\");"), ("y.js", "")],
                "x.js:1",
                "uses no others",
            ),
            (&[("main.js", "import(\"./x.js\");"), ("x.js", "\nvar a;")], "x.js:2", "'var'"),
            (&[], "index.html:1", "no module 'main.js'"),
        ] {
            let error = sources(files).bundle(&mut Files::default()).unwrap_err().to_string();
            assert!(error.starts_with(place) && error.contains(what), "{error}");
        }
    }
}
