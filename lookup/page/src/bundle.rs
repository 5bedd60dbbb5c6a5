//! Bundles a module and its imports into one script. Each module becomes a block, and its exports an object outside:
//! `b.js` with `import { a } from "./a.js"; f(a);` becomes `let $1; { const { a } = $0; f(a); $1 = {  }; }` after the
//! block of `a.js`.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Error;
use crate::files::Files;
use crate::module::{Import, Module};

/// Loads a module at run time. Firefox remembers that it could not fetch a module, and sends no further request to the same
/// address; with another fragment it is another address.
pub(crate) const LOADER: &str = "const $failures = new Map();
const $load = (file) => {
  const failures = $failures.get(file) ?? 0;
  return import(failures ? `${file}#${failures}` : file).catch((error) => {
    $failures.set(file, failures + 1);
    throw error;
  });
};
";

/// Collects a module and all its direct and indirect imports.
pub(crate) struct Bundler<'a, 'f> {
    texts: &'a BTreeMap<&'a str, &'a str>,
    files: &'f mut Files,
    /// The names and modules in topological order: each after its imports.
    modules: Vec<(&'a str, Module<'a>)>,
    /// The chain of importers of the module that is being read.
    path: Vec<&'a str>,
}

impl<'a, 'f> Bundler<'a, 'f> {
    /// Prepares to bundle some of the modules in `texts`. Modules that are loaded at run time go to `files`.
    pub(crate) fn new(texts: &'a BTreeMap<&'a str, &'a str>, files: &'f mut Files) -> Self {
        Self { texts, files, modules: Vec::new(), path: Vec::new() }
    }

    fn index_of(&self, name: &str) -> Option<usize> {
        self.modules.iter().position(|(known, _)| *known == name)
    }

    /// Adds a module after its imports. `place` is the file and the line that name it.
    ///
    /// # Errors
    /// If a module uses unsupported syntax, imports a missing module, or is part of a circle.
    pub(crate) fn add(&mut self, place: (&str, usize), name: &str) -> Result<(), Error> {
        if self.index_of(name).is_some() {
            return Ok(());
        }
        let error = |what: String| Err(Error::new(place.0, place.1, what));
        let Some((&name, source)) = self.texts.get_key_value(name) else {
            return error(format!("there is no module '{name}'"));
        };
        if let Some(at) = self.path.iter().position(|importer| *importer == name) {
            let circle = [&self.path[at..], &[name]].concat().join(" imports ");
            return error(format!("modules import each other in a circle: {circle}"));
        }
        let module = Module::read(name, source, Some(self.texts), self.files)?;
        self.path.push(name);
        for import in &module.imports {
            self.add((name, import.line), &import.from)?;
        }
        self.path.pop();
        self.modules.push((name, module));
        Ok(())
    }

    /// Returns the script, and the names of its modules. In the script, after [`LOADER`] if a module uses it, each module
    /// is a block; its exports are an object outside, named `$` and the number of the module.
    ///
    /// # Errors
    /// If a module imports a name that the other module does not export, or loads a module of the script at run time.
    pub(crate) fn script(self) -> Result<(String, Vec<&'a str>), Error> {
        let mut script = String::new();
        if self.modules.iter().any(|(_, module)| !module.loads.is_empty()) {
            script.push_str(LOADER);
        }
        for (number, (name, module)) in self.modules.iter().enumerate() {
            if let Some((load, line)) = module.loads.iter().find(|(load, _)| self.index_of(load).is_some()) {
                let what = format!("'{load}' is imported, and so a part of the script; import it here too");
                return Err(Error::new(name, *line, what));
            }
            let _ = writeln!(script, "let ${number};\n{{");
            for import in &module.imports {
                let _ = writeln!(script, "{}", self.declaration(name, import)?);
            }
            let (code, exports) = (module.code.trim(), module.exports.join(", "));
            let _ = writeln!(script, "{code}\n${number} = {{ {exports} }};\n}}");
        }
        Ok((script, self.modules.into_iter().map(|(name, _)| name).collect()))
    }

    /// Returns the declaration of the names that a module imports from another.
    fn declaration(&self, name: &str, import: &Import) -> Result<String, Error> {
        let number = self.index_of(&import.from).expect("imported modules come first");
        if let [("*", object)] = import.names[..] {
            return Ok(format!("const {object} = ${number};"));
        }
        let exports = &self.modules[number].1.exports;
        if let Some((absent, _)) = import.names.iter().find(|(name, _)| !exports.contains(name)) {
            let what = format!("'{absent}' of {} is not exported there", import.from);
            return Err(Error::new(name, import.line, what));
        }
        let names: Vec<String> = import.names.iter().map(|(name, here)| format!("{name}: {here}")).collect();
        Ok(format!("const {{ {} }} = ${number};", names.join(", ")))
    }
}
