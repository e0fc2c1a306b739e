//! Generates a number crossword that has a solution.
//!
//! ```text
//! cargo run --release --example generate_numcross -- ROWS COLUMNS SEED [BLACK]
//! ```
//!
//! About BLACK percent of the cells become black (default 25), and all others get numbers from 1 to 9. The products of
//! the entries become the definitions. While two definitions are equal or a definition is too large, a cell of an
//! affected entry gets a different number. The output has the same format as the published instances of number
//! crosswords.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;

use fastrand::Rng;

/// Returns a random number from 1 to 9. In half of the cases, the number is 1, as in published number crosswords.
fn value(random: &mut Rng) -> u128 {
    if random.bool() { 1 } else { random.u128(1..=9) }
}

/// The largest allowed definition.
const GREATEST: u128 = 1000;

/// Returns the entries: all runs of two or more white cells. The entries down follow the entries across.
fn entries(white: &[bool], rows: usize, columns: usize) -> Vec<Vec<usize>> {
    let across = (0..rows).map(|row| (0..columns).map(|column| row * columns + column).collect());
    let down = (0..columns).map(|column| (0..rows).map(|row| row * columns + column).collect());
    let lines: Vec<Vec<usize>> = across.chain(down).collect();
    let runs = lines.iter().flat_map(|line| line.split(|&cell| !white[cell]));
    runs.filter(|run| run.len() > 1).map(<[usize]>::to_vec).collect()
}

/// Fills the white cells so that the products of the entries are different and do not exceed `greatest`. If the
/// function finds no such numbers, it returns `None`.
fn fill(entries: &[Vec<usize>], cells: usize, random: &mut Rng, greatest: u128) -> Option<Vec<u128>> {
    let mut values: Vec<u128> = (0..cells).map(|_| value(random)).collect();
    for _ in 0..200_000 {
        let mut seen: HashMap<u128, usize> = HashMap::new();
        let mut wrong = None;
        for (index, entry) in entries.iter().enumerate() {
            let product: u128 = entry.iter().map(|&cell| values[cell]).product();
            if product > greatest || seen.insert(product, index).is_some() {
                wrong = Some(index);
                break;
            }
        }
        let Some(wrong) = wrong else { return Some(values) };
        let cell = entries[wrong][random.usize(..entries[wrong].len())];
        values[cell] = value(random);
    }
    None
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rows, columns, seed, black @ ..] = &arguments[..] else {
        return Err("usage: generate_numcross ROWS COLUMNS SEED [BLACK]".into());
    };
    let (rows, columns): (usize, usize) = (rows.parse()?, columns.parse()?);
    let black: usize = black.first().map_or(Ok(25), |black| black.parse())?;
    let mut random = Rng::with_seed(seed.parse()?);
    for _ in 0..1000 {
        let white: Vec<bool> = (0..rows * columns).map(|_| random.usize(..100) >= black).collect();
        let entries = entries(&white, rows, columns);
        let Some(values) = fill(&entries, white.len(), &mut random, GREATEST) else { continue };
        let mut definitions: Vec<u128> =
            entries.iter().map(|entry| entry.iter().map(|&cell| values[cell]).product()).collect();
        definitions.sort_unstable();
        let mut text = String::new();
        writeln!(text, "% generate_numcross {}", arguments.join(" "))?;
        writeln!(text, "r = 1; s = 9; n = {rows}; m = {columns};")?;
        let row = |row: &[bool]| {
            row.iter().map(|&white| if white { "0" } else { "1" }).collect::<Vec<_>>().join(",")
        };
        let schema: Vec<String> = white.chunks(columns).map(row).collect();
        writeln!(text, "schema = [| {}\n|];", schema.join("\n          | "))?;
        let definitions: Vec<String> = definitions.iter().map(ToString::to_string).collect();
        writeln!(text, "S = {{{}}};", definitions.join(","))?;
        print!("{text}");
        return Ok(());
    }
    Err("no board found: try another seed or size".into())
}
