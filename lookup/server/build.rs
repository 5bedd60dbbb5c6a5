//! Bundles and compresses the page's files, and writes their list for `src/page.rs`.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use bouton_page::{Files, Sources};

fn main() {
    println!("cargo:rerun-if-changed=page");
    if let Err(error) = make() {
        println!("cargo::error=the page: {error}");
    }
}

fn make() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let mut files = Files::default();
    let index = Sources::read(Path::new("page"))?.bundle(&mut files)?;
    let mut list = "&[\n".to_owned();
    let named = files.all().iter().map(|file| (&*file.name, &*file.bytes));
    for (name, bytes) in [("index.html", index.as_bytes())].into_iter().chain(named) {
        // Keep a compressed form only if it is shorter: otherwise it only costs the browser work.
        let (plain, gzip, brotli) = (put(&out, name, bytes)?, gzip(bytes)?, brotli(bytes)?);
        let compressed = |ending: &str, form: &[u8], than: usize| match form.len() < than {
            true => put(&out, &format!("{name}.{ending}"), form)
                .map(|path| format!("Some(include_bytes!({path:?}))")),
            false => Ok("None".to_owned()),
        };
        let brotli = compressed("br", &brotli, bytes.len().min(gzip.len()))?;
        let gzip = compressed("gz", &gzip, bytes.len())?;
        writeln!(
            list,
            "    PageFile {{ name: {name:?}, plain: include_bytes!({plain:?}), gzip: {gzip}, brotli: {brotli} }},"
        )?;
    }
    fs::write(out.join("page.rs"), list + "]\n")?;
    Ok(())
}

/// Writes a file, and returns its path.
fn put(out: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Box<dyn Error>> {
    let path = out.join(name);
    fs::write(&path, bytes)?;
    Ok(path)
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut compressed = Vec::new();
    let best = brotli::enc::BrotliEncoderParams { quality: 11, size_hint: bytes.len(), ..Default::default() };
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &best)?;
    Ok(compressed)
}
