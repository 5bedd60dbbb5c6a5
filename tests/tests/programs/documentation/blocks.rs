//! Blocks of code in a page, and the output that they quote.

use std::fmt;

/// How a block is checked. A comment on the line above the block, which readers do not see, selects the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// `<!-- not run: REASON -->`: not checked here. `tests/python/run` runs Python sessions: blocks that begin with the
    /// prompt.
    NotRun(String),
    /// `<!-- file NAME -->`: the content of a file for later commands.
    File(String),
    /// `<!-- in the background -->`, or `<!-- in the background, at ADDRESS -->`: the command runs until the page
    /// ends. A command that listens at an address gets a free port, also where the page names the address later.
    Background(Option<String>),
    /// No comment, or `<!-- exit status N -->`: the commands succeed, or the last one exits with N. In a block
    /// `console`, each command follows a `$`, and its output comes after it. A block `sh` is one script, whose output
    /// is not compared.
    Run(i32),
}

/// A block of code.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The page and the line of the block's start.
    location: String,
    language: String,
    /// The code.
    pub(crate) text: String,
    /// How the block is checked.
    pub(crate) check: Check,
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.location)
    }
}

/// Returns all blocks of a page.
pub(crate) fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    let mut above = "";
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let location = format!("{page}:{}", number + 1);
            let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            let text: String = inside.map(|line| format!("{line}\n")).collect();
            let check = match language {
                "python" if text.starts_with(">>> ") => Check::NotRun("tests/python/run runs it".to_owned()),
                _ => check(above).unwrap_or_else(|| panic!("{location}: what does '{above}' mean?")),
            };
            found.push(Block { location, language: language.to_owned(), text, check });
        }
        above = line;
    }
    found
}

/// Returns the check selected by the line above a block; `None` for an unknown comment.
fn check(above: &str) -> Option<Check> {
    let Some(comment) = above.strip_prefix("<!-- ") else { return Some(Check::Run(0)) };
    let comment = comment.strip_suffix(" -->")?;
    if let Some(reason) = comment.strip_prefix("not run: ") {
        return Some(Check::NotRun(reason.to_owned()));
    }
    if let Some(name) = comment.strip_prefix("file ") {
        return Some(Check::File(name.to_owned()));
    }
    if let Some(status) = comment.strip_prefix("exit status ") {
        return Some(Check::Run(status.parse().ok()?));
    }
    match comment.strip_prefix("in the background")? {
        "" => Some(Check::Background(None)),
        rest => Some(Check::Background(Some(rest.strip_prefix(", at ")?.to_owned()))),
    }
}

impl Block {
    /// Returns the fault of a block that cannot be checked, and is not marked as not run.
    pub(crate) fn fault(&self) -> Option<String> {
        let is_runnable = matches!(&*self.language, "sh" | "console");
        let fault = match &self.check {
            Check::NotRun(reason) if reason.is_empty() => "does not say why it is not run",
            Check::Run(_) if !is_runnable => {
                "is neither run nor marked: put <!-- not run: REASON --> on the line above it"
            }
            Check::Run(_) if self.commands().is_empty() => "has no command: each begins with '$ '",
            Check::Background(_) if self.text.lines().count() != 1 => {
                "needs exactly one command for the background"
            }
            _ => return None,
        };
        Some(format!("{self}: this block {fault}"))
    }

    /// Returns the commands of the block with their quoted output.
    pub(crate) fn commands(&self) -> Vec<QuotedCommand> {
        if self.language == "sh" {
            return vec![QuotedCommand { text: format!("set -e\n{}", self.text), prints: None }];
        }
        let mut commands: Vec<QuotedCommand> = Vec::new();
        for line in self.text.lines() {
            if let Some(text) = line.strip_prefix("$ ") {
                commands.push(QuotedCommand { text: text.to_owned(), prints: Some(Vec::new()) });
            } else if let Some(QuotedCommand { prints: Some(lines), .. }) = commands.last_mut() {
                lines.push(line.to_owned());
            }
        }
        commands
    }
}

/// A command as a page quotes it.
#[derive(Clone, Debug)]
pub(crate) struct QuotedCommand {
    /// The command.
    pub(crate) text: String,
    /// The lines of its output, if the page quotes them.
    prints: Option<Vec<String>>,
}

impl QuotedCommand {
    /// Compares the command's output with the quotation.
    pub(crate) fn check(&self, printed: &str) -> Result<(), String> {
        let Some(quoted) = &self.prints else { return Ok(()) };
        let quoted: Vec<&str> = quoted.iter().map(String::as_str).collect();
        let found: Vec<&str> = printed.lines().collect();
        if lines_match(trimmed(&quoted), trimmed(&found)) {
            return Ok(());
        }
        Err(format!("`{}` prints\n\n{printed}\nand the page quotes\n\n{}\n", self.text, quoted.join("\n")))
    }
}

/// Returns the lines without the empty ones at the end.
fn trimmed<'a>(lines: &'a [&'a str]) -> &'a [&'a str] {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    &lines[..end]
}

/// Returns whether lines match the quotation, where `...` stands for one line or more.
fn lines_match(quoted: &[&str], found: &[&str]) -> bool {
    match (quoted, found) {
        ([], []) => true,
        (["...", rest @ ..], [_, ..]) => {
            (1..=found.len()).any(|omitted| lines_match(rest, &found[omitted..]))
        }
        ([line, quoted @ ..], [other, found @ ..]) => line_matches(line, other) && lines_match(quoted, found),
        _ => false,
    }
}

/// Returns whether a line matches the quoted one, where `…` stands for any text. Times may differ.
fn line_matches(quoted: &str, found: &str) -> bool {
    let (quoted, found) = (mask_times(quoted), mask_times(found));
    let mut parts = quoted.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = found.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

/// Masks times, which differ between runs: `0.41 s`, and the seconds of a transcript.
fn mask_times(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches(|c: char| c.is_ascii_punctuation());
        if unit == "s" && words[at - 1].contains('.') && words[at - 1].parse::<f64>().is_ok() {
            words[at - 1] = "TIME";
        }
    }
    let mut line = words.join(" ");
    for key in ["\"seconds\":[", "\"times\":["] {
        if let Some((before, after)) = line.split_once(key) {
            let after = after.split_once(']').map_or("", |(_, after)| after);
            line = format!("{before}{key}TIME]{after}");
        }
    }
    line
}

mod tests {
    use super::*;

    #[test]
    fn three_dots_stand_for_one_line_or_more() {
        let found = ["a", "b", "c", "d"];
        for quoted in
            [&["a", "b", "c", "d"][..], &["..."], &["a", "..."], &["...", "d"], &["a", "...", "c", "..."]]
        {
            assert!(lines_match(quoted, &found), "{quoted:?}");
        }
        for quoted in [
            &["a", "b", "c"][..],
            &["a", "...", "b", "c", "d"],
            &["...", "c"],
            &[],
            &["a", "b", "c", "d", "..."],
        ] {
            assert!(!lines_match(quoted, &found), "{quoted:?}");
        }
    }

    #[test]
    fn an_ellipsis_stands_for_part_of_a_line() {
        for quoted in ["abcabc", "a…c", "…", "abc…", "…bc", "a…b…c"] {
            assert!(line_matches(quoted, "abcabc"), "{quoted}");
        }
        for quoted in ["abc", "b…", "…b", "a…x…c", "abcabc…c"] {
            assert!(!line_matches(quoted, "abcabc"), "{quoted}");
        }
    }

    #[test]
    fn only_times_may_differ() {
        assert!(line_matches("whole. 0.41 s", "whole. 2.67 s"));
        assert!(line_matches("in 0.32 s,", "in 1.06 s,"));
        assert!(line_matches("{\"seconds\":[1,2]}", "{\"seconds\":[3e-6,0.0]}"));
        assert!(!line_matches("10 s each", "11 s each"));
        assert!(!line_matches("0.41 MiB", "0.42 MiB"));
    }

    #[test]
    fn a_block_that_is_neither_run_nor_marked_is_found() {
        let page = "```json\n{}\n```\n<!-- not run: it is data -->\n```json\n{}\n```\n```console\nls\n```\n";
        let faults: Vec<bool> = blocks("page", page).iter().map(|block| block.fault().is_some()).collect();
        assert_eq!(faults, [true, false, true]);
    }
}
