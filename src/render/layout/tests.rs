use super::*;

fn grid(rows: usize, columns: usize) -> Vec<[usize; 2]> {
    crate::rules::Grid::new(rows, columns, vec![(); rows * columns]).edges().map(|(a, b)| [a, b]).collect()
}

#[test]
fn grid_graphs_are_laid_out_as_grids() {
    assert_eq!(grid_columns(12, &grid(3, 4)), Some(4));
    assert_eq!(places(12, &grid(3, 4))[7], (3.0, 1.0));
    // In rows of four, nodes 3 and 4 are consecutive but in different rows.
    assert_eq!(grid_columns(8, &[[0, 4], [3, 4]]), None);
    assert_eq!(grid_columns(9, &grid(2, 4)), None, "one node too many");
    assert_eq!(grid_columns(3, &[[0, 1], [1, 2]]), None, "a single row is not a grid");
}

#[test]
fn nodes_of_other_graphs_are_apart_and_neighbours_are_close() {
    // The graph is a cycle of seven nodes with a chord.
    let edges: Vec<[usize; 2]> = (0..7).map(|node| [node, (node + 1) % 7]).chain([[0, 3]]).collect();
    let places = places(7, &edges);
    let distance = |a: usize, b: usize| {
        let (a, b): ((f64, f64), (f64, f64)) = (places[a], places[b]);
        (a.0 - b.0).hypot(a.1 - b.1)
    };
    for a in 0..7 {
        for b in 0..a {
            assert!(distance(a, b) > 0.4, "{a} and {b} are {} apart", distance(a, b));
        }
    }
    assert!(edges.iter().all(|&[a, b]| distance(a, b) < 2.0));
    assert_eq!(places, super::places(7, &edges), "the layout is deterministic");
}

#[test]
fn no_edge_of_a_dense_graph_runs_under_another_node() {
    for nodes in [6, 12, 24, 32] {
        let edges: Vec<[usize; 2]> = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| [a, b])).collect();
        let places = places(nodes, &edges);
        for &[a, b] in &edges {
            for node in (0..nodes).filter(|node| ![a, b].contains(node)) {
                let ((x, y), (ax, ay), (bx, by)) = (places[node], places[a], places[b]);
                let length = (bx - ax).hypot(by - ay);
                let away = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).abs() / length;
                assert!(away > BESIDE - 1e-6, "{node} is {away} from the edge of {a} and {b}");
            }
        }
    }
}

#[test]
fn every_graph_has_a_layout() {
    for (nodes, edges) in [(1, vec![]), (2, vec![[0, 1]]), (5, vec![[0, 1], [2, 3]]), (501, vec![[0, 500]])] {
        let places = places(nodes, &edges);
        assert_eq!(places.len(), nodes);
        assert!(places.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{nodes}");
        for (index, a) in places.iter().enumerate() {
            assert!(places[..index].iter().all(|b| (a.0 - b.0).hypot(a.1 - b.1) > 0.4), "{nodes}: {index}");
        }
    }
}
