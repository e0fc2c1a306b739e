//! Text on its way into a file, quickly.

use std::io::{self, Write};

use gordian_encodings::Lit;

/// How much is put together before it is written.
const CHUNK: usize = 1 << 16;

/// Puts text together and writes it in large pieces. The first error is kept and told in the end: those who write
/// constraints have nobody to tell it to.
pub struct Text<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    written: u64,
    constraints: u64,
    error: Option<io::Error>,
}

impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text").field("written", &self.written).finish_non_exhaustive()
    }
}

impl<'w> Text<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, buffer: Vec::with_capacity(CHUNK + CHUNK / 4), written: 0, constraints: 0, error: None }
    }

    /// How many constraints were written.
    pub(super) fn constraints(&self) -> u64 {
        self.constraints
    }

    /// A constraint is complete.
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

    /// A line of other text.
    pub(super) fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to memory can't fail.
        let _ = writeln!(self.buffer, "{line}");
        if self.buffer.len() >= CHUNK {
            self.flush();
        }
    }

    /// A literal as DIMACS has it, and a space.
    #[inline]
    pub(super) fn lit(&mut self, lit: Lit) {
        if lit.is_neg() {
            self.buffer.push(b'-');
        }
        self.natural(lit.vidx32() + 1);
        self.buffer.push(b' ');
    }

    /// A number.
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

    /// Writes the rest; the number of bytes in all.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.written),
        }
    }
}
