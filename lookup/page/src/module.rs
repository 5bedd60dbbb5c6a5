//! One module: what it imports and exports, and its code without the statements that say so.

use crate::Error;
use crate::files::Files;
use crate::tokens::{Kind, Token, is_of_word, tokens};

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
}

/// A module apart that is loaded when another one needs it: `import("./name.js")`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Load {
    /// The module apart, as its file is named.
    pub(crate) module: String,
    /// Where its name by content belongs in the code.
    at: usize,
    pub(crate) line: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    pub(crate) imports: Vec<Import<'a>>,
    /// The names that it exports.
    pub(crate) exports: Vec<&'a str>,
    pub(crate) loads: Vec<Load>,
    /// Without comments and indentation, and without the names of what it loads.
    code: String,
}

impl<'a> Module<'a> {
    /// Reads a module. Files that it names with `new URL("name", import.meta.url)` get the names by content that they have.
    ///
    /// # Errors
    /// If it has what a bundle cannot keep, or names a file that is not there.
    pub(crate) fn read(file: &'a str, source: &'a str, files: &Files) -> Result<Self, Error> {
        let tokens = tokens(file, source)?;
        let mut reader = Reader { file, files, tokens: &tokens, module: Self::default() };
        while let Some(token) = reader.next() {
            reader.token(token)?;
        }
        Ok(reader.module)
    }

    /// The code. `files` has the modules apart.
    pub(crate) fn code(&self, files: &Files) -> String {
        let mut code = self.code.clone();
        for load in self.loads.iter().rev() {
            let name = files.loaded_as(&load.module).expect("modules apart are files by now");
            code.insert_str(load.at, &name);
        }
        code
    }

    /// A script that stands alone: a module apart, or that of a worker.
    ///
    /// # Errors
    /// If it imports or loads others.
    pub(crate) fn alone(self, file: &str) -> Result<String, Error> {
        let imports = self.imports.iter().map(|import| import.line);
        if let Some(line) = imports.chain(self.loads.iter().map(|load| load.line)).min() {
            return Err(Error::new(
                file,
                line,
                "a module that is a file of its own uses no others; let the page's script import both",
            ));
        }
        Ok(match self.exports.is_empty() {
            true => self.code,
            false => format!("{}\nexport {{ {} }};\n", self.code.trim_end(), self.exports.join(", ")),
        })
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
            "import" if follows("(") => self.load(token.line)?,
            "import" if follows(".") => {
                let what = "found 'import.', which is allowed in new URL(\"name\", import.meta.url) only: the plain name of a file";
                return self.error(token.line, what);
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
        const URL: [&str; 10] = ["URL", "(", "", ",", "import", ".", "meta", ".", "url", ")"];
        let named: Vec<Token<'a>> = self.ahead().take(URL.len()).copied().collect();
        let Some(name) = named.get(2).copied() else { return Ok(()) };
        let is = |(at, (token, text)): (usize, (&Token, &&str))| at == 2 || token.is(text);
        if named.len() < URL.len() || !named.iter().zip(&URL).enumerate().all(is) {
            return Ok(());
        }
        let known = plain(name).and_then(|name| resolved(self.file, &format!("./{name}")));
        let Some(known) = known.as_deref().and_then(|name| self.files.name_of(name)) else {
            return self.error(name.line, format!("there is no file {} in the page's folder", name.text));
        };
        self.module.code.push_str(&format!(" URL(\"{known}\", import.meta.url)"));
        for _ in URL {
            self.word();
        }
        Ok(())
    }

    /// `import("./name.js")`, after the first word.
    fn load(&mut self, line: usize) -> Result<(), Error> {
        self.expect("(", line)?;
        let name = self.word();
        let Some(module) = name.and_then(plain).and_then(|name| resolved(self.file, name)) else {
            return self.error(
                line,
                format!(
                    "found import({}), expected import(\"./name.js\"): a module of the page's folder",
                    shown(name)
                ),
            );
        };
        self.expect(")", line)?;
        self.module.code.push_str("import(\"");
        self.module.loads.push(Load { module, at: self.module.code.len(), line });
        self.module.code.push_str("\")");
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
        self.expect("from", line)?;
        let from = self.word();
        let Some(file) = from.and_then(plain).and_then(|name| resolved(self.file, name)) else {
            return self.error(
                line,
                format!("found {}, expected \"./name.js\": a module of the page's folder", shown(from)),
            );
        };
        self.expect(";", line)?;
        self.module.imports.push(Import { from: file, names, line });
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
        let declared: Vec<Token<'a>> = self.ahead().take(3).copied().collect();
        let texts: Vec<&str> = declared.iter().map(|token| token.text).collect();
        let (["const", name, "="] | ["function" | "class", name, _] | ["async", "function", name]) =
            texts[..]
        else {
            return self.error(
                line,
                format!("found {} after 'export'; {ALLOWED}", shown(declared.first().copied())),
            );
        };
        if !name.starts_with(is_of_word) {
            return self.error(line, format!("found '{name}', expected a name; {ALLOWED}"));
        }
        if texts[0] == "const" {
            let mut rest = self.tokens.iter().take_while(|token| !(token.depth == 0 && token.is(";")));
            if rest.any(|token| token.depth == 0 && token.is(",")) {
                return self.error(line, "an export declares one name; export each by itself");
            }
        }
        self.module.exports.push(name);
        // The gap after the word.
        if self.tokens.first().is_some_and(|token| token.kind == Kind::Gap) {
            self.next();
        }
        Ok(())
    }
}

const ALLOWED: &str = "modules use import { a, b as c } from \"./x.js\", import * as x from \"./x.js\", import(\"./x.js\"), \
                       new URL(\"x\", import.meta.url), and export before const, function, async function and class";

/// What is in the quotes of a plain string: `"name"`, without escapes.
fn plain(token: Token<'_>) -> Option<&str> {
    let text = token.text.strip_prefix('"')?.strip_suffix('"')?;
    (token.kind == Kind::Text && !text.contains('\\')).then_some(text)
}

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
             let n = 0;\nexport class K {}\nlet o = { a: k.import, b: k.import(n) };\n",
        );
        let some =
            Import { from: "one.js".to_owned(), names: Names::Some(vec![("a", "a"), ("b", "c")]), line: 2 };
        let all = Import { from: "two.js".to_owned(), names: Names::All("all"), line: 3 };
        assert_eq!(module.imports, [some, all]);
        assert_eq!(module.exports, ["f", "g", "K"]);
        assert_eq!(
            module.code,
            "const f = (a, b) => a + b;\nasync function g() {\nreturn `\n  ${ f }`;\n}\nlet n = 0;\nclass K {}\n\
             let o = { a: k.import, b: k.import(n) };\n"
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
        let module = Module::read("texts/x.js", "import { a } from \"./y.js\";", &Files::default()).unwrap();
        assert_eq!(module.imports[0].from, "texts/y.js");
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
            ("export let a = 1;", 1),
            ("export function* a() {}", 1),
            ("export async function* a() {}", 1),
            ("export { a } from \"./x.js\";", 1),
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
            ("\nnew URL(`x.json`, import.meta.url)", 2),
            ("\nnew URL(`${x}.json`, import.meta.url)", 2),
            ("\nnew URL(x, import.meta.url)", 2),
            ("\nnew URL(\"x\\u002ejson\", import.meta.url)", 2),
            ("\nf(import.meta.url)", 2),
            ("\nconst { url } = import.meta;", 2),
            ("\nimport.defer(\"./x.js\");", 2),
            ("\nimport(`./${x}.js`);", 2),
            ("\nimport(x);", 2),
            ("\nimport(\"x.js\");", 2),
            ("\nimport(\"./x.js\", { with: y });", 2),
            ("\nimport(\"./x.js\" + y);", 2),
            ("class A {\n  import(x) {}\n}", 2),
        ] {
            let error = Module::read("x.js", source, &Files::default()).unwrap_err();
            assert_eq!(error.line, line, "{source}: {error}");
        }
    }

    #[test]
    fn files_and_modules_apart_are_named_by_their_content() {
        let mut files = Files::default();
        let game = files.put("games.json", b"{}".to_vec());
        let text = files.put("texts/de.js", b"".to_vec());
        let source = "const a = new URL(\"../games.json\", import.meta.url);\nb(...new URL(c, d), await import(\"./de.js\"), import(\"../texts/de.js\"));";
        let module = Module::read("texts/x.js", source, &files).unwrap();
        assert_eq!(
            module.code(&files),
            format!(
                "const a = new URL(\"{game}\", import.meta.url);\nb(...new URL(c, d), await import(\"./{text}\"), import(\"./{text}\"));"
            )
        );
    }

    #[test]
    fn a_module_that_stands_alone_uses_no_others() {
        let alone = |source: &'static str| read(source).alone("x.js");
        assert_eq!(alone("f(); // why\n").unwrap(), "f();\n");
        assert_eq!(
            alone("export const a = 1;\nexport class B {}\n").unwrap(),
            "const a = 1;\nclass B {}\nexport { a, B };\n"
        );
        for source in ["f();\nimport(\"./y.js\");", "f();\nimport { y } from \"./y.js\";"] {
            let error = alone(source).unwrap_err();
            assert_eq!(error.line, 2, "{source}: {error}");
        }
    }
}
