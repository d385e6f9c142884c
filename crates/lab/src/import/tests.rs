use crate::files::Source;
use crate::workflow::{Action, Workflow, read};

use super::{format_notes, import};

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
    let notes = format_notes(&[done.notes, done.missing].concat());
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
    assert_eq!(steps[0].action, Action::Think(1.0, 3.0));
    assert!(matches!(&steps[2].action, Action::Each { steps, .. } if steps.len() == 1));
    assert!(text.contains(r#"take = { loans = "$.loans[*].item.barcode" }"#), "{text}");
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
        format_notes(&without.missing).contains("line 7: patrons.csv: put this file into workflows/"),
        "{:?}",
        without.missing
    );
}

#[test]
fn what_an_answer_lacks_is_the_default_and_calls_are_made_all_the_same() {
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
    assert!(text.contains(r#"take = { item = "$.items[0].id" }, else = { item = "NOT_FOUND" }"#), "{text}");
    assert!(text.contains(r#"{ if = "item", not = "NOT_FOUND", steps = ["#), "{text}");
    let asked: Vec<bool> = workflow.transactions[0].steps.iter().map(|step| step.only_if.is_some()).collect();
    assert_eq!(asked, [false, true, false], "as JMeter, which asks for /x/NOT_FOUND");
    assert_eq!(notes, "");
}

#[test]
fn what_is_used_before_it_is_taken_is_sent_as_it_stands() {
    let taken = call("taken", "GET", "/y", &json("later", "$.id", 1, ""));
    let (workflow, text, notes) = imported(&(call("early", "GET", "/x/${later}", "") + &taken));
    assert!(text.contains(r#"later = "${later}""#), "{text}");
    let [early, taken] = &workflow.calls[..] else { panic!("two calls") };
    // The parameter's place, which keeps what was taken for the next loop.
    assert_eq!(taken.take[0].slot, workflow.parameters[0].slot);
    assert!(format!("{:?}", early.target).contains(&format!("Value({})", taken.take[0].slot)));
    assert!(notes.contains("${later} is sent as it stands until it is first taken"), "{notes}");
}

/// As FOLIO's check-in/check-out plans draw what a loop does.
const DRAWN: &str = r#"<JSR223Sampler testclass="JSR223Sampler" testname="draws" enabled="true"><stringProp name="filename">scripts/draws.gvy</stringProp>
<stringProp name="parameters">43-57</stringProp><stringProp name="script"></stringProp></JSR223Sampler><hashTree/>
<JSR223Sampler testclass="JSR223Sampler" testname="names" enabled="true"><stringProp name="script">int distribution = Integer.parseInt(vars.get("distribution"));
def result
switch (distribution){
case 0:
result = "in"
break
case 1:
result = "out"
break
}
vars.put("way", result)</stringProp></JSR223Sampler><hashTree/>"#;

fn module(wanted: &str) -> String {
    format!(
        r#"<ModuleController testclass="ModuleController" testname="m" enabled="true"><collectionProp name="ModuleController.node_path">
<stringProp name="1">Test Plan</stringProp><stringProp name="2">{wanted}</stringProp></collectionProp></ModuleController><hashTree/>"#
    )
}

#[test]
fn a_plan_of_the_desk_becomes_one_transaction_for_each_branch() {
    let only = |way: &str, wanted: &str| {
        let condition =
            format!(r#"<stringProp name="IfController.condition">"${{way}}" == "{way}"</stringProp>"#);
        controller("IfController", way, &condition, &module(wanted))
    };
    let head = r#"<HeaderManager testclass="HeaderManager" testname="h" enabled="true"><collectionProp name="HeaderManager.headers">
<elementProp name="" elementType="Header"><stringProp name="Header.name">Origin</stringProp><stringProp name="Header.value">http://localhost</stringProp></elementProp>
</collectionProp></HeaderManager><hashTree/>"#;
    let points = call(
        "GET_points of ${patron} ${__UUID()}",
        "GET",
        "/service-points",
        &json("point", "$.servicepoints[*].id;", 0, "NONE"),
    );
    let page = call("OPTIONS_page", "OPTIONS", "/service-points", head)
        + &points
        + &call("use", "GET", "/use/${point}", "");
    let endless = controller(
        "LoopController",
        "endless",
        r#"<boolProp name="LoopController.continue_forever">true</boolProp><stringProp name="LoopController.loops">-1</stringProp>"#,
        &(controller("GenericController", "Define", "", DRAWN)
            + &only("in", "Check-In")
            + &only("out", "Check-Out")),
    );
    let log_in =
        controller("TestFragmentController", "Log in", "", &call("login", "POST", "authn/login", ""));
    let plan = module("Log in")
        + &endless
        + &log_in
        + &controller("TransactionController", "Check-In", "", &page)
        + &controller("TransactionController", "Check-Out", "", &call("out", "GET", "/out/${point}", ""));
    let (workflow, text, notes) = imported(&plan);
    let named: Vec<(&str, f64)> =
        workflow.transactions.iter().map(|one| (one.name.as_str(), one.share)).collect();
    assert_eq!(named, [("Check-In", 8.0 * 0.43), ("Check-Out", 8.0 * 0.57)], "{text}");
    assert!(text.contains(r#"headers = { Origin = "{server}" }"#), "{text}");
    assert!(
        text.contains(r#"any = { point = "$.servicepoints[*].id" }, else = { point = "NONE" }"#),
        "{text}"
    );
    assert_eq!(workflow.labels, ["OPTIONS_page", "GET_points of {patron} {UUID}", "use", "out"]);
    let done: Vec<usize> = workflow.transactions.iter().map(|one| one.steps.len()).collect();
    assert_eq!(done, [3, 1], "what follows the endless loop is never done: {text}");
    assert!(!notes.contains("missing") && !notes.contains("Log in"), "{notes}");
}

#[test]
fn a_loop_that_counts_up_goes_through_its_list() {
    let script = |kind: &str, text: &str| {
        format!(
            r#"<{kind} testclass="{kind}" testname="s" enabled="true"><stringProp name="script">{text}</stringProp></{kind}><hashTree/>"#
        )
    };
    let renew = call(
        "renew",
        "GET",
        "/renew/${barcode}",
        &script("JSR223PreProcessor", "vars.put(\"barcode\",vars.get(\"barcode_\"+vars.get(\"counter\")));"),
    );
    let count = script(
        "JSR223Sampler",
        "int counter = Integer.parseInt(vars.get(\"counter\")) +1;\nvars.put(\"counter\",Integer.toString(counter));",
    );
    let condition =
        r#"<stringProp name="WhileController.condition">${__jexl3(${counter} &lt;= ${all_1},)}</stringProp>"#;
    let loans = call("loans", "GET", "/loans", &json("barcode", "$.loans[*].barcode", -1, ""));
    let inside = loans
        + &script("JSR223Sampler", "vars.put(\"counter\",\"1\");")
        + &controller("WhileController", "w", condition, &(renew + &count));
    let (workflow, text, notes) = imported(&inside);
    assert!(text.contains(r#"{ for = "barcode", in = "barcode", steps = ["#), "{text}");
    assert!(
        matches!(&workflow.transactions[0].steps[1].action, Action::Each { steps, .. } if steps.len() == 1),
        "{text}"
    );
    assert!(notes.contains("it goes through all of barcode"), "{notes}");
}

#[test]
fn loops_are_done_as_often_as_they_say_also_where_they_begin_again() {
    let values = r#"<boolProp name="LoopController.continue_forever">true</boolProp><stringProp name="LoopController.loops">5</stringProp>"#;
    let (_, text, _) = imported(&controller("LoopController", "five", values, &call("a", "GET", "/a", "")));
    assert!(text.contains("repeat = 5"), "{text}");
}

#[test]
fn a_pause_that_is_no_number_is_none() {
    let timer = r#"<UniformRandomTimer testclass="UniformRandomTimer" testname="t" enabled="true"><stringProp name="ConstantTimer.delay">5000 + ${users}</stringProp>
<stringProp name="RandomTimer.range">2000</stringProp></UniformRandomTimer><hashTree/>"#;
    let (workflow, _, notes) = imported(&call("a", "GET", "/a", timer));
    assert_eq!(workflow.transactions[0].steps[0].action, Action::Think(0.0, 2.0));
    assert!(notes.contains("\"5000 + ${users}\" is no number: JMeter reads it as 0"), "{notes}");
}

#[test]
fn a_list_that_a_script_makes_longer_is_made_longer() {
    let script = "String one=vars.get(\"patron\");\none=one+\",\";\nString all=vars.get(\"all\");\nall=all+one;\nvars.put(\"all\",all);\n                  String list=vars.get(\"all\");\nlist = list.substring(0, list.length() - 1);\nvars.put(\"list\",list);";
    let before = format!(
        r#"<BeanShellPreProcessor testclass="BeanShellPreProcessor" testname="s" enabled="true"><stringProp name="script">{script}</stringProp></BeanShellPreProcessor><hashTree/>"#
    );
    let (_, text, notes) = imported(&call("a", "GET", "/a?ids=${list}", &before));
    let steps: Vec<&str> = text.split("steps = [").nth(1).unwrap().lines().map(str::trim).collect();
    assert_eq!(steps[1], r#"{ set = { list = "{all}{patrons.patron}" } },"#, "{text}");
    assert_eq!(steps[2], r#"{ set = { all = "{all}{patrons.patron}," } },"#, "{text}");
    assert!(steps[3].starts_with(r#"{ get = "/a?ids={list}""#), "{notes}");
}

#[test]
fn a_value_whose_name_means_something_else_here_has_another_one() {
    let taken = call("taken", "GET", "/y", &json("user", "$.id", 1, ""));
    let (_, text, _) = imported(&(taken + &call("use", "GET", "/users/${user}", "")));
    assert!(
        text.contains("/users/{user-value}") && text.contains(r#"take = { user-value = "$.id" }"#),
        "{text}"
    );
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
    assert!(text.contains(r#"find = { token = "resumption=\"(.+?)\"" }, else = { token = "" }"#), "{text}");
    assert!(text.contains("repeat = 3"), "{text}");
}

#[test]
fn what_was_not_read_is_told_with_its_line() {
    let script =
        r#"<JSR223PostProcessor testclass="JSR223PostProcessor" testname="s" enabled="true"/><hashTree/>"#;
    let off = r#"<HTTPSamplerProxy testclass="HTTPSamplerProxy" testname="off" enabled="false"><stringProp name="HTTPSampler.path">/off</stringProp></HTTPSamplerProxy><hashTree/>"#;
    let condition = r#"<stringProp name="IfController.condition">${way} > 5</stringProp>"#;
    let inside = call("a", "GET", "/a", &(json("deep", "$.x[?(@.y == 1)].id", 1, "") + script))
        + &controller(
            "IfController",
            "way",
            condition,
            &(call("b", "PATCH", "/b", "") + &call("d", "GET", "/d", "")),
        )
        + &call("c", "GET", "/c/${deep}", "")
        + off
        + &call("login", "POST", "/authn/login", "");
    let (workflow, text, notes) = imported(&inside);
    assert_eq!(workflow.labels, ["a", "d", "c"], "{text}");
    for told in [
        ": deep: the path $.x[?(@.y == 1)].id was not read",
        ": JSR223PostProcessor: this was not read",
        ": IfController \"way\": what stands in it is done each time here, and by JMeter if ${way} > 5",
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
    let empty = import("p", &plan(&call("login", "POST", "/authn/login", "")), |_| None);
    let told = empty.err().expect("a plan without calls").to_string();
    assert!(told.starts_with("the plan has no call that a workflow can make"), "{told}");
}
