use bouton_match::models::*;
use bouton_match::*;
use bouton_tables::Play;
use bouton_tables::expanding::Expanding;
fn main() {
    let rules = Expanding::new(1000, 3, 1, 3, [4, 4], Play::Normal).unwrap();
    let t = std::time::Instant::now();
    let s = Solution::solve(&rules);
    println!("solve {:?}", t.elapsed());
    for m in ["perfect", "misread", "misread:0.05", "err:0.05", "random", "0.5*misread:0.05+0.5*err:0.1"] {
        let t = std::time::Instant::now();
        let c = Chances::compute(&s, &m.parse().unwrap()).unwrap();
        println!("{m} {:?}", t.elapsed());
        let mut sum = 0.0;
        let mut n = 0;
        let mut z = 0;
        for st in 1..=1000 {
            let p = rules.start(st);
            let v = c.to_move(&p);
            if v < 1.0 {
                n += 1;
                sum += v;
            }
            let w = c.waiting(s.get(), &p).unwrap();
            if w < 1.0 {
                sum += w;
                n += 1;
                if w < 0.5 {
                    z += 1;
                }
            }
        }
        println!("  lost {n}, mean chance {}, below half {z}", sum / n as f64);
    }
}
