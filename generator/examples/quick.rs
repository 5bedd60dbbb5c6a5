use bouton_tables::*;
use bouton_tables::expanding::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let t = Table::map(args[1].as_ref()).unwrap();
    let Family::Expanding(x) = t.family() else { panic!() };
    t.check_sums().unwrap();
    let r = x.game();
    // random positions
    let mut s: u64 = 88172645463325252;
    let mut rnd = move |n: u32| { s ^= s << 13; s ^= s >> 7; s ^= s << 17; (s % u64::from(n)) as u32 };
    let big = r.greatest_currentmax();
    let mut ps = vec![];
    while ps.len() < 4096 {
        let m = rnd(big + 1);
        let most = r.most_stones(m).unwrap();
        let p = Position { stones: rnd(most + 1), currentmax: m, turn: if rnd(2) == 0 { Turn::First } else { Turn::Second }, resets: [rnd(5) as u8, rnd(5) as u8], imposed: rnd(4) == 0 };
        ps.push(p);
    }
    for _ in 0..5 {
        let mut acc = 0u64;
        let t0 = std::time::Instant::now();
        for _ in 0..200 { for p in &ps { let a = x.answer(p).unwrap(); acc ^= a.winning.plain()[0] ^ a.winning.reset().map_or(0, |r| r[0]) ^ a.best.map_or(0, |m| u64::from(m.take)); } }
        let el = t0.elapsed();
        println!("{} ns/answer {acc:x}", el.as_nanos() as f64 / (200.0 * ps.len() as f64));
    }
}
