//! SQL made of declarations: what filters and search terms ask for, the order of a list, and a record as it is shown. Values of clients are
//! parameters; names come from declarations alone.

use octavo_pg::Param;
use octavo_record::Sql;

use crate::filter::{Filter, Operator, Presence};
use crate::kind::{End, Form, Kind, Member, Path};
use crate::view::View;

/// Where a record is found: its document and its id, as SQL.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    document: String,
    id: String,
}

impl Place {
    /// The row of a table by this name.
    pub(crate) fn row(name: &str) -> Place {
        Place { document: format!("{name}.doc"), id: format!("{name}.id::text") }
    }

    fn within(document: String) -> Place {
        Place { id: format!("{document} ->> 'id'"), document }
    }

    fn text(&self, member: &Member) -> String {
        format!("{} ->> '{}'", self.document, member.name)
    }

    fn json(&self, member: &Member) -> String {
        format!("{} -> '{}'", self.document, member.name)
    }

    /// What a member leads to: the source of it, if it is not in this record, what joins it, and its place. `name` is what it goes by.
    fn next(&self, member: &Member, name: &str) -> Option<(Option<(String, String)>, Place)> {
        let row = || Place::row(name);
        match member.form {
            Form::Refdata(kind, _) | Form::One(kind) => {
                let joined = format!("{name}.id::text = {}", self.text(member));
                Some((Some((format!("{} {name}", kind.table()), joined)), row()))
            }
            Form::Many(kind, owner) => {
                let joined = format!("{name}.doc ->> '{owner}' = {}", self.id);
                Some((Some((format!("{} {name}", kind.table()), joined)), row()))
            }
            Form::Part(_) => Some((None, Place::within(format!("({})", self.json(member))))),
            Form::Parts(_) => {
                let elements = format!("json_array_elements({}) {name} (doc)", self.json(member));
                Some((Some((elements, "true".to_owned())), Place::within(format!("{name}.doc"))))
            }
            _ => None,
        }
    }
}

/// Writes conditions on the rows of a kind; gives each row on the way a name of its own.
pub(crate) struct Conditions<'a> {
    sql: &'a mut Sql,
    kind: &'static Kind,
    rows: usize,
}

type Condition<'c> = &'c mut dyn FnMut(&mut Conditions<'_>, &Place, End) -> String;

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
                self.at(path, &mut |conditions, place, end| conditions.compared(place, end, *operator, value))
            }
            Filter::Is(path, presence) => {
                self.at(path, &mut |conditions, place, end| conditions.is(place, end, *presence))
            }
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
            any.push(self.at(path, &mut |conditions, place, end| {
                let is_text = matches!(end, End::Member(Member { form: Form::Text, .. }));
                let operator = if is_text { Operator::Contains } else { Operator::Same };
                conditions.compared(place, end, operator, word)
            }));
        }
        format!("({})", any.join(" or "))
    }

    /// A condition on where a path leads; that there is such a record where it leads to others.
    fn at(&mut self, path: &str, condition: Condition<'_>) -> String {
        let Some(path) = Path::read(self.kind, path) else { return "false".to_owned() };
        self.hop(&Place::row("t"), &path.hops, path.end, condition)
    }

    fn hop(&mut self, place: &Place, hops: &[&'static Member], end: End, condition: Condition<'_>) -> String {
        let Some((first, rest)) = hops.split_first() else {
            return format!("({})", condition(self, place, end));
        };
        let Some((source, next)) = place.next(first, &self.name()) else { return "false".to_owned() };
        let condition = self.hop(&next, rest, end, condition);
        match source {
            Some((source, joined)) => format!("exists (select from {source} where {joined} and {condition})"),
            None => condition,
        }
    }

    fn name(&mut self) -> String {
        self.rows += 1;
        format!("r{}", self.rows)
    }

    fn compared(&mut self, place: &Place, end: End, operator: Operator, value: &str) -> String {
        let (text, form) = match end {
            End::Id => (place.id.clone(), Form::Text),
            End::Member(member) => match member.form {
                Form::Many(..) | Form::Parts(_) => return self.among(place, member, operator, value),
                Form::Part(_) => (format!("{} -> '{}' ->> 'id'", place.document, member.name), Form::Text),
                form => (place.text(member), form),
            },
        };
        if matches!(operator, Operator::Contains | Operator::ContainsNot) {
            let value = self.sql.bind(Param::Text(format!("%{}%", masked(value))));
            let not = if operator == Operator::ContainsNot { "not " } else { "" };
            return format!("({text}) {not}ilike {value}");
        }
        let sign = match operator {
            Operator::Other => "<>",
            Operator::More => ">",
            Operator::AtLeast => ">=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            _ => "=",
        };
        if matches!(form, Form::Integer | Form::Number) {
            return match value.parse::<f64>() {
                Ok(number) if number.is_finite() => {
                    format!("({text})::numeric {sign} {}", self.sql.bind(Param::Number(number)))
                }
                _ => "false".to_owned(),
            };
        }
        let value = self.sql.bind(Param::Text(value.to_owned()));
        match operator {
            Operator::SameInAnyCase => format!("lower({text}) = lower({value})"),
            _ => format!("({text}) {sign} {value}"),
        }
    }

    /// Whether the record with this id is in a list.
    fn among(&mut self, place: &Place, member: &Member, operator: Operator, id: &str) -> String {
        let Some((Some((source, joined)), next)) = place.next(member, &self.name()) else {
            return "false".to_owned();
        };
        let id = self.sql.bind(Param::Text(id.to_owned()));
        let there = format!("exists (select from {source} where {joined} and {} = {id})", next.id);
        match operator {
            Operator::Same | Operator::SameInAnyCase => there,
            Operator::Other => format!("not {there}"),
            _ => "false".to_owned(),
        }
    }

    fn is(&mut self, place: &Place, end: End, presence: Presence) -> String {
        let End::Member(member) = end else {
            return matches!(presence, Presence::NotNull | Presence::NotEmpty).to_string();
        };
        if let Form::Many(..) | Form::Parts(_) = member.form {
            let Some((Some((source, joined)), _)) = place.next(member, &self.name()) else {
                return "false".to_owned();
            };
            let any = format!("exists (select from {source} where {joined})");
            return match presence {
                Presence::NotNull | Presence::NotEmpty => any,
                Presence::Null | Presence::Empty => format!("not {any}"),
            };
        }
        let text = place.text(member);
        match presence {
            Presence::Null => format!("({text}) is null"),
            Presence::NotNull => format!("({text}) is not null"),
            Presence::Empty => format!("coalesce({text}, '') = ''"),
            Presence::NotEmpty => format!("coalesce({text}, '') <> ''"),
        }
    }

    /// The value that a list is sorted by; `None` where a record has several.
    pub(crate) fn sorted_by(&mut self, path: &str) -> Option<String> {
        let path = Path::read(self.kind, path)?;
        let mut place = Place::row("t");
        let mut sources = Vec::new();
        for hop in &path.hops {
            if matches!(hop.form, Form::Many(..) | Form::Parts(_)) {
                return None;
            }
            let (source, next) = place.next(hop, &self.name())?;
            sources.extend(source);
            place = next;
        }
        let value = match path.end {
            End::Id => place.id,
            End::Member(member) => match member.form {
                Form::Many(..) | Form::Parts(_) | Form::Part(_) => return None,
                Form::Integer | Form::Number => format!("({})::numeric", place.text(member)),
                _ => place.text(member),
            },
        };
        let outward = sources.into_iter().rev();
        Some(outward.fold(format!("({value})"), |value, (source, joined)| {
            format!("(select {value} from {source} where {joined})")
        }))
    }
}

/// A text of which every character stands for itself in a pattern of `like`.
fn masked(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// A record in the row `t` as JSON, members without a value left out.
pub(crate) fn shown(kind: &Kind, view: &View) -> String {
    shown_at(kind, view, &Place::row("t"), 0)
}

fn shown_at(kind: &Kind, view: &View, place: &Place, depth: usize) -> String {
    let mut members = Vec::new();
    if view.has("id") {
        members.push(format!("'id', {}", place.id));
    }
    for member in kind.members.iter().filter(|member| view.has(member.name)) {
        members.push(format!("'{}', {}", member.name, shown_member(member, view, place, depth + 1)));
    }
    let more = view
        .more
        .iter()
        .map(|(name, value)| format!("'{name}', {}", value.replace("{doc}", &place.document)));
    members.extend(more);
    format!("json_strip_nulls(json_build_object({}))", members.join(", "))
}

fn shown_member(member: &Member, view: &View, place: &Place, depth: usize) -> String {
    let (kind, usual) = match member.form {
        Form::Refdata(kind, _) => (kind, &View::REFDATA),
        Form::One(kind) | Form::Many(kind, _) => (kind, &View::ID),
        Form::Part(kind) | Form::Parts(kind) => (kind, &View::ALL),
        Form::Outside => {
            let (text, id) = (place.text(member), place.json(member));
            return format!("case when {text} is not null then json_build_object('id', {id}) end");
        }
        _ => return place.json(member),
    };
    let view = view.within(member.name).unwrap_or(usual);
    let name = format!("s{depth}");
    let Some((source, next)) = place.next(member, &name) else { return "null".to_owned() };
    let shown = shown_at(kind, view, &next, depth);
    match source {
        None => format!("case when {} is not null then {shown} end", place.text(member)),
        Some((source, joined)) => match member.form {
            Form::Many(..) => {
                format!(
                    "coalesce((select json_agg({shown} order by {name}.id) from {source} where {joined}), '[]')"
                )
            }
            Form::Parts(_) => {
                format!("coalesce((select json_agg({shown}) from {source} where {joined}), '[]')")
            }
            _ => format!("(select {shown} from {source} where {joined})"),
        },
    }
}
