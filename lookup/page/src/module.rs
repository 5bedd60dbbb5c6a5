//! One module: its imports and exports, and its code without the import and export statements.

use crate::Error;
use crate::files::Files;
use crate::tokens::{Token, TokenKind, is_word_char, tokens};

/// An import statement.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import<'a> {
    /// File of the imported module, relative to the page's folder.
    pub(crate) from: String,
    pub(crate) names: ImportedNames<'a>,
    pub(crate) line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ImportedNames<'a> {
    /// `* as name`
    All(&'a str),
    /// `{ name, name as other }`, as pairs: the exported name, and the name in the importing module.
    Some(Vec<(&'a str, &'a str)>),
}

/// A module that is loaded at run time, with `import("./name.js")`, and remains a separate file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DynamicImport {
    /// File of the module, relative to the page's folder.
    pub(crate) module: String,
    /// Offset in the code at which the module's hashed name belongs.
    offset: usize,
    pub(crate) line: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    pub(crate) imports: Vec<Import<'a>>,
    /// The exported names.
    pub(crate) exports: Vec<&'a str>,
    pub(crate) dynamic_imports: Vec<DynamicImport>,
    /// The code without comments and indentation, and without the names of dynamic imports.
    code: String,
}

impl<'a> Module<'a> {
    /// Reads a module. Files that it names with `new URL("name", import.meta.url)` get their hashed names.
    ///
    /// # Errors
    /// If the module uses unsupported syntax, or names a missing file.
    pub(crate) fn read(file: &'a str, source: &'a str, files: &Files) -> Result<Self, Error> {
        let tokens = tokens(file, source)?;
        let mut reader = ModuleReader { file, files, tokens: &tokens, module: Self::default() };
        while let Some(token) = reader.next_or_gap() {
            reader.read_token(token)?;
        }
        Ok(reader.module)
    }

    /// Returns the code with the names of dynamic imports. `files` must have the modules that the code loads at run time.
    pub(crate) fn code(&self, files: &Files) -> String {
        let mut code = self.code.clone();
        for load in self.dynamic_imports.iter().rev() {
            let name =
                files.import_path(&load.module).expect("the modules loaded at run time are files by now");
            code.insert_str(load.offset, &name);
        }
        code
    }

    /// Returns the code of a separate file: a module loaded at run time, or a worker.
    ///
    /// # Errors
    /// If the module imports or loads others.
    pub(crate) fn standalone(self, file: &str) -> Result<String, Error> {
        let imports = self.imports.iter().map(|import| import.line);
        if let Some(line) = imports.chain(self.dynamic_imports.iter().map(|load| load.line)).min() {
            let what = "a module that is a file of its own uses no others; let the page's script import both";
            return Err(Error::new(file, line, what));
        }
        Ok(match self.exports.is_empty() {
            true => self.code,
            false => format!("{}\nexport {{ {} }};\n", self.code.trim_end(), self.exports.join(", ")),
        })
    }
}

/// Resolves a path relative to the file that names it; `None` if the result is outside of the page's folder.
fn resolve(file: &str, from: &str) -> Option<String> {
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

struct ModuleReader<'a, 't> {
    file: &'a str,
    files: &'t Files,
    /// The tokens that are not read yet.
    tokens: &'t [Token<'a>],
    module: Module<'a>,
}

impl<'a> ModuleReader<'a, '_> {
    /// Returns the next token, which may be a gap.
    fn next_or_gap(&mut self) -> Option<Token<'a>> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(*first)
    }

    /// Returns the unread tokens, without gaps.
    fn ahead(&self) -> impl Iterator<Item = &Token<'a>> {
        self.tokens.iter().filter(|token| token.kind != TokenKind::Gap)
    }

    /// Returns whether the next token, after a gap if there is one, is this.
    fn is_followed_by(&self, text: &str) -> bool {
        self.ahead().next().is_some_and(|token| token.is(text))
    }

    fn error<T>(&self, line: usize, what: impl Into<String>) -> Result<T, Error> {
        Err(Error::new(self.file, line, what))
    }

    /// Appends a token to the code; or, if a statement of import or export begins, reads the statement.
    fn read_token(&mut self, token: Token<'a>) -> Result<(), Error> {
        // A property may be named like a keyword.
        let before = self.module.code.trim_end();
        let is_property = before.ends_with('.') && !before.ends_with("...");
        match token.text {
            _ if token.kind == TokenKind::Gap => self.push_gap(token.text),
            _ if token.kind != TokenKind::Word || is_property => self.module.code.push_str(token.text),
            "import" if self.is_followed_by("(") => self.read_dynamic_import(token.line)?,
            "import" if self.is_followed_by(".") => {
                let what = "found 'import.', which is allowed in new URL(\"name\", import.meta.url) only: the plain name of a file";
                return self.error(token.line, what);
            }
            "import" if token.depth == 0 => self.read_import(token.line)?,
            "export" if token.depth == 0 => self.read_export(token.line)?,
            "import" | "export" => {
                return self.error(token.line, format!("'{}' belongs outside of all braces", token.text));
            }
            "var" => return self.error(token.line, "'var' is not used here; use 'const' or 'let'"),
            "new" => {
                self.module.code.push_str(token.text);
                self.read_new_url()?;
            }
            name if name.starts_with('$') => {
                let what = format!("names that begin with '$', as {name}, are those of the bundle");
                return self.error(token.line, what);
            }
            text => self.module.code.push_str(text),
        }
        Ok(())
    }

    /// Appends a gap to the code: a single space or line end.
    fn push_gap(&mut self, text: &str) {
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

    /// Reads `URL("name", import.meta.url)` after `new`; does nothing if something else follows.
    fn read_new_url(&mut self) -> Result<(), Error> {
        const URL: [&str; 10] = ["URL", "(", "", ",", "import", ".", "meta", ".", "url", ")"];
        let named: Vec<Token<'a>> = self.ahead().take(URL.len()).copied().collect();
        let Some(name) = named.get(2).copied() else { return Ok(()) };
        let is = |(at, (token, text)): (usize, (&Token, &&str))| at == 2 || token.is(text);
        if named.len() < URL.len() || !named.iter().zip(&URL).enumerate().all(is) {
            return Ok(());
        }
        let known = plain_string(name).and_then(|name| resolve(self.file, &format!("./{name}")));
        let Some(known) = known.as_deref().and_then(|name| self.files.name_of(name)) else {
            return self.error(name.line, format!("there is no file {} in the page's folder", name.text));
        };
        self.module.code.push_str(&format!(" URL(\"{known}\", import.meta.url)"));
        for _ in URL {
            self.next_token();
        }
        Ok(())
    }

    /// Reads `("./name.js")` after `import`.
    fn read_dynamic_import(&mut self, line: usize) -> Result<(), Error> {
        self.expect("(", line)?;
        let name = self.next_token();
        let Some(module) = name.and_then(plain_string).and_then(|name| resolve(self.file, name)) else {
            let found = quoted(name);
            let what = format!(
                "found import({found}), expected import(\"./name.js\"): a module of the page's folder"
            );
            return self.error(line, what);
        };
        self.expect(")", line)?;
        self.module.code.push_str("import(\"");
        self.module.dynamic_imports.push(DynamicImport { module, offset: self.module.code.len(), line });
        self.module.code.push_str("\")");
        Ok(())
    }

    /// Returns the next token that is not a gap, and skips the gap before it.
    fn next_token(&mut self) -> Option<Token<'a>> {
        while let Some(token) = self.next_or_gap() {
            if token.kind != TokenKind::Gap {
                return Some(token);
            }
        }
        None
    }

    fn expect(&mut self, text: &str, line: usize) -> Result<(), Error> {
        match self.next_token() {
            Some(token) if token.is(text) => Ok(()),
            token => self.error(line, format!("found {}, expected '{text}'; {ALLOWED}", quoted(token))),
        }
    }

    fn expect_name(&mut self, line: usize) -> Result<&'a str, Error> {
        match self.next_token() {
            Some(Token { kind: TokenKind::Word, text, .. })
                if text != "default" && !text.starts_with('$') =>
            {
                Ok(text)
            }
            token => self.error(line, format!("found {}, expected a name; {ALLOWED}", quoted(token))),
        }
    }

    /// Reads the rest of an import statement.
    fn read_import(&mut self, line: usize) -> Result<(), Error> {
        let names = match self.next_token() {
            Some(token) if token.is("*") => {
                self.expect("as", line)?;
                ImportedNames::All(self.expect_name(line)?)
            }
            Some(token) if token.is("{") => ImportedNames::Some(self.read_names(line)?),
            token => return self.error(line, format!("found {} after 'import'; {ALLOWED}", quoted(token))),
        };
        self.expect("from", line)?;
        let from = self.next_token();
        let Some(file) = from.and_then(plain_string).and_then(|name| resolve(self.file, name)) else {
            let what =
                format!("found {}, expected \"./name.js\": a module of the page's folder", quoted(from));
            return self.error(line, what);
        };
        self.expect(";", line)?;
        self.module.imports.push(Import { from: file, names, line });
        Ok(())
    }

    /// Reads the names and the closing brace after the opening brace of an import.
    fn read_names(&mut self, line: usize) -> Result<Vec<(&'a str, &'a str)>, Error> {
        let mut names = Vec::new();
        loop {
            if self.is_followed_by("}") {
                self.next_token();
                return Ok(names);
            }
            let name = self.expect_name(line)?;
            let mut other = name;
            if self.is_followed_by("as") {
                self.next_token();
                other = self.expect_name(line)?;
            }
            names.push((name, other));
            if !self.is_followed_by("}") {
                self.expect(",", line)?;
            }
        }
    }

    /// Reads the declaration after `export`. The declaration itself stays in the code.
    fn read_export(&mut self, line: usize) -> Result<(), Error> {
        let declared: Vec<Token<'a>> = self.ahead().take(3).copied().collect();
        let texts: Vec<&str> = declared.iter().map(|token| token.text).collect();
        let (["const", name, "="] | ["function" | "class", name, _] | ["async", "function", name]) =
            texts[..]
        else {
            let found = quoted(declared.first().copied());
            return self.error(line, format!("found {found} after 'export'; {ALLOWED}"));
        };
        if !name.starts_with(is_word_char) {
            return self.error(line, format!("found '{name}', expected a name; {ALLOWED}"));
        }
        if texts[0] == "const" {
            let mut rest = self.tokens.iter().take_while(|token| !(token.depth == 0 && token.is(";")));
            if rest.any(|token| token.depth == 0 && token.is(",")) {
                return self.error(line, "an export declares one name; export each by itself");
            }
        }
        self.module.exports.push(name);
        // Skip the gap after the keyword.
        if self.tokens.first().is_some_and(|token| token.kind == TokenKind::Gap) {
            self.next_or_gap();
        }
        Ok(())
    }
}

const ALLOWED: &str = "modules use import { a, b as c } from \"./x.js\", import * as x from \"./x.js\", import(\"./x.js\"), \
                       new URL(\"x\", import.meta.url), and export before const, function, async function and class";

/// Returns the content of a plain string: `"name"`, without escapes.
fn plain_string(token: Token<'_>) -> Option<&str> {
    let text = token.text.strip_prefix('"')?.strip_suffix('"')?;
    (token.kind == TokenKind::Literal && !text.contains('\\')).then_some(text)
}

fn quoted(token: Option<Token>) -> String {
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
    fn import_statements_and_the_word_export_are_removed_from_the_code() {
        let module = read(
            "// Why.\nimport { a, b as c } from \"./one.js\";\nimport * as all from \"./two.js\";\n\n/** @type {x} */\n\
             export const f = (a, b) => a + b; // sum\nexport async function g() {\n  return `\n  ${ f }`;\n}\n\
             let n = 0;\nexport class K {}\nlet o = { a: k.import, b: k.import(n) };\n",
        );
        let some = Import {
            from: "one.js".to_owned(),
            names: ImportedNames::Some(vec![("a", "a"), ("b", "c")]),
            line: 2,
        };
        let all = Import { from: "two.js".to_owned(), names: ImportedNames::All("all"), line: 3 };
        assert_eq!(module.imports, [some, all]);
        assert_eq!(module.exports, ["f", "g", "K"]);
        assert_eq!(
            module.code,
            "const f = (a, b) => a + b;\nasync function g() {\nreturn `\n  ${ f }`;\n}\nlet n = 0;\nclass K {}\n\
             let o = { a: k.import, b: k.import(n) };\n"
        );
    }

    #[test]
    fn paths_are_relative_to_the_module() {
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
            assert_eq!(resolve(file, from).as_deref(), found, "{file} {from}");
        }
        let module = Module::read("texts/x.js", "import { a } from \"./y.js\";", &Files::default()).unwrap();
        assert_eq!(module.imports[0].from, "texts/y.js");
    }

    #[test]
    fn a_comment_becomes_a_blank_or_the_line_end_in_it() {
        assert_eq!(read("return/* a */b").code, "return b");
        assert_eq!(read("return /* a\n */ b").code, "return\nb");
        assert_eq!(read("a // b\n  + c").code, "a\n+ c");
    }

    #[test]
    fn unsupported_syntax_is_refused_with_its_line() {
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
    fn files_and_separate_modules_get_their_hashed_names() {
        let mut files = Files::default();
        let game = files.add("games.json", b"{}".to_vec());
        let text = files.add("texts/de.js", b"".to_vec());
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
    fn a_separate_file_exports_at_its_end_and_must_not_import() {
        let standalone = |source: &'static str| read(source).standalone("x.js");
        assert_eq!(standalone("f(); // why\n").unwrap(), "f();\n");
        assert_eq!(
            standalone("export const a = 1;\nexport class B {}\n").unwrap(),
            "const a = 1;\nclass B {}\nexport { a, B };\n"
        );
        for source in ["f();\nimport(\"./y.js\");", "f();\nimport { y } from \"./y.js\";"] {
            let error = standalone(source).unwrap_err();
            assert_eq!(error.line, 2, "{source}: {error}");
        }
    }
}
