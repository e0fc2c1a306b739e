//! The parser of rule sheets: recursive descent with operator precedence.

use super::SheetError;
use super::lexer::{Token, tokens};
use super::syntax::{
    AddressSyntax, Block, Expr, Kind, LetSyntax, Name, Operator, Part, Quantifier, RuleSyntax, ShownSyntax,
    Span, Syntax, VarSyntax,
};

type Parsed<T> = Result<T, SheetError>;
/// Bound names with their sets, and a condition.
type Binders = (Vec<(Name, Expr)>, Option<Expr>);

/// The keywords of statements. A statement starts with one of them in the first column of a line.
pub(super) const STATEMENTS: [&str; 11] =
    ["puzzle", "about", "data", "address", "make", "var", "let", "rule", "implied", "solution", "extension"];

/// The word before an option in an address.
const OPTION: &str = "option";

/// The nesting of expressions that the parser accepts, so that no sheet exhausts the stack.
const DEEPEST: usize = 100;

/// The binary operators, with their precedence. A higher number binds more tightly. All associate to the left, except
/// that comparisons and `..` do not associate.
const OPERATORS: [(&str, Operator, u8); 15] = [
    ("<=>", Operator::Iff, 1),
    ("=>", Operator::Implies, 1),
    ("or", Operator::Or, 2),
    ("and", Operator::And, 3),
    ("=", Operator::Equal, 5),
    ("!=", Operator::NotEqual, 5),
    ("<", Operator::Less, 5),
    ("<=", Operator::AtMost, 5),
    (">", Operator::Greater, 5),
    (">=", Operator::AtLeast, 5),
    ("in", Operator::In, 5),
    ("..", Operator::Range, 6),
    ("+", Operator::Add, 7),
    ("-", Operator::Subtract, 7),
    ("*", Operator::Multiply, 8),
];

/// Parses a sheet.
pub(super) fn parse(text: &str) -> Parsed<Syntax> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0 };
    let mut syntax = Syntax::default();
    while *parser.peek() != Token::End {
        parser.statement(&mut syntax)?;
    }
    if syntax.names.is_empty() {
        return Err(SheetError::new(0..0, "a line `puzzle NAME`", "none"));
    }
    Ok(syntax)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1.clone()
    }

    fn expected<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        let found = match &self.text[self.span()] {
            "" => "the end of the sheet",
            text => text,
        };
        Err(SheetError::new(self.span(), expected, found))
    }

    /// Skips `text` if it is the next token.
    fn skip(&mut self, text: &str) -> bool {
        let is_next = !self.at_statement()
            && match self.peek() {
                Token::Sign(sign) => *sign == text,
                Token::Word(word) => word == text,
                _ => false,
            };
        self.at += usize::from(is_next);
        is_next
    }

    fn require(&mut self, text: &str) -> Parsed<()> {
        if self.skip(text) { Ok(()) } else { self.expected(format!("`{text}`")) }
    }

    /// Returns whether the next token starts a statement: a keyword in the first column, or the end.
    fn at_statement(&self) -> bool {
        let start = self.span().start;
        match self.peek() {
            Token::End => true,
            Token::Word(word) => {
                (start == 0 || self.text[..start].ends_with('\n')) && STATEMENTS.contains(&word.as_str())
            }
            _ => false,
        }
    }

    fn name(&mut self, expected: &str) -> Parsed<Name> {
        let span = self.span();
        match self.peek() {
            Token::Word(word) if !self.at_statement() => {
                let text = word.clone();
                self.at += 1;
                Ok(Name { text, span })
            }
            _ => self.expected(expected),
        }
    }

    fn text(&mut self, expected: &str) -> Parsed<Name> {
        let span = self.span();
        match self.peek() {
            Token::Text(text) => {
                let text = text.clone();
                self.at += 1;
                Ok(Name { text, span })
            }
            _ => self.expected(expected),
        }
    }

    /// Parses items separated by commas.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.skip(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Parses a size such as `6x8`.
    fn size(&mut self) -> Parsed<(u16, u16)> {
        let expected = "numbers of rows and columns such as 6x8";
        let Token::Number(rows) = *self.peek() else { return self.expected(expected) };
        self.at += 1;
        let columns = match self.peek() {
            Token::Word(word) if !self.at_statement() => {
                word.strip_prefix('x').and_then(|side| side.parse().ok())
            }
            _ => None,
        };
        match (u16::try_from(rows), columns) {
            (Ok(rows @ 1..), Some(columns @ 1..)) => {
                self.at += 1;
                Ok((rows, columns))
            }
            _ => self.expected(expected),
        }
    }

    fn statement(&mut self, syntax: &mut Syntax) -> Parsed<()> {
        if !self.at_statement() {
            let statements = STATEMENTS.join(", ");
            return self.expected(format!("an operator, or a line that starts with one of {statements}"));
        }
        let Token::Word(keyword) = self.peek().clone() else {
            unreachable!("a statement starts with a word")
        };
        let span = self.span();
        self.at += 1;
        match keyword.as_str() {
            "puzzle" => {
                if !syntax.names.is_empty() {
                    return Err(SheetError::new(span, "one line `puzzle NAME`", "a second one"));
                }
                syntax.names = self.list(|parser| parser.name("the name of the puzzle type"))?;
            }
            "about" => {
                syntax.about = self.text("a description in double quotes")?.text;
                while let Token::Text(more) = self.peek().clone() {
                    self.at += 1;
                    syntax.about = format!("{} {more}", syntax.about);
                }
            }
            "data" => {
                let block = self.block()?;
                syntax.data.push(block);
            }
            "address" => {
                let address = self.address()?;
                syntax.addresses.push(address);
            }
            "make" => syntax.made = Some(self.size()?),
            "var" => {
                let name = self.name("the name of the variables")?;
                let domain = self.skip(":").then(|| self.expr(0)).transpose()?;
                self.require("on")?;
                syntax.vars.push(VarSyntax { name, domain, on: self.expr(0)? });
            }
            "let" => {
                let name = self.name("the name of the definition")?;
                let mut parameters = Vec::new();
                if self.skip("(") {
                    parameters = self.list(|parser| parser.name("a parameter"))?;
                    self.require(")")?;
                }
                self.require("=")?;
                syntax.lets.push(LetSyntax { name, parameters, body: self.expr(0)? });
            }
            "rule" | "implied" => {
                let name = self.text("the name of the rule in double quotes")?;
                let (binders, condition) =
                    if self.skip("for") { self.binders()? } else { (Vec::new(), None) };
                self.require(":")?;
                let body = Some(self.expr(0)?);
                let part = Part { binders, condition, body };
                syntax.rules.push(RuleSyntax { name, part, implied: keyword == "implied" });
            }
            "extension" => {
                syntax.extensions.extend(self.list(|parser| parser.name("the name of an extension"))?);
            }
            _ => {
                let shown = self.list(|parser| {
                    let var = parser.name("a variable")?;
                    let style = parser.name("a style such as `shaded` or `path`")?;
                    let symbol = match parser.peek() {
                        Token::Text(_) => Some(parser.text("a symbol")?),
                        _ => None,
                    };
                    Ok(ShownSyntax { var, style, symbol })
                })?;
                syntax.solution.extend(shown);
            }
        }
        Ok(())
    }

    /// Parses a block of data after the keyword.
    fn block(&mut self) -> Parsed<Block> {
        let span = self.span();
        let optional = self.skip("optional").then_some(span);
        let scheme = self.name("a scheme such as `grid`")?;
        let fields = self.list(|parser| {
            let name = parser.name("the name of the data")?;
            let values = parser.skip(":").then(|| parser.expr(0)).transpose()?;
            Ok((name, values))
        })?;
        let meaning = match self.peek() {
            Token::Text(_) => Some(self.text("the meaning of an option")?),
            _ => None,
        };
        Ok(Block { optional, scheme, fields, meaning })
    }

    /// Parses addresses after the keyword.
    fn address(&mut self) -> Parsed<AddressSyntax> {
        let names = self.list(|parser| parser.name("a name in addresses"))?;
        let letters = if let Token::Text(_) = self.peek() {
            self.text("the letters before the size in double quotes")?.text
        } else {
            String::new()
        };
        self.require(":")?;
        let mut options = Vec::new();
        while self.skip(OPTION) {
            let name = self.name("the name of an option")?;
            options.push((name, self.text("the letter of the option in double quotes")?));
            self.require(",")?;
        }
        let parts = self.list(|parser| {
            let scheme = parser.name("a scheme of addresses")?;
            let mut names = Vec::new();
            while let Token::Word(_) = parser.peek()
                && !parser.at_statement()
            {
                names.push(parser.name("the name of data")?);
            }
            Ok((scheme, names))
        })?;
        Ok(AddressSyntax { names, letters, options, parts })
    }

    fn binders(&mut self) -> Parsed<Binders> {
        let binders = self.list(|parser| {
            let name = parser.name("a name for the elements of a set")?;
            parser.require("in")?;
            Ok((name, parser.expr(6)?))
        })?;
        let condition = self.skip("where").then(|| self.expr(0)).transpose()?;
        Ok((binders, condition))
    }

    fn part(&mut self) -> Parsed<Part> {
        let (binders, condition) = self.binders()?;
        let body = self.skip(":").then(|| self.expr(0)).transpose()?;
        Ok(Part { binders, condition, body })
    }

    /// Parses an expression whose operators have at least the precedence `least`.
    fn expr(&mut self, least: u8) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.expected("an expression that is not nested as deeply");
        }
        let expr = self.expr_inside(least);
        self.depth -= 1;
        expr
    }

    fn expr_inside(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.operand()?;
        let mut compared = false;
        loop {
            let next = match self.peek() {
                _ if self.at_statement() => None,
                Token::Sign(text) => OPERATORS.iter().find(|row| row.0 == *text),
                Token::Word(text) => OPERATORS.iter().find(|row| row.0 == text),
                _ => None,
            };
            let Some(&(_, operator, level)) = next.filter(|row| row.2 >= least) else { return Ok(left) };
            if level == 5 && std::mem::replace(&mut compared, true) {
                return self.expected("`and` between two comparisons");
            }
            self.at += 1;
            let right = self.expr(level + 1)?;
            let span = left.span.start..right.span.end;
            left = Expr { kind: Kind::Operator(operator, vec![left, right]), span };
        }
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.at_statement() {
            return self.expected("an expression");
        }
        let token = self.peek().clone();
        self.at += 1;
        let kind = match token {
            Token::Number(number) => Kind::Number(number),
            Token::Symbol(symbol) => Kind::Symbol(symbol),
            Token::Sign("(") => {
                let inside = self.expr(0)?;
                self.require(")")?;
                inside.kind
            }
            Token::Sign("{") => {
                let items = if self.skip("}") {
                    Vec::new()
                } else {
                    let items = self.list(|parser| parser.expr(0))?;
                    self.require("}")?;
                    items
                };
                Kind::Set(items)
            }
            Token::Sign("-") => Kind::Operator(Operator::Negate, vec![self.expr(8)?]),
            Token::Sign("#") => Kind::Operator(Operator::Size, vec![self.expr(9)?]),
            Token::Word(word) if word == "not" => Kind::Operator(Operator::Not, vec![self.expr(4)?]),
            Token::Word(word) if RESERVED.contains(&word.as_str()) => {
                self.at -= 1;
                return self.expected("an expression");
            }
            Token::Word(word) => {
                let quantifier = Quantifier::ALL.iter().find(|quantifier| quantifier.name() == word);
                if !self.skip("(") {
                    Kind::Name(word)
                } else if let Some(&quantifier) = quantifier {
                    let parts = self.list(Self::part)?;
                    self.require(")")?;
                    if parts.len() != quantifier.parts() {
                        let count = quantifier.parts();
                        let expected =
                            format!("{count} part{} in `{word}`", if count == 1 { "" } else { "s" });
                        return Err(SheetError::new(start, expected, parts.len().to_string()));
                    }
                    Kind::Quantifier(quantifier, parts)
                } else {
                    let arguments = self.list(|parser| parser.expr(0))?;
                    self.require(")")?;
                    Kind::Call(Name { text: word, span: start.clone() }, arguments)
                }
            }
            _ => {
                self.at -= 1;
                return self.expected("an expression");
            }
        };
        let end = self.tokens[self.at - 1].1.end;
        Ok(Expr { kind, span: start.start..end })
    }
}

/// Words that can't be names in expressions.
const RESERVED: [&str; 5] = ["in", "where", "and", "or", "not"];
