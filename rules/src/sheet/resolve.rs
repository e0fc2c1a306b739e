//! Resolves the names of a sheet, and checks sorts and what depends on the board only.
//!
//! A definition is resolved once for each combination of the sorts of its arguments, so its parameters need no sorts
//! in the text. It can only use definitions above it, so expansion ends.
//!
//! The file has over 400 lines because it is one walk over the syntax tree.

use std::collections::HashMap;

use super::builtin::BUILTINS;
use super::scheme::{DataSort, SCHEMES, Scheme};
use super::sort::Sort;
use super::syntax::{
    Block, Expr, Kind, LetSyntax, Name, Operator, Part, Quantifier, Span, Syntax, VarSyntax,
};
use super::tree::{Binder, Definition, Node, NodeKind, NodePart};
use super::value::Value;
use super::{Data, DataBlock, Rule, Sheet, SheetError, Shown, Style, VarFamily, address};

type Resolved<T> = Result<T, SheetError>;

/// Resolves and checks a sheet.
pub(super) fn resolve(text: &str, syntax: Syntax) -> Resolved<Sheet> {
    let mut resolver = Resolver {
        syntax: &syntax,
        data: Vec::new(),
        vars: Vec::new(),
        definitions: Vec::new(),
        instances: HashMap::new(),
        lets: syntax.lets.len(),
    };
    let blocks = resolver.blocks()?;
    resolver.check_names()?;
    resolver.variables()?;
    for (index, definition) in syntax.lets.iter().enumerate() {
        // Definitions that are not used are checked as well.
        let sorts = vec![Sort::Any; definition.parameters.len()];
        resolver.instance(index, sorts, true)?;
    }
    let rules = syntax.rules.iter().map(|rule| {
        let scope = &mut Scope::default();
        let part = resolver.part(&rule.part, scope, true)?;
        expect(&part.body, &Sort::Bool, "a formula")?;
        Ok(Rule { name: rule.name.text.clone(), part, implied: rule.implied })
    });
    let rules = rules.collect::<Resolved<Vec<_>>>()?;
    if rules.iter().all(|rule| rule.implied) {
        return Err(SheetError::new(text.len()..text.len(), "a line `rule \"NAME\": ...`", "none"));
    }
    let shown = resolver.shown(text)?;
    let addresses = syntax.addresses.iter().map(|address| address::resolve(address, &resolver.data));
    let addresses = addresses.collect::<Resolved<Vec<_>>>()?.concat();
    let Resolver { data, vars, definitions, .. } = resolver;
    Ok(Sheet {
        text: text.to_owned(),
        names: syntax.names.iter().map(|name| name.text.clone()).collect(),
        about: syntax.about,
        blocks,
        data,
        vars,
        definitions,
        rules,
        shown,
        addresses,
        made: syntax.made,
        extensions: syntax.extensions.iter().map(|name| (name.text.clone(), name.span.clone())).collect(),
    })
}

/// The names of local variables, with their sorts.
#[derive(Debug, Default, Clone)]
struct Scope {
    locals: Vec<(String, Sort)>,
}

struct Resolver<'a> {
    syntax: &'a Syntax,
    data: Vec<Data>,
    vars: Vec<VarFamily>,
    definitions: Vec<Definition>,
    /// The instances of definitions, by the definition, the sorts of the arguments, and whether relations are allowed.
    instances: HashMap<(usize, Vec<String>, bool), usize>,
    /// The number of definitions that expressions can use.
    lets: usize,
}

impl Resolver<'_> {
    fn blocks(&mut self) -> Resolved<Vec<DataBlock>> {
        let mut blocks = Vec::new();
        for Block { optional, scheme, fields, meaning } in &self.syntax.data {
            let names: Vec<&str> = SCHEMES.iter().map(|row| row.name).collect();
            let Some(row) = SCHEMES.iter().find(|row| row.name == scheme.text) else {
                let expected = format!("a scheme: {}", names.join(", "));
                return Err(unknown(scheme, expected, &names));
            };
            let (least, most) = row.fields;
            if fields.len() < least || fields.len() > most {
                let count = if least == most { least.to_string() } else { format!("{least} to {most}") };
                let expected = format!("{count} names after `{}`", row.name);
                return Err(SheetError::new(scheme.span.clone(), expected, fields.len().to_string()));
            }
            let meaning = match (row.scheme, meaning) {
                (Scheme::Option, Some(meaning)) => meaning.text.clone(),
                (Scheme::Option, None) => {
                    let span = fields[0].0.span.clone();
                    return Err(SheetError::new(
                        span,
                        "a name, and its meaning in double quotes",
                        "only a name",
                    ));
                }
                (_, Some(text)) => {
                    return Err(SheetError::new(text.span.clone(), "a text only for an option", "a text"));
                }
                (_, None) => String::new(),
            };
            if let Some(span) = optional.clone().filter(|_| !row.scheme.has_rows()) {
                return Err(SheetError::new(span, "`optional` only before a scheme with rows", "`optional`"));
            }
            let mut block =
                DataBlock { scheme: row.scheme, fields: Vec::new(), is_optional: optional.is_some() };
            for (number, (name, values)) in fields.iter().enumerate() {
                let sort = row.scheme.sort(number);
                let is_shared = |at: usize| {
                    let of_optional = |block: &DataBlock| block.is_optional && block.fields.contains(&at);
                    self.data[at].sort == sort && optional.is_none() && !blocks.iter().any(of_optional)
                };
                let at = match self.data.iter().position(|data| data.name == name.text) {
                    Some(at) if is_shared(at) => at,
                    Some(_) => return Err(SheetError::new(name.span.clone(), "another name", &name.text)),
                    None => {
                        let meaning = meaning.clone();
                        self.data.push(Data { name: name.text.clone(), sort, meaning, values: None });
                        self.data.len() - 1
                    }
                };
                if let Some(values) = values {
                    // The values may use the size of the board, but not definitions or data.
                    let lets = std::mem::replace(&mut self.lets, 0);
                    let node = self.node(values, &mut Scope::default(), false)?;
                    self.lets = lets;
                    expect(&node, &Sort::Scalar.set(), "a set of numbers or symbols")?;
                    expect_static(&node)?;
                    self.data[at].values = Some(node);
                }
                block.fields.push(at);
            }
            blocks.push(block);
        }
        Ok(blocks)
    }

    /// Checks that no name is defined twice or has a built-in meaning.
    fn check_names(&self) -> Resolved<()> {
        let vars = self.syntax.vars.iter().map(|var| &var.name);
        let lets = self.syntax.lets.iter().map(|definition| &definition.name);
        let data = self.syntax.data.iter().flat_map(|block| block.fields.iter().map(|(name, _)| name));
        let mut seen: Vec<&str> = Vec::new();
        for name in data.clone() {
            if is_builtin(&name.text) {
                return Err(SheetError::new(
                    name.span.clone(),
                    "a name without a built-in meaning",
                    &name.text,
                ));
            }
            seen.push(&name.text);
        }
        for name in vars.chain(lets) {
            if is_builtin(&name.text) {
                return Err(SheetError::new(
                    name.span.clone(),
                    "a name without a built-in meaning",
                    &name.text,
                ));
            }
            if seen.contains(&name.text.as_str()) {
                return Err(SheetError::new(
                    name.span.clone(),
                    "another name",
                    format!("a second {}", name.text),
                ));
            }
            seen.push(&name.text);
        }
        Ok(())
    }

    fn variables(&mut self) -> Resolved<()> {
        for VarSyntax { name, domain, on } in &self.syntax.vars {
            let on = self.node(on, &mut Scope::default(), false)?;
            expect_static(&on)?;
            let element = on.sort.element().filter(|sort| sort.has_variables()).cloned();
            let Some(place) = element else { return Err(sort_error(&on, "a set of places")) };
            let domain = domain.as_ref().map(|domain| {
                let mut scope = Scope { locals: vec![("it".to_owned(), place.clone())] };
                let node = self.node(domain, &mut scope, false)?;
                expect_static(&node)?;
                expect(&node, &Sort::Number.set(), "a set of numbers")?;
                Ok(node)
            });
            let domain = domain.transpose()?;
            self.vars.push(VarFamily { name: name.text.clone(), place, domain, on });
        }
        if self.vars.is_empty() {
            let span = self.syntax.names[0].span.clone();
            return Err(SheetError::new(span, "a line `var NAME on SET`", "a sheet without variables"));
        }
        Ok(())
    }

    fn shown(&self, text: &str) -> Resolved<Vec<Shown>> {
        let mut all: Vec<Shown> = Vec::new();
        for shown in &self.syntax.solution {
            let names: Vec<&str> = self.vars.iter().map(|var| var.name.as_str()).collect();
            let Some(var) = names.iter().position(|name| *name == shown.var.text) else {
                return Err(unknown(&shown.var, format!("a variable: {}", names.join(", ")), &names));
            };
            let styles: Vec<&str> = Style::ALL.iter().map(|style| style.name()).collect();
            let Some(&style) = Style::ALL.iter().find(|style| style.name() == shown.style.text) else {
                return Err(unknown(&shown.style, format!("a style: {}", styles.join(", ")), &styles));
            };
            let family = &self.vars[var];
            if !style.fits(&family.place, family.domain.is_some()) {
                let expected = format!("{} for the style `{}`", style.variables(), style.name());
                let found = format!("variables on {}", family.place);
                return Err(SheetError::new(shown.style.span.clone(), expected, found));
            }
            let symbol = shown.symbol.as_ref().map(|symbol| symbol.text.clone());
            if let Some(symbol) = &shown.symbol
                && (symbol.text.is_empty() || symbol.text.contains(char::is_whitespace))
            {
                return Err(SheetError::new(symbol.span.clone(), "a symbol without blanks", &symbol.text));
            }
            if all.iter().any(|other| other.var == var) {
                return Err(SheetError::new(shown.var.span.clone(), "each variable once", &shown.var.text));
            }
            all.push(Shown { var, style, symbol });
        }
        if all.is_empty() {
            return Err(SheetError::new(text.len()..text.len(), "a line `solution VARIABLE STYLE`", "none"));
        }
        Ok(all)
    }

    /// Returns the instance of a definition for arguments of the given sorts.
    fn instance(&mut self, index: usize, sorts: Vec<Sort>, relations: bool) -> Resolved<usize> {
        let key = (index, sorts.iter().map(|sort| format!("{sort:?}")).collect::<Vec<_>>(), relations);
        if let Some(&known) = self.instances.get(&key) {
            return Ok(known);
        }
        let LetSyntax { parameters, body, .. } = &self.syntax.lets[index];
        let names = parameters.iter().map(|name| name.text.clone());
        let mut scope = Scope { locals: names.zip(sorts).collect() };
        let outer = std::mem::replace(&mut self.lets, index);
        let body = self.node(body, &mut scope, relations);
        self.lets = outer;
        self.definitions.push(Definition::new(body?, parameters.len(), &self.definitions));
        self.instances.insert(key, self.definitions.len() - 1);
        Ok(self.definitions.len() - 1)
    }

    /// Resolves binders with a condition and a body. `relations` says whether the body may require relations.
    fn part(&mut self, part: &Part, scope: &mut Scope, relations: bool) -> Resolved<NodePart> {
        let outer = scope.locals.len();
        let mut binders = Vec::new();
        for (name, set) in &part.binders {
            let set = self.node(set, scope, false)?;
            let Some(element) = set.sort.element().cloned() else { return Err(sort_error(&set, "a set")) };
            expect_static(&set)?;
            let constant = BUILTINS.iter().any(|row| row.name == name.text && row.parameters.is_empty());
            if constant || self.data.iter().any(|data| data.name == name.text) {
                let found = format!("`{}`, which has a meaning already", name.text);
                return Err(SheetError::new(name.span.clone(), "another name", found));
            }
            scope.locals.push((name.text.clone(), element));
            binders.push(Binder { set, conditions: Vec::new() });
        }
        for condition in part.condition.iter().flat_map(conjuncts) {
            let node = self.node(condition, scope, false)?;
            expect(&node, &Sort::Bool, "a condition")?;
            expect_static(&node)?;
            let binder = node.locals().saturating_sub(outer + 1).min(binders.len().saturating_sub(1));
            if let Some(binder) = binders.get_mut(binder) {
                binder.conditions.push(node);
            }
        }
        let body = if let Some(body) = &part.body {
            self.node(body, scope, relations)?
        } else {
            let slot = scope.locals.len() - 1;
            let (_, sort) = &scope.locals[slot];
            let span = part.binders.last().map_or(0..0, |(name, _)| name.span.clone());
            Node { kind: NodeKind::Local(slot), sort: sort.clone(), is_static: true, span }
        };
        scope.locals.truncate(outer);
        Ok(NodePart { binders, body })
    }

    fn node(&mut self, expr: &Expr, scope: &mut Scope, relations: bool) -> Resolved<Node> {
        let span = expr.span.clone();
        let node = |kind, sort, is_static| Node { kind, sort, is_static, span: span.clone() };
        let constant = |value, sort| node(NodeKind::Constant(value), sort, true);
        Ok(match &expr.kind {
            Kind::Number(number) => constant(Value::Number(*number), Sort::Number),
            Kind::Symbol(text) => constant(Value::symbol(text), Sort::Symbol),
            Kind::Name(name) => {
                if let Some(slot) = scope.locals.iter().rposition(|(local, _)| local == name) {
                    return Ok(node(NodeKind::Local(slot), scope.locals[slot].1.clone(), true));
                }
                if let Some(data) = self.data.iter().position(|data| data.name == *name) {
                    let sort = match &self.data[data].sort {
                        DataSort::Map { key, .. } => key.clone().set(),
                        DataSort::Areas | DataSort::Sets => Sort::Cell.set().set(),
                        DataSort::Number => Sort::Number,
                        DataSort::Option => Sort::Bool,
                    };
                    return Ok(node(NodeKind::Data(data), sort, true));
                }
                self.call(&Name { text: name.clone(), span: span.clone() }, Vec::new(), &span, relations)?
            }
            Kind::Call(name, arguments) => {
                let arguments = arguments.iter().map(|argument| {
                    let node = self.node(argument, scope, false)?;
                    expect_static(&node)?;
                    Ok(node)
                });
                let arguments = arguments.collect::<Resolved<Vec<_>>>()?;
                self.call(name, arguments, &span, relations)?
            }
            Kind::Set(items) => {
                let items = items.iter().map(|item| self.node(item, scope, false));
                let items = items.collect::<Resolved<Vec<_>>>()?;
                let mut sort = Sort::Any;
                for item in &items {
                    expect_static(item)?;
                    let Some(joined) = sort.join(&item.sort) else { return Err(sort_error(item, &sort)) };
                    sort = joined;
                }
                node(NodeKind::Set(items), sort.set(), true)
            }
            Kind::Operator(operator, arguments) => {
                self.operator(*operator, arguments, scope, relations, &span)?
            }
            Kind::Quantifier(quantifier, parts) => {
                let quantifier = *quantifier;
                let inner = relations && matches!(quantifier, Quantifier::All | Quantifier::Any);
                let parts = parts.iter().map(|part| self.part(part, scope, inner));
                let parts = parts.collect::<Resolved<Vec<_>>>()?;
                self.quantifier(quantifier, parts, relations, &span)?
            }
        })
    }

    /// Resolves a name with arguments: a definition, a variable, data or a built-in function.
    fn call(&mut self, name: &Name, arguments: Vec<Node>, span: &Span, relations: bool) -> Resolved<Node> {
        let node = |kind, sort, is_static| Node { kind, sort, is_static, span: span.clone() };
        let count = arguments.len();
        let named = |definition: &LetSyntax| definition.name.text == name.text;
        if let Some(index) = self.syntax.lets[..self.lets].iter().position(named) {
            let parameters = self.syntax.lets[index].parameters.len();
            check_count(name, parameters, count)?;
            let sorts = arguments.iter().map(|argument| argument.sort.clone()).collect();
            let instance = self.instance(index, sorts, relations)?;
            let Node { sort, is_static, .. } = &self.definitions[instance].body;
            let (sort, is_static) = (sort.clone(), *is_static);
            return Ok(node(NodeKind::Let(instance, arguments), sort, is_static));
        }
        if let Some(var) = self.vars.iter().position(|var| var.name == name.text) {
            check_count(name, 1, count)?;
            let [argument] = <[Node; 1]>::try_from(arguments).expect("one argument");
            let VarFamily { place, domain, .. } = &self.vars[var];
            expect(&argument, place, &place.to_string())?;
            let sort = if domain.is_some() { Sort::Number } else { Sort::Bool };
            return Ok(node(NodeKind::Var(var, Box::new(argument)), sort, false));
        }
        if let Some(data) = self.data.iter().position(|data| data.name == name.text) {
            let (key, value) = match &self.data[data].sort {
                DataSort::Map { key, value } => (key.clone(), value.clone()),
                DataSort::Areas => (Sort::Cell, Sort::Cell.set()),
                DataSort::Number | DataSort::Option | DataSort::Sets => {
                    let expected = format!("`{}` without arguments", name.text);
                    return Err(SheetError::new(span.clone(), expected, "arguments"));
                }
            };
            check_count(name, 1, count)?;
            let [argument] = <[Node; 1]>::try_from(arguments).expect("one argument");
            expect(&argument, &key, &key.to_string())?;
            return Ok(node(NodeKind::Lookup(data, Box::new(argument)), value, true));
        }
        let sorts: Vec<Sort> = arguments.iter().map(|argument| argument.sort.clone()).collect();
        let rows = || BUILTINS.iter().enumerate().filter(|(_, row)| row.name == name.text);
        let fitting = rows().find_map(|(index, row)| Some((index, row.result_for(&sorts)?)));
        if let Some((index, sort)) = fitting {
            return Ok(node(NodeKind::Builtin(index, arguments), sort, true));
        }
        if rows().next().is_some() {
            let forms: Vec<String> = rows().map(|(_, row)| signature(row)).collect();
            let found: Vec<String> = sorts.iter().map(ToString::to_string).collect();
            let found = if found.is_empty() { "no arguments".to_owned() } else { found.join(", ") };
            return Err(SheetError::new(span.clone(), forms.join(" or "), found));
        }
        if let Some(quantifier) = Quantifier::ALL.iter().find(|quantifier| quantifier.name() == name.text) {
            let expected = format!("`{0}(x in SET: ...)`", quantifier.name());
            return Err(SheetError::new(span.clone(), expected, format!("`{}`", name.text)));
        }
        let data = self.data.iter().map(|data| data.name.as_str());
        let vars = self.vars.iter().map(|var| var.name.as_str());
        let lets = self.syntax.lets[..self.lets].iter().map(|definition| definition.name.text.as_str());
        let builtins = BUILTINS.iter().map(|row| row.name);
        let quantifiers = Quantifier::ALL.iter().map(|quantifier| quantifier.name());
        let known: Vec<&str> = data.chain(vars).chain(lets).chain(builtins).chain(quantifiers).collect();
        Err(unknown(name, "a known name".to_owned(), &known))
    }

    fn operator(
        &mut self,
        operator: Operator,
        arguments: &[Expr],
        scope: &mut Scope,
        relations: bool,
        span: &Span,
    ) -> Resolved<Node> {
        use Operator as O;
        let allows = |at: usize| match operator {
            O::And | O::Or => relations,
            O::Implies => relations && at == 1,
            _ => false,
        };
        let arguments =
            arguments.iter().enumerate().map(|(at, argument)| self.node(argument, scope, allows(at)));
        let arguments = arguments.collect::<Resolved<Vec<_>>>()?;
        let is_static = arguments.iter().all(|argument| argument.is_static);
        let every =
            |sort: &Sort, name: &str| arguments.iter().try_for_each(|argument| expect(argument, sort, name));
        let number = |node: &Node| node.sort.fits(&Sort::Number);
        let sort = match operator {
            O::Or | O::And | O::Not | O::Implies | O::Iff => {
                every(&Sort::Bool, "a truth value")?;
                Sort::Bool
            }
            O::Equal | O::NotEqual => {
                let [left, right] = &arguments[..] else { unreachable!("two arguments") };
                let lengths =
                    |a: &Node, b: &Node| a.sort == Sort::Lengths && b.sort.fits(&Sort::Number.set());
                if lengths(left, right) || lengths(right, left) {
                    if operator == O::NotEqual || !relations {
                        return Err(SheetError::new(
                            span.clone(),
                            "`runs(...) = LIST`, which can be required but not negated or counted",
                            "another use",
                        ));
                    }
                } else if left.sort.join(&right.sort).is_none() {
                    return Err(sort_error(right, &left.sort));
                } else {
                    // Only numbers and truth values depend on variables.
                    let both = [left, right];
                    if let Some(other) = both.iter().find(|node| {
                        !is_static && !number(node) && node.sort != Sort::Bool && node.sort != Sort::Any
                    }) {
                        return Err(sort_error(other, "a number or a truth value"));
                    }
                }
                Sort::Bool
            }
            O::Less | O::AtMost | O::Greater | O::AtLeast => {
                every(&Sort::Number, "a number")?;
                Sort::Bool
            }
            O::In => {
                let [item, set] = &arguments[..] else { unreachable!("two arguments") };
                expect_static(set)?;
                match set.sort.element() {
                    Some(element) if item.sort.join(element).is_some() => Sort::Bool,
                    Some(element) => return Err(sort_error(item, element)),
                    None => return Err(sort_error(set, "a set")),
                }
            }
            O::Add | O::Subtract => {
                let [left, right] = &arguments[..] else { unreachable!("two arguments") };
                if number(left) && number(right) {
                    Sort::Number
                } else {
                    // The union or the difference of two sets, or of a set and an element.
                    expect_static(left)?;
                    expect_static(right)?;
                    match (&left.sort, &right.sort) {
                        (Sort::Set(a), Sort::Set(b)) => match a.join(b).or_else(|| a.join(&right.sort)) {
                            Some(element) => element.set(),
                            None => return Err(sort_error(right, &left.sort)),
                        },
                        (Sort::Set(set), item) | (item, Sort::Set(set)) if operator == O::Add => {
                            match set.join(item) {
                                Some(element) => element.set(),
                                None => return Err(sort_error(right, &left.sort)),
                            }
                        }
                        (Sort::Set(set), item) if set.join(item).is_some() => left.sort.clone(),
                        (Sort::Set(_), _) => return Err(sort_error(right, &left.sort)),
                        _ => return Err(sort_error(left, "numbers or sets")),
                    }
                }
            }
            O::Multiply | O::Negate => {
                every(&Sort::Number, "a number")?;
                Sort::Number
            }
            O::Size => {
                expect_static(&arguments[0])?;
                if arguments[0].sort.element().is_none() {
                    return Err(sort_error(&arguments[0], "a set"));
                }
                Sort::Number
            }
            O::Range => {
                arguments.iter().try_for_each(expect_static)?;
                every(&Sort::Number, "a number")?;
                Sort::Number.set()
            }
        };
        Ok(Node { kind: NodeKind::Operator(operator, arguments), sort, is_static, span: span.clone() })
    }

    #[expect(clippy::unused_self, reason = "the same form as the other cases of expressions")]
    fn quantifier(
        &self,
        quantifier: Quantifier,
        parts: Vec<NodePart>,
        relations: bool,
        span: &Span,
    ) -> Resolved<Node> {
        use Quantifier as Q;
        let is_static = parts.iter().all(|part| part.body.is_static);
        if quantifier.is_relation() && !relations && !is_static {
            let expected = format!("`{}` as a requirement", quantifier.name());
            let found = "a place where it could be negated or counted";
            return Err(SheetError::new(span.clone(), expected, found));
        }
        let body = &parts[0].body;
        let binder = |part: &NodePart| {
            let set = &part.binders.last().expect("a binder").set;
            (set.sort.element().cloned().unwrap_or(Sort::Any), set.span.clone())
        };
        let (item, item_span) = binder(&parts[0]);
        let edges = |part: &NodePart| {
            let (sort, span) = binder(part);
            let is_pair = sort.element().is_some_and(Sort::is_place);
            if matches!(sort, Sort::Link | Sort::Side | Sort::Place | Sort::Any) || is_pair {
                return Ok(());
            }
            Err(SheetError::new(span, "a set of links, sides or pairs of places", sort.to_string()))
        };
        let vertices = || {
            if matches!(item, Sort::Cell | Sort::Corner | Sort::Place | Sort::Any) {
                return Ok(());
            }
            Err(SheetError::new(item_span.clone(), "a set of cells or corners", item.to_string()))
        };
        let sort = match quantifier {
            Q::Count | Q::Run | Q::Sum | Q::Product => Sort::Number,
            Q::Runs => Sort::Lengths,
            Q::Set => body.sort.clone().set(),
            Q::Prefix => item.clone().set(),
            Q::First => body.sort.clone(),
            Q::Classes => item.clone().set().set(),
            _ => Sort::Bool,
        };
        match quantifier {
            Q::All | Q::Any | Q::Count | Q::Run | Q::Runs | Q::Prefix => {
                expect(body, &Sort::Bool, "a truth value")?;
            }
            Q::Set | Q::First | Q::Classes => {}
            Q::Different if is_static => {}
            Q::Sum | Q::Product | Q::Different => expect(body, &Sort::Number, "a number")?,
            Q::Connected => {
                vertices()?;
                expect(body, &Sort::Bool, "a truth value")?;
            }
            Q::Linked => {
                edges(&parts[1])?;
                parts.iter().try_for_each(|part| expect(&part.body, &Sort::Bool, "a truth value"))?;
            }
            Q::Loop | Q::Acyclic => {
                edges(&parts[0])?;
                expect(body, &Sort::Bool, "a truth value")?;
            }
            Q::Components => {
                vertices()?;
                expect(body, &Sort::Bool, "a truth value")?;
                expect_static(&parts[1].body)?;
            }
            Q::Sized => {
                vertices()?;
                expect(body, &Sort::Number, "a number")?;
            }
            Q::Paths => {
                expect_static(body)?;
                edges(&parts[1])?;
                expect(&parts[1].body, &Sort::Bool, "a truth value")?;
            }
        }
        if matches!(quantifier, Q::Set | Q::Prefix | Q::First | Q::Classes) {
            expect_static(body)?;
        }
        Ok(Node { kind: NodeKind::Quantifier(quantifier, parts), sort, is_static, span: span.clone() })
    }
}

/// Returns the parts of a conjunction.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        Kind::Operator(Operator::And, both) => both.iter().flat_map(conjuncts).collect(),
        _ => vec![expr],
    }
}

fn is_builtin(name: &str) -> bool {
    name == "it"
        || BUILTINS.iter().any(|row| row.name == name)
        || Quantifier::ALL.iter().any(|quantifier| quantifier.name() == name)
}

/// Returns how a built-in function is called, such as `` `step(a cell, a symbol)` ``.
fn signature(row: &super::Builtin) -> String {
    if row.parameters.is_empty() {
        return format!("`{}`", row.name);
    }
    let parameters: Vec<String> =
        row.parameters.iter().map(|shape| shape.sort(&Sort::Any).to_string()).collect();
    format!("`{}({})`", row.name, parameters.join(", "))
}

fn expect(node: &Node, sort: &Sort, name: &str) -> Resolved<()> {
    if node.sort.fits(sort) { Ok(()) } else { Err(sort_error(node, name)) }
}

fn sort_error(node: &Node, expected: &(impl ToString + ?Sized)) -> SheetError {
    SheetError::new(node.span.clone(), expected.to_string(), node.sort.to_string())
}

fn expect_static(node: &Node) -> Resolved<()> {
    if node.is_static {
        return Ok(());
    }
    let expected = "an expression that depends on the board only";
    Err(SheetError::new(node.span.clone(), expected, "one that depends on the solution"))
}

fn check_count(name: &Name, parameters: usize, arguments: usize) -> Resolved<()> {
    if parameters == arguments {
        return Ok(());
    }
    let expected =
        format!("{parameters} argument{} of `{}`", if parameters == 1 { "" } else { "s" }, name.text);
    Err(SheetError::new(name.span.clone(), expected, arguments.to_string()))
}

/// The error for an unknown name, with a suggestion.
pub(super) fn unknown(name: &Name, expected: String, known: &[&str]) -> SheetError {
    let near = known.iter().map(|known| (strsim::damerau_levenshtein(&name.text, known), known));
    let most = (name.text.chars().count() / 3).clamp(1, 3);
    let near = near.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance);
    let error = SheetError::new(name.span.clone(), expected, format!("`{}`", name.text));
    match near {
        Some((_, near)) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    }
}
