//! Builds the variant of the page that needs no server, from the page's files, the modules that replace the service,
//! and the WebAssembly program: a folder for a web host, or a single file that works from a disk. `lookup/web/build`
//! runs this program.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use base64::prelude::{BASE64_STANDARD, Engine};
use bouton_answers::{Answerer, OwnLimits, StateQuestion, about, built_in};
use bouton_generator::generate_in_memory;
use bouton_lookup::Policy;
use bouton_page::Sources;
use bouton_tables::{Table, write_whole};
use flate2::Compression;
use flate2::write::GzEncoder;
use percent_encoding::{AsciiSet, CONTROLS, percent_encode};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

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
        Ok(report) => {
            let _ = writeln!(std::io::stdout(), "{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "bouton-site: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads a file of `lookup/web/site`.
fn read_site_file(name: &str) -> Result<String, Box<dyn Error>> {
    Ok(fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("site").join(name))?)
}

/// Builds the page, and adds the files that it loads to `loaded`, which keeps them as files or embeds them. Applies
/// `change` to the page's HTML first.
fn build_page(
    program: Vec<u8>,
    loaded: &mut bouton_page::Files,
    change: impl FnOnce(&str) -> Result<String, String>,
) -> Result<String, Box<dyn Error>> {
    // Each file may refer only to files added before it.
    loaded.add("bouton.wasm", program);
    loaded.add("games.json", games()?.to_string().into_bytes());
    loaded.add_module("worker.js", &read_site_file("worker.js")?)?;
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../server/page");
    let mut sources = Sources::read(&folder)?;
    sources.insert("index.html", change(&fs::read_to_string(folder.join("index.html"))?)?);
    // Replaces the module that asks a server.
    sources.insert("transport.js", read_site_file("transport.js")?);
    Ok(sources.bundle(loaded)?)
}

/// Writes all files for a web host, and returns a summary.
fn make_folder(program: &Path, folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut loaded = bouton_page::Files::default();
    // Without a service, a file answers the page's first request.
    let change = |page: &str| replace_once(page, "href=\"api/tables\"", "href=\"page/games.json\"");
    let page = build_page(fs::read(program)?, &mut loaded, change)?;

    let former = former_files(folder)?;
    let page = with_policy(&page, SITE_POLICY, MANIFEST)?;
    let mut files = vec![("index.html".to_owned(), page.into_bytes())];
    files.extend(loaded.all().iter().map(|file| (format!("page/{}", file.name), file.bytes.clone())));
    let manifest = loaded.with_names("manifest.webmanifest", &read_site_file("manifest.webmanifest")?)?;
    files.push(("manifest.webmanifest".to_owned(), manifest.into_bytes()));
    for (name, bytes) in &files {
        write_file(folder, name, bytes)?;
    }
    for name in former.iter().filter(|&name| !files.iter().any(|(written, _)| written == name)) {
        let path = folder.join(name);
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(format!("cannot remove {}: {error}", path.display()).into());
        }
    }
    let offline = service_worker(&read_site_file("offline.js")?, &files)?;
    write_file(folder, "offline.js", offline.as_bytes())?;
    let bytes: usize = offline.len() + files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    Ok(format!("{}: {} files, {} KB", folder.display(), files.len() + 1, bytes / 1000))
}

/// Writes the page as a single file, and returns a summary.
fn make_file(program: &Path, file: &Path) -> Result<String, Box<dyn Error>> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::best());
    compressed.write_all(&fs::read(program)?)?;
    let mut files = bouton_page::Files::embedded(data_address);
    // The list of games is embedded, so there is nothing to preload.
    let change = |page: &str| replace_once(page, PRELOAD, "");
    let page = build_page(compressed.finish()?, &mut files, change)?;
    let script = files.inline_script().ok_or("the page has no script")?;
    let page = with_policy(&page, &file_policy(script), "")?;
    write_whole(file, page.as_bytes(), true)
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    Ok(format!("{}: {} KB", file.display(), page.len() / 1000))
}

/// The hint in the page to preload the list of games.
const PRELOAD: &str = "<link rel=\"preload\" href=\"api/tables\" as=\"fetch\" crossorigin=\"anonymous\" />";

/// Characters to encode in an address inside double quotes in JavaScript or HTML.
const ENCODED: &AsciiSet =
    &CONTROLS.add(b'%').add(b'#').add(b'"').add(b'\\').add(b'&').add(b'<').add(b'>').add(b'`');

/// Returns the `data:` address that embeds a file.
fn data_address(name: &str, bytes: &[u8]) -> String {
    let media_type = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        // The program is compressed.
        "wasm" => return format!("data:application/gzip;base64,{}", BASE64_STANDARD.encode(bytes)),
        "css" => "text/css",
        "js" => "text/javascript",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
    format!("data:{media_type};charset=utf-8,{}", percent_encode(bytes, ENCODED))
}

/// Beginning of the line in `offline.js` that lists the files of a site.
const LIST_PREFIX: &str = "const FILES = ";

/// Returns the names of the files of an earlier site in a folder, except `index.html` and `offline.js`; none if the
/// folder is missing or empty.
fn former_files(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    if !folder.exists() || fs::read_dir(folder)?.next().is_none() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(folder.join("offline.js")).unwrap_or_default();
    let list = text.lines().find_map(|line| line.strip_prefix(LIST_PREFIX)?.strip_suffix(';'));
    let names: Option<Vec<String>> = list.and_then(|list| serde_json::from_str(list).ok());
    let is_inside =
        |name: &String| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let files = names.and_then(|names| match names.split_first() {
        Some((first, files)) if first == "./" && files.iter().all(is_inside) => Some(files.to_vec()),
        _ => None,
    });
    files.ok_or_else(|| {
        let found = folder.display();
        format!("{found} is not empty and has no site; give a folder that is missing or empty, or has a site")
            .into()
    })
}

fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let path = folder.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Returns the service worker, which caches the other files. It lists their names, and its version changes with the
/// content of each.
fn service_worker(template: &str, files: &[(String, Vec<u8>)]) -> Result<String, Box<dyn Error>> {
    let mut content = blake3::Hasher::new();
    for (_, bytes) in files {
        content.update(blake3::hash(bytes).as_bytes());
    }
    let version = &content.finalize().to_hex()[..16];
    let names = files.iter().map(|(name, _)| if name == "index.html" { "./" } else { name });
    let names = serde_json::to_string(&Vec::from_iter(names))?;
    // Remove comments, which are on separate lines.
    let lines =
        template.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['/', '*']));
    Ok(Vec::from_iter(lines).join("\n").replace("@VERSION@", version).replace("@FILES@", &names))
}

/// Content security policy of a site. It is part of the page, since no server sends it as a header.
const SITE_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; \
                           object-src 'none'; base-uri 'none'; form-action 'none'";

/// Link to the manifest, which lets browsers install the page.
const MANIFEST: &str = "\n    <link rel=\"manifest\" href=\"manifest.webmanifest\" />";

/// Returns the content security policy of a single file: it may load nothing from outside, and run no other inline script.
/// `lookup/web/build` recognizes a single file by the beginning of this text.
fn file_policy(script: &str) -> String {
    let digest = BASE64_STANDARD.encode(Sha256::digest(script));
    format!(
        "default-src 'none'; script-src data: 'sha256-{digest}' 'wasm-unsafe-eval'; style-src data:; img-src data:; \
         connect-src data:; worker-src data:; base-uri 'none'; form-action 'none'"
    )
}

/// Inserts the policy and more tags into the head of the page.
fn with_policy(html: &str, policy: &str, more: &str) -> Result<String, String> {
    let head = "<meta charset=\"utf-8\" />";
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\" />");
    replace_once(html, head, &format!("{head}\n    {policy}{more}"))
}

/// Replaces a text that must occur exactly once in the page.
fn replace_once(html: &str, old: &str, new: &str) -> Result<String, String> {
    match html.matches(old).count() {
        1 => Ok(html.replace(old, new)),
        found => Err(format!("the page contains {old} {found} times, expected once")),
    }
}

/// Maximum size of a first state in the list of games, in bytes. Moore's game has hundreds of moves, which would slow
/// down every first visit.
const MAX_STATE_BYTES: usize = 10_000;

/// Returns the list of games, with the spelling of their rules, and with the first states that are short.
fn games() -> Result<Value, Box<dyn Error>> {
    let (mut tables, mut states, mut rulesets) = (Vec::new(), Map::new(), Map::new());
    for (name, ruleset) in built_in() {
        let table = Table::open(generate_in_memory(&ruleset, true)?)?;
        let about = about(&table, name.clone(), "built in");
        let position = about.suggested.clone();
        let state = Answerer::new(table).answer(StateQuestion { position, policy: Policy::default() })?;
        rulesets.insert(name.clone(), ruleset.spelling().into());
        let state = serde_json::to_value(state)?;
        if state.to_string().len() <= MAX_STATE_BYTES {
            states.insert(name, state);
        }
        tables.push(about);
    }
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(json!({
        "tables": tables,
        "states": states,
        "rulesets": rulesets,
        "solve_limit": bouton_web::MAX_OWN_POSITIONS,
        "own_limits": OwnLimits::ALL,
    }))
}
