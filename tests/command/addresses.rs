//! Tests that a board written as a puzz.link address is read back unchanged.

use proptest::prelude::*;

use crate::support::{board, gordian, stderr, stdout};
use gordian::format::Source;
use gordian::format::pzpr::NoAddress;
use gordian::puzzle::{Options, Puzzle};
use gordian::read::{self, ReadOptions};

/// Reads a board from an address, with the given options.
fn read(address: &str, options: &[String]) -> Box<dyn Puzzle> {
    let options =
        ReadOptions { options: Options::from_words(options).expect("options"), ..ReadOptions::default() };
    read::board(&Source::new("address", address), &options).expect("a board").puzzle
}

/// Returns the address of a board. Asserts that reading the address yields the same board.
#[track_caller]
fn round(text: &str) -> String {
    let puzzle = board(text);
    let written = puzzle.address().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let again = read(&written.address, &written.left_out);
    assert_eq!(format!("{again:?}"), format!("{puzzle:?}"), "{}", written.address);
    written.address
}

fn rows<T: ToString>(columns: usize, cells: &[T]) -> String {
    let row = |row: &[T]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n";
    cells.chunks(columns).map(row).collect()
}

/// Generates sizes of small, wide and tall boards.
fn sizes() -> impl Strategy<Value = (usize, usize)> {
    prop_oneof![4 => (1..12_usize, 1..12_usize), 1 => (1..3_usize, 1..150_usize), 1 => (1..150_usize, 1..3_usize)]
}

/// Generates clues with every number of digits that addresses support.
fn clue() -> impl Strategy<Value = u32> {
    prop_oneof![1..16_u32, 1..256_u32, 256..4096_u32, 4096..12_240_u32, 12_240..77_776_u32, 1..=1_126_351_u32]
}

proptest! {
    #[test]
    fn nurikabe(
        (columns, cells) in sizes().prop_flat_map(|(rows, columns)| {
            let clue = prop_oneof![5 => Just(".".to_owned()), 1 => Just("?".to_owned()), 2 => clue().prop_map(|n| n.to_string())];
            (Just(columns), prop::collection::vec(clue, rows * columns))
        })
    ) {
        let address = round(&format!("nurikabe\n{}", rows(columns, &cells)));
        let start = format!("https://puzz.link/p?nurikabe/{columns}/{}/", cells.len() / columns);
        prop_assert!(address.starts_with(&start), "{}", address);
    }

    #[test]
    fn rooks(
        (columns, cells) in sizes().prop_flat_map(|(rows, columns)| {
            let square = prop_oneof![6 => Just('.'), 2 => Just('#'), 2 => prop::sample::select(vec!['0', '1', '2', '3', '4'])];
            (Just(columns), prop::collection::vec(square, rows * columns))
        })
    ) {
        let address = round(&format!("rooks\n{}", rows(columns, &cells)));
        prop_assert!(address.starts_with("https://puzz.link/p?akari/"), "{}", address);
    }

    #[test]
    fn numberlink(
        (columns, cells, numbers, all, touch) in sizes().prop_flat_map(|(rows, columns)| {
            let cells = Just((0..rows * columns).collect::<Vec<_>>()).prop_shuffle();
            let numbers = prop::collection::btree_set(clue(), 0..=(rows * columns / 2).min(20));
            (Just(columns), cells, numbers, any::<bool>(), any::<bool>())
        })
    ) {
        let mut tokens = vec![".".to_owned(); cells.len()];
        for (number, pair) in numbers.iter().zip(cells.chunks(2)) {
            for &cell in pair {
                tokens[cell] = number.to_string();
            }
        }
        let cells = if all { "all" } else { "any" };
        let touch = if touch { "yes" } else { "no" };
        let address = round(&format!("numberlink cells={cells} touch={touch}\n{}", rows(columns, &tokens)));
        prop_assert!(address.starts_with("https://puzz.link/p?numlin/"), "{}", address);
    }
}

#[test]
fn addresses_agree_with_the_site() {
    assert_eq!(round("nurikabe\n1 . 1\n. . .\n1 . ?\n"), "https://puzz.link/p?nurikabe/3/3/1g1i1g.");
    assert_eq!(round("rooks\n. # .\n. . 0\n4 . .\n"), "https://puzz.link/p?akari/3/3/g.i0e");
    assert_eq!(round("numberlink\n1 . 16\n1 . 16\n"), "https://puzz.link/p?numlin/3/2/1g-101g-10");
}

#[test]
fn boards_without_an_address_are_errors() {
    assert_eq!(board("amaze\n1 1\n").address(), Err(NoAddress::PuzzleType("amaze")));
    assert_eq!(board("age\nborn_year = 2000\nfraction = 5\n").address(), Err(NoAddress::PuzzleType("age")));
    assert!(matches!(board("nurikabe\n1126352\n").address(), Err(NoAddress::Value(_))));
    assert_eq!(board("numberlink\n1126352 1126352\n").address(), Err(NoAddress::Overflow));
    let large = format!("rooks\n{}", ". ".repeat(1000).trim().to_owned() + "\n");
    assert!(board(&large).address().is_ok());
    let too_large = format!("rooks\n{}", (". ".repeat(1001) + "\n").repeat(1000));
    assert_eq!(board(&too_large).address(), Err(NoAddress::TooLarge));
}

#[test]
fn show_prints_the_address() {
    let output = gordian(&["show", "-", "--url"], "numberlink touch=no\n1 . 1\n");
    assert_eq!(stdout(&output), "https://puzz.link/p?numlin/3/1/1g1\n");
    assert!(stderr(&output).contains("to read it, add `--option touch=no`"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
    let output = gordian(&["show", "-", "--url"], "amaze\n1 . 1\n");
    assert!(stderr(&output).contains("no addresses on puzz.link are known for boards of `amaze`"));
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
}
