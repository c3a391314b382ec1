//! Parsing: from text to a tree of operators and names, before names are resolved.
//!
//! Loosest to tightest: `a if c else b` · `or` · `and` · `not` · comparisons · `+ -` · `* /` · unary `-` ·
//! `^` (right-associative) · `.x`.

use super::names::Names;
use super::sets::{Fold, Set, WithMember, list_folds};
use super::token::Mistake;
use super::token::{Token, tokens};
use crate::diagnostic::nearest;
use crate::namespace::Namespace;
use std::ops::Range;

/// Largest nesting depth of an expression; it keeps hostile files from overflowing the stack.
const DEEPEST: usize = 100;

/// A node of the syntax tree, with its place and depth.
#[derive(Clone, Debug)]
pub struct SyntaxNode {
    /// Kind of the node.
    pub syntax: Syntax,
    /// Bytes of the expression's text.
    pub span: Range<usize>,
    depth: usize,
}

/// Syntax of a part of an expression, before names are bound.
#[derive(Clone, Debug)]
pub enum Syntax {
    /// A literal number.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A name.
    Name(String),
    /// `name(argument, …)`
    Call {
        /// Name of the function.
        name: String,
        /// Place of the name.
        name_span: Range<usize>,
        /// Arguments.
        arguments: Vec<SyntaxNode>,
    },
    /// `base.field`: a component of a vector, or a name with a dot in it.
    Member {
        /// Expression before the dot.
        base: Box<SyntaxNode>,
        /// Name after the dot.
        field: String,
    },
    /// `[x, y, z]`
    Vector(Vec<SyntaxNode>),
    /// `-x`
    Negate(Box<SyntaxNode>),
    /// `not x`
    Not(Box<SyntaxNode>),
    /// Two values with an operator between them.
    Binary {
        /// `+`, `<`, `and`, …
        operator: &'static str,
        /// Left and right operands.
        sides: Box<[SyntaxNode; 2]>,
    },
    /// `yes if condition else no`
    Choice(Box<ChoiceNode>),
    /// `any(value for variable in set if condition)`
    Over(Box<Members>),
}

/// `yes if condition else no`
#[derive(Clone, Debug)]
pub struct ChoiceNode {
    /// The value if the condition holds.
    pub(crate) yes: SyntaxNode,
    /// The condition.
    pub condition: SyntaxNode,
    /// The value if the condition does not hold.
    pub(crate) no: SyntaxNode,
}

/// `any(value for variable in set if condition)`
#[derive(Clone, Debug)]
pub struct Members {
    /// The aggregate of the values.
    pub(crate) fold: Fold,
    /// The value of each member.
    pub(crate) value: SyntaxNode,
    /// Name of each member in the value and the condition.
    pub(crate) variable: String,
    /// The set of the iteration.
    pub(crate) set: Set,
    /// The condition that selects members.
    pub(crate) condition: Option<SyntaxNode>,
}

impl Members {
    /// The names that the value and the condition may use.
    pub(super) fn names<'a>(&'a self, outer: &'a dyn Names) -> WithMember<'a> {
        WithMember { outer, variable: &self.variable, set: self.set }
    }
}

impl SyntaxNode {
    /// A dotted name such as `capture_step.time`; `None` for anything else.
    pub fn name(&self) -> Option<String> {
        match &self.syntax {
            Syntax::Name(name) => Some(name.clone()),
            Syntax::Member { base, field } => Some(format!("{}.{field}", base.name()?)),
            _ => None,
        }
    }

    /// The expression with its names mapped to those of the composed controller that contains the text's file.
    pub fn in_whole(mut self, of_file: Option<&Namespace>) -> Self {
        if let Some(of_file) = of_file {
            self.rename(of_file);
        }
        self
    }

    fn rename(&mut self, of_file: &Namespace) {
        match &mut self.syntax {
            Syntax::Number(_) | Syntax::Boolean(_) => {}
            Syntax::Name(name) => *name = of_file.whole(name).into_owned(),
            Syntax::Call { arguments: parts, .. } | Syntax::Vector(parts) => {
                parts.iter_mut().for_each(|part| part.rename(of_file));
            }
            Syntax::Member { base, field } => {
                base.rename(of_file);
                *field = of_file.mirrored(field).into_owned();
            }
            Syntax::Negate(node) | Syntax::Not(node) => node.rename(of_file),
            Syntax::Binary { sides, .. } => sides.iter_mut().for_each(|side| side.rename(of_file)),
            Syntax::Choice(choice) => {
                [&mut choice.yes, &mut choice.condition, &mut choice.no]
                    .into_iter()
                    .for_each(|part| part.rename(of_file));
            }
            Syntax::Over(members) => {
                members.variable = of_file.whole(&members.variable).into_owned();
                members.value.rename(of_file);
                members.condition.iter_mut().for_each(|part| part.rename(of_file));
            }
        }
    }

    /// The child nodes.
    pub(crate) fn below(&self) -> Vec<&SyntaxNode> {
        match &self.syntax {
            Syntax::Number(_) | Syntax::Boolean(_) | Syntax::Name(_) => Vec::new(),
            Syntax::Call { arguments: parts, .. } | Syntax::Vector(parts) => parts.iter().collect(),
            Syntax::Member { base: node, .. } | Syntax::Negate(node) | Syntax::Not(node) => vec![node],
            Syntax::Binary { sides, .. } => sides.iter().collect(),
            Syntax::Choice(choice) => vec![&choice.yes, &choice.condition, &choice.no],
            Syntax::Over(members) => std::iter::once(&members.value).chain(&members.condition).collect(),
        }
    }

    /// All nodes of the subtree, beginning with this one.
    pub fn all(&self) -> Vec<&SyntaxNode> {
        let below = self.below().into_iter().flat_map(|node| node.all());
        std::iter::once(self).chain(below).collect()
    }

    /// The names in the expression, dotted ones as a whole, without the variables of set expressions.
    pub fn names(&self) -> Vec<String> {
        if let Some(name) = self.name() {
            return vec![name];
        }
        let own = if let Syntax::Call { name, .. } = &self.syntax { Some(name.clone()) } else { None };
        let below = self.below().into_iter().flat_map(|node| node.names());
        let mut names: Vec<String> = own.into_iter().chain(below).collect();
        if let Syntax::Over(members) = &self.syntax {
            names.retain(|name| *name != members.variable);
        }
        names
    }
}

/// Parses a whole text as one expression; `None` if it is not one.
pub fn parse_expression(text: &str) -> Option<SyntaxNode> {
    parse(text).ok()
}

/// Parses a whole text as one expression.
pub(super) fn parse(text: &str) -> Result<SyntaxNode, Mistake> {
    let mut parser = Parser { words: tokens(text)?, at: 0, depth: 0 };
    if parser.peek() == Token::End {
        return Err(Mistake::new(0..text.len(), "this expression is empty"));
    }
    let node = parser.expression().and_then(|node| match parser.peek() {
        Token::End => Ok(node),
        Token::Symbol(")" | "]") => Err(parser.surprise("this closes a bracket that was not opened")),
        _ => Err(parser.surprise("the expression should have ended before this")),
    });
    node.map_err(|mistake| match parser.unit_help(text) {
        Some(help) => mistake.help(help),
        None => mistake,
    })
}

/// Units that users write after numbers: the SI unit that is meant, and the factor to it.
const UNITS: [(&str, &str, f64); 22] = [
    ("s", "s", 1.0),
    ("ms", "s", 1e-3),
    ("min", "s", 60.0),
    ("m", "m", 1.0),
    ("cm", "m", 1e-2),
    ("mm", "m", 1e-3),
    ("km", "m", 1e3),
    ("rad", "rad", 1.0),
    ("deg", "rad", DEGREE),
    ("degree", "rad", DEGREE),
    ("degrees", "rad", DEGREE),
    ("kg", "kg", 1.0),
    ("g", "kg", 1e-3),
    ("N", "N", 1.0),
    ("Nm", "N m", 1.0),
    ("J", "J", 1.0),
    ("m/s", "m/s", 1.0),
    ("cm/s", "m/s", 1e-2),
    ("km/h", "m/s", 1.0 / 3.6),
    ("rad/s", "rad/s", 1.0),
    ("deg/s", "rad/s", DEGREE),
    ("m/s^2", "m/s²", 1.0),
];
const DEGREE: f64 = std::f64::consts::PI / 180.0;

struct Parser<'t> {
    words: Vec<(Token<'t>, Range<usize>)>,
    at: usize,
    depth: usize,
}

const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const NEGATION: u8 = 7;
const POWER: u8 = 8;

/// Name and binding power of a binary operator.
fn strength(word: Token) -> Option<(&'static str, u8)> {
    Some(match word {
        Token::Word("or") => ("or", OR),
        Token::Word("and") => ("and", AND),
        Token::Symbol(symbol @ ("<" | "<=" | ">" | ">=" | "==" | "!=")) => (symbol, COMPARISON),
        Token::Symbol(symbol @ ("+" | "-")) => (symbol, SUM),
        Token::Symbol(symbol @ ("*" | "/")) => (symbol, PRODUCT),
        Token::Symbol("^") => ("^", POWER),
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.words[self.at].0
    }

    fn span(&self) -> Range<usize> {
        self.words[self.at].1.clone()
    }

    /// Returns the current word and advances, but never past the end.
    fn advance(&mut self) -> (Token<'t>, Range<usize>) {
        let word = self.words[self.at].clone();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn take(&mut self, wanted: Token) -> bool {
        let found = self.peek() == wanted;
        if found {
            self.advance();
        }
        found
    }

    fn surprise(&self, message: &str) -> Mistake {
        match self.peek() {
            Token::End => Mistake::new(self.span(), "the expression ends too soon").label(message),
            _ => Mistake::new(self.span(), message),
        }
    }

    /// Help for a number that is followed by a unit: numbers are written bare, in SI units.
    fn unit_help(&self, text: &str) -> Option<String> {
        let before = self.at.checked_sub(1).map(|before| &self.words[before])?;
        let (Token::Number(value), Token::Word(_)) = (before.0, self.peek()) else { return None };
        let rest = &text[self.span().start..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "/^".contains(c))).unwrap_or(rest.len());
        let (unit, meant, factor) = UNITS.into_iter().find(|(unit, ..)| *unit == &rest[..end])?;
        let written = text[before.1.clone()].trim();
        let rounded = || format!("{:.4e}", value * factor).parse::<f64>().unwrap_or(value * factor);
        let number = if factor == 1.0 { written.to_string() } else { rounded().to_string() };
        Some(format!(
            "numbers have no units here, they are in {meant}: write `{number}` for `{written} {unit}`"
        ))
    }

    fn node(&self, span: Range<usize>, syntax: Syntax) -> Result<SyntaxNode, Mistake> {
        let below = match &syntax {
            Syntax::Number(_) | Syntax::Boolean(_) | Syntax::Name(_) => 0,
            Syntax::Call { arguments, .. } => arguments.iter().map(|node| node.depth).max().unwrap_or(0),
            Syntax::Vector(parts) => parts.iter().map(|node| node.depth).max().unwrap_or(0),
            Syntax::Member { base: node, .. } | Syntax::Negate(node) | Syntax::Not(node) => node.depth,
            Syntax::Binary { sides, .. } => sides[0].depth.max(sides[1].depth),
            Syntax::Choice(choice) => choice.yes.depth.max(choice.condition.depth).max(choice.no.depth),
            Syntax::Over(members) => {
                let Members { value, condition, .. } = &**members;
                condition.as_ref().map_or(value.depth, |condition| condition.depth.max(value.depth))
            }
        };
        if below >= DEEPEST { Err(too_deep(span)) } else { Ok(SyntaxNode { syntax, span, depth: below + 1 }) }
    }

    fn expression(&mut self) -> Result<SyntaxNode, Mistake> {
        let yes = self.operators(OR)?;
        if self.take(Token::Word("if")) {
            let condition = self.operators(OR)?;
            if !self.take(Token::Word("else")) {
                return Err(self.surprise("expected `else` here").help("write `a if condition else b`"));
            }
            let no = self.deeper(Self::expression)?;
            let span = yes.span.start..no.span.end;
            self.node(span, Syntax::Choice(Box::new(ChoiceNode { yes, condition, no })))
        } else {
            Ok(yes)
        }
    }

    /// Parses a nested expression, unless it is too deep.
    fn deeper(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<SyntaxNode, Mistake>,
    ) -> Result<SyntaxNode, Mistake> {
        if self.depth == DEEPEST {
            return Err(too_deep(self.span()));
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    /// Parses operators that bind at least as tightly as `least`.
    fn operators(&mut self, least: u8) -> Result<SyntaxNode, Mistake> {
        self.deeper(|parser| parser.sides(least))
    }

    fn sides(&mut self, least: u8) -> Result<SyntaxNode, Mistake> {
        let mut left = self.prefix(least)?;
        while let Some((operator, binds)) = strength(self.peek()) {
            if binds < least {
                break;
            }
            let (_, operator_span) = self.advance();
            // `^` is right-associative, and its exponent may have a sign: 2^-1.
            let right = match binds {
                POWER if self.peek() == Token::Symbol("-") => self.operators(NEGATION)?,
                POWER => self.operators(POWER)?,
                _ => self.operators(binds + 1)?,
            };
            let span = left.span.start..right.span.end;
            left = self.node(span, Syntax::Binary { operator, sides: Box::new([left, right]) })?;
            if binds == COMPARISON && strength(self.peek()).is_some_and(|(_, next)| next == COMPARISON) {
                return Err(Mistake::new(
                    operator_span.start..self.span().end,
                    "comparisons cannot be chained",
                )
                .help("write `a < b and b < c`"));
            }
        }
        Ok(left)
    }

    fn prefix(&mut self, least: u8) -> Result<SyntaxNode, Mistake> {
        let start = self.span().start;
        match self.peek() {
            Token::Symbol("-") => {
                self.advance();
                let operand = Box::new(self.operators(NEGATION)?);
                self.node(start..operand.span.end, Syntax::Negate(operand))
            }
            Token::Word("not") if least <= NOT => {
                self.advance();
                let operand = Box::new(self.operators(NOT)?);
                self.node(start..operand.span.end, Syntax::Not(operand))
            }
            _ => {
                let mut node = self.primary()?;
                while self.take(Token::Symbol(".")) {
                    let (Token::Word(field), span) = (self.peek(), self.span()) else {
                        return Err(self.surprise("expected a name after the dot"));
                    };
                    self.advance();
                    let whole = node.span.start..span.end;
                    node = self.node(whole, Syntax::Member { base: Box::new(node), field: field.into() })?;
                }
                Ok(node)
            }
        }
    }

    fn primary(&mut self) -> Result<SyntaxNode, Mistake> {
        let start = self.span().start;
        match self.peek() {
            Token::Symbol("(") => {
                self.advance();
                let mut inner = self.expression()?;
                inner.span = start..self.close(")", start)?;
                Ok(inner)
            }
            Token::Symbol("[") => {
                self.advance();
                let parts = self.list("]")?;
                let end = self.close("]", start)?;
                self.node(start..end, Syntax::Vector(parts))
            }
            Token::Number(value) => {
                let (_, span) = self.advance();
                self.node(span, Syntax::Number(value))
            }
            Token::Word("true" | "false") => {
                let (word, span) = self.advance();
                self.node(span, Syntax::Boolean(word == Token::Word("true")))
            }
            Token::Word("and" | "or" | "if" | "else" | "not") => {
                Err(self.surprise("expected a value before this word"))
            }
            Token::Word(name) | Token::Quoted(name) => {
                let (_, name_span) = self.advance();
                if !self.take(Token::Symbol("(")) {
                    return self.node(name_span, Syntax::Name(name.into()));
                }
                let mut arguments = self.list(")")?;
                if self.peek() == Token::Word("for")
                    && let Some(value) = arguments.pop().filter(|_| arguments.is_empty())
                {
                    let members = self.members(name, name_span.clone(), value)?;
                    let end = self.close(")", name_span.end)?;
                    return self.node(start..end, Syntax::Over(Box::new(members)));
                }
                let end = self.close(")", name_span.end)?;
                self.node(start..end, Syntax::Call { name: name.into(), name_span, arguments })
            }
            Token::Symbol(_) | Token::End => Err(self.surprise("expected a value here")),
        }
    }

    /// Parses ` for variable in set if condition`, after the value of each member.
    fn members(
        &mut self,
        word: &str,
        word_span: Range<usize>,
        value: SyntaxNode,
    ) -> Result<Members, Mistake> {
        let Some(fold) = Fold::named(word) else {
            let known: Vec<&str> = list_folds().map(|(word, ..)| word).collect();
            let message = format!("`{word}` is not an aggregate of a set");
            return Err(Mistake::new(word_span, message).help(format!("known: {}", known.join(", "))));
        };
        let form = format!("write `{}`", fold.usage());
        self.advance();
        let Token::Word(variable) = self.peek() else {
            return Err(self.surprise("expected a name for the member here").help(form));
        };
        self.advance();
        if !self.take(Token::Word("in")) {
            return Err(self.surprise("expected `in` here").help(form));
        }
        let Token::Word(set) = self.peek() else {
            return Err(self.surprise("expected a set here").help(known_sets()));
        };
        let Some(set) = Set::named(set) else {
            let help = match nearest(set, Set::names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => known_sets(),
            };
            return Err(Mistake::new(self.span(), format!("there is no set `{set}`")).help(help));
        };
        self.advance();
        let condition = if self.take(Token::Word("if")) { Some(self.operators(OR)?) } else { None };
        Ok(Members { fold, value, variable: variable.into(), set, condition })
    }

    /// Parses expressions between commas, up to the closing bracket, which is not consumed.
    fn list(&mut self, close: &'static str) -> Result<Vec<SyntaxNode>, Mistake> {
        let mut parts = Vec::new();
        while self.peek() != Token::Symbol(close) {
            parts.push(self.expression()?);
            if !self.take(Token::Symbol(",")) {
                break;
            }
        }
        Ok(parts)
    }

    /// Consumes a closing bracket and returns its end.
    fn close(&mut self, close: &'static str, opened: usize) -> Result<usize, Mistake> {
        let end = self.span().end;
        if self.take(Token::Symbol(close)) {
            return Ok(end);
        }
        let help = format!("the bracket opened at character {} is not closed", opened + 1);
        Err(self.surprise(&format!("expected `{close}` here")).help(help))
    }
}

fn known_sets() -> String {
    format!("known: {}", Set::names().collect::<Vec<_>>().join(", "))
}

fn too_deep(span: Range<usize>) -> Mistake {
    let message = format!("this expression is nested more than {DEEPEST} deep");
    Mistake::new(span, message).help("split it, or bind parts of it to names")
}
