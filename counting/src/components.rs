//! Model counting by decomposition of the formula into components.
//!
//! The counter branches on a variable, propagates, and splits the residual formula into components without common
//! variables. It multiplies the counts of the components. The counts of components are cached: Bayardo, Pehoushek:
//! *Counting models using connected components*, AAAI 2000; Sang, Bacchus, Beame, Kautz, Pitassi: *Combining component
//! caching and clause learning for effective model counting*, SAT 2004. The counter branches first on the separators of
//! a nested dissection of the formula. Korhonen and Järvisalo use tree decompositions instead: *Integrating tree
//! decompositions into decision heuristics of propositional model counters*, CP 2021.
//!
//! Some counters identify cached components only by a hash, so a collision can lead to a wrong count. This cache
//! contains exact descriptions of the components.
//!
//! ```
//! use gordian_counting::components::{Options, count};
//! use gordian_encodings::constraint::AtMostOne;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! for _ in 0..50 {
//!     let lits: Vec<_> = (0..9).map(|_| model.boolean()).collect();
//!     model.post(AtMostOne::new(lits));
//! }
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().keep_count(), &mut cnf);
//! let count = count(&cnf, &Options::default(), &mut |_| ());
//! assert_eq!(count, num_bigint::BigUint::from(10_u8).pow(50));
//! ```

use gordian_encodings::{Cnf, Lit, tick};
use num_bigint::BigUint;

use crate::circuit::{Circuit, Conjunction, TRUE};
use crate::{Number, Progress};

use cache::Cache;
use clauses::{Clauses, Truth};
use simplify::Simplified;
use split::{Component, Split};

mod cache;
mod clauses;
mod simplify;
mod split;

/// The options for counting models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The maximum size of the cache, in bytes. When the cache is full, the least recently used components are
    /// removed.
    pub cache: usize,
    /// The literals onto which models are projected: models that agree on the variables of these literals count as one.
    /// If there is no projection, models that differ in any variable are counted separately.
    pub projection: Option<Vec<Lit>>,
}

impl Default for Options {
    /// Returns options with a cache of 1 GiB and without a projection.
    fn default() -> Self {
        Self { cache: 1 << 30, projection: None }
    }
}

/// Counts the models of a formula. The function `report` is called regularly.
pub fn count(cnf: &Cnf, options: &Options, report: &mut dyn FnMut(&Progress)) -> BigUint {
    let Some(simplified) = Simplified::new(cnf, options.projection.as_deref()) else { return BigUint::ZERO };
    Counter::new(simplified, options, None, report).run().0.to_biguint()
}

/// Compiles a formula into a circuit that represents its models. The function `report` is called regularly.
pub fn compile(cnf: &Cnf, options: &Options, report: &mut dyn FnMut(&Progress)) -> Circuit {
    let mut circuit = Circuit::new();
    let Some(simplified) = Simplified::new(cnf, options.projection.as_deref()) else {
        circuit.node(&[]);
        return circuit;
    };
    Counter::new(simplified, options, Some(circuit), report).run().1
}

/// Returns the literals of the original formula that are equivalent to a literal of the simplified formula.
fn named(names: &[Vec<u32>], lit: u32) -> impl Iterator<Item = u32> + '_ {
    names[(lit >> 1) as usize].iter().map(move |name| name ^ (lit & 1))
}

/// The amount of work between two reports, measured as the total size of the components that are split. This amount of
/// work takes a few milliseconds.
const REPORT_INTERVAL: u64 = 1 << 17;

/// An entry of the search stack: a component whose models are being counted.
#[derive(Debug)]
struct Frame {
    /// The index of the component in [`Split::components`]. The entries between this index and the index in the next
    /// frame are the components of the current branch that have not been counted yet.
    component: usize,
    /// The literal that is decided in the current branch.
    decision: u32,
    /// True if the current branch is the second branch of the component.
    second: bool,
    /// The total number of models in the finished branches.
    total: Number,
    /// The product of the counts of all finished components of the current branch.
    product: Number,
    /// The number of the current branch's components that were not in the cache.
    parts: usize,
    /// The length of the trail before the decision of the current branch.
    trail: usize,
    /// The lengths of [`Split::variables`] and [`Split::keys`] before the current branch.
    variables: usize,
    keys: usize,
    /// The time at which the current branch started.
    since: u64,
    /// The branches of the component so far, for the circuit. The list is empty if no circuit is built.
    branches: Vec<Conjunction>,
}

/// The state of the model counter.
struct Counter<'a> {
    formula: Clauses,
    split: Split,
    cache: Cache,
    /// The depth of each variable in the nested dissection.
    depth: Vec<u32>,
    /// Maps each variable of the simplified formula to the equivalent literals of the original formula.
    names: Vec<Vec<u32>>,
    /// The literals of the original formula that hold in all models.
    fixed: Vec<u32>,
    frames: Vec<Frame>,
    circuit: Option<Circuit>,
    /// The work since the last report.
    work: u64,
    report: &'a mut dyn FnMut(&Progress),
}

impl<'a> Counter<'a> {
    fn new(
        simplified: Simplified,
        options: &Options,
        circuit: Option<Circuit>,
        report: &'a mut dyn FnMut(&Progress),
    ) -> Self {
        let Simplified { clauses, depth, names, projected, fixed } = simplified;
        Self {
            formula: Clauses::new(names.len(), &clauses),
            split: Split::new(names.len(), &clauses, projected),
            cache: Cache::new(options.cache),
            depth,
            names,
            fixed,
            frames: Vec::new(),
            circuit,
            work: 0,
            report,
        }
    }

    /// Counts the models. If no circuit is built, the returned circuit is empty.
    fn run(mut self) -> (Number, Circuit) {
        // The component of the first frame comprises all variables. The frame has a single branch, without a decision.
        let variables = self.names.len();
        self.split.variables.extend(0..variables as u32);
        let all = Component { start: 0, end: variables, key_start: 0, key_end: 0, hash: 0, projected: true };
        self.split.components.push(all);
        self.push_frame();
        if let Some(frame) = self.frames.first_mut() {
            frame.second = true;
        }
        self.enter_components();
        loop {
            if self.has_parts() {
                self.push_frame();
                self.branch();
                continue;
            }
            self.end_branch();
            let Some(frame) = self.frames.last_mut() else { break };
            let decided =
                frame.second || (!self.split.components[frame.component].projected && !frame.total.is_zero());
            if !decided {
                frame.second = true;
                frame.decision ^= 1;
                self.branch();
            } else if let Some(result) = self.pop_frame() {
                return result;
            }
        }
        (Number::ZERO, Circuit::new())
    }

    /// Returns whether the current branch has uncounted components. If a component has no models, the remaining
    /// components need not be counted.
    fn has_parts(&self) -> bool {
        let frame = self.frames.last();
        frame.is_some_and(|frame| {
            !frame.product.is_zero() && self.split.components.len() > frame.component + 1
        })
    }

    /// Starts counting the models of the last component on the stack.
    fn push_frame(&mut self) {
        let component = self.split.components.len() - 1;
        self.frames.push(Frame {
            component,
            decision: 2 * self.pick(component),
            second: false,
            total: Number::ZERO,
            product: Number::ONE,
            parts: 0,
            trail: self.formula.trail().len(),
            variables: self.split.variables.len(),
            keys: self.split.keys.len(),
            since: 0,
            branches: Vec::new(),
        });
    }

    /// Returns the variable on which to branch: the component's variable of minimum depth in the nested dissection.
    fn pick(&self, component: usize) -> u32 {
        let Component { start, end, projected, .. } = self.split.components[component];
        let mut best = (0, u32::MAX, 0.0);
        for &variable in &self.split.variables[start..end] {
            let depth = self.depth[variable as usize];
            if depth > best.1 || (projected && !self.split.is_projected(variable)) {
                continue;
            }
            let score = self.formula.activity(variable) + self.split.degree(variable) as f64;
            if depth < best.1 || score > best.2 {
                best = (variable, depth, score);
            }
        }
        best.0
    }

    /// Starts a branch of the last frame by making the frame's decision.
    fn branch(&mut self) {
        if self.work >= REPORT_INTERVAL {
            self.work = 0;
            let progress = self.progress();
            (self.report)(&progress);
        }
        let level = self.frames.len() as u32 - 1;
        let since = self.cache.time();
        let Some(frame) = self.frames.last_mut() else { return };
        let Component { start, end, .. } = self.split.components[frame.component];
        let work = (end - start) as u64 + 16;
        self.work += work;
        tick(work);
        (frame.since, frame.parts, frame.product) = (since, 0, Number::ONE);
        if self.formula.decide(frame.decision, level) {
            self.enter_components();
        } else {
            frame.product = Number::ZERO;
        }
    }

    /// Splits the component of the last frame under its decision, and looks up the counts of the resulting components
    /// in the cache.
    fn enter_components(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Component { start, end, .. } = self.split.components[frame.component];
        let first = self.split.components.len();
        let mut free = Vec::new();
        self.split.split(&self.formula, start, end, |variable| free.push(variable));
        free.retain(|&variable| self.split.is_projected(variable));
        frame.product <<= free.len() as u32;
        let mut nodes = Vec::new();
        let mut index = first;
        while let Some(part) = self.split.components.get(index) {
            let key = &self.split.keys[part.key_start..part.key_end];
            if let Some((count, node)) = self.cache.get(part.hash, key) {
                frame.product = &frame.product * count;
                nodes.push(node);
                self.split.components.swap_remove(index);
            } else {
                index += 1;
            }
        }
        // The smallest component is counted first: if it has no models, the larger components need not be counted.
        self.split.components[first..].sort_unstable_by_key(|part| std::cmp::Reverse(part.end - part.start));
        frame.parts = self.split.components.len() - first;
        let Some(circuit) = self.circuit.as_mut().filter(|_| !frame.product.is_zero()) else { return };
        let lits = self.split.variables[start..end].iter().filter_map(|&variable| {
            match self.formula.truth(2 * variable) {
                Truth::True => Some(2 * variable),
                Truth::False => Some(2 * variable + 1),
                Truth::Open => None,
            }
        });
        let lits = lits.flat_map(|lit| named(&self.names, lit)).collect();
        let mut any = Vec::new();
        for variable in free {
            if let [lit] = self.names[variable as usize][..] {
                any.push(lit >> 1);
                continue;
            }
            let value =
                |lit| Conjunction { lits: named(&self.names, lit).collect(), ..Conjunction::default() };
            nodes.push(circuit.node(&[value(2 * variable), value(2 * variable + 1)]));
        }
        frame.branches.push(Conjunction { lits, free: any, nodes, count: Number::ZERO });
    }

    /// Ends the current branch of the last frame, and backtracks.
    fn end_branch(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        self.split.components.truncate(frame.component + 1);
        self.split.variables.truncate(frame.variables);
        self.split.keys.truncate(frame.keys);
        self.formula.undo(frame.trail);
        if frame.product.is_zero() {
            // Learnt clauses may connect components. If one component has no models, the cached counts of its sibling
            // components may be too small, so these counts are removed.
            self.cache.remove_since(frame.since);
        }
        frame.total += &frame.product;
        if self.circuit.is_some() {
            if frame.product.is_zero() {
                frame.branches.retain(|branch| !branch.count.is_zero());
            } else if let Some(branch) = frame.branches.last_mut() {
                branch.count = frame.product.clone();
            }
        }
    }

    /// Finishes counting the last component. If this component comprises all variables, returns the result.
    fn pop_frame(&mut self) -> Option<(Number, Circuit)> {
        let frame = self.frames.pop()?;
        let component = self.split.components.pop()?;
        let Some(parent) = self.frames.last_mut() else {
            return Some(self.finish(frame));
        };
        let mut node = TRUE;
        let mut total = frame.total;
        if component.projected {
            if let Some(circuit) = &mut self.circuit {
                node = circuit.node(&frame.branches);
            }
        } else if !total.is_zero() {
            total = Number::ONE;
        }
        parent.product = &parent.product * &total;
        if let Some(branch) = parent.branches.last_mut() {
            branch.nodes.push(node);
        }
        let key = &self.split.keys[component.key_start..component.key_end];
        self.cache.insert(component.hash, key, total, node);
        None
    }

    /// Adds the fixed literals to the only branch of the first frame.
    fn finish(&mut self, frame: Frame) -> (Number, Circuit) {
        let mut circuit = self.circuit.take().unwrap_or_else(Circuit::new);
        let mut branches = frame.branches;
        for branch in &mut branches {
            branch.lits.append(&mut self.fixed);
        }
        circuit.node(&branches);
        (frame.total, circuit)
    }

    /// Returns a lower bound on the count, and the completed share of the search.
    fn progress(&self) -> Progress {
        let mut models = Number::ONE;
        let mut share = 0.0;
        let mut above = self.split.components.len();
        for frame in self.frames.iter().rev() {
            // The number of components of this branch that have not been counted yet, apart from the current component.
            let rest = above - frame.component - 1;
            above = frame.component;
            models = if rest == 0 { &models * &frame.product } else { Number::ZERO };
            models += &frame.total;
            let done = frame.parts.saturating_sub(rest + 1) as f64 + share;
            share = done / frame.parts.max(1) as f64;
            if frame.component > 0 {
                share = f64::midpoint(share, f64::from(u8::from(frame.second)));
            }
        }
        Progress { at_least: models.to_biguint(), share, entries: self.cache.len() }
    }
}

#[cfg(test)]
mod tests;
