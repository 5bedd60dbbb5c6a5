//! One script of many modules.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Error;
use crate::files::Files;
use crate::module::{Export, LOADER, Module, Names};

/// A module, and all that it imports, directly or not.
#[derive(Debug)]
pub(crate) struct Bundle<'a> {
    sources: &'a BTreeMap<String, String>,
    /// The modules in their order: each after those that it imports.
    order: Vec<(&'a str, Module<'a>)>,
    /// Those that import the one that is being read.
    path: Vec<&'a str>,
}

impl<'a> Bundle<'a> {
    /// Reads a module and what it imports. `place` is the file and the line that name it.
    ///
    /// # Errors
    /// If one cannot be read, imports what is not there, or is imported in a circle.
    pub(crate) fn of(
        sources: &'a BTreeMap<String, String>,
        files: &Files,
        place: (&str, usize),
        name: &str,
    ) -> Result<Self, Error> {
        let mut bundle = Self { sources, order: Vec::new(), path: Vec::new() };
        bundle.add(files, place, name)?;
        Ok(bundle)
    }

    /// The names of all its modules.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &'a str> {
        self.order.iter().map(|(name, _)| *name)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.modules().position(|known| known == name)
    }

    /// Adds a module, after those that it imports.
    fn add(&mut self, files: &Files, place: (&str, usize), name: &str) -> Result<(), Error> {
        if self.number(name).is_some() {
            return Ok(());
        }
        let Some((name, source)) = self.sources.get_key_value(name) else {
            return Err(Error::new(place.0, place.1, format!("there is no module '{name}'")));
        };
        if let Some(at) = self.path.iter().position(|above| above == name) {
            let circle = [&self.path[at..], &[name]].concat().join(" imports ");
            return Err(Error::new(
                place.0,
                place.1,
                format!("modules import each other in a circle: {circle}"),
            ));
        }
        let module = Module::read(name, source, files)?;
        self.path.push(name);
        for import in &module.imports {
            self.add(files, (name, import.line), &import.from)?;
        }
        self.path.pop();
        self.order.push((name, module));
        Ok(())
    }

    /// The script of the page. `files` has those that it loads when it runs.
    ///
    /// # Errors
    /// If a module imports what another does not export.
    pub(crate) fn script(&self, files: &Files) -> Result<String, Error> {
        let loads = self.order.iter().any(|(_, module)| module.loads);
        Ok(if loads { loader(files) } else { String::new() } + &self.blocks()?)
    }

    /// A module by itself, which others load when they run. It has its own copies of what it imports.
    ///
    /// # Errors
    /// If it loads others itself, exports what may change, or imports what another does not export.
    pub(crate) fn apart(&self) -> Result<String, Error> {
        let (name, module) = self.order.last().expect("it has the module that it is of");
        if let Some((name, _)) = self.order.iter().find(|(_, module)| module.loads) {
            return Err(Error::new(name, 1, "a module that is loaded with import() loads no others"));
        }
        if let Some(export) = module.exports.iter().find(|export| export.changes) {
            let what =
                format!("'{}' changes, and those who load it would not see it; use 'const'", export.name);
            return Err(Error::new(name, 1, what));
        }
        let exports: Vec<&str> = module.exports.iter().map(|export| export.name).collect();
        let last = self.order.len() - 1;
        Ok(format!("{}export const {{ {} }} = ${last};\n", self.blocks()?, exports.join(", ")))
    }

    /// Each module is a block; what it exports is an object outside of it, whose name is `$` and the module's number.
    fn blocks(&self) -> Result<String, Error> {
        let mut script = String::new();
        for (number, (name, module)) in self.order.iter().enumerate() {
            let imports = self.imports(name, module)?;
            let code = module.code.trim_end();
            if module.exports.is_empty() {
                let _ = write!(script, "{{\n{imports}{code}\n}}\n");
                continue;
            }
            let export = |export: &Export| match export.passed {
                Some((import, name)) => {
                    let from =
                        self.number(&module.imports[import].from).expect("imported modules come first");
                    format!("{}: ${from}.{name}", export.name)
                }
                // Whoever reads it gets the value that it has then.
                None if export.changes => format!("get {0}() {{ return {0}; }}", export.name),
                None => export.name.to_owned(),
            };
            let exports: Vec<String> = module.exports.iter().map(export).collect();
            let exports = exports.join(", ");
            let _ = write!(script, "let ${number};\n{{\n{imports}{code}\n${number} = {{ {exports} }};\n}}\n");
        }
        Ok(script)
    }

    /// The names that a module imports, declared.
    fn imports(&self, name: &str, module: &Module) -> Result<String, Error> {
        let mut declared = String::new();
        for import in &module.imports {
            let number = self.number(&import.from).expect("imported modules come first");
            let exports = &self.order[number].1.exports;
            let (Names::Some(names) | Names::Passed(names)) = &import.names else {
                let Names::All(all) = import.names else { continue };
                let _ = writeln!(declared, "const {all} = ${number};");
                continue;
            };
            for (imported, _) in names {
                let what = match exports.iter().find(|export| export.name == *imported) {
                    Some(export) if !export.changes => continue,
                    Some(_) => "changes, and a bundle takes names over once; export a function that gives it",
                    None => "is not exported there",
                };
                return Err(Error::new(name, import.line, format!("'{imported}' of {} {what}", import.from)));
            }
            if matches!(import.names, Names::Passed(_)) {
                continue;
            }
            let pair = |(name, other): &(&str, &str)| match name == other {
                true => (*name).to_owned(),
                false => format!("{name}: {other}"),
            };
            let names: Vec<String> = names.iter().map(pair).collect();
            let _ = writeln!(declared, "const {{ {} }} = ${number};", names.join(", "));
        }
        Ok(declared)
    }
}

/// What loads a module that is a file of its own, by the name that sources have for it.
fn loader(files: &Files) -> String {
    let mut loader = "const $files = {\n".to_owned();
    for (name, by_content) in files.names().filter(|(name, _)| name.ends_with(".js")) {
        let _ = writeln!(loader, "\"./{name}\": \"./{by_content}\",");
    }
    let _ = write!(loader, "}};\nconst {LOADER} = (name) => import($files[name] ?? name);\n");
    loader
}
