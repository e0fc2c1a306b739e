//! Tests which encodings `auto` selects for tables.

use gordian_encodings::constraint::{Entry, Table};
use gordian_encodings::{Cnf, Encodings, Model, Value};

/// Returns the encoding that `auto` selects for a table with the first rows, in lexicographic order, over columns with the
/// values `0..=last`.
fn auto(columns: usize, last: Value, rows: usize) -> &'static str {
    let mut model = Model::new();
    let ints: Vec<_> = (0..columns).map(|_| model.integer(0..=last)).collect();
    let entry = |row: usize, column: u32| Entry::Is(row as Value / (last + 1).pow(column) % (last + 1));
    let row = |row: usize| (0..columns as u32).rev().map(|column| entry(row, column)).collect();
    model.post(Table::new(ints, (0..rows).map(row).collect::<Vec<_>>()));
    let encoded = model.encode(&Encodings::auto(), &mut Cnf::default());
    encoded.encodings().iter().find(|row| row.0 == "table").expect("a table").1
}

#[test]
fn tables_with_two_columns_use_binary_support_up_to_65536_pairs_of_values() {
    assert_eq!(auto(2, 255, 300), "binary-support");
    assert_eq!(auto(2, 256, 300), "support");
}

#[test]
fn other_tables_use_conflicts_if_they_allow_a_quarter_of_the_combinations() {
    assert_eq!(auto(3, 3, 16), "conflicts");
    assert_eq!(auto(3, 3, 15), "support");
    assert_eq!(auto(4, 7, 1024), "conflicts");
    assert_eq!(auto(4, 8, 6561), "support", "more than 4,096 combinations");
}
