use bouton_generator::*;
use bouton_tables::Table;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&args[1]).unwrap();
    let table = Table::open(bytes).unwrap();
    let memory = args.get(2).map_or(u64::MAX, |m| m.parse::<u64>().unwrap() << 20);
    let began = std::time::Instant::now();
    let counts = verify_with(&table, &VerifyOptions { memory, ..Default::default() }, &());
    println!("{counts:?} {:?}", began.elapsed());
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    println!("{}", status.lines().find(|l| l.starts_with("VmHWM")).unwrap());
}
