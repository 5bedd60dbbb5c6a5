//! Reads `index.html`: the script and the style sheets that it names.

use crate::Error;

/// The script and the style sheets that the page names, and the page itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PageIndex<'a> {
    /// The main module.
    pub(crate) script: &'a str,
    /// The style sheets, in their order.
    pub(crate) styles: Vec<&'a str>,
    /// The page, with a link to the first style sheet only.
    pub(crate) html: String,
}

const FILE: &str = "index.html";

/// Finds the script and the style sheets that the page names.
///
/// # Errors
/// If the page has no script or several, or names a script or style sheet in an unsupported form.
pub(crate) fn read(html: &str) -> Result<PageIndex<'_>, Error> {
    let (mut scripts, mut styles, mut page) = (Vec::new(), Vec::new(), String::new());
    for (number, line) in html.split_inclusive('\n').enumerate() {
        let named = |before: &str, after: &str| line.trim().strip_prefix(before)?.strip_suffix(after);
        if let Some(script) = named("<script type=\"module\" src=\"page/", "\"></script>") {
            scripts.push(script);
        } else if let Some(style) = named("<link rel=\"stylesheet\" href=\"page/", "\" />") {
            styles.push(style);
            if styles.len() > 1 {
                continue;
            }
        } else if line.contains("<script") || line.contains("stylesheet") {
            let what = "a script is named as <script type=\"module\" src=\"page/NAME\"></script>, and a style sheet as \
                        <link rel=\"stylesheet\" href=\"page/NAME\" />, in a line of its own";
            return Err(Error::new(FILE, number + 1, what));
        }
        page.push_str(line);
    }
    let [script] = scripts[..] else {
        let what = format!("found {} scripts, expected one, which imports the others", scripts.len());
        return Err(Error::new(FILE, 1, what));
    };
    Ok(PageIndex { script, styles, html: page })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_found_and_only_the_first_style_sheet_stays_linked() {
        let html = "<head>\n  <link rel=\"stylesheet\" href=\"page/a.css\" />\n  <link rel=\"stylesheet\" href=\"page/b.css\" />\n  \
                    <script type=\"module\" src=\"page/main.js\"></script>\n</head>\n";
        let named = read(html).unwrap();
        assert_eq!((named.script, named.styles), ("main.js", vec!["a.css", "b.css"]));
        assert_eq!(named.html, html.replace("  <link rel=\"stylesheet\" href=\"page/b.css\" />\n", ""));
    }

    #[test]
    fn other_ways_to_name_scripts_and_style_sheets_are_refused() {
        for (html, line) in [
            ("\n", 1),
            ("\n<script src=\"page/x.js\"></script>", 2),
            ("<script type=\"module\" src=\"page/x.js\"></script>\n".repeat(2).leak(), 1),
            ("<link href=\"page/a.css\" rel=\"stylesheet\" />", 1),
        ] {
            assert_eq!(read(html).unwrap_err().line, line, "{html}");
        }
    }
}
