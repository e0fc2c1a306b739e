use super::*;

/// Removes the escape codes from a text.
fn plain(coloured: &str) -> String {
    let mut plain = String::new();
    let mut rest = coloured;
    while let Some((before, code)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = code.split_once('m').map_or("", |(_, after)| after);
    }
    plain + rest
}

fn drawn(scene: &Scene, width: usize) -> String {
    plain(&scene.boxes(width))
}

#[test]
fn paths_are_lines_and_blocks_are_filled() {
    let end = |number: &str, sides| {
        Cell::new(number, Role::Given).with(Sign::End(number.to_owned())).coloured(0).lines_to(sides)
    };
    let cells = vec![
        end("1", RIGHT),
        Cell::new("1", Role::Mark).coloured(0).lines_to(LEFT | DOWN),
        Cell::new(".", Role::Ground),
        Cell::new(".", Role::Ground),
        end("1", UP),
        Cell::new(".", Role::Ground),
    ];
    let scene = Scene::board(Grid::new(2, 3, cells));
    assert_eq!(drawn(&scene, 80), "┌───────┐\n│ 1━┓ · │\n│ · 1 · │\n└───────┘\n");
    assert_eq!(drawn(&scene, 8), "┌───┐\n│1┓·│\n│·1·│\n└───┘\n", "no separators on a narrow terminal");
    let cells = vec![
        Cell::new("#", Role::Block).on(Ground::Block),
        Cell::label("2", Role::Given).on(Ground::Block),
        Cell::new("R", Role::Mark).with(Sign::Rook).on(Ground::Seen),
    ];
    assert_eq!(drawn(&Scene::board(Grid::new(1, 3, cells)), 80), "┌──────┐\n│███2 ♜│\n└──────┘\n");
}

#[test]
fn a_board_is_as_narrow_as_it_says() {
    for (columns, label) in [(1, 1), (3, 1), (78, 1), (79, 1), (5, 2), (26, 3), (27, 3)] {
        let cells = vec![Cell::label("7".repeat(label), Role::Given); columns];
        let scene = Scene::board(Grid::new(1, columns, cells));
        let narrowest = scene.narrowest().expect("a board");
        for width in [narrowest, narrowest + 1, 80, 200] {
            let lines = drawn(&scene, width);
            let widest = lines.lines().map(|line| line.chars().count()).max().expect("lines");
            assert_eq!(widest <= width, narrowest <= width, "{columns} x {label} in {width}:\n{lines}");
        }
    }
    assert_eq!(Scene::default().narrowest(), None);
}

#[test]
fn corners_are_in_the_lines() {
    let cells = vec![
        Cell::label("8", Role::Mark).numbered("1"),
        Cell::label("7", Role::Mark).numbered("12"),
        Cell::new("#", Role::Block).on(Ground::Block),
        Cell::label("5", Role::Mark),
    ];
    let scene = Scene::board(Grid::new(2, 2, cells));
    assert_eq!(drawn(&scene, 80), "┌1──┬12─┐\n│ 8 │ 7 │\n├───┼───┤\n│███│ 5 │\n└───┴───┘\n");
    assert_eq!(drawn(&scene, 8), "┌────┐\n│ 8 7│\n│██ 5│\n└────┘\n");
}

#[test]
fn grids_of_nodes_are_drawn() {
    let nodes = (1..=4).map(|number| DiagramNode::new(number.to_string(), Role::Plain)).collect();
    let connection = |a, b, taken| DiagramEdge::new([a, b]).taken(taken);
    let connections = vec![connection(0, 1, true), connection(0, 2, false), connection(1, 3, true)];
    let diagram = Diagram::new(nodes, connections);
    let rows = vec![vec![("1".to_owned(), Role::Given), ("2".to_owned(), Role::Mark)]];
    let scene = Scene::diagram(diagram, rows);
    assert_eq!(drawn(&scene, 80), "1━━2\n│  ┃\n3  4\n");
    assert_eq!(drawn(&scene, 3), "1 2\n", "plain text on a terminal that is too narrow");
}

#[test]
fn tables_line_up() {
    let word = |word: &str| Text::new(word, Role::Plain);
    let solution = crate::rules::Solution::new().with("n", crate::rules::Field::Number(18));
    let scene = |solution| {
        let rows = vec![vec![word("n"), word("18")], vec![word("n^3"), word("5832")]];
        Scene::values([("base", "10".to_owned())], solution).with_table(rows)
    };
    assert_eq!(drawn(&scene(Some(&solution)), 80), "n      18\nn^3  5832\n");
    assert_eq!(drawn(&scene(None), 80), "base = 10\n");
}
