//! Tests that every change of a solution to a number puzzle is detected.

use gordian::rules::{Field, Grid, Solution};

use super::{counts, number, powers_of, triangle};
use crate::support::{board, key};

/// Asserts that the checker rejects the solution after a change of any single number.
#[track_caller]
fn every_change_fails(text: &str, solution: &Solution) {
    let puzzle = board(text);
    assert_eq!(puzzle.check(solution), Ok(()), "{}", key(solution));
    let fields: Vec<(String, Field)> =
        solution.fields().map(|(name, field)| (name.to_owned(), field.clone())).collect();
    let mut changes = 0;
    for (index, (name, field)) in fields.iter().enumerate() {
        for changed in changes_of(field) {
            let mut solution = Solution::new();
            for (other, (name, field)) in fields.iter().enumerate() {
                solution =
                    solution.with(name.clone(), if other == index { changed.clone() } else { field.clone() });
            }
            changes += 1;
            assert!(puzzle.check(&solution).is_err(), "{name} changed: {}", key(&solution));
        }
    }
    assert!(changes >= 20, "{changes}");
}

fn changes_of(field: &Field) -> Vec<Field> {
    let others = |value: i128| (-1..=10).chain([value - 1, value + 1]).filter(move |&other| other != value);
    let in_list = |values: &[i128]| {
        let mut lists = Vec::new();
        for index in 0..values.len() {
            for other in others(values[index]) {
                let mut changed = values.to_vec();
                changed[index] = other;
                lists.push(changed);
            }
        }
        lists
    };
    match field {
        Field::Number(value) => others(*value).map(Field::Number).collect(),
        Field::Natural(value) => vec![Field::from(value + 1_u32), Field::from(value - 1_u32)],
        Field::Numbers(values) => in_list(values).into_iter().map(Field::Numbers).collect(),
        Field::Naturals(values) => vec![Field::from(values[1..].to_vec())],
        Field::Pairs(pairs) => {
            let flat: Vec<i128> = pairs.iter().flat_map(|&(first, second)| [first, second]).collect();
            let pairs = |values: Vec<i128>| values.chunks(2).map(|pair| (pair[0], pair[1])).collect();
            in_list(&flat).into_iter().map(|values| Field::Pairs(pairs(values))).collect()
        }
        Field::Grid(grid) => {
            let changed = in_list(grid.cells()).into_iter();
            changed.map(|cells| Field::Grid(Grid::new(grid.rows(), grid.columns(), cells))).collect()
        }
    }
}

#[test]
fn every_change_of_one_number_is_rejected() {
    every_change_fails("powers\n", &powers_of(18, &[3, 4]));
    every_change_fails("powers\nmode = \"at-least\"\n", &powers_of(84, &[3, 4]));
    every_change_fails("cards\nn_cards = 52\nn_red = 26\nleft_split = 25\n", &counts([12, 13, 14, 13]));
    let digits = triangle(vec![7, 2, 1, 9, 5, 4, 8, 6, 3]);
    every_change_fails("max-triangle\n", &digits);
    let sum_20 = triangle(vec![9, 4, 2, 5, 8, 6, 1, 3, 7]);
    every_change_fails("magic-triangle\n", &sum_20);
    let puzzle = board("smallest\nnum_digits = 4\nmultiplier = 11\n");
    let right: Vec<i128> =
        (0..20_000).filter(|&value| puzzle.check(&number("number", value)).is_ok()).collect();
    assert_eq!(right.first(), Some(&2046));
    assert!(right.windows(2).all(|pair| pair[0] + 1 < pair[1]), "{right:?}");
}

#[test]
fn every_change_of_the_published_crossword_is_rejected() {
    let rows = ["8#12370", "653#156", "2#48120", "##714#6", "961#381"];
    let schema: Vec<String> = rows
        .iter()
        .map(|row| {
            let cell = |cell| if cell == '#' || cell == '0' { "#" } else { "." };
            row.chars().map(cell).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let text = format!(
        "numcross\nr = 1\ns = 9\nS = {{6,8,24,28,30,36,42,54,64,70,84,90,96}}\n{}\n",
        schema.join("\n")
    );
    let cells = rows.iter().flat_map(|row| row.chars().map(|cell| cell.to_digit(10).unwrap_or(0).into()));
    let grid = Grid::new(5, 7, cells.collect());
    let across = vec![(2, 42), (5, 90), (6, 30), (7, 64), (9, 28), (11, 54), (12, 24)];
    let solution = Solution::from_grid(grid)
        .with("across", Field::Pairs(across))
        .with("down", Field::Pairs(vec![(1, 96), (2, 84), (3, 36), (4, 70), (8, 8), (10, 6)]));
    every_change_fails(&text, &solution);
}
