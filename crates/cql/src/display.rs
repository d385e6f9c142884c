//! The tree as CQL again: one canonical text, which parses to an equal tree.
//!
//! Terms always stand in quotation marks, indexes only where they must. Parentheses appear only on the
//! right of an operator, because operators group to the left anyway.

use std::fmt::{self, Write};

use crate::lexer::{Shape, bare_shape};
use crate::{Clause, Modifier, Node, Query, SortKey};

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.root)?;
        for (i, key) in self.sort.iter().enumerate() {
            write!(f, "{}{key}", if i == 0 { " sortby " } else { " " })?;
        }
        Ok(())
    }
}

enum Step<'a> {
    Node(&'a Node),
    Text(&'static str),
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pending = vec![Step::Node(self)];
        while let Some(step) = pending.pop() {
            match step {
                Step::Text(text) => f.write_str(text)?,
                Step::Node(Node::Clause(clause)) => write!(f, "{clause}")?,
                Step::Node(node) => {
                    let Some((operator, left, right)) = node.sides() else {
                        continue;
                    };
                    if right.sides().is_some() {
                        pending.extend([Step::Text(")"), Step::Node(right), Step::Text("(")]);
                    } else {
                        pending.push(Step::Node(right));
                    }
                    pending.extend([Step::Text(" "), Step::Text(operator.keyword()), Step::Text(" ")]);
                    pending.push(Step::Node(left));
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, &self.index)?;
        write!(f, " {}", self.relation.comparator.as_str())?;
        write_modifiers(f, &self.relation.modifiers)?;
        f.write_char(' ')?;
        write_quoted(f, &self.term)
    }
}

impl fmt::Display for SortKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, &self.index)?;
        write_modifiers(f, &self.modifiers)
    }
}

fn write_modifiers(f: &mut fmt::Formatter<'_>, modifiers: &[Modifier]) -> fmt::Result {
    for modifier in modifiers {
        write!(f, "/{}", modifier.name)?;
        if let Some((comparator, value)) = &modifier.value {
            f.write_str(comparator.as_str())?;
            write_quoted(f, value)?;
        }
    }
    Ok(())
}

fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    match bare_shape(name) {
        Some(Shape::Word) => f.write_str(name),
        _ => write_quoted(f, name),
    }
}

/// Leaves escapes as they are. A bare quotation mark or a last lone backslash, which only a tree made by hand
/// can have, is escaped, so that the text stays one term.
fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let mut escaped = false;
    for c in text.chars() {
        if c == '"' && !escaped {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
        escaped = c == '\\' && !escaped;
    }
    f.write_str(if escaped { "\\\"" } else { "\"" })
}
