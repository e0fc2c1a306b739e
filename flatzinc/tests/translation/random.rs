//! Random small instances for the tests.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use gordian_encodings::{Domain, Value};
use gordian_flatzinc::instance::{
    Argument, Call, Goal, Instance, Operand, Output, Place, VarDomain, VarId, Variable,
};
use proptest::prelude::*;

/// The name of a constraint and the types of its arguments.
///
/// Each letter is a type:
///
/// * `b` is a Boolean, `i` an integer, `v` a constant, `n` a constant from -1 to 4, and `S` a set.
/// * `B` is an array of Booleans, and `I` is an array of integers.
/// * `V` is an array of constants, and `C` is an array of integers. Each has the same length as the other arrays of the
///   constraint.
/// * `T` contains the rows of a table over the previous array.
/// * `s`, `A` and `F` are a state, the transitions and the accepting states of an automaton.
pub(crate) type Row = (&'static str, &'static str);

pub(crate) const ROWS: &[Row] = &[
    ("array_bool_and", "B"),
    ("array_bool_and", "Bb"),
    ("array_bool_or", "B"),
    ("array_bool_or", "Bb"),
    ("array_bool_xor", "B"),
    ("bool_and", "bbb"),
    ("bool_or", "bbb"),
    ("bool_xor", "bbb"),
    ("bool_xor", "bb"),
    ("bool_not", "bb"),
    ("bool_ne", "bb"),
    ("bool_eq", "bb"),
    ("bool_le", "bb"),
    ("bool_lt", "bb"),
    ("bool_clause", "BB"),
    ("bool2int", "bi"),
    ("bool_lin_eq", "VBi"),
    ("bool_lin_ne", "VBi"),
    ("bool_lin_le", "VBi"),
    ("int_lin_eq", "VIv"),
    ("int_lin_ne", "VIv"),
    ("int_lin_le", "VIv"),
    ("int_eq", "ii"),
    ("int_ne", "ii"),
    ("int_le", "ii"),
    ("int_lt", "ii"),
    ("int_plus", "iii"),
    ("int_times", "iii"),
    ("int_div", "iii"),
    ("int_mod", "iii"),
    ("int_pow", "iii"),
    ("int_pow_fixed", "ini"),
    ("int_abs", "ii"),
    ("int_max", "iii"),
    ("int_min", "iii"),
    ("array_int_maximum", "iI"),
    ("array_int_minimum", "iI"),
    ("set_in", "iS"),
    ("array_bool_element", "iBb"),
    ("array_var_bool_element", "iBb"),
    ("array_int_element", "iIi"),
    ("array_var_int_element", "iIi"),
    ("gordian_element_bool", "inBb"),
    ("gordian_element_int", "inIi"),
    ("fzn_all_different_int", "I"),
    ("fzn_alldifferent_except", "IS"),
    ("fzn_alldifferent_except_0", "I"),
    ("fzn_all_equal_int", "I"),
    ("gordian_table_int", "IT"),
    ("gordian_table_bool", "BT"),
    ("fzn_count_eq", "Iii"),
    ("fzn_count_neq", "Iii"),
    ("fzn_count_geq", "Iii"),
    ("fzn_count_leq", "Iii"),
    ("fzn_at_most_int", "nIv"),
    ("fzn_at_least_int", "nIv"),
    ("fzn_exactly_int", "nIv"),
    ("fzn_among", "iIS"),
    ("fzn_global_cardinality", "IVC"),
    ("fzn_global_cardinality_closed", "IVC"),
    ("fzn_global_cardinality_low_up", "IVVV"),
    ("fzn_global_cardinality_low_up_closed", "IVVV"),
    ("gordian_bin_packing_load", "InIV"),
    ("gordian_bin_packing_capa", "InIV"),
    ("fzn_lex_less_int", "II"),
    ("fzn_lex_lesseq_int", "II"),
    ("fzn_lex_less_bool", "BB"),
    ("fzn_lex_lesseq_bool", "BB"),
    ("gordian_inverse", "InIn"),
    ("gordian_circuit", "In"),
    ("gordian_subcircuit", "In"),
    ("gordian_connected", "BG"),
    ("gordian_automaton", "IsAF"),
    ("fzn_value_precede_int", "vvI"),
    ("fzn_value_precede_chain_int", "VI"),
    ("fzn_seq_precede_chain_int", "I"),
    ("fzn_cumulative", "IIIi"),
    ("fzn_disjunctive", "II"),
    ("fzn_disjunctive_strict", "II"),
    ("gordian_diffn", "dII"),
    ("gordian_diffn_nonstrict", "dII"),
    ("symmetry_breaking_constraint", "b"),
    ("redundant_constraint", "b"),
    ("fzn_assume", "B"),
];

const BOOLEANS: usize = 3;
const INTEGERS: usize = 3;

/// A generator of small numbers.
struct Numbers(std::vec::IntoIter<u8>);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        usize::from(self.0.next().unwrap_or(0)) % end
    }

    /// Returns the length of an array. For a few arrays, it exceeds the lengths at which the choice of encodings changes.
    fn length(&mut self) -> usize {
        match self.below(9) {
            8 => 4 + self.below(7),
            length => length % 4,
        }
    }

    fn value(&mut self) -> Value {
        self.below(8) as Value - 3
    }

    fn bool(&mut self) -> Operand {
        match self.below(BOOLEANS * 3 + 1) {
            0 => Operand::Bool(self.below(2) == 1),
            index => Operand::Var(VarId((index % BOOLEANS) as u32)),
        }
    }

    fn int(&mut self) -> Operand {
        match self.below(INTEGERS * 3 + 2) {
            0 | 1 => Operand::Int(self.value()),
            index => Operand::Var(VarId((BOOLEANS + index % INTEGERS) as u32)),
        }
    }

    fn array(&mut self, length: usize, element: fn(&mut Self) -> Operand) -> Argument {
        Argument::Array((0..length).map(|_| element(self)).collect())
    }

    fn constant(&mut self) -> Operand {
        Operand::Int(self.value())
    }

    /// Returns the number of a random state of an automaton.
    fn state(&mut self) -> Operand {
        Operand::Int(self.below(3) as Value)
    }

    fn call(&mut self, (name, signature): Row, place: usize) -> Call {
        let mut name = name.to_owned();
        // All arrays of a call have the same length, except in some lexicographic constraints.
        let mut length = self.length();
        let mut arguments: Vec<Argument> = Vec::new();
        for kind in signature.chars() {
            if name.contains("lex") && self.below(3) == 0 {
                length = self.length();
            }
            let argument = match kind {
                'b' => Argument::One(self.bool()),
                'i' => Argument::One(self.int()),
                'v' => Argument::One(self.constant()),
                'n' => Argument::One(Operand::Int(self.below(6) as Value - 1)),
                'd' => {
                    let dimensions = 1 + self.below(2);
                    length *= dimensions;
                    Argument::One(Operand::Int(dimensions as Value))
                }
                'S' => {
                    let values: Vec<Value> = (0..self.below(4)).map(|_| self.value()).collect();
                    Argument::One(Operand::Set(Arc::new(Domain::from_values(values))))
                }
                'B' => self.array(length, Self::bool),
                'I' | 'C' => self.array(length, Self::int),
                'V' => self.array(length, Self::constant),
                's' => Argument::One(self.state()),
                'A' => {
                    let transitions = self.below(9);
                    let transition = |_| [self.state(), self.constant(), self.state()];
                    Argument::Array((0..transitions).flat_map(transition).collect())
                }
                'F' => {
                    let states = Domain::interval(self.below(3) as Value, 2);
                    Argument::One(Operand::Set(Arc::new(states)))
                }
                'G' => {
                    let ends = if length == 0 { 0 } else { 2 * self.below(4) };
                    let end = |_| Operand::Int(self.below(length) as Value + 1);
                    Argument::Array((0..ends).map(end).collect())
                }
                'T' if signature.starts_with('B') => {
                    let rows = length * self.below(5);
                    self.array(rows, |numbers| Operand::Bool(numbers.below(2) == 1))
                }
                'T' => {
                    let rows = length * self.below(5);
                    self.array(rows, |numbers| match numbers.below(5) {
                        0 => Operand::Set(Arc::new(Domain::interval(Value::MIN, Value::MAX))),
                        _ => numbers.constant(),
                    })
                }
                _ => unreachable!("a letter of a signature"),
            };
            arguments.push(argument);
        }
        // `array_bool_and(as, r)` is already an equivalence, so there is no constraint `array_bool_and_reif`.
        let defined = name.contains("_bool_") && signature == "Bb" && !name.contains("element");
        let defined = defined || matches!((&*name, signature), ("bool_and" | "bool_or" | "bool_xor", "bbb"));
        let suffix = match self.below(4) {
            _ if name.ends_with("_imp") => "",
            _ if signature == "B" && matches!(&*name, "array_bool_and" | "array_bool_or") => {
                ["_reif", "_imp"][self.below(2)]
            }
            0 => "_reif",
            1 => "_imp",
            _ => "",
        };
        if !suffix.is_empty() {
            name += suffix;
            if defined {
                // The last argument, the result of the Boolean function, is replaced by the Boolean of the reified
                // constraint.
                arguments.pop();
            }
            arguments.push(Argument::One(self.bool()));
        }
        Call { name: name.into(), arguments, annotations: Vec::new(), place: Place(place) }
    }
}

pub(crate) fn instance(rows: &[Row], calls: usize, numbers: Vec<u8>) -> Instance {
    let mut numbers = Numbers(numbers.into_iter());
    let mut variables = Vec::new();
    for index in 0..BOOLEANS + INTEGERS {
        let domain = if index < BOOLEANS {
            VarDomain::Bool
        } else {
            match numbers.below(5) {
                0 => VarDomain::Int(Domain::interval(0, 1)),
                1 => VarDomain::Int(Domain::from_values([-3, 0, 2, 4])),
                2 => VarDomain::Int(Domain::interval(1, 4)),
                3 => VarDomain::Int(Domain::from_values((0..3).map(|_| numbers.value()))),
                _ => VarDomain::Int(Domain::interval(-2, 2)),
            }
        };
        let value = match (index, numbers.below(12)) {
            (1, 0) => Some(Operand::Var(VarId(0))),
            (4, 0) => Some(Operand::Var(VarId(3))),
            (5, 0) => Some(numbers.constant()),
            _ => None,
        };
        variables.push(Variable {
            name: format!("x{index}").into(),
            domain,
            value,
            annotations: Vec::new(),
            place: Place(index),
        });
    }
    let constraints = (0..calls)
        .map(|place| {
            let row = rows[numbers.below(rows.len())];
            numbers.call(row, place)
        })
        .collect();
    let output = (0..variables.len()).map(|index| Output {
        name: format!("x{index}").into(),
        is_bool: index < BOOLEANS,
        dimensions: None,
        elements: Arc::new([Operand::Var(VarId(index as u32))]),
    });
    let output = output.collect();
    Instance { variables, constraints, goal: Goal::Satisfy, search: Vec::new(), output }
}

/// Generates random instances whose constraints come from the given rows.
pub(crate) fn instances(rows: Vec<Row>, calls: Range<usize>) -> impl Strategy<Value = Random> {
    (calls, proptest::collection::vec(any::<u8>(), 20..120))
        .prop_map(move |(calls, numbers)| Random(instance(&rows, calls, numbers)))
}

/// A random instance. The debug output of the instance has one line for each variable and constraint.
pub(crate) struct Random(pub(crate) Instance);

impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operand = |operand: &Operand| match operand {
            Operand::Bool(value) => value.to_string(),
            Operand::Int(value) => value.to_string(),
            Operand::Set(set) => format!("{:?}", set.values().collect::<Vec<_>>()),
            Operand::Var(x) => format!("x{}", x.0),
        };
        writeln!(f)?;
        for variable in &self.0.variables {
            let values = match &variable.domain {
                VarDomain::Bool => "bool".to_owned(),
                VarDomain::Unbounded => "int".to_owned(),
                VarDomain::Int(domain) => format!("{:?}", domain.values().collect::<Vec<_>>()),
            };
            writeln!(
                f,
                "{}: {values} {}",
                variable.name,
                variable.value.as_ref().map_or(String::new(), operand)
            )?;
        }
        for call in &self.0.constraints {
            let arguments = call.arguments.iter().map(|argument| match argument {
                Argument::One(one) => operand(one),
                Argument::Array(all) => {
                    format!("[{}]", all.iter().map(operand).collect::<Vec<_>>().join(", "))
                }
            });
            writeln!(f, "{}({})", call.name, arguments.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}
