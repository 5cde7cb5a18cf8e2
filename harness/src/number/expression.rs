//! The arithmetic of fixtures.

use super::Values;
use std::iter::Peekable;
use std::str::Chars;

/// A parsed expression.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(f64),
    Name(String),
    Negative(Box<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
    Call(Function, Vec<Self>),
}

#[derive(Copy, Clone, Debug)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

#[derive(Copy, Clone, Debug)]
pub(super) enum Function {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

/// How deep parentheses may nest, so that no fixture can exhaust the stack.
const MAX_DEPTH: usize = 64;

impl Expression {
    /// Parses the text.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text.chars().peekable(), depth: 0 };
        let whole = parser.sum().and_then(|expression| match parser.peek() {
            None => Ok(expression),
            Some(c) => Err(format!("`{c}` is not expected")),
        });
        whole.map_err(|reason| format!("cannot read the expression `{text}`: {reason}"))
    }

    /// The value.
    ///
    /// # Errors
    /// The first name that has no value.
    pub(super) fn evaluate(&self, values: &Values) -> Result<f64, String> {
        Ok(match self {
            Self::Number(value) => *value,
            Self::Name(name) => match values.get(name) {
                Some(value) => *value,
                None if name == "pi" => std::f64::consts::PI,
                None => return Err(name.clone()),
            },
            Self::Negative(inner) => -inner.evaluate(values)?,
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.evaluate(values)?, right.evaluate(values)?);
                match operator {
                    Operator::Add => left + right,
                    Operator::Subtract => left - right,
                    Operator::Multiply => left * right,
                    Operator::Divide => left / right,
                    Operator::Power => left.powf(right),
                }
            }
            Self::Call(function, arguments) => match (function, arguments.as_slice()) {
                (Function::One(function), [argument]) => function(argument.evaluate(values)?),
                (Function::Two(function), [first, second]) => {
                    function(first.evaluate(values)?, second.evaluate(values)?)
                }
                // The parser lets no other number of arguments through.
                _ => f64::NAN,
            },
        })
    }
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    depth: usize,
}

impl Parser<'_> {
    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
        self.rest.peek().copied()
    }

    /// Takes the next character if it is this one.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest.next();
        }
        found
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                Some('+') => Operator::Add,
                Some('-') => Operator::Subtract,
                _ => return Ok(left),
            };
            self.rest.next();
            left = Expression::Binary(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.negative()?;
        loop {
            let operator = match self.peek() {
                Some('*') => Operator::Multiply,
                Some('/') => Operator::Divide,
                _ => return Ok(left),
            };
            self.rest.next();
            left = Expression::Binary(operator, Box::new(left), Box::new(self.negative()?));
        }
    }

    fn negative(&mut self) -> Result<Expression, String> {
        // One recursion for every sign and every parenthesis passes through here.
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("it is nested too deeply".into());
        }
        let result = if self.take('-') { Ok(Expression::Negative(Box::new(self.negative()?))) } else { self.power() };
        self.depth -= 1;
        result
    }

    fn power(&mut self) -> Result<Expression, String> {
        let base = self.atom()?;
        if self.take('^') {
            Ok(Expression::Binary(Operator::Power, Box::new(base), Box::new(self.negative()?)))
        } else {
            Ok(base)
        }
    }

    fn atom(&mut self) -> Result<Expression, String> {
        match self.peek() {
            Some('(') => {
                self.rest.next();
                let inner = self.sum()?;
                if self.take(')') { Ok(inner) } else { Err("a `)` is missing".into()) }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.word();
                if self.take('(') { self.call(&name) } else { Ok(Expression::Name(name)) }
            }
            Some(c) => Err(format!("`{c}` is not expected")),
            None => Err("it ends too early".into()),
        }
    }

    fn number(&mut self) -> Result<Expression, String> {
        let mut digits = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '.') {
            digits.push(c);
            // The sign of an exponent belongs to the number.
            if matches!(c, 'e' | 'E')
                && let Some(sign) = self.rest.next_if(|c| matches!(c, '+' | '-'))
            {
                digits.push(sign);
            }
        }
        digits.parse().map(Expression::Number).map_err(|_| format!("`{digits}` is not a number"))
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
            word.push(c);
        }
        word
    }

    fn call(&mut self, name: &str) -> Result<Expression, String> {
        let function = function(name).ok_or_else(|| format!("`{name}` is not a function"))?;
        let mut arguments = vec![self.sum()?];
        while self.take(',') {
            arguments.push(self.sum()?);
        }
        if !self.take(')') {
            return Err("a `)` is missing".into());
        }
        let wanted = match function {
            Function::One(_) => 1,
            Function::Two(_) => 2,
        };
        if arguments.len() == wanted {
            Ok(Expression::Call(function, arguments))
        } else {
            Err(format!("`{name}` takes {wanted} argument(s), not {}", arguments.len()))
        }
    }
}

/// The function of this name; angles are in degrees.
fn function(name: &str) -> Option<Function> {
    Some(match name {
        "sin" => Function::One(|x| x.to_radians().sin()),
        "cos" => Function::One(|x| x.to_radians().cos()),
        "tan" => Function::One(|x| x.to_radians().tan()),
        "asin" => Function::One(|x| x.asin().to_degrees()),
        "acos" => Function::One(|x| x.acos().to_degrees()),
        "atan" => Function::One(|x| x.atan().to_degrees()),
        "sqrt" => Function::One(f64::sqrt),
        "abs" => Function::One(f64::abs),
        "floor" => Function::One(f64::floor),
        "round" => Function::One(f64::round),
        "min" => Function::Two(f64::min),
        "max" => Function::Two(f64::max),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        let values = Values::from([("v".to_owned(), 4.0), ("dt".to_owned(), 0.5)]);
        Expression::parse(text).and_then(|e| e.evaluate(&values)).unwrap_or_else(|reason| panic!("{text}: {reason}"))
    }

    #[test]
    fn arithmetic_follows_the_usual_precedence() {
        let cases = [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("7 - 2 - 1", 4.0),
            ("8 / 4 / 2", 1.0),
            ("-2 ^ 2", -4.0),
            ("2 ^ -1", 0.5),
            ("2 ^ 3 ^ 2", 512.0),
            ("v * dt", 2.0),
            ("--v", 4.0),
            ("1.5e1 + 1e-1", 15.1),
            ("2 * -v", -8.0),
            ("max(v, 9) - min(v, 9)", 5.0),
            ("sqrt(abs(-v))", 2.0),
        ];
        for (text, expected) in cases {
            assert!((value(text) - expected).abs() < 1.0e-12, "{text} gives {}", value(text));
        }
    }

    #[test]
    fn angles_are_in_degrees() {
        assert!((value("cos(60)") - 0.5).abs() < 1.0e-12);
        assert!((value("sin(30)") - 0.5).abs() < 1.0e-12);
        assert!((value("atan(1)") - 45.0).abs() < 1.0e-12);
        assert!((value("2 * pi") - std::f64::consts::TAU).abs() < 1.0e-12);
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        let cases = [
            ("", "ends too early"),
            ("1 +", "ends too early"),
            ("(1", "`)` is missing"),
            ("1 2", "`2` is not expected"),
            ("1.2.3", "not a number"),
            ("foo(1)", "not a function"),
            ("min(1)", "takes 2"),
            ("sin()", "not expected"),
            ("3 $ 4", "`$` is not expected"),
        ];
        for (text, expected) in cases {
            let reason = Expression::parse(text).expect_err(text);
            assert!(reason.contains(expected), "{text}: {reason}");
        }
        assert!(Expression::parse(&"(".repeat(10_000)).is_err());
        assert!(Expression::parse(&"-".repeat(10_000)).is_err());
    }

    #[test]
    fn unknown_names_are_returned() {
        let expression = Expression::parse("2 * w").expect("an expression");
        assert_eq!(expression.evaluate(&Values::new()), Err("w".to_owned()));
    }
}
