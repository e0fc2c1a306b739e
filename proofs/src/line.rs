//! A buffer for lines of text.

use std::io;

/// Appends a number to a text.
pub fn push_number(text: &mut String, number: u64) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// A buffer for lines.
#[derive(Debug)]
pub(crate) struct LineWriter<O> {
    out: O,
    buffer: String,
    bytes: u64,
}

/// The size in bytes at which a buffer is written.
const FULL: usize = 1 << 16;

impl<O: io::Write> LineWriter<O> {
    pub(crate) fn new(out: O) -> Self {
        Self { out, buffer: String::new(), bytes: 0 }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.buffer.push_str(text);
    }

    pub(crate) fn buffer(&mut self) -> &mut String {
        &mut self.buffer
    }

    pub(crate) fn flush_if_full(&mut self) -> io::Result<()> {
        if self.buffer.len() >= FULL { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(self.buffer.as_bytes())?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the rest and returns the number of bytes.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.flush()?;
        self.out.flush()?;
        Ok(self.bytes)
    }
}
