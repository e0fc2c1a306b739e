use super::*;
use crate::rules::{Grid, Solution};

fn row(tokens: &[&str]) -> Scene {
    let cells = tokens.iter().map(|&token| Cell::label(token, Role::Mark)).collect();
    Scene::board(Grid::new(1, tokens.len(), cells))
}

fn highlights(scene: &Scene) -> Vec<Highlight> {
    match &scene.figure {
        Figure::Board(cells) => cells.cells().iter().map(|cell| cell.highlight).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn only_what_differs_is_stressed() {
    let [first, second] = row(&["1", "2", "3"]).differing(row(&["1", "0", "3"]));
    assert_eq!(highlights(&first), [Highlight::None, Highlight::Differs, Highlight::None]);
    assert_eq!(highlights(&first), highlights(&second));
    let values = |n: i128| {
        let solution = Solution::new().with("n", crate::rules::Field::Number(n));
        Scene::values([("base", "10".to_owned())], Some(&solution))
    };
    let [first, _] = values(1).differing(values(2));
    let highlights: Vec<Highlight> = first.lines.iter().map(|line| line.content().highlight).collect();
    assert_eq!(highlights, [Highlight::None, Highlight::Differs]);
}

#[test]
fn backbone_keep_what_is_given_and_hide_what_is_open() {
    let given = Cell::label("7", Role::Given);
    let cell = |token: &str| Cell::new(token, Role::Ground);
    let board = Scene::board(Grid::new(1, 3, vec![given.clone(), cell("."), cell(".")]));
    let solution = Scene::board(Grid::new(1, 3, vec![given, cell("1"), cell("2")]));
    let fact = |cell| if cell == 1 { CellStatus::Forced } else { CellStatus::Open("?") };
    let backbone = board.clone().backbone(&solution, fact);
    assert_eq!(backbone.text(false), "7 1 ?\n");
    assert_eq!(highlights(&backbone), [Highlight::None, Highlight::Forced, Highlight::Open]);
    let land = board.backbone(&solution, |_| CellStatus::Partly("land".to_owned()));
    assert_eq!(land.text(false), "   7 land land\n");
}

#[test]
fn faults_are_stressed_where_they_are() {
    let scene = row(&["1", "2"]).wrong_at(&[Place { row: 0, column: 1 }, Place { row: 9, column: 9 }]);
    assert_eq!(highlights(&scene), [Highlight::None, Highlight::Wrong]);
}
