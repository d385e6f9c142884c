use crate::files::Source;
use crate::workflow;

use super::{Experiment, Load, read};

fn parse(text: &str) -> anyhow::Result<Experiment> {
    let flow = "about = 'x'\n[parameters]\nsize = 1\n[[transaction]]\nname = 'T'\n\
                steps = [{ get = '/x?limit={size}' }]";
    let workflow = workflow::read("desk", &Source::new("desk.toml", flow)).unwrap();
    read("e", &Source::new("e.toml", text), &[workflow])
}

#[test]
fn what_stands_at_the_top_holds_for_all_tests_that_do_not_say_otherwise() {
    let text = "about = 'x'\nworkflow = 'desk'\nduration = '30 min'\nparameters = { size = 5 }\n\
                [[test]]\nname = 'a'\nusers = 8\n\
                [[test]]\nname = 'b'\nrate = 2.5\nduration = '5 s'\nparameters = { size = 7 }";
    let experiment = parse(text).unwrap();
    let [a, b] = experiment.tests.as_slice() else { panic!("two tests") };
    assert_eq!((a.load, a.duration.as_secs(), a.short_duration.as_secs()), (Load::Users(8), 1800, 10));
    assert_eq!(b.load, Load::Rate { per_second: 2.5, users: 1000 });
    assert_eq!((b.duration.as_secs(), b.short_duration.as_secs()), (5, 5));
    assert_eq!(a.parameters, [("size".to_owned(), "5".to_owned())]);
    assert_eq!(b.parameters, [("size".to_owned(), "7".to_owned())]);
}

#[test]
fn mistakes_are_told_with_line_and_suggestion() {
    let top = "about = 'x'\nworkflow = 'desk'\nduration = '5 s'\n";
    for (text, told) in [
        ("[[test]]\nname = 'a'\nuser = 1", "e.toml:6: there is no \"user\" here; did you mean users?"),
        ("[[test]]\nname = 'a'", "the test a needs users = 8 or rate = 50"),
        (
            "[[test]]\nname = 'a'\nusers = 1\nworkflow = 'dsk'",
            "e.toml:7: there is no workflow \"dsk\"; did you mean desk?",
        ),
        ("[[test]]\nname = 'a'\nusers = 1\nduration = '5 days'", "e.toml:7: duration must be a time such as"),
        ("[[test]]\nname = 'a'\nusers = 1\nparameters = { sise = 1 }", "did you mean size?"),
        ("[[test]]\nname = 'a'\nusers = 1\n[[test]]\nname = 'a'\nusers = 2", "two tests \"a\""),
        ("", "needs at least one [[test]]"),
        ("[[test]]\nusers = 1", "\"name\" is missing"),
        ("[[test]]\nname = 'a'\nusers = 0", "users must be at least 1"),
    ] {
        let error = parse(&format!("{top}{text}")).unwrap_err().to_string();
        assert!(error.contains(told), "{text}\n{error}");
    }
}
