//! Bundles a module and its imports into one script. Each module becomes a block, and its exports an object outside:
//! `b.js` with `import { a } from "./a.js"; f(a);` becomes `let $1; { const { a } = $0; f(a); $1 = {  }; }` after the
//! block of `a.js`.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Error;
use crate::files::Files;
use crate::module::{DynamicImport, Module};

/// A module and all its direct and indirect imports.
#[derive(Debug)]
pub(crate) struct Bundle<'a> {
    sources: &'a BTreeMap<String, String>,
    /// The names and modules in topological order: each after its imports.
    order: Vec<(&'a str, Module<'a>)>,
    /// The chain of importers of the module that is being read.
    path: Vec<&'a str>,
}

impl<'a> Bundle<'a> {
    /// Reads a module and its imports. `place` is the file and the line that name it.
    ///
    /// # Errors
    /// If a module uses unsupported syntax, imports a missing module, or is part of a circle.
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

    pub(crate) fn modules(&self) -> impl Iterator<Item = &'a str> {
        self.order.iter().map(|(name, _)| *name)
    }

    /// Returns the names and sources of the modules that the script loads at run time, with `import()`.
    ///
    /// # Errors
    /// If one of them is missing, or is part of the bundle.
    pub(crate) fn dynamic_modules(&self) -> Result<BTreeMap<&str, &str>, Error> {
        let mut loaded = BTreeMap::new();
        for (importer, module) in &self.order {
            for DynamicImport { module, line, .. } in &module.dynamic_imports {
                let error = |what: String| Err(Error::new(importer, *line, what));
                let Some(source) = self.sources.get(module) else {
                    return error(format!("there is no module '{module}'"));
                };
                if self.index_of(module).is_some() {
                    let what = "is imported, and so a part of the script; import it here too";
                    return error(format!("'{module}' {what}"));
                }
                loaded.insert(module.as_str(), source.as_str());
            }
        }
        Ok(loaded)
    }

    fn index_of(&self, name: &str) -> Option<usize> {
        self.modules().position(|known| known == name)
    }

    /// Adds a module after its imports.
    fn add(&mut self, files: &Files, place: (&str, usize), name: &str) -> Result<(), Error> {
        if self.index_of(name).is_some() {
            return Ok(());
        }
        let error = |what: String| Err(Error::new(place.0, place.1, what));
        let Some((name, source)) = self.sources.get_key_value(name) else {
            return error(format!("there is no module '{name}'"));
        };
        if let Some(at) = self.path.iter().position(|importer| importer == name) {
            let circle = [&self.path[at..], &[name]].concat().join(" imports ");
            return error(format!("modules import each other in a circle: {circle}"));
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

    /// Returns the script of the page. Each module is a block; its exports are an object outside, named `$` and the
    /// number of the module. `files` must have the modules that it loads at run time.
    ///
    /// # Errors
    /// If a module imports a name that the other module does not export.
    pub(crate) fn script(&self, files: &Files) -> Result<String, Error> {
        let mut script = String::new();
        for (number, (name, module)) in self.order.iter().enumerate() {
            let imports = self.imports(name, module)?;
            let code = module.code(files);
            let code = code.trim_end();
            let exports = module.exports.join(", ");
            let _ = write!(script, "let ${number};\n{{\n{imports}{code}\n${number} = {{ {exports} }};\n}}\n");
        }
        Ok(script)
    }

    /// Returns declarations of the names that a module imports.
    fn imports(&self, name: &str, module: &Module) -> Result<String, Error> {
        let mut declared = String::new();
        for import in &module.imports {
            let number = self.index_of(&import.from).expect("imported modules come first");
            let exports = &self.order[number].1.exports;
            if let [("*", object)] = import.names[..] {
                let _ = writeln!(declared, "const {object} = ${number};");
                continue;
            }
            if let Some((absent, _)) = import.names.iter().find(|(name, _)| !exports.contains(name)) {
                let what = format!("'{absent}' of {} is not exported there", import.from);
                return Err(Error::new(name, import.line, what));
            }
            let renamed = |(name, other): &(&str, &str)| match name == other {
                true => (*name).to_owned(),
                false => format!("{name}: {other}"),
            };
            let names: Vec<String> = import.names.iter().map(renamed).collect();
            let _ = writeln!(declared, "const {{ {} }} = ${number};", names.join(", "));
        }
        Ok(declared)
    }
}
