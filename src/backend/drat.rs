//! Writes clausal proofs in the textual DRAT format.
//!
//! Each line contains a derived clause, or `d` followed by a deleted clause. The format and a checker are described in
//! Heule, Hunt, Wetzler: *Trimming while checking clausal proofs*, FMCAD 2013.
//!
//! ```
//! use std::cell::RefCell;
//! use std::rc::Rc;
//!
//! use gordian::backend::drat::Drat;
//! use gordian::backend::{self, Verdict};
//! use gordian_encodings::Lit;
//!
//! let proof = Rc::new(RefCell::new(Drat::new(Vec::new(), |lit| lit)));
//! let mut solver = backend::find("batsat")?.make()?;
//! assert!(solver.log_proof(Box::new(Rc::clone(&proof))));
//! let (a, b) = (Lit::positive(0), Lit::positive(1));
//! for clause in [[a, b], [a, !b], [!a, b], [!a, !b]] {
//!     solver.clause(&clause);
//! }
//! assert_eq!(solver.solve(&[])?, Verdict::Unsatisfiable);
//! drop(solver);
//! let text = Rc::into_inner(proof).expect("the solver is dropped").into_inner().finish()?;
//! assert_eq!(String::from_utf8(text)?, "1 0\n0\n");
//! # Ok::<(), anyhow::Error>(())
//! ```

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gordian_encodings::Lit;

use super::ProofLog;

/// A DRAT proof that is being written.
pub struct Drat<W> {
    out: W,
    /// Maps a literal of the solver to the literal of the formula.
    original: Box<dyn Fn(Lit) -> Lit>,
    /// The flag that stops the solver. The writer sets this flag if writing fails.
    cancel: Option<Arc<AtomicBool>>,
    /// The first error. After an error, nothing more is written.
    failure: Option<io::Error>,
    /// A buffer for a line.
    line: Vec<u8>,
    /// True once the empty clause has been written. Nothing follows the empty clause.
    refuted: bool,
}

impl<W: Write> Drat<W> {
    /// Creates an empty proof. The function `original` maps a literal of the solver to the literal of the formula.
    pub fn new(out: W, original: impl Fn(Lit) -> Lit + 'static) -> Self {
        let original = Box::new(original);
        Self { out, original, cancel: None, failure: None, line: Vec::new(), refuted: false }
    }

    /// Specifies the flag that stops the solver. The writer sets the flag to `true` if writing fails.
    #[must_use]
    pub fn cancel_on_failure(self, cancel: Option<Arc<AtomicBool>>) -> Self {
        Self { cancel, ..self }
    }

    /// Checks that no write has failed.
    ///
    /// # Errors
    /// Returns the first error of the writer.
    pub fn check(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Completes the proof of an unsatisfiable formula by adding the empty clause, and returns the writer. Solvers do
    /// not log the empty clause if unit propagation derives it from the clauses.
    ///
    /// # Errors
    /// Returns the first error of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.step("", &[]);
        self.check()?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes a line.
    fn step(&mut self, sign: &str, clause: &[Lit]) {
        if self.refuted || self.failure.is_some() {
            return;
        }
        self.refuted = sign.is_empty() && clause.is_empty();
        self.line.clear();
        self.line.extend_from_slice(sign.as_bytes());
        for number in clause.iter().map(|&lit| (self.original)(lit).to_ipasir()).chain([0]) {
            // Writing to a vector never fails.
            let _ = write!(self.line, "{number} ");
        }
        self.line.pop();
        self.line.push(b'\n');
        if let Err(error) = self.out.write_all(&self.line) {
            self.failure = Some(error);
            if let Some(cancel) = &self.cancel {
                cancel.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl<W: Write> ProofLog for Rc<RefCell<Drat<W>>> {
    fn derived(&mut self, clause: &[Lit]) {
        self.borrow_mut().step("", clause);
    }

    fn deleted(&mut self, clause: &[Lit]) {
        self.borrow_mut().step("d ", clause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_stops_the_solver() {
        let cancel = Arc::new(AtomicBool::new(false));
        let full: &mut [u8] = &mut [0; 4];
        let mut proof = Drat::new(full, |lit| !lit).cancel_on_failure(Some(Arc::clone(&cancel)));
        proof.step("", &[Lit::positive(6)]);
        assert!(proof.failure.is_some() && cancel.load(Ordering::Relaxed));
        assert_eq!(proof.finish().unwrap_err().kind(), io::ErrorKind::WriteZero);
    }
}
