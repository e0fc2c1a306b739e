//! The meaning of constraints, as the XCSP3 specification states it, on the values of the array `x`.
//!
//! Whatever a function does not take from an element stays in it, and makes the element malformed. This is independent
//! of the reader's table, which lists what each element may contain. This file has over 400 lines because each
//! constraint is one function.

use std::collections::BTreeSet;

use gordian_encodings::Value;
use roxmltree::{Document, Node};

use super::cases::DOMAIN;
use super::random::compares;

/// The error of an element that is not a constraint of XCSP3-core.
#[derive(Debug)]
pub(super) struct Malformed;

type Result<T> = std::result::Result<T, Malformed>;

fn ensure(condition: bool) -> Result<()> {
    if condition { Ok(()) } else { Err(Malformed) }
}

/// An element, without the attributes and children that were read already.
struct Element<'a, 'v> {
    node: Node<'a, 'a>,
    attributes: Vec<&'a str>,
    children: Vec<Node<'a, 'a>>,
    has_text: bool,
    v: &'v [Value],
}

impl<'a, 'v> Element<'a, 'v> {
    fn new(node: Node<'a, 'a>, v: &'v [Value]) -> Self {
        let is_words = |node: &Node<'_, '_>| node.is_text() && !node.text().unwrap().trim().is_empty();
        Self {
            node,
            attributes: node.attributes().map(|attribute| attribute.name()).collect(),
            children: node.children().filter(Node::is_element).collect(),
            has_text: node.children().any(|child| is_words(&child)),
            v,
        }
    }

    fn attribute(&mut self, name: &str) -> Option<&'a str> {
        self.attributes.retain(|other| *other != name);
        self.node.attribute(name)
    }

    fn number(&mut self, name: &str) -> Result<Value> {
        self.attribute(name).map_or(Ok(0), |text| text.parse().map_err(|_| Malformed))
    }

    fn flag(&mut self, name: &str, default: bool) -> Result<bool> {
        self.attribute(name).map_or(Ok(default), |text| text.parse().map_err(|_| Malformed))
    }

    fn take(&mut self, name: &str) -> Option<Self> {
        let at = self.children.iter().position(|child| child.tag_name().name() == name)?;
        Some(Self::new(self.children.remove(at), self.v))
    }

    fn need(&mut self, name: &str) -> Result<Self> {
        self.take(name).ok_or(Malformed)
    }

    fn text(&mut self) -> Text<'a, 'v> {
        self.has_text = false;
        Text { rest: self.node.text().unwrap_or_default(), v: self.v }
    }

    fn end(self) -> Result<()> {
        ensure(self.attributes.is_empty() && self.children.is_empty() && !self.has_text)
    }

    /// Reads the whole text of an element without unread attributes.
    fn read<T>(mut self, read: impl FnOnce(&mut Text<'a, 'v>) -> Result<T>) -> Result<T> {
        let mut text = self.text();
        let result = read(&mut text)?;
        ensure(text.at_end())?;
        self.end()?;
        Ok(result)
    }

    fn items(self) -> Result<Vec<Item>> {
        self.read(Text::items)
    }

    fn values(self) -> Result<Vec<Number>> {
        self.items()?.into_iter().map(Item::number).collect()
    }

    fn optional(&mut self, name: &str) -> Result<Option<Vec<Number>>> {
        self.take(name).map(Self::values).transpose()
    }

    fn condition(&mut self) -> Result<Condition> {
        self.need("condition")?.read(Text::condition)
    }

    /// Takes the child `list`, or the text of the element itself if it has no children.
    fn list(&mut self) -> Result<Vec<Number>> {
        if self.node.children().any(|child| child.is_element()) {
            self.need("list")?.values()
        } else {
            self.own()
        }
    }

    fn own(&mut self) -> Result<Vec<Number>> {
        let mut text = self.text();
        let items = text.items()?;
        ensure(!items.is_empty())?;
        items.into_iter().map(Item::number).collect()
    }

    /// Takes a list and its attribute `startIndex`.
    fn indexed(&mut self) -> Result<(Vec<Number>, Value)> {
        if self.node.children().any(|child| child.is_element()) {
            let mut list = self.need("list")?;
            let first = list.number("startIndex")?;
            Ok((list.values()?, first))
        } else {
            let first = self.number("startIndex")?;
            Ok((self.own()?, first))
        }
    }

    fn lists(&mut self) -> Result<Vec<Vec<Number>>> {
        let mut lists = Vec::new();
        while let Some(list) = self.take("list") {
            lists.push(list.values()?);
        }
        Ok(lists)
    }
}

/// The value of an expression; `None` if it is undefined.
type Number = Option<Value>;

enum Item {
    Number(Number),
    Set(BTreeSet<Value>),
}

impl Item {
    fn number(self) -> Result<Number> {
        if let Self::Number(number) = self { Ok(number) } else { Err(Malformed) }
    }
}

struct Condition {
    op: String,
    operand: Item,
}

impl Condition {
    fn holds(&self, value: Number) -> bool {
        match (&self.operand, value) {
            (Item::Set(set), Some(value)) => set.contains(&value) == (self.op == "in"),
            (Item::Number(Some(operand)), Some(value)) => compares(&self.op, value, *operand),
            _ => false,
        }
    }
}

/// The rest of a text.
struct Text<'a, 'v> {
    rest: &'a str,
    v: &'v [Value],
}

impl Text<'_, '_> {
    fn at_end(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        self.rest.is_empty()
    }

    fn eat(&mut self, word: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        ensure(self.eat(word))
    }

    fn word(&mut self, of: impl Fn(char) -> bool) -> Result<String> {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c| !of(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        ensure(!word.is_empty())?;
        Ok(word.to_owned())
    }

    fn integer(&mut self) -> Result<Value> {
        self.word(|c| c.is_ascii_digit() || c == '-')?.parse().map_err(|_| Malformed)
    }

    fn items(&mut self) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        while !self.at_end() {
            self.item(&mut items)?;
            ensure(self.rest.is_empty() || self.rest.starts_with(char::is_whitespace))?;
        }
        Ok(items)
    }

    /// Reads items that are separated by commas, up to `end`.
    fn until(&mut self, end: &str) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        if self.eat(end) {
            return Ok(items);
        }
        loop {
            self.item(&mut items)?;
            if self.eat(end) {
                return Ok(items);
            }
            self.expect(",")?;
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Result<()> {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let first = self.integer()?;
            items.push(if self.rest.starts_with("..") {
                self.expect("..")?;
                Item::Set((first..=self.integer()?).collect())
            } else {
                Item::Number(Some(first))
            });
            return Ok(());
        }
        let name = self.word(char::is_alphanumeric)?;
        if self.eat("(") {
            let operands = self.until(")")?;
            items.push(apply(&name, operands)?);
            return Ok(());
        }
        ensure(name == "x" && self.eat("["))?;
        let n = self.v.len() as Value;
        let (first, last) = if self.eat("]") {
            (0, n - 1)
        } else {
            let first = self.integer()?;
            let last = if self.eat("..") { self.integer()? } else { first };
            self.expect("]")?;
            (first, last)
        };
        ensure(0 <= first && first <= last && last < n)?;
        items.extend((first..=last).map(|i| Item::Number(Some(self.v[i as usize]))));
        Ok(())
    }

    fn single(&mut self) -> Result<Number> {
        let mut items = self.items()?;
        ensure(items.len() == 1)?;
        items.remove(0).number()
    }

    fn condition(&mut self) -> Result<Condition> {
        self.expect("(")?;
        let op = self.word(char::is_alphabetic)?;
        self.expect(",")?;
        let operand = if self.eat("{") {
            let members = self.until("}")?.into_iter().map(|item| item.number()?.ok_or(Malformed));
            Item::Set(members.collect::<Result<_>>()?)
        } else {
            let mut items = Vec::new();
            self.item(&mut items)?;
            ensure(items.len() == 1)?;
            items.remove(0)
        };
        self.expect(")")?;
        ensure(matches!(operand, Item::Set(_)) == ["in", "notin"].contains(&&op[..]))?;
        Ok(Condition { op, operand })
    }

    fn tuples(&mut self) -> Result<Vec<Vec<Number>>> {
        let mut tuples = Vec::new();
        while self.eat("(") {
            tuples.push(self.until(")")?.into_iter().map(Item::number).collect::<Result<_>>()?);
        }
        Ok(tuples)
    }

    /// Reads transitions such as `(q0,1,q2)`.
    fn transitions(&mut self) -> Result<Vec<(String, Value, String)>> {
        let mut transitions = Vec::new();
        while self.eat("(") {
            let from = self.word(is_state)?;
            self.expect(",")?;
            let label = self.integer()?;
            self.expect(",")?;
            transitions.push((from, label, self.word(is_state)?));
            self.expect(")")?;
        }
        Ok(transitions)
    }

    fn states(&mut self) -> Result<BTreeSet<String>> {
        let mut states = BTreeSet::from([self.word(is_state)?]);
        while !self.at_end() {
            states.insert(self.word(is_state)?);
        }
        Ok(states)
    }
}

fn is_state(c: char) -> bool {
    !c.is_whitespace() && !"(),".contains(c)
}

/// Applies an operator of `intension`.
fn apply(name: &str, operands: Vec<Item>) -> Result<Item> {
    if let "in" | "notin" = name {
        let Ok([Item::Number(value), Item::Set(set)]) = <[Item; 2]>::try_from(operands) else {
            return Err(Malformed);
        };
        let holds = value.is_some_and(|value| set.contains(&value) == (name == "in"));
        return Ok(Item::Number(Some(holds.into())));
    }
    let values: Vec<Number> = operands.into_iter().map(Item::number).collect::<Result<_>>()?;
    if name == "if" {
        let &[condition, yes, no] = &values[..] else { return Err(Malformed) };
        return Ok(Item::Number(if condition == Some(1) { yes } else { no }));
    }
    let defined: Option<Vec<Value>> = values.iter().copied().collect();
    let comparison = ["lt", "le", "ge", "gt", "ne", "eq"].contains(&name);
    let Some(all) = defined else { return Ok(Item::Number(comparison.then_some(0))) };
    ensure(!all.is_empty() || name == "set")?;
    let holds = |value: bool| Some(Value::from(value));
    Ok(Item::Number(match (name, &all[..]) {
        ("set", _) => return Ok(Item::Set(all.into_iter().collect())),
        ("neg", [a]) => Some(-a),
        ("abs", [a]) => Some(a.abs()),
        ("sqr", [a]) => Some(a * a),
        ("not", [a]) => Some(1 - a),
        ("sub", [a, b]) => Some(a - b),
        ("dist", [a, b]) => Some((a - b).abs()),
        ("div", [a, b]) => a.checked_div(*b),
        ("mod", [a, b]) => a.checked_rem(*b),
        ("pow", [a, b]) => Some(a.pow(u32::try_from(*b).map_err(|_| Malformed)?)),
        ("imp", [a, b]) => holds(*a == 0 || *b == 1),
        ("eq" | "iff", [_, _, ..]) => holds(all.iter().all(|a| *a == all[0])),
        ("lt" | "le" | "ge" | "gt" | "ne", [a, b]) => holds(compares(name, *a, *b)),
        ("add", _) => Some(all.iter().sum()),
        ("mul", _) => Some(all.iter().product()),
        ("min", _) => all.iter().min().copied(),
        ("max", _) => all.iter().max().copied(),
        ("and", _) => holds(all.iter().all(|a| *a == 1)),
        ("or", _) => holds(all.contains(&1)),
        ("xor", _) => holds(all.iter().sum::<Value>() % 2 == 1),
        _ => return Err(Malformed),
    }))
}

/// Returns whether each of the constraints holds.
pub(super) fn all_hold(constraints: Node<'_, '_>, v: &[Value]) -> Result<bool> {
    let mut all = true;
    for node in constraints.children().filter(Node::is_element) {
        all &= holds(node, v)?;
    }
    Ok(all)
}

fn holds(node: Node<'_, '_>, v: &[Value]) -> Result<bool> {
    let mut e = Element::new(node, v);
    let all = match node.tag_name().name() {
        "group" => group(&mut e)?,
        "slide" => slide(&mut e)?,
        "intension" => match e.take("function") {
            Some(function) => function.read(Text::single)? == Some(1),
            None => e.text().single()? == Some(1),
        },
        "clause" => e.list()?.contains(&Some(1)),
        "extension" => extension(&mut e)?,
        "instantiation" => instantiation(&mut e)?,
        "regular" | "mdd" => language(&mut e)?,
        "allDifferent" => all_different(&mut e)?,
        "allEqual" if e.children.len() > 1 => e.lists()?.windows(2).all(|pair| pair[0] == pair[1]),
        "allEqual" => e.list()?.windows(2).all(|pair| pair[0] == pair[1]),
        "notAllEqual" => e.list()?.windows(2).any(|pair| pair[0] != pair[1]),
        "ordered" => ordered(&mut e)?,
        "lex" => lex(&mut e)?,
        "precedence" => precedence(&mut e)?,
        "sum" => {
            let list = e.list()?;
            let coefficients = e.optional("coeffs")?.unwrap_or_else(|| vec![Some(1); list.len()]);
            ensure(list.len() == coefficients.len())?;
            e.condition()?.holds(weighted(&list, &coefficients))
        }
        "count" => {
            let (list, values) = (e.list()?, e.need("values")?.values()?);
            let count = list.iter().filter(|x| x.is_some() && values.contains(x)).count();
            e.condition()?.holds(Some(count as Value))
        }
        "nValues" => {
            let (list, except) = (e.list()?, e.optional("except")?.unwrap_or_default());
            let values: BTreeSet<_> = list.iter().filter(|x| !except.contains(x)).collect();
            e.condition()?.holds(Some(values.len() as Value))
        }
        "cardinality" => cardinality(&mut e)?,
        "minimum" | "maximum" => {
            let (list, first) = e.indexed()?;
            let best = best(node, &list)?;
            let mut all = true;
            let (index, condition) = (e.take("index"), e.take("condition"));
            ensure(index.is_some() || condition.is_some())?;
            if let Some(mut index) = index {
                let chosen = positions(&list, first, best, index.attribute("rank"))?;
                all &= chosen.contains(&index.read(Text::single)?);
            }
            all && condition.map_or(Ok(true), |of| Ok(of.read(Text::condition)?.holds(best)))?
        }
        "minimumArg" | "maximumArg" => {
            let (list, first) = e.indexed()?;
            let chosen = positions(&list, first, best(node, &list)?, e.attribute("rank"))?;
            let condition = e.condition()?;
            chosen.into_iter().any(|position| condition.holds(position))
        }
        "element" => element(&mut e)?,
        "channel" => channel(&mut e)?,
        "circuit" => circuit(&mut e)?,
        "noOverlap" => no_overlap(&mut e)?,
        "cumulative" => cumulative(&mut e)?,
        "binPacking" => bin_packing(&mut e)?,
        "knapsack" => knapsack(&mut e)?,
        "flow" => flow(&mut e)?,
        _ => return Err(Malformed),
    };
    e.end()?;
    Ok(all)
}

fn weighted(list: &[Number], factors: &[Number]) -> Number {
    list.iter().zip(factors).map(|(x, a)| Some((*x)? * (*a)?)).sum()
}

/// Reads a group, by writing a document for each copy of the template.
fn group(e: &mut Element<'_, '_>) -> Result<bool> {
    ensure(!e.children.is_empty())?;
    let template = e.children.remove(0);
    let mut all = true;
    while let Some(arguments) = e.take("args") {
        let arguments = arguments.values()?;
        all &= copy(template, &arguments, e.v)?;
    }
    Ok(all)
}

fn copy(template: Node<'_, '_>, arguments: &[Number], v: &[Value]) -> Result<bool> {
    let mut text = template.document().input_text()[template.range()].to_owned();
    let mut used = 0;
    for (index, argument) in arguments.iter().enumerate() {
        let parameter = format!("%{index}");
        if text.contains(&parameter) {
            used = index + 1;
            text = text.replace(&parameter, &argument.ok_or(Malformed)?.to_string());
        }
    }
    let rest: Vec<String> = arguments[used..].iter().flatten().map(ToString::to_string).collect();
    ensure(rest.is_empty() || text.contains("%..."))?;
    let text = text.replace("%...", &rest.join(" "));
    holds(Document::parse(&text).unwrap().root_element(), v)
}

fn slide(e: &mut Element<'_, '_>) -> Result<bool> {
    let circular = e.flag("circular", false)?;
    let mut lists = Vec::new();
    while let Some(mut list) = e.take("list") {
        let [offset, collect] = ["offset", "collect"]
            .map(|name| list.attribute(name).map(|text| text.parse().map_err(|_| Malformed)).transpose());
        lists.push((offset?.unwrap_or(1), collect?, list.values()?));
    }
    ensure(!lists.is_empty() && e.children.len() == 1)?;
    let template = e.children.remove(0);
    if let [(_, collect @ None, _)] = &mut lists[..] {
        let text = &template.document().input_text()[template.range()];
        *collect = Some((0..9).filter(|index| text.contains(&format!("%{index}"))).count());
    }
    let mut all = true;
    for window in 0.. {
        let mut arguments = Vec::new();
        for (offset, collect, items) in &lists {
            let (start, collect) = (offset * window, collect.unwrap_or(1));
            ensure(*offset > 0 && collect > 0)?;
            if start >= items.len() || !circular && start + collect > items.len() {
                ensure(window > 0)?;
                return Ok(all);
            }
            arguments.extend((start..start + collect).map(|at| items[at % items.len()]));
        }
        all &= copy(template, &arguments, e.v)?;
    }
    Ok(all)
}

fn extension(e: &mut Element<'_, '_>) -> Result<bool> {
    let list = e.need("list")?.values()?;
    let positive = e.children.iter().any(|child| child.tag_name().name() == "supports");
    let mut rows = e.need(if positive { "supports" } else { "conflicts" })?;
    let mut text = rows.text();
    let found = if let [x] = list[..] {
        text.items()?.iter().any(|item| match item {
            Item::Number(value) => *value == x,
            Item::Set(set) => x.is_some_and(|x| set.contains(&x)),
        })
    } else {
        let mut found = false;
        while text.eat("(") {
            let mut equal = true;
            for (index, x) in list.iter().enumerate() {
                ensure(index == 0 || text.eat(","))?;
                equal &= text.eat("*") || Some(text.integer()?) == *x;
            }
            text.expect(")")?;
            found |= equal;
        }
        found
    };
    ensure(text.at_end())?;
    rows.end()?;
    Ok(found == positive)
}

fn instantiation(e: &mut Element<'_, '_>) -> Result<bool> {
    let (list, mut values) = (e.need("list")?.values()?, e.need("values")?);
    let mut text = values.text();
    let mut all = true;
    for x in list {
        all &= text.eat("*") || Some(text.integer()?) == x;
    }
    ensure(text.at_end())?;
    values.end()?;
    Ok(all)
}

fn language(e: &mut Element<'_, '_>) -> Result<bool> {
    let list = e.need("list")?.values()?;
    let transitions = e.need("transitions")?.read(Text::transitions)?;
    let (starts, finals) = if e.node.tag_name().name() == "mdd" {
        let sources: BTreeSet<String> = transitions.iter().map(|row| row.0.clone()).collect();
        let targets: BTreeSet<String> = transitions.iter().map(|row| row.2.clone()).collect();
        (&sources - &targets, &targets - &sources)
    } else {
        (e.need("start")?.read(Text::states)?, e.need("final")?.read(Text::states)?)
    };
    let end = list.iter().fold(starts, |states, &x| {
        let next = transitions.iter().filter(|(from, label, _)| states.contains(from) && x == Some(*label));
        next.map(|row| row.2.clone()).collect()
    });
    Ok(!end.is_disjoint(&finals))
}

fn distinct<T: Ord>(items: impl IntoIterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    items.into_iter().all(|item| seen.insert(item))
}

fn columns(rows: &[Vec<Number>]) -> Result<Vec<Vec<Number>>> {
    let width = rows.first().map_or(0, Vec::len);
    ensure(rows.iter().all(|row| row.len() == width))?;
    Ok((0..width).map(|column| rows.iter().map(|row| row[column]).collect()).collect())
}

fn all_different(e: &mut Element<'_, '_>) -> Result<bool> {
    if let Some(matrix) = e.take("matrix") {
        let rows = matrix.read(Text::tuples)?;
        let except = e.optional("except")?.unwrap_or_default();
        let lines = rows.iter().cloned().chain(columns(&rows)?).collect::<Vec<_>>();
        return Ok(lines.iter().all(|line| distinct(line.iter().filter(|x| !except.contains(x)))));
    }
    if e.children.iter().filter(|child| child.tag_name().name() == "list").count() > 1 {
        let lists = e.lists()?;
        let except = e.take("except").map_or(Ok(Vec::new()), |except| except.read(Text::tuples))?;
        ensure(lists.iter().chain(&except).all(|list| list.len() == lists[0].len()))?;
        return Ok(distinct(lists.iter().filter(|list| !except.contains(list))));
    }
    let (list, except) = (e.list()?, e.optional("except")?.unwrap_or_default());
    Ok(distinct(list.iter().filter(|x| !except.contains(x))))
}

fn operator(e: &mut Element<'_, '_>) -> Result<String> {
    let op = e.need("operator")?.read(|text| text.word(char::is_alphabetic))?;
    ensure(["lt", "le", "ge", "gt"].contains(&&op[..]))?;
    Ok(op)
}

fn ordered(e: &mut Element<'_, '_>) -> Result<bool> {
    let op = match e.attribute("case") {
        None => operator(e)?,
        Some("strictlyIncreasing") => "lt".into(),
        Some("increasing") => "le".into(),
        Some("decreasing") => "ge".into(),
        Some("strictlyDecreasing") => "gt".into(),
        Some(_) => return Err(Malformed),
    };
    let list = e.list()?;
    let lengths = e.optional("lengths")?;
    ensure(lengths.as_ref().is_none_or(|lengths| lengths.len() + 1 == list.len()))?;
    let lengths = lengths.unwrap_or_else(|| vec![Some(0); list.len()]);
    let pairs = list.windows(2).zip(lengths);
    Ok(pairs.into_iter().all(|(pair, length)| match (pair[0], length, pair[1]) {
        (Some(a), Some(length), Some(b)) => compares(&op, a + length, b),
        _ => false,
    }))
}

fn lex(e: &mut Element<'_, '_>) -> Result<bool> {
    let op = operator(e)?;
    let compare = |pair: &[Vec<Number>]| match &op[..] {
        "lt" => pair[0] < pair[1],
        "le" => pair[0] <= pair[1],
        "ge" => pair[0] >= pair[1],
        _ => pair[0] > pair[1],
    };
    let Some(matrix) = e.take("matrix") else {
        let lists = e.lists()?;
        ensure(!lists.is_empty() && lists.iter().all(|list| list.len() == lists[0].len()))?;
        return Ok(lists.windows(2).all(compare));
    };
    let rows = matrix.read(Text::tuples)?;
    Ok(rows.windows(2).all(compare) && columns(&rows)?.windows(2).all(compare))
}

fn precedence(e: &mut Element<'_, '_>) -> Result<bool> {
    let element = e.node.children().find(|child| child.has_tag_name("list")).unwrap_or(e.node);
    let possible: BTreeSet<Value> = element
        .text()
        .unwrap_or_default()
        .split_whitespace()
        .flat_map(|item| item.parse().map_or(DOMAIN.to_vec(), |constant| vec![constant]))
        .collect();
    let list = e.list()?;
    let mut covered = e.flag("covered", false)?;
    let values = if let Some(mut values) = e.take("values") {
        ensure(e.node.attribute("covered").is_none() || values.node.attribute("covered").is_none())?;
        covered |= values.flag("covered", false)?;
        values.values()?
    } else {
        possible.into_iter().map(Some).collect()
    };
    let first: Vec<_> = values.iter().map(|value| list.iter().position(|x| x == value)).collect();
    let precedes = |pair: &[Option<usize>]| pair[1].is_none_or(|b| pair[0].is_some_and(|a| a < b));
    Ok(first.windows(2).all(precedes) && (!covered || first.iter().all(Option::is_some)))
}

fn cardinality(e: &mut Element<'_, '_>) -> Result<bool> {
    let (list, mut values) = (e.list()?, e.need("values")?);
    ensure(e.node.attribute("closed").is_none() || values.node.attribute("closed").is_none())?;
    let closed = e.flag("closed", false)? | values.flag("closed", false)?;
    let (values, occurs) = (values.values()?, e.need("occurs")?.items()?);
    ensure(values.len() == occurs.len())?;
    let fits = values.iter().zip(occurs).all(|(value, occurs)| {
        let count = list.iter().filter(|x| *x == value).count() as Value;
        match occurs {
            Item::Number(number) => number == Some(count),
            Item::Set(set) => set.contains(&count),
        }
    });
    Ok(fits && (!closed || list.iter().all(|x| values.contains(x))))
}

/// Returns the minimum or maximum of a list, according to the name of the constraint.
fn best(node: Node<'_, '_>, list: &[Number]) -> Result<Number> {
    ensure(!list.is_empty())?;
    let all: Option<Vec<Value>> = list.iter().copied().collect();
    let is_minimum = node.tag_name().name().starts_with("min");
    Ok(all.and_then(|all| if is_minimum { all.into_iter().min() } else { all.into_iter().max() }))
}

/// Returns the positions at which a value occurs, or only the first or the last of them.
fn positions(list: &[Number], first: Value, value: Number, rank: Option<&str>) -> Result<Vec<Number>> {
    let mut all: Vec<Number> =
        (first..).zip(list).filter(|(_, x)| **x == value).map(|(position, _)| Some(position)).collect();
    match rank {
        None | Some("any") => {}
        Some("first") => all.truncate(1),
        Some("last") => drop(all.drain(..all.len().saturating_sub(1))),
        Some(_) => return Err(Malformed),
    }
    Ok(all)
}

fn at(list: &[Number], index: Number, first: Value) -> Number {
    list.get(usize::try_from(index? - first).ok()?).copied()?
}

fn element(e: &mut Element<'_, '_>) -> Result<bool> {
    let index = match e.take("index") {
        Some(mut index) => {
            ensure(index.attribute("rank").is_none_or(|rank| rank == "any"))?;
            Some(index.values()?)
        }
        None => None,
    };
    let chosen: Vec<Number> = if let Some(mut matrix) = e.take("matrix") {
        let (row, column) = (matrix.number("startRowIndex")?, matrix.number("startColIndex")?);
        let rows = matrix.read(Text::tuples)?;
        let Some(&[i, j]) = index.as_deref() else { return Err(Malformed) };
        let line = i.and_then(|i| rows.get(usize::try_from(i - row).ok()?));
        vec![line.and_then(|line| at(line, j, column))]
    } else {
        let (list, first) = e.indexed()?;
        match index.as_deref() {
            None => list,
            Some(&[index]) => vec![at(&list, index, first)],
            Some(_) => return Err(Malformed),
        }
    };
    if let Some(value) = e.take("value") {
        let value = value.read(Text::single)?;
        return Ok(value.is_some() && chosen.contains(&value));
    }
    ensure(chosen.len() == 1)?;
    Ok(e.condition()?.holds(chosen[0]))
}

fn channel(e: &mut Element<'_, '_>) -> Result<bool> {
    let mut lists = vec![e.indexed()?];
    if let Some(value) = e.take("value") {
        let value = value.read(Text::single)?;
        let ones: Vec<Number> = positions(&lists[0].0, lists[0].1, Some(1), None)?;
        return Ok(ones == [value]);
    }
    if !e.children.is_empty() {
        lists.push(e.indexed()?);
    }
    let ((x, first), (y, other)) = (lists.first().unwrap(), lists.last().unwrap());
    // Each item of the shorter list is a position in the longer list.
    let implies = |x: &[Number], first: Value, y: &[Number], other: Value| {
        (first..).zip(x).all(|(i, &j)| at(y, j, other) == Some(i))
    };
    Ok((x.len() > y.len() || implies(x, *first, y, *other))
        && (x.len() < y.len() || implies(y, *other, x, *first)))
}

fn circuit(e: &mut Element<'_, '_>) -> Result<bool> {
    let (list, first) = e.indexed()?;
    let size = e.take("size").map(|size| size.read(Text::single)).transpose()?;
    let inside: Vec<Value> = (first..).zip(&list).filter(|(i, x)| Some(*i) != **x).map(|(i, _)| i).collect();
    let Some(&start) = inside.first() else { return Ok(false) };
    let (mut node, mut seen) = (Some(start), BTreeSet::new());
    for _ in &inside {
        seen.insert(node);
        node = at(&list, node, first);
    }
    let is_cycle = node == Some(start) && seen.len() == inside.len() && !seen.contains(&None);
    Ok(is_cycle && size.is_none_or(|size| size == Some(inside.len() as Value)))
}

fn no_overlap(e: &mut Element<'_, '_>) -> Result<bool> {
    let ignored = e.flag("zeroIgnored", true)?;
    let [origins, lengths] = ["origins", "lengths"].map(|name| {
        e.need(name)?.read(|text| {
            text.rest = text.rest.trim_start();
            if text.rest.starts_with('(') {
                return text.tuples();
            }
            text.items()?.into_iter().map(|item| Ok(vec![item.number()?])).collect()
        })
    });
    let (origins, mut lengths) = (origins?, lengths?);
    let width = origins.first().map_or(0, Vec::len);
    if let ([one], true) = (&lengths[..], width > 1) {
        lengths = vec![one.clone(); origins.len()];
    }
    ensure(origins.len() == lengths.len())?;
    ensure(origins.iter().chain(&lengths).all(|tuple| tuple.len() == width))?;
    let mut all = true;
    for i in 0..origins.len() {
        for j in i + 1..origins.len() {
            let apart = |d: usize| {
                let (x, y, a, b) = (origins[i][d]?, origins[j][d]?, lengths[i][d]?, lengths[j][d]?);
                Some(x + a <= y || y + b <= x || ignored && (a == 0 || b == 0))
            };
            all &= (0..width).any(|d| apart(d) == Some(true));
        }
    }
    Ok(all)
}

fn cumulative(e: &mut Element<'_, '_>) -> Result<bool> {
    let [origins, lengths, heights] = ["origins", "lengths", "heights"].map(|name| e.need(name)?.values());
    let (origins, lengths, heights) = (origins?, lengths?, heights?);
    ensure(origins.len() == lengths.len() && origins.len() == heights.len())?;
    let ends = e.optional("ends")?;
    let condition = e.condition()?;
    let end = |i: usize| Some(origins[i]? + lengths[i]?);
    let fits = ends.is_none_or(|ends| (0..origins.len()).all(|i| ends[i] == end(i)));
    Ok(fits
        && (-5..15).all(|time| {
            let runs = |i: &usize| {
                origins[*i].is_some_and(|from| from <= time) && end(*i).is_some_and(|to| time < to)
            };
            condition.holds((0..origins.len()).filter(runs).map(|i| heights[i]).sum())
        }))
}

fn bin_packing(e: &mut Element<'_, '_>) -> Result<bool> {
    let ((list, first), sizes) = (e.indexed()?, e.need("sizes")?.values()?);
    ensure(list.len() == sizes.len())?;
    let load = |bin: Value| -> Number {
        list.iter().zip(&sizes).filter(|(x, _)| **x == Some(bin)).map(|(_, a)| *a).sum()
    };
    if e.node.children().any(|child| child.tag_name().name() == "condition") {
        let condition = e.condition()?;
        return Ok(DOMAIN.iter().all(|&bin| condition.holds(load(bin))));
    }
    let (name, op) = if e.node.children().any(|child| child.tag_name().name() == "limits") {
        ("limits", "le")
    } else {
        ("loads", "eq")
    };
    let bounds = e.need(name)?.items()?;
    let bins = first..first + bounds.len() as Value;
    let fits = bins
        .clone()
        .zip(bounds)
        .all(|(bin, bound)| Condition { op: op.into(), operand: bound }.holds(load(bin)));
    Ok(fits && list.iter().all(|x| x.is_some_and(|x| bins.contains(&x))))
}

fn knapsack(e: &mut Element<'_, '_>) -> Result<bool> {
    let list = e.need("list")?.values()?;
    let mut all = true;
    let mut names = BTreeSet::from(["weights", "profits"]);
    while !e.children.is_empty() {
        let name = e.children[0].tag_name().name();
        ensure(names.remove(name))?;
        let factors = e.need(name)?.values()?;
        ensure(factors.len() == list.len())?;
        ensure(e.children.first().is_some_and(|child| child.tag_name().name() == "condition"))?;
        all &= e.condition()?.holds(weighted(&list, &factors));
    }
    ensure(names.is_empty())?;
    Ok(all)
}

fn flow(e: &mut Element<'_, '_>) -> Result<bool> {
    let (list, balance) = (e.need("list")?.values()?, e.need("balance")?.values()?);
    let mut arcs = e.need("arcs")?;
    let first = arcs.number("startIndex")?;
    let arcs = arcs.read(Text::tuples)?;
    ensure(arcs.len() == list.len() && arcs.iter().all(|arc| arc.len() == 2))?;
    let flow = |node: Value| -> Value {
        let arcs = arcs.iter().zip(&list);
        let sign = |arc: &[Number]| Value::from(arc[0] == Some(node)) - Value::from(arc[1] == Some(node));
        arcs.map(|(arc, x)| sign(arc) * x.unwrap()).sum()
    };
    let nodes = first..first + balance.len() as Value;
    ensure(arcs.iter().flatten().all(|node| node.is_some_and(|node| nodes.contains(&node))))?;
    let balanced = nodes.zip(&balance).all(|(node, balance)| Some(flow(node)) == *balance);
    let fits = match e.optional("weights")? {
        Some(weights) => e.condition()?.holds(weighted(&list, &weights)),
        None => true,
    };
    Ok(balanced && fits)
}
