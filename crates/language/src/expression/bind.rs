//! Binding of expressions: from syntax to typed trees. Every name is resolved and every type checked once,
//! when the file is read.

use super::function::{self, FUNCTIONS, Function};
use super::names::{Meaning, Names, builtin};
use super::nesting::{self, Nesting};
use super::sets::{Fold, PerMember, Set};
use super::syntax::{ChoiceNode, Members, Syntax, SyntaxNode};
use super::token::Mistake;
use super::tree::{Boolean, Call, Choice, Expression, Number, Reference, Vector};
use super::value::{MOST_ARGUMENTS, Type, Value};
use crate::diagnostic::nearest;
use aplomb_math::elementary::pow;
use nalgebra::Vector3;
use std::ops::Range;

pub(super) fn bind(node: &SyntaxNode, names: &dyn Names) -> Result<Expression, Mistake> {
    match &node.syntax {
        Syntax::Number(value) => Ok(Expression::Number(Number::Constant(*value))),
        Syntax::Boolean(value) => Ok(Expression::Boolean(Boolean::Constant(*value))),
        Syntax::Name(name) => bind_name(name, node, names),
        Syntax::Call { name, name_span, arguments } => bind_call(node, name, name_span, arguments, names),
        Syntax::Member { base, field } => bind_member(node, base, field, names),
        Syntax::Vector(parts) => bind_vector(node, parts, names),
        Syntax::Negate(inner) => match bind(inner, names)? {
            Expression::Number(Number::Constant(value)) => Ok(Expression::Number(Number::Constant(-value))),
            Expression::Number(tree) => Ok(Expression::Number(Number::One(function::negate, Box::new(tree)))),
            Expression::Vector(tree) => {
                Ok(Expression::Vector(Vector::Scaled(Box::new((Number::Constant(-1.0), tree)))))
            }
            other => Err(wrong(inner, "a number or a vector", other.kind())),
        },
        Syntax::Not(inner) => Ok(Expression::Boolean(Boolean::Not(Box::new(boolean(inner, names)?)))),
        Syntax::Binary { operator, sides } => bind_binary(node, operator, &sides[0], &sides[1], names),
        Syntax::Choice(choice) => bind_choice(choice, names),
        Syntax::Over(members) => {
            let bound = bind_members(members, names)?;
            match bound.sets_deep() {
                deep if deep > nesting::MOST => Err(too_many_sets(node, deep)),
                _ => Ok(bound),
            }
        }
    }
}

fn bind_vector(node: &SyntaxNode, parts: &[SyntaxNode], names: &dyn Names) -> Result<Expression, Mistake> {
    let [x, y, z] = parts else {
        let message = format!("a vector has 3 components, not {}", parts.len());
        return Err(Mistake::new(node.span.clone(), message).help("write `[x, y, z]`"));
    };
    let parts = [number(x, names)?, number(y, names)?, number(z, names)?];
    Ok(Expression::Vector(match parts {
        [Number::Constant(x), Number::Constant(y), Number::Constant(z)] => {
            Vector::Constant(Vector3::new(x, y, z))
        }
        parts => Vector::Components(Box::new(parts)),
    }))
}

fn bind_choice(choice: &ChoiceNode, names: &dyn Names) -> Result<Expression, Mistake> {
    let condition = boolean(&choice.condition, names)?;
    let (yes, no) = (bind(&choice.yes, names)?, bind(&choice.no, names)?);
    let (yes_kind, no_kind) = (yes.kind(), no.kind());
    Ok(match (yes, no) {
        (Expression::Number(yes), Expression::Number(no)) => {
            Expression::Number(Number::Choice(Box::new(Choice { condition, yes, no })))
        }
        (Expression::Boolean(yes), Expression::Boolean(no)) => {
            Expression::Boolean(Boolean::Choice(Box::new(Choice { condition, yes, no })))
        }
        (Expression::Vector(yes), Expression::Vector(no)) => {
            Expression::Vector(Vector::Choice(Box::new(Choice { condition, yes, no })))
        }
        (Expression::Reference(_, yes), Expression::Reference(_, no)) if yes_kind == no_kind => {
            let choice = Choice { condition, yes, no };
            Expression::Reference(yes_kind, Reference::Choice(Box::new(choice)))
        }
        _ => return Err(wrong(&choice.no, &with_article(yes_kind), no_kind)),
    })
}

/// `any(value for variable in set if condition)`
fn bind_members(members: &Members, names: &dyn Names) -> Result<Expression, Mistake> {
    let Members { fold, value, set, condition, .. } = members;
    let (fold, set, names) = (*fold, *set, &members.names(names));
    let condition = condition.as_ref().map(|condition| boolean(condition, names)).transpose()?;
    if fold.asks_condition() {
        let over = Box::new(PerMember { fold, set, value: boolean(value, names)?, condition });
        return Ok(match fold {
            Fold::Count => Expression::Number(Number::Count(over)),
            _ => Expression::Boolean(Boolean::Over(over)),
        });
    }
    let over = Box::new(PerMember { fold, set, value: number(value, names)?, condition });
    Ok(match fold {
        Fold::ArgMin | Fold::ArgMax => Expression::Reference(set.kind(), Reference::Over(over)),
        _ => Expression::Number(Number::Over(over)),
    })
}

fn too_many_sets(node: &SyntaxNode, deep: usize) -> Mistake {
    let message = format!("this nests {deep} sets; the limit is {}", nesting::MOST);
    let help =
        "each multiplies the time of a frame by its members; bind the inner one to a role in a state's `let`";
    Mistake::new(node.span.clone(), message).help(help)
}

/// The type with its article: «a number», «true or false».
pub(super) fn with_article(kind: Type) -> String {
    match kind {
        Type::Boolean | Type::Pushes => kind.to_string(),
        _ => format!("a {kind}"),
    }
}

pub(super) fn wrong(node: &SyntaxNode, expected: &str, found: Type) -> Mistake {
    let found = with_article(found);
    Mistake::new(node.span.clone(), format!("expected {expected}, found {found}"))
        .label(format!("this is {found}"))
}

pub(super) fn number(node: &SyntaxNode, names: &dyn Names) -> Result<Number, Mistake> {
    match bind_as(Type::Number, node, names)? {
        Expression::Number(tree) => Ok(tree),
        other => Err(wrong(node, "a number", other.kind())),
    }
}

pub(super) fn boolean(node: &SyntaxNode, names: &dyn Names) -> Result<Boolean, Mistake> {
    match bind_as(Type::Boolean, node, names)? {
        Expression::Boolean(tree) => Ok(tree),
        other => {
            let mistake = wrong(node, "true or false", other.kind());
            Err(match asked_of_state(node, other.kind()) {
                Some(help) => mistake.help(help),
                None => mistake,
            })
        }
    }
}

pub(super) fn vector(node: &SyntaxNode, names: &dyn Names) -> Result<Vector, Mistake> {
    match bind_as(Type::Vector, node, names)? {
        Expression::Vector(tree) => Ok(tree),
        other => Err(wrong(node, "a vector", other.kind())),
    }
}

fn bind_name(name: &str, node: &SyntaxNode, names: &dyn Names) -> Result<Expression, Mistake> {
    if let Some((_, usage, ..)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) {
        return Err(Mistake::new(node.span.clone(), format!("`{name}` is a function"))
            .help(format!("write `{usage}`")));
    }
    match names.meaning(name).or_else(|| builtin(name)) {
        Some(Meaning::Constant(value)) => Ok(constant(value)),
        Some(Meaning::Member { set, level }) => {
            Ok(Expression::Reference(set.kind(), Reference::Member(level)))
        }
        Some(Meaning::Definition { expression, .. }) => Ok(expression.tree),
        Some(Meaning::Time) => Ok(Expression::Number(Number::Time)),
        Some(Meaning::StateTime) => Ok(Expression::Number(Number::StateTime)),
        Some(Meaning::LevelTime(level)) => Ok(Expression::Number(Number::LevelTime(level))),
        Some(Meaning::Quantity { slot, arguments: [], result, .. }) => {
            Ok(Expression::quantity(Call { slot, arguments: Vec::new() }, result))
        }
        Some(Meaning::Quantity { arguments, .. }) => {
            Err(Mistake::new(node.span.clone(), format!("`{name}` needs arguments"))
                .help(format!("write `{}`", usage(name, arguments))))
        }
        None => Err(unknown("name", name, node.span.clone(), names)),
    }
}

/// Whether every expression knows `name`: a function, a constant, the time, a keyword.
pub fn is_builtin(name: &str) -> bool {
    let words = ["and", "or", "not", "if", "else", "true", "false"];
    FUNCTIONS.iter().any(|(known, ..)| *known == name) || builtin(name).is_some() || words.contains(&name)
}

fn unknown(what: &str, name: &str, span: Range<usize>, names: &dyn Names) -> Mistake {
    unknown_of(None, what, name, span, names)
}

/// Largest number of longer names that are suggested for an unknown one.
const MOST_INSIDE: usize = 3;

/// Words for parts of a body, and the names that bodies may use for them.
const OTHER_WORDS: [(&str, &[&str]); 12] = [
    ("torso", &["chest", "trunk", "thorax"]),
    ("trunk", &["chest", "torso"]),
    ("chest", &["torso", "trunk", "thorax"]),
    ("belly", &["abdomen"]),
    ("waist", &["pelvis"]),
    ("hips", &["pelvis"]),
    ("lower_leg", &["shank", "calf", "shin"]),
    ("shin", &["shank", "calf", "lower_leg"]),
    ("calf", &["shank", "shin", "lower_leg"]),
    ("upper_leg", &["thigh"]),
    ("lower_arm", &["forearm"]),
    ("palm", &["hand"]),
];

/// The message about an unknown name where a value of type `wanted` is required.
fn unknown_of(
    wanted: Option<Type>,
    what: &str,
    name: &str,
    span: Range<usize>,
    names: &dyn Names,
) -> Mistake {
    if Set::named(name).is_some() {
        return Mistake::new(span, format!("`{name}` is a set"))
            .help(format!("go through it, as in `any(condition for one in {name})`"));
    }
    let mistake = Mistake::new(span, format!("unknown {what} `{name}`"));
    if let Some(hint) = names.hint(name) {
        return mistake.help(hint);
    }
    let mut known = names.known();
    if let Some(wanted) = wanted {
        known.retain(|known| names.offered(known).is_some_and(|meaning| may_be(wanted, &meaning)));
    }
    // Names of this kind in another file or of a planner have a prefix.
    let is_inside = |known: &&String| {
        known.strip_suffix(name).is_some_and(|before| before.ends_with('.'))
            && (wanted.is_some() || names.offered(known).is_none_or(|meaning| may_be(Type::Number, &meaning)))
    };
    let inside: Vec<String> =
        known.iter().filter(is_inside).take(MOST_INSIDE).map(|known| format!("`{known}`")).collect();
    if !inside.is_empty() {
        return mistake.help(format!("did you mean {}?", inside.join(" or ")));
    }
    let other =
        OTHER_WORDS.iter().flat_map(|(word, own)| own.iter().map(move |own| name.replacen(word, own, 1)));
    if let Some(near) = other.filter(|other| other != name).find(|other| known.contains(other)) {
        return mistake.help(format!("did you mean `{near}`?"));
    }
    let is_value = wanted.is_none_or(is_plain);
    let mut candidates: Vec<&str> = known.iter().map(String::as_str).collect();
    candidates.extend(FUNCTIONS.iter().map(|(known, ..)| *known).filter(|_| is_value));
    candidates.extend(["pi", "time"].into_iter().filter(|_| is_value));
    let near = nearest(name, candidates.iter().copied());
    // Another machine, planner or file has this.
    let end = |name: &str| name.rsplit_once('.').map(|(_, end)| end.to_owned());
    if let Some(wanted) = end(name).filter(|wanted| near.and_then(end).as_ref() != Some(wanted)) {
        let alike = candidates.iter().filter(|known| end(known).as_ref() == Some(&wanted)).take(MOST_INSIDE);
        let alike: Vec<String> = alike.map(|known| format!("`{known}`")).collect();
        if !alike.is_empty() {
            return mistake.help(format!("did you mean {}?", alike.join(" or ")));
        }
    }
    match near {
        Some(near) => mistake.help(format!("did you mean `{near}`?")),
        None if known.is_empty() || known.len() > 24 => mistake.help(where_listed(wanted, what)),
        None => mistake.help(format!("known: {}", known.join(", "))),
    }
}

/// Whether values of this type are numbers or Booleans.
fn is_plain(kind: Type) -> bool {
    matches!(kind, Type::Number | Type::Boolean | Type::Vector)
}

/// Whether a name can be part of an expression of that type.
fn may_be(wanted: Type, meaning: &Meaning) -> bool {
    let kind = match meaning {
        Meaning::Constant(value) => value.kind(),
        Meaning::Quantity { result, .. } => *result,
        Meaning::Definition { expression, .. } => expression.kind(),
        Meaning::Member { set, .. } => set.kind(),
        Meaning::Time | Meaning::StateTime | Meaning::LevelTime(_) => Type::Number,
    };
    wanted.accepts(kind) || (is_plain(wanted) && is_plain(kind))
}

/// Help that says where names of this type are listed.
fn where_listed(wanted: Option<Type>, what: &str) -> &'static str {
    match wanted {
        Some(Type::Body) => "`aplomb list bodies` names those of a character",
        Some(Type::Site) => "`aplomb list sites` names those of a character",
        Some(Type::Joint) => "`aplomb list joints` names those of a character",
        Some(Type::Place | Type::Spot) => {
            "`aplomb list bodies` and `aplomb list sites` name those of a character; a controller names obstacles and \
             passive objects of its scene by its `[needs]`, and balls that are thrown are among `objects`"
        }
        Some(Type::State) => "`aplomb graph` draws the states of a controller",
        _ if what == "function" => {
            "`aplomb list functions` and `aplomb list quantities` have what can be called"
        }
        _ => "`aplomb list quantities` has what expressions may name",
    }
}

/// [`bind`] for a required type, which the message about an unknown name uses.
pub(super) fn bind_as(wanted: Type, node: &SyntaxNode, names: &dyn Names) -> Result<Expression, Mistake> {
    // For a body or an object with the name of a function, a better help than the function's signature may be
    // known.
    if let Syntax::Name(name) = &node.syntax
        && names.meaning(name).is_none()
        && (!is_builtin(name) || !is_plain(wanted) && names.hint(name).is_some())
    {
        return Err(unknown_of(Some(wanted), "name", name, node.span.clone(), names));
    }
    bind(node, names)
}

/// Mistakes in other parts of the expression than `first`, each message once.
pub(super) fn others(node: &SyntaxNode, first: &Mistake, names: &dyn Names) -> Vec<Mistake> {
    let mut found = Vec::new();
    innermost(node, None, names, &mut found);
    let mut messages = vec![first.message.clone()];
    found.retain(|mistake| {
        let is_apart = mistake.span.end <= first.span.start || first.span.end <= mistake.span.start;
        let is_new = is_apart && !messages.contains(&mistake.message);
        messages.extend(is_new.then(|| mistake.message.clone()));
        is_new
    });
    found
}

/// Collects the mistakes of the smallest parts that have one. Returns whether there is any.
fn innermost(node: &SyntaxNode, wanted: Option<Type>, names: &dyn Names, found: &mut Vec<Mistake>) -> bool {
    let arguments = match &node.syntax {
        Syntax::Call { name, .. } => match names.meaning(name) {
            Some(Meaning::Quantity { arguments, .. }) => arguments,
            _ => &[],
        },
        _ => &[],
    };
    // The base of a dotted name is not itself a name.
    let parts = if node.name().is_some() { Vec::new() } else { node.below() };
    let mut is_wrong = false;
    if let Syntax::Call { name, name_span, .. } = &node.syntax
        && !is_builtin(name)
        && names.meaning(name).is_none()
    {
        found.push(unknown("function", name, name_span.clone(), names));
        is_wrong = true;
    }
    for (index, part) in parts.into_iter().enumerate() {
        let wanted = arguments.get(index).copied();
        is_wrong |= match &node.syntax {
            Syntax::Over(members) => innermost(part, wanted, &members.names(names), found),
            _ => innermost(part, wanted, names, found),
        };
    }
    if is_wrong {
        return true;
    }
    let bound = match wanted {
        Some(wanted) => bind_as(wanted, node, names),
        None => bind(node, names),
    };
    let is_wrong = bound.is_err();
    found.extend(bound.err());
    is_wrong
}

fn constant(value: Value) -> Expression {
    match value {
        Value::Number(value) => Expression::Number(Number::Constant(value)),
        Value::Boolean(value) => Expression::Boolean(Boolean::Constant(value)),
        Value::Vector(value) => Expression::Vector(Vector::Constant(value)),
        Value::Body(_)
        | Value::Site(_)
        | Value::Joint(..)
        | Value::Hold(_)
        | Value::Passive(_)
        | Value::Surface(_)
        | Value::Character(_)
        | Value::State(_)
        | Value::Pushes => Expression::Reference(value.kind(), Reference::Constant(value)),
    }
}

/// `name(number, body or site)`
fn usage(name: &str, arguments: &[Type]) -> String {
    let arguments: Vec<String> = arguments.iter().map(Type::to_string).collect();
    format!("{name}({})", arguments.join(", "))
}

fn bind_call(
    node: &SyntaxNode,
    name: &str,
    name_span: &Range<usize>,
    arguments: &[SyntaxNode],
    names: &dyn Names,
) -> Result<Expression, Mistake> {
    if let Some((_, usage, _, function)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) {
        return bind_function(node, *function, arguments, names)?
            .ok_or_else(|| count(node, name, arguments.len(), usage));
    }
    match names.meaning(name).or_else(|| builtin(name)) {
        Some(
            Meaning::Quantity { arguments: [], .. }
            | Meaning::Time
            | Meaning::StateTime
            | Meaning::LevelTime(_),
        ) => Err(Mistake::new(node.span.clone(), format!("`{name}` takes no arguments"))
            .help(format!("write `{name}`"))),
        Some(Meaning::Quantity { slot, arguments: types, result, .. }) => {
            if types.len() != arguments.len() || types.len() > MOST_ARGUMENTS {
                return Err(count(node, name, arguments.len(), &usage(name, types)));
            }
            let mut bound = Vec::with_capacity(types.len());
            for (argument, wanted) in arguments.iter().zip(types) {
                let expression = bind_as(*wanted, argument, names)?;
                let given = expression.kind();
                if !wanted.accepts(given) {
                    if let Some(help) = hidden_state(argument, names).filter(|_| *wanted == Type::State) {
                        return Err(wrong(argument, &with_article(*wanted), given).help(help));
                    }
                    let help = sibling(name, types, bound.len(), (given, result), names)
                        .unwrap_or_else(|| Usage(name, types).to_string());
                    return Err(wrong(argument, &with_article(*wanted), given).help(help));
                }
                bound.push(expression);
            }
            Ok(Expression::quantity(Call { slot, arguments: bound }, result))
        }
        Some(Meaning::Constant(value)) => Err(uncallable(name, name_span, value.kind())),
        Some(Meaning::Definition { expression, .. }) => Err(uncallable(name, name_span, expression.kind())),
        Some(Meaning::Member { set, .. }) => Err(uncallable(name, name_span, set.kind())),
        None => Err(match Fold::named(name) {
            Some(fold) => Mistake::new(node.span.clone(), format!("`{name}` goes through a set"))
                .help(format!("write `{}`", fold.usage())),
            None => unknown("function", name, name_span.clone(), names),
        }),
    }
}

/// Queries of a state, for a state that is written where a Boolean or a number is required.
fn asked_of_state(node: &SyntaxNode, kind: Type) -> Option<String> {
    let name = node.name().filter(|_| kind == Type::State)?;
    let is_quantity = name == "present_state" || name == "previous_state";
    let help = || {
        format!(
            "whether it is the present one is `present_state == {name}`, how often it was entered `visits({name})`"
        )
    };
    (!is_quantity).then(help)
}

/// Help for a name that is used as a state but has another meaning.
fn hidden_state(node: &SyntaxNode, names: &dyn Names) -> Option<String> {
    names.not_a_state(&node.name()?)
}

/// The equivalent function for the type of this argument: with the same first word and the same other
/// arguments.
fn sibling(
    name: &str,
    types: &[Type],
    place: usize,
    (given, wanted): (Type, Type),
    names: &dyn Names,
) -> Option<String> {
    let word = |name: &str| name.split('_').next().map(str::to_owned);
    let known = names.known();
    let usage = known.iter().filter(|other| *other != name && word(other) == word(name)).find_map(|other| {
        let Meaning::Quantity { arguments, result, .. } = names.meaning(other)? else { return None };
        let fits = |(at, (own, other)): (usize, (&Type, &Type))| match at == place {
            true => other.accepts(given),
            false => own == other,
        };
        let is_it = result == wanted
            && arguments.len() == types.len()
            && types.iter().zip(arguments).enumerate().all(fits);
        is_it.then(|| usage(other, arguments))
    });
    Some(format!("of {} ask `{}`", with_article(given), usage?))
}

fn uncallable(name: &str, span: &Range<usize>, kind: Type) -> Mistake {
    let what = with_article(kind);
    Mistake::new(span.clone(), format!("`{name}` is {what} and cannot be called"))
}

struct Usage<'a>(&'a str, &'a [Type]);

impl std::fmt::Display for Usage<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "it is used as `{}`", usage(self.0, self.1))
    }
}

fn count(node: &SyntaxNode, name: &str, given: usize, usage: &str) -> Mistake {
    let arguments = if given == 1 { "argument" } else { "arguments" };
    Mistake::new(node.span.clone(), format!("`{name}` cannot take {given} {arguments}"))
        .help(format!("write `{usage}`"))
}

/// Binds a call of a built-in function; `None` if the number of arguments is wrong.
fn bind_function(
    node: &SyntaxNode,
    function: Function,
    arguments: &[SyntaxNode],
    names: &dyn Names,
) -> Result<Option<Expression>, Mistake> {
    let tree = match (function, arguments) {
        (Function::One(apply), [x]) => Number::One(apply, Box::new(number(x, names)?)),
        (Function::Two(apply), [a, b]) => {
            Number::Two(apply, Box::new([number(a, names)?, number(b, names)?]))
        }
        (Function::Three(apply), [a, b, c]) => {
            Number::Three(apply, Box::new([number(a, names)?, number(b, names)?, number(c, names)?]))
        }
        (Function::Fold(apply), [first, rest @ ..]) if !rest.is_empty() => {
            // The tree is left-deep, one level per argument: the nesting limit of the syntax applies to it
            // too.
            if rest.len() > 16 {
                return Err(Mistake::new(node.span.clone(), "too many arguments"));
            }
            let mut tree = number(first, names)?;
            for next in rest {
                tree = Number::Two(apply, Box::new([tree, number(next, names)?]));
            }
            tree
        }
        (Function::Norm, [v]) => Number::Norm(Box::new(vector(v, names)?)),
        (Function::Dot, [v, w]) => Number::Dot(Box::new([vector(v, names)?, vector(w, names)?])),
        (Function::Lerp, [a, b, s]) => {
            let share = number(s, names)?;
            match (bind(a, names)?, bind(b, names)?) {
                (Expression::Number(a), Expression::Number(b)) => {
                    Number::Three(function::lerp, Box::new([a, b, share]))
                }
                (Expression::Vector(a), Expression::Vector(b)) => {
                    return Ok(Some(Expression::Vector(Vector::Between(Box::new((a, b, share))))));
                }
                (Expression::Number(_), other) => return Err(wrong(b, "a number", other.kind())),
                (Expression::Vector(_), other) => return Err(wrong(b, "a vector", other.kind())),
                (other, _) => return Err(wrong(a, "a number or a vector", other.kind())),
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(Expression::Number(tree)))
}

/// A dotted name if one is known, otherwise a component of a vector.
fn bind_member(
    node: &SyntaxNode,
    base: &SyntaxNode,
    field: &str,
    names: &dyn Names,
) -> Result<Expression, Mistake> {
    let dotted = base.name().map(|base| format!("{base}.{field}"));
    if let Some(name) = dotted.as_deref()
        && names.meaning(name).is_some()
    {
        return bind_name(name, node, names);
    }
    // A state has no components: an include, which contains states, has its own names.
    if let Some(name) = dotted.as_deref()
        && bind(base, names).is_ok_and(|base| base.kind() == Type::State)
    {
        return Err(unknown("name", name, node.span.clone(), names));
    }
    let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == field) else {
        return Err(match (bind(base, names), dotted) {
            (Err(_), Some(name)) => unknown("name", &name, node.span.clone(), names),
            (Err(mistake), None) => mistake,
            (Ok(base), _) => {
                let span = node.span.end - field.len()..node.span.end;
                let message = format!("{} has no component `{field}`", with_article(base.kind()));
                Mistake::new(span, message).help("a vector has the components `.x`, `.y` and `.z`")
            }
        });
    };
    Ok(Expression::Number(Number::Component(Box::new(vector(base, names)?), axis)))
}

fn bind_binary(
    node: &SyntaxNode,
    operator: &str,
    left: &SyntaxNode,
    right: &SyntaxNode,
    names: &dyn Names,
) -> Result<Expression, Mistake> {
    if operator == "and" || operator == "or" {
        let sides = Box::new([boolean(left, names)?, boolean(right, names)?]);
        let tree = if operator == "and" { Boolean::And(sides) } else { Boolean::Or(sides) };
        return Ok(Expression::Boolean(tree));
    }
    let (a, b) = bind_sides(operator, [left, right], names)?;
    let (left_kind, right_kind) = (a.kind(), b.kind());
    let arithmetic = |function: fn(f64, f64) -> f64, a: Number, b: Number| {
        Expression::Number(match (a, b) {
            (Number::Constant(a), Number::Constant(b)) => Number::Constant(function(a, b)),
            (a, b) => Number::Two(function, Box::new([a, b])),
        })
    };
    let compare = |holds: fn(&f64, &f64) -> bool, a: Number, b: Number| {
        Expression::Boolean(Boolean::Compare(holds, Box::new([a, b])))
    };
    use Expression::{Boolean as B, Number as N, Reference as R, Vector as V};
    Ok(match (operator, a, b) {
        ("+", N(a), N(b)) => arithmetic(function::add, a, b),
        ("-", N(a), N(b)) => arithmetic(function::subtract, a, b),
        ("*", N(a), N(b)) => arithmetic(function::multiply, a, b),
        ("/", N(a), N(b)) => arithmetic(function::divide, a, b),
        ("^", N(a), N(b)) => arithmetic(pow, a, b),
        ("+", V(a), V(b)) => V(Vector::Sum(Box::new([a, b]))),
        ("-", V(a), V(b)) => V(Vector::Difference(Box::new([a, b]))),
        ("*", N(a), V(b)) | ("*", V(b), N(a)) => V(Vector::Scaled(Box::new((a, b)))),
        ("/", V(a), N(b)) => V(Vector::Divided(Box::new((a, b)))),
        ("<", N(a), N(b)) => compare(f64::lt, a, b),
        ("<=", N(a), N(b)) => compare(f64::le, a, b),
        (">", N(a), N(b)) => compare(f64::gt, a, b),
        (">=", N(a), N(b)) => compare(f64::ge, a, b),
        ("==", N(a), N(b)) => compare(f64::eq, a, b),
        ("!=", N(a), N(b)) => compare(f64::ne, a, b),
        ("==", B(a), B(b)) => B(Boolean::Same(Box::new([a, b]))),
        ("!=", B(a), B(b)) => B(Boolean::Not(Box::new(Boolean::Same(Box::new([a, b]))))),
        ("==", R(..), R(..)) | ("!=", R(..), R(..)) if left_kind != right_kind => {
            return Err(wrong(right, &with_article(left_kind), right_kind));
        }
        ("==", R(_, a), R(_, b)) => B(Boolean::SameReference(Box::new([a, b]))),
        ("!=", R(_, a), R(_, b)) => B(Boolean::Not(Box::new(Boolean::SameReference(Box::new([a, b]))))),
        _ => return Err(unsuited_sides(node, operator, [(left, left_kind), (right, right_kind)], names)),
    })
}

/// The mistake of an operator whose operands have these types; with help if a state was meant.
fn unsuited_sides(
    node: &SyntaxNode,
    operator: &str,
    sides: [(&SyntaxNode, Type); 2],
    names: &dyn Names,
) -> Mistake {
    let is_state = sides.iter().any(|(_, kind)| *kind == Type::State);
    let mut others = sides.into_iter().filter(|(_, kind)| is_state && *kind != Type::State);
    let asked = || sides.iter().find_map(|(side, kind)| asked_of_state(side, *kind));
    let hidden = others.find_map(|(side, _)| hidden_state(side, names)).or_else(asked);
    let mistake = unsuited(node, operator, sides[0].1, sides[1].1);
    match hidden {
        Some(help) => mistake.help(help),
        None => mistake,
    }
}

/// Binds both operands of an operator. If a state, a body or a similar value is compared, an unknown name is taken to
/// be one as well.
fn bind_sides(
    operator: &str,
    [left, right]: [&SyntaxNode; 2],
    names: &dyn Names,
) -> Result<(Expression, Expression), Mistake> {
    let compares = operator == "==" || operator == "!=";
    let kind_of = |bound: &Result<Expression, Mistake>| {
        bound.as_ref().ok().map(Expression::kind).filter(|kind| compares && !is_plain(*kind))
    };
    let (a, b) = (bind(left, names), bind(right, names));
    let bind_beside = |kind: Type, node: &SyntaxNode, other: &SyntaxNode| {
        let hint = || names.hint_beside(&node.name()?, &other.name()?);
        bind_as(kind, node, names).map_err(|mistake| match hint() {
            Some(hint) => mistake.help(hint),
            None => mistake,
        })
    };
    match (kind_of(&a), kind_of(&b)) {
        (Some(kind), None) if b.is_err() => Ok((a?, bind_beside(kind, right, left)?)),
        (None, Some(kind)) if a.is_err() => Ok((bind_beside(kind, left, right)?, b?)),
        _ => Ok((a?, b?)),
    }
}

fn unsuited(node: &SyntaxNode, operator: &str, left: Type, right: Type) -> Mistake {
    let (a, b) = (with_article(left), with_article(right));
    let mistake = Mistake::new(node.span.clone(), format!("`{operator}` cannot join {a} and {b}"));
    match (operator, left, right) {
        ("*", Type::Vector, Type::Vector) => mistake.help("the scalar product is `dot(v, w)`"),
        ("<" | "<=" | ">" | ">=", Type::Vector, _) | ("<" | "<=" | ">" | ">=", _, Type::Vector) => {
            mistake.help("compare its length, `norm(v)`, or a component, `v.x`")
        }
        _ => mistake,
    }
}
