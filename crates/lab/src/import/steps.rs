//! Controllers as steps.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::call::{self, Around};
use super::condition::{Asked, asked};
use super::names::{Names, Origin};
use super::plan::{Element, FRAGMENT, OF_NO_MEANING, Part};
use super::script;
use super::scripted;
use super::text::doubled;
use super::write::{Step, Transaction, calls};

/// How deep modules may stand in modules.
const DEEPEST: usize = 8;

/// Elements that are looked at, those that modules bring in again with them: a plan of a few lines may stand for millions.
const MOST_LOOKS: usize = 200_000;

pub(super) struct Reading<'n, 'd> {
    pub(super) names: &'n mut Names,
    /// The elements that module controllers may stand for, by name; of several with one name the first.
    targets: BTreeMap<&'d str, &'d Element<'d>>,
    /// Modules within which the reading is.
    depth: usize,
    looks_left: Cell<usize>,
}

impl<'n, 'd> Reading<'n, 'd> {
    pub(super) fn new(names: &'n mut Names, plan: &'d [Element<'d>]) -> Reading<'n, 'd> {
        let mut targets = BTreeMap::new();
        for element in plan.iter().flat_map(Element::all) {
            if element.kind() != "ModuleController" && !element.children.is_empty() {
                targets.entry(element.name()).or_insert(element);
            }
        }
        Reading { names, targets, depth: 0, looks_left: Cell::new(MOST_LOOKS) }
    }

    /// Whether another element may be looked at.
    fn look(&self) -> bool {
        let left = self.looks_left.get();
        self.looks_left.set(left.saturating_sub(1));
        left > 0
    }

    pub(super) fn list(&mut self, elements: &'d [Element<'d>], around: &Around) -> Vec<Step> {
        let around = around.with(elements, self.names);
        // Fragments are done where a module controller names them.
        let done: Vec<&Element<'d>> = elements.iter().filter(|element| element.kind() != FRAGMENT).collect();
        let (mut steps, mut at) = (Vec::new(), 0);
        while at < done.len() {
            let branches = self.branches(&done[at..]);
            if branches > 0 {
                steps.extend(self.choice(&done[at..at + branches], &around));
                at += branches;
            } else {
                steps.extend(self.one(done[at], &around));
                at += 1;
            }
        }
        steps
    }

    fn one(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let line = element.line;
        if !self.look() {
            self.names.lack(line, "the plan stands for too many calls; those from here on are left out");
            return Vec::new();
        }
        match element.kind() {
            "HTTPSamplerProxy" | "HTTPSampler" | "HTTPSampler2" => call::read(element, around, self.names),
            "TransactionController" | "GenericController" => self.list(&element.children, around),
            "LoopController" => self.repeated(element, around),
            "WhileController" => self.counted(element, around),
            "ForeachController" => {
                let of = |name: &str| element.text(&format!("ForeachController.{name}"));
                self.each(element, of("inputVal"), of("returnVal"), around)
            }
            "IfController" => self.only_if(element, around),
            "SwitchController" | "RandomController" => self.drawn(element, around),
            "OnceOnlyController" if !self.sends(element) => Vec::new(),
            "OnceOnlyController" => {
                self.not_so(element, "done each time here, not once by each user", around)
            }
            "ParallelSampler" => {
                self.names.note_of(element, "its calls are made one after the other");
                self.list(&element.children, around)
            }
            "ModuleController" => self.module(element, around),
            "TestAction" => self.pause(element),
            "JSR223Sampler" | "BeanShellSampler" => scripted::script(element, self.names),
            kind if OF_NO_MEANING.contains(&kind) || kind.ends_with("Timer") => Vec::new(),
            // Assertions and extractors that stand in a group are about each of its answers.
            kind if kind.ends_with("Assertion")
                || kind.ends_with("Processor")
                || kind.ends_with("Extractor") =>
            {
                self.names.note(line, format!("{kind}: this was not read"));
                for name in script::given(scripted::script_of(element)) {
                    self.names.unread.insert(name, (line, kind.to_owned()));
                }
                Vec::new()
            }
            kind => {
                let told = format!("{kind}: this was not read");
                if self.sends(element) {
                    self.names.lack(line, told);
                } else {
                    self.names.note(line, told);
                }
                self.list(&element.children, around)
            }
        }
    }

    /// A controller that no workflow has a word for.
    fn not_so(&mut self, element: &'d Element<'d>, told: &str, around: &Around) -> Vec<Step> {
        if self.sends(element) {
            self.names.lack_of(element, format!("what stands in it is {told}"));
        }
        self.within(element, around)
    }

    /// Whether there is a call in it that is no log-in, also by modules.
    pub(super) fn sends(&self, element: &Element<'d>) -> bool {
        self.sends_within(element, 0)
    }

    fn sends_within(&self, element: &Element<'d>, depth: usize) -> bool {
        if call::is_call(element) || !self.look() {
            return true;
        }
        let target =
            (element.kind() == "ModuleController" && depth < DEEPEST).then(|| self.target(element)).flatten();
        let inside = target.map_or(&element.children, |target| &target.children);
        let direct = target.is_some_and(call::is_call);
        direct || inside.iter().any(|child| child.kind() != FRAGMENT && self.sends_within(child, depth + 1))
    }

    /// The steps of a controller; values that are taken inside are not known after it.
    fn within(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let entered = self.names.enter();
        let steps = self.list(&element.children, around);
        self.names.leave(entered);
        steps
    }

    fn repeated(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let text = element.text("LoopController.loops");
        match self.names.number(text) {
            Some(times) if times < 0.0 => {
                let told = "done once here, and without end by JMeter, which never comes to what follows it";
                self.not_so(element, told, around)
            }
            Some(1.0) => self.list(&element.children, around),
            Some(times) => {
                let steps = self.within(element, around);
                if calls(&steps) { vec![Step::Repeat(times as u64, steps)] } else { Vec::new() }
            }
            None => {
                let told = format!("done once here; {text} times is no number that can be read");
                self.not_so(element, &told, around)
            }
        }
    }

    /// A loop that goes through a list by counting.
    fn counted(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        match scripted::list_of(element) {
            Some((value, list)) => {
                let told =
                    format!("it goes through all of {list}, which the plan counts by a value of its own");
                self.names.note_of(element, told);
                self.each(element, &list, &value, around)
            }
            None => {
                let condition = one_line(element.text("WhileController.condition"));
                let told = format!("done once here, and by JMeter as long as {condition}");
                self.not_so(element, &told, around)
            }
        }
    }

    fn each(&mut self, element: &'d Element<'d>, list: &str, value: &str, around: &Around) -> Vec<Step> {
        if !self.names.list(list) {
            self.names.lack_of(element, format!("no list {list} was read; its steps are left out"));
            return Vec::new();
        }
        let entered = self.names.enter();
        self.names.add(value, Origin::Loop);
        let steps = self.list(&element.children, around);
        self.names.leave(entered);
        if !calls(&steps) {
            return Vec::new();
        }
        vec![Step::Each { value: value.to_owned(), list: list.to_owned(), steps }]
    }

    fn only_if(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let condition = element.text("IfController.condition");
        let Some(all) = asked(condition) else {
            let told = format!("done each time here, and by JMeter if {}", one_line(condition));
            return self.not_so(element, &told, around);
        };
        if !self.sends(element) {
            return self.within(element, around);
        }
        let asked: Vec<(String, Asked)> =
            all.into_iter().map(|one| (self.names.place(&one.name, element.line), one)).collect();
        let steps = self.within(element, around);
        let around_them = |steps: Vec<Step>, (name, asked): (String, Asked)| {
            vec![Step::If { name, is: asked.is, text: doubled(&asked.text), steps }]
        };
        if calls(&steps) { asked.into_iter().rev().fold(steps, around_them) } else { Vec::new() }
    }

    /// How many of the elements, from the first on, are branches of which one is taken each time.
    fn branches(&self, elements: &[&'d Element<'d>]) -> usize {
        let first = elements[0];
        if is_share(first) {
            return elements.iter().take_while(|element| is_share(element)).count();
        }
        let Some(name) = self.asked_of_drawn(first) else { return 0 };
        elements.iter().take_while(|element| self.asked_of_drawn(element) == Some(name.clone())).count()
    }

    /// The variable that an `if` compares, if a script draws it.
    fn asked_of_drawn(&self, element: &Element<'d>) -> Option<String> {
        let asked = asked(element.text("IfController.condition"))?;
        let [one] = asked.as_slice() else { return None };
        (one.is && self.names.drawn.contains_key(&one.name)).then(|| one.name.clone())
    }

    fn choice(&mut self, elements: &[&'d Element<'d>], around: &Around) -> Vec<Step> {
        let shares: Vec<f64> = elements.iter().map(|element| self.share(element, elements.len())).collect();
        let all: f64 = shares.iter().sum();
        if all > 100.0 && elements.iter().all(|element| is_share(element)) {
            // Each is drawn by itself.
            let each = elements.iter().zip(&shares);
            return each
                .flat_map(|(element, share)| self.alternatives(&[*element], &[*share], around))
                .collect();
        }
        self.alternatives(elements, &shares, around)
    }

    fn alternatives(&mut self, elements: &[&'d Element<'d>], shares: &[f64], around: &Around) -> Vec<Step> {
        let mut alternatives = Vec::new();
        for (element, share) in elements.iter().zip(shares) {
            let name = self.named(element);
            let steps = self.within(element, around);
            alternatives.push(Transaction { name, share: *share, steps });
        }
        let rest = 100.0 - shares.iter().sum::<f64>();
        if rest > 0.0 {
            alternatives.push(Transaction { name: "nothing".to_owned(), share: rest, steps: Vec::new() });
        }
        if alternatives.iter().any(|one| calls(&one.steps)) {
            vec![Step::Choice(alternatives)]
        } else {
            Vec::new()
        }
    }

    /// How often, of a hundred times, a branch is taken.
    fn share(&mut self, element: &Element<'d>, many: usize) -> f64 {
        if is_share(element) {
            let text = element.text("ThroughputController.percentThroughput");
            return self.names.number(text).unwrap_or_else(|| {
                self.names.lack_of(element, format!("its share {text} is no number"));
                100.0 / many as f64
            });
        }
        let asked = asked(element.text("IfController.condition")).unwrap_or_default();
        let Some(Asked { name, text, .. }) = asked.first() else { return 0.0 };
        let drawn = self.names.drawn.get(name).into_iter().flatten();
        drawn.filter(|(known, _)| known == text).map(|(_, share)| share).sum()
    }

    /// A controller that does one of its children.
    fn drawn(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let inside: Vec<&Element<'d>> = element.children.iter().filter(|child| self.sends(child)).collect();
        let shares = match element.kind() {
            "RandomController" => Some(vec![100.0 / inside.len() as f64; inside.len()]),
            _ => scripted::switch_shares(element.text("SwitchController.value"), self.names),
        };
        let Some(shares) = shares.filter(|shares| shares.len() == inside.len()) else {
            let value = one_line(element.text("SwitchController.value"));
            let told = format!("all done here; JMeter does the one that {value} names");
            return self.not_so(element, &told, around);
        };
        let around = around.with(&element.children, self.names);
        let mut alternatives = Vec::new();
        for (child, share) in inside.into_iter().zip(shares) {
            let entered = self.names.enter();
            let steps = self.one(child, &around);
            self.names.leave(entered);
            alternatives.push(Transaction { name: self.named(child), share, steps });
        }
        vec![Step::Choice(alternatives)]
    }

    /// The name of a branch: that of the transaction in it, if there is nothing else in it.
    fn named(&self, element: &Element<'d>) -> String {
        match element.children.iter().filter(|child| self.sends(child)).collect::<Vec<_>>().as_slice() {
            [one] if one.kind() == "TransactionController" => one.name().to_owned(),
            [one] if one.kind() == "ModuleController" => self
                .target(one)
                .filter(|target| target.kind() == "TransactionController")
                .unwrap_or(element)
                .name()
                .to_owned(),
            _ => element.name().to_owned(),
        }
    }

    fn target(&self, element: &Element<'d>) -> Option<&'d Element<'d>> {
        let path = element.parts("ModuleController.node_path");
        self.targets.get(path.last().map(Part::value).unwrap_or_default()).copied()
    }

    fn module(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let Some(found) = self.target(element) else {
            self.names.lack_of(element, "what it stands for is not in the plan");
            return Vec::new();
        };
        if self.depth > DEEPEST {
            self.names.lack_of(element, format!("modules stand in it more than {DEEPEST} deep"));
            return Vec::new();
        }
        self.depth += 1;
        let steps = match found.kind() {
            FRAGMENT => self.list(&found.children, around),
            _ => self.one(found, around),
        };
        self.depth -= 1;
        steps
    }

    fn pause(&mut self, element: &'d Element<'d>) -> Vec<Step> {
        match self.names.number(element.text("ActionProcessor.duration")) {
            Some(millis) if element.text("ActionProcessor.action") == "1" && millis > 0.0 => {
                vec![Step::Think(millis / 1e3, millis / 1e3)]
            }
            // Timers that stand under a pause of nothing are the pause.
            _ => {
                let (from, to) = Around::default().with(&element.children, self.names).pause;
                if to > 0.0 { vec![Step::Think(from, to)] } else { Vec::new() }
            }
        }
    }
}

/// Whether a controller is done in a share of all loops.
fn is_share(element: &Element<'_>) -> bool {
    element.kind() == "ThroughputController" && element.text("ThroughputController.style") == "1"
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
