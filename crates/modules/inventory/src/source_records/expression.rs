//! FOLIO's two languages for searching MARC records: by positions of the leader (`p_05 = 'c' and p_07 = 'm'`) and by fields (`001.value =
//! '123' and 856.u ^= 'http' and 336.ind1 is 'absent'`). Invalid expressions are the same as in FOLIO, with FOLIO's messages. Pure.
//!
//! All conditions on one tag have to hold for one value of one field. So `035.a = 'x' and 035.b = 'y'` finds nothing.

mod condition;
mod operand;
mod plan;
mod sql;

use octavo_kernel::{Fault, Outcome};

pub(super) use sql::{Conditions, LEADER, any_term_sql, has_row_sql};

use operand::Operand;
use plan::Plan;

/// The most bytes of an expression.
const MAX_BYTES: usize = 20_000;
/// The most conditions of an expression.
const MOST_OPERANDS: usize = 200;
/// The most brackets within each other in an expression.
const MAX_DEPTH: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Leader,
    Fields,
}

/// A parsed expression. `and` binds closer than `or`.
#[derive(Debug, Clone, PartialEq)]
enum Node {
    And(Vec<Node>),
    Or(Vec<Node>),
    Is(Operand),
}

/// Parses an expression and plans how to find its records.
pub(super) fn read(language: Language, expression: &str) -> Outcome<Plan> {
    validate(language, expression)?;
    let tokens = tokenize(language, expression)?;
    let mut reader = Reader { tokens: &tokens, expression, depth: 0 };
    let node = reader.parse_or()?;
    if !reader.tokens.is_empty() {
        return Err(unreadable(expression));
    }
    Plan::from_expression(&node).map_err(Fault::bad_request)
}

fn validate(language: Language, expression: &str) -> Outcome<()> {
    let key = match language {
        Language::Leader => "leaderSearchExpression",
        Language::Fields => "marcFieldSearchExpression",
    };
    let count = |sign| expression.matches(sign).count();
    let wrong = if expression.trim().is_empty() {
        "The input expression should not be black or empty"
    } else if count('(') != count(')') {
        "The number of opened brackets should be equal to number of closed brackets"
    } else if count('\'') % 2 != 0 {
        "Each value in the expression should be surrounded by single quotes"
    } else if expression.contains("''") {
        "Empty values are not allowed"
    } else if expression.len() > MAX_BYTES {
        "The expression is too long"
    } else {
        return Ok(());
    };
    Err(Fault::bad_request(format!("{wrong} [expression: {key}]")))
}

fn unreadable(expression: &str) -> Fault {
    Fault::bad_request(format!("The given expression [{expression}] is not parsable"))
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Open,
    Close,
    And,
    Or,
    Is(Operand),
}

fn tokenize(language: Language, expression: &str) -> Outcome<Vec<Token>> {
    let (mut tokens, mut rest) = (Vec::new(), expression);
    while !rest.is_empty() {
        let (token, after) = if starts_operand(rest) {
            let (operand, after) = parse_operand(language, rest)?;
            (Token::Is(operand), after)
        } else if let Some(after) = rest.strip_prefix('(') {
            (Token::Open, after)
        } else if let Some(after) = rest.strip_prefix(')') {
            (Token::Close, after)
        } else if let Some(after) = rest.strip_prefix("and") {
            (Token::And, after)
        } else if let Some(after) = rest.strip_prefix("or") {
            (Token::Or, after)
        } else if let Some(after) = rest.strip_prefix(' ') {
            rest = after;
            continue;
        } else {
            return Err(unreadable(rest));
        };
        rest = after;
        tokens.push(token);
    }
    if tokens.iter().filter(|token| matches!(token, Token::Is(_))).count() > MOST_OPERANDS {
        return Err(Fault::bad_request(format!("The expression has more than {MOST_OPERANDS} conditions")));
    }
    Ok(tokens)
}

fn starts_operand(rest: &str) -> bool {
    let tag = rest.as_bytes().get(..3).is_some_and(|tag| tag.iter().all(u8::is_ascii_digit));
    (tag || rest.starts_with("p_")) && !rest.contains(['\n', '\r'])
}

/// Parses a condition: key, operator and quoted value, with one blank between them. Also returns the text behind it.
fn parse_operand(language: Language, rest: &str) -> Outcome<(Operand, &str)> {
    let mut parts = rest.splitn(3, ' ');
    let (Some(key), Some(operator), Some(value)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(unreadable(rest));
    };
    let mut parts = value.splitn(3, '\'');
    let (Some(""), Some(value), Some(after)) = (parts.next().map(str::trim), parts.next(), parts.next())
    else {
        return Err(unreadable(rest));
    };
    let operand = Operand::read(language, key, operator, value).map_err(Fault::bad_request)?;
    Ok((operand, after))
}

struct Reader<'a> {
    tokens: &'a [Token],
    expression: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn takes(&mut self, token: &Token) -> bool {
        let taken = self.tokens.first() == Some(token);
        if taken {
            self.tokens = &self.tokens[1..];
        }
        taken
    }

    fn parse_or(&mut self) -> Outcome<Node> {
        let mut nodes = vec![self.parse_and()?];
        while self.takes(&Token::Or) {
            nodes.push(self.parse_and()?);
        }
        Ok(only_or_several(nodes, Node::Or))
    }

    fn parse_and(&mut self) -> Outcome<Node> {
        let mut nodes = vec![self.parse_term()?];
        while self.takes(&Token::And) {
            nodes.push(self.parse_term()?);
        }
        Ok(only_or_several(nodes, Node::And))
    }

    fn parse_term(&mut self) -> Outcome<Node> {
        if let Some((Token::Is(operand), rest)) = self.tokens.split_first() {
            self.tokens = rest;
            return Ok(Node::Is(operand.clone()));
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH || !self.takes(&Token::Open) {
            return Err(unreadable(self.expression));
        }
        let node = self.parse_or()?;
        self.depth -= 1;
        if self.takes(&Token::Close) { Ok(node) } else { Err(unreadable(self.expression)) }
    }
}

fn only_or_several(mut nodes: Vec<Node>, many: fn(Vec<Node>) -> Node) -> Node {
    match nodes.len() {
        1 => nodes.remove(0),
        _ => many(nodes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(language: Language, expression: &str) -> String {
        read(language, expression).unwrap_err().body.render()
    }

    #[test]
    fn what_is_refused_is_told_in_folios_words() {
        let operators = "Supported operators: [=, ^=, not=, from, to, in, is]";
        for (expression, message) in [
            (" ", "The input expression should not be black or empty [expression: marcFieldSearchExpression]".to_owned()),
            ("(001.value = '1'", "The number of opened brackets should be equal to number of closed brackets [expression: marcFieldSearchExpression]".to_owned()),
            ("001.value = '1", "Each value in the expression should be surrounded by single quotes [expression: marcFieldSearchExpression]".to_owned()),
            ("001.value = ''", "Empty values are not allowed [expression: marcFieldSearchExpression]".to_owned()),
            ("title = 'x'", "The given expression [title = 'x'] is not parsable".to_owned()),
            ("001.value = '1' and", "The given expression [001.value = '1' and] is not parsable".to_owned()),
            ("001.value = '1' 002.value = '2'", "The given expression [001.value = '1' 002.value = '2'] is not parsable".to_owned()),
            ("001.value", "The given expression [001.value] is not parsable".to_owned()),
            ("001.valu = '1'", "The given key is not supported [key: 001.valu, operator: =, value: 1]".to_owned()),
            ("001.value ~ '1'", format!("The given binary operator is not supported [key: 001.value, operator: ~, value: 1]. {operators}")),
            ("001.value from '1'", "Operator [from] is not supported for the given Value operand".to_owned()),
            ("035.a in '1'", "Operator [in] is not supported for the given SubField operand".to_owned()),
            ("035.ind1 to '1'", "Operator [to] is not supported for the given Indicator operand".to_owned()),
            ("035.a is 'there'", "Value [there] is not supported for the given Presence operand".to_owned()),
            ("005.00_04 = '20'", "The length of the value [20] should be equal to the end position [expected length = 4]".to_owned()),
            ("005.00_02 ^= '20'", "Operator [^=] is not supported for the given Position operand".to_owned()),
            ("005.date = '2020'", "The given date [2020] is in a wrong format. Expected date pattern: [yyyymmdd]".to_owned()),
            ("005.date in '20200101'", "The given expression [005.date in '20200101'] is not supported".to_owned()),
            ("p_05 = 'c'", "The given key is not supported [key: p_05, operator: =, value: c]".to_owned()),
        ] {
            assert_eq!(refused(Language::Fields, expression), message, "{expression}");
        }
        for (expression, message) in [
            (
                "p_05 ^= 'c'",
                "Operator [^=] is not supported for the given Leader operand. Supported operators: [=]",
            ),
            ("p_99 = 'c'", "The given key is not supported [key: p_99, operator: =, value: c]"),
        ] {
            assert_eq!(refused(Language::Leader, expression), message, "{expression}");
        }
    }

    #[test]
    fn greedy_expressions_are_refused() {
        let many = vec!["001.value = '1'"; MOST_OPERANDS + 1].join(" or ");
        let deep = format!("{}001.value = '1'{}", "(".repeat(60), ")".repeat(60));
        let wide = ["(035.a = '1' or 036.a = '2')"; 12].join(" and ");
        let long = format!("001.value = '{}'", "x".repeat(MAX_BYTES));
        for (expression, message) in [
            (many, "has more than 200 conditions"),
            (deep, "is not parsable"),
            (wide, "has too many combinations"),
            (long, "is too long"),
        ] {
            assert!(refused(Language::Fields, &expression).contains(message), "{message}");
        }
    }
}
