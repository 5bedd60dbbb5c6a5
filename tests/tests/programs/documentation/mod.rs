//! The README and the book: their commands print what the pages quote, and their links resolve.
//!
//! A comment on the line above a block of code selects its check; see [`blocks::Check`].

mod blocks;
mod links;
mod pages;
mod shell;

use rayon::prelude::*;

use self::blocks::{Block, Check};
use self::pages::{Page, pages};
use self::shell::Shell;

#[test]
fn every_block_of_code_is_run_or_marked_with_a_reason() {
    let pages = pages();
    let faults: Vec<String> = pages.iter().flat_map(Page::blocks).filter_map(|block| block.fault()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn commands_print_what_the_pages_quote() {
    let pages = pages();
    let faults: Vec<String> = pages.par_iter().flat_map_iter(run).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs the blocks of a page, in order, in a folder that is empty at first.
fn run(page: &Page) -> Vec<String> {
    let mut shell = Shell::new();
    page.blocks().iter().filter_map(|block| run_block(&mut shell, block).err()).collect()
}

/// Runs a block of a page, and compares its output with what the page quotes.
fn run_block(shell: &mut Shell, block: &Block) -> Result<(), String> {
    match &block.check {
        Check::NotRun(_) => {}
        Check::File(name) => shell.write(name, &block.text),
        Check::Background(address) => shell.start(&block.text, address.as_deref()),
        Check::Run(status) => {
            let commands = block.commands();
            for (number, command) in commands.iter().enumerate() {
                let expected = if number + 1 == commands.len() { *status } else { 0 };
                let (found, printed) = shell.run(&command.text);
                if found != Some(expected) {
                    let text = &command.text;
                    return Err(format!(
                        "{block}: `{text}` exits with {found:?}, not {expected}:\n{printed}"
                    ));
                }
                command.check(&printed).map_err(|fault| format!("{block}: {fault}"))?;
            }
        }
    }
    Ok(())
}

#[test]
fn every_link_to_a_file_resolves() {
    let faults: Vec<String> = pages().iter().flat_map(links::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_summary_lists_every_page_of_the_book_once() {
    let pages = pages();
    let page_named =
        |name: &str| pages.iter().find(|page| page.path.ends_with(name)).expect("the page exists");
    let mut listed: Vec<String> =
        links::links(page_named("docs/SUMMARY.md")).into_iter().map(|link| link.target).collect();
    listed.sort();
    let mut existing: Vec<String> = pages.iter().filter_map(Page::in_book).collect();
    existing.retain(|name| name != "SUMMARY.md");
    existing.sort();
    assert_eq!(listed, existing);
}

#[test]
fn the_readme_has_at_most_150_lines() {
    let pages = pages();
    let readme = pages.iter().find(|page| page.path.ends_with("README.md")).expect("the page exists");
    assert!(readme.text.lines().count() <= 150);
}
