fn main() {
    let rs = bouton_tables::rulesets::find("expanding", &std::env::args().skip(2).collect::<Vec<_>>()).unwrap().ruleset;
    let depths = std::env::args().nth(1).unwrap() == "d";
    let bouton_tables::Ruleset::Expanding(r) = &rs;
    for _ in 0..3 {
        let t = std::time::Instant::now();
        let mut s = bouton_generator::expanding::solver(r, depths);
        let mut n = 0;
        while let Some(row) = s.next_row() { n += row.lost.len(); }
        eprintln!("solve {:?} {n}", t.elapsed());
    }
    let t = std::time::Instant::now();
    let b = bouton_generator::generate(&rs, depths, &|_| {});
    eprintln!("generate {:?} bytes {} of {}", t.elapsed(), b.len(), rs.positions());
    std::fs::write("/tmp/t.bouton",&b).unwrap(); let t = bouton_tables::Table::open(b).unwrap();
    eprintln!("{:?}", t.header());
}
