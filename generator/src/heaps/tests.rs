//! What blocks give is what the solvers give that keep all in memory.

use bouton_tables::format::in_memory;

use super::general::tests::games;
use super::*;

#[test]
fn tables_without_depths_are_the_same_from_blocks() {
    let bounds: [&[Heap]; 6] = [&[9, 9, 9], &[2, 5, 14], &[30; 3], &[7; 4], &[1, 4, 4, 6, 9], &[2; 6]];
    let takes = [Take::Any, Take::UpTo(4), Take::exactly(vec![1, 2, 5, 12])];
    let options = Options { depths: false };
    let mut compared = 0;
    for rules in games(&bounds, &takes) {
        let file = |method: Method| {
            let resources = Resources::default();
            let (Found { parts, .. }, census) = method.solve(&rules, options, &resources, &()).unwrap();
            in_memory(|sink| parts.write(&rules, &rules, options.depths, census, sink).map(drop))
        };
        let method = Method::of(&rules, options.depths);
        if method == method.in_blocks() {
            continue;
        }
        compared += 1;
        let (from_memory, from_blocks): (Result<_, GenerateError>, Result<_, _>) =
            (file(method), file(method.in_blocks()));
        assert!(from_memory.unwrap() == from_blocks.unwrap(), "{rules:?}");
    }
    assert!(compared > 40, "{compared}");
}
