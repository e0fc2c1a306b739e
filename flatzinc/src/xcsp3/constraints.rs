//! Blocks, groups, slides and objectives, and a table with a function for each constraint.

use super::element::{Element, MAX_DEPTH};
use super::error::{Result, quoting};
use super::expr::{Expr, Op};
use super::reader::{Constraint, Reader, flag, number};
use super::text::Arguments;
use super::{comparing, connecting, counting, languages, scheduling, tables};
use crate::instance::{Goal, Operand};

/// A row of the table of constraints.
struct Row {
    name: &'static str,
    /// The allowed names of child elements.
    children: &'static [&'static str],
    /// The allowed attributes of the element and its children.
    attributes: &'static [&'static str],
    read: fn(&mut Reader, Constraint<'_, '_>) -> Result<()>,
}

const fn row(
    name: &'static str,
    children: &'static [&'static str],
    attributes: &'static [&'static str],
    read: fn(&mut Reader, Constraint<'_, '_>) -> Result<()>,
) -> Row {
    Row { name, children, attributes, read }
}

static CONSTRAINTS: &[Row] = &[
    row("intension", &["function"], &[], |reader, c| {
        let element = if c.element.has_children()? { c.element.need("function")? } else { c.element };
        let expr = reader.scan(c.at(element), |text| text.whole())?;
        reader.builder.post(&expr, true)
    }),
    row("extension", &["list", "supports", "conflicts"], &["type"], tables::extension),
    row("instantiation", &["list", "values"], &[], tables::instantiation),
    row("clause", &["list"], &[], |reader, c| {
        let literals = reader.list(c, "list")?;
        reader.builder.post(&Expr::any(literals), true)
    }),
    row("regular", &["list", "transitions", "start", "final"], &["type"], languages::regular),
    row("mdd", &["list", "transitions"], &[], languages::mdd),
    row("allDifferent", &["list", "except", "matrix"], &[], comparing::all_different),
    row("allEqual", &["list"], &[], comparing::all_equal),
    row("notAllEqual", &["list"], &[], comparing::not_all_equal),
    row("ordered", &["list", "lengths", "operator"], &["case"], comparing::ordered),
    row("lex", &["list", "matrix", "operator"], &[], comparing::lex),
    row("precedence", &["list", "values"], &["covered"], comparing::precedence),
    row("sum", &["list", "coeffs", "condition"], &[], counting::sum),
    row("count", &["list", "values", "condition"], &[], counting::count),
    row("nValues", &["list", "except", "condition"], &[], counting::n_values),
    row("cardinality", &["list", "values", "occurs"], &["closed"], counting::cardinality),
    row("minimum", &["list", "index", "condition"], &["startIndex", "rank"], connecting::minimum),
    row("maximum", &["list", "index", "condition"], &["startIndex", "rank"], connecting::maximum),
    row("minimumArg", &["list", "condition"], &["startIndex", "rank"], connecting::minimum_arg),
    row("maximumArg", &["list", "condition"], &["startIndex", "rank"], connecting::maximum_arg),
    row(
        "element",
        &["list", "matrix", "index", "value", "condition"],
        &["startIndex", "startRowIndex", "startColIndex", "rank"],
        connecting::element,
    ),
    row("channel", &["list", "value"], &["startIndex"], connecting::channel),
    row("circuit", &["list", "size"], &["startIndex"], connecting::circuit),
    row("noOverlap", &["origins", "lengths"], &["zeroIgnored"], scheduling::no_overlap),
    row("cumulative", &["origins", "lengths", "ends", "heights", "condition"], &[], scheduling::cumulative),
    row(
        "binPacking",
        &["list", "sizes", "condition", "conditions", "limits", "loads"],
        &["startIndex"],
        scheduling::bin_packing,
    ),
    row("knapsack", &["list", "weights", "limit", "profits", "condition"], &[], scheduling::knapsack),
    row("flow", &["list", "balance", "weights", "arcs", "condition"], &["startIndex"], scheduling::flow),
];

impl Reader {
    /// Reads constraints, blocks, groups and slides.
    pub(super) fn constraints(&mut self, parent: Element<'_>, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(parent.refuse(format!("at most {MAX_DEPTH} nested elements")));
        }
        parent.only_attributes(&[])?;
        for element in parent.children()? {
            match element.name() {
                "block" => self.constraints(element, depth + 1)?,
                "group" => self.group(element)?,
                "slide" => self.slide(element)?,
                _ => self.constraint(Constraint { element, arguments: Arguments::default() })?,
            }
        }
        Ok(())
    }

    fn constraint(&mut self, constraint: Constraint<'_, '_>) -> Result<()> {
        let element = constraint.element;
        self.builder.span = element.span();
        let Some(row) = CONSTRAINTS.iter().find(|row| row.name == element.name()) else {
            return Err(element.refuse("a constraint that is supported"));
        };
        element.only_attributes(row.attributes)?;
        for child in element.children()? {
            if !row.children.contains(&child.name()) {
                return Err(child.refuse(format!("an element of `<{}>` that is supported", row.name)));
            }
            child.only_attributes(row.attributes)?;
        }
        (row.read)(self, constraint)
    }

    /// Reads a group: a constraint template with parameters, and lists of arguments.
    fn group(&mut self, group: Element<'_>) -> Result<()> {
        group.only_attributes(&[])?;
        let mut children = group.children()?;
        let template = children.next().ok_or_else(|| group.refuse("a constraint in the group"))?;
        let indexed = parameters(template)?;
        for child in children {
            if child.name() != "args" {
                return Err(child.refuse("`<args>`"));
            }
            child.only_attributes(&[])?;
            let list = Constraint { element: child, arguments: Arguments::default() };
            let all = self.scan(list, |text| text.items())?;
            let arguments = Arguments { all: Some(&all), indexed };
            self.constraint(Constraint { element: template, arguments })?;
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
                let (offset, collect) = (number(child, "offset", 1)?, number(child, "collect", 1)?);
                let [Ok(offset), Ok(collect)] = [offset, collect].map(usize::try_from) else {
                    return Err(child.refuse("an offset and a number of variables that are positive"));
                };
                if offset == 0 || collect == 0 {
                    return Err(child.refuse("an offset and a number of variables that are positive"));
                }
                lists.push((items, offset, collect));
            } else if template.replace(child).is_some() {
                return Err(child.refuse("the end of the slide"));
            }
        }
        let template = template.ok_or_else(|| slide.refuse("a constraint in the slide"))?;
        let arity = parameters(template)?;
        if let [(_, _, collect)] = &mut lists[..] {
            // If a slide has a single list, each window has at least as many items as the template has parameters.
            *collect = (*collect).max(arity);
        }
        for window in 0.. {
            let mut all = Vec::new();
            for (items, offset, collect) in &lists {
                let start = offset.saturating_mul(window);
                let fits = if circular {
                    start < items.len()
                } else {
                    start.saturating_add(*collect) <= items.len()
                };
                if !fits {
                    return Ok(());
                }
                self.names.expand(*collect, slide.span())?;
                all.extend((start..start + collect).map(|index| items[index % items.len()].clone()));
            }
            if lists.is_empty() {
                return Err(slide.refuse("`<list>` in the slide"));
            }
            let arguments = Arguments { all: Some(&all), indexed: arity };
            self.constraint(Constraint { element: template, arguments })?;
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
            element.only_attributes(&["type"])?;
            let is_minimum = match element.name() {
                "minimize" => true,
                "maximize" => false,
                _ => return Err(element.refuse("`<minimize>` or `<maximize>`")),
            };
            let constraint = Constraint { element, arguments: Arguments::default() };
            let value = self.objective(constraint)?;
            goal = if is_minimum { Goal::Minimise(value) } else { Goal::Maximise(value) };
        }
        Ok(goal)
    }

    fn objective(&mut self, c: Constraint<'_, '_>) -> Result<Operand> {
        let kind = c.element.attribute("type").unwrap_or("expression");
        if kind == "expression" {
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
        for child in c.element.children()? {
            if !["list", "coeffs"].contains(&child.name()) {
                return Err(child.refuse("`<list>` or `<coeffs>`"));
            }
        }
        let mut items = self.list(c, "list")?;
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

/// Returns the number of indexed parameters (`%0`, `%1`, ...) of a template. This number is the largest index plus
/// one.
fn parameters(template: Element<'_>) -> Result<usize> {
    let mut count = 0;
    for node in template.node.descendants().filter(roxmltree::Node::is_text) {
        for (at, _) in node.text().unwrap_or_default().match_indices('%') {
            let rest = &node.text().unwrap_or_default()[at + 1..];
            let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
            if digits.is_empty() {
                continue;
            }
            let index: usize = digits
                .parse()
                .map_err(|_| quoting(node.range(), &format!("%{digits}"), "the index of an argument"))?;
            count = count.max(index.saturating_add(1));
        }
    }
    Ok(count)
}
