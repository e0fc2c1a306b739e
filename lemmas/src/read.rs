//! Readers of the files `graphs` and `formula.cnf`.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::{FromStr, SplitAsciiWhitespace};

use crate::graph::{Graph, Vertex};

/// An error in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Malformed {}

/// A clause of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The number of its line, counted from 1.
    pub line: usize,
    /// The literals.
    pub lits: Vec<i32>,
}

/// The definition of an auxiliary variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The number of its line, counted from 1.
    pub line: usize,
    /// The literal that is true if and only if the sum of the terms is at least the bound.
    pub lit: i32,
    /// The bound.
    pub bound: i64,
    /// Coefficients and literals.
    pub terms: Vec<(i64, i32)>,
}

/// A formula with lemmas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Formula {
    /// The number of variables.
    pub variables: i32,
    /// The names of variables, each with the number of its line.
    pub names: Vec<(usize, u32, String)>,
    /// The definitions of auxiliary variables, in the order of the file.
    pub definitions: Vec<Definition>,
    /// The clauses that are not lemmas.
    pub clauses: Vec<Clause>,
    /// The lemmas, each with the number of its graph.
    pub lemmas: Vec<(u32, Clause)>,
}

/// The words of a line.
struct Words<'a> {
    words: SplitAsciiWhitespace<'a>,
    line: usize,
}

impl<'a> Words<'a> {
    fn fail<R>(&self, expected: &str, found: &str) -> Result<R, Malformed> {
        let found =
            if found.is_empty() { "the end of the line".to_owned() } else { format!("`{found:.40}`") };
        Err(Malformed { line: self.line, message: format!("expected {expected}, found {found}") })
    }

    fn word(&mut self) -> &'a str {
        self.words.next().unwrap_or_default()
    }

    fn number<N: FromStr>(&mut self, expected: &str) -> Result<N, Malformed> {
        let word = self.word();
        word.parse().or_else(|_| self.fail(expected, word))
    }

    fn end(&mut self) -> Result<(), Malformed> {
        match self.word() {
            "" => Ok(()),
            word => self.fail("the end of the line", word),
        }
    }

    /// Reads a literal: a number other than 0.
    fn lit(&mut self) -> Result<i32, Malformed> {
        match self.number("a literal")? {
            0 | i32::MIN => self.fail("a literal", "0"),
            lit => Ok(lit),
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = Words<'_>> {
    (1..).zip(text.lines()).map(|(line, text)| Words { words: text.split_ascii_whitespace(), line })
}

/// Reads the file `graphs`.
///
/// # Errors
/// Returns an error if a line is malformed, if two graphs or two vertices of a graph have the same number, or if an
/// edge comes before one of its vertices.
pub fn graphs(text: &str) -> Result<Vec<Graph>, Malformed> {
    let mut graphs: Vec<Graph> = Vec::new();
    let mut numbers = HashSet::new();
    let mut indices: HashMap<u32, usize> = HashMap::new();
    for mut words in lines(text) {
        let word = words.word();
        if word == "graph" {
            let number: u32 = words.number("the number of a graph")?;
            if !numbers.insert(number) {
                return words.fail("the number of a new graph", &number.to_string());
            }
            let [least, most] = [words.number("the minimum size")?, words.number("the maximum size")?];
            graphs.push(Graph { number, least, most, vertices: Vec::new(), of: HashMap::new() });
            indices.clear();
            words.end()?;
            continue;
        }
        let Some(graph) = graphs.last_mut() else { return words.fail("`graph`", word) };
        match word {
            "vertex" => {
                let number = words.number("the number of a vertex")?;
                let index = graph.vertices.len();
                if indices.insert(number, index).is_some() {
                    return words.fail("the number of a new vertex", &number.to_string());
                }
                let mut rest = words.words.clone();
                let lit = if rest.next() == Some("always") { None } else { Some(words.lit()?) };
                if let Some(lit) = lit {
                    graph.of.entry(lit).or_default().push(index);
                } else {
                    words.words = rest;
                }
                graph.vertices.push(Vertex { number, lit, near: Vec::new() });
            }
            "edge" => {
                let mut end = || {
                    let number: u32 = words.number("the number of a vertex")?;
                    match indices.get(&number) {
                        Some(&index) => Ok(index),
                        None => words.fail("the number of a vertex above", &number.to_string()),
                    }
                };
                let (a, b) = (end()?, end()?);
                graph.vertices[a].near.push(b);
                graph.vertices[b].near.push(a);
            }
            word => return words.fail("`graph`, `vertex` or `edge`", word),
        }
        words.end()?;
    }
    Ok(graphs)
}

impl FromStr for Formula {
    type Err = Malformed;

    /// Reads the file `formula.cnf`. Unknown comments are ignored.
    fn from_str(text: &str) -> Result<Self, Malformed> {
        let mut formula = Self::default();
        let (mut header, mut graph, mut last) = (None, None, 0);
        for mut words in lines(text) {
            last = words.line;
            let mut rest = words.words.clone();
            match [rest.next(), rest.next()].map(Option::unwrap_or_default) {
                ["c", "name"] => {
                    words.words = rest;
                    let (variable, name) = (words.number("a variable")?, words.word());
                    if name.is_empty() {
                        return words.fail("a name", name);
                    }
                    formula.names.push((words.line, variable, name.to_owned()));
                    words.end()?;
                }
                ["c", "define"] => {
                    words.words = rest;
                    formula.definitions.push(definition(&mut words)?);
                }
                ["c", "lemmas"] => {
                    words.words = rest;
                    for expected in ["of", "graph"] {
                        let word = words.word();
                        if word != expected {
                            return words.fail(&format!("`{expected}`"), word);
                        }
                    }
                    graph = Some(words.number("the number of a graph")?);
                    words.end()?;
                }
                ["c", _] => {}
                ["p", "cnf"] if header.is_none() => {
                    words.words = rest;
                    formula.variables = words.number("the number of variables")?;
                    if formula.variables < 0 {
                        return words.fail("the number of variables", &formula.variables.to_string());
                    }
                    header = Some(words.number::<usize>("the number of clauses")?);
                    words.end()?;
                }
                [word, _] if header.is_none() => return words.fail("`c` or `p cnf`", word),
                _ => {
                    let clause = clause(&mut words, formula.variables)?;
                    match graph {
                        Some(graph) => formula.lemmas.push((graph, clause)),
                        None => formula.clauses.push(clause),
                    }
                }
            }
        }
        let (expected, found) = (header.unwrap_or(0), formula.clauses.len() + formula.lemmas.len());
        if header.is_none() || expected != found {
            let message =
                format!("expected a line `p cnf` with the number of clauses, {found}, found {expected}");
            return Err(Malformed { line: last, message });
        }
        Ok(formula)
    }
}

fn clause(words: &mut Words<'_>, variables: i32) -> Result<Clause, Malformed> {
    let mut lits = Vec::new();
    loop {
        match words.number::<i32>("a literal or 0")? {
            0 => break,
            lit if lit.unsigned_abs() > variables.unsigned_abs() => {
                return words.fail(&format!("a variable up to {variables}"), &lit.to_string());
            }
            lit => lits.push(lit),
        }
    }
    words.end()?;
    Ok(Clause { line: words.line, lits })
}

fn definition(words: &mut Words<'_>) -> Result<Definition, Malformed> {
    let (lit, bound) = (words.lit()?, words.number("a bound")?);
    let mut terms = Vec::new();
    while words.words.clone().next().is_some() {
        terms.push((words.number("a coefficient")?, words.lit()?));
    }
    Ok(Definition { line: words.line, lit, bound, terms })
}
