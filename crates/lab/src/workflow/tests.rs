use crate::files::Source;

use super::{Action, Amount, Body, Call, Condition, ConditionTest, Part, WhenMissing, Workflow, read};

const HEAD: &str = "about = 'x'\n[feeder.patron]\nuse = 'ring'\nfile = 'p.csv'\ncolumns = ['id']\n\
                    [[transaction]]\nname = 'T'\nsteps = [\n{ get = '/users/{patron.id}' },\n";

fn with(steps: &str) -> anyhow::Result<Workflow> {
    read("w", &Source::new("w.toml", format!("{HEAD}{steps}\n]\n")))
}

fn last(workflow: &Workflow) -> &Call {
    workflow.calls.last().unwrap()
}

#[test]
fn calls_take_values_and_loops_use_them() {
    let workflow = with(
        "{ get = '/loans', take = { ids = '$.loans[*].id' } },\n\
         { for = 'loan', in = 'ids', steps = [{ post = '/renew/{loan}', body = { n = 1, at = '{now}' } }, { think = [1, 3] }] },",
    )
    .unwrap();
    assert_eq!(workflow.labels, ["GET /users/{patron.id}", "GET /loans", "POST /renew/{loan}"]);
    assert!(workflow.writes);
    assert_eq!(workflow.transactions[0].feeders, [0]);
    let Action::Each { steps, .. } = &workflow.transactions[0].steps[2].action else { panic!("a loop") };
    assert_eq!(steps[1].action, Action::Think(1.0, 3.0));
    let Some(Body::Object(fields)) = &last(&workflow).body else { panic!("a body") };
    assert_eq!(fields[1], ("n".to_owned(), Body::Plain(1.into())));
}

#[test]
fn text_in_a_query_is_encoded_when_the_file_is_read() {
    let workflow = with("{ get = '/users?query=(barcode==\"{patron.id}\" and a<>b)' },").unwrap();
    let Part::Text(text) = &last(&workflow).target.0[0] else { panic!("text first") };
    assert_eq!(text, "/users?query=(barcode==%22");
}

#[test]
fn lists_of_a_body_are_fed_and_grow() {
    let text = "about = 'x'\n[parameters]\nsize = 3\n[feeder.i]\nuse = 'ring'\nfile = 'i.csv'\ncolumns = ['id']\n\
                [[transaction]]\nname = 'T'\nsteps = [{ post = '/rtac-batch', body = { ids = { feed = 'i.id', count = '{size}', grow = 10, most = 50 } } }]";
    let workflow = read("w", &Source::new("w.toml", text)).unwrap();
    let Some(Body::Object(fields)) = &last(&workflow).body else { panic!("a body") };
    let size = Amount::Parameter(workflow.parameters[0].slot);
    let fed =
        Body::Feed { feeder: 0, field: 0, count: size, grow: Amount::Fixed(10), most: Amount::Fixed(50) };
    assert_eq!(fields[0].1, fed);
    assert!(!workflow.writes, "the batch only asks");
    assert_eq!(workflow.transactions[0].feeders, [0usize; 0], "it advances with the list");
}

#[test]
fn mistakes_are_told_with_line_and_suggestion() {
    for (steps, told) in [
        (
            "{ get = '/a', else = { b = '' } },",
            "w.toml:10: else has a text for b, which this call does not take",
        ),
        ("{ get = '/a', is = 'b' },", "w.toml:10: is belongs to an if"),
        ("{ choice = [{ share = 0, steps = [{ get = '/a' }] }] },", "a choice needs a share above 0"),
        ("{ get = '/a', expects = [200] },", "w.toml:10: there is no \"expects\" here; did you mean expect?"),
        (
            "{ get = '/a/{patron.idd}' },",
            "w.toml:10: there is no value \"patron.idd\" here; did you mean patron.id?",
        ),
        ("{ get = '/a', take = { x = '$.x' } },", "w.toml:10: the value \"x\" is never used"),
        (
            "{ get = '/a', take = { x = 'x' } }, { get = '/{x}' }",
            "w.toml:10: a JSON path begins with $, as in $.x",
        ),
        ("{ get = '/a', take = { x = '$.x[*]' } }, { get = '/{x}' }", "\"x\" is a list; loop over it"),
        ("{ get = '/a', maybe = { x = '$.x' } }, { get = '/{x}' }", "\"x\" may be missing; write if = \"x\""),
        ("{ get = '/a', take = { x = '$.x' } }, { if = 'x', get = '/{x}' }", "\"x\" is always there"),
        (
            "{ get = '/a', take = { x = '$.x' } }, { for = 'y', in = 'x', steps = [{ get = '/{y}' }] }",
            "is one value",
        ),
        ("{ get = '/a', find = { x = 'id=.+' } }, { get = '/{x}' }", "x: the expression has no group"),
        ("{ get = '/a', find = { x = 'id=(' } }, { get = '/{x}' }", "x is no regular expression"),
        ("{ get = '/a', find = { x = 'id=(.+)' } }", "the value \"x\" is never used"),
        ("{ get = 'a' },", "get must begin with /"),
        ("{ get = '/a', post = '/b' },", "not two"),
        ("{ get = '/a', body = {} },", "a GET has no body"),
        ("{ think = 3, expect = [200] },", "expect belongs to a call"),
        ("{ think = [3, 1] },", "think must be [least, most]"),
        ("{ get = '/{a' },", "a { without its }"),
        ("{ get = '/a', expect = [200], refused = [200] },", "200 is both expected and refused"),
        ("{ get = '/a', expect = [20] },", "must be statuses"),
        ("{ for = 'x', in = 'ys', steps = [{ get = '/{x}' }] },", "there is no value \"ys\" here"),
        ("{ for = 'x', in = 'ys' },", "\"steps\" is missing"),
        ("{ label = 'x' },", "a step is one of get, post"),
        ("{ repeat = 'often', steps = [{ get = '/a' }] },", "a whole number or a parameter"),
        ("{ if = 'p', get = '/a', take = { z = '$.z' } }, { get = '/{z}' }", "there is no value \"z\" here"),
        ("{ get = '/a', take = { now = '$.x' } }, { get = '/{now}' }", "has a meaning of its own"),
    ] {
        let error = with(steps).unwrap_err().to_string();
        assert!(error.contains(told), "{steps}\n{error}");
    }
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let error = with("{ get = 'a' },\n{ get = '/{b}' },\n{ thnk = 1 },").unwrap_err().to_string();
    assert_eq!(error.lines().count(), 4, "{error}");
}

#[test]
fn feeders_say_where_their_rows_come_from_and_how_they_are_used() {
    for (feeder, told) in [
        ("use = 'ring'\ncolumns = ['id']", "needs either file = \"...\" or get = \"...\""),
        ("use = 'twice'\nfile = 'x'\ncolumns = ['id']", "w.toml:3: use must be \"once\" or \"ring\""),
        ("file = 'x'\ncolumns = ['id']", "lacks use"),
        ("use = 'once'\nfile = 'x'", "lacks columns"),
        (
            "use = 'once'\nget = '/users'\neach = '$.users'\nfields = { id = '$.id' }",
            "must be a path to many",
        ),
        ("use = 'once'\nget = '/users'\nfields = { id = '$.id' }", "lacks each"),
        (
            "use = 'once'\nget = '/u'\neach = '$.u[*]'\nfields = { id = '$.id', x = '$.x' }",
            "\"f.x\" is never used",
        ),
    ] {
        let rest = "[[transaction]]\nname = 'T'\nsteps = [{ get = '/{f.id}' }]";
        let text = format!("about = 'x'\n[feeder.f]\n{feeder}\n{rest}");
        let error = read("w", &Source::new("w.toml", text)).unwrap_err().to_string();
        assert!(error.contains(told), "{feeder}\n{error}");
    }
}

#[test]
fn what_is_no_toml_is_told_with_its_line() {
    let error = read("w", &Source::new("w.toml", "about = 'x'\nb = = 1")).unwrap_err().to_string();
    assert!(error.starts_with("w.toml:2: "), "{error}");
}

#[test]
fn one_of_several_is_drawn_values_are_compared_and_set() {
    let workflow = with(
        "{ get = '/a', any = { one = '$.list[*].id' }, take = { two = '$.x' }, else = { one = 'NONE', two = '' } },\n\
         { set = { both = '{one}{two}' } },\n\
         { if = 'one', not = 'NONE', get = '/b/{both}' },\n\
         { choice = [{ share = 43, steps = [{ get = '/c' }] }, { share = 57, steps = [] }] },",
    )
    .unwrap();
    let call = &workflow.calls[1];
    assert!(call.take.iter().all(|take| matches!(take.when_missing, WhenMissing::Text(_))), "{call:?}");
    assert_eq!(call.take.iter().map(|take| take.any).collect::<Vec<_>>(), [false, true]);
    let steps = &workflow.transactions[0].steps;
    assert!(matches!(&steps[2].action, Action::Set(..)));
    assert!(matches!(&steps[3].only_if, Some(Condition { test: ConditionTest::IsNot(_), .. })));
    let Action::Choice(alternatives) = &steps[4].action else { panic!("a choice") };
    assert_eq!(alternatives.iter().map(|one| one.share).collect::<Vec<_>>(), [43.0, 57.0]);
}

#[test]
fn what_is_taken_under_the_name_of_a_parameter_takes_its_place() {
    let text = "about = 'x'\n[parameters]\nlast = 'none'\n[[transaction]]\nname = 'T'\nsteps = [\n\
                { get = '/after/{last}', take = { last = '$.id' } },\n]";
    let workflow = read("w", &Source::new("w.toml", text)).unwrap();
    assert_eq!(workflow.calls[0].take[0].slot, workflow.parameters[0].slot);
}

const TWO: &str = "about = 'x'\n[feeder.on-shelf]\nuse = 'once'\nfile = 'a.csv'\ncolumns = ['id', 'barcode']\n\
                   [feeder.on-loan]\nuse = 'once'\nfile = 'b.csv'\ncolumns = ['barcode']\n\
                   [feeder.desk]\nuse = 'ring'\nfile = 'c.csv'\ncolumns = ['barcode']\n[[transaction]]\nname = 'T'\nsteps = [\n";

#[test]
fn a_row_is_moved_to_a_feeder_that_has_no_other_fields() {
    let of = |step: &str| {
        let text =
            format!("{TWO}{{ get = '/{{on-shelf.id}}/{{on-loan.barcode}}/{{desk.barcode}}' }},\n{step}\n]\n");
        read("w", &Source::new("w.toml", text)).map_err(|error| error.to_string())
    };
    let workflow = of("{ move = 'on-shelf', to = 'on-loan' },").unwrap();
    let named = |name: &str| workflow.feeders.iter().position(|feeder| feeder.name == name).unwrap();
    let values = vec![workflow.feeders[named("on-shelf")].fields[1].slot];
    assert_eq!(workflow.transactions[0].steps[1].action, Action::Move { to: named("on-loan"), values });
    for (step, told) in [
        ("{ move = 'on-loan', to = 'on-shelf' },", "on-shelf has the field id, which on-loan lacks"),
        ("{ move = 'on-shelf', to = 'desk' },", "the rows of desk go round"),
        ("{ move = 'on-shelf', to = 'on-lone' },", "there is no feeder \"on-lone\"; did you mean on-loan?"),
        ("{ move = 'on-shelf' },", "\"to\" is missing"),
    ] {
        let error = of(step).unwrap_err();
        assert!(error.contains(told), "{step}: {error}");
    }
}
