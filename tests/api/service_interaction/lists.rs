//! Lists of Grails modules: pages, filters, search terms, order.

use octavo_testkit::{Library, encode};
use serde_json::json;

use super::{get, texts};

const PATH: &str = "/servint/numberGeneratorSequences";

/// Twelve sequences `s01` to `s12` of a generator `g`, beside one of FOLIO's own.
async fn library_with_sequences() -> Library {
    let library = Library::furnished().await;
    let sequence = |number: i64| {
        json!({
            "code": format!("s{number:02}"), "name": format!("Sequence {number}"), "nextValue": number,
            "enabled": number % 2 == 0, "prefix": if number > 6 { json!("50%_") } else { json!(null) },
            "checkDigitAlgo": if number == 12 { json!({"value": "modulo10"}) } else { json!(null) },
        })
    };
    let all: Vec<_> = (1..=12).map(sequence).collect();
    let generator = json!({"code": "g", "name": "Générateur", "sequences": all});
    library.post("/servint/numberGenerators", &generator).await.expect(201);
    library
}

#[tokio::test]
async fn filters_find_by_members_of_records_and_of_what_they_refer_to() {
    let library = library_with_sequences().await;
    for (filter, codes) in [
        ("code==s01", "s01"),
        ("code=s01||code=s02", "s01 s02"),
        ("owner.code==g&&nextValue>10", "s11 s12"),
        ("owner.code==g&&10<nextValue<=11", "s11"),
        ("owner.name=i=GÉNÉRATEUR&&nextValue<3", "s01 s02"),
        ("owner.code==g&&!(nextValue>2)", "s01 s02"),
        ("owner.code==g&&nextValue!=1&&nextValue<3", "s02"),
        ("owner.code==g&&enabled==true&&nextValue<=4", "s02 s04"),
        ("owner.code==g&&prefix isNull&&nextValue>=5", "s05 s06"),
        ("owner.code==g&&prefix isNotNull&&nextValue<8", "s07"),
        ("prefix==50%_&&nextValue==7", "s07"),
        ("prefix=~%&&nextValue==7", "s07"),
        ("checkDigitAlgo.value==modulo10", "s12"),
        ("checkDigitAlgo.owner.desc=~checkdigit&&owner.code==g", "s12"),
        ("name=~QUENCE 1&&code=~s", "s01 s10 s11 s12"),
        ("name!~1&&owner.code==g&&nextValue<=3", "s02 s03"),
        ("nextValue==none", ""),
        ("owner.code==g\nnextValue==3", "s03"),
    ] {
        let found = get(&library, &format!("{PATH}?sort=code&perPage=100&filters={}", encode(filter))).await;
        assert_eq!(texts(&found, "code").join(" "), codes, "{filter}");
    }
    let two =
        format!("{PATH}?sort=code&filters[]={}&filters={}", encode("owner.code==g"), encode("nextValue<2"));
    assert_eq!(texts(&get(&library, &two).await, "code"), ["s01"]);
    let generators = get(&library, "/servint/numberGenerators?filters=sequences.code==s03").await;
    assert_eq!(texts(&generators, "code"), ["g"]);
    let generators = get(&library, "/servint/numberGenerators?filters=sequences+isEmpty").await;
    assert_eq!(generators, json!([]));
    for filter in ["code", "nobody==1", "(code==1", "code==1 code==2==3", "nextValue==1e999&&("] {
        library.get(&format!("{PATH}?filters={}", encode(filter))).await.expect(400);
    }
    // A greater number than the database has finds nothing, and is no error.
    assert_eq!(get(&library, &format!("{PATH}?filters={}", encode("nextValue>1e300"))).await, json!([]));
}

#[tokio::test]
async fn words_are_found_in_the_members_that_are_named() {
    let library = library_with_sequences().await;
    for (term, matched, codes) in [
        ("sequence 12", "match=name", "s12"),
        ("\"sequence 1\"", "match=name", "s01 s10 s11 s12"),
        ("3 sequence", "match=owner.code&match=name", "s03"),
        ("G 3", "match=name&match=owner.code", ""),
        ("12", "match=nextValue", "s12"),
        ("%", "match=prefix&match=code", "s07 s08 s09 s10 s11 s12"),
        ("s01", "match[]=code&match[]=nobody", "s01"),
    ] {
        let path =
            format!("{PATH}?perPage=100&sort=code&filters=owner.code==g&{matched}&term={}", encode(term));
        assert_eq!(texts(&get(&library, &path).await, "code").join(" "), codes, "{term} in {matched}");
    }
    let everything = get(&library, &format!("{PATH}?perPage=100&term=nothing&filters=owner.code==g")).await;
    assert_eq!(everything.as_array().unwrap().len(), 12, "nothing is named to find it in");
    let many = vec!["a"; 21].join("+");
    library.get(&format!("{PATH}?match=name&term={many}")).await.expect(400);
}

#[tokio::test]
async fn pages_are_cut_sorted_and_counted() {
    let library = library_with_sequences().await;
    let all = "filters=owner.code==g";
    for (asked, codes) in [
        ("sort=code&perPage=2", "s01 s02"),
        ("sort=code;desc&max=2", "s12 s11"),
        ("sort=nextValue;desc&perPage=3&page=2", "s09 s08 s07"),
        ("sort=code&perPage=2&offset=3", "s04 s05"),
        ("sort=code&perPage=2&page=1&offset=3", "s01 s02"),
        ("sort=owner.code&sort=code&perPage=1", "s01"),
        ("sort=enabled&sort=code;desc&perPage=2", "s11 s09"),
        ("sort=nobody&sort=code&perPage=1", "s01"),
        ("sort=code&perPage=5&page=3", "s11 s12"),
        ("sort=code&perPage=5&page=9", ""),
    ] {
        let found = get(&library, &format!("{PATH}?{all}&{asked}")).await;
        assert_eq!(texts(&found, "code").join(" "), codes, "{asked}");
    }
    assert_eq!(get(&library, &format!("{PATH}?{all}")).await.as_array().unwrap().len(), 10, "the usual page");
    let mut counted = get(&library, &format!("{PATH}?{all}&sort=code&perPage=5&page=3&stats=true")).await;
    assert_eq!(texts(&counted["results"].take(), "code"), ["s11", "s12"]);
    let rest = json!({
        "results": null, "pageSize": 5, "page": 3, "totalPages": 3, "meta": {}, "totalRecords": 12, "total": 12,
    });
    assert_eq!(counted, rest);
}
