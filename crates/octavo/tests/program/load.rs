//! `octavo load` as an operator meets it: MARC and FOLIO's records from files, what fails beside the file, where a load
//! that is repeated goes on, and a synthetic library that is served afterwards.

use std::fs;
use std::path::Path;
use std::process::Command;

use octavo_marc::{Field, Leader, Record, Subfield, encode};
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, program_path};

/// What `octavo load` says, and whether it was content.
pub(crate) fn load(data: &Path, more: &[&str]) -> (bool, String) {
    let mut command = Command::new(program_path());
    command.arg("load").args(more).arg("--data-dir").arg(data);
    let output = command.output().unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

pub(crate) fn marc_record(number: &str, kind: u8, title: &str) -> Vec<u8> {
    let mut leader = *b"00000nam a2200000 i 4500";
    leader[6] = kind;
    let record = Record {
        leader: Leader::read(&leader),
        fields: vec![
            Field::Control { tag: "001".into(), value: number.into() },
            Field::Data {
                tag: "245".into(),
                indicators: ['1', '0'],
                subfields: vec![Subfield { code: 'a', value: title.into() }],
            },
        ],
    };
    encode(&record).unwrap()
}

fn failures(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn files_are_loaded_and_what_fails_is_beside_them() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data_dir());
    octavo.tenant(&["mod-inventory-storage"]).await;
    let tenant = octavo.operator().get("/_/proxy/tenants").await.expect(200).json();
    let tenant = tenant.as_array().unwrap().iter().find(|t| t["id"] != "supertenant").unwrap();
    let tenant = tenant["id"].as_str().unwrap().to_owned();
    octavo.stop();

    let whole = [
        marc_record("1", b'a', "First"),
        marc_record("2", b'z', "A heading"),
        marc_record("3", b'a', "Third"),
    ]
    .concat();
    let last = marc_record("4", b'a', "Cut off");
    let file = folder.data_dir().with_file_name("books.mrc");
    fs::write(
        &file,
        [whole.as_slice(), b"rubbish\x1D", &marc_record("1", b'a', "Again"), &last[..30]].concat(),
    )
    .unwrap();
    let (content, said) = load(&folder.data_dir(), &[file.to_str().unwrap(), "--tenant", &tenant]);
    assert!(content, "{said}");
    assert!(said.contains("books.mrc: 2 of 6 records loaded as instances, 4 failed"), "{said}");
    let told = failures(&file.with_file_name("books.mrc.failed.jsonl"));
    let reasons: Vec<(u64, &str)> = told
        .iter()
        .map(|line| (line["record"].as_u64().unwrap(), line["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(reasons[0].0, 2);
    assert!(reasons[0].1.starts_with("it is an authority record"), "{reasons:?}");
    assert_eq!(reasons[1], (4, "it has 7 bytes, fewer than a leader"));
    assert!(reasons[2].1.ends_with("is already there"), "{reasons:?}");
    assert!(reasons[3].1.starts_with("the file ends in the middle of it"), "{reasons:?}");
    assert_eq!(told[1]["raw"], "rubbish\u{1D}");
    assert_eq!(told[1]["byte"], whole.len());
    let (content, said) = load(&folder.data_dir(), &[file.to_str().unwrap(), "--tenant", &tenant]);
    assert!(content && said.contains("loaded before (2 of 6 records"), "{said}");

    // FOLIO's records: two that are right, one whose type is not there, one that is no record.
    let types = folder.data_dir().with_file_name("types.json");
    let code = |id: &str, kind: &str| json!({"id": id, "code": id, "name": id, "statisticalCodeTypeId": kind, "source": "local"});
    let known = "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f01";
    fs::write(&types, json!([{"id": known, "name": "Ours", "source": "local"}]).to_string()).unwrap();
    let codes = folder.data_dir().with_file_name("codes.jsonl");
    let lines = [
        code("0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f02", known),
        code("0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f03", "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f99"),
        json!({"code": 7}),
        code("0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f04", known),
    ];
    fs::write(&codes, lines.map(|line| line.to_string()).join("\n")).unwrap();
    for (file, path, expected) in [
        (&types, "/statistical-code-types", "1 of 1 records loaded as statisticalCodeTypes"),
        (&codes, "/statistical-codes", "2 of 4 records loaded as statisticalCodes, 2 failed"),
    ] {
        let (content, said) =
            load(&folder.data_dir(), &[file.to_str().unwrap(), "--tenant", &tenant, "--type", path]);
        assert!(content && said.contains(expected), "{said}");
    }
    let told = failures(&codes.with_file_name("codes.jsonl.failed.jsonl"));
    assert_eq!(told.iter().map(|line| line["record"].as_u64().unwrap()).collect::<Vec<u64>>(), [2, 3]);

    let octavo = Octavo::start(&folder.data_dir());
    let client = octavo.tenantless_client().with("x-okapi-tenant", tenant);
    let found = client.get("/instance-storage/instances?query=title==First").await.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
    assert_eq!(found["instances"][0]["hrid"], "in00000000001");
    assert_eq!(found["instances"][0]["identifiers"][0]["value"], "1");
    octavo.stop();
}

#[test]
fn files_that_cannot_be_loaded_say_why() {
    let folder = Folder::new();
    let data = folder.data_dir();
    let (content, said) = load(&data, &["nothing.mrc", "--tenant", "nobody"]);
    assert!(!content && said.contains("No such Tenant nobody"), "{said}");
    let (content, said) = load(&data, &["synthetic", "--instances", "60", "--tenant", "small"]);
    assert!(content && said.contains("small: 60 instances"), "{said}");
    let (content, said) = load(&data, &["synthetic", "--instances", "60", "--tenant", "small"]);
    assert!(!content && said.contains("there is a tenant small already"), "{said}");
    let file = data.with_file_name("strange");
    let path = file.to_str().unwrap();
    for (bytes, more, expected) in [
        (b"".as_slice(), vec![], "it is empty"),
        (b"\xFF\xFE<\0", vec![], "it is in UTF-16"),
        (b"barcode,title\n", vec![], "it is neither MARC"),
        (b"[{\"id\": 1}]", vec![], "say what its records are"),
        (b"[{\"id\": 1}]", vec!["--type", "/nothing"], "no records of a type /nothing are known"),
        (b"<collection></collection>", vec![], "there is no record in it"),
    ] {
        fs::write(&file, bytes).unwrap();
        let (content, said) = load(&data, &[&[path, "--tenant", "small"], more.as_slice()].concat());
        assert!(!content && said.contains(expected), "{said}");
    }
}
