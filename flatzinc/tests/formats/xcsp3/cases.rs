//! Random constraints for each XCSP3 element, each with a predicate that implements the specification. This file has
//! over 400 lines because it is one table.

use std::collections::{BTreeMap, BTreeSet};

use gordian_encodings::Value;

use super::random::{Choices, Meaning, boolean, compares, condition, integer, join, operand};

/// A function that returns the text and the predicate of a random constraint over `x[0]` to `x[n-1]`.
pub(super) type Case = fn(&mut Choices, usize) -> (String, Meaning);

pub(super) const CASES: &[(&str, Case)] = &[
    ("intension", |c, n| {
        let (text, meaning) = boolean(c, n, 3);
        (format!("<intension> {text} </intension>"), meaning)
    }),
    ("extension", |c, n| {
        let (arity, positive) = (1 + c.below(n), c.flip());
        let name = if positive { "supports" } else { "conflicts" };
        let rows: Vec<Vec<Option<Value>>> = (0..c.below(6))
            .map(|_| (0..arity).map(|_| Some(c.from(-1, 4)).filter(|&v| v < 4 || arity == 1)).collect())
            .collect();
        let entry = |entry: &Option<Value>| entry.map_or("*".to_owned(), |value| value.to_string());
        let row = |row: &Vec<_>| row.iter().map(entry).collect::<Vec<_>>().join(",");
        let texts: Vec<String> = rows.iter().map(row).collect();
        let table =
            if arity == 1 { texts.join(" ") } else { texts.iter().map(|t| format!("({t})")).collect() };
        let text = format!("<extension> {} <{name}> {table} </{name}> </extension>", list(0..arity));
        (
            text,
            Box::new(move |v| {
                let fits =
                    |row: &Vec<Option<Value>>| row.iter().zip(v).all(|(e, x)| e.is_none_or(|e| e == *x));
                rows.iter().any(fits) == positive
            }),
        )
    }),
    ("allDifferent", |c, _| {
        let except = c.numbers(c.0.len() % 3, 0, 3);
        let text = if except.is_empty() {
            "<allDifferent> x[] </allDifferent>".to_owned()
        } else {
            let except = join(&except, " ");
            format!("<allDifferent> <list> x[] </list> <except> {except} </except> </allDifferent>")
        };
        (text, Box::new(move |v| different(v.iter().filter(|x| !except.contains(x)))))
    }),
    ("allDifferent of lists", |c, n| {
        let lists = [0; 3].map(|_| [c.below(n), c.below(n)]);
        let except = c.numbers(2, 0, 2);
        let texts: String = lists.iter().map(|&[a, b]| format!("<list> x[{a}] x[{b}] </list>")).collect();
        let text = format!(
            "<allDifferent> {texts} <except> ({},{}) </except> </allDifferent>",
            except[0], except[1]
        );
        (
            text,
            Box::new(move |v| {
                let tuples: Vec<_> = lists.iter().map(|list| list.map(|i| v[i])).collect();
                different(tuples.iter().filter(|tuple| tuple[..] != except))
            }),
        )
    }),
    ("allDifferent of a matrix", |c, n| {
        let m = [0; 4].map(|_| c.below(n));
        let [p, q, r, s] = m;
        let text =
            format!("<allDifferent> <matrix> (x[{p}],x[{q}]) (x[{r}],x[{s}]) </matrix> </allDifferent>");
        (
            text,
            Box::new(move |v| {
                let [p, q, r, s] = m.map(|i| v[i]);
                p != q && r != s && p != r && q != s
            }),
        )
    }),
    ("allEqual", |_, _| {
        ("<allEqual> x[] </allEqual>".into(), Box::new(move |v| v.iter().all(|&x| x == v[0])))
    }),
    ("allEqual of lists", |c, n| {
        let lists = [0; 3].map(|_| [c.below(n), c.below(n)]);
        let texts: String = lists.iter().map(|&[a, b]| format!("<list> x[{a}] x[{b}] </list>")).collect();
        (
            format!("<allEqual> {texts} </allEqual>"),
            Box::new(move |v| {
                let tuples = lists.map(|list| list.map(|i| v[i]));
                tuples.iter().all(|tuple| *tuple == tuples[0])
            }),
        )
    }),
    ("notAllEqual", |_, _| {
        ("<notAllEqual> x[] </notAllEqual>".into(), Box::new(|v| v.iter().any(|&x| x != v[0])))
    }),
    ("ordered", |c, n| {
        let (op, lengths) = (*c.pick(&["lt", "le", "ge", "gt"]), c.numbers(n - 1, 0, 2));
        let with_lengths = c.flip();
        let inner = if with_lengths {
            format!("<lengths> {} </lengths>", join(&lengths, " "))
        } else {
            String::new()
        };
        let text = format!("<ordered> <list> x[] </list> {inner} <operator> {op} </operator> </ordered>");
        (
            text,
            Box::new(move |v| {
                v.windows(2).zip(&lengths).all(|(pair, length)| {
                    compares(op, pair[0] + if with_lengths { *length } else { 0 }, pair[1])
                })
            }),
        )
    }),
    ("ordered by case", |c, _| {
        let cases = [
            ("strictlyIncreasing", "lt"),
            ("increasing", "le"),
            ("decreasing", "ge"),
            ("strictlyDecreasing", "gt"),
        ];
        let (case, op) = *c.pick(&cases);
        (
            format!("<ordered case=\"{case}\"> x[] </ordered>"),
            Box::new(move |v| v.windows(2).all(|pair| compares(op, pair[0], pair[1]))),
        )
    }),
    ("lex", |c, n| {
        let op = *c.pick(&["lt", "le", "ge", "gt"]);
        let lists = [0; 3].map(|_| [c.below(n), c.below(n)]);
        let texts: String = lists.iter().map(|&[a, b]| format!("<list> x[{a}] x[{b}] </list>")).collect();
        (
            format!("<lex> {texts} <operator> {op} </operator> </lex>"),
            Box::new(move |v| {
                let tuples: Vec<_> = lists.iter().map(|list| list.map(|i| v[i])).collect();
                tuples.windows(2).all(|pair| ordered(op, &pair[0], &pair[1]))
            }),
        )
    }),
    ("lex of a matrix", |c, n| {
        let op = *c.pick(&["lt", "le", "ge", "gt"]);
        let m = [0; 4].map(|_| c.below(n));
        let [p, q, r, s] = m;
        let text = format!(
            "<lex> <matrix> (x[{p}],x[{q}]) (x[{r}],x[{s}]) </matrix> <operator> {op} </operator> </lex>"
        );
        (
            text,
            Box::new(move |v| {
                let [p, q, r, s] = m.map(|i| v[i]);
                ordered(op, &[p, q], &[r, s]) && ordered(op, &[p, r], &[q, s])
            }),
        )
    }),
    ("precedence", |c, _| {
        let values = *c.pick(&[[0, 1, 2], [2, 0, 1], [1, 3, 0]]);
        let covered = c.flip();
        let text = format!(
            "<precedence covered=\"{covered}\"> <list> x[] </list> <values> {} </values> </precedence>",
            join(&values, " ")
        );
        (
            text,
            Box::new(move |v| {
                let first = values.map(|value| v.iter().position(|&x| x == value));
                let precedes =
                    |pair: &[Option<usize>]| pair[1].is_none_or(|b| pair[0].is_some_and(|a| a < b));
                first.windows(2).all(precedes) && (!covered || first.iter().all(Option::is_some))
            }),
        )
    }),
    ("sum", |c, n| {
        let items: Vec<_> = (0..n).map(|_| integer(c, n, c.0.len() % 2)).collect();
        let coefficients: Vec<_> = (0..n).map(|_| operand(c, n)).collect();
        let (text, holds) = condition(c, n);
        let text = format!(
            "<sum> <list> {} </list> <coeffs> {} </coeffs> <condition> {text} </condition> </sum>",
            texts(&items),
            texts(&coefficients)
        );
        (
            text,
            Box::new(move |v| {
                let products = items.iter().zip(&coefficients).map(|(x, a)| Some(x.1(v)? * a.1(v)?));
                products.sum::<Option<Value>>().is_some_and(|sum| holds(sum, v))
            }),
        )
    }),
    ("count", |c, n| {
        let (text, holds) = condition(c, n);
        let values: Vec<_> = (0..=c.below(3)).map(|_| operand(c, n)).collect();
        let text = format!(
            "<count> <list> x[] </list> <values> {} </values> <condition> {text} </condition> </count>",
            texts(&values)
        );
        (
            text,
            Box::new(move |v| {
                let members: Vec<_> = values.iter().filter_map(|value| value.1(v)).collect();
                holds(v.iter().filter(|x| members.contains(x)).count() as Value, v)
            }),
        )
    }),
    ("nValues", |c, n| {
        let (text, holds) = condition(c, n);
        let except = c.numbers(1, -1, 3);
        let with_except = c.flip();
        let inner = if with_except { format!("<except> {} </except>", except[0]) } else { String::new() };
        let text = format!("<nValues> <list> x[] </list> {inner} <condition> {text} </condition> </nValues>");
        (
            text,
            Box::new(move |v| {
                let values: BTreeSet<_> = v.iter().filter(|x| !with_except || !except.contains(x)).collect();
                holds(values.len() as Value, v)
            }),
        )
    }),
    ("cardinality", |c, n| {
        let (closed, constant) = (c.flip(), c.flip());
        let values: Vec<_> = if constant {
            [0, 2].map(|k: Value| (k.to_string(), Box::new(move |_: &[Value]| Some(k)) as _)).into()
        } else {
            (0..2).map(|_| operand(c, n)).collect()
        };
        let intervals = c.flip();
        let occurs: Vec<_> = (0..2).map(|_| operand(c, n)).collect();
        let ranges = [0; 2].map(|_| (c.from(0, 1), c.from(1, 3)));
        let occurs_text =
            if intervals { ranges.map(|(a, b)| format!("{a}..{b}")).join(" ") } else { texts(&occurs) };
        let text = format!(
            "<cardinality> <list> x[] </list> <values closed=\"{closed}\"> {} </values>\
             <occurs> {occurs_text} </occurs> </cardinality>",
            texts(&values)
        );
        (
            text,
            Box::new(move |v| {
                let values: Vec<_> = values.iter().filter_map(|value| value.1(v)).collect();
                let fits = |(i, value): (usize, &Value)| {
                    let count = v.iter().filter(|x| *x == value).count() as Value;
                    if intervals {
                        (ranges[i].0..=ranges[i].1).contains(&count)
                    } else {
                        occurs[i].1(v) == Some(count)
                    }
                };
                values.iter().enumerate().all(fits) && (!closed || v.iter().all(|x| values.contains(x)))
            }),
        )
    }),
    ("minimum or maximum", |c, n| {
        let greatest = c.flip();
        let name = if greatest { "maximum" } else { "minimum" };
        let (text, holds) = condition(c, n);
        let rank = *c.pick(&["none", "any", "first", "last"]);
        let index = operand(c, n);
        let inner = if rank == "none" {
            String::new()
        } else {
            format!("<index rank=\"{rank}\"> {} </index>", index.0)
        };
        let text = format!(
            "<{name}> <list startIndex=\"1\"> x[] </list> {inner} <condition> {text} </condition> </{name}>"
        );
        (
            text,
            Box::new(move |v| {
                let best = if greatest { v.iter().max() } else { v.iter().min() };
                let fits = rank == "none" || indices(v, rank, best).any(|i| Some(i + 1) == index.1(v));
                fits && best.is_some_and(|&best| holds(best, v))
            }),
        )
    }),
    ("index of the minimum or maximum", |c, n| {
        let greatest = c.flip();
        let name = if greatest { "maximumArg" } else { "minimumArg" };
        let (text, holds) = condition(c, n);
        let rank = *c.pick(&["first", "last"]);
        let text =
            format!("<{name} rank=\"{rank}\"> <list> x[] </list> <condition> {text} </condition> </{name}>");
        (
            text,
            Box::new(move |v| {
                let best = if greatest { v.iter().max() } else { v.iter().min() };
                indices(v, rank, best).any(|i| holds(i, v))
            }),
        )
    }),
    ("element", |c, n| {
        let items: Vec<_> = (0..3).map(|_| operand(c, n)).collect();
        let (index, value, first) = (operand(c, n), operand(c, n), c.from(0, 1));
        let (condition, holds) = condition(c, n);
        let form = c.below(3);
        let inner = match form {
            0 => format!("<value> {} </value>", value.0),
            1 => format!("<index> {} </index> <value> {} </value>", index.0, value.0),
            _ => format!("<index> {} </index> <condition> {condition} </condition>", index.0),
        };
        let text =
            format!("<element> <list startIndex=\"{first}\"> {} </list> {inner} </element>", texts(&items));
        (
            text,
            Box::new(move |v| {
                let items: Vec<_> = items.iter().filter_map(|item| item.1(v)).collect();
                let item = index.1(v).and_then(|i| items.get(usize::try_from(i - first).ok()?).copied());
                match form {
                    0 => items.iter().any(|&item| Some(item) == value.1(v)),
                    1 => item.is_some() && item == value.1(v),
                    _ => item.is_some_and(|item| holds(item, v)),
                }
            }),
        )
    }),
    ("element of a matrix", |c, n| {
        let cells = c.numbers(6, 0, 3);
        let (row, column, value) = (operand(c, n), operand(c, n), operand(c, n));
        let rows: String = cells.chunks(3).map(|row| format!("({})", join(row, ","))).collect();
        let text = format!(
            "<element> <matrix startRowIndex=\"1\"> {rows} </matrix> <index> {} {} </index> <value> {} </value> </element>",
            row.0, column.0, value.0
        );
        (
            text,
            Box::new(move |v| {
                let (row, column) = (row.1(v).unwrap() - 1, column.1(v).unwrap());
                let inside = (0..2).contains(&row) && (0..3).contains(&column);
                inside && Some(cells[(3 * row + column) as usize]) == value.1(v)
            }),
        )
    }),
    ("channel", |_, _| {
        (
            "<channel> x[] </channel>".into(),
            Box::new(|v| {
                let inverse = |(i, &x): (usize, &Value)| {
                    usize::try_from(x).ok().and_then(|x| v.get(x)) == Some(&(i as Value))
                };
                v.iter().enumerate().all(inverse)
            }),
        )
    }),
    ("channel of lists", |c, n| {
        let cut = 1 + c.below(n - 1);
        let first = c.from(0, 1);
        let text = format!(
            "<channel> <list startIndex=\"{first}\"> x[0..{}] </list> <list> x[{cut}..{}] </list> </channel>",
            cut - 1,
            n - 1
        );
        (
            text,
            Box::new(move |v| {
                let (left, right) = v.split_at(cut);
                let implies = |a: &[Value], b: &[Value], a0: Value, b0: Value| {
                    a.iter().enumerate().all(|(i, &x)| {
                        usize::try_from(x - b0).ok().and_then(|x| b.get(x)) == Some(&(i as Value + a0))
                    })
                };
                // Each item of the shorter list is a position in the longer list.
                (left.len() > right.len() || implies(left, right, first, 0))
                    && (left.len() < right.len() || implies(right, left, 0, first))
            }),
        )
    }),
    ("channel with a value", |c, n| {
        let first = c.from(0, 1);
        let text = format!(
            "<channel> <list startIndex=\"{first}\"> {} </list> <value> x[{}] </value> </channel>",
            (0..n - 1).map(|i| format!("eq(x[{i}],2) ")).collect::<String>(),
            n - 1
        );
        (
            text,
            Box::new(move |v| {
                let (index, items) = v.split_last().unwrap();
                let ones: Vec<_> =
                    (first..).zip(items).filter(|item| *item.1 == 2).map(|item| item.0).collect();
                ones == [*index]
            }),
        )
    }),
    ("circuit", |c, n| {
        let (form, size) = (c.below(3), operand(c, n));
        let text = match form {
            0 => "<circuit> x[] </circuit>".to_owned(),
            1 => "<circuit> <list startIndex=\"1\"> x[] </list> </circuit>".to_owned(),
            _ => format!("<circuit> <list> x[] </list> <size> {} </size> </circuit>", size.0),
        };
        (
            text,
            Box::new(move |v| {
                let first = Value::from(form == 1);
                let next = |i: Value| usize::try_from(i - first).ok().and_then(|i| v.get(i)).copied();
                let inside: Vec<Value> = (first..).zip(v).filter(|&(i, &x)| i != x).map(|(i, _)| i).collect();
                let Some(&start) = inside.first() else { return false };
                let mut seen = BTreeSet::from([start]);
                let mut at = start;
                while let Some(to) = next(at).filter(|&to| to != start) {
                    if !seen.insert(to) {
                        return false;
                    }
                    at = to;
                }
                let count = inside.len() as Value;
                next(at) == Some(start)
                    && seen.len() == inside.len()
                    && (form < 2 || size.1(v) == Some(count))
            }),
        )
    }),
    ("regular", |c, _| {
        let transitions: BTreeMap<(usize, Value), usize> =
            (0..6).map(|_| ((c.below(3), c.from(0, 2)), c.below(3))).collect();
        let finals = [c.below(3), c.below(3)];
        let arcs: String = transitions.iter().map(|((p, a), q)| format!("(q{p},{a},q{q})")).collect();
        let text = format!(
            "<regular> <list> x[] </list> <transitions> {arcs} </transitions> <start> q0 </start>\
             <final> q{} q{} </final> </regular>",
            finals[0], finals[1]
        );
        (
            text,
            Box::new(move |v| {
                let end = v.iter().try_fold(0, |state, &x| transitions.get(&(state, x)).copied());
                end.is_some_and(|end| finals.contains(&end))
            }),
        )
    }),
    ("mdd", |c, n| {
        // Each path of the decision diagram goes through the layers r, a<i>, t.
        let mut arcs = BTreeSet::new();
        for layer in 0..n {
            for _ in 0..3 {
                let (from, label, to) = (c.below(2), c.from(0, 2), c.below(2));
                let from = if layer == 0 { 0 } else { from };
                let to = if layer == n - 1 { 0 } else { to };
                if !arcs.iter().any(|&(l, f, a, _)| (l, f, a) == (layer, from, label)) {
                    arcs.insert((layer, from, label, to));
                }
            }
        }
        // Keeps only the arcs that are reachable from the root and lead to the last layer.
        let mut reached = BTreeSet::from([(0, 0)]);
        let all: Vec<_> = arcs
            .into_iter()
            .filter(|&(l, f, _, t)| {
                let from_root = reached.contains(&(l, f));
                if from_root {
                    reached.insert((l + 1, t));
                }
                from_root
            })
            .collect();
        let mut useful = BTreeSet::from([(n, 0)]);
        let mut arcs = Vec::new();
        for &(l, f, a, t) in all.iter().rev() {
            if useful.contains(&(l + 1, t)) {
                useful.insert((l, f));
                arcs.push((l, f, a, t));
            }
        }
        let text: String = arcs.iter().map(|(l, f, a, t)| format!("(n{l}_{f},{a},n{}_{t})", l + 1)).collect();
        let text = format!("<mdd> <list> x[] </list> <transitions> {text} </transitions> </mdd>");
        (
            text,
            Box::new(move |v| {
                let step = |state: usize, (layer, &x): (usize, &Value)| {
                    arcs.iter().find(|arc| (arc.0, arc.1, arc.2) == (layer, state, x)).map(|arc| arc.3)
                };
                v.iter().enumerate().try_fold(0, step).is_some()
            }),
        )
    }),
    ("noOverlap", |c, n| {
        let lengths: Vec<_> = (0..n).map(|_| c.from(0, 2)).collect();
        let ignored = c.flip();
        let text = format!(
            "<noOverlap zeroIgnored=\"{ignored}\"> <origins> x[] </origins> <lengths> {} </lengths> </noOverlap>",
            join(&lengths, " ")
        );
        (
            text,
            Box::new(move |v| {
                pairs(n).all(|(i, j)| {
                    let apart = v[i] + lengths[i] <= v[j] || v[j] + lengths[j] <= v[i];
                    apart || ignored && (lengths[i] == 0 || lengths[j] == 0)
                })
            }),
        )
    }),
    ("noOverlap of boxes", |c, n| {
        let boxes = [0; 3].map(|_| ([c.below(n), c.below(n)], [c.from(0, 2), c.from(1, 2)]));
        let ignored = c.flip();
        let origins: String = boxes.iter().map(|([x, y], _)| format!("(x[{x}],x[{y}])")).collect();
        let lengths: String = boxes.iter().map(|(_, [a, b])| format!("({a},{b})")).collect();
        let text = format!(
            "<noOverlap zeroIgnored=\"{ignored}\"> <origins> {origins} </origins>\
             <lengths> {lengths} </lengths> </noOverlap>"
        );
        (
            text,
            Box::new(move |v| {
                pairs(3).all(|(i, j)| {
                    (0..2).any(|d| {
                        let (a, b) = (v[boxes[i].0[d]], v[boxes[j].0[d]]);
                        let (da, db) = (boxes[i].1[d], boxes[j].1[d]);
                        a + da <= b || b + db <= a || ignored && (da == 0 || db == 0)
                    })
                })
            }),
        )
    }),
    ("cumulative", |c, n| {
        let (lengths, heights) = (c.numbers(n, 0, 3), c.numbers(n, 0, 2));
        let (strict, limit) = (c.flip(), c.from(0, 4));
        let op = if strict { "lt" } else { "le" };
        let text = format!(
            "<cumulative> <origins> x[] </origins> <lengths> {} </lengths> <heights> {} </heights>\
             <condition> ({op},{limit}) </condition> </cumulative>",
            join(&lengths, " "),
            join(&heights, " ")
        );
        (
            text,
            Box::new(move |v| {
                (-5..15).all(|time| {
                    let running = (0..n).filter(|&i| v[i] <= time && time < v[i] + lengths[i]);
                    compares(op, running.map(|i| heights[i]).sum(), limit)
                })
            }),
        )
    }),
    ("binPacking", |c, n| {
        let sizes = c.numbers(n, 0, 3);
        let form = c.below(3);
        let bounds: Vec<_> = (0..3).map(|_| operand(c, n)).collect();
        let (condition, holds) = condition(c, n);
        let inner = match form {
            0 => format!("<condition> {condition} </condition>"),
            1 => format!("<limits> {} </limits>", texts(&bounds)),
            _ => format!("<loads> {} </loads>", texts(&bounds)),
        };
        let text = format!(
            "<binPacking> <list> x[] </list> <sizes> {} </sizes> {inner} </binPacking>",
            join(&sizes, " ")
        );
        (
            text,
            Box::new(move |v| {
                let load = |bin: Value| -> Value { (0..n).filter(|&i| v[i] == bin).map(|i| sizes[i]).sum() };
                if form == 0 {
                    return (-2..=3).all(|bin| !DOMAIN.contains(&bin) || holds(load(bin), v));
                }
                let fits = |(bin, bound): (Value, &(String, _))| {
                    let bound: &super::random::Function = &bound.1;
                    let bound = bound(v).unwrap();
                    if form == 1 { load(bin) <= bound } else { load(bin) == bound }
                };
                v.iter().all(|x| (0..3).contains(x)) && (0..3).zip(&bounds).all(fits)
            }),
        )
    }),
    ("knapsack", |c, n| {
        let (weights, profits) = (c.numbers(n, 0, 3), c.numbers(n, 0, 3));
        let (first, second) = (condition(c, n), condition(c, n));
        let text = format!(
            "<knapsack> <list> x[] </list> <weights> {} </weights> <condition> {} </condition>\
             <profits> {} </profits> <condition> {} </condition> </knapsack>",
            join(&weights, " "),
            first.0,
            join(&profits, " "),
            second.0
        );
        let total = |of: &[Value], v: &[Value]| -> Value { of.iter().zip(v).map(|(a, x)| a * x).sum() };
        (text, Box::new(move |v| first.1(total(&weights, v), v) && second.1(total(&profits, v), v)))
    }),
    ("flow", |c, n| {
        let arcs: Vec<_> = (0..n).map(|_| (c.below(3), c.below(3))).collect();
        let (balance, weights) = (c.numbers(3, -1, 1), c.numbers(n, 0, 2));
        let (text, holds) = condition(c, n);
        let text = format!(
            "<flow> <list> x[] </list> <balance> {} </balance> <arcs> {} </arcs> <weights> {} </weights>\
             <condition> {text} </condition> </flow>",
            join(&balance, " "),
            arcs.iter().map(|(p, q)| format!("({p},{q})")).collect::<String>(),
            join(&weights, " ")
        );
        (
            text,
            Box::new(move |v| {
                let flow = |node: usize| -> Value {
                    let arcs = arcs.iter().zip(v);
                    arcs.map(|((p, q), x)| x * (Value::from(*p == node) - Value::from(*q == node))).sum()
                };
                let cost = weights.iter().zip(v).map(|(a, x)| a * x).sum();
                (0..3).all(|node| flow(node) == balance[node]) && holds(cost, v)
            }),
        )
    }),
    ("clause", |c, n| {
        let literals: Vec<_> = (0..2).map(|_| (c.below(n), c.flip())).collect();
        let literal = |&(i, positive): &(usize, bool)| {
            if positive { format!("eq(x[{i}],1)") } else { format!("not(eq(x[{i}],1))") }
        };
        let text: Vec<String> = literals.iter().map(literal).collect();
        (
            format!("<clause> {} </clause>", text.join(" ")),
            Box::new(move |v| literals.iter().any(|&(i, positive)| (v[i] == 1) == positive)),
        )
    }),
    ("instantiation", |c, n| {
        let values: Vec<_> = (0..n).map(|_| Some(c.from(0, 3)).filter(|&value| value < 2)).collect();
        let text: Vec<_> = values.iter().map(|v| v.map_or("*".to_owned(), |v| v.to_string())).collect();
        let text = format!(
            "<instantiation> <list> x[] </list> <values> {} </values> </instantiation>",
            text.join(" ")
        );
        (
            text,
            Box::new(move |v| values.iter().zip(v).all(|(value, x)| value.is_none_or(|value| value == *x))),
        )
    }),
    ("group", |c, n| {
        let bounds = [c.from(-1, 3), c.from(-1, 3)];
        let text = format!(
            "<group> <sum> <list> %1 %... </list> <condition> (le,%0) </condition> </sum>\
             <args> {} x[0] x[1..] </args> <args> {} x[] </args> </group>",
            bounds[0], bounds[1]
        );
        let text = text.replace("x[1..]", &format!("x[1..{}]", n - 1));
        (
            text,
            Box::new(move |v| {
                let sum: Value = v.iter().sum();
                bounds.iter().all(|&bound| sum <= bound)
            }),
        )
    }),
    ("circular slide longer than the list", |c, n| {
        let bound = c.from(-2, 5);
        let text = format!(
            "<slide circular=\"true\"> <list> x[] </list> <sum> <list> %0 %1 %2 %3 </list>\
             <condition> (le,{bound}) </condition> </sum> </slide>"
        );
        (text, Box::new(move |v| (0..n).all(|i| (i..i + 4).map(|j| v[j % n]).sum::<Value>() <= bound)))
    }),
    ("slide", |c, n| {
        let (circular, offset) = (c.flip(), 1 + c.below(2));
        let text = format!(
            "<slide circular=\"{circular}\"> <list offset=\"{offset}\"> x[] </list>\
             <intension> ne(add(%0,1),%1) </intension> </slide>"
        );
        (
            text,
            Box::new(move |v| {
                (0..n).step_by(offset).filter(|i| circular || i + 1 < n).all(|i| v[i] + 1 != v[(i + 1) % n])
            }),
        )
    }),
];

/// The domain of each variable in the test.
pub(super) const DOMAIN: [Value; 4] = [-1, 0, 1, 2];

fn list(of: std::ops::Range<usize>) -> String {
    format!("<list> {} </list>", of.map(|i| format!("x[{i}] ")).collect::<String>())
}

fn texts<T>(items: &[(String, T)]) -> String {
    items.iter().map(|item| &item.0[..]).collect::<Vec<_>>().join(" ")
}

fn different<T: Ord>(items: impl Iterator<Item = T>) -> bool {
    let items: Vec<T> = items.collect();
    let count = items.len();
    items.into_iter().collect::<BTreeSet<T>>().len() == count
}

fn ordered(op: &str, left: &[Value], right: &[Value]) -> bool {
    match op {
        "lt" => left < right,
        "le" => left <= right,
        "ge" => left >= right,
        _ => left > right,
    }
}

/// Returns the allowed indices of `value` in `v`: all indices, only the first, or only the last, depending on `rank`.
fn indices<'a>(v: &'a [Value], rank: &str, value: Option<&'a Value>) -> impl Iterator<Item = Value> + use<> {
    let all: Vec<usize> = (0..v.len()).filter(|&i| Some(&v[i]) == value).collect();
    let chosen = match rank {
        "first" => all.first().copied().into_iter().collect(),
        "last" => all.last().copied().into_iter().collect(),
        _ => all,
    };
    chosen.into_iter().map(|i| i as Value)
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}
