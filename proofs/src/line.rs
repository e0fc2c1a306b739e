//! A buffer for lines of text.

use std::io;

/// Appends the decimal digits of a number, in ASCII.
pub fn push_number(text: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
}

/// A buffer for lines of ASCII text.
#[derive(Debug)]
pub(crate) struct LineWriter<O> {
    out: O,
    buffer: Vec<u8>,
    bytes: u64,
}

/// When a buffer has reached this size in bytes, its content is written to the output.
const FULL: usize = 1 << 16;

impl<O: io::Write> LineWriter<O> {
    pub(crate) fn new(out: O) -> Self {
        Self { out, buffer: Vec::new(), bytes: 0 }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.buffer.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    pub(crate) fn flush_if_full(&mut self) -> io::Result<()> {
        if self.buffer.len() >= FULL { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the rest of the buffer and returns the total number of bytes written.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.flush()?;
        self.out.flush()?;
        Ok(self.bytes)
    }
}
