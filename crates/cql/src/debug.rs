//! The tree for people who look for a fault: every grouping visible, in one line, and without recursion.
//!
//! `or(and(a = "x", b == "y"), c > "z")`. Not CQL: `Display` writes that.

use std::fmt;

use crate::Node;

enum Step<'a> {
    Node(&'a Node),
    Text(&'static str),
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pending = vec![Step::Node(self)];
        while let Some(step) = pending.pop() {
            match step {
                Step::Text(text) => f.write_str(text)?,
                Step::Node(Node::Clause(clause)) => write!(f, "{clause}")?,
                Step::Node(node) => {
                    if let Some((operator, left, right)) = node.sides() {
                        write!(f, "{}(", operator.keyword())?;
                        pending.extend([
                            Step::Text(")"),
                            Step::Node(right),
                            Step::Text(", "),
                            Step::Node(left),
                        ]);
                    }
                }
            }
        }
        Ok(())
    }
}
