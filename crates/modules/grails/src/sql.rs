//! SQL that is derived from declarations: the conditions of filters and search terms, the order of a list, and the JSON of a record. Values
//! from clients are bound as parameters; names come from declarations alone.

use octavo_pg::Param;
use octavo_record::Sql;

use crate::filter::{Filter, Operator, Presence};
use crate::kind::{Form, Kind, Member, Path, PathEnd};
use crate::view::View;

/// The SQL of a record's document and of its id.
#[derive(Debug, Clone)]
pub(crate) struct RecordSql {
    document: String,
    id: String,
}

impl RecordSql {
    /// The record in the row with this alias.
    pub(crate) fn from_row_name(name: &str) -> RecordSql {
        RecordSql { document: format!("{name}.doc"), id: format!("{name}.id::text") }
    }

    fn from_document(document: String) -> RecordSql {
        RecordSql { id: format!("{document} ->> 'id'"), document }
    }

    fn text_sql(&self, member: &Member) -> String {
        format!("{} ->> '{}'", self.document, member.name)
    }

    fn json_sql(&self, member: &Member) -> String {
        format!("{} -> '{}'", self.document, member.name)
    }

    /// Follows a member to the record that it refers to: the table expression and the join condition, unless the record is part of this
    /// one, and the SQL of the record. `name` is the alias of the table expression.
    fn follow_reference(&self, member: &Member, name: &str) -> Option<(Option<(String, String)>, RecordSql)> {
        let row = || RecordSql::from_row_name(name);
        match member.form {
            Form::Refdata(kind, _) | Form::Reference(kind) => {
                let joined = format!("{name}.id::text = {}", self.text_sql(member));
                Some((Some((format!("{} {name}", kind.table()), joined)), row()))
            }
            Form::Owned(kind, owner) => {
                let joined = format!("{name}.doc ->> '{owner}' = {}", self.id);
                Some((Some((format!("{} {name}", kind.table()), joined)), row()))
            }
            Form::Part(_) => Some((None, RecordSql::from_document(format!("({})", self.json_sql(member))))),
            Form::Parts(_) => {
                let elements = format!("json_array_elements({}) {name} (doc)", self.json_sql(member));
                Some((Some((elements, "true".to_owned())), RecordSql::from_document(format!("{name}.doc"))))
            }
            _ => None,
        }
    }
}

/// Builds conditions on the rows of a kind of record. Each joined row gets an alias of its own.
pub(crate) struct Conditions<'a> {
    sql: &'a mut Sql,
    kind: &'static Kind,
    rows: usize,
}

type Condition<'c> = &'c mut dyn FnMut(&mut Conditions<'_>, &RecordSql, PathEnd) -> String;

impl<'a> Conditions<'a> {
    /// The row of the listed record has the alias `t`.
    pub(crate) fn new(sql: &'a mut Sql, kind: &'static Kind) -> Conditions<'a> {
        Conditions { sql, kind, rows: 0 }
    }

    pub(crate) fn filter_sql(&mut self, filter: &Filter) -> String {
        match filter {
            Filter::All(parts) if parts.is_empty() => "true".to_owned(),
            Filter::All(parts) => self.joined_sql(parts, " and "),
            Filter::Any(parts) => self.joined_sql(parts, " or "),
            Filter::Not(part) => format!("not {}", self.filter_sql(part)),
            Filter::Compare(path, operator, value) => self.path_sql(path, &mut |conditions, place, end| {
                conditions.comparison_sql(place, end, *operator, value)
            }),
            Filter::Is(path, presence) => self
                .path_sql(path, &mut |conditions, place, end| conditions.presence_sql(place, end, *presence)),
        }
    }

    fn joined_sql(&mut self, parts: &[Filter], by: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.filter_sql(part)).collect();
        format!("({})", parts.join(by))
    }

    /// Whether all words are in the member at one of these paths.
    pub(crate) fn words_sql(&mut self, words: &[String], paths: &[String]) -> String {
        let mut any = Vec::new();
        for path in paths {
            any.push(self.path_sql(path, &mut |conditions, place, end| {
                let is_text = matches!(end, PathEnd::Member(Member { form: Form::Text, .. }));
                let operator = if is_text { Operator::Contains } else { Operator::Equal };
                let each = words.iter().map(|word| conditions.comparison_sql(place, end, operator, word));
                each.collect::<Vec<_>>().join(" and ")
            }));
        }
        format!("({})", any.join(" or "))
    }

    /// A condition on the member where a path leads. If the path leads through a list, one of its records has to meet the condition.
    fn path_sql(&mut self, path: &str, condition: Condition<'_>) -> String {
        let Some(path) = Path::read(self.kind, path) else { return "false".to_owned() };
        self.hop_sql(&RecordSql::from_row_name("t"), &path.hops, path.end, condition)
    }

    fn hop_sql(
        &mut self,
        place: &RecordSql,
        hops: &[&'static Member],
        end: PathEnd,
        condition: Condition<'_>,
    ) -> String {
        let Some((first, rest)) = hops.split_first() else {
            return format!("({})", condition(self, place, end));
        };
        let Some((source, next)) = place.follow_reference(first, &self.next_row_name()) else {
            return "false".to_owned();
        };
        let condition = self.hop_sql(&next, rest, end, condition);
        match source {
            Some((source, joined)) => format!("exists (select from {source} where {joined} and {condition})"),
            None => condition,
        }
    }

    fn next_row_name(&mut self) -> String {
        self.rows += 1;
        format!("r{}", self.rows)
    }

    fn comparison_sql(&mut self, place: &RecordSql, end: PathEnd, operator: Operator, value: &str) -> String {
        let (text, form) = match end {
            PathEnd::Id => (place.id.clone(), Form::Text),
            PathEnd::Member(member) => match member.form {
                Form::Owned(..) | Form::Parts(_) => {
                    return self.list_contains_sql(place, member, operator, value);
                }
                Form::Part(_) => (format!("{} -> '{}' ->> 'id'", place.document, member.name), Form::Text),
                form => (place.text_sql(member), form),
            },
        };
        if matches!(operator, Operator::Contains | Operator::NotContains) {
            let value = self.sql.bind(Param::Text(format!("%{}%", escape_like(value))));
            let not = if operator == Operator::NotContains { "not " } else { "" };
            return format!("({text}) {not}ilike {value}");
        }
        let sign = match operator {
            Operator::NotEqual => "<>",
            Operator::Greater => ">",
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
            Operator::EqualIgnoringCase => format!("lower({text}) = lower({value})"),
            _ => format!("({text}) {sign} {value}"),
        }
    }

    /// Whether the record with this id is in a list.
    fn list_contains_sql(
        &mut self,
        place: &RecordSql,
        member: &Member,
        operator: Operator,
        id: &str,
    ) -> String {
        let Some((Some((source, joined)), next)) = place.follow_reference(member, &self.next_row_name())
        else {
            return "false".to_owned();
        };
        let id = self.sql.bind(Param::Text(id.to_owned()));
        let there = format!("exists (select from {source} where {joined} and {} = {id})", next.id);
        match operator {
            Operator::Equal | Operator::EqualIgnoringCase => there,
            Operator::NotEqual => format!("not {there}"),
            _ => "false".to_owned(),
        }
    }

    fn presence_sql(&mut self, place: &RecordSql, end: PathEnd, presence: Presence) -> String {
        let PathEnd::Member(member) = end else {
            return matches!(presence, Presence::NotNull | Presence::NotEmpty).to_string();
        };
        if let Form::Owned(..) | Form::Parts(_) = member.form {
            let Some((Some((source, joined)), _)) = place.follow_reference(member, &self.next_row_name())
            else {
                return "false".to_owned();
            };
            let any = format!("exists (select from {source} where {joined})");
            return match presence {
                Presence::NotNull | Presence::NotEmpty => any,
                Presence::Null | Presence::Empty => format!("not {any}"),
            };
        }
        let text = place.text_sql(member);
        match presence {
            Presence::Null => format!("({text}) is null"),
            Presence::NotNull => format!("({text}) is not null"),
            Presence::Empty => format!("coalesce({text}, '') = ''"),
            Presence::NotEmpty => format!("coalesce({text}, '') <> ''"),
        }
    }

    /// The SQL of the value by which a list is sorted. `None` if a record may have several values there.
    pub(crate) fn sort_value_sql(&mut self, path: &str) -> Option<String> {
        let path = Path::read(self.kind, path)?;
        let mut place = RecordSql::from_row_name("t");
        let mut sources = Vec::new();
        for hop in &path.hops {
            if matches!(hop.form, Form::Owned(..) | Form::Parts(_)) {
                return None;
            }
            let (source, next) = place.follow_reference(hop, &self.next_row_name())?;
            sources.extend(source);
            place = next;
        }
        let value = match path.end {
            PathEnd::Id => place.id,
            PathEnd::Member(member) => match member.form {
                Form::Owned(..) | Form::Parts(_) | Form::Part(_) => return None,
                Form::Integer | Form::Number => format!("({})::numeric", place.text_sql(member)),
                _ => place.text_sql(member),
            },
        };
        let outward = sources.into_iter().rev();
        Some(outward.fold(format!("({value})"), |value, (source, joined)| {
            format!("(select {value} from {source} where {joined})")
        }))
    }
}

/// Escapes a text so that each of its characters stands for itself in a pattern of `like`.
fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// The SQL of the JSON of the record in row `t`, without members that have no value.
pub(crate) fn record_json_sql(kind: &Kind, view: &View) -> String {
    record_at_json_sql(kind, view, &RecordSql::from_row_name("t"), 0)
}

fn record_at_json_sql(kind: &Kind, view: &View, place: &RecordSql, depth: usize) -> String {
    let mut members = Vec::new();
    if view.shows("id") {
        members.push(format!("'id', {}", place.id));
    }
    for member in kind.members.iter().filter(|member| view.shows(member.name)) {
        members.push(format!("'{}', {}", member.name, member_json_sql(member, view, place, depth + 1)));
    }
    let more = view
        .computed
        .iter()
        .map(|(name, value)| format!("'{name}', {}", value.replace("{doc}", &place.document)));
    members.extend(more);
    format!("json_strip_nulls(json_build_object({}))", members.join(", "))
}

fn member_json_sql(member: &Member, view: &View, place: &RecordSql, depth: usize) -> String {
    let (kind, usual) = match member.form {
        Form::Refdata(kind, _) => (kind, &View::REFDATA),
        Form::Reference(kind) | Form::Owned(kind, _) => (kind, &View::ID),
        Form::Part(kind) | Form::Parts(kind) => (kind, &View::ALL),
        Form::OutsideReference => {
            let (text, id) = (place.text_sql(member), place.json_sql(member));
            return format!("case when {text} is not null then json_build_object('id', {id}) end");
        }
        _ => return place.json_sql(member),
    };
    let view = view.nested_view(member.name).unwrap_or(usual);
    let name = format!("s{depth}");
    let Some((source, next)) = place.follow_reference(member, &name) else { return "null".to_owned() };
    let shown = record_at_json_sql(kind, view, &next, depth);
    match source {
        None => format!("case when {} is not null then {shown} end", place.text_sql(member)),
        Some((source, joined)) => match member.form {
            Form::Owned(..) => {
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
