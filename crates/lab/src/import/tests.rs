use crate::files::Source;
use crate::workflow::{Act, Workflow, read};

use super::{import, listed};

/// A plan around what is given, in a thread group of eight users.
fn plan(inside: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.4"><hashTree>
<TestPlan testclass="TestPlan" testname="t" enabled="true"/><hashTree>
<Arguments testclass="Arguments" testname="v" enabled="true"><collectionProp name="Arguments.arguments">
<elementProp name="users" elementType="Argument"><stringProp name="Argument.name">users</stringProp><stringProp name="Argument.value">${{__P(VUSERS,8)}}</stringProp></elementProp>
</collectionProp></Arguments><hashTree/>
<CSVDataSet testclass="CSVDataSet" testname="c" enabled="true"><stringProp name="delimiter">;</stringProp><stringProp name="filename">data/patrons.csv</stringProp>
<boolProp name="recycle">true</boolProp><stringProp name="variableNames">barcode,patron</stringProp></CSVDataSet><hashTree/>
<ThreadGroup testclass="ThreadGroup" testname="Desk" enabled="true"><stringProp name="ThreadGroup.num_threads">${{users}}</stringProp>
<stringProp name="ThreadGroup.ramp_time">80</stringProp><boolProp name="ThreadGroup.scheduler">true</boolProp><stringProp name="ThreadGroup.duration">1800</stringProp></ThreadGroup>
<hashTree>
{inside}
</hashTree></hashTree></hashTree></jmeterTestPlan>"#
    )
}

fn call(name: &str, method: &str, path: &str, under: &str) -> String {
    format!(
        r#"<HTTPSamplerProxy testclass="HTTPSamplerProxy" testname="{name}" enabled="true"><stringProp name="HTTPSampler.path">{path}</stringProp>
<stringProp name="HTTPSampler.method">{method}</stringProp></HTTPSamplerProxy><hashTree>{under}</hashTree>"#
    )
}

fn json(name: &str, path: &str, number: i64, default: &str) -> String {
    format!(
        r#"<JSONPostProcessor testclass="JSONPostProcessor" testname="j" enabled="true"><stringProp name="JSONPostProcessor.referenceNames">{name}</stringProp>
<stringProp name="JSONPostProcessor.jsonPathExprs">{path}</stringProp><stringProp name="JSONPostProcessor.match_numbers">{number}</stringProp>
<stringProp name="JSONPostProcessor.defaultValues">{default}</stringProp></JSONPostProcessor><hashTree/>"#
    )
}

fn controller(kind: &str, name: &str, values: &str, under: &str) -> String {
    format!(
        r#"<{kind} testclass="{kind}" testname="{name}" enabled="true">{values}</{kind}><hashTree>{under}</hashTree>"#
    )
}

/// The workflow, its text, and what was not read.
fn imported(inside: &str) -> (Workflow, String, String) {
    let done =
        import("p", &plan(inside), |file| (file == "patrons.csv").then(|| "100;a\n200;b\n".to_owned()))
            .unwrap();
    let text = done.files[0].1.clone();
    let notes = listed(&done.notes);
    match read("p", &Source::new("p.toml", text.clone())) {
        Ok(workflow) => (workflow, text, notes),
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[test]
fn calls_feeders_values_and_pauses_become_a_workflow_that_can_be_run() {
    let timer = r#"<UniformRandomTimer testclass="UniformRandomTimer" testname="t" enabled="true"><stringProp name="ConstantTimer.delay">1000</stringProp>
<stringProp name="RandomTimer.range">2000</stringProp></UniformRandomTimer><hashTree/>"#;
    let renew = r#"<HTTPSamplerProxy testclass="HTTPSamplerProxy" testname="renew" enabled="true"><boolProp name="HTTPSampler.postBodyRaw">true</boolProp>
<elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments"><elementProp name="" elementType="HTTPArgument">
<stringProp name="Argument.value">{"itemBarcode": "${loan}", "userBarcode": "${barcode}", "id": "${__UUID()}"}</stringProp></elementProp></collectionProp></elementProp>
<stringProp name="HTTPSampler.path">/circulation/renew-by-barcode</stringProp><stringProp name="HTTPSampler.method">POST</stringProp></HTTPSamplerProxy><hashTree/>"#;
    let each = controller(
        "ForeachController",
        "f",
        r#"<stringProp name="ForeachController.inputVal">loans</stringProp><stringProp name="ForeachController.returnVal">loan</stringProp>"#,
        renew,
    );
    let loans = call(
        "loans",
        "GET",
        "/circulation/loans?query=(userId==${patron})",
        &(json("loans", "$.loans.*.item.barcode", -1, "") + timer),
    );
    let (workflow, text, notes) =
        imported(&controller("TransactionController", "Renew all", "", &(loans + &each)));
    assert_eq!(notes, "", "{text}");
    assert_eq!(workflow.transactions[0].name, "Renew all");
    assert_eq!(workflow.labels, ["loans", "renew"]);
    let steps = &workflow.transactions[0].steps;
    assert_eq!(steps[0].act, Act::Think(1.0, 3.0));
    assert!(matches!(&steps[2].act, Act::Each { steps, .. } if steps.len() == 1));
    assert!(
        text.contains(
            r#"body = { id = "{new-id}", itemBarcode = "{loan}", userBarcode = "{patrons.barcode}" }"#
        ),
        "{text}"
    );
    assert!(text.contains(r#"columns = ["barcode", "patron"]"#), "{text}");
}

#[test]
fn users_and_times_become_an_experiment_and_rows_get_a_head() {
    let done = import("p", &plan(&call("a", "GET", "/users/${patron}", "")), |_| Some("100;a\n".to_owned()))
        .unwrap();
    assert_eq!(
        done.files[1].1,
        "about = \"p, imported from a plan of JMeter\"\nworkflow = \"p\"\nduration = \"1800 s\"\n\n\
         [[test]]\nname = \"8 users\"\nusers = 8\nramp-up = \"80 s\"\n"
    );
    assert_eq!(done.files[2], ("workflows/patrons.csv".to_owned(), "barcode,patron\n100,a\n".to_owned()));
    let without = import("p", &plan(&call("a", "GET", "/users/${patron}", "")), |_| None).unwrap();
    assert!(
        listed(&without.notes).contains("line 7: patrons.csv: put this file into workflows/"),
        "{:?}",
        without.notes
    );
}

#[test]
fn what_may_be_missing_is_asked_for_by_an_if() {
    let item = call(
        "item",
        "GET",
        "/inventory/items?query=barcode==${barcode}",
        &json("item", "$.items[0].id", 1, "NOT_FOUND"),
    );
    let condition = r#"<stringProp name="IfController.condition">${__groovy(!"NOT_FOUND".equals(vars.get("item"));)}</stringProp>"#;
    let inside = item
        + &controller("IfController", "i", condition, &call("get", "GET", "/item-storage/items/${item}", ""));
    let (workflow, text, notes) = imported(&(inside + &call("after", "GET", "/x/${item}", "")));
    assert!(text.contains(r#"maybe = { item = "$.items[0].id" }"#), "{text}");
    assert!(
        workflow.transactions[0].steps[1].only_if.is_some()
            && workflow.transactions[0].steps[2].only_if.is_some()
    );
    assert!(notes.contains("\"after\" is left out where item was not found"), "{notes}");
}

#[test]
fn what_rests_on_a_value_that_may_be_missing_is_asked_for_together() {
    let item = call(
        "item",
        "GET",
        "/items?query=barcode==${barcode}",
        &json("item", "$.items[0].id", 1, "NOT_FOUND"),
    );
    let loan = call("loan", "GET", "/loans?query=itemId==${item}", &json("loan", "$.loans[0].id", 1, ""));
    let part = controller("GenericController", "g", "", &(item + &loan));
    let (workflow, text, notes) = imported(&(part + &call("get", "GET", "/loans/${loan}", "")));
    let steps = &workflow.transactions[0].steps;
    assert!(steps.len() == 2 && matches!(&steps[1].act, Act::Steps(inner) if inner.len() == 2), "{text}");
    assert!(notes.contains("\"loan\" and what follows it is left out where item was not found"), "{notes}");
}

#[test]
fn shares_loops_modules_and_expressions_are_read() {
    let share = |name: &str, percent: &str, under: &str| {
        let values = format!(
            r#"<intProp name="ThroughputController.style">1</intProp><FloatProperty><name>ThroughputController.percentThroughput</name><value>{percent}</value></FloatProperty>"#
        );
        controller("ThroughputController", name, &values, under)
    };
    let regex = r#"<RegexExtractor testclass="RegexExtractor" testname="r" enabled="true"><stringProp name="RegexExtractor.useHeaders">false</stringProp>
<stringProp name="RegexExtractor.refname">token</stringProp><stringProp name="RegexExtractor.regex">resumption="(.+?)"</stringProp><stringProp name="RegexExtractor.template">$1$</stringProp></RegexExtractor><hashTree/>"#;
    let module = r#"<ModuleController testclass="ModuleController" testname="m" enabled="true"><collectionProp name="ModuleController.node_path">
<stringProp name="1">Test Plan</stringProp><stringProp name="2">Part</stringProp></collectionProp></ModuleController><hashTree/>"#;
    let three = controller(
        "LoopController",
        "three times",
        r#"<stringProp name="LoopController.loops">3</stringProp>"#,
        &call("next", "GET", "/oai?resumptionToken=${token}", ""),
    );
    let inside = share("Harvest", "25.0", &(call("first", "GET", "/oai", regex) + &three))
        + &share("Other", "75.0", module)
        + &controller("TestFragmentController", "Part", "", &call("part", "GET", "/part", ""));
    let (workflow, text, notes) = imported(&inside);
    let named: Vec<(&str, f64)> =
        workflow.transactions.iter().map(|one| (one.name.as_str(), one.share)).collect();
    assert_eq!(named, [("Harvest", 2.0), ("Other", 6.0)], "{text}\n{notes}");
    assert!(text.contains(r#"find = { token = "resumption=\"(.+?)\"" }"#), "{text}");
    assert!(text.contains("repeat = 3"), "{text}");
}

#[test]
fn what_was_not_read_is_told_with_its_line() {
    let script =
        r#"<JSR223PostProcessor testclass="JSR223PostProcessor" testname="s" enabled="true"/><hashTree/>"#;
    let off = r#"<HTTPSamplerProxy testclass="HTTPSamplerProxy" testname="off" enabled="false"><stringProp name="HTTPSampler.path">/off</stringProp></HTTPSamplerProxy><hashTree/>"#;
    let condition = r#"<stringProp name="IfController.condition">"${way}" == "in"</stringProp>"#;
    let inside = call("a", "GET", "/a", &(json("deep", "$.x[?(@.y == 1)].id", 1, "") + script))
        + &controller("IfController", "way", condition, &call("b", "PATCH", "/b", ""))
        + &call("c", "GET", "/c/${deep}", "")
        + off
        + &call("login", "POST", "/authn/login", "");
    let (workflow, text, notes) = imported(&inside);
    assert_eq!(workflow.labels, ["a", "c"], "{text}");
    for told in [
        ": deep: the path $.x[?(@.y == 1)].id was not read",
        ": JSR223PostProcessor: this was not read",
        ": IfController \"way\": \"${way}\" == \"in\": what stands in it is done each time",
        ": \"b\": no workflow has a PATCH; the call is left out",
        ": ${deep}: nothing that could be read gives it a value",
    ] {
        assert!(
            notes.lines().any(|line| line.starts_with("  line ") && line.contains(told)),
            "{told}\n{notes}"
        );
    }
}

#[test]
fn thread_groups_of_the_plugins_are_read() {
    let group = |group: &str| {
        let call = call("a", "GET", "/a", "");
        let text = format!(
            "<jmeterTestPlan><hashTree><TestPlan testclass='TestPlan' testname='t'/><hashTree>{group}<hashTree>{call}</hashTree></hashTree></hashTree></jmeterTestPlan>"
        );
        import("p", &text, |_| None).unwrap().files[1].1.clone()
    };
    let ultimate = group(
        "<kg.apc.jmeter.threads.UltimateThreadGroup testclass='kg.apc.jmeter.threads.UltimateThreadGroup' testname='u'>\
         <collectionProp name='ultimatethreadgroupdata'><collectionProp name='1'><stringProp name='a'>30</stringProp><stringProp name='b'>0</stringProp>\
         <stringProp name='c'>60</stringProp><stringProp name='d'>600</stringProp><stringProp name='e'>10</stringProp></collectionProp></collectionProp>\
         </kg.apc.jmeter.threads.UltimateThreadGroup>",
    );
    assert!(
        ultimate.contains("users = 30\nramp-up = \"60 s\"") && ultimate.contains("duration = \"660 s\""),
        "{ultimate}"
    );
    let concurrency = group(
        "<x testclass='com.blazemeter.jmeter.threads.concurrency.ConcurrencyThreadGroup' testname='c'><stringProp name='TargetLevel'>20</stringProp>\
         <stringProp name='RampUp'>2</stringProp><stringProp name='Hold'>30</stringProp><stringProp name='Unit'>M</stringProp></x>",
    );
    assert!(
        concurrency.contains("users = 20\nramp-up = \"120 s\"")
            && concurrency.contains("duration = \"1920 s\""),
        "{concurrency}"
    );
}

#[test]
fn what_is_no_plan_is_said_to_be_none() {
    assert!(import("p", "<html><hashTree/></html>", |_| None).is_err());
    assert!(import("p", "no xml", |_| None).is_err());
}
