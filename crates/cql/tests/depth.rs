//! No query, however nested or long, exhausts a small stack: not in reading, walking, writing or dropping.

use octavo_cql::{Limits, Node, Operator, parse, parse_with};

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    thread.spawn(test).expect("a thread").join().expect("no overflow");
}

const UNLIMITED: Limits = Limits { length: usize::MAX, depth: usize::MAX, clauses: usize::MAX };

fn use_everything(text: &str, limits: Limits) {
    let query = parse_with(text, limits).expect("a query");
    assert_eq!(parse_with(&query.to_string(), limits).as_ref(), Ok(&query));
    assert_eq!(query.clone(), query);
    assert!(!format!("{query:?}").is_empty());
    let count = query.root.clauses().len();
    let folded = query.root.fold(|_| Ok::<_, ()>(1), |_, left, right| Ok(left + right));
    assert_eq!(folded, Ok(count));
}

#[test]
fn five_thousand_ids_in_one_query() {
    on_a_small_stack(|| {
        let ids: Vec<String> = (0..5_000).map(|i| format!("id=={i}")).collect();
        let text = ids.join(" or ");
        use_everything(&text, Limits::default());
        let query = parse(&text).expect("a query");
        assert_eq!(query.root.flatten_or().len(), 5_000);
        assert_eq!(query.root.flatten_and().len(), 1);
        let text = format!("id==({})", (0..5_000).map(|i| i.to_string()).collect::<Vec<_>>().join(" or "));
        assert_eq!(parse(&text), Ok(query));
    });
}

#[test]
fn operators_that_alternate() {
    on_a_small_stack(|| {
        let text = format!("{}z=1", "a=1 or b=2 and c=3 not ".repeat(1_600));
        use_everything(&text, Limits::default());
    });
}

#[test]
fn bombs_are_refused_by_default_and_harmless_without_limits() {
    on_a_small_stack(|| {
        let open = "(".repeat(100_000);
        for text in [
            open.clone(),
            format!("{open}a{}", ")".repeat(100_000)),
            "a=(".repeat(60_000),
            "and ".repeat(50_000),
            "a or ".repeat(40_000),
            "a=".repeat(100_000),
            "\"".repeat(99_999),
            "a=1 and ".repeat(20_000),
        ] {
            assert!(parse(&text).is_err(), "{}", &text[..20]);
        }
        let most = Limits::CLAUSES - 1;
        use_everything(&format!("{}z", "a and ".repeat(most)), UNLIMITED);
        use_everything(&format!("{}z{}", "b or (".repeat(most), ")".repeat(most)), UNLIMITED);
        assert!(parse_with(&format!("{}z", "a and ".repeat(most + 1)), UNLIMITED).is_err());
    });
}

#[test]
fn flattening_keeps_the_order_whatever_the_parentheses() {
    let show = |nodes: Vec<&Node>| nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let root = |text| parse(text).expect(text).root;
    let or = root("a=1 or (b=2 or c=3) or (d=4 and e=5)");
    assert_eq!(show(or.flatten_or()), r#"a = "1"; b = "2"; c = "3"; d = "4" and e = "5""#);
    assert_eq!(or.flatten_and().len(), 1);
    let not = root("a=1 not b=2 not (c=3 not d=4)");
    assert_eq!(show(not.flatten_not()), r#"a = "1"; b = "2"; c = "3" not d = "4""#);
}

#[test]
fn a_fold_goes_from_left_to_right_and_ends_at_the_first_error() {
    let root = parse("a=1 or (b=2 and c=3) not d=4").expect("a query").root;
    let shown = root.fold(
        |clause| Ok::<_, String>(clause.term.clone()),
        |operator, left, right| match operator {
            Operator::And => Ok(format!("({left} & {right})")),
            Operator::Or => Ok(format!("({left} | {right})")),
            Operator::Not => Ok(format!("({left} - {right})")),
        },
    );
    assert_eq!(shown.as_deref(), Ok("((1 | (2 & 3)) - 4)"));
    let mut seen = 0;
    let failed = root.fold(
        |clause| {
            seen += 1;
            if clause.index == "b" { Err("b") } else { Ok(()) }
        },
        |_, (), ()| Ok(()),
    );
    assert_eq!((failed, seen), (Err("b"), 2));
}
