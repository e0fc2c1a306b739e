//! Tests that all views of an integer variable agree on its value, regardless of the order in which they are created.

use crate::propagate::Propagator;
use crate::size::posted;
use gordian_encodings::constraint::AtMostOne;
use gordian_encodings::{Cnf, Collect, Domain, Encodings, IntVar, Lit, Model, Sink, Value, constant};

fn domains() -> Vec<Domain> {
    let mut domains: Vec<Domain> =
        [(0, 0), (7, 7), (0, 1), (-3, -2), (0, 2), (1, 4), (-2, 3), (0, 7), (-5, 6), (3, 20)]
            .map(|(first, last)| Domain::interval(first, last))
            .to_vec();
    for values in
        [&[0, 5][..], &[-9, -1], &[1, 2, 4], &[-4, -3, 0, 1, 2, 9], &[0, 10, 20, 30, 31, 32], &[5, 7, 9, 11]]
    {
        domains.push(Domain::from_values(values.iter().copied()));
    }
    domains.push(Domain::from_values([Value::MIN, -1, 0, Value::MAX]));
    domains.push(Domain::from_values([Value::MAX - 2, Value::MAX - 1, Value::MAX]));
    domains
}

const VIEWS: [fn(&mut Sink<'_>, IntVar); 3] =
    [|sink, x| drop(sink.order(x)), |sink, x| drop(sink.direct(x)), |sink, x| drop(sink.log(x))];

/// Creates views in the order given by `asked`, which contains indices into [`VIEWS`]. The index 3 refers to no view:
/// at this point, and again at the end, the literals `x <= v` and `x = v` are created one by one.
fn encode(domain: &Domain, start: &str, asked: &[usize], named: bool) -> (Cnf, Vec<Lit>, Vec<Lit>) {
    let mut model = Model::new();
    let x = model.integer(domain.clone());
    let values: Vec<Value> = domain.values().collect();
    if named {
        for &value in values.iter().rev() {
            model.equals(x, value);
            model.at_most(x, value);
        }
    }
    let mut encodings = Encodings::auto();
    encodings.choose_named("integers", start).unwrap();
    let mut cnf = Cnf::default();
    let mut encoded = model.encode(&encodings, &mut cnf);
    let mut sink = encoded.sink(&mut cnf);
    let (mut equal, mut at_most) = (Vec::new(), Vec::new());
    for &view in asked.iter().chain([&3]) {
        if let Some(make) = VIEWS.get(view) {
            make(&mut sink, x);
        } else {
            // Starting with the middle value creates the literals out of order.
            let half = values.len() / 2;
            for &value in values[half..].iter().chain(&values[..half]) {
                sink.at_most(x, value);
                sink.equals(x, value);
            }
            at_most = values.iter().map(|&value| sink.at_most(x, value)).collect();
            equal = values.iter().map(|&value| sink.equals(x, value)).collect();
        }
    }
    let log = sink.log(x);
    let variables = sink.variables();
    cnf.reserve(variables);
    // The value in the decoded assignment must agree with the bits and with the literals.
    let mut propagator = Propagator::new(&cnf, None);
    for (index, &value) in values.iter().enumerate() {
        propagator
            .under(&[equal[index]], |p| {
                assert_eq!(log.value(|lit| p.value(lit).unwrap()), value, "{domain:?} {start} {asked:?}");
                assert_eq!(
                    encoded.assignment(|lit| p.value(lit)).int(x),
                    value,
                    "{domain:?} {start} {asked:?}"
                );
            })
            .expect("each value is possible");
    }
    (cnf, equal, at_most)
}

fn orders() -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![vec![]];
    for length in 1..=3 {
        crate::formula::each_choice(&vec![4; length], &mut |order| {
            if (0..length).all(|i| !order[..i].contains(&order[i])) {
                orders.push(order.to_vec());
            }
        });
    }
    orders
}

#[test]
fn all_views_agree_on_the_value() {
    for domain in domains() {
        for (start, named) in
            ["order", "direct", "log", "auto"].map(|start| [(start, true), (start, false)]).concat()
        {
            for asked in orders() {
                let (cnf, equal, at_most) = encode(&domain, start, &asked, named);
                let context = format!("{domain:?} {start} {asked:?} {named}");
                let mut propagator = Propagator::new(&cnf, None);
                assert_eq!(propagator.models(&[], 99), equal.len(), "{context}");
                for i in 0..equal.len() {
                    for j in 0..equal.len() {
                        propagator.under(&[equal[i]], |p| {
                            assert_eq!(p.value(equal[j]), Some(i == j), "{context}: {i} {j}");
                            assert_eq!(p.value(at_most[j]), Some(i <= j), "{context}: {i} {j}");
                        });
                    }
                    // From an upper bound, unit propagation derives all weaker upper bounds in every view.
                    propagator.under(&[at_most[i]], |p| {
                        assert!((i..equal.len()).all(|j| p.value(at_most[j]) == Some(true)), "{context}");
                    });
                    propagator.under(&[!at_most[i]], |p| {
                        assert!((0..=i).all(|j| p.value(at_most[j]) == Some(false)), "{context}");
                    });
                    if start == "order" || asked.contains(&0) {
                        // If the bounds admit a single value v, they imply `x = v`. If x is at most v and differs
                        // from v, the next tighter upper bound follows.
                        let below = i.checked_sub(1).map_or(gordian_encodings::FALSE, |below| at_most[below]);
                        propagator.under(&[at_most[i], !below], |p| {
                            assert_eq!(p.value(equal[i]), Some(true), "{context}");
                        });
                        propagator.under(&[at_most[i], !equal[i]], |p| {
                            assert!(constant(below).is_some() || p.value(below) == Some(true), "{context}");
                        });
                    }
                }
            }
        }
    }
}

/// Returns the numbers of variables and clauses written for integer literals.
fn written(encoded: &gordian_encodings::Encoded) -> [u64; 2] {
    let row = encoded.sizes().rows().iter().find(|row| row.constraint == "integers");
    row.map_or([0, 0], |row| [row.variables, row.clauses])
}

/// Returns the documented size of a view. The argument `beside` names the view that already exists, if any.
fn view_size(domain: &Domain, view: &str, beside: Option<&str>) -> Option<[u64; 2]> {
    let d = u64::try_from(domain.size()).ok()?;
    let (ends, inner) = (d.min(2), d.saturating_sub(2));
    let span = domain.max().abs_diff(domain.min());
    let width = u64::from(u128::BITS - span.leading_zeros());
    match (view, beside) {
        (view, Some(beside)) if view == beside => Some([0, 0]),
        ("order", None) => Some([d - 1, inner]),
        ("order", Some("direct")) => Some([(d - 1).saturating_sub(ends), 4 * inner]),
        ("direct", None) if inner == 0 => Some([ends - 1, 0]),
        ("direct", None) => {
            let (variables, clauses) = posted(d, false, AtMostOne::new);
            Some([d + variables, 1 + clauses])
        }
        ("direct", Some("order")) => Some([inner, 3 * inner]),
        ("log", None) if domain.holes().next().is_none() => {
            Some([width, width - u64::from(span.count_ones())])
        }
        ("log", Some("order")) => {
            let bit = |value: Value, k: u64| value.abs_diff(domain.min()) >> k & 1;
            let values: Vec<Value> = domain.values().collect();
            let runs = |k: u64| {
                1 + values.windows(2).filter(|pair| bit(pair[0], k) != bit(pair[1], k)).count() as u64
            };
            let bits = width.saturating_sub(1);
            Some([bits, (0..bits).map(runs).sum()])
        }
        _ => None,
    }
}

#[test]
fn sizes_of_views_agree_with_the_closed_formulas() {
    let names = ["order", "direct", "log"];
    let larger = [Domain::interval(0, 99), Domain::from_values((0..60).map(|i| i * i))];
    for domain in domains().into_iter().chain(larger) {
        for (first, second) in (0..9).map(|pair| (pair / 3, pair % 3)) {
            let mut model = Model::new();
            let x = model.integer(domain.clone());
            let mut encodings = Encodings::auto();
            encodings.choose_named("integers", names[first]).unwrap();
            let mut cnf = Cnf::default();
            let mut encoded = model.encode(&encodings, &mut cnf);
            let alone = written(&encoded);
            VIEWS[second](&mut encoded.sink(&mut cnf), x);
            let both = written(&encoded);
            let next = [both[0] - alone[0], both[1] - alone[1]];
            for (view, beside, found) in
                [(names[first], None, alone), (names[second], Some(names[first]), next)]
            {
                if let Some(size) = view_size(&domain, view, beside) {
                    assert_eq!(found, size, "{view} next to {beside:?}: {domain:?}");
                }
            }
        }
    }
}

#[test]
fn the_log_view_is_as_wide_as_the_bounds_need() {
    let mut model = Model::new();
    let widths = [
        (0, 0, 0),
        (-1, 0, 1),
        (0, 7, 3),
        (-4, 4, 4),
        (1, 10_i128.pow(30), 100),
        (Value::MIN, Value::MAX, 128),
    ];
    let variables = widths.map(|(first, last, _)| model.integer(Domain::interval(first, last)));
    let mut encodings = Encodings::auto();
    encodings.choose_named("integers", "log").unwrap();
    let mut cnf = Cnf::default();
    let mut encoded = model.encode(&encodings, &mut cnf);
    let mut sink = encoded.sink(&mut cnf);
    for (x, (first, _, width)) in variables.into_iter().zip(widths) {
        let log = sink.log(x);
        assert_eq!((log.min, log.bits.len()), (first, width));
    }
}

/// Tests value literals near the ends of domains that are too large to enumerate. Such domains need only the log
/// view.
#[test]
fn huge_domains_need_only_bits() {
    let huge = 10_i128.pow(30);
    for (first, last) in
        [(0, huge), (-huge, huge), (-huge - 17, -5), (Value::MIN, Value::MAX), (3 * huge, Value::MAX)]
    {
        let mut model = Model::new();
        let x = model.integer(Domain::interval(first, last));
        let middle = first / 2 + last / 2;
        let values = [first, first + 1, middle - 1, middle, middle + 1, last - 1, last];
        let mut cnf = Cnf::default();
        let mut encoded = model.encode(&Encodings::auto(), &mut cnf);
        let mut sink = encoded.sink(&mut cnf);
        let log = sink.log(x);
        let at_most = values.map(|value| sink.at_most(x, value));
        let equal = values.map(|value| sink.equals(x, value));
        let count = sink.variables();
        cnf.reserve(count);
        let mut propagator = Propagator::new(&cnf, None);
        for i in 0..values.len() {
            propagator
                .under(&[equal[i]], |p| {
                    assert_eq!(log.value(|lit| p.value(lit).unwrap()), values[i]);
                    for j in 0..values.len() {
                        assert_eq!(
                            p.value(equal[j]),
                            Some(i == j),
                            "{first}..{last}: {} {}",
                            values[i],
                            values[j]
                        );
                        assert_eq!(
                            p.value(at_most[j]),
                            Some(i <= j),
                            "{first}..{last}: {} {}",
                            values[i],
                            values[j]
                        );
                    }
                })
                .expect("each value is possible");
        }
        // The clauses exclude bit patterns that represent no value of the domain.
        let pattern = |offset: u128| -> Vec<Lit> {
            let bit = |(k, &bit): (usize, &Lit)| if offset >> k & 1 == 1 { bit } else { !bit };
            log.bits.iter().enumerate().map(bit).collect()
        };
        let span = last.abs_diff(first);
        assert!(propagator.under(&pattern(span), |_| ()).is_some());
        if log.bits.len() < 128 && span + 1 < 1 << log.bits.len() {
            assert!(propagator.under(&pattern(span + 1), |_| ()).is_none());
        }
    }
}
