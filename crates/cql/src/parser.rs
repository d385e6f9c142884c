//! The grammar, without recursion: open parentheses wait in a list.
//!
//! Like cql-java 1.13, also where that surprises:
//! - `id==(a or b)` is `id==a or id==b`: what stands before a parenthesis holds for all bare terms inside;
//! - `query=(id==a)` and `query=id==a` are `id==a`: the last index and relation count;
//! - `title=moby dick` is one term of two words; the second word is a relation if it is one or has a full stop;
//! - a keyword is a term where only a term can stand.
//!
//! Unlike it: an unclosed quotation mark is an error everywhere, `all`, `any`, `adj`, `within` and `encloses` may be
//! in any case, and a term may not end in a lone backslash.

use std::mem;

use crate::lexer::{Lexer, Shape, Token};
use crate::term::{UNTERMINATED, ends_in_lone_backslash};
use crate::{
    Clause, Comparator, CqlError, Limits, Modifier, Node, Operator, Query, Relation, SERVER_CHOICE, SortKey,
};

/// Reads a query within the default limits.
///
/// # Errors
/// The first thing that is wrong, and where.
pub fn parse(text: &str) -> Result<Query, CqlError> {
    parse_with(text, Limits::default())
}

/// Reads a query within other limits.
///
/// # Errors
/// The first thing that is wrong, and where.
pub fn parse_with(text: &str, limits: Limits) -> Result<Query, CqlError> {
    if text.len() > limits.length {
        let fits = text.char_indices().take_while(|(i, c)| i + c.len_utf8() <= limits.length);
        let message = format!("the query is longer than {} bytes", limits.length);
        return Err(CqlError::new(fits.count(), message));
    }
    let mut parser = Parser::new(text, limits)?;
    if parser.token.shape == Shape::End {
        return Err(CqlError::new(0, "the query is empty: expected an index or a term"));
    }
    let root = parser.booleans()?;
    let sort = parser.sort_keys()?;
    Ok(Query { root, sort })
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    /// The token before, for messages.
    before: &'a str,
    limits: Limits,
    clauses: usize,
    /// How many bytes of indexes and relations clauses have copied from before a parenthesis.
    taken_over: usize,
}

/// The index and relation of a clause whose term has not been read yet.
#[derive(Clone)]
struct ClauseHead {
    index: String,
    relation: Relation,
    position: usize,
    bytes: usize,
}

/// What was read before an open parenthesis, kept until it is closed.
struct Group {
    position: usize,
    left: Option<(Node, Operator)>,
    head: ClauseHead,
}

enum Operand {
    Clause(Clause),
    Open(Option<ClauseHead>),
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, limits: Limits) -> Result<Self, CqlError> {
        let limits = Limits { clauses: limits.clauses.min(Limits::CLAUSES), ..limits };
        let mut lexer = Lexer::new(text);
        let token = lexer.next()?;
        Ok(Self { lexer, token, before: "", limits, clauses: 0, taken_over: 0 })
    }

    fn advance(&mut self) -> Result<Token<'a>, CqlError> {
        let next = self.lexer.next()?;
        self.before = self.token.text;
        Ok(mem::replace(&mut self.token, next))
    }

    fn booleans(&mut self) -> Result<Node, CqlError> {
        let mut groups: Vec<Group> = Vec::new();
        let mut left: Option<(Node, Operator)> = None;
        let mut head = ClauseHead {
            index: SERVER_CHOICE.to_owned(),
            relation: Relation { comparator: Comparator::Scr, modifiers: Vec::new() },
            position: 0,
            bytes: 0,
        };
        loop {
            let position = self.token.position;
            let mut node = match self.operand(&head)? {
                Operand::Clause(clause) => Node::Clause(clause),
                Operand::Open(inner) => {
                    let open = self.advance()?;
                    if groups.len() == self.limits.depth {
                        let message =
                            format!("more than {} parentheses inside each other", self.limits.depth);
                        return Err(CqlError::new(open.position, message));
                    }
                    let inner = inner.unwrap_or_else(|| head.clone());
                    groups.push(Group {
                        position: open.position,
                        left: left.take(),
                        head: mem::replace(&mut head, inner),
                    });
                    continue;
                }
            };
            self.count_clause(position)?;
            loop {
                if let Some((sooner, operator)) = left.take() {
                    node = operator.join(sooner, node);
                }
                if self.token.shape != Shape::Close {
                    break;
                }
                let group = groups.pop().ok_or_else(|| self.error_here("unmatched ')'"))?;
                self.advance()?;
                left = group.left;
                head = group.head;
            }
            match self.operator(groups.last())? {
                Some(operator) => left = Some((node, operator)),
                None => return Ok(node),
            }
        }
    }

    /// The operator between the clause just read and the next clause; `None` if the query ends here.
    fn operator(&mut self, open: Option<&Group>) -> Result<Option<Operator>, CqlError> {
        let operator = match self.token.shape {
            Shape::And => Operator::And,
            Shape::Or => Operator::Or,
            Shape::Not => Operator::Not,
            Shape::Prox => return Err(self.error_here("Not implemented yet: org.z3950.zing.cql.CQLProxNode")),
            Shape::End | Shape::SortBy => {
                return match open {
                    Some(group) => Err(CqlError::new(group.position, "unclosed '('")),
                    None => Ok(None),
                };
            }
            _ => return Err(self.expected("'and', 'or', 'not' or the end")),
        };
        self.advance()?;
        if self.token.shape == Shape::Slash {
            let message = format!("Not implemented yet: modifiers of '{}'", operator.keyword());
            let refused = self.error_here(&message);
            self.modifiers()?;
            return Err(refused);
        }
        Ok(Some(operator))
    }

    /// A clause, or what stands before an opening parenthesis.
    fn operand(&mut self, outer: &ClauseHead) -> Result<Operand, CqlError> {
        let mut head: Option<ClauseHead> = None;
        loop {
            if self.token.shape == Shape::Open {
                return Ok(Operand::Open(head));
            }
            if head.is_none() && self.token.shape == Shape::Sign(Comparator::Greater) {
                return Err(self.error_here("prefix maps ('> name = \"identifier\"') are not supported"));
            }
            let position = self.token.position;
            let bytes_left = self.lexer.remaining_bytes() + self.token.text.len();
            let wanted = if head.is_some() { "a term" } else { "an index or a term" };
            let mut text = self.symbol(wanted)?;
            let mut last = position;
            let mut words = 1;
            while matches!(self.token.shape, Shape::Word | Shape::Quoted)
                && (words > 1 || self.relation().is_none())
            {
                last = self.token.position;
                text.push(' ');
                text.push_str(&self.symbol("a term")?);
                words += 1;
            }
            let text = check_terminated(text, last)?;
            let Some(comparator) = self.relation() else {
                return self.clause(head, outer, text, position).map(Operand::Clause);
            };
            if words > 1 {
                let message = format!(
                    "unexpected '{}': an index is one word, and 'and', 'or' or 'not' stands between comparisons",
                    shortened(self.token.text)
                );
                return Err(self.error_here(&message));
            }
            self.advance()?;
            let modifiers = self.modifiers()?;
            head = Some(ClauseHead {
                index: text,
                relation: Relation { comparator, modifiers },
                position,
                bytes: bytes_left.saturating_sub(self.lexer.remaining_bytes()),
            });
        }
    }

    fn clause(
        &mut self,
        own: Option<ClauseHead>,
        outer: &ClauseHead,
        term: String,
        position: usize,
    ) -> Result<Clause, CqlError> {
        let (head, position) = match own {
            Some(head) => {
                let position = head.position;
                (head, position)
            }
            None => {
                self.taken_over += outer.bytes;
                (outer.clone(), position)
            }
        };
        // A long index before a parenthesis must not be multiplied by thousands of terms inside.
        if self.taken_over > self.limits.length.saturating_mul(5) {
            let message = "the query becomes too long when the index before '(' is repeated for each term";
            return Err(CqlError::new(position, message));
        }
        Ok(Clause { index: head.index, relation: head.relation, term, position })
    }

    fn count_clause(&mut self, position: usize) -> Result<(), CqlError> {
        self.clauses += 1;
        if self.clauses > self.limits.clauses {
            let message = format!("more than {} comparisons in one query", self.limits.clauses);
            return Err(CqlError::new(position, message));
        }
        Ok(())
    }

    /// The relation that the current token is, if it is one.
    fn relation(&self) -> Option<Comparator> {
        let word = match &self.token.shape {
            Shape::Sign(comparator) => return Some(comparator.clone()),
            Shape::Word => self.token.text,
            _ => return None,
        };
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        match () {
            () if is("all") => Some(Comparator::All),
            () if is("any") => Some(Comparator::Any),
            () if is("adj") => Some(Comparator::Adj),
            () if is("within") || is("encloses") || word.contains('.') => {
                Some(Comparator::Named(word.to_owned()))
            }
            () => None,
        }
    }

    fn modifiers(&mut self) -> Result<Vec<Modifier>, CqlError> {
        let mut found = Vec::new();
        while self.token.shape == Shape::Slash {
            self.advance()?;
            if self.token.shape != Shape::Word {
                return Err(self.expected("the name of a modifier"));
            }
            let name = self.advance()?.text.to_owned();
            let value = match &self.token.shape {
                Shape::Sign(comparator) => {
                    let comparator = comparator.clone();
                    self.advance()?;
                    Some((comparator, self.single("the value of the modifier")?))
                }
                _ => None,
            };
            found.push(Modifier { name, value });
        }
        Ok(found)
    }

    fn sort_keys(&mut self) -> Result<Vec<SortKey>, CqlError> {
        let mut keys = Vec::new();
        if self.token.shape == Shape::SortBy {
            self.advance()?;
            while keys.is_empty() || self.token.shape != Shape::End {
                let index = self.single("an index to sort by")?;
                let modifiers = self.modifiers()?;
                keys.push(SortKey { index, modifiers });
            }
        }
        Ok(keys)
    }

    /// A word or quoted string that stands for itself.
    fn single(&mut self, wanted: &str) -> Result<String, CqlError> {
        let position = self.token.position;
        check_terminated(self.symbol(wanted)?, position)
    }

    /// A word, keyword or quoted string. A quotation mark inside a bare word gets the backslash that it would have
    /// between quotation marks, so that one reading of escapes serves both.
    fn symbol(&mut self, wanted: &str) -> Result<String, CqlError> {
        match self.token.shape {
            Shape::Quoted => Ok(self.advance()?.text.to_owned()),
            Shape::Word | Shape::And | Shape::Or | Shape::Not | Shape::Prox | Shape::SortBy => {
                Ok(escape_quotes(self.advance()?.text))
            }
            _ => Err(self.expected(wanted)),
        }
    }

    fn error_here(&self, message: &str) -> CqlError {
        CqlError::new(self.token.position, message)
    }

    fn expected(&self, wanted: &str) -> CqlError {
        let mut message = format!("expected {wanted}");
        if !self.before.is_empty() {
            message += &format!(" after '{}'", shortened(self.before));
        }
        if self.token.shape != Shape::End {
            message += &format!(", found '{}'", shortened(self.token.text));
        }
        self.error_here(&message)
    }
}

fn check_terminated(text: String, position: usize) -> Result<String, CqlError> {
    match ends_in_lone_backslash(&text) {
        true => Err(CqlError::new(position, UNTERMINATED)),
        false => Ok(text),
    }
}

fn escape_quotes(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    let mut escaped = false;
    for c in word.chars() {
        if c == '"' && !escaped {
            text.push('\\');
        }
        text.push(c);
        escaped = c == '\\' && !escaped;
    }
    text
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
