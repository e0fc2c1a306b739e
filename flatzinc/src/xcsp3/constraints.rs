//! Blocks, groups, slides and objectives, and a table with a function for each constraint.

use super::element::{Element, MAX_DEPTH};
use super::error::Result;
use super::expr::{Expr, Op};
use super::parameters::Parameters;
use super::reader::{Constraint, Reader, flag, number};
use super::schema::{Part, Schema, child, may, need, several};
use super::text::Arguments;
use super::{comparing, connecting, counting, languages, scheduling, tables};
use crate::instance::{Goal, Operand};

/// The share of an element in the limit on expanded elements. An element has at least 4 bytes.
const ELEMENT: usize = 64;

/// A row of the table of constraints.
struct Row {
    name: &'static str,
    schema: Schema,
    read: fn(&mut Reader, Constraint<'_, '_>) -> Result<()>,
}

const fn row(
    name: &'static str,
    attributes: &'static [&'static str],
    parts: &'static [Part],
    read: fn(&mut Reader, Constraint<'_, '_>) -> Result<()>,
) -> Row {
    Row { name, schema: Schema { attributes, parts }, read }
}

const LIST: Part = need(&[child("list", &[])]);
const INDEXED_LIST: Part = need(&[child("list", &["startIndex"])]);
const CONDITION: Part = need(&[child("condition", &[])]);

static CONSTRAINTS: &[Row] = &[
    row("intension", &[], &[need(&[child("function", &[])])], |reader, c| {
        let expr = reader.scan(c.at(c.first("function")?), |text| text.whole())?;
        reader.builder.post(&expr, true)
    }),
    row(
        "extension",
        &[],
        &[LIST, need(&[child("supports", &[]), child("conflicts", &[])])],
        tables::extension,
    ),
    row("instantiation", &[], &[LIST, need(&[child("values", &[])])], tables::instantiation),
    row("clause", &[], &[LIST], |reader, c| {
        let literals = reader.list(c)?;
        reader.builder.post(&Expr::any(literals), true)
    }),
    row(
        "regular",
        &[],
        &[
            LIST,
            need(&[child("transitions", &[])]),
            need(&[child("start", &[])]),
            need(&[child("final", &[])]),
        ],
        languages::regular,
    ),
    row("mdd", &[], &[LIST, need(&[child("transitions", &[])])], languages::mdd),
    row(
        "allDifferent",
        &[],
        &[need(&[several("list", &[]), child("matrix", &[])]), may(&[child("except", &[])])],
        comparing::all_different,
    ),
    row("allEqual", &[], &[need(&[several("list", &[])])], comparing::all_equal),
    row("notAllEqual", &[], &[LIST], comparing::not_all_equal),
    row(
        "ordered",
        &["case"],
        &[LIST, may(&[child("lengths", &[])]), may(&[child("operator", &[])])],
        comparing::ordered,
    ),
    row(
        "lex",
        &[],
        &[need(&[several("list", &[]), child("matrix", &[])]), need(&[child("operator", &[])])],
        comparing::lex,
    ),
    row("precedence", &["covered"], &[LIST, may(&[child("values", &["covered"])])], comparing::precedence),
    row("sum", &[], &[LIST, may(&[child("coeffs", &[])]), CONDITION], counting::sum),
    row("count", &[], &[LIST, need(&[child("values", &[])]), CONDITION], counting::count),
    row("nValues", &[], &[LIST, may(&[child("except", &[])]), CONDITION], counting::n_values),
    row(
        "cardinality",
        &["closed"],
        &[LIST, need(&[child("values", &["closed"])]), need(&[child("occurs", &[])])],
        counting::cardinality,
    ),
    row("minimum", &[], MIN_MAX, connecting::minimum),
    row("maximum", &[], MIN_MAX, connecting::maximum),
    row("minimumArg", &["rank"], &[INDEXED_LIST, CONDITION], connecting::minimum_arg),
    row("maximumArg", &["rank"], &[INDEXED_LIST, CONDITION], connecting::maximum_arg),
    row(
        "element",
        &[],
        &[
            need(&[child("list", &["startIndex"]), child("matrix", &["startRowIndex", "startColIndex"])]),
            may(&[child("index", &["rank"])]),
            need(&[child("value", &[]), child("condition", &[])]),
        ],
        connecting::element,
    ),
    row(
        "channel",
        &[],
        &[need(&[several("list", &["startIndex"])]), may(&[child("value", &[])])],
        connecting::channel,
    ),
    row("circuit", &[], &[INDEXED_LIST, may(&[child("size", &[])])], connecting::circuit),
    row(
        "noOverlap",
        &["zeroIgnored"],
        &[need(&[child("origins", &[])]), need(&[child("lengths", &[])])],
        scheduling::no_overlap,
    ),
    row(
        "cumulative",
        &[],
        &[
            need(&[child("origins", &[])]),
            need(&[child("lengths", &[])]),
            may(&[child("ends", &[])]),
            need(&[child("heights", &[])]),
            CONDITION,
        ],
        scheduling::cumulative,
    ),
    row(
        "binPacking",
        &[],
        &[
            INDEXED_LIST,
            need(&[child("sizes", &[])]),
            need(&[
                child("condition", &[]),
                child("conditions", &[]),
                child("limits", &[]),
                child("loads", &[]),
            ]),
        ],
        scheduling::bin_packing,
    ),
    row(
        "knapsack",
        &[],
        &[
            LIST,
            need(&[child("weights", &[])]),
            may(&[child("limit", &[])]),
            need(&[child("profits", &[])]),
            need(&[several("condition", &[])]),
        ],
        scheduling::knapsack,
    ),
    row(
        "flow",
        &[],
        &[
            LIST,
            need(&[child("balance", &[])]),
            need(&[child("arcs", &["startIndex"])]),
            may(&[child("weights", &[])]),
            may(&[child("condition", &[])]),
        ],
        scheduling::flow,
    ),
];

/// The parts of `minimum` and `maximum`.
const MIN_MAX: &[Part] = &[INDEXED_LIST, may(&[child("index", &["rank"])]), may(&[child("condition", &[])])];

/// The schema of an objective, unless it is a single expression.
const OBJECTIVE: Schema = Schema { attributes: &["type"], parts: &[LIST, may(&[child("coeffs", &[])])] };

impl Row {
    /// Returns the row of a constraint, after a check of its attributes and children.
    fn of(element: Element<'_>) -> Result<&'static Self> {
        let Some(row) = CONSTRAINTS.iter().find(|row| row.name == element.name()) else {
            return Err(element.refuse("a constraint that is supported"));
        };
        row.schema.check(element)?;
        Ok(row)
    }
}

impl Reader {
    /// Reads constraints, blocks, groups and slides.
    pub(super) fn constraints(&mut self, parent: Element<'_>, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(parent.refuse(format!("at most {MAX_DEPTH} nested elements")));
        }
        parent.only_attributes(&[])?;
        for element in parent.children()? {
            // With the attribute `as`, a short document can contain a constraint very often. Without it, the input is
            // longer than the elements allow.
            self.names.expand(ELEMENT, element.span())?;
            match element.name() {
                "block" => self.constraints(element, depth + 1)?,
                "group" => self.group(element)?,
                "slide" => self.slide(element)?,
                _ => self.constraint(Row::of(element)?, element, Arguments::default())?,
            }
        }
        Ok(())
    }

    fn constraint(&mut self, row: &Row, element: Element<'_>, arguments: Arguments<'_>) -> Result<()> {
        self.builder.span = element.span();
        (row.read)(self, Constraint { element, arguments })
    }

    /// Reads a group: a constraint template with parameters, and lists of arguments.
    fn group(&mut self, group: Element<'_>) -> Result<()> {
        group.only_attributes(&[])?;
        let mut children = group.children()?;
        let template = children.next().ok_or_else(|| group.refuse("a constraint in the group"))?;
        let row = Row::of(template)?;
        let parameters = Parameters::of(template)?;
        let mut children = children.peekable();
        if children.peek().is_none() {
            return Err(group.refuse("`<args>` in this element"));
        }
        for child in children {
            if child.name() != "args" {
                return Err(child.refuse("`<args>`"));
            }
            child.only_attributes(&[])?;
            let list = Constraint { element: child, arguments: Arguments::default() };
            let all = self.scan(list, |text| text.items())?;
            self.constraint(row, template, parameters.assign(child, &all)?)?;
        }
        Ok(())
    }

    /// Reads a slide: a constraint on each window of consecutive items of a list.
    fn slide(&mut self, slide: Element<'_>) -> Result<()> {
        slide.only_attributes(&["circular"])?;
        let circular = flag(slide, "circular", false)?;
        let mut lists = Vec::new();
        let mut template = None;
        for child in slide.children()? {
            if child.name() == "list" && template.is_none() {
                child.only_attributes(&["offset", "collect"])?;
                let list = Constraint { element: child, arguments: Arguments::default() };
                let items = self.scan(list, |text| text.items())?;
                let [offset, collect] = ["offset", "collect"].map(|name| {
                    let positive =
                        number(child, name, 1)?.try_into().ok().filter(|&number: &usize| number > 0);
                    positive.ok_or_else(|| child.refuse_attribute(name, "a positive integer"))
                });
                lists.push((child, items, offset?, collect?));
            } else if template.replace(child).is_some() {
                return Err(child.refuse("the end of the slide"));
            }
        }
        let template = template.ok_or_else(|| slide.refuse("a constraint in the slide"))?;
        let row = Row::of(template)?;
        let parameters = Parameters::of(template)?;
        if let [(list, _, _, collect)] = &mut lists[..] {
            // If a slide has a single list, the template determines the number of items in each window.
            if list.attribute("collect").is_none() {
                *collect = parameters.indexed().max(1);
            }
        }
        for window in 0.. {
            let mut all = Vec::new();
            for (_, items, offset, collect) in &lists {
                let start = offset.saturating_mul(window);
                let fits = if circular {
                    start < items.len()
                } else {
                    start.saturating_add(*collect) <= items.len()
                };
                if !fits {
                    if window == 0 {
                        return Err(slide.refuse("lists that are long enough for the constraint"));
                    }
                    return Ok(());
                }
                self.names.expand(*collect, slide.span())?;
                all.extend((start..start + collect).map(|index| items[index % items.len()].clone()));
            }
            if lists.is_empty() {
                return Err(slide.refuse("`<list>` in the slide"));
            }
            self.constraint(row, template, parameters.assign(slide, &all)?)?;
        }
        Ok(())
    }

    /// Reads the objective of the instance.
    pub(super) fn objectives(&mut self, objectives: Element<'_>) -> Result<Goal> {
        objectives.only_attributes(&[])?;
        let mut goal = Goal::Satisfy;
        for element in objectives.children()? {
            self.builder.span = element.span();
            if goal != Goal::Satisfy {
                return Err(element.refuse("a single objective"));
            }
            let is_minimum = match element.name() {
                "minimize" => true,
                "maximize" => false,
                _ => return Err(element.refuse("`<minimize>` or `<maximize>`")),
            };
            let constraint = Constraint { element, arguments: Arguments::default() };
            let value = self.objective(constraint)?;
            goal = if is_minimum { Goal::Minimise(value) } else { Goal::Maximise(value) };
        }
        if goal == Goal::Satisfy {
            return Err(objectives.refuse("`<minimize>` or `<maximize>` in this element"));
        }
        Ok(goal)
    }

    fn objective(&mut self, c: Constraint<'_, '_>) -> Result<Operand> {
        let kind = c.element.attribute("type").unwrap_or("expression");
        if kind == "expression" {
            c.element.only_attributes(&["type"])?;
            let expr = self.scan(c, |text| text.whole())?;
            return self.builder.operand(&expr);
        }
        let op = match kind {
            "sum" => Op::Add,
            "product" => Op::Mul,
            "minimum" => Op::Min,
            "maximum" => Op::Max,
            "nValues" => Op::Set,
            _ => {
                let expected = "one of expression, sum, product, minimum, maximum, nValues";
                return Err(c.element.refuse_attribute("type", expected));
            }
        };
        OBJECTIVE.check(c.element)?;
        let mut items = self.list(c)?;
        if let Some(coefficients) = self.optional(c, "coeffs")? {
            if coefficients.len() != items.len() {
                return Err(c.element.refuse("as many coefficients as values"));
            }
            let products = coefficients.into_iter().zip(items);
            items = products.map(|(a, x)| Expr::binary(Op::Mul, a, x)).collect();
        }
        if items.is_empty() {
            return Err(c.element.refuse("at least one value"));
        }
        if op == Op::Set {
            let used = counting::used_values(self, c, &items, &[])?;
            return self.builder.operand(&Expr::sum(used));
        }
        self.builder.operand(&Expr::Apply(op, items))
    }
}
