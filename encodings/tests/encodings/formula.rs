//! A test case encoded as clauses, with access to the variables in its scope.

use gordian_encodings::{
    Assignment, Cnf, Collect, Constraint, Encodable, Encodings, FALSE, Lit, Model, ModelCount, Strength,
    TRUE, Value,
};
use std::rc::Rc;
use std::sync::Arc;

/// A constraint to encode, with the model that contains its variables.
pub(crate) struct Sample<M> {
    pub(crate) model: Rc<Model>,
    pub(crate) constraint: M,
    /// True if the variables in the scope are distinct and no literal is constant. The encoding must then have
    /// exactly the declared size and strength.
    pub(crate) plain: bool,
    /// The maximum number of partial assignments in the test for redundant clauses. If the sample needs more, this test
    /// skips the sample.
    pub(crate) trials: usize,
    /// The encodings that exceed their declared strength on this sample, each with the strength that it reaches.
    pub(crate) reaches: Vec<(&'static str, Strength)>,
}

impl<M> Sample<M> {
    /// Replaces the constraint of the sample by `make(constraint)`.
    pub(crate) fn map<N>(self, make: impl FnOnce(&M) -> N) -> Sample<N> {
        let Self { model, constraint, plain, trials, reaches } = self;
        Sample { model, constraint: make(&constraint), plain, trials, reaches }
    }

    /// Records that an encoding exceeds its declared strength on this sample.
    pub(crate) fn reaches(mut self, encoding: &'static str, strength: Strength) -> Self {
        self.reaches.push((encoding, strength));
        self
    }
}

/// A sample and one of its encodings.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) label: String,
    pub(crate) name: &'static str,
    pub(crate) encoding: &'static str,
    pub(crate) strength: Strength,
    pub(crate) reaches: Option<Strength>,
    pub(crate) count: ModelCount,
    /// The value of [`Sample::plain`]. The field `plain` below has the same value, except that it is false for the
    /// encoding `auto`.
    pub(crate) distinct: bool,
    pub(crate) plain: bool,
    pub(crate) trials: usize,
    pub(crate) model: Rc<Model>,
    pub(crate) constraint: Arc<dyn Constraint>,
    pub(crate) encodings: Encodings,
}

/// Returns a case for every sample with every applicable encoding, and with `auto`.
pub(crate) fn cases_of<M: Constraint + Encodable>(samples: Vec<Sample<M>>) -> Vec<Case> {
    let mut cases = Vec::new();
    for Sample { model, constraint, plain, trials, reaches } in samples {
        let constraint = Arc::new(constraint);
        for encoding in
            M::ENCODINGS.iter().filter(|encoding| (encoding.applies)(&constraint, model.domains()))
        {
            // A lazy encoding does not write its complete formula. The tests of `theory` and of the search cover lazy
            // encodings.
            if encoding.strength == Strength::Lazy {
                continue;
            }
            let mut encodings = Encodings::auto();
            encodings.choose(*encoding);
            cases.push(Case {
                label: format!("{}={} on {constraint:?}", M::NAME, encoding.name),
                name: M::NAME,
                encoding: encoding.name,
                strength: encoding.strength,
                reaches: reaches
                    .iter()
                    .find(|(name, _)| *name == encoding.name)
                    .map(|&(_, strength)| strength),
                count: encoding.count,
                distinct: plain,
                plain,
                trials,
                model: model.clone(),
                constraint: constraint.clone(),
                encodings,
            });
        }
        // For `auto`, only the models of the formula are tested: sizes and strengths are declared for each encoding,
        // but not for `auto`.
        cases.push(Case {
            label: format!("{}=auto on {constraint:?}", M::NAME),
            name: M::NAME,
            encoding: "auto",
            strength: Strength::Search,
            reaches: None,
            count: ModelCount::OnRequest,
            distinct: plain,
            plain: false,
            trials: 0,
            model,
            constraint,
            encodings: Encodings::auto(),
        });
    }
    cases
}

/// A Boolean or integer variable of the model, with its values. A Boolean has the values 0 and 1.
pub(crate) struct Variable {
    pub(crate) values: Vec<Value>,
    /// Maps each value to the literal that is true if the variable has the value.
    pub(crate) equal: Vec<Lit>,
    /// Maps each value to the literal that is true if the variable is at most the value.
    pub(crate) at_most: Vec<Lit>,
}

pub(crate) struct Formula {
    pub(crate) cnf: Cnf,
    /// The literal that implies the constraint.
    pub(crate) condition: Lit,
    /// The index of the first clause of the constraint.
    pub(crate) first_own: usize,
    pub(crate) last_own: usize,
    /// The numbers of variables and clauses written for the constraint.
    pub(crate) size: [u64; 2],
    pub(crate) variables: Vec<Variable>,
    /// The solutions of the constraint, as indices into the values of `variables`.
    pub(crate) solutions: Vec<Vec<usize>>,
}

/// The maximum number of total assignments that a test enumerates for a case.
const MOST_ASSIGNMENTS: u128 = 1500;

impl Case {
    /// Returns whether the total assignments of the case are few enough to be enumerated.
    pub(crate) fn is_small(&self) -> bool {
        let integers = self.model.integer_variables().map(|x| self.model.domain(x).size());
        let booleans = 1_u128 << (self.model.variables() as usize - self.model.bounds().len()).min(100);
        integers.fold(booleans, u128::saturating_mul) <= MOST_ASSIGNMENTS
    }

    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// Encodes the case as clauses.
    pub(crate) fn formula(&self) -> Formula {
        self.formula_with(false, true)
    }

    /// Encodes the case like [`Case::formula`]. If `conditional` is true, the constraint is half-reified. The tests
    /// use the literals `x <= v` and `x = v` of the integers. If `literals_first` is true, these literals are created
    /// before the constraint is encoded; otherwise, they are created after it.
    pub(crate) fn formula_with(&self, conditional: bool, literals_first: bool) -> Formula {
        let mut cnf = Cnf::default();
        let mut encoded = self.model.encode(&self.encodings, &mut cnf);
        if literals_first && self.is_small() {
            self.variables(&mut encoded.sink(&mut cnf));
        }
        let condition = if conditional { encoded.sink(&mut cnf).fresh() } else { TRUE };
        let first_own = cnf.len();
        let before = row(&encoded, self.name);
        encoded.sink(&mut cnf).when(condition).post(&*self.constraint);
        let after = row(&encoded, self.name);
        let size = [after[0] - before[0], after[1] - before[1]];
        let last_own = cnf.len();
        let variables =
            if self.is_small() { self.variables(&mut encoded.sink(&mut cnf)) } else { Vec::new() };
        cnf.reserve(encoded.sink(&mut Cnf::default()).variables());
        let solutions = if self.is_small() { self.solutions(&variables) } else { Vec::new() };
        Formula { cnf, condition, first_own, last_own, size, variables, solutions }
    }

    pub(crate) fn variables(&self, sink: &mut gordian_encodings::Sink<'_>) -> Vec<Variable> {
        let mut variables = Vec::new();
        for lit in self.free_booleans() {
            variables.push(Variable {
                values: vec![0, 1],
                equal: vec![!lit, lit],
                at_most: vec![!lit, TRUE],
            });
        }
        for x in self.model.integer_variables() {
            let values: Vec<Value> = self.model.domain(x).values().collect();
            let equal = values.iter().map(|&value| sink.equals(x, value)).collect();
            let at_most = values.iter().map(|&value| sink.at_most(x, value)).collect();
            variables.push(Variable { values, equal, at_most });
        }
        variables
    }

    /// Returns the Boolean variables of the model, without the literals of integers.
    fn free_booleans(&self) -> Vec<Lit> {
        let bounds = self.model.bounds();
        let mut lits: Vec<Lit> = (0..self.model.variables()).map(Lit::positive).collect();
        lits.retain(|lit| bounds.iter().all(|(_, bound)| bound.var() != lit.var()));
        lits
    }

    /// Returns the solutions of the constraint, found by calling `holds` for each total assignment.
    fn solutions(&self, variables: &[Variable]) -> Vec<Vec<usize>> {
        let mut solutions = Vec::new();
        let free = self.free_booleans();
        each_choice(
            &variables.iter().map(|variable| variable.values.len()).collect::<Vec<_>>(),
            &mut |choice| {
                let mut booleans = vec![false; self.model.variables() as usize];
                for (lit, &value) in free.iter().zip(choice) {
                    booleans[lit.vidx()] = value == 1;
                }
                let integers: Vec<Value> = variables[free.len()..]
                    .iter()
                    .zip(&choice[free.len()..])
                    .map(|(variable, &index)| variable.values[index])
                    .collect();
                for (bound, lit) in self.model.bounds() {
                    let value = integers[bound.variable.index()];
                    booleans[lit.vidx()] = lit.is_pos() == bound.holds(value);
                }
                if self.constraint.holds(&Assignment::new(booleans, integers)) {
                    solutions.push(choice.to_vec());
                }
            },
        );
        solutions
    }
}

fn row(encoded: &gordian_encodings::Encoded, name: &str) -> [u64; 2] {
    encoded
        .sizes()
        .rows()
        .iter()
        .find(|row| row.constraint == name)
        .map_or([0, 0], |row| [row.variables, row.clauses])
}

/// Calls `look` with every list of indices in which element i is less than `sizes[i]`.
pub(crate) fn each_choice(sizes: &[usize], look: &mut impl FnMut(&[usize])) {
    if sizes.contains(&0) {
        return;
    }
    let mut choice = vec![0; sizes.len()];
    loop {
        look(&choice);
        let Some(place) = (0..sizes.len()).rev().find(|&i| choice[i] + 1 < sizes[i]) else { return };
        choice[place] += 1;
        choice[place + 1..].fill(0);
    }
}

impl Formula {
    /// Returns literals that assign the chosen value to each variable.
    pub(crate) fn exactly(&self, choice: &[usize]) -> Vec<Lit> {
        self.variables.iter().zip(choice).map(|(variable, &index)| variable.equal[index]).collect()
    }

    /// Returns literals that exclude all values outside `masks`. Each mask is a set of values of a variable, with one
    /// bit for each value.
    pub(crate) fn without(&self, masks: &[u32]) -> Vec<Lit> {
        let mut lits = Vec::new();
        for (variable, mask) in self.variables.iter().zip(masks) {
            let excluded = (0..variable.values.len()).filter(|index| mask >> index & 1 == 0);
            lits.extend(excluded.map(|index| !variable.equal[index]));
        }
        lits
    }

    /// Returns literals that restrict each variable to the interval from the lowest to the highest value of its mask.
    pub(crate) fn between(&self, masks: &[u32]) -> Vec<Lit> {
        let mut lits = Vec::new();
        for (variable, mask) in self.variables.iter().zip(masks) {
            let (first, last) = (mask.trailing_zeros() as usize, 31 - mask.leading_zeros() as usize);
            lits.push(variable.at_most[last]);
            lits.push(!first.checked_sub(1).map_or(FALSE, |below| variable.at_most[below]));
        }
        lits
    }

    pub(crate) fn has_solution(&self, masks: &[u32]) -> bool {
        let within =
            |solution: &Vec<usize>| solution.iter().zip(masks).all(|(index, mask)| mask >> index & 1 == 1);
        self.solutions.iter().any(within)
    }

    /// Returns, for each variable, a mask of the values that it has in solutions within `masks`. If there is no such
    /// solution, all masks are 0.
    pub(crate) fn supported(&self, masks: &[u32]) -> Vec<u32> {
        let mut supported = vec![0; masks.len()];
        for solution in &self.solutions {
            if solution.iter().zip(masks).all(|(index, mask)| mask >> index & 1 == 1) {
                for (index, supported) in solution.iter().zip(&mut supported) {
                    *supported |= 1 << index;
                }
            }
        }
        supported
    }
}
