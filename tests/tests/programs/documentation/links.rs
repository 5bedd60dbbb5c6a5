//! Links between the pages, and to files of the repository.

use std::fs;

use super::pages::Page;

/// A link.
#[derive(Debug)]
pub(crate) struct Link {
    line: usize,
    /// The target as the page writes it.
    pub(crate) target: String,
}

/// Returns the links of a page, including pictures, but not links in code.
pub(crate) fn links(page: &Page) -> Vec<Link> {
    let mut links = Vec::new();
    let mut in_block = false;
    for (number, line) in page.text.lines().enumerate() {
        in_block ^= line.starts_with("```");
        if in_block {
            continue;
        }
        // Every second part is code.
        let text: String = line.split('`').step_by(2).collect();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            links.push(Link { line: number + 1, target: target.to_owned() });
        }
    }
    links
}

/// Returns the broken links of a page.
pub(crate) fn faults(page: &Page) -> Vec<String> {
    let faults =
        links(page).into_iter().filter(|link| !link.target.contains("://") && !resolves(page, &link.target));
    faults
        .map(|link| format!("{}:{}: nothing is at {}", page.path.display(), link.line, link.target))
        .collect()
}

/// Returns whether the target of a link exists: a file, and a heading in it if the link names one.
fn resolves(page: &Page, target: &str) -> bool {
    let (file, heading) =
        target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
    let folder = page.path.parent().expect("a page is in a folder");
    let path = if file.is_empty() { page.path.clone() } else { folder.join(file) };
    match heading {
        None => path.exists(),
        Some(heading) => {
            let text = fs::read_to_string(path).unwrap_or_default();
            let mut headings = text.lines().filter(|line| line.starts_with('#'));
            headings.any(|line| anchor(line) == heading)
        }
    }
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let letters = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    letters.map(|c| if c == ' ' { '-' } else { c }).collect()
}
