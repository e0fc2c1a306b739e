//! Serialises solutions as JSON objects with a key for each field. Integers above 2^53 are written as strings,
//! because not every JSON reader represents them exactly.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Content, Field, Solution};

/// The largest integer that every JSON reader represents exactly.
const EXACT: u64 = 1 << 53;

struct ExactNumber(i128);

impl Serialize for ExactNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(number) if number.unsigned_abs() <= EXACT => serializer.serialize_i64(number),
            _ => serializer.collect_str(&self.0),
        }
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => ExactNumber(*number).serialize(serializer),
            Self::Word(word) => serializer.serialize_str(word),
        }
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => ExactNumber(*number).serialize(serializer),
            Self::Natural(number) => serializer.collect_str(number),
            Self::Numbers(numbers) => serializer.collect_seq(numbers.iter().copied().map(ExactNumber)),
            Self::Naturals(numbers) => serializer.collect_seq(numbers.iter().cloned().map(Self::from)),
            Self::Pairs(pairs) => serializer
                .collect_seq(pairs.iter().map(|&(first, second)| (ExactNumber(first), ExactNumber(second)))),
            Self::Grid(grid) => serializer.collect_seq(
                grid.by_row().map(|row| row.iter().copied().map(ExactNumber).collect::<Vec<_>>()),
            ),
        }
    }
}

impl Serialize for Solution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, field) in &self.fields {
            map.serialize_entry(name, field)?;
        }
        map.end()
    }
}
