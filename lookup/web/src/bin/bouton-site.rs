//! Puts together the page without a server: the page's files, those that stand for the service, and the program. A folder for a web
//! host, or a single file that works from a disk.
//!
//! `lookup/web/build` runs it.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use base64::prelude::{BASE64_STANDARD, Engine};
use bouton_answers::{Asked, OwnLimits, State, about, built_in};
use bouton_generator::generate_in_memory;
use bouton_lookup::Policy;
use bouton_page::Sources;
use bouton_tables::{Table, write_whole};
use flate2::Compression;
use flate2::write::GzEncoder;
use percent_encoding::{AsciiSet, CONTROLS, percent_encode};
use serde_json::{Map, Value, json};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let made = match &args[..] {
        [program, folder] => make_folder(program.as_ref(), folder.as_ref()),
        [option, program, file] if option == "--one-file" => make_file(program.as_ref(), file.as_ref()),
        _ => {
            let usage =
                "usage: bouton-site PROGRAM.wasm FOLDER, or bouton-site --one-file PROGRAM.wasm FILE.html";
            let _ = writeln!(std::io::stderr(), "{usage}");
            return ExitCode::from(2);
        }
    };
    match made {
        Ok(told) => {
            let _ = writeln!(std::io::stdout(), "{told}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "bouton-site: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The page's file among those that are put together.
fn site(name: &str) -> Result<String, Box<dyn Error>> {
    Ok(fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("site").join(name))?)
}

/// Puts the page together, which names the files that are in `loaded` then, or has them in itself. `change` is made to its HTML first.
fn page(
    program: Vec<u8>,
    loaded: &mut bouton_page::Files,
    change: impl FnOnce(&str) -> Result<String, String>,
) -> Result<String, Box<dyn Error>> {
    // Each may name those before it.
    loaded.put("bouton.wasm", program);
    loaded.put("games.json", games()?.to_string().into_bytes());
    loaded.put_module("worker.js", &site("worker.js")?)?;
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../server/page");
    let mut sources = Sources::read(&folder)?;
    sources.put("index.html", change(&fs::read_to_string(folder.join("index.html"))?)?);
    // The page's own asks a server.
    sources.put("transport.js", site("transport.js")?);
    Ok(sources.make(loaded)?)
}

/// Writes all files for a web host, and says what there is.
fn make_folder(program: &Path, folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut loaded = bouton_page::Files::default();
    // What the page asks for first is a file here.
    let change = |page: &str| once(page, "href=\"api/tables\"", "href=\"page/games.json\"");
    let page = page(fs::read(program)?, &mut loaded, change)?;

    let former = former(folder)?;
    let mut files = Files { folder, written: Vec::new() };
    files.write("index.html", with_policy(&page, POLICY, MANIFEST)?.as_bytes())?;
    for file in loaded.all() {
        files.write(&format!("page/{}", file.name), &file.bytes)?;
    }
    let manifest = loaded.named("manifest.webmanifest", &site("manifest.webmanifest")?)?;
    files.write("manifest.webmanifest", manifest.as_bytes())?;
    files.remove(&former)?;
    files.write_offline(&site("offline.js")?)?;
    let bytes: usize = files.written.iter().map(|(_, bytes, _)| bytes).sum();
    Ok(format!("{}: {} files, {} KB", folder.display(), files.written.len(), bytes / 1000))
}

/// Writes the page as a single file, and says how long it is.
fn make_file(program: &Path, file: &Path) -> Result<String, Box<dyn Error>> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::best());
    compressed.write_all(&fs::read(program)?)?;
    let mut inside = bouton_page::Files::in_one(data_address);
    // What is in the page need not be fetched early.
    let change = |page: &str| once(page, PRELOAD, "");
    let page = page(compressed.finish()?, &mut inside, change)?;
    let page = with_policy(&page, POLICY_OF_FILE, "")?;
    write_whole(file, page.as_bytes(), true)
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    Ok(format!("{}: {} KB", file.display(), page.len() / 1000))
}

/// Where the page tells browsers to ask for the list of games.
const PRELOAD: &str = "<link rel=\"preload\" href=\"api/tables\" as=\"fetch\" crossorigin=\"anonymous\" />";

/// All that is not taken for itself in an address that stands in JavaScript or HTML in double quotes.
const ENCODED: &AsciiSet =
    &CONTROLS.add(b'%').add(b'#').add(b'"').add(b'\\').add(b'&').add(b'<').add(b'>').add(b'`');

/// The address that has a file in itself.
fn data_address(name: &str, bytes: &[u8]) -> String {
    let kind = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        // It comes compressed.
        "wasm" => return format!("data:application/gzip;base64,{}", BASE64_STANDARD.encode(bytes)),
        "css" => "text/css",
        "js" => "text/javascript",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
    format!("data:{kind};charset=utf-8,{}", percent_encode(bytes, ENCODED))
}

/// How the line of `offline.js` begins that lists the files of a site.
const LIST: &str = "const FILES = ";

/// The files of the site that is in a folder, without `offline.js`; none if the folder is missing or empty.
fn former(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    if !folder.exists() || fs::read_dir(folder)?.next().is_none() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(folder.join("offline.js")).unwrap_or_default();
    let list = text.lines().find_map(|line| line.strip_prefix(LIST)?.strip_suffix(';'));
    let names: Option<Vec<String>> = list.and_then(|list| serde_json::from_str(list).ok());
    let inside =
        |name: &String| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let files = names.and_then(|names| match names.split_first() {
        Some((first, files)) if first == "./" && files.iter().all(inside) => Some(files.to_vec()),
        _ => None,
    });
    files.ok_or_else(|| {
        let found = folder.display();
        format!("{found} is not empty and has no site; give a folder that is missing or empty, or has a site")
            .into()
    })
}

/// What is written, with the length and digest of each.
struct Files<'a> {
    folder: &'a Path,
    written: Vec<(String, usize, blake3::Hash)>,
}

impl Files<'_> {
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        let path = self.folder.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        self.written.push((name.to_owned(), bytes.len(), blake3::hash(bytes)));
        Ok(())
    }

    /// Removes those of a former site that are not written again.
    fn remove(&self, former: &[String]) -> Result<(), Box<dyn Error>> {
        for name in former.iter().filter(|&name| !self.written.iter().any(|(written, ..)| written == name)) {
            let path = self.folder.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(format!("cannot remove {}: {error}", path.display()).into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The file that keeps the others: it names them all, and changes with any.
    fn write_offline(&mut self, template: &str) -> Result<(), Box<dyn Error>> {
        let mut all = blake3::Hasher::new();
        for (_, _, digest) in &self.written {
            all.update(digest.as_bytes());
        }
        let version = &all.finalize().to_hex()[..16];
        let names = self.written.iter().map(|(name, ..)| if name == "index.html" { "./" } else { name });
        let names = serde_json::to_string(&Vec::from_iter(names))?;
        // Comments stand in lines of their own.
        let lines =
            template.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['/', '*']));
        let text = Vec::from_iter(lines).join("\n").replace("@VERSION@", version).replace("@FILES@", &names);
        self.write("offline.js", text.as_bytes())
    }
}

/// What a page may do is said in the page, as there is no server that says it.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; \
                      form-action 'none'";

/// What tells browsers that the page can be kept.
const MANIFEST: &str = "\n    <link rel=\"manifest\" href=\"manifest.webmanifest\" />";

/// What a page may do that is a single file: it reaches nothing at all but what is in it. `lookup/web/build` knows such a file by this.
const POLICY_OF_FILE: &str = "default-src 'none'; script-src data: 'wasm-unsafe-eval'; style-src data:; img-src data:; \
                              connect-src data:; worker-src data:; base-uri 'none'; form-action 'none'";

/// The page with what it may do, and what else its head has.
fn with_policy(html: &str, policy: &str, more: &str) -> Result<String, String> {
    let head = "<meta charset=\"utf-8\" />";
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\" />");
    once(html, head, &format!("{head}\n    {policy}{more}"))
}

/// The page with something else in place of what stands in it once.
fn once(html: &str, what: &str, instead: &str) -> Result<String, String> {
    match html.matches(what).count() {
        1 => Ok(html.replace(what, instead)),
        found => Err(format!("the page has {found} times {what}, and one is expected")),
    }
}

/// What a board shows at the beginning is sent along up to this length in JSON: Moore's game has hundreds of moves, which every first
/// visit would pay for.
const LONGEST_STATE: usize = 10_000;

/// The games, what the board shows at the beginning of most, and the rules of each as names spell them.
fn games() -> Result<Value, Box<dyn Error>> {
    let (mut tables, mut states, mut rulesets) = (Vec::new(), Map::new(), Map::new());
    for (name, ruleset) in built_in() {
        let table = Table::open(generate_in_memory(&ruleset, true)?)?;
        let about = about(&table, name.clone(), "built in");
        let position = about.suggested.clone();
        let state = Asked::new(table).ask(State { position, policy: Policy::default() })?;
        rulesets.insert(name.clone(), ruleset.spelling().into());
        let state = serde_json::to_value(state)?;
        if state.to_string().len() <= LONGEST_STATE {
            states.insert(name, state);
        }
        tables.push(about);
    }
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(json!({
        "tables": tables,
        "states": states,
        "rulesets": rulesets,
        "solve_limit": bouton_web::OWN_POSITIONS,
        "own_limits": OwnLimits::ALL,
    }))
}
