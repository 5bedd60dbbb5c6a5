//! The file of a picture.

use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, Write};

use bouton_draw::{Scene, png, svg};

use crate::args::Output;
use crate::commands::target::Target as Place;

/// Where a picture goes, after a look whether it can be written there.
pub(super) struct Target<'a> {
    output: &'a Output,
    /// Through a link to the file that it names, which is what is replaced.
    file: Place,
    /// SVG, or else PNG.
    is_svg: bool,
}

impl<'a> Target<'a> {
    /// Looks at the file's name and at what is there.
    pub(super) fn look(output: &'a Output) -> Result<Self, Box<dyn Error>> {
        let shown = output.file.display();
        let ending = output.file.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        let is_svg = ending.as_deref() == Some("svg");
        if !is_svg && ending.as_deref() != Some("png") {
            let error =
                format!("{shown} does not end in .svg or .png; name the picture FILE.svg or FILE.png");
            return Err(error.into());
        }
        let file = Place::named(&output.file);
        file.check(output.force, "exists", None)?;
        Ok(Self { output, file, is_svg })
    }

    /// Writes a picture, whole or not at all, and prints its size.
    pub(super) fn write(&self, scene: &Scene) -> Result<(), Box<dyn Error>> {
        let (bytes, scale) = if self.is_svg {
            (svg(scene).into_bytes(), 1)
        } else {
            // Without a size of its own, a picture is fine enough for screens of any kind.
            let usual = if self.output.size.is_some() { 1 } else { 2 };
            let scale = self.output.scale.unwrap_or(usual);
            (png(scene, scale)?, scale)
        };
        self.file.write(&bytes, self.output.force)?;
        if !self.output.quiet {
            let shown = self.output.file.display();
            let (width, height) = (scene.width * scale, scene.height * scale);
            writeln!(io::stdout().lock(), "{shown}: {width} x {height} pixels")?;
        }
        Ok(())
    }
}
