//! The file of a picture.

use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

use bouton_draw::{Scene, one_below_the_other, pdf, pdf_of_pages, png, svg, tikz};
use bouton_shell::Target as Place;
use clap::ValueEnum;

/// What a file is; by the ending of its name, unless it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Scalable Vector Graphics
    Svg,
    /// Pixels
    Png,
    /// For print, with its font in it
    Pdf,
    /// A tikzpicture for LaTeX
    Tex,
}

impl Format {
    fn of(file: &Path) -> Result<Self, String> {
        let ending = file.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("pdf") => Ok(Self::Pdf),
            Some("tex") => Ok(Self::Tex),
            _ => Err(format!(
                "{} does not end in .svg, .png, .pdf or .tex; name the picture for example FILE.svg, or say what it is with --format",
                file.display()
            )),
        }
    }
}

/// Where a picture goes, after a look whether it can be written there.
pub(crate) struct Target {
    place: Place,
    format: Format,
    force: bool,
}

impl Target {
    /// Looks at the file's name, unless the format is told, and at what is there. A `scale` is for pixels.
    pub(crate) fn look(
        named: &Path,
        format: Option<Format>,
        force: bool,
        scale: Option<u32>,
    ) -> Result<Self, Box<dyn Error>> {
        let format = format.map_or_else(|| Format::of(named), Ok)?;
        if let Some(scale) = scale.filter(|_| format != Format::Png) {
            return Err(format!(
                "--scale {scale}: only a PNG has pixels, and {} is drawn at any scale; leave --scale out, give a --size, or name the \
                 picture FILE.png",
                named.display()
            )
            .into());
        }
        let place = Place::named(named);
        let binary = matches!(format, Format::Png | Format::Pdf).then_some("such a picture");
        place.check(force, "exists", binary)?;
        Ok(Self { place, format, force })
    }

    /// Writes a picture, whole or not at all; a PNG has `scale` pixels for each unit. Gives its size in words.
    pub(crate) fn write(&self, scene: &Scene, scale: u32) -> Result<String, Box<dyn Error>> {
        let pixels = |scale: u32| format!("{} x {} pixels", scene.width * scale, scene.height * scale);
        let (bytes, size) = match self.format {
            Format::Svg => (svg(scene).into_bytes(), pixels(1)),
            Format::Png => (png(scene, scale)?, pixels(scale)),
            Format::Pdf => (pdf(scene)?, millimetres(scene)),
            Format::Tex => (tikz(scene)?.into_bytes(), millimetres(scene)),
        };
        self.write_bytes(&bytes)?;
        Ok(size)
    }

    /// Writes pages: as such to a PDF, and below each other to another file. Gives their number and size in words.
    pub(crate) fn write_pages(&self, pages: &[Scene], scale: u32) -> Result<String, Box<dyn Error>> {
        match pages {
            [first, _, ..] if self.format == Format::Pdf => {
                self.write_bytes(&pdf_of_pages(pages)?)?;
                Ok(format!("{} pages of {}", pages.len(), millimetres(first)))
            }
            _ => self.write(&one_below_the_other(pages), scale),
        }
    }

    fn write_bytes(&self, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        self.place.write(bytes, self.force)
    }

    /// Prints something about the file.
    pub(crate) fn tell(&self, what: &str) -> io::Result<()> {
        writeln!(self.place.report(false, false), "{}: {what}", self.place)
    }
}

fn millimetres(scene: &Scene) -> String {
    let (width, height) = scene.millimetres();
    format!("{width:.1} x {height:.1} mm")
}
