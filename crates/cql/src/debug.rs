//! The tree for people who look for a fault: every grouping visible, in one line.
//!
//! `or(and(a = "x", b == "y"), c > "z")`. Not CQL: `Display` writes that.

use std::convert::Infallible;
use std::fmt;

use crate::Node;

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(text) = self.fold(
            |clause| Ok::<_, Infallible>(clause.to_string()),
            |operator, left, right| Ok(format!("{}({left}, {right})", operator.keyword())),
        );
        f.write_str(&text)
    }
}
