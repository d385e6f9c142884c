//! Parses a JMeter plan as a tree of elements. In the file each element is followed by a `hashTree` with its children.

use anyhow::{Context, Result, ensure};
use roxmltree::{Document, Node};

/// Kinds of elements that have no effect on the load, such as those that show or store results.
pub(super) const IGNORED_KINDS: [&str; 13] = [
    "ResultCollector",
    "DebugSampler",
    "DebugPostProcessor",
    "CookieManager",
    "CacheManager",
    "BackendListener",
    "TestPlan",
    "ConfigTestElement",
    "Arguments",
    "HeaderManager",
    "CSVDataSet",
    "ResultAction",
    "JSR223Listener",
];
/// The most levels of nested elements, because the readers of plans are recursive.
const MOST_DEPTH: usize = 60;
pub(super) const FRAGMENT: &str = "TestFragmentController";

pub(super) struct Element<'d> {
    xml: Node<'d, 'd>,
    pub(super) line: usize,
    pub(super) children: Vec<Element<'d>>,
}

/// The elements at the top of the plan, without those that are switched off.
pub(super) fn read_plan<'d>(document: &'d Document<'d>) -> Result<Vec<Element<'d>>> {
    let root = document.root_element();
    let tree = root.children().find(|node| node.has_tag_name("hashTree"));
    let tree = tree.filter(|_| root.has_tag_name("jmeterTestPlan")).context("this is no plan of JMeter")?;
    let text = document.input_text();
    read_elements(tree, &text.match_indices('\n').map(|(at, _)| at).collect::<Vec<usize>>(), 0)
}

/// `ends` are the places at which the lines of the document end.
fn read_elements<'d>(tree: Node<'d, 'd>, ends: &[usize], depth: usize) -> Result<Vec<Element<'d>>> {
    ensure!(depth <= MOST_DEPTH, "elements of the plan stand in one another, more than {MOST_DEPTH} deep");
    let nodes: Vec<Node<'d, 'd>> = tree.children().filter(Node::is_element).collect();
    let mut found = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        if node.has_tag_name("hashTree") || node.attribute("enabled") == Some("false") {
            continue;
        }
        let tree = nodes.get(at + 1).filter(|next| next.has_tag_name("hashTree"));
        let line = ends.partition_point(|end| *end < node.range().start) + 1;
        let children =
            tree.map(|tree| read_elements(*tree, ends, depth + 1)).transpose()?.unwrap_or_default();
        found.push(Element { xml: *node, line, children });
    }
    Ok(found)
}

impl<'d> Element<'d> {
    /// The element's class without its package: `HTTPSamplerProxy`.
    pub(super) fn kind(&self) -> &'d str {
        let class = self.xml.attribute("testclass").unwrap_or(self.xml.tag_name().name());
        class.rsplit('.').next().unwrap_or(class)
    }

    pub(super) fn name(&self) -> &'d str {
        self.xml.attribute("testname").unwrap_or_default()
    }

    /// The element's kind and name, for messages.
    pub(super) fn description(&self) -> String {
        format!("{} \"{}\"", self.kind(), self.name())
    }

    /// A value of its own, not of a part: `HTTPSampler.path`.
    pub(super) fn text(&self, name: &str) -> &'d str {
        own_value(self.xml, name).unwrap_or_default()
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// The parts of a list, each with its values: headers, arguments, variables.
    pub(super) fn parts(&self, list: &str) -> Vec<Part<'d>> {
        let of = self.xml.descendants().find(|node| node.attribute("name") == Some(list));
        let parts = of.into_iter().flat_map(|list| list.children().filter(Node::is_element));
        parts.map(Part).collect()
    }

    pub(super) fn with_descendants(&self) -> Vec<&Element<'d>> {
        let mut all = vec![self];
        all.extend(self.children.iter().flat_map(Element::with_descendants));
        all
    }
}

/// A part of a list: a table, or a text alone.
pub(super) struct Part<'d>(Node<'d, 'd>);

impl<'d> Part<'d> {
    pub(super) fn text(&self, name: &str) -> &'d str {
        own_value(self.0, name).unwrap_or_default()
    }

    pub(super) fn value(&self) -> &'d str {
        self.0.text().unwrap_or_default()
    }

    pub(super) fn values(&self) -> Vec<&'d str> {
        self.0.children().filter(Node::is_element).map(|node| node.text().unwrap_or_default()).collect()
    }
}

fn own_value<'d>(node: Node<'d, 'd>, name: &str) -> Option<&'d str> {
    node.children().filter(Node::is_element).find_map(|child| {
        if child.attribute("name") == Some(name) {
            return Some(child.text().unwrap_or_default());
        }
        // How older plans write numbers with a fraction.
        let named = child.children().find(|part| part.has_tag_name("name"))?;
        (named.text() == Some(name)).then(|| {
            let value = child.children().find(|part| part.has_tag_name("value"));
            value.and_then(|value| value.text()).unwrap_or_default()
        })
    })
}
