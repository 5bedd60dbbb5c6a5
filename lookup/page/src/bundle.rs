//! One script of many modules.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Error;
use crate::files::Files;
use crate::module::{Export, LOADER, Module, Names};

/// The modules of a folder, by name, put together from one that begins.
#[derive(Debug)]
pub(crate) struct Bundle<'a> {
    sources: &'a BTreeMap<String, String>,
    files: &'a Files,
    /// Those that are in the script, in its order, with what they are.
    order: Vec<(&'a str, Module<'a>)>,
    /// Those that import the one that is being read.
    path: Vec<&'a str>,
}

/// The script that `begins` is the last part of. Each module is a block of its own; what it exports is an object outside of
/// it, whose name is `$` and the module's number.
///
/// # Errors
/// If a module cannot be read, imports what is not there, is imported in a circle, or is not imported at all.
pub(crate) fn bundle(
    sources: &BTreeMap<String, String>,
    files: &Files,
    index: &str,
    begins: &str,
) -> Result<String, Error> {
    let mut bundle = Bundle { sources, files, order: Vec::new(), path: Vec::new() };
    bundle.add((index, 1), begins)?;
    if let Some(idle) = sources.keys().find(|name| bundle.number(name).is_none()) {
        return Err(Error::new(
            idle,
            1,
            format!("no module imports it: import it, directly or not, from {begins}, or delete it"),
        ));
    }
    bundle.script()
}

impl<'a> Bundle<'a> {
    fn number(&self, name: &str) -> Option<usize> {
        self.order.iter().position(|(known, _)| *known == name)
    }

    /// Adds a module, after those that it imports. `place` is where it is named.
    fn add(&mut self, place: (&str, usize), name: &str) -> Result<(), Error> {
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
        let module = Module::read(name, source, self.files)?;
        self.path.push(name);
        for import in &module.imports {
            self.add((name, import.line), import.from)?;
        }
        self.path.pop();
        self.order.push((name, module));
        Ok(())
    }

    fn script(&self) -> Result<String, Error> {
        let mut script = String::new();
        if self.order.iter().any(|(_, module)| module.loads) {
            script.push_str(&self.loader());
        }
        for (number, (name, module)) in self.order.iter().enumerate() {
            let last = number + 1 == self.order.len();
            if !last {
                let _ = writeln!(script, "let ${number};");
            }
            script.push_str("{\n");
            script.push_str(&self.imports(name, module)?);
            script.push_str(module.code.trim_end());
            script.push('\n');
            if !last {
                let export = |export: &Export| match export {
                    // Whoever reads it gets the value that it has then.
                    Export { name, changes: true } => format!("get {name}() {{ return {name}; }}"),
                    Export { name, .. } => (*name).to_owned(),
                };
                let exports: Vec<String> = module.exports.iter().map(export).collect();
                let _ = writeln!(script, "${number} = {{ {} }};", exports.join(", "));
            }
            script.push_str("}\n");
        }
        Ok(script)
    }

    /// The names that a module imports, declared.
    fn imports(&self, name: &str, module: &Module) -> Result<String, Error> {
        let mut declared = String::new();
        for import in &module.imports {
            let number = self.number(import.from).expect("imported modules come first");
            let exports = &self.order[number].1.exports;
            match &import.names {
                Names::All(all) => {
                    let _ = writeln!(declared, "const {all} = ${number};");
                }
                Names::Some(names) => {
                    for (imported, _) in names {
                        let what = match exports.iter().find(|export| export.name == *imported) {
                            Some(export) if !export.changes => continue,
                            Some(_) => {
                                "changes, and a bundle takes names over once; export a function that gives it"
                            }
                            None => "is not exported there",
                        };
                        let what = format!("'{imported}' of {} {what}", import.from);
                        return Err(Error::new(name, import.line, what));
                    }
                    let pair = |(name, other): &(&str, &str)| match name == other {
                        true => (*name).to_owned(),
                        false => format!("{name}: {other}"),
                    };
                    let names: Vec<String> = names.iter().map(pair).collect();
                    let _ = writeln!(declared, "const {{ {} }} = ${number};", names.join(", "));
                }
            }
        }
        Ok(declared)
    }

    /// What loads a module that is not in the script, by the name that sources have for it.
    fn loader(&self) -> String {
        let mut loader = "const $files = {\n".to_owned();
        for (name, by_content) in self.files.names() {
            if name.ends_with(".js") {
                let _ = writeln!(loader, "\"./{name}\": \"./{by_content}\",");
            }
        }
        let _ = write!(loader, "}};\nconst {LOADER} = (name) => import($files[name] ?? name);\n");
        loader
    }
}
