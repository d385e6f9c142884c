//! SQL made of declarations: what filters and search terms ask for, the order of a list, and a record as it is shown. Values of clients are
//! parameters; names come from declarations alone.

use octavo_pg::Param;
use octavo_record::Sql;

use crate::filter::{Filter, Operator, Presence};
use crate::kind::{End, Form, Kind, Member, Path};
use crate::view::View;

/// A member's text in the row of this name.
fn text_of(row: &str, member: &Member) -> String {
    format!("{row}.doc ->> '{}'", member.name)
}

/// Writes conditions on the rows of a kind; gives each row on the way a name of its own.
pub(crate) struct Conditions<'a> {
    pub(crate) sql: &'a mut Sql,
    pub(crate) kind: &'static Kind,
    rows: usize,
}

impl<'a> Conditions<'a> {
    /// The records' own row has the name `t`.
    pub(crate) fn new(sql: &'a mut Sql, kind: &'static Kind) -> Conditions<'a> {
        Conditions { sql, kind, rows: 0 }
    }

    pub(crate) fn of(&mut self, filter: &Filter) -> String {
        match filter {
            Filter::All(parts) if parts.is_empty() => "true".to_owned(),
            Filter::All(parts) => self.joined(parts, " and "),
            Filter::Any(parts) => self.joined(parts, " or "),
            Filter::Not(part) => format!("not {}", self.of(part)),
            Filter::Compare(path, operator, value) => {
                self.at(path, &mut |conditions, row, end| conditions.compared(row, end, *operator, value))
            }
            Filter::Is(path, presence) => self.at(path, &mut |_, row, end| is(row, end, *presence)),
        }
    }

    fn joined(&mut self, parts: &[Filter], by: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.of(part)).collect();
        format!("({})", parts.join(by))
    }

    /// Whether a word is in the member at one of these paths.
    pub(crate) fn word(&mut self, word: &str, paths: &[&str]) -> String {
        let mut any = Vec::new();
        for path in paths {
            any.push(self.at(path, &mut |conditions, row, end| match end {
                End::Member(Member { form: Form::Text, .. }) => {
                    conditions.compared(row, end, Operator::Contains, word)
                }
                _ => conditions.compared(row, end, Operator::Same, word),
            }));
        }
        format!("({})", any.join(" or "))
    }

    /// A condition on the row to which a path leads; that there is such a row where it leads to others.
    fn at(&mut self, path: &str, condition: &mut dyn FnMut(&mut Self, &str, End) -> String) -> String {
        let Some(path) = Path::read(self.kind, path) else { return "false".to_owned() };
        self.hop("t", &path.hops, path.end, condition)
    }

    fn hop(
        &mut self,
        row: &str,
        hops: &[&'static Member],
        end: End,
        condition: &mut dyn FnMut(&mut Self, &str, End) -> String,
    ) -> String {
        let Some((first, rest)) = hops.split_first() else { return condition(self, row, end) };
        self.rows += 1;
        let next = format!("r{}", self.rows);
        let Some((table, joined)) = reached(row, first, &next) else { return "false".to_owned() };
        let condition = self.hop(&next, rest, end, condition);
        format!("exists (select from {table} {next} where {joined} and {condition})")
    }

    fn compared(&mut self, row: &str, end: End, operator: Operator, value: &str) -> String {
        let (member, form) = match end {
            End::Id => (format!("{row}.id::text"), Form::Text),
            End::Member(member) => (text_of(row, member), member.form),
        };
        if let Form::Many(kind, owner) = form {
            let id = self.sql.bind(Param::Text(value.to_owned()));
            let there = format!(
                "exists (select from {} m where m.doc ->> '{owner}' = {row}.id::text and m.id::text = {id})",
                kind.table()
            );
            return match operator {
                Operator::Same | Operator::SameInAnyCase => there,
                Operator::Other => format!("not {there}"),
                _ => "false".to_owned(),
            };
        }
        if matches!(operator, Operator::Contains | Operator::ContainsNot) {
            let value = self.sql.bind(Param::Text(format!("%{}%", masked(value))));
            let not = if operator == Operator::ContainsNot { "not " } else { "" };
            return format!("({member}) {not}ilike {value}");
        }
        let sign = match operator {
            Operator::Other => "<>",
            Operator::More => ">",
            Operator::AtLeast => ">=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            _ => "=",
        };
        match form {
            Form::Integer => match value.parse::<f64>() {
                Ok(number) if number.is_finite() => {
                    format!("({member})::numeric {sign} {}", self.sql.bind(Param::Number(number)))
                }
                _ => "false".to_owned(),
            },
            _ => {
                let value = self.sql.bind(Param::Text(value.to_owned()));
                match operator {
                    Operator::SameInAnyCase => format!("lower({member}) = lower({value})"),
                    _ => format!("({member}) {sign} {value}"),
                }
            }
        }
    }

    /// The value that a list is sorted by.
    pub(crate) fn sorted_by(&mut self, path: &str) -> Option<String> {
        let path = Path::read(self.kind, path)?;
        let mut row = "t".to_owned();
        let mut from = Vec::new();
        for hop in &path.hops {
            if matches!(hop.form, Form::Many(..)) {
                return None;
            }
            self.rows += 1;
            let next = format!("r{}", self.rows);
            let (table, joined) = reached(&row, hop, &next)?;
            from.push((table, next.clone(), joined));
            row = next;
        }
        let value = match path.end {
            End::Id => format!("{row}.id"),
            End::Member(Member { form: Form::Many(..), .. }) => return None,
            End::Member(member) => match member.form {
                Form::Integer => format!("({})::numeric", text_of(&row, member)),
                _ => text_of(&row, member),
            },
        };
        Some(from.into_iter().rev().fold(value, |value, (table, row, joined)| {
            format!("(select {value} from {table} {row} where {joined})")
        }))
    }
}

/// The table to which a member leads from a row, and what joins the next row to it.
fn reached(row: &str, member: &Member, next: &str) -> Option<(String, String)> {
    match member.form {
        Form::Refdata(kind, _) | Form::One(kind) => {
            Some((kind.table(), format!("{next}.id::text = {}", text_of(row, member))))
        }
        Form::Many(kind, owner) => Some((kind.table(), format!("{next}.doc ->> '{owner}' = {row}.id::text"))),
        _ => None,
    }
}

fn is(row: &str, end: End, presence: Presence) -> String {
    let End::Member(member) = end else {
        return matches!(presence, Presence::NotNull | Presence::NotEmpty).to_string();
    };
    if let Form::Many(kind, owner) = member.form {
        let any =
            format!("exists (select from {} m where m.doc ->> '{owner}' = {row}.id::text)", kind.table());
        return match presence {
            Presence::NotNull | Presence::NotEmpty => any,
            Presence::Null | Presence::Empty => format!("not {any}"),
        };
    }
    let text = text_of(row, member);
    match presence {
        Presence::Null => format!("({text}) is null"),
        Presence::NotNull => format!("({text}) is not null"),
        Presence::Empty => format!("coalesce({text}, '') = ''"),
        Presence::NotEmpty => format!("coalesce({text}, '') <> ''"),
    }
}

/// A text of which every character stands for itself in a pattern of `like`.
fn masked(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// A record in the row of this name as JSON, members without a value left out.
pub(crate) fn shown(kind: &Kind, view: &View, row: &str) -> String {
    let mut members = Vec::new();
    if view.has("id") {
        members.push(format!("'id', {row}.id"));
    }
    for member in kind.members.iter().filter(|member| view.has(member.name)) {
        members.push(format!("'{}', {}", member.name, shown_member(member, view, row)));
    }
    let more = view.more.iter().map(|(name, value)| format!("'{name}', {}", value.replace("{t}", row)));
    members.extend(more);
    format!("json_strip_nulls(json_build_object({}))", members.join(", "))
}

fn shown_member(member: &Member, view: &View, row: &str) -> String {
    let within = view.within(member.name).unwrap_or(&View::ID);
    // Rows within each other have names of different lengths.
    let next = format!("{row}x");
    match member.form {
        Form::Text | Form::Integer | Form::Boolean => format!("{row}.doc -> '{}'", member.name),
        Form::Outside => format!(
            "case when {row}.doc ->> '{name}' is not null then json_build_object('id', {row}.doc -> '{name}') end",
            name = member.name
        ),
        Form::Refdata(kind, _) | Form::One(kind) => {
            let within = match member.form {
                Form::Refdata(..) => &View::REFDATA,
                _ => within,
            };
            let Some((table, joined)) = reached(row, member, &next) else { return "null".to_owned() };
            format!("(select {} from {table} {next} where {joined})", shown(kind, within, &next))
        }
        Form::Many(kind, _) => {
            let Some((table, joined)) = reached(row, member, &next) else { return "null".to_owned() };
            format!(
                "coalesce((select json_agg({} order by {next}.id) from {table} {next} where {joined}), '[]')",
                shown(kind, within, &next)
            )
        }
    }
}
