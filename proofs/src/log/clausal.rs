//! Certificates in clausal form: a CNF formula with lemmas, the graphs of the lemmas, and a DRAT proof.
//!
//! The formula contains only the clauses that the contradiction depends on. The documentation of the crate
//! `gordian-lemmas`, which checks the lemmas, describes the files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use super::{KEPT, Log, Summary};
use crate::derive::ConnectedGraph;
use crate::error::ProofError;
use crate::line::LineWriter;
use crate::trim::UNITS;

/// The writers for the files of a certificate in clausal form.
#[expect(missing_debug_implementations, reason = "writers have no useful text form")]
pub struct ClausalFiles<'a> {
    /// The output for `formula.cnf`.
    pub formula: &'a mut dyn io::Write,
    /// The output for `graphs`.
    pub graphs: &'a mut dyn io::Write,
    /// The output for `proof.drat`.
    pub proof: &'a mut dyn io::Write,
}

/// A buffer for lines that contain mostly numbers.
type Lines<'a> = LineWriter<&'a mut dyn io::Write>;

fn write_clause(out: &mut Lines<'_>, start: &str, lits: &[Lit]) -> io::Result<()> {
    out.text(start);
    for lit in lits {
        out.text(&format!("{} ", lit.to_ipasir()));
    }
    out.text("0\n");
    out.flush_if_full()
}

impl Log {
    /// Checks that the log can be written in clausal form.
    ///
    /// # Errors
    /// Returns an error if the log is a proof of an optimum by cores, or if the formula contains integers.
    pub fn check_clausal(&self) -> Result<(), ProofError> {
        match () {
            () if self.better.is_some() => Err(ProofError::NotClausal("an optimum")),
            () if self.definitions.has_order() => Err(ProofError::NotClausal("integers")),
            () => Ok(()),
        }
    }

    /// Writes a certificate in clausal form.
    ///
    /// # Errors
    /// Returns the errors of [`Log::check_clausal`], and an error if the recorded clauses do not refute the formula.
    pub fn write_clausal(&mut self, files: ClausalFiles<'_>) -> Result<Summary, ProofError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.check_clausal()?;
        let trimmed = self.trimmed(false)?;
        let all_hints = || trimmed.learnt.iter().map(|(_, hints)| hints).chain([&trimmed.conflict]);
        let mut last_uses: HashMap<u32, usize, FxBuildHasher> = HashMap::default();
        for (step, hints) in all_hints().enumerate() {
            last_uses.extend(hints.iter().filter(|&&hint| hint != UNITS).map(|&hint| (hint, step)));
        }
        // The proof does not delete unit clauses that learnt clauses use without listing them.
        last_uses.extend(trimmed.units.iter().map(|&unit| (unit, usize::MAX)));
        let mut given: Vec<u32> =
            last_uses.keys().copied().filter(|&clause| self.origins[clause as usize] < KEPT).collect();
        given.sort_unstable();
        let (formula_bytes, lemmas) = self.write_formula(files.formula, files.graphs, &given)?;

        let mut out = LineWriter::new(files.proof);
        for (step, (clause, hints)) in trimmed.learnt.iter().enumerate() {
            write_clause(&mut out, "", self.lits_of(*clause))?;
            for hint in hints.iter().filter(|hint| last_uses.get(hint) == Some(&step)) {
                write_clause(&mut out, "d ", self.lits_of(*hint))?;
            }
        }
        out.text("0\n");
        Ok(Summary {
            rows: given.len() as u64,
            formula_bytes,
            proof_bytes: out.finish()?,
            learnt: self.origins.iter().filter(|&&origin| origin >= KEPT).count() as u64,
            needed: trimmed.learnt.len() as u64,
            derived: lemmas,
        })
    }

    /// Writes the formula and the graphs. Returns the size of the formula in bytes, and the number of lemmas.
    fn write_formula(
        &self,
        formula: &mut dyn io::Write,
        graphs: &mut dyn io::Write,
        given: &[u32],
    ) -> Result<(u64, u64), ProofError> {
        let mut clauses = Vec::new();
        let mut lemmas: BTreeMap<u32, (ConnectedGraph, Vec<u32>)> = BTreeMap::new();
        for &clause in given {
            let origin = self.origins[clause as usize];
            match lemmas.get_mut(&origin) {
                Some((_, lemmas)) => lemmas.push(clause),
                None => match self.constraints[origin as usize].1.graph() {
                    Some(graph) => drop(lemmas.insert(origin, (graph, vec![clause]))),
                    None => clauses.push(clause),
                },
            }
        }
        let mut variables: BTreeSet<u32> =
            given.iter().flat_map(|&clause| self.lits_of(clause)).map(|lit| lit.vidx32()).collect();
        let mut out = LineWriter::new(graphs);
        for (graph, _) in lemmas.values() {
            out.text(&format!("graph {} {} {}\n", graph.number, graph.size.0, graph.size.1));
            for (vertex, lit) in &graph.vertices {
                variables.extend(lit.map(Lit::vidx32));
                let lit = lit.map_or("always".to_owned(), |lit| lit.to_ipasir().to_string());
                out.text(&format!("vertex {vertex} {lit}\n"));
            }
            for (a, b) in &graph.edges {
                out.text(&format!("edge {a} {b}\n"));
            }
            out.flush_if_full()?;
        }
        out.finish()?;

        // Adds the variables that occur in the definitions of these variables, directly or indirectly.
        let mut open: Vec<u32> = variables.iter().copied().collect();
        while let Some(variable) = open.pop() {
            let lits = self.definitions.terms(variable).into_iter().map(|(_, lit)| lit.vidx32());
            open.extend(lits.filter(|&variable| variables.insert(variable)));
        }
        let mut out = LineWriter::new(formula);
        for &variable in &variables {
            if let Some((lit, bound)) = self.definitions.of(variable) {
                out.text(&format!("c define {} {bound}", lit.to_ipasir()));
                for (coefficient, lit) in self.definitions.terms(variable) {
                    out.text(&format!(" {coefficient} {}", lit.to_ipasir()));
                }
                out.text("\n");
            } else if let Some(name) = self.formula.name_of(variable) {
                out.text(&format!("c name {} {name}\n", variable + 1));
            }
            out.flush_if_full()?;
        }
        // The learnt clauses in the proof contain only variables in `variables`.
        out.text(&format!("p cnf {} {}\n", variables.last().map_or(0, |last| last + 1), given.len()));
        for &clause in &clauses {
            write_clause(&mut out, "", self.lits_of(clause))?;
        }
        for (graph, lemmas) in lemmas.values() {
            out.text(&format!("c lemmas of graph {}\n", graph.number));
            lemmas.iter().try_for_each(|&lemma| write_clause(&mut out, "", self.lits_of(lemma)))?;
        }
        let lemmas = lemmas.values().map(|(_, lemmas)| lemmas.len() as u64).sum();
        Ok((out.finish()?, lemmas))
    }
}
