//! One module: what it imports and exports, and its code without the statements that say so.

use crate::Error;
use crate::files::Files;
use crate::tokens::{Kind, Token, tokens};

/// What a module takes from another one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import<'a> {
    /// The other one, as its file is named.
    pub(crate) from: String,
    pub(crate) names: Names<'a>,
    pub(crate) line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Names<'a> {
    /// `* as name`
    All(&'a str),
    /// `{ name, name as other }`, as name and other.
    Some(Vec<(&'a str, &'a str)>),
    /// The same, but exported from here and not used here.
    Passed(Vec<(&'a str, &'a str)>),
}

/// What a module gives.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Export<'a> {
    pub(crate) name: &'a str,
    /// Whether it may change: declared with `let`.
    pub(crate) changes: bool,
    /// If it is passed on: the number of the import, and its name there.
    pub(crate) passed: Option<(usize, &'a str)>,
}

#[derive(Debug)]
pub(crate) struct Module<'a> {
    pub(crate) imports: Vec<Import<'a>>,
    pub(crate) exports: Vec<Export<'a>>,
    /// The code, without comments and indentation. `import(...)` in it is [`LOADER`]`(...)`.
    pub(crate) code: String,
    /// Whether it loads other modules when it runs.
    pub(crate) loads: bool,
}

/// The function of a bundle that does what `import()` does, for names as sources have them.
pub(crate) const LOADER: &str = "$import";

impl<'a> Module<'a> {
    /// Reads a module. Files that it names with `new URL("name", ...)` get the names by content that they have.
    pub(crate) fn read(file: &'a str, source: &'a str, files: &Files) -> Result<Self, Error> {
        let module = Self { imports: Vec::new(), exports: Vec::new(), code: String::new(), loads: false };
        let tokens = tokens(file, source)?;
        let mut reader = Reader { file, files, tokens: &tokens, module };
        while let Some(token) = reader.next() {
            reader.token(token)?;
        }
        Ok(reader.module)
    }
}

/// A script without comments and indentation, in which files that are named with `new URL("name", ...)` have their names by
/// content.
pub(crate) fn script(file: &str, source: &str, files: &Files) -> Result<String, Error> {
    let module = Module::read(file, source, files)?;
    match (module.imports.first(), module.exports.first()) {
        (Some(import), _) => {
            Err(Error::new(file, import.line, "a script apart imports nothing; move this into the page"))
        }
        (_, Some(export)) => {
            Err(Error::new(file, 1, format!("a script exports nothing, but this one '{}'", export.name)))
        }
        _ if module.loads => Err(Error::new(file, 1, "a script apart loads no others with import()")),
        _ => Ok(module.code),
    }
}

/// The name of a file that another one names relative to itself; `None` if it is not in the page's folder.
fn resolved(file: &str, from: &str) -> Option<String> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    if !(from.starts_with("./") || from.starts_with("../")) {
        return None;
    }
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

struct Reader<'a, 't> {
    file: &'a str,
    files: &'t Files,
    /// Those that are not read yet.
    tokens: &'t [Token<'a>],
    module: Module<'a>,
}

impl<'a> Reader<'a, '_> {
    fn next(&mut self) -> Option<Token<'a>> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(*first)
    }

    /// The next tokens that are no gaps.
    fn ahead(&self) -> impl Iterator<Item = &Token<'a>> {
        self.tokens.iter().filter(|token| token.kind != Kind::Gap)
    }

    fn error<T>(&self, line: usize, what: impl Into<String>) -> Result<T, Error> {
        Err(Error::new(self.file, line, what))
    }

    fn token(&mut self, token: Token<'a>) -> Result<(), Error> {
        let follows = |text: &str| self.ahead().next().is_some_and(|next| next.is(text));
        // A property may have any name.
        let before = self.module.code.trim_end();
        let is_property = before.ends_with('.') && !before.ends_with("...");
        match token.text {
            _ if token.kind == Kind::Gap => self.gap(token.text),
            _ if token.kind != Kind::Word || is_property => self.module.code.push_str(token.text),
            "import" if follows(".") => self.module.code.push_str(token.text),
            "import" if follows("(") => {
                self.module.loads = true;
                self.module.code.push_str(LOADER);
            }
            "import" if token.depth == 0 => self.import(token.line)?,
            "export" if token.depth == 0 => self.export(token.line)?,
            "import" | "export" => {
                return self.error(token.line, format!("'{}' belongs outside of all braces", token.text));
            }
            "var" => return self.error(token.line, "'var' is not used here; use 'const' or 'let'"),
            "new" => {
                self.module.code.push_str(token.text);
                self.new_url()?;
            }
            name if name.starts_with('$') => {
                return self.error(
                    token.line,
                    format!("names that begin with '$', as {name}, are those of the bundle"),
                );
            }
            text => self.module.code.push_str(text),
        }
        Ok(())
    }

    /// A gap in the code: a single space or line's end.
    fn gap(&mut self, text: &str) {
        let code = &mut self.module.code;
        if code.ends_with('\n') || code.is_empty() {
            return;
        }
        if text.contains('\n') {
            code.truncate(code.trim_end_matches(' ').len());
            code.push('\n');
        } else if !code.ends_with(' ') && !text.starts_with("//") {
            code.push(' ');
        }
    }

    /// What comes after `new`, if it names a file: `URL("name", import.meta.url)`.
    fn new_url(&mut self) -> Result<(), Error> {
        let named: Vec<Token<'a>> = self.ahead().take(8).copied().collect();
        let [url, open, name, comma, rest @ ..] = &named[..] else { return Ok(()) };
        if !(url.is("URL") && open.is("(") && name.kind == Kind::Text && comma.is(",")) {
            return Ok(());
        }
        let is_own = rest.iter().map(|token| token.text).eq(["import", ".", "meta", "."]);
        let known = resolved(self.file, &format!("./{}", name.text.trim_matches('"')));
        let Some(known) = known.as_deref().and_then(|name| self.files.name_of(name)) else {
            return match is_own {
                true => self.error(name.line, format!("there is no file {}", name.text)),
                false => Ok(()),
            };
        };
        self.module.code.push_str(&format!(" URL(\"{known}\","));
        while self.next().is_some_and(|token| !token.is(",")) {}
        Ok(())
    }

    /// The next token that is no gap.
    fn word(&mut self) -> Option<Token<'a>> {
        while let Some(token) = self.next() {
            if token.kind != Kind::Gap {
                return Some(token);
            }
        }
        None
    }

    fn expect(&mut self, text: &str, line: usize) -> Result<(), Error> {
        match self.word() {
            Some(token) if token.is(text) => Ok(()),
            token => self.error(line, format!("found {}, expected '{text}'; {ALLOWED}", shown(token))),
        }
    }

    fn name(&mut self, line: usize) -> Result<&'a str, Error> {
        match self.word() {
            Some(token)
                if token.kind == Kind::Word && token.text != "default" && !token.text.starts_with('$') =>
            {
                Ok(token.text)
            }
            token => self.error(line, format!("found {}, expected a name; {ALLOWED}", shown(token))),
        }
    }

    /// An import, after that word.
    fn import(&mut self, line: usize) -> Result<(), Error> {
        let names = match self.word() {
            Some(token) if token.is("*") => {
                self.expect("as", line)?;
                Names::All(self.name(line)?)
            }
            Some(token) if token.is("{") => Names::Some(self.names(line)?),
            token => return self.error(line, format!("found {} after 'import'; {ALLOWED}", shown(token))),
        };
        self.source(names, line)
    }

    /// Where names are imported from, and the statement's end.
    fn source(&mut self, names: Names<'a>, line: usize) -> Result<(), Error> {
        self.expect("from", line)?;
        let from = match self.word() {
            Some(token) if token.kind == Kind::Text => token.text.trim_matches('"'),
            token => {
                return self.error(line, format!("found {}, expected a file; {ALLOWED}", shown(token)));
            }
        };
        let Some(from) = resolved(self.file, from) else {
            return self.error(
                line,
                format!("found \"{from}\", expected \"./name.js\": a module of the page's folder"),
            );
        };
        self.expect(";", line)?;
        self.module.imports.push(Import { from, names, line });
        Ok(())
    }

    /// What stands in the braces of an import, and its end.
    fn names(&mut self, line: usize) -> Result<Vec<(&'a str, &'a str)>, Error> {
        let mut names = Vec::new();
        loop {
            if self.ahead().next().is_some_and(|token| token.is("}")) {
                self.word();
                return Ok(names);
            }
            let name = self.name(line)?;
            let mut other = name;
            if self.ahead().next().is_some_and(|token| token.is("as")) {
                self.word();
                other = self.name(line)?;
            }
            names.push((name, other));
            if !self.ahead().next().is_some_and(|token| token.is("}")) {
                self.expect(",", line)?;
            }
        }
    }

    /// An export, after that word. What it declares stays in the code.
    fn export(&mut self, line: usize) -> Result<(), Error> {
        if self.ahead().next().is_some_and(|token| token.is("{")) {
            self.word();
            let names = self.names(line)?;
            let import = self.module.imports.len();
            let passed = |(name, other): &(&'a str, &'a str)| Export {
                name: other,
                changes: false,
                passed: Some((import, name)),
            };
            self.module.exports.extend(names.iter().map(passed));
            return self.source(Names::Passed(names), line);
        }
        let declared: Vec<Token<'a>> = self.ahead().take(4).copied().collect();
        let texts: Vec<&str> = declared.iter().map(|token| token.text).collect();
        let (name, changes) = match texts[..] {
            ["const", name, "=", ..] => (name, false),
            ["let", name, "=" | ";", ..] => (name, true),
            ["function" | "class", name, ..] if name != "*" => (name, false),
            ["function", "*", name, ..] | ["async", "function", name, ..] if name != "*" => (name, false),
            ["async", "function", "*", name] => (name, false),
            _ => {
                return self.error(
                    line,
                    format!("found {} after 'export'; {ALLOWED}", shown(declared.first().copied())),
                );
            }
        };
        if matches!(texts[0], "const" | "let") {
            let mut rest = self.tokens.iter().take_while(|token| !(token.depth == 0 && token.is(";")));
            if rest.any(|token| token.depth == 0 && token.is(",")) {
                return self.error(line, "an export declares one name; export each by itself");
            }
        }
        self.module.exports.push(Export { name, changes, passed: None });
        // The gap after the word.
        if self.tokens.first().is_some_and(|token| token.kind == Kind::Gap) {
            self.next();
        }
        Ok(())
    }
}

const ALLOWED: &str = "modules use import { a, b as c } from \"./x.js\", import * as x from \"./x.js\", export { a } from \"./x.js\", and \
                       export before const, let, function, async function and class";

fn shown(token: Option<Token>) -> String {
    token.map_or("the end".to_owned(), |token| {
        format!("'{}'", token.text.chars().take(40).collect::<String>())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &'static str) -> Module<'static> {
        Module::read("x.js", source, &Files::default()).unwrap()
    }

    #[test]
    fn imports_and_exports_are_taken_out_of_the_code() {
        let module = read(
            "// Why.\nimport { a, b as c } from \"./one.js\";\nimport * as all from \"./two.js\";\n\n/** @type {x} */\n\
             export const f = (a, b) => a + b; // sum\nexport async function g() {\n  return `\n  ${ f }`;\n}\n\
             export let n = 0;\nexport class K {}\nlet o = { of: import.meta.url, a: k.import };\n",
        );
        let some =
            Import { from: "one.js".to_owned(), names: Names::Some(vec![("a", "a"), ("b", "c")]), line: 2 };
        let all = Import { from: "two.js".to_owned(), names: Names::All("all"), line: 3 };
        assert_eq!(module.imports, [some, all]);
        let exports: Vec<_> = module.exports.iter().map(|export| (export.name, export.changes)).collect();
        assert_eq!(exports, [("f", false), ("g", false), ("n", true), ("K", false)]);
        assert_eq!(
            module.code,
            "const f = (a, b) => a + b;\nasync function g() {\nreturn `\n  ${ f }`;\n}\nlet n = 0;\nclass K {}\n\
             let o = { of: import.meta.url, a: k.import };\n"
        );
    }

    #[test]
    fn what_is_named_is_named_relative_to_the_module() {
        for (file, from, found) in [
            ("x.js", "./y.js", Some("y.js")),
            ("x.js", "./texts/y.js", Some("texts/y.js")),
            ("texts/x.js", "./y.js", Some("texts/y.js")),
            ("texts/x.js", "../y.js", Some("y.js")),
            ("x.js", "../y.js", None),
            ("texts/x.js", "../../y.js", None),
            ("x.js", "y.js", None),
            ("x.js", "/y.js", None),
        ] {
            assert_eq!(resolved(file, from).as_deref(), found, "{file} {from}");
        }
        let module =
            Module::read("texts/x.js", "export { a, b as c } from \"./y.js\";", &Files::default()).unwrap();
        assert_eq!(module.imports[0].from, "texts/y.js");
        let exports: Vec<_> = module.exports.iter().map(|export| (export.name, export.passed)).collect();
        assert_eq!(exports, [("a", Some((0, "a"))), ("c", Some((0, "b")))]);
    }

    #[test]
    fn comments_end_no_line_and_join_no_words() {
        assert_eq!(read("return/* a */b").code, "return b");
        assert_eq!(read("return /* a\n */ b").code, "return\nb");
        assert_eq!(read("a // b\n  + c").code, "a\n+ c");
    }

    #[test]
    fn what_a_bundle_cannot_keep_is_refused_with_its_line() {
        for (source, line) in [
            ("\nexport default 1;", 2),
            ("export { a };", 1),
            ("export * from \"./x.js\";", 1),
            ("export const { a } = b;", 1),
            ("export const a = 1, b = 2;", 1),
            ("import \"./x.js\";", 1),
            ("import x from \"./x.js\";", 1),
            ("import { a } from \"x.js\";", 1),
            ("import { a } from \"../x.js\";", 1),
            ("import { default as a } from \"./x.js\";", 1),
            ("import { a } from \"./x.js\" with { type: \"json\" };", 1),
            ("a;\n{ import { a } from \"./x.js\"; }", 2),
            ("var a;", 1),
            ("const $a = 1;", 1),
            ("a(...$b)", 1),
            ("\n\nnew URL(\"x.json\", import.meta.url)", 3),
        ] {
            let error = Module::read("x.js", source, &Files::default()).unwrap_err();
            assert_eq!(error.line, line, "{source}: {error}");
        }
    }

    #[test]
    fn files_are_named_by_their_content_and_modules_loaded_by_the_bundle() {
        let mut files = Files::default();
        let name = files.put("games.json", b"{}".to_vec());
        let source = "const a = new URL(\"games.json\", import.meta.url);\nb(...new URL(c, d), await import(`./texts/${e}.js`));";
        let module = Module::read("x.js", source, &files).unwrap();
        assert!(module.loads);
        assert_eq!(
            module.code,
            format!(
                "const a = new URL(\"{name}\", import.meta.url);\nb(...new URL(c, d), await $import(`./texts/${{e}}.js`));"
            )
        );
    }
}
