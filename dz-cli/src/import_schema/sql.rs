//! A parser for the SQL expressions of checks, defaults and partial indexes, limited to those that the language can express.

mod condition;
mod token;

pub use condition::{ConditionField, Null, write};
pub use token::{Token, TokenKind, tokens};

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A column.
    Column(String),
    /// The digits of a number.
    Number(String),
    /// A text.
    Text(String),
    /// `TRUE` and `FALSE`.
    Bool(bool),
    /// `NULL`
    Null,
    /// A function with its arguments; also `CURRENT_TIMESTAMP`, which has none.
    Call(String, Vec<Expr>),
    /// A comparison or an arithmetic operation, with its operator in the language.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `IN`, or `NOT IN`.
    In(Box<Expr>, Vec<Expr>, bool),
    /// `IS NULL`, or `IS NOT NULL`.
    IsNull(Box<Expr>, bool),
    /// `NOT`
    Not(Box<Expr>),
    /// Unary minus.
    Minus(Box<Expr>),
    /// The conjunction.
    And(Vec<Expr>),
    /// The disjunction.
    Or(Vec<Expr>),
}

/// Words that follow the first word of a type.
const TYPE_WORDS: &[&str] = &["varying", "precision", "with", "without", "time", "zone"];

/// Parses an expression; an error names the first part without an equivalent in the language.
pub fn parse(sql: &str) -> Result<Expr, String> {
    let tokens = tokens(sql)?;
    let mut parser = Parser { tokens: &tokens, at: 0 };
    let expr = parser.any_of()?;
    match parser.peek() {
        None => Ok(expr),
        Some(token) => Err(format!("`{}` has no counterpart", token.text())),
    }
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    /// Takes this word or sign if it is the next token.
    fn take(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is(text));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        match self.take(text) {
            true => Ok(()),
            false => {
                Err(self.peek().map_or_else(|| format!("`{text}` is missing"), |token| format!("`{}` has no counterpart", token.text())))
            }
        }
    }

    fn any_of(&mut self) -> Result<Expr, String> {
        let mut parts = vec![self.all_of()?];
        while self.take("or") {
            parts.push(self.all_of()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Or(parts) })
    }

    fn all_of(&mut self) -> Result<Expr, String> {
        let mut parts = vec![self.negated()?];
        while self.take("and") {
            parts.push(self.negated()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::And(parts) })
    }

    fn negated(&mut self) -> Result<Expr, String> {
        if self.take("not") {
            return Ok(Expr::Not(Box::new(self.negated()?)));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Expr, String> {
        let left = self.sum()?;
        if self.take("is") {
            let negated = self.take("not");
            self.expect("null")?;
            return Ok(Expr::IsNull(Box::new(left), negated));
        }
        let negated = self.take("not");
        if self.take("in") {
            return Ok(Expr::In(Box::new(left), self.list("(", ")")?, negated));
        }
        if self.take("between") {
            let low = self.sum()?;
            self.expect("and")?;
            let high = self.sum()?;
            let compare = |sign, bound| Expr::Binary(sign, Box::new(left.clone()), Box::new(bound));
            let inside = Expr::And(vec![compare(">=", low), compare("<=", high)]);
            return Ok(if negated { Expr::Not(Box::new(inside)) } else { inside });
        }
        for (sign, meaning) in [("<>", "!="), ("!=", "!="), ("<=", "<="), (">=", ">="), ("==", "="), ("=", "="), ("<", "<"), (">", ">")] {
            if !negated && self.take(sign) {
                if meaning == "=" && self.take("any") {
                    return Ok(Expr::In(Box::new(left), self.array()?, false));
                }
                return Ok(Expr::Binary(meaning, Box::new(left), Box::new(self.sum()?)));
            }
        }
        if negated { Err("`NOT` is in a place without a counterpart".to_owned()) } else { Ok(left) }
    }

    /// `(ARRAY[a, b])`, in any number of parentheses and with casts.
    fn array(&mut self) -> Result<Vec<Expr>, String> {
        let values = if self.take("(") {
            let inner = self.array()?;
            self.expect(")")?;
            inner
        } else {
            self.expect("array")?;
            self.list("[", "]")?
        };
        self.casts();
        Ok(values)
    }

    fn list(&mut self, open: &str, close: &str) -> Result<Vec<Expr>, String> {
        self.expect(open)?;
        let mut values = Vec::new();
        if self.take(close) {
            return Ok(values);
        }
        loop {
            values.push(self.any_of()?);
            if self.take(close) {
                return Ok(values);
            }
            self.expect(",")?;
        }
    }

    fn sum(&mut self) -> Result<Expr, String> {
        self.chain(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Result<Expr, String> {
        self.chain(&["*", "/", "%"], Self::unary)
    }

    fn chain(&mut self, signs: &[&'static str], operand: fn(&mut Self) -> Result<Expr, String>) -> Result<Expr, String> {
        let mut left = operand(self)?;
        while let Some(sign) = signs.iter().copied().find(|sign| self.take(sign)) {
            left = Expr::Binary(sign, Box::new(left), Box::new(operand(self)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, String> {
        let expr = if self.take("-") { Expr::Minus(Box::new(self.unary()?)) } else { self.atom()? };
        self.casts();
        Ok(expr)
    }

    /// Skips `::type`.
    fn casts(&mut self) {
        while self.take("::") {
            self.at += 1;
            while TYPE_WORDS.iter().any(|word| self.take(word)) {}
            if self.take("(") {
                while self.next().is_some_and(|token| !token.is(")")) {}
            }
            while self.take("[") {
                self.take("]");
            }
        }
    }

    fn atom(&mut self) -> Result<Expr, String> {
        if self.take("(") {
            let inner = self.any_of()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let token = self.next().ok_or("it is incomplete")?;
        match token.kind {
            TokenKind::Number(number) => Ok(Expr::Number(number)),
            TokenKind::Text(text) => Ok(Expr::Text(text)),
            TokenKind::Name(name) => Ok(Expr::Column(name)),
            TokenKind::Word(word) => self.word(word),
            TokenKind::Sign(sign) => Err(format!("`{sign}` has no counterpart")),
        }
    }

    fn word(&mut self, word: String) -> Result<Expr, String> {
        let lower = word.to_lowercase();
        if self.peek().is_some_and(|token| token.is("(")) {
            return Ok(Expr::Call(lower, self.list("(", ")")?));
        }
        Ok(match lower.as_str() {
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "null" => Expr::Null,
            "current_timestamp" | "current_date" | "current_time" | "localtimestamp" => Expr::Call(lower, Vec::new()),
            "case" | "like" | "ilike" | "glob" | "regexp" | "exists" | "select" => return Err(format!("`{word}` has no counterpart")),
            _ => Expr::Column(word),
        })
    }
}
