//! Number generators: no number is given twice.

use std::collections::BTreeSet;

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{get, sorted_texts, texts};

async fn next_number(library: &Library, generator: &str, sequence: &str) -> Value {
    let path = format!("/servint/numberGenerators/getNextNumber?generator={generator}&sequence={sequence}");
    get(library, &path).await
}

#[tokio::test]
async fn folios_generators_number_with_a_check_digit_in_their_template() {
    let library = Library::furnished().await;
    for (generator, sequence, numbers) in [
        ("users_patronBarcode", "patron", ["P000000001-7", "P000000002-4"]),
        ("organizations_vendorCode", "vendor", ["K001", "K002"]),
        ("inventory_callNumber", "callNumber", ["B 2023 / 00001", "B 2023 / 00002"]),
        ("made", "here", ["000000001", "000000002"]),
    ] {
        for number in numbers {
            let answer = next_number(&library, generator, sequence).await;
            let expected =
                json!({"generator": generator, "sequence": sequence, "status": "OK", "nextValue": number});
            assert_eq!(answer, expected);
        }
    }
    let made = get(&library, "/servint/numberGenerators?filters=code==made").await;
    assert_eq!(texts(&made, "name"), ["made"]);
    assert_eq!(made[0]["sequences"][0]["nextValue"], 3);
    for path in ["?generator=x", "?sequence=x", "", &format!("?generator={}&sequence=x", "x".repeat(37))] {
        let answer = get(&library, &format!("/servint/numberGenerators/getNextNumber{path}")).await;
        assert_eq!(
            (&answer["status"], &answer["errorCode"]),
            (&json!("ERROR"), &json!("NoSequence")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn nobody_gets_the_same_number_as_another() {
    let library = Library::furnished().await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let library = library.clone();
        calls.spawn(async move {
            next_number(&library, "new", "sequence").await["nextValue"].as_str().unwrap().to_owned()
        });
    }
    let numbers: BTreeSet<String> = calls.join_all().await.into_iter().collect();
    let expected: BTreeSet<String> = (1..=40).map(|number| format!("{number:09}")).collect();
    assert_eq!(numbers, expected);
}

/// Somebody changes the sequence's description, or the generator's with its sequences, while forty numbers are asked for.
#[tokio::test]
async fn a_change_of_a_sequence_takes_no_number_back() {
    let library = Library::furnished().await;
    next_number(&library, "new", "sequence").await;
    let generators = get(&library, "/servint/numberGenerators?filters=code==new").await;
    let generator = format!("/servint/numberGenerators/{}", generators[0]["id"].as_str().unwrap());
    let sequence = generators[0]["sequences"][0]["id"].clone();
    let one = format!("/servint/numberGeneratorSequences/{}", sequence.as_str().unwrap());
    let mut calls = tokio::task::JoinSet::new();
    for at in 0..40 {
        let (library, one, generator, sequence) =
            (library.clone(), one.clone(), generator.clone(), sequence.clone());
        calls.spawn(async move {
            match at % 4 {
                0 => {
                    library.put(&one, &json!({"description": format!("the {at}th")})).await.expect(200);
                }
                1 => {
                    let changed = json!({"sequences": [{"id": sequence, "name": format!("the {at}th")}]});
                    library.put(&generator, &changed).await.expect(200);
                }
                _ => {}
            }
            next_number(&library, "new", "sequence").await["nextValue"].as_str().unwrap().to_owned()
        });
    }
    let numbers: BTreeSet<String> = calls.join_all().await.into_iter().collect();
    let expected: BTreeSet<String> = (2..=41).map(|number| format!("{number:09}")).collect();
    assert_eq!(numbers, expected);
}

#[tokio::test]
async fn a_sequence_warns_before_its_greatest_number_and_ends_there() {
    let library = Library::furnished().await;
    let generator = json!({
        "code": "cards", "name": "Cards",
        "sequences": [{"code": "gold", "name": "Gold", "prefix": "G", "postfix": "Z", "nextValue": 7,
                       "maximumNumber": "9", "maximumNumberThreshold": 8, "checkDigitAlgo": "EAN13"}],
    });
    let made = library.post("/servint/numberGenerators", &generator).await.expect(201).json();
    let sequence = &made["sequences"][0];
    assert_eq!(sequence["maximumCheck"]["value"], "below_threshold", "{made}");
    assert_eq!(sequence["checkDigitAlgo"]["label"], "EAN13");
    assert!(sequence.get("owner").is_none());
    let path = format!("/servint/numberGeneratorSequences/{}", sequence["id"].as_str().unwrap());
    for (status, code, number, check) in [
        ("OK", "", "G-7-Z-9", "below_threshold"),
        ("WARNING", "OverThreshold", "G-8-Z-6", "over_threshold"),
        ("WARNING", "HitMaximum", "G-9-Z-3", "at_maximum"),
        ("ERROR", "MaxReached", "", "at_maximum"),
        ("ERROR", "MaxReached", "", "at_maximum"),
    ] {
        let answer = next_number(&library, "cards", "gold").await;
        assert_eq!(answer["status"], status, "{answer}");
        let told = answer["warningCode"].as_str().or(answer["errorCode"].as_str()).unwrap_or_default();
        assert_eq!((told, answer["nextValue"].as_str().unwrap_or_default()), (code, number));
        assert_eq!(get(&library, &path).await["maximumCheck"]["value"], check);
    }
    let shown = get(&library, &path).await;
    assert_eq!(shown["nextValue"], 10, "what was refused used nothing up");
    assert_eq!(shown["owner"], json!({"id": made["id"], "code": "cards", "name": "Cards"}));

    // A change of the greatest number lets it go on.
    library
        .put(&path, &json!({"maximumNumber": 20, "outputTemplate": "${generated_number}"}))
        .await
        .expect(200);
    assert_eq!(next_number(&library, "cards", "gold").await["nextValue"], "10");
    library.put(&path, &json!({"outputTemplate": "${1 + 1}"})).await.expect(200);
    assert_eq!(next_number(&library, "cards", "gold").await["errorCode"], "BadTemplate");
    let shown =
        library.put(&path, &json!({"outputTemplate": " ", "name": " Golden "})).await.expect(200).json();
    assert_eq!((&shown["name"], shown.get("outputTemplate")), (&json!("Golden"), None));
    assert_eq!(next_number(&library, "cards", "gold").await["nextValue"], "G-11-Z-6");
}

#[tokio::test]
async fn generators_are_made_changed_and_removed_with_their_sequences() {
    let library = Library::furnished().await;
    let path = "/servint/numberGenerators";
    let two = json!([{"code": "a", "name": "A"}, {"code": "b", "name": "B"}]);
    let made =
        library.post(path, &json!({"code": "x", "name": "X", "sequences": two})).await.expect(201).json();
    let own = format!("{path}/{}", made["id"].as_str().unwrap());
    assert_eq!(sorted_texts(&made["sequences"], "code"), ["a", "b"]);
    assert_eq!(made["sequences"][0]["enabled"], true);
    let gone = made["sequences"][0]["code"].as_str().unwrap();
    let left = if gone == "a" { ["b", "c"] } else { ["a", "c"] };
    let changed = json!({
        "name": "Changed",
        "sequences": [{"id": made["sequences"][0]["id"], "_delete": true}, {"code": "c", "name": "C"}],
    });
    let changed = library.put(&own, &changed).await.expect(200).json();
    assert_eq!((&changed["name"], &changed["code"]), (&json!("Changed"), &json!("x")));
    assert_eq!(sorted_texts(&changed["sequences"], "code"), left);

    let class = "org.olf.numgen.NumberGenerator";
    for (body, messages) in [
        (json!({"name": "n"}), vec![format!("Property [code] of class [class {class}] cannot be null")]),
        (
            json!({}),
            vec![
                format!("Property [code] of class [class {class}] cannot be null"),
                format!("Property [name] of class [class {class}] cannot be null"),
            ],
        ),
        (
            json!({"code": "x", "name": "n"}),
            vec![format!("Property [code] of class [class {class}] with value [x] must be unique")],
        ),
        (
            json!({"code": "y", "name": "n", "sequences": [{"code": "s", "name": "s", "nextValue": "many"}]}),
            vec!["Property nextValue must be a valid number".to_owned()],
        ),
        (
            json!({"code": "y", "name": "n", "sequences": "many"}),
            vec!["Property sequences is type-mismatched".to_owned()],
        ),
        (
            json!({"code": " ", "name": "n"}),
            vec![format!("Property [code] of class [class {class}] cannot be null")],
        ),
        (
            json!({"code": "y".repeat(37), "name": "n"}),
            vec![format!(
                "Property [code] of class [class {class}] with value [{}] exceeds the maximum size of [36]",
                "y".repeat(37)
            )],
        ),
    ] {
        let refused = library.post(path, &body).await.expect(422).json();
        let errors = match refused["_embedded"]["errors"].as_array() {
            Some(errors) => errors.clone(),
            None => vec![refused.clone()],
        };
        let told: Vec<&str> = errors.iter().map(|error| error["message"].as_str().unwrap()).collect();
        assert_eq!(told, messages, "{body}");
        assert_eq!(errors[0]["path"], path);
    }
    library.delete(&own).await.expect(204);
    assert_eq!(library.get(&own).await.expect(404).json(), json!({"message": "Not Found", "error": 404}));
    library.delete(&own).await.expect(404);
    library.get(&format!("{path}/7")).await.expect(404);
    assert_eq!(get(&library, "/servint/numberGeneratorSequences?filters=code==c").await, json!([]));
}
