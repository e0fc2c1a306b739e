//! Shapes, one after the other. `/` and the number of shapes precede them, and each follows a `/`: its width, its height, and
//! its squares row by row, five in a character, without zeros at the end. `//` and a letter stand for shapes that are often
//! used.

use super::body::BodyReader;
use super::digits;
use crate::source::{InputError, counted};

/// A shape in a rectangle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece {
    /// The width of the rectangle.
    pub(crate) columns: usize,
    /// Whether each square of the rectangle belongs to the shape, row by row.
    pub(crate) squares: Vec<bool>,
}

/// Shapes that a letter stands for.
pub(crate) type Preset = (char, &'static [&'static str]);

/// The letters of statuepark.
pub(crate) static SHAPES: &[Preset] = &[
    ('t', &["14u", "23bg", "22u", "23f", "23eg"]),
    ('p', &["337k", "15v", "24as", "24bo", "23fg", "337i", "23rg", "334u", "335s", "33bk", "24bk", "337o"]),
    ('d', &["14u", "14u", "23bg", "23bg", "22u", "22u", "23f", "23f", "23eg", "23eg"]),
    ('z', &[]),
];

/// The letters of battleship.
pub(crate) static SHIPS: &[Preset] = &[
    ('c', &["11g", "11g", "11g", "21o", "21o", "31s"]),
    ('d', &["11g", "11g", "11g", "11g", "21o", "21o", "21o", "31s", "31s", "41u"]),
    (
        'e',
        &[
            "11g", "11g", "11g", "11g", "11g", "21o", "21o", "21o", "21o", "31s", "31s", "31s", "41u", "41u",
            "51v",
        ],
    ),
];

impl Piece {
    fn rows(&self) -> usize {
        self.squares.len() / self.columns
    }

    /// Returns the shape turned and mirrored in all eight ways, beginning with itself.
    pub(crate) fn turned(&self) -> Vec<Self> {
        let mut all = vec![self.clone()];
        for turn in 1..8 {
            let last = &all[turn - 1];
            let (rows, columns) = (last.rows(), last.columns);
            let next = if turn == 4 {
                let squares = last.squares.chunks(columns).flat_map(|row| row.iter().rev().copied());
                Self { columns, squares: squares.collect() }
            } else {
                let square = |at: usize| last.squares[(rows - 1 - at % rows) * columns + at / rows];
                Self { columns: rows, squares: (0..rows * columns).map(square).collect() }
            };
            all.push(next);
        }
        all
    }

    /// Returns the same piece for all ways to turn and mirror a shape.
    fn canonical(&self) -> Option<Self> {
        self.turned().into_iter().min()
    }

    /// Parses a shape.
    fn parse(text: &str) -> Option<Self> {
        let digits: Option<Vec<usize>> =
            text.chars().map(|c| c.to_digit(36).map(|digit| digit as usize)).collect();
        let [columns, rows, codes @ ..] = &digits?[..] else { return None };
        let bits = codes.iter().flat_map(|code| (0..5).rev().map(move |bit| code >> bit & 1 == 1));
        let mut squares: Vec<bool> = bits.collect();
        let is_valid = codes.iter().all(|code| *code < 32) && squares.contains(&true);
        squares.resize(rows * columns, false);
        is_valid.then_some(Self { columns: *columns, squares }).filter(|piece| piece.columns > 0)
    }

    fn text(&self) -> Option<String> {
        let bits: Vec<u32> = self.squares.iter().copied().map(u32::from).collect();
        let size = [self.columns, self.rows()].map(|side| char::from_digit(u32::try_from(side).ok()?, 36));
        let [Some(columns), Some(rows)] = size else { return None };
        Some(format!("{columns}{rows}{}", digits::write_fives(&bits).trim_end_matches('0')))
    }
}

/// Decodes shapes.
pub(crate) fn read(body: &mut BodyReader<'_>, presets: &[Preset]) -> Result<Vec<Piece>, InputError> {
    const START: &str = "`/` and the number of shapes";
    if body.next() != Some('/') {
        body.back();
        return Err(body.error_here(START));
    }
    if body.peek() == Some('/') {
        body.next();
        let Some((_, texts)) = presets.iter().find(|(letter, _)| body.peek() == Some(*letter)) else {
            let known: Vec<String> = presets.iter().map(|(letter, _)| format!("`{letter}`")).collect();
            return Err(body.error_here(known.join(" or ")));
        };
        body.next();
        return Ok(texts.iter().filter_map(|text| Piece::parse(text)).collect());
    }
    let Some(count) = segment(body).parse().ok().filter(|&count: &usize| count < 1000) else {
        return Err(body.error_here(START));
    };
    let mut pieces = Vec::new();
    while pieces.len() < count {
        if body.peek() != Some('/') {
            return Err(body.error_here(format!("`/` and {}", counted(count - pieces.len(), "more shape"))));
        }
        body.next();
        let text = segment(body);
        pieces.push(Piece::parse(&text).ok_or_else(|| body.error_here("a shape, such as `23eg`"))?);
    }
    Ok(pieces)
}

/// Returns the characters before the next slash.
fn segment(body: &mut BodyReader<'_>) -> String {
    let mut text = String::new();
    while let Some(c) = body.peek().filter(|&c| c != '/') {
        text.push(c);
        body.next();
    }
    text
}

/// Encodes shapes. Returns `None` if one is too large.
pub(crate) fn write(pieces: &[Piece], presets: &[Preset]) -> Option<String> {
    let canonical = |pieces: Vec<Piece>| {
        let mut pieces: Vec<_> = pieces.iter().filter_map(Piece::canonical).collect();
        pieces.sort_unstable();
        pieces
    };
    let of = canonical(pieces.to_vec());
    let is_same =
        |texts: &[&str]| canonical(texts.iter().filter_map(|text| Piece::parse(text)).collect()) == of;
    if let Some((letter, _)) = presets.iter().find(|(_, texts)| is_same(texts)) {
        return Some(format!("//{letter}"));
    }
    let texts: Option<Vec<String>> = pieces.iter().map(|piece| Some(format!("/{}", piece.text()?))).collect();
    Some(format!("/{}{}", pieces.len(), texts?.concat()))
}
