//! Invalid files with the header entries `greatest`, `stems`, `cuts` and `descending`: both readers refuse them.

use bouton_tables::heaps::Position;
use bouton_tables::{AskError, Solved, Table};
use bouton_tests::compare::heaps;
use bouton_tests::format_twin::Layout;
use bouton_tests::format_twin::heaps::Twin;
use bouton_tests::headers::{self, Entry, Value};
use bouton_tests::hostile;
use bouton_tests::layouts::{self, TableSpec};
use bouton_tests::oracle::heaps::Rules;
use bouton_tests::positions::GameUnderTest;
use bouton_tests::seal::Parts;

use super::format_twin_heaps::{check_file, check_same_changes_are_refused, nim};
use super::format_twin_layouts::{passing, plain, up_to_2};

/// The moment when the library's reader reaches the invalid part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RefusedWhen {
    /// When it opens the file.
    Opening,
    /// When it reads some position.
    Reading,
    /// Never: no position needs the invalid part.
    Nowhere,
}

/// An invalid file, the twin's reason for refusing it, and the moment when the library's reader reaches the invalid
/// part.
type InvalidFile = (Vec<u8>, &'static str, RefusedWhen);

/// Checks that the library's reader refuses an invalid file, at the expected moment.
fn check_library_refuses((file, what, moment): &InvalidFile) {
    let table = match (Table::open(&file[..]), moment) {
        (Err(_), RefusedWhen::Opening) => return,
        (Ok(table), RefusedWhen::Reading | RefusedWhen::Nowhere) => table,
        (Ok(_), RefusedWhen::Opening) => panic!("{what}: it opens"),
        (Err(error), _) => panic!("{what}: it does not open: {error}"),
    };
    let table = heaps(&table);
    let is_refused = |position: &Position| match table.answer(position) {
        Ok(_) => false,
        Err(AskError::Damaged(_)) => true,
        Err(error) => panic!("{what}: {error}"),
    };
    assert_eq!(
        table.game().every().any(|position| is_refused(&position)),
        *moment == RefusedWhen::Reading,
        "{what}"
    );
}

/// Returns a table of these rules with a stem and a layout.
fn spec(rules: Rules, stem: usize, layout: Layout) -> TableSpec {
    TableSpec { layout, ..plain(rules, stem) }
}

/// Returns the file of a changed table.
fn changed(table: &layouts::DecodedTable, change: impl FnOnce(&mut layouts::DecodedTable)) -> Vec<u8> {
    let mut table = table.clone();
    change(&mut table);
    table.seal()
}

/// Returns the file of a table with a header entry replaced or added.
fn with_value(table: &layouts::DecodedTable, name: &str, value: Value) -> Vec<u8> {
    table.with_entry(Entry::new(name, value)).seal()
}

/// Returns the value of an entry that is a list of numbers.
fn list(numbers: &[u64]) -> Value {
    Value::Numbers(numbers.to_vec())
}

/// Returns the file of a table in which the first field of a record is greater than all valid values.
fn with_huge_class(table: &layouts::DecodedTable, array: usize, record: usize) -> Vec<u8> {
    changed(table, |table| {
        let array = &mut table.arrays[array];
        array.widths[0] = 40;
        array.records[record][0] = (1 << 40) - 1;
    })
}

/// Returns files with an invalid header, which opening refuses.
fn broken_headers() -> Vec<InvalidFile> {
    let plain_of = |rules: Rules| spec(rules, 0, Layout::default()).write();
    let (nine, any, up_to) = (nim(&[9]), passing(1, &[1, 2, 9]), up_to_2(1, &[1, 2, 2]));
    let (one_heap, any, up_to, without_passes) =
        (plain_of(nine), plain_of(any), plain_of(up_to), plain_of(nim(&[1, 2, 3])));
    let two_per_move = plain_of(Rules { heaps_per_move: 2, ..nim(&[1, 2, 9]) });
    let mut all = Vec::new();
    let mut refuse = |file, what| all.push((file, what, RefusedWhen::Opening));
    let greatest = |table, number| with_value(table, "greatest", Value::Number(number));
    for (table, number) in [(&any, 1), (&any, 9), (&any, 10), (&one_heap, 0), (&one_heap, 9)] {
        refuse(greatest(table, number), "greatest is from the second greatest bound to below the greatest");
    }
    for table in [&up_to, &two_per_move] {
        refuse(greatest(table, 2), "there is a greatest only if a move takes any number from one heap");
    }
    refuse(with_value(&any, "greatest", list(&[5])), "greatest is a number");
    for (table, stems) in [(&any, &[][..]), (&any, &[1]), (&any, &[0, 1, 2]), (&without_passes, &[0, 1])] {
        refuse(with_value(table, "stems", list(stems)), "there is a stem for each number of passes left");
    }
    refuse(with_value(&any, "stems", list(&[0, 3])), "a stem has at most as many heaps as the game");
    refuse(with_value(&up_to, "stems", list(&[4, 0])), "a stem has at most as many heaps as the game");
    for (table, stems) in [(&any, &[0, 0][..]), (&any, &[1, 1]), (&without_passes, &[0])] {
        refuse(with_value(table, "stems", list(stems)), "equal stems are omitted");
    }
    refuse(with_value(&any, "stems", Value::Number(1)), "stems is a list");
    for cuts in [&[][..], &[1, 0], &[1, 0, 0, 0]] {
        refuse(with_value(&any, "cuts", list(cuts)), "there is a cut for each heap");
    }
    refuse(with_value(&any, "cuts", list(&[31, 0, 0])), "cuts are at most 30");
    refuse(with_value(&any, "cuts", list(&[0; 3])), "cuts that are all 0 are omitted");
    refuse(with_value(&any, "cuts", Value::Truth(1)), "cuts is a list");
    for table in [&any, &one_heap, &two_per_move, &without_passes] {
        let what = "descending is true only if take is not any";
        refuse(with_value(table, "descending", Value::Truth(1)), what);
    }
    for table in [&any, &up_to] {
        let what = "a key with its default value is omitted";
        refuse(with_value(table, "descending", Value::Truth(0)), what);
    }
    refuse(with_value(&up_to, "descending", Value::Truth(2)), "a bool is 0 or 1");
    for value in [Value::Number(1), list(&[1]), Value::Word("true".to_owned())] {
        refuse(with_value(&up_to, "descending", value), "descending is a bool");
    }
    let truth_twice = |table: &mut layouts::DecodedTable| {
        table.header.extend([1, 1].map(|truth| Entry::new("descending", Value::Truth(truth))));
    };
    refuse(changed(&up_to, truth_twice), "no name appears twice");
    let twice = |table: &mut layouts::DecodedTable| {
        table.header.extend([1, 2].map(|cut| Entry::new("cuts", list(&[cut, 0, 0]))));
    };
    refuse(changed(&any, twice), "no name appears twice");
    for entry in [
        ("greatest", Value::Number(1)),
        ("stems", list(&[0, 1])),
        ("cuts", list(&[1])),
        ("descending", Value::Truth(1)),
    ] {
        let mut parts: Parts = hostile::base(hostile::EXPANDING.start).clone();
        let mut entries = headers::entries(&parts.header).expect("a valid header");
        entries.push(Entry::new(entry.0, entry.1));
        parts.header = headers::header(&entries);
        refuse(parts.seal(), "every entry that matters is known");
    }
    all
}

/// Returns files whose header is valid, and whose body contradicts the entries `stems` or `cuts`.
fn broken_bodies() -> Vec<InvalidFile> {
    let stems = |stems: &[u32]| Layout { stems: Some(stems.to_vec()), ..Layout::default() };
    let cuts = |cuts: &[u32]| Layout { cuts: Some(cuts.to_vec()), ..Layout::default() };
    let stemmed = spec(up_to_2(1, &[1, 2, 2]), 0, stems(&[1, 2])).write();
    // For 7 sizes, in 4 segments of 2: arrays 1 to 3 hold the segments, and arrays 4 to 6 the classes.
    let cut_spec = spec(up_to_2(1, &[2, 2, 6]), 0, cuts(&[1, 1, 1]));
    let cut = cut_spec.write();
    let own = TableSpec { stem_records: false, ..cut_spec.clone() }.write();
    let shallow = TableSpec { depths: false, ..cut_spec.clone() }.write();
    let opening = [
        (
            with_value(&stemmed, "stems", list(&[0, 2])),
            "the least stem ends before the first level with records",
        ),
        (
            with_value(&stemmed, "stems", list(&[3, 2])),
            "the least stem ends before the first level with records",
        ),
        (with_value(&stemmed, "stems", list(&[1, 3])), "the stem has a record for each of its groups"),
        (
            changed(&stemmed, |table| table.arrays[0].records.truncate(3)),
            "the stem has a record for each of its groups",
        ),
        (
            changed(&stemmed, |table| table.arrays[0].records.clear()),
            "stems for numbers of passes have records",
        ),
        (
            spec(passing(1, &[1, 2, 4]), 0, cuts(&[0, 0, 1])).write().seal(),
            "a level that is cut has edges, and records",
        ),
        (
            spec(passing(1, &[1, 2, 4]), 1, cuts(&[1, 0, 0])).write().seal(),
            "a level that is cut has edges, and records",
        ),
        (changed(&cut, |table| drop(table.arrays[2].records.pop())), "every segment has all its edges"),
        (
            changed(&cut, |table| drop(table.arrays[5].records.pop())),
            "every class of a level that is cut has a segment for each size",
        ),
        (changed(&own, |table| table.arrays[4].records.truncate(4)), "each group of the stem is a class"),
        (
            changed(&shallow, |table| table.arrays[0].widths[1] = 1),
            "without depths there are no bits for them",
        ),
        (
            changed(&shallow, |table| table.arrays[2].widths[1] = 1),
            "without depths there are no bits for them",
        ),
        (
            changed(&shallow, |table| table.arrays[6].widths[1] = 1),
            "without depths there are no bits for them",
        ),
    ];
    // The edge at an eighth size, in a segment that occurs only at the end of classes.
    let segments = &cut.arrays[4].records;
    let last = segments[3][0];
    assert!((0..).zip(segments).all(|(record, segment)| record % 4 == 3 || segment[0] != last));
    let eighth = 2 * last as usize + 1;
    let reading = [
        (with_huge_class(&stemmed, 0, 0), "the number of a class is below their count", RefusedWhen::Reading),
        (
            with_huge_class(&stemmed, 0, stemmed.arrays[0].records.len() - 1),
            "the number of a class is below their count",
            RefusedWhen::Reading,
        ),
        (with_huge_class(&cut, 1, 0), "the number of a class is below their count", RefusedWhen::Reading),
        (
            with_huge_class(&cut, 1, eighth),
            "the number of a class is below their count",
            RefusedWhen::Nowhere,
        ),
        (with_huge_class(&cut, 4, 0), "the number of a segment is below their count", RefusedWhen::Reading),
        (with_huge_class(&cut, 6, 0), "the number of a segment is below their count", RefusedWhen::Reading),
    ];
    opening.into_iter().map(|(file, what)| (file, what, RefusedWhen::Opening)).chain(reading).collect()
}

/// Returns files whose header is valid, and whose body contradicts the entry `descending`.
fn broken_bodies_of_descending_heaps() -> Vec<InvalidFile> {
    let layout = Layout { descending: true, ..Layout::default() };
    // For 7, 3 and 3 sizes.
    let rules = up_to_2(1, &[2, 2, 6]);
    let valid = spec(rules.clone(), 0, layout.clone()).write();
    let cut = spec(rules.clone(), 0, Layout { cuts: Some(vec![0, 1, 0]), ..layout.clone() }).write();
    // Each heap with each number of passes is a class. Class 0 is a heap of 0: only its edge at 0 is used.
    let own = TableSpec { stem_records: false, ..spec(rules.clone(), 1, layout.clone()) };
    let own_cut =
        TableSpec { layout: Layout { cuts: Some(vec![0, 1, 0]), ..layout.clone() }, ..own.clone() }.write();
    let own = own.write();
    assert_eq!((own.arrays[2].records.len(), own_cut.arrays[4].records.len()), (14 * 3, 14 * 2));
    let resized = |table: &layouts::DecodedTable, array: usize, length: usize| {
        changed(table, |table| table.arrays[array].records.resize(length, vec![0, 0]))
    };
    let opening = [
        // As many records as without the entry.
        (resized(&own, 2, 14 * 7), "every class of a level has an edge for each size"),
        (resized(&valid, 2, 7), "every class of a level has an edge for each size"),
        (resized(&valid, 3, 7), "every class of a level has an edge for each size"),
        // Level 0 has the sizes of the largest heap, not of another heap.
        (resized(&valid, 1, 3), "every class of a level has an edge for each size"),
        (resized(&cut, 4, 5), "every class of a level that is cut has a segment for each size"),
        (resized(&cut, 2, 7), "every segment has all its edges"),
        (resized(&own, 2, 13 * 3), "each group of the stem is a class"),
        (resized(&own, 2, 15 * 3), "each group of the stem is a class"),
        (resized(&own_cut, 4, 14 * 4), "each group of the stem is a class"),
    ];
    let reading = [
        (with_huge_class(&valid, 1, 6), "the number of a class is below their count", RefusedWhen::Reading),
        (with_huge_class(&own, 2, 0), "the number of a class is below their count", RefusedWhen::Reading),
        (with_huge_class(&own, 2, 1), "the number of a class is below their count", RefusedWhen::Nowhere),
        (
            with_huge_class(&own_cut, 4, 0),
            "the number of a segment is below their count",
            RefusedWhen::Reading,
        ),
        (
            with_huge_class(&own_cut, 4, 1),
            "the number of a segment is below their count",
            RefusedWhen::Nowhere,
        ),
    ];
    opening.into_iter().map(|(file, what)| (file, what, RefusedWhen::Opening)).chain(reading).collect()
}

/// Returns all invalid files of this module.
fn all_broken() -> Vec<InvalidFile> {
    [broken_headers(), broken_bodies(), broken_bodies_of_descending_heaps()].concat()
}

#[test]
fn the_twin_refuses_invalid_files() {
    for (file, what, _) in all_broken() {
        let refusal = Twin::read(&file).expect_err(what);
        assert!(refusal.ends_with(what), "{what}: {refusal}");
    }
}

#[test]
fn the_library_refuses_invalid_files() {
    all_broken().iter().for_each(check_library_refuses);
}

#[test]
fn an_entry_that_does_not_matter_is_ignored() {
    let rules = passing(1, &[1, 2, 4]);
    let mut table = plain(rules.clone(), 1).write();
    let entries = [
        ("greatest", Value::Number(3)),
        ("stems", list(&[0, 1])),
        ("cuts", list(&[0, 1, 0])),
        ("descending", Value::Truth(1)),
    ];
    table.header.extend(entries.map(|(name, value)| Entry { matters: 0, ..Entry::new(name, value) }));
    check_file(&table.seal(), &rules, true);
}

/// With any changed byte of header or directory, both readers refuse the same files, apart from `CHECKED_WHEN_READ`.
#[test]
fn both_readers_refuse_the_same_changed_bytes_of_every_layout() {
    let (stems, cuts) = (Some(vec![0, 1]), Some(vec![1, 2, 0]));
    let (any, up_to_2) = (passing(1, &[1, 2, 9]), up_to_2(1, &[1, 2, 6]));
    let descending = Layout { descending: true, ..Layout::default() };
    let layouts = [
        (&any, Layout { greatest: Some(5), ..Layout::default() }),
        (&any, Layout { stems: stems.clone(), ..Layout::default() }),
        (&any, Layout { cuts: cuts.clone(), ..Layout::default() }),
        (
            &any,
            Layout {
                greatest: Some(6),
                stems: stems.clone(),
                cuts: Some(vec![2, 1, 0]),
                ..Layout::default()
            },
        ),
        (&up_to_2, descending.clone()),
        (&up_to_2, Layout { stems, cuts, ..descending }),
    ];
    for (rules, layout) in layouts {
        let arrays = 4 + layout.cuts.iter().flatten().filter(|&&cut| cut > 0).count();
        let file = spec(rules.clone(), 0, layout.clone()).write().seal();
        check_same_changes_are_refused(&Parts::of(&file), arrays, &format!("{layout:?}"));
    }
}
