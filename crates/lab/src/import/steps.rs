//! Translates JMeter's controllers to steps of a workflow.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::call::{self, SamplerContext};
use super::condition::{VariableComparison, parse_comparisons};
use super::names::{Names, Origin};
use super::plan::{Element, FRAGMENT, IGNORED_KINDS, Part};
use super::script;
use super::scripted;
use super::text::escape_braces;
use super::write::{Step, Transaction, has_calls};

/// The most levels of module controllers that refer to one another.
const MOST_MODULE_DEPTH: usize = 8;

/// The most elements that an import visits, counting repetitions by module controllers: a plan of a few lines may stand for millions of
/// calls.
const MOST_LOOKS: usize = 200_000;

pub(super) struct PlanReader<'n, 'd> {
    pub(super) names: &'n mut Names,
    /// The elements that module controllers may stand for, by name; of several with one name the first.
    targets: BTreeMap<&'d str, &'d Element<'d>>,
    /// The number of module controllers that are being translated at present.
    depth: usize,
    looks_left: Cell<usize>,
}

impl<'n, 'd> PlanReader<'n, 'd> {
    pub(super) fn new(names: &'n mut Names, plan: &'d [Element<'d>]) -> PlanReader<'n, 'd> {
        let mut targets = BTreeMap::new();
        for element in plan.iter().flat_map(Element::with_descendants) {
            if element.kind() != "ModuleController" && !element.children.is_empty() {
                targets.entry(element.name()).or_insert(element);
            }
        }
        PlanReader { names, targets, depth: 0, looks_left: Cell::new(MOST_LOOKS) }
    }

    /// Counts one more visited element; returns false if there were [`MOST_LOOKS`] already.
    fn count_visit(&self) -> bool {
        let left = self.looks_left.get();
        self.looks_left.set(left.saturating_sub(1));
        left > 0
    }

    pub(super) fn read_steps(&mut self, elements: &'d [Element<'d>], around: &SamplerContext) -> Vec<Step> {
        let around = around.with_elements(elements, self.names);
        // Fragments are done where a module controller names them.
        let done: Vec<&Element<'d>> = elements.iter().filter(|element| element.kind() != FRAGMENT).collect();
        let (mut steps, mut at) = (Vec::new(), 0);
        while at < done.len() {
            let branches = self.count_branches(&done[at..]);
            if branches > 0 {
                steps.extend(self.read_branches(&done[at..at + branches], &around));
                at += branches;
            } else {
                steps.extend(self.read_element(done[at], &around));
                at += 1;
            }
        }
        steps
    }

    fn read_element(&mut self, element: &'d Element<'d>, around: &SamplerContext) -> Vec<Step> {
        let line = element.line;
        if !self.count_visit() {
            self.names
                .note_missing(line, "the plan stands for too many calls; those from here on are left out");
            return Vec::new();
        }
        match element.kind() {
            "HTTPSamplerProxy" | "HTTPSampler" | "HTTPSampler2" => {
                call::read_sampler(element, around, self.names)
            }
            "TransactionController" | "GenericController" => self.read_steps(&element.children, around),
            "LoopController" => self.read_loop(element, around),
            "WhileController" => self.read_while(element, around),
            "ForeachController" => {
                let of = |name: &str| element.text(&format!("ForeachController.{name}"));
                self.read_for_each(element, of("inputVal"), of("returnVal"), around)
            }
            "IfController" => self.read_if(element, around),
            "SwitchController" | "RandomController" => self.read_drawn_child(element, around),
            "OnceOnlyController" if !self.has_call(element) => Vec::new(),
            "OnceOnlyController" => {
                self.read_unsupported(element, "done each time here, not once by each user", around)
            }
            "ParallelSampler" => {
                self.names.note_element(element, "its calls are made one after the other");
                self.read_steps(&element.children, around)
            }
            "ModuleController" => self.read_module(element, around),
            "TestAction" => self.read_pause_action(element),
            "JSR223Sampler" | "BeanShellSampler" => scripted::read_script(element, self.names),
            kind if IGNORED_KINDS.contains(&kind) || kind.ends_with("Timer") => Vec::new(),
            // Assertions and extractors that stand in a group are about each of its answers.
            kind if kind.ends_with("Assertion")
                || kind.ends_with("Processor")
                || kind.ends_with("Extractor") =>
            {
                self.names.note(line, format!("{kind}: this was not read"));
                for name in script::assigned_names(scripted::script_text(element)) {
                    self.names.unread_sources.insert(name, (line, kind.to_owned()));
                }
                Vec::new()
            }
            kind => {
                let told = format!("{kind}: this was not read");
                if self.has_call(element) {
                    self.names.note_missing(line, told);
                } else {
                    self.names.note(line, told);
                }
                self.read_steps(&element.children, around)
            }
        }
    }

    /// Translates the content of a controller that a workflow cannot express, and notes the difference.
    fn read_unsupported(
        &mut self,
        element: &'d Element<'d>,
        told: &str,
        around: &SamplerContext,
    ) -> Vec<Step> {
        if self.has_call(element) {
            self.names.note_missing_part(element, format!("what stands in it is {told}"));
        }
        self.read_in_scope(element, around)
    }

    /// Whether the element contains a call other than a log-in, directly or by module controllers.
    pub(super) fn has_call(&self, element: &Element<'d>) -> bool {
        self.has_call_within(element, 0)
    }

    fn has_call_within(&self, element: &Element<'d>, depth: usize) -> bool {
        if call::is_call(element) || !self.count_visit() {
            return true;
        }
        let target = (element.kind() == "ModuleController" && depth < MOST_MODULE_DEPTH)
            .then(|| self.module_target(element))
            .flatten();
        let inside = target.map_or(&element.children, |target| &target.children);
        let direct = target.is_some_and(call::is_call);
        direct
            || inside.iter().any(|child| child.kind() != FRAGMENT && self.has_call_within(child, depth + 1))
    }

    /// The steps of a controller. Values that are taken inside it are unknown after it.
    fn read_in_scope(&mut self, element: &'d Element<'d>, around: &SamplerContext) -> Vec<Step> {
        let entered = self.names.enter_scope();
        let steps = self.read_steps(&element.children, around);
        self.names.leave_scope(entered);
        steps
    }

    fn read_loop(&mut self, element: &'d Element<'d>, around: &SamplerContext) -> Vec<Step> {
        let text = element.text("LoopController.loops");
        match self.names.parse_number(text) {
            Some(times) if times < 0.0 => {
                let told = "done once here, and without end by JMeter, which never comes to what follows it";
                self.read_unsupported(element, told, around)
            }
            Some(1.0) => self.read_steps(&element.children, around),
            Some(times) => {
                let steps = self.read_in_scope(element, around);
                if has_calls(&steps) { vec![Step::Repeat(times as u64, steps)] } else { Vec::new() }
            }
            None => {
                let told = format!("done once here; {text} times is no number that can be read");
                self.read_unsupported(element, &told, around)
            }
        }
    }

    /// A while controller that iterates over a list by counting.
    fn read_while(&mut self, element: &'d Element<'d>, around: &SamplerContext) -> Vec<Step> {
        match scripted::find_list_loop(element) {
            Some((value, list)) => {
                let told =
                    format!("it goes through all of {list}, which the plan counts by a value of its own");
                self.names.note_element(element, told);
                self.read_for_each(element, &list, &value, around)
            }
            None => {
                let condition = one_line(element.text("WhileController.condition"));
                let told = format!("done once here, and by JMeter as long as {condition}");
                self.read_unsupported(element, &told, around)
            }
        }
    }

    fn read_for_each(
        &mut self,
        element: &'d Element<'d>,
        list: &str,
        value: &str,
        around: &SamplerContext,
    ) -> Vec<Step> {
        if !self.names.use_list(list) {
            self.names.note_missing_part(element, format!("no list {list} was read; its steps are left out"));
            return Vec::new();
        }
        let entered = self.names.enter_scope();
        self.names.add_known(value, Origin::Loop);
        let steps = self.read_steps(&element.children, around);
        self.names.leave_scope(entered);
        if !has_calls(&steps) {
            return Vec::new();
        }
        vec![Step::Each { value: value.to_owned(), list: list.to_owned(), steps }]
    }

    fn read_if(&mut self, element: &'d Element<'d>, around: &SamplerContext) -> Vec<Step> {
        let condition = element.text("IfController.condition");
        let Some(all) = parse_comparisons(condition) else {
            let told = format!("done each time here, and by JMeter if {}", one_line(condition));
            return self.read_unsupported(element, &told, around);
        };
        if !self.has_call(element) {
            return self.read_in_scope(element, around);
        }
        let asked: Vec<(String, VariableComparison)> =
            all.into_iter().map(|one| (self.names.use_variable(&one.name, element.line), one)).collect();
        let steps = self.read_in_scope(element, around);
        let around_them = |steps: Vec<Step>, (name, asked): (String, VariableComparison)| {
            vec![Step::If { name, is: asked.is_equal, text: escape_braces(&asked.text), steps }]
        };
        if has_calls(&steps) { asked.into_iter().rev().fold(steps, around_them) } else { Vec::new() }
    }

    /// The number of elements, from the first on, that are branches of one random choice.
    fn count_branches(&self, elements: &[&'d Element<'d>]) -> usize {
        let first = elements[0];
        if is_share_controller(first) {
            return elements.iter().take_while(|element| is_share_controller(element)).count();
        }
        let Some(name) = self.drawn_variable(first) else { return 0 };
        elements.iter().take_while(|element| self.drawn_variable(element) == Some(name.clone())).count()
    }

    /// The variable that an if controller compares, if a script sets it at random.
    fn drawn_variable(&self, element: &Element<'d>) -> Option<String> {
        let asked = parse_comparisons(element.text("IfController.condition"))?;
        let [one] = asked.as_slice() else { return None };
        (one.is_equal && self.names.drawn_texts.contains_key(&one.name)).then(|| one.name.clone())
    }

    fn read_branches(&mut self, elements: &[&'d Element<'d>], around: &SamplerContext) -> Vec<Step> {
        let shares: Vec<f64> =
            elements.iter().map(|element| self.branch_share(element, elements.len())).collect();
        let all: f64 = shares.iter().sum();
        if all > 100.0 && elements.iter().all(|element| is_share_controller(element)) {
            // Each is drawn by itself.
            let each = elements.iter().zip(&shares);
            return each
                .flat_map(|(element, share)| self.read_alternatives(&[*element], &[*share], around))
                .collect();
        }
        self.read_alternatives(elements, &shares, around)
    }

    fn read_alternatives(
        &mut self,
        elements: &[&'d Element<'d>],
        shares: &[f64],
        around: &SamplerContext,
    ) -> Vec<Step> {
        let mut alternatives = Vec::new();
        for (element, share) in elements.iter().zip(shares) {
            let name = self.branch_name(element);
            let steps = self.read_in_scope(element, around);
            alternatives.push(Transaction { name, share: *share, steps });
        }
        let rest = 100.0 - shares.iter().sum::<f64>();
        if rest > 0.0 {
            alternatives.push(Transaction { name: "nothing".to_owned(), share: rest, steps: Vec::new() });
        }
        if alternatives.iter().any(|one| has_calls(&one.steps)) {
            vec![Step::Choice(alternatives)]
        } else {
            Vec::new()
        }
    }

    /// How often of a hundred times a branch is chosen.
    fn branch_share(&mut self, element: &Element<'d>, many: usize) -> f64 {
        if is_share_controller(element) {
            let text = element.text("ThroughputController.percentThroughput");
            return self.names.parse_number(text).unwrap_or_else(|| {
                self.names.note_missing_part(element, format!("its share {text} is no number"));
                100.0 / many as f64
            });
        }
        let asked = parse_comparisons(element.text("IfController.condition")).unwrap_or_default();
        let Some(VariableComparison { name, text, .. }) = asked.first() else { return 0.0 };
        let drawn = self.names.drawn_texts.get(name).into_iter().flatten();
        drawn.filter(|(known, _)| known == text).map(|(_, share)| share).sum()
    }

    /// A controller that runs one of its children each time.
    fn read_drawn_child(&mut self, element: &'d Element<'d>, around: &SamplerContext) -> Vec<Step> {
        let inside: Vec<&Element<'d>> =
            element.children.iter().filter(|child| self.has_call(child)).collect();
        let shares = match element.kind() {
            "RandomController" => Some(vec![100.0 / inside.len() as f64; inside.len()]),
            _ => scripted::switch_shares(element.text("SwitchController.value"), self.names),
        };
        let Some(shares) = shares.filter(|shares| shares.len() == inside.len()) else {
            let value = one_line(element.text("SwitchController.value"));
            let told = format!("all done here; JMeter does the one that {value} names");
            return self.read_unsupported(element, &told, around);
        };
        let around = around.with_elements(&element.children, self.names);
        let mut alternatives = Vec::new();
        for (child, share) in inside.into_iter().zip(shares) {
            let entered = self.names.enter_scope();
            let steps = self.read_element(child, &around);
            self.names.leave_scope(entered);
            alternatives.push(Transaction { name: self.branch_name(child), share, steps });
        }
        vec![Step::Choice(alternatives)]
    }

    /// The name of a branch: that of the transaction controller in it, if that is its only content.
    fn branch_name(&self, element: &Element<'d>) -> String {
        match element.children.iter().filter(|child| self.has_call(child)).collect::<Vec<_>>().as_slice() {
            [one] if one.kind() == "TransactionController" => one.name().to_owned(),
            [one] if one.kind() == "ModuleController" => self
                .module_target(one)
                .filter(|target| target.kind() == "TransactionController")
                .unwrap_or(element)
                .name()
                .to_owned(),
            _ => element.name().to_owned(),
        }
    }

    fn module_target(&self, element: &Element<'d>) -> Option<&'d Element<'d>> {
        let path = element.parts("ModuleController.node_path");
        self.targets.get(path.last().map(Part::value).unwrap_or_default()).copied()
    }

    fn read_module(&mut self, element: &'d Element<'d>, around: &SamplerContext) -> Vec<Step> {
        let Some(found) = self.module_target(element) else {
            self.names.note_missing_part(element, "what it stands for is not in the plan");
            return Vec::new();
        };
        if self.depth > MOST_MODULE_DEPTH {
            self.names.note_missing_part(
                element,
                format!("modules stand in it more than {MOST_MODULE_DEPTH} deep"),
            );
            return Vec::new();
        }
        self.depth += 1;
        let steps = match found.kind() {
            FRAGMENT => self.read_steps(&found.children, around),
            _ => self.read_element(found, around),
        };
        self.depth -= 1;
        steps
    }

    fn read_pause_action(&mut self, element: &'d Element<'d>) -> Vec<Step> {
        match self.names.parse_number(element.text("ActionProcessor.duration")) {
            Some(millis) if element.text("ActionProcessor.action") == "1" && millis > 0.0 => {
                vec![Step::Think(millis / 1e3, millis / 1e3)]
            }
            // Timers that stand under a pause of nothing are the pause.
            _ => {
                let (from, to) = SamplerContext::default().with_elements(&element.children, self.names).pause;
                if to > 0.0 { vec![Step::Think(from, to)] } else { Vec::new() }
            }
        }
    }
}

/// Whether a controller runs in a given per cent of all loops.
fn is_share_controller(element: &Element<'_>) -> bool {
    element.kind() == "ThroughputController" && element.text("ThroughputController.style") == "1"
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
