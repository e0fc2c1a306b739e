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
        summary: "numbers in cells; `?` is a clue without a number",
    },
    AddressRow {
        scheme: AddressScheme::Circle,
        name: "circle",
        fields: 1,
        summary: "the symbols `w` (white) and `b` (black) in cells",
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
            let is_areas =
                matches!((row.scheme, number), (AddressScheme::Border, _) | (AddressScheme::RoomNumber16, 1));
            let can_be_areas = is_areas || row.scheme == AddressScheme::Empty;
            let of_lines = row.scheme == AddressScheme::Outside;
            let fits = match &data[at].sort {
                DataSort::Areas => can_be_areas,
                DataSort::Map { key, .. } => {
                    let corners = *key == Sort::Corner && row.scheme == AddressScheme::FourCell;
                    let is_known =
                        if of_lines { *key == Sort::Cell.set() } else { *key == Sort::Cell || corners };
                    is_known && !is_areas && row.scheme != AddressScheme::StarCount
                }
                DataSort::Number => row.scheme == AddressScheme::StarCount,
                DataSort::Sets => false,
            };
            if !fits {
                let expected = match row.scheme {
                    _ if is_areas => "the name of areas",
                    _ if of_lines => "the name of data of rows, columns or views",
                    AddressScheme::StarCount => "the name of a number",
                    _ => "the name of data in cells",
                };
                return Err(SheetError::new(name.span.clone(), expected, format!("`{}`", name.text)));
            }
            part.data.push(at);
        }
        parts.push(part);
    }
    Ok(SheetAddress { names, parts })
}
