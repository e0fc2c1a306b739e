//! Buffers text output.

use std::io::{self, Write};

use gordian_encodings::Lit;

/// The buffer is written to the output as soon as it contains this many bytes.
const CHUNK: usize = 1 << 16;

/// A buffer for text, which is written in large chunks. The writers of constraints can't return errors, so
/// `FormulaText::finish` returns the first error.
pub struct FormulaText<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    written: u64,
    constraints: u64,
    error: Option<io::Error>,
}

impl std::fmt::Debug for FormulaText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FormulaText").field("written", &self.written).finish_non_exhaustive()
    }
}

impl<'w> FormulaText<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, buffer: Vec::with_capacity(CHUNK + CHUNK / 4), written: 0, constraints: 0, error: None }
    }

    /// Returns the number of constraints written so far.
    pub(super) fn constraints(&self) -> u64 {
        self.constraints
    }

    /// Writes the end of a constraint, and increments the number of constraints.
    #[inline]
    pub(super) fn end_constraint(&mut self, ending: &[u8]) {
        self.bytes(ending);
        self.constraints += 1;
        if self.buffer.len() >= CHUNK {
            self.flush();
        }
    }

    #[inline]
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Writes a line that is not a constraint.
    pub(super) fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to memory never fails.
        let _ = writeln!(self.buffer, "{line}");
        if self.buffer.len() >= CHUNK {
            self.flush();
        }
    }

    /// Writes a literal in DIMACS notation, followed by a space.
    #[inline]
    pub(super) fn lit(&mut self, lit: Lit) {
        if lit.is_neg() {
            self.buffer.push(b'-');
        }
        self.natural(lit.vidx32() + 1);
        self.buffer.push(b' ');
    }

    /// Writes a number in decimal.
    #[inline]
    pub(super) fn natural(&mut self, mut number: u32) {
        const LENGTH: usize = 10;
        let mut digits = [0_u8; LENGTH];
        let mut start = LENGTH;
        loop {
            start -= 1;
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.buffer.extend_from_slice(&digits[start..]);
    }

    fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.out.write_all(&self.buffer).err();
        }
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
    }

    /// Writes the rest of the buffer to the output. Returns the total number of bytes written.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.written),
        }
    }
}
