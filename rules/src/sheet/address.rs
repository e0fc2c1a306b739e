//! The puzz.link addresses of a puzzle type: which data the parts of an address contain.

use super::resolve::unknown;
use super::scheme::DataSort;
use super::sort::Sort;
use super::syntax::AddressSyntax;
use super::{Data, SheetError};

/// How a part of an address is written. The names are those of the program pzpr where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressScheme {
    /// Numbers from 0 to 4 in cells or at corners, with the gaps between them in the same character.
    FourCell,
    /// Numbers of any size in cells, hexadecimal, with letters for gaps.
    Number16,
    /// Three states in cells, three cells in a character.
    Circle,
    /// The borders between areas.
    Border,
    /// A number for each area, in the order of the areas.
    RoomNumber16,
    /// Numbers with directions.
    ArrowNumber16,
    /// A number in each cell, in one or more digits and letters.
    Number36,
    /// Numbers from 0 to 9 in cells, with letters for gaps.
    Number10,
    /// The same with cells that do not belong to the board.
    Number10Holes,
    /// Numbers from 1 to 4 in cells, with digits and letters for gaps.
    Toichika,
    /// The shapes of rectangles.
    Tatamibari,
    /// Pieces of a line.
    Pipelink,
    /// Circles, with numbers or without.
    Balance,
    /// Numbers, and closed cells with directions.
    Makaro,
    /// Cells without an area, and gaps.
    Marks,
    /// A number for each column and row, after a board of empty cells.
    TileSums,
    /// The lengths of several runs in cells.
    Tapa,
    /// Numbers and signs between neighbours.
    Minarism,
    /// Numbers with directions and colours.
    Castle,
    /// Circles with or without a number, and directions.
    Sashigane,
    /// The places of a start and a goal.
    StartGoal,
    /// A slash between two parts.
    Slash,
    /// Cells with a symbol, and gaps.
    OneCell,
    /// Cells with a symbol or without an area, five cells in a character.
    Empty,
    /// Stars in the middle of a cell, on a side, or at a corner.
    Stars,
    /// A number before a slash.
    StarCount,
    /// Numbers outside of the board.
    Outside,
    /// The sums of a kakuro board.
    Kakuro,
}

/// A row of the table of address schemes.
#[derive(Debug)]
pub struct AddressRow {
    /// The scheme.
    pub scheme: AddressScheme,
    /// The name in sheets.
    pub name: &'static str,
    /// The number of names of data after the scheme.
    pub fields: usize,
    /// What the part contains.
    pub summary: &'static str,
}

/// The table of address schemes.
pub static ADDRESS_SCHEMES: &[AddressRow] = &[
    AddressRow {
        scheme: AddressScheme::FourCell,
        name: "four_cell",
        fields: 1,
        summary: "numbers from 0 to 4 in cells or at corners; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Number16,
        name: "number16",
        fields: 1,
        summary: "numbers in cells or between neighbours; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Circle,
        name: "circle",
        fields: 1,
        summary: "the symbols `w` (white) and `b` (black) in cells or between neighbours",
    },
    AddressRow { scheme: AddressScheme::Border, name: "border", fields: 1, summary: "areas" },
    AddressRow {
        scheme: AddressScheme::RoomNumber16,
        name: "room_number16",
        fields: 2,
        summary: "a number for each area, which belongs to its first cell: the names of the numbers and of the areas",
    },
    AddressRow {
        scheme: AddressScheme::ArrowNumber16,
        name: "arrow_number16",
        fields: 2,
        summary: "numbers in cells with directions: the names of the numbers and of the directions",
    },
    AddressRow {
        scheme: AddressScheme::Number36,
        name: "number36",
        fields: 1,
        summary: "a number in each cell, as in addresses of hitori",
    },
    AddressRow {
        scheme: AddressScheme::Number10,
        name: "number10",
        fields: 1,
        summary: "numbers from 0 to 9 in cells; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Number10Holes,
        name: "number10_holes",
        fields: 1,
        summary: "the same, with `#` for cells that do not belong to the board instead of 7",
    },
    AddressRow {
        scheme: AddressScheme::Toichika,
        name: "toichika",
        fields: 1,
        summary: "numbers from 1 to 4 in cells, as in addresses of toichika; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Tatamibari,
        name: "tatamibari",
        fields: 1,
        summary: "the symbols `+`, `-`, `|` and `?` in cells",
    },
    AddressRow {
        scheme: AddressScheme::Pipelink,
        name: "pipelink",
        fields: 1,
        summary: "the symbols `┼`, `│`, `─`, `└`, `┘`, `┐` and `┌` in cells",
    },
    AddressRow {
        scheme: AddressScheme::Balance,
        name: "balance",
        fields: 2,
        summary: "circles that are white (`w`) or black (`b`), some of them with a number: the names of the numbers and of the circles",
    },
    AddressRow {
        scheme: AddressScheme::Makaro,
        name: "makaro",
        fields: 3,
        summary: "numbers, and closed cells, which belong to no area, with or without a direction: the names of the numbers, of the directions and of the areas",
    },
    AddressRow {
        scheme: AddressScheme::Marks,
        name: "marks",
        fields: 1,
        summary: "cells that belong to no area; nothing for a board without them",
    },
    AddressRow {
        scheme: AddressScheme::TileSums,
        name: "tile_sums",
        fields: 1,
        summary: "numbers for columns and rows, as in addresses of tilepaint",
    },
    AddressRow {
        scheme: AddressScheme::Tapa,
        name: "tapa",
        fields: 1,
        summary: "up to four numbers in cells, as the digits of one number in ascending order; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Minarism,
        name: "minarism",
        fields: 1,
        summary: "numbers and signs between neighbours: `<` and `^` for a smaller first number, `>` and `v` for a greater one; `?` is a clue without either",
    },
    AddressRow {
        scheme: AddressScheme::Castle,
        name: "castle",
        fields: 3,
        summary: "numbers in cells with directions, and the colours `w` (white) and `b` (black): the names of the numbers, of the directions and of the colours",
    },
    AddressRow {
        scheme: AddressScheme::Sashigane,
        name: "sashigane",
        fields: 2,
        summary: "circles `o`, some of them with a number, and directions: the names of the numbers and of the marks",
    },
    AddressRow {
        scheme: AddressScheme::StartGoal,
        name: "start_goal",
        fields: 1,
        summary: "the cells with the symbols `S` (start) and `G` (goal)",
    },
    AddressRow {
        scheme: AddressScheme::Slash,
        name: "slash",
        fields: 0,
        summary: "a slash between two parts",
    },
    AddressRow {
        scheme: AddressScheme::OneCell,
        name: "one_cell",
        fields: 1,
        summary: "the only symbol that the data can have, in cells that are often far apart",
    },
    AddressRow {
        scheme: AddressScheme::Empty,
        name: "empty",
        fields: 1,
        summary: "the only symbol that the data can have, or the cells that belong to no area; nothing for a board without them",
    },
    AddressRow {
        scheme: AddressScheme::Stars,
        name: "dot",
        fields: 1,
        summary: "the centres of areas: 1 for the middle of a cell, 2 for the middle of its lower side, 3 for that of its right side, 4 for the corner between them; and `#` for cells that do not belong to the board",
    },
    AddressRow {
        scheme: AddressScheme::StarCount,
        name: "star_count",
        fields: 1,
        summary: "a number and a slash",
    },
    AddressRow {
        scheme: AddressScheme::Outside,
        name: "outside",
        fields: 1,
        summary: "numbers outside of the board, for each row or column, or for each view",
    },
    AddressRow {
        scheme: AddressScheme::Kakuro,
        name: "kakuro",
        fields: 3,
        summary: "sums; the address leaves out the first row and the first column, which are closed",
    },
];

/// The addresses of a puzzle type.
#[derive(Debug)]
pub struct SheetAddress {
    /// The names of the puzzle type in addresses. The first name is written.
    pub names: Vec<String>,
    /// The letters between the name and the size, in alphabetical order.
    pub letters: String,
    /// The parts of the body.
    pub parts: Vec<AddressPart>,
}

/// A part of an address.
#[derive(Debug)]
pub struct AddressPart {
    /// How the part is written.
    pub scheme: AddressScheme,
    /// The data that the part contains, as indices of [`Sheet::data`](super::Sheet::data).
    pub data: Vec<usize>,
}

/// Resolves an address of a sheet.
pub(super) fn resolve(address: &AddressSyntax, data: &[Data]) -> Result<SheetAddress, SheetError> {
    let names = address.names.iter().map(|name| name.text.clone()).collect();
    let mut parts = Vec::new();
    for (scheme, fields) in &address.parts {
        let known: Vec<&str> = ADDRESS_SCHEMES.iter().map(|row| row.name).collect();
        let Some(row) = ADDRESS_SCHEMES.iter().find(|row| row.name == scheme.text) else {
            return Err(unknown(scheme, format!("a scheme of addresses: {}", known.join(", ")), &known));
        };
        if fields.len() != row.fields {
            let expected = format!("{} names of data after `{}`", row.fields, row.name);
            return Err(SheetError::new(scheme.span.clone(), expected, fields.len().to_string()));
        }
        let mut part = AddressPart { scheme: row.scheme, data: Vec::new() };
        for (number, name) in fields.iter().enumerate() {
            let known: Vec<&str> = data.iter().map(|data| data.name.as_str()).collect();
            let Some(at) = known.iter().position(|known| *known == name.text) else {
                return Err(unknown(name, format!("the name of data: {}", known.join(", ")), &known));
            };
            let is_areas = match row.scheme {
                AddressScheme::Border | AddressScheme::Marks => true,
                AddressScheme::RoomNumber16 => number == 1,
                AddressScheme::Makaro => number == 2,
                _ => false,
            };
            let can_be_areas = is_areas || row.scheme == AddressScheme::Empty;
            let of_lines = matches!(row.scheme, AddressScheme::Outside | AddressScheme::TileSums);
            let fits = match &data[at].sort {
                DataSort::Areas => can_be_areas,
                DataSort::Map { key, .. } => {
                    let is_key = match row.scheme {
                        AddressScheme::Minarism => *key == Sort::Link,
                        AddressScheme::FourCell => matches!(key, Sort::Cell | Sort::Corner),
                        AddressScheme::Number16 | AddressScheme::Circle => {
                            matches!(key, Sort::Cell | Sort::Link)
                        }
                        _ if of_lines => *key == Sort::Cell.set(),
                        _ => *key == Sort::Cell,
                    };
                    is_key && !is_areas && row.scheme != AddressScheme::StarCount
                }
                DataSort::Number => row.scheme == AddressScheme::StarCount,
                DataSort::Sets => false,
            };
            if !fits {
                let expected = match row.scheme {
                    _ if is_areas => "the name of areas",
                    _ if of_lines => "the name of data of rows, columns or views",
                    AddressScheme::StarCount => "the name of a number",
                    AddressScheme::Minarism => "the name of data of links",
                    _ => "the name of data in cells",
                };
                return Err(SheetError::new(name.span.clone(), expected, format!("`{}`", name.text)));
            }
            part.data.push(at);
        }
        parts.push(part);
    }
    let mut letters: Vec<char> = address.letters.chars().collect();
    letters.sort_unstable();
    Ok(SheetAddress { names, letters: letters.into_iter().collect(), parts })
}
