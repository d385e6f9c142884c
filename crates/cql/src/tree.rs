//! The query as a tree of clauses and boolean operators.
//!
//! Operators have equal precedence and group to the left, so a list of 5,000 ids is a tree 5,000 deep on its left.
//! Never walk it by recursion: `Node::fold` and the `flatten_` functions (in `walk`) need no stack.

/// The index of a clause that names none, as in `query=moby`.
pub const SERVER_CHOICE: &str = "cql.serverChoice";

/// A whole query: what to find, and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub root: Node,
    /// Empty without `sortby`.
    pub sort: Vec<SortKey>,
}

/// One key of `sortby`: `personal.lastName/sort.descending`. As in FOLIO the last modifier of a kind counts. Other modifiers are
/// for the reader of the tree to accept or refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    pub index: String,
    pub modifiers: Vec<Modifier>,
}

impl SortKey {
    /// Largest first; `sort.ascending` is the default.
    #[must_use]
    pub fn is_descending(&self) -> bool {
        self.chooses("sort.descending", "sort.ascending")
    }

    /// Compared as numbers; `string` is the default.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        self.chooses("number", "string")
    }

    fn chooses(&self, choice: &str, other: &str) -> bool {
        let mut settled = self.modifiers.iter().rev();
        settled.find(|m| m.is(choice) || m.is(other)).is_some_and(|m| m.is(choice))
    }
}

/// A clause, or two sides joined by an operator.
pub enum Node {
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    /// Left and not right; CQL has no `not` of one side.
    Not(Box<Node>, Box<Node>),
    Clause(Clause),
}

/// The boolean operators, for `Node::fold`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    And,
    Or,
    Not,
}

impl Operator {
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Not => "not",
        }
    }

    /// The node that joins two sides by this operator.
    #[must_use]
    pub fn join(self, left: Node, right: Node) -> Node {
        let (left, right) = (Box::new(left), Box::new(right));
        match self {
            Self::And => Node::And(left, right),
            Self::Or => Node::Or(left, right),
            Self::Not => Node::Not(left, right),
        }
    }
}

/// One comparison: `barcode == "123"`. Two clauses are equal wherever they stand in their texts.
#[derive(Debug, Clone)]
pub struct Clause {
    /// As sent, without its quotation marks. `cql.serverChoice` if none was sent.
    pub index: String,
    pub relation: Relation,
    /// Without its quotation marks and with every escape still in it: read it by `term::parts`. Words
    /// that stood side by side are joined by one space. A quotation mark inside is always escaped.
    pub term: String,
    /// Characters before the clause in the query text, from 0.
    pub position: usize,
}

impl Clause {
    /// `index == term`, with whatever masks the term has.
    #[must_use]
    pub fn exact(index: &str, term: &str) -> Clause {
        Clause {
            index: index.to_owned(),
            relation: Relation { comparator: Comparator::Exact, modifiers: Vec::new() },
            term: term.to_owned(),
            position: 0,
        }
    }
}

impl Query {
    /// A query for the records that satisfy both a clause and a query, in the order of the query; without a query, all records that
    /// satisfy the clause.
    #[must_use]
    pub fn with_clause(clause: Clause, query: Option<Query>) -> Query {
        let clause = Node::Clause(clause);
        match query {
            None => Query { root: clause, sort: Vec::new() },
            Some(query) => Query { root: Operator::And.join(query.root, clause), sort: query.sort },
        }
    }
}

impl PartialEq for Clause {
    fn eq(&self, other: &Self) -> bool {
        (&self.index, &self.relation, &self.term) == (&other.index, &other.relation, &other.term)
    }
}

impl Eq for Clause {}

/// How index and term are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    pub comparator: Comparator,
    pub modifiers: Vec<Modifier>,
}

/// The comparison itself. What each means for a field is the field's matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparator {
    /// `=`, the server's choice of relation.
    Scr,
    /// `==`
    Exact,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    All,
    Any,
    Adj,
    /// `within`, `encloses`, or any word with a full stop in it, as sent: `cql.exact`.
    Named(String),
}

impl Comparator {
    /// As it is written in a query.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Scr => "=",
            Self::Exact => "==",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::All => "all",
            Self::Any => "any",
            Self::Adj => "adj",
            Self::Named(name) => name,
        }
    }
}

/// What stands after a slash: `/respectCase`, `/@identifierTypeId=abc`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modifier {
    /// As sent, without the slash. FOLIO takes no notice of its case: compare by `is`.
    pub name: String,
    /// The value keeps its escapes, as a term does.
    pub value: Option<(Comparator, String)>,
}

impl Modifier {
    /// Whether this is the modifier of that name, in whatever case it was sent.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

#[cfg(test)]
mod tests {
    use super::SortKey;

    fn key(text: &str) -> SortKey {
        crate::parse(&format!("id=* sortby {text}")).expect(text).sort.remove(0)
    }

    #[test]
    fn the_last_modifier_of_a_kind_counts() {
        for (text, descending, number) in [
            ("name", false, false),
            ("name/sort.ascending", false, false),
            ("name/sort.descending", true, false),
            ("name/SORT.Descending/Number", true, true),
            ("name/sort.descending/sort.ascending", false, false),
            ("name/number/string", false, false),
            ("name/string/number/respectCase", false, true),
        ] {
            let key = key(text);
            assert_eq!(key.is_descending(), descending, "{text}");
            assert_eq!(key.is_numeric(), number, "{text}");
        }
    }
}
