//! The syntax of JSON objects and arrays.

use std::borrow::Cow;
use std::ops::Range;

use super::Reader;
use crate::cursor::{ReadError, quote};

/// The names of the members that FlatZinc JSON uses.
const KEYS: &[&str] = &[
    "a",
    "ann",
    "args",
    "arrays",
    "constraints",
    "defined",
    "defines",
    "domain",
    "id",
    "introduced",
    "method",
    "objective",
    "output",
    "rhs",
    "set",
    "solve",
    "string",
    "type",
    "variables",
    "version",
];

/// The known members of a JSON object, with the offsets of their values.
pub(super) struct Members(Vec<(&'static str, usize)>);

impl Members {
    pub(super) fn find(&self, key: &str) -> Option<usize> {
        self.0.iter().find(|(known, _)| *known == key).map(|&(_, at)| at)
    }
}

impl<'a> Reader<'a> {
    pub(super) fn string(&mut self) -> Result<(Cow<'a, str>, Range<usize>), ReadError> {
        let start = self.cursor.offset();
        let text = self.cursor.string(escape)?;
        Ok((text, self.cursor.span_from(start)))
    }

    /// Calls a function for each item of an array.
    pub(super) fn each_item(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.cursor.require("[")?;
        let mut list = self.cursor.list("]")?;
        while self.cursor.next_item(&mut list)? {
            item(self)?;
        }
        Ok(())
    }

    /// Calls a function for each member of an object.
    pub(super) fn each_member(
        &mut self,
        mut member: impl FnMut(&mut Self, Cow<'a, str>, Range<usize>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.cursor.require("{")?;
        let mut list = self.cursor.list("}")?;
        while self.cursor.next_item(&mut list)? {
            let (key, span) = self.string()?;
            self.cursor.require(":")?;
            member(self, key, span)?;
        }
        Ok(())
    }

    /// Skips a JSON object and returns its members.
    pub(super) fn members(&mut self) -> Result<Members, ReadError> {
        let mut members = Members(Vec::new());
        self.each_member(|reader, key, span| {
            if let Some(known) = KEYS.iter().find(|&&known| known == key) {
                if members.find(known).is_some() {
                    return Err(ReadError::new(span, "a new member", format!("{} again", quote(&key))));
                }
                members.0.push((known, reader.cursor.offset()));
            }
            reader.skip()
        })?;
        Ok(members)
    }

    /// Skips a JSON value.
    pub(super) fn skip(&mut self) -> Result<(), ReadError> {
        match self.cursor.peek() {
            Some(b'{') => self.each_member(|reader, _, _| reader.skip()),
            Some(b'[') => self.each_item(Self::skip),
            Some(b'"') => self.string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.cursor.number().map(drop),
            _ if self.cursor.accept_word("null") => Ok(()),
            _ => self.boolean().map(drop),
        }
    }

    pub(super) fn boolean(&mut self) -> Result<bool, ReadError> {
        if self.cursor.accept_word("true") {
            Ok(true)
        } else if self.cursor.accept_word("false") {
            Ok(false)
        } else {
            Err(self.cursor.error("a value"))
        }
    }

    /// Moves the cursor to the value of a member. Returns `false` if the object lacks the member.
    pub(super) fn enter(&mut self, members: &Members, key: &str) -> bool {
        let at = members.find(key);
        if let Some(at) = at {
            self.cursor.go_to(at);
        }
        at.is_some()
    }

    /// Reads a JSON object. Calls `inside` with the members of the object, and then moves the cursor to the end of
    /// the object.
    pub(super) fn object<T>(
        &mut self,
        inside: impl FnOnce(&mut Self, Members) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let members = self.members()?;
        let end = self.cursor.offset();
        let value = inside(self, members)?;
        self.cursor.go_to(end);
        Ok(value)
    }
}

/// Reads the part of a JSON escape sequence that follows the backslash.
fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let unit = |at: usize| -> Option<u16> {
        let digits = bytes.get(at..at + 4)?;
        digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let c = match bytes.first()? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        &byte @ (b'"' | b'\\' | b'/') => byte.into(),
        b'u' => {
            let first = unit(1)?;
            if let Some(c) = char::from_u32(first.into()) {
                return Some((c, 5));
            }
            // The first half of a UTF-16 surrogate pair must be followed by the second half, which is also written as
            // `\uXXXX`.
            let second = if bytes.get(5..7)? == b"\\u" { unit(7)? } else { return None };
            return char::decode_utf16([first, second]).next()?.ok().map(|c| (c, 11));
        }
        _ => return None,
    };
    Some((c, 1))
}
