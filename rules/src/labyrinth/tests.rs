use super::*;

#[test]
fn a_path_goes_from_start_to_target_along_connections() {
    let edges = [([0, 1], 10), ([2, 1], 10), ([2, 3], 10), ([0, 3], 7), ([3, 0], 7)];
    let labyrinth = Labyrinth::new(4, 0, 3, edges).unwrap();
    assert_eq!(labyrinth.connections().len(), 4);
    let check = |path: &[i128], length, cost| {
        let numbers = [(LENGTH, length), (COST, cost)].map(|(name, n)| (name, Field::Number(n)));
        let path = Solution::new().with(PATH, Field::Numbers(path.to_vec()));
        let solution = numbers.into_iter().fold(path, |solution, (name, n)| solution.with(name, n));
        labyrinth.check(&solution).map_err(|violation| violation.to_string())
    };
    assert_eq!(check(&[1, 2, 3, 4], 4, 30), Ok(()));
    assert_eq!(check(&[1, 4], 2, 7), Ok(()));
    let refused = |path, length, cost| check(path, length, cost).unwrap_err();
    assert_eq!(refused(&[2, 3, 4], 3, 20), "the path does not begin at 1");
    assert_eq!(refused(&[1, 2, 3], 3, 20), "the path does not end at 4");
    assert_eq!(refused(&[1, 2, 1, 4], 4, 27), "the path passes 1 twice");
    assert_eq!(refused(&[1, 3, 4], 3, 20), "no connection joins 1 and 3");
    assert_eq!(refused(&[1, 4], 3, 7), "the length of the path is 2, but the solution states another value");
    assert_eq!(refused(&[1, 4], 2, 10), "the cost of the path is 7, but the solution states another value");
}

#[test]
fn impossible_graphs_are_refused() {
    let refused = |start, target, edges: &[([usize; 2], i128)]| {
        let invalid = Labyrinth::new(3, start, target, edges.iter().copied()).unwrap_err();
        (invalid.name, invalid.index)
    };
    assert_eq!(refused(3, 0, &[]), ("start", None));
    assert_eq!(refused(1, 1, &[]), ("target", None));
    assert_eq!(refused(0, 1, &[([0, 1], 1), ([0, 3], 1)]), ("graph", Some(1)));
    assert_eq!(refused(0, 1, &[([1, 1], 1)]), ("graph", Some(0)));
    assert_eq!(refused(0, 1, &[([1, 2], -1)]), ("weights", Some(0)));
    assert_eq!(refused(0, 1, &[([1, 2], 1), ([2, 1], 2)]), ("weights", Some(1)));
}
