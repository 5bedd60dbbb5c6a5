//! The modules of each crate form layers: they do not use each other in a circle, parents and children included.
//!
//! A module *uses* another if it names something that the other defines, in a `use` declaration or in a path. A name that
//! a third module re-exports counts as a use of the module that defines it. Code that only tests compile is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use bouton_tests::programs::workspace;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Names from the crate's root to a module, or from a module to an item.
type Names = Vec<String>;

/// What a module names, and what it re-exports.
#[derive(Default)]
struct Module {
    /// The paths in its code, and those that its `use` declarations import.
    paths: Vec<Names>,
    /// The paths that its `pub use` declarations re-export, by the names that they get.
    reexports: BTreeMap<String, Names>,
}

/// The modules of a crate, by their names from its root.
#[derive(Default)]
struct Crate(BTreeMap<Names, Module>);

impl Crate {
    /// Reads the modules in the files of a folder.
    fn read(folder: &Path) -> Self {
        let mut modules = Self::default();
        modules.read_folder(folder, &[]);
        modules
    }

    fn read_folder(&mut self, folder: &Path, names: &[String]) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let child = [names, std::slice::from_ref(&stem)].concat();
            if stem == "tests" {
                continue;
            } else if path.is_dir() {
                self.read_folder(&path, &child);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let is_of_folder = ["lib", "main", "mod"].contains(&stem.as_str());
                let code = fs::read_to_string(&path).unwrap();
                self.read_module(if is_of_folder { names } else { &child }, code.parse().unwrap());
            }
        }
    }

    /// Adds a module with its code, which may contain further modules.
    fn read_module(&mut self, names: &[String], code: TokenStream) {
        let mut module = Module::default();
        self.read_code(names, code, &mut module);
        self.0.insert(names.to_vec(), module);
    }

    fn read_code(&mut self, names: &[String], code: TokenStream, module: &mut Module) {
        let tokens: Vec<TokenTree> = code.into_iter().collect();
        let text = |at: usize| tokens.get(at).map(word).unwrap_or_default();
        // The last word `pub` belongs to the next item.
        let mut is_public = false;
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Punct(_)
                    if text(at) == "#" && tokens.get(at + 1).is_some_and(is_only_for_tests) =>
                {
                    // Skip the item, field or variant, with its other attributes.
                    while at < tokens.len()
                        && ![";", ","].contains(&&*text(at))
                        && !has_delimiter(&tokens, at, Delimiter::Brace)
                    {
                        at += 1;
                    }
                }
                // Visibility, as in `pub(in super::super)`, is no use.
                TokenTree::Ident(word)
                    if word == "pub" && has_delimiter(&tokens, at + 1, Delimiter::Parenthesis) =>
                {
                    at += 1;
                    is_public = true;
                }
                TokenTree::Ident(word) if word == "pub" => is_public = true,
                // `use<'a>` is a bound, not a declaration.
                TokenTree::Ident(word) if word == "use" && text(at + 1) != "<" => {
                    let end = (at..tokens.len()).find(|&end| text(end) == ";").expect("a declaration ends");
                    for (path, name) in imported(&tokens[at + 1..end]) {
                        if is_public {
                            module.reexports.insert(name, path);
                        } else {
                            module.paths.push(path);
                        }
                    }
                    at = end;
                    is_public = false;
                }
                TokenTree::Ident(word)
                    if word == "mod" && has_delimiter(&tokens, at + 2, Delimiter::Brace) =>
                {
                    let TokenTree::Group(inner) = &tokens[at + 2] else { unreachable!() };
                    self.read_module(&[names, &[text(at + 1)]].concat(), inner.stream());
                    at += 2;
                }
                TokenTree::Ident(first) => {
                    is_public = false;
                    let mut path = vec![first.to_string()];
                    while text(at + 1) == ":"
                        && text(at + 2) == ":"
                        && matches!(tokens.get(at + 3), Some(TokenTree::Ident(_)))
                    {
                        path.push(text(at + 3));
                        at += 3;
                    }
                    if path.len() > 1 {
                        module.paths.push(path);
                    }
                }
                TokenTree::Group(group) => self.read_code(names, group.stream(), module),
                _ => {}
            }
            at += 1;
        }
    }

    /// Returns the module that defines the item of a path in the module `from`; `None` if another crate defines it.
    fn definer(&self, from: &[String], path: &[String]) -> Option<Names> {
        let (mut module, mut rest) = match path[0].as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.to_vec(), &path[1..]),
            "super" => (from.to_vec(), path),
            first => {
                let child = [from, &[first.to_owned()]].concat();
                let is_reexported = self.0.get(from)?.reexports.contains_key(first);
                (self.0.contains_key(&child) || is_reexported).then(|| (from.to_vec(), path))?
            }
        };
        while let [first, others @ ..] = rest {
            let child = [&module[..], std::slice::from_ref(first)].concat();
            if first == "super" {
                module.pop();
            } else if self.0.contains_key(&child) {
                module = child;
            } else if let Some(target) = self.0.get(&module)?.reexports.get(first)
                // With the same name first, the target is in another crate.
                && target[0] != *first
            {
                return self.definer(&module, target).or(Some(module));
            } else {
                break;
            }
            rest = others;
        }
        Some(module)
    }

    /// Returns the modules that each module uses.
    fn uses(&self) -> BTreeMap<&Names, BTreeSet<Names>> {
        let used = |(names, module): (&'_ Names, &Module)| {
            module
                .paths
                .iter()
                .filter_map(|path| self.definer(names, path))
                .filter(|of| of != names)
                .collect()
        };
        self.0.iter().map(|(names, module)| (names, used((names, module)))).collect()
    }
}

/// Returns the text of a word or of a sign; of a group, the empty text.
fn word(token: &TokenTree) -> String {
    if matches!(token, TokenTree::Group(_)) { String::new() } else { token.to_string() }
}

fn has_delimiter(tokens: &[TokenTree], at: usize, delimiter: Delimiter) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == delimiter)
}

/// Returns true for the attribute of an item that only tests compile.
fn is_only_for_tests(attribute: &TokenTree) -> bool {
    let letters: String = attribute.to_string().split_whitespace().collect();
    letters.starts_with("[cfg(test") || letters.starts_with("[cfg(all(test")
}

/// Returns the paths that a `use` declaration imports, each with the name that it gets.
fn imported(declaration: &[TokenTree]) -> Vec<(Names, String)> {
    let mut all = Vec::new();
    for tree in declaration.split(|token| word(token) == ",") {
        let mut path = Names::new();
        let mut name = String::new();
        for token in tree {
            match token {
                TokenTree::Ident(word) if name != "as" && word != "as" => path.push(word.to_string()),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    all.extend(
                        imported(&inner)
                            .into_iter()
                            .map(|(inner, name)| ([&path[..], &inner].concat(), name)),
                    );
                    path.clear();
                }
                _ => {}
            }
            name = word(token);
        }
        if !path.is_empty() {
            all.push((path, name));
        }
    }
    all
}

/// Returns the modules that a module uses, directly or through others.
fn reachable<'a>(uses: &'a BTreeMap<&Names, BTreeSet<Names>>, module: &Names) -> BTreeSet<&'a Names> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&Names> = uses[module].iter().collect();
    while let Some(module) = next.pop() {
        if reached.insert(module) {
            next.extend(&uses[module]);
        }
    }
    reached
}

/// Returns the modules of each circle: those that use each other, directly or through others.
fn circles(uses: &BTreeMap<&Names, BTreeSet<Names>>) -> BTreeSet<Vec<String>> {
    let reached: BTreeMap<&Names, BTreeSet<&Names>> =
        uses.keys().map(|&module| (module, reachable(uses, module))).collect();
    let circle_of = |module: &Names| {
        let is_in_circle =
            |&&other: &&&Names| reached[module].contains(other) && reached[other].contains(module);
        uses.keys().filter(is_in_circle).map(|names| format!("crate::{}", names.join("::"))).collect()
    };
    uses.keys().map(|module| circle_of(module)).filter(|circle: &Vec<String>| !circle.is_empty()).collect()
}

/// Returns the source folders of all crates of the workspace.
fn source_folders(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && name == "src" && folder.join("Cargo.toml").exists() {
            found.push(path);
        } else if path.is_dir() && !["target", "node_modules"].contains(&&*name) && !name.starts_with('.') {
            source_folders(&path, found);
        }
    }
}

#[test]
fn no_modules_of_a_crate_use_each_other_in_a_circle() {
    let mut folders = Vec::new();
    source_folders(workspace(), &mut folders);
    assert!(folders.len() > 10, "{folders:?}");
    let mut found = Vec::new();
    for folder in folders {
        let modules = Crate::read(&folder);
        for circle in circles(&modules.uses()) {
            found.push(format!("{}: {}", folder.display(), circle.join(", ")));
        }
    }
    assert!(found.is_empty(), "modules that use each other in a circle:\n{}", found.join("\n"));
}

#[test]
fn a_circle_through_a_reexport_or_a_parent_is_found() {
    let read = |files: &[(&str, &str)]| {
        let mut modules = Crate::default();
        for (names, code) in files {
            let names: Names = names.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
            modules.read_module(&names, code.parse().unwrap());
        }
        circles(&modules.uses())
    };
    let root = ("", "mod a; mod b; pub use a::{First, Second as Other}; pub struct Own;");
    assert!(read(&[root, ("a", "use crate::b::B;"), ("b", "struct B;")]).is_empty());
    // A re-export alone is no use.
    assert!(read(&[root, ("a", "use crate::Own;"), ("b", "")]).is_empty());
    let circle = |uses: &str| read(&[root, ("a", "use super::b::{self, c::{B, C}};"), ("b", uses)]);
    assert!(circle("use std::a::First; #[cfg(test)] mod tests { use crate::a::First; }").is_empty());
    for uses in [
        "use crate::First;",
        "use crate::{Own, Other};",
        "use super::a;",
        "fn f(x: super::a::First) {}",
        "m!(crate::a::f(1));",
    ] {
        assert_eq!(Vec::from_iter(circle(uses)), [["crate::a", "crate::b"]], "{uses}");
    }
    let parent = |uses: &str| read(&[("", "mod a; fn f() { a::g() }"), ("a", uses)]);
    assert_eq!(Vec::from_iter(parent("use crate::f;")), [["crate::", "crate::a"]]);
    assert!(parent("use crate::a::g;").is_empty());
}
