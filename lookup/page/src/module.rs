//! One module: its imports and exports, and its code without the import and export statements.

use std::collections::BTreeMap;

use tree_sitter::{Node, Parser};
use tree_sitter_javascript::LANGUAGE;

use crate::Error;
use crate::files::Files;

/// An import statement.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import<'a> {
    /// File of the imported module, relative to the page's folder.
    pub(crate) from: String,
    /// Pairs: the exported name, and the name in the importing module. `* as name` is the pair `*` and `name`.
    pub(crate) names: Vec<(&'a str, &'a str)>,
    pub(crate) line: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    pub(crate) imports: Vec<Import<'a>>,
    /// The exported names.
    pub(crate) exports: Vec<&'a str>,
    /// The modules that this one loads at run time, with `import("./name.js")`, and the lines that do so.
    pub(crate) loads: Vec<(String, usize)>,
    /// The code without comments, imports and exports. Files that it loads have their hashed names.
    pub(crate) code: String,
}

impl<'a> Module<'a> {
    /// Reads a module. Files that it names with `new URL("name", import.meta.url)` get their hashed names. Modules that
    /// it loads with `import("./name.js")` come from `texts`, and are added to `files`; without `texts`, the module must
    /// not use others.
    ///
    /// # Errors
    /// If the module uses unsupported syntax, or names a missing file.
    pub(crate) fn read(
        file: &'a str,
        source: &'a str,
        texts: Option<&BTreeMap<&str, &str>>,
        files: &mut Files,
    ) -> Result<Self, Error> {
        // These characters too end lines, and so line comments, in JavaScript.
        let mut unusual = source.match_indices(['\r', '\u{2028}', '\u{2029}']);
        if let Some((at, _)) = unusual.find(|(at, _)| !source[*at..].starts_with("\r\n")) {
            let what = "a line ends here without a line feed; end it with one";
            return Err(Error::new(file, source[..at].matches('\n').count() + 1, what));
        }
        let mut parser = Parser::new();
        parser.set_language(&LANGUAGE.into()).expect("the parser knows this version of grammars");
        let tree = parser.parse(source, None).expect("the parser has a grammar and no time limit");
        let mut reader = ModuleReader { file, source, texts, files, end: 0, module: Self::default() };
        reader.read_node(tree.root_node())?;
        reader.copy_to(source.len());
        Ok(reader.module)
    }
}

impl Files {
    /// Adds a module that remains a separate file, such as a worker. Replaces `name` in `new URL("name",
    /// import.meta.url)` by the hashed name or the address of that file, which must have been added before.
    ///
    /// # Errors
    /// If the module imports or loads others, names a file that was not added, or uses unsupported syntax.
    pub fn add_module(&mut self, name: &str, source: &str) -> Result<String, Error> {
        let Module { mut code, exports, .. } = Module::read(name, source, None, self)?;
        if !exports.is_empty() {
            code.push_str(&format!("\nexport {{ {} }};\n", exports.join(", ")));
        }
        Ok(self.add(name, code.into_bytes()))
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

/// Copies a source into the code of a module, with changes.
struct ModuleReader<'a, 'r> {
    file: &'a str,
    source: &'a str,
    texts: Option<&'r BTreeMap<&'r str, &'r str>>,
    files: &'r mut Files,
    /// Offset up to which the source has been copied.
    end: usize,
    module: Module<'a>,
}

impl<'a> ModuleReader<'a, '_> {
    fn text(&self, node: Node) -> &'a str {
        &self.source[node.byte_range()]
    }

    /// Returns the beginning of a node's text, for an error.
    fn quoted(&self, node: Node) -> String {
        format!("'{}'", self.text(node).chars().take(40).collect::<String>())
    }

    fn error<T>(&self, node: Node, what: impl Into<String>) -> Result<T, Error> {
        Err(Error::new(self.file, line(node), what))
    }

    /// Checks a part of the syntax tree, and copies its text with changes.
    fn read_node(&mut self, node: Node) -> Result<(), Error> {
        let text = self.text(node);
        match node.kind() {
            _ if node.is_missing() || node.is_error() && !children(node).any(|child| child.has_error()) => {
                self.error(node, "the syntax is wrong here; the type checker says why")
            }
            // A comment separates words, and may end a statement.
            "comment" => self.replace(node, if text.contains('\n') { "\n" } else { " " }),
            "import_statement" | "export_statement"
                if node.parent().is_some_and(|parent| parent.parent().is_some()) =>
            {
                self.error(node, "'import' and 'export' belong outside of all braces")
            }
            "import_statement" if !node.has_error() => self.read_import(node),
            "export_statement" if !node.has_error() => self.read_export(node),
            "call_expression" if children(node).any(|part| part.kind() == "import") => {
                self.read_dynamic_import(node)
            }
            "new_expression" => self.read_new(node),
            "meta_property" => {
                let what = "'import.meta' is allowed in new URL(\"name\", import.meta.url) only, with the plain name of a file";
                self.error(node, what)
            }
            "var" => self.error(node, "'var' is not used here; use 'const' or 'let'"),
            "string" if text.contains('\n') => self.error(node, "the string does not end in its line"),
            kind if kind.contains("identifier") && text.contains('\\') => {
                self.error(node, "a backslash outside of a text; write the name without it")
            }
            // The name of a property may begin with `$`: it cannot hide a name of the bundle.
            kind if kind.contains("identifier") && text.starts_with('$') && kind != "property_identifier" => {
                self.error(node, format!("names that begin with '$', as {text}, are reserved for the bundle"))
            }
            _ => self.read_children(node),
        }
    }

    fn read_children(&mut self, node: Node) -> Result<(), Error> {
        children(node).try_for_each(|child| self.read_node(child))
    }

    /// Copies the source up to an offset.
    fn copy_to(&mut self, offset: usize) {
        self.module.code.push_str(&self.source[self.end..offset]);
        self.end = offset;
    }

    /// Appends a text to the code in place of a node.
    fn replace(&mut self, node: Node, text: &str) -> Result<(), Error> {
        self.copy_to(node.start_byte());
        self.module.code.push_str(text);
        self.end = node.end_byte();
        Ok(())
    }

    /// Reads `new URL("name", import.meta.url)`, or another expression that begins with `new`.
    fn read_new(&mut self, node: Node) -> Result<(), Error> {
        let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        let [name, base] = arguments[..] else { return self.read_children(node) };
        let is_url = node.child_by_field_name("constructor").is_some_and(|class| self.text(class) == "URL");
        if !is_url || self.text(base) != "import.meta.url" {
            return self.read_children(node);
        }
        let known = self.plain_string(name).and_then(|name| resolve(self.file, &format!("./{name}")));
        let Some(known) = known.as_deref().and_then(|name| self.files.address(name)) else {
            return self.error(name, format!("there is no file {} in the page's folder", self.text(name)));
        };
        self.replace(name, &format!("\"{known}\""))
    }

    /// Reads `import("./name.js")`, which becomes `$load("./name.js")` (see [`LOADER`](crate::bundle::LOADER)).
    fn read_dynamic_import(&mut self, node: Node) -> Result<(), Error> {
        // `import.defer("./name.js")` has more parts.
        let is_plain = children(node).filter(|part| part.kind() != "comment").count() == 2;
        let named = match node.child_by_field_name("arguments").map(parts).as_deref() {
            Some(&[name]) if is_plain => self.path(name).map(|module| (name, module)),
            _ => None,
        };
        let Some((name, module)) = named else {
            let found = self.quoted(node);
            let what =
                format!("found {found}, expected import(\"./name.js\"): a module of the page's folder");
            return self.error(node, what);
        };
        let Some(texts) = self.texts else { return self.error(node, ALONE) };
        let Some(source) = texts.get(&*module) else {
            return self.error(node, format!("there is no module '{module}'"));
        };
        if self.files.address(&module).is_none() {
            self.files.add_module(&module, source)?;
        }
        let address = self.files.address(&module).expect("the module was added");
        self.module.loads.push((module, line(node)));
        let keyword = children(node).find(|part| part.kind() == "import").expect("the call is an import");
        self.replace(keyword, "$load")?;
        self.replace(name, &format!("\"{address}\""))
    }

    /// Reads an import statement, which the code does not keep.
    fn read_import(&mut self, node: Node) -> Result<(), Error> {
        let (Some(names), Some(from)) = (self.imported_names(node), node.child_by_field_name("source"))
        else {
            return self.error(node, format!("found {}; {ALLOWED}", self.quoted(node)));
        };
        let Some(file) = self.path(from) else {
            let found = self.quoted(from);
            let what = format!("found {found}, expected \"./name.js\": a module of the page's folder");
            return self.error(node, what);
        };
        if self.texts.is_none() {
            return self.error(node, ALONE);
        }
        self.module.imports.push(Import { from: file, names, line: line(node) });
        self.replace(node, "")
    }

    /// Returns the names of an import statement; `None` if its syntax is not supported.
    fn imported_names(&self, node: Node) -> Option<Vec<(&'a str, &'a str)>> {
        let [clause, _] = parts(node)[..] else { return None };
        let [names] = parts(clause)[..] else { return None };
        let names_of = |specifier: Node| {
            let name = self.plain_name(specifier.child_by_field_name("name")?)?;
            let alias = specifier.child_by_field_name("alias");
            Some((name, alias.map_or(Some(name), |alias| self.plain_name(alias))?))
        };
        match names.kind() {
            "namespace_import" => Some(vec![("*", self.plain_name(*parts(names).first()?)?)]),
            "named_imports" => parts(names).into_iter().map(names_of).collect(),
            _ => None,
        }
    }

    /// Reads an export statement. The code keeps the declaration after `export`.
    fn read_export(&mut self, node: Node) -> Result<(), Error> {
        let declaration = node.child_by_field_name("declaration");
        let declaration = declaration.filter(|_| children(node).all(|part| part.kind() != "default"));
        let declared =
            declaration.and_then(|declaration| Some((declaration, self.declared_name(declaration)?)));
        let Some((declaration, name)) = declared else {
            return self.error(node, format!("found {}; {ALLOWED}", self.quoted(node)));
        };
        self.module.exports.push(name);
        self.copy_to(node.start_byte());
        self.end = declaration.start_byte();
        self.read_node(declaration)
    }

    /// Returns the name that a declaration declares; `None` if there are several, or it must not be exported.
    fn declared_name(&self, declaration: Node) -> Option<&'a str> {
        let declarators = match declaration.kind() {
            "function_declaration" | "class_declaration" => vec![declaration],
            "lexical_declaration" if self.text(declaration).starts_with("const") => parts(declaration),
            _ => return None,
        };
        let [declarator] = declarators[..] else { return None };
        self.plain_name(declarator.child_by_field_name("name")?)
    }

    /// Returns the text of a name that modules may import and export.
    fn plain_name(&self, node: Node) -> Option<&'a str> {
        let text = self.text(node);
        (node.kind() == "identifier" && !text.starts_with('$') && !text.contains('\\')).then_some(text)
    }

    /// Returns the content of a plain string: `"name"`, without escapes.
    fn plain_string(&self, node: Node) -> Option<&'a str> {
        let text = self.text(node).strip_prefix('"')?.strip_suffix('"')?;
        (node.kind() == "string" && !text.contains('\\')).then_some(text)
    }

    /// Returns the file that a plain string such as `"./name.js"` names, relative to the page's folder.
    fn path(&self, node: Node) -> Option<String> {
        self.plain_string(node).and_then(|name| resolve(self.file, name))
    }
}

const ALLOWED: &str = "modules use import { a, b as c } from \"./x.js\", import * as x from \"./x.js\", import(\"./x.js\"), \
                       new URL(\"x\", import.meta.url), and export before const, function, async function and class, \
                       each with one name";

const ALONE: &str = "a module that is a file of its own uses no others; let the page's script import both";

/// Returns the line of a node, counted from 1.
fn line(node: Node) -> usize {
    node.start_position().row + 1
}

/// Returns the parts of a node, keywords and symbols among them.
fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    (0..node.child_count()).filter_map(move |index| node.child(index))
}

/// Returns the parts of a node without keywords, symbols and comments.
fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    children(node).filter(|part| part.is_named() && part.kind() != "comment").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a module next to others, which it may load.
    fn read_in(
        file: &'static str,
        source: &'static str,
        files: &mut Files,
    ) -> Result<Module<'static>, Error> {
        Module::read(file, source, Some(&BTreeMap::from([("texts/de.js", "")])), files)
    }

    fn read(source: &'static str) -> Module<'static> {
        read_in("x.js", source, &mut Files::default()).unwrap()
    }

    #[test]
    fn import_statements_and_the_word_export_are_removed_from_the_code() {
        let module = read(
            "// Why.\nimport { a, b as c } from \"./one.js\";\nimport * as all from \"./two.js\";\n\n/** @type {x} */\n\
             export const f = (a, b) => a + b; // sum\nexport async function g() {\n  return `\n  ${ f }`;\n}\n\
             let n = 0;\nexport class K {}\nlet o = { a: k.import, b: k.import(n) };\n",
        );
        let some = Import { from: "one.js".to_owned(), names: vec![("a", "a"), ("b", "c")], line: 2 };
        let all = Import { from: "two.js".to_owned(), names: vec![("*", "all")], line: 3 };
        assert_eq!(module.imports, [some, all]);
        assert_eq!(module.exports, ["f", "g", "K"]);
        assert_eq!(
            module.code,
            " \n\n\n\n \nconst f = (a, b) => a + b;  \nasync function g() {\n  return `\n  ${ f }`;\n}\nlet n = 0;\n\
             class K {}\nlet o = { a: k.import, b: k.import(n) };\n"
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
        let module = read_in("texts/x.js", "import { a } from \"./y.js\";", &mut Files::default()).unwrap();
        assert_eq!(module.imports[0].from, "texts/y.js");
    }

    #[test]
    fn a_comment_becomes_a_blank_or_the_line_end_in_it() {
        assert_eq!(read("return/* a */b").code, "return b");
        assert_eq!(read("return /* a\n */b").code, "return \nb");
        assert_eq!(read("a // b\n  + c").code, "a  \n  + c");
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
        ] {
            let error = read_in("x.js", source, &mut Files::default()).unwrap_err();
            assert_eq!(error.line, line, "{source}: {error}");
        }
    }

    #[test]
    fn strings_and_templates_keep_their_blanks() {
        for kept in [
            r#"a = "// \" no  " + 'it"s  ';"#,
            "`a  ${b({ c: `d  ${e}  f` })}  \\`  \\${  g`",
            "`$${a}  ${`\n  `}\n  `",
        ] {
            assert_eq!(read(kept).code, kept);
        }
        assert_eq!(read("/* 'a' */ // 'b'\n'c'").code.trim(), "'c'");
    }

    #[test]
    fn a_slash_divides_after_a_value_and_begins_a_regular_expression_elsewhere() {
        for kept in [
            "a / b / c",
            "(a) / 2 / c",
            "a[0] / 2 / c",
            "f(x) / 2 / c",
            "a.of / 2 / c",
            "of / 2",
            "i++ / 2",
            "1. / 2",
            "`${a}` / 2",
            "`${/`/.test(a)}`",
            "x = /a'\\/[/\"]/g.test(y)",
            "return /'/",
            "f(/`/)",
            "a && /\"/u",
            "void /\"/.test(a)",
            "if (a) /\"/.test(c)",
            "{}\n/\"/",
            "class A extends /\"/.constructor {}",
        ] {
            let source = format!("{kept}// c");
            let module = Module::read("x.js", &source, None, &mut Files::default()).unwrap();
            assert_eq!(module.code, format!("{kept} "));
        }
    }

    #[test]
    fn a_property_may_be_named_like_a_keyword() {
        for kept in ["class A {\nimport(x) {}\nexport = a.import;\n}", "let o = { import: a.var, new: 1 };"] {
            assert_eq!(read(kept).code, kept);
        }
    }

    #[test]
    fn invalid_code_is_refused_with_its_line() {
        for (source, line, what) in [
            ("a;\nim\\u0070ort", 2, "backslash"),
            ("a;\n// b\u{2028}c", 2, "line feed"),
            ("a;\rb", 1, "line feed"),
            ("a\n'b\n'", 2, "string does not end"),
            ("\n\n`a ${b", 3, "syntax is wrong"),
            ("`a", 1, "syntax is wrong"),
            ("/* a", 1, "syntax is wrong"),
            ("x = /a\n/", 1, "syntax is wrong"),
            ("f(\n", 1, "syntax is wrong"),
            ("f(]", 1, "syntax is wrong"),
        ] {
            let error = read_in("x.js", source, &mut Files::default()).unwrap_err();
            assert_eq!((error.file.as_str(), error.line), ("x.js", line), "{source}: {error}");
            assert!(error.what.contains(what), "{source}: {error}");
        }
    }

    #[test]
    fn files_and_separate_modules_get_their_hashed_names() {
        let mut files = Files::default();
        let game = files.add("games.json", b"{}".to_vec());
        let source = "const a = new URL(\"../games.json\", import.meta.url);\nb(...new URL(c, d), await import(\"./de.js\"), import(\"../texts/de.js\"));";
        let module = read_in("texts/x.js", source, &mut files).unwrap();
        let text = files.name_of("texts/de.js").unwrap();
        assert_eq!(
            module.code,
            format!(
                "const a = new URL(\"./{game}\", import.meta.url);\nb(...new URL(c, d), await $load(\"./{text}\"), $load(\"./{text}\"));"
            )
        );
        assert_eq!(module.loads, [("texts/de.js".to_owned(), 2), ("texts/de.js".to_owned(), 2)]);
    }

    #[test]
    fn a_separate_file_exports_at_its_end_and_must_not_import() {
        let standalone = |source: &str| {
            let mut files = Files::default();
            files.add_module("x.js", source)?;
            Ok::<_, Error>(String::from_utf8(files.all()[0].bytes.clone()).unwrap())
        };
        assert_eq!(standalone("f(); // why\n").unwrap(), "f();  \n");
        assert_eq!(
            standalone("export const a = 1;\nexport class B {}\n").unwrap(),
            "const a = 1;\nclass B {}\n\nexport { a, B };\n"
        );
        for source in ["f();\nimport(\"./y.js\");", "f();\nimport { y } from \"./y.js\";"] {
            let error = standalone(source).unwrap_err();
            assert_eq!(error.line, 2, "{source}: {error}");
        }
    }
}
