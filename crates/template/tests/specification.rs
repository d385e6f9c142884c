//! What the Mustache specification (github.com/mustache/spec, version 1.4) asks for, section by section, in cases of our own.
//!
//! Left out on purpose, because a notice is one text and runs no code of its context: partials, inheritance and dynamic names,
//! which are defects of a template, and lambdas.

use serde_json::{Value, json};

use octavo_template::{Escape, Template};

/// A template and what it becomes with the context of its section.
type Cases = [(&'static str, &'static str)];

#[track_caller]
fn assert_rendered(context: &Value, cases: &Cases) {
    for (template, text) in cases {
        let read = Template::parse(template).unwrap_or_else(|defect| panic!("{template:?}: {defect}"));
        assert_eq!(read.render(context, Escape::Html).as_deref(), Ok(*text), "{template:?}");
    }
}

#[test]
fn comments() {
    assert_rendered(
        &json!({"due": "Monday", "! due": "never", "!due": "never"}),
        &[
            ("due {{! said twice }}{{due}}", "due Monday"),
            ("due {{! over\n two lines }}{{due}}", "due Monday"),
            ("({{!due}}{{! due}})", "()"),
            ("a {{! between }} b", "a  b"),
            // Alone on its line it takes the line with it, however the line ends.
            ("a\n{{! alone }}\nb", "a\nb"),
            ("a\n \t{{! alone, indented }}  \nb", "a\nb"),
            ("a\r\n{{! alone }}\r\nb", "a\r\nb"),
            ("  {{! the first line }}\nb", "b"),
            ("a\n  {{! the last line }}", "a\n"),
            ("a\n{{!\nover\nlines\n}}\nb", "a\nb"),
            ("a\n  {{!\n  over\n  lines\n  }}\nb", "a\nb"),
            // With words beside it, it does not.
            ("  a {{! not alone }}\n", "  a \n"),
        ],
    );
}

#[test]
fn delimiters() {
    assert_rendered(
        &json!({"title": "Emma", "out": true, "in": false}),
        &[
            ("{{=<< >>=}}<<title>>", "Emma"),
            ("{{=( )=}}(title) {{title}}", "Emma {{title}}"),
            ("{{=| |=}}|title| |={{ }}=|{{title}}", "Emma Emma"),
            ("{{=[ ]=}}[#out][title][/out][^in]![/in]", "Emma!"),
            ("{{#out}}{{=% %=}}%title%%={{ }}=%{{/out}}", "Emma"),
            ("{{=%   %=}}[%title%]", "[Emma]"),
            ("{{= % % =}}[%title%]", "[Emma]"),
            ("({{=% %=}})", "()"),
            ("a {{=% %=}} b", "a  b"),
            ("a\n{{=% %=}}\nb", "a\nb"),
            ("a\n  {{=% %=}}\nb", "a\nb"),
            ("a\r\n{{=% %=}}\r\nb", "a\r\nb"),
            ("  {{=% %=}}\nb", "b"),
            ("a\n  {{=% %=}}", "a\n"),
        ],
    );
}

#[test]
fn interpolation() {
    assert_rendered(
        &json!({
            "name": "Ann", "signs": "& \" < >", "pages": 85, "price": 1.21, "nothing": null,
            "item": {"title": {"short": "Emma"}, "barcode": 7}, "a.b": "never", "a": {"b": "here"},
            "loan": {"user": {}}, "user": {"name": "of the outside"},
        }),
        &[
            ("Hello from {Octavo}!", "Hello from {Octavo}!"),
            ("Dear {{name}}", "Dear Ann"),
            ("{{signs}}", "&amp; &quot; &lt; &gt;"),
            ("{{{signs}}}", "& \" < >"),
            ("{{&signs}}", "& \" < >"),
            ("{{pages}}{{{pages}}}{{&pages}}", "858585"),
            ("{{price}}{{{price}}}{{&price}}", "1.211.211.21"),
            ("({{nothing}}{{{nothing}}}{{&nothing}})", "()"),
            ("({{unheard}}{{{unheard}}}{{&unheard}})", "()"),
            ("{{item.title.short}} {{{item.title.short}}} {{&item.barcode}}", "Emma Emma 7"),
            ("({{item.title.long}}{{item.barcode.short}}{{unheard.of.it}})", "()"),
            ("{{a.b}}", "here"),
            // The first word is looked for outward, the others only where it was found.
            ("{{#loan}}({{user.name}}){{/loan}}", "()"),
            ("{{#item}}{{user.name}}{{/item}}", "of the outside"),
            ("| {{name}} {{{name}}} {{&name}} |", "| Ann Ann Ann |"),
            ("  {{name}}\n", "  Ann\n"),
            ("|{{ name }}{{{ name }}}{{& name }}|", "|AnnAnnAnn|"),
        ],
    );
    assert_rendered(&json!("Emma & co"), &[("{{.}}|{{{.}}}|{{&.}}", "Emma &amp; co|Emma & co|Emma & co")]);
}

#[test]
fn inverted_sections() {
    assert_rendered(
        &json!({"yes": true, "no": false, "nothing": null, "item": {"title": "Emma"}, "loans": [{"n": 1}], "none": []}),
        &[
            ("[{{^no}}shown{{/no}}]", "[shown]"),
            ("[{{^yes}}hidden{{/yes}}]", "[]"),
            ("[{{^nothing}}shown{{/nothing}}]", "[shown]"),
            ("[{{^item}}hidden{{/item}}]", "[]"),
            ("[{{^loans}}hidden{{/loans}}]", "[]"),
            ("[{{^none}}shown{{/none}}]", "[shown]"),
            ("[{{^unheard}}shown{{/unheard}}]", "[shown]"),
            (
                "{{^no}}\n* first\n{{/no}}\n* second\n{{^no}}\n* third\n{{/no}}\n",
                "* first\n* second\n* third\n",
            ),
            ("| a {{^no}}b {{^no}}c{{/no}} d{{/no}} e |", "| a b c d e |"),
            ("| a {{^yes}}b {{^no}}c{{/no}} d{{/yes}} e |", "| a  e |"),
            ("[{{^item.title}}hidden{{/item.title}}]", "[]"),
            ("[{{^item.year}}shown{{/item.year}}{{^un.heard.of}}, too{{/un.heard.of}}]", "[shown, too]"),
            (" | {{^no}}\t|\t{{/no}} | \n", " | \t|\t | \n"),
            (" | {{^no}} {{! blanks }}\n {{/no}} | \n", " |  \n  | \n"),
            (" {{^no}}one{{/no}}\n {{^no}}two{{/no}}\n", " one\n two\n"),
            ("| a\n{{^no}}\n|\n{{/no}}\n| b\n", "| a\n|\n| b\n"),
            ("| a\n  {{^no}}\n|\n\t{{/no}}\n| b\n", "| a\n|\n| b\n"),
            ("|\r\n{{^no}}\r\n{{/no}}\r\n|", "|\r\n|"),
            ("  {{^no}}\n^{{/no}}\n/", "^\n/"),
            ("^{{^no}}\n/\n  {{/no}}", "^\n/\n"),
            ("|{{^ no }}={{/ no }}|", "|=|"),
        ],
    );
}

#[test]
fn sections() {
    assert_rendered(
        &json!({
            "yes": true, "no": false, "nothing": null, "none": [], "pages": 85, "name": "Ann", "title": "outer",
            "item": {"title": "inner", "kind": {"name": "book"}}, "library": {"city": "Westhaven"},
            "loans": [{"n": 1}, {"n": 2}, {"n": 3}], "names": ["a", "<b>"], "numbers": [1, 2], "prices": [1.1, 2.25],
            "table": [[1, 2], ["x"]], "years": [{"months": ["May", "June"], "year": 1815}],
            "one": {"n": 1}, "two": {"m": 2, "three": {"k": 3}},
        }),
        &[
            ("[{{#yes}}shown{{/yes}}]", "[shown]"),
            ("[{{#no}}hidden{{/no}}]", "[]"),
            ("[{{#nothing}}hidden{{/nothing}}]", "[]"),
            ("[{{#unheard}}hidden{{/unheard}}]", "[]"),
            ("{{#item}}Hi {{title}}.{{/item}}", "Hi inner."),
            ("{{#item}}{{name}}, {{title}}, {{library.city}}{{/item}}", "Ann, inner, Westhaven"),
            ("{{#name}}{{.}} is {{name}}{{/name}}", "Ann is Ann"),
            ("{{#pages}}{{.}}{{/pages}}", "85"),
            ("{{#loans}}{{n}}{{/loans}}", "123"),
            ("[{{#none}}hidden{{/none}}]", "[]"),
            ("{{#one}}{{n}}{{#two}}{{n}}{{m}}{{#three}}{{n}}{{m}}{{k}}{{/three}}{{/two}}{{/one}}", "112123"),
            ("{{#years}}{{#months}}{{.}} {{year}};{{/months}}{{/years}}", "May 1815;June 1815;"),
            (
                "{{#yes}}\n* first\n{{/yes}}\n* second\n{{#yes}}\n* third\n{{/yes}}\n",
                "* first\n* second\n* third\n",
            ),
            ("| a {{#yes}}b {{#yes}}c{{/yes}} d{{/yes}} e |", "| a b c d e |"),
            ("| a {{#no}}b {{#yes}}c{{/yes}} d{{/no}} e |", "| a  e |"),
            ("{{#names}}({{.}}{{{.}}}{{&.}}){{/names}}", "(aaa)(&lt;b&gt;<b><b>)"),
            ("{{#numbers}}({{.}}){{/numbers}}{{#prices}}({{.}}){{/prices}}", "(1)(2)(1.1)(2.25)"),
            ("{{#table}}({{#.}}{{.}}{{/.}}){{/table}}", "(12)(x)"),
            ("[{{#item.kind.name}}shown{{/item.kind.name}}]", "[shown]"),
            ("[{{#item.kind.year}}hidden{{/item.kind.year}}{{#un.heard.of}}hidden{{/un.heard.of}}]", "[]"),
            (" | {{#yes}}\t|\t{{/yes}} | \n", " | \t|\t | \n"),
            (" | {{#yes}} {{! blanks }}\n {{/yes}} | \n", " |  \n  | \n"),
            (" {{#yes}}one{{/yes}}\n {{#yes}}two{{/yes}}\n", " one\n two\n"),
            ("| a\n{{#yes}}\n|\n{{/yes}}\n| b\n", "| a\n|\n| b\n"),
            ("| a\n  {{#yes}}\n|\n\t{{/yes}}\n| b\n", "| a\n|\n| b\n"),
            ("|\r\n{{#yes}}\r\n{{/yes}}\r\n|", "|\r\n|"),
            ("  {{#yes}}\n#{{/yes}}\n/", "#\n/"),
            ("#{{#yes}}\n/\n  {{/yes}}", "#\n/\n"),
            ("|{{# yes }}={{/ yes }}|", "|=|"),
        ],
    );
    assert_rendered(&json!([{"n": 1}, {"n": 2}]), &[("{{#.}}({{n}}){{/.}}", "(1)(2)")]);
}

#[test]
fn what_would_read_another_template_is_a_defect() {
    for template in
        ["{{>footer}}", "{{> footer }}", "{{<frame}}{{/frame}}", "{{$block}}{{/block}}", "{{>*name}}"]
    {
        let defect = Template::parse(template).expect_err(template);
        assert_eq!(defect.message, "a template cannot include another one", "{template}");
    }
}
