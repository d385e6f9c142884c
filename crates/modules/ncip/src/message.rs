//! A message that begins an exchange: the service that it asks for, and the contents of its elements. XML namespaces are ignored: clients
//! send messages of version 1 and version 2 of the protocol alike.

use std::borrow::Cow;

use roxmltree::{Document, Node, ParsingOptions};

/// The most bytes of a message. A message about a title, a patron and an item has a few thousand.
const MAX_MESSAGE_BYTES: usize = 1 << 20;
/// The most elements, texts and attributes of a message together.
const MOST_NODES: u32 = 10_000;

/// An XML element. Its text and its members are read by the path of their names.
#[derive(Debug, Clone, Default)]
struct Element {
    name: String,
    text: String,
    inside: Vec<Element>,
}

#[derive(Debug)]
pub(crate) struct Message {
    /// The name of the service: `LookupUser`.
    pub(crate) service: String,
    service_element: Element,
}

impl Message {
    /// Parses a message. The error says why the bytes are no message.
    pub(crate) fn read(body: &[u8]) -> Result<Message, Cow<'static, str>> {
        if body.len() > MAX_MESSAGE_BYTES {
            return Err("the message is longer than 1 MiB".into());
        }
        let text = std::str::from_utf8(body).map_err(|_| "the message is not in UTF-8")?;
        let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
        let document = Document::parse_with_options(text, options).map_err(|error| error.to_string())?;
        let root = document.root_element();
        if root.tag_name().name() != "NCIPMessage" {
            return Err("the message is no NCIPMessage".into());
        }
        let asked = root.children().find(Node::is_element).ok_or("the message asks for no service")?;
        let asked = Element::read(asked, 0)?;
        Ok(Message { service: asked.name.clone(), service_element: asked })
    }

    /// The text of the first element of this path, if it has any.
    pub(crate) fn text(&self, path: &[&str]) -> Option<&str> {
        self.all(path).into_iter().find_map(Element::text)
    }

    /// The texts of all elements of this path.
    pub(crate) fn texts(&self, path: &[&str]) -> Vec<&str> {
        self.all(path).into_iter().filter_map(Element::text).collect()
    }

    /// Whether the answer is to have a part: `UserElementType` and `ItemElementType` list the parts that are wished for.
    pub(crate) fn wishes(&self, list: &str, part: &str) -> bool {
        self.texts(&[list]).iter().any(|wished| wished.eq_ignore_ascii_case(part))
    }

    /// The values that the patron has typed in to authenticate: pairs of a kind, such as `Barcode Id`, and a value.
    pub(crate) fn authentication_inputs(&self) -> Vec<(&str, &str)> {
        let inputs =
            self.service_element.inside.iter().filter(|element| element.name == "AuthenticationInput");
        inputs
            .filter_map(|input| {
                let kind = input.member("AuthenticationInputType")?.text()?;
                Some((kind, input.member("AuthenticationInputData")?.text()?))
            })
            .collect()
    }

    fn all(&self, path: &[&str]) -> Vec<&Element> {
        let mut found = vec![&self.service_element];
        for name in path {
            found = found
                .iter()
                .flat_map(|element| &element.inside)
                .filter(|inner| inner.name == *name)
                .collect();
        }
        found
    }
}

impl Element {
    const DEEPEST: usize = 32;

    fn read(node: Node<'_, '_>, depth: usize) -> Result<Element, &'static str> {
        if depth > Element::DEEPEST {
            return Err("the message is nested too deep");
        }
        let inside = node.children().filter(Node::is_element).map(|inner| Element::read(inner, depth + 1));
        Ok(Element {
            name: node.tag_name().name().to_owned(),
            text: node.text().unwrap_or_default().trim().to_owned(),
            inside: inside.collect::<Result<_, _>>()?,
        })
    }

    fn text(&self) -> Option<&str> {
        Some(self.text.as_str()).filter(|text| !text.is_empty())
    }

    fn member(&self, name: &str) -> Option<&Element> {
        self.inside.iter().find(|inner| inner.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_the_path_of_their_names_in_any_namespace() {
        let text = "<n:NCIPMessage xmlns:n='http://www.niso.org/2008/ncip'><n:CheckOutItem>\
            <n:InitiationHeader><n:FromAgencyId><n:AgencyId> Relais </n:AgencyId></n:FromAgencyId></n:InitiationHeader>\
            <n:UserElementType>User Id</n:UserElementType><n:UserElementType>User Privilege</n:UserElementType>\
            <n:Empty/></n:CheckOutItem></n:NCIPMessage>";
        let message = Message::read(text.as_bytes()).unwrap();
        assert_eq!(message.service, "CheckOutItem");
        assert_eq!(message.text(&["InitiationHeader", "FromAgencyId", "AgencyId"]), Some("Relais"));
        assert_eq!(message.texts(&["UserElementType"]), ["User Id", "User Privilege"]);
        assert_eq!(message.text(&["Empty"]), None);
    }

    #[test]
    fn what_is_no_message_is_refused_with_its_reason() {
        let deep = format!("<NCIPMessage>{}{}</NCIPMessage>", "<a>".repeat(5_000), "</a>".repeat(5_000));
        let wide = format!("<NCIPMessage><a>{}</a></NCIPMessage>", "<b/>".repeat(20_000));
        let long = " ".repeat(MAX_MESSAGE_BYTES + 1);
        let entities = "<!DOCTYPE a [<!ENTITY b 'c'>]><NCIPMessage><a>&b;</a></NCIPMessage>";
        for (body, why) in [
            (b"" as &[u8], "the document does not have a root node"),
            (b"\xff", "the message is not in UTF-8"),
            (b"<html/>", "the message is no NCIPMessage"),
            (b"<NCIPMessage/>", "the message asks for no service"),
            (long.as_bytes(), "the message is longer than 1 MiB"),
            (deep.as_bytes(), "the message is nested too deep"),
            (wide.as_bytes(), "nodes limit reached"),
            (entities.as_bytes(), "XML with DTD detected"),
        ] {
            assert_eq!(Message::read(body).unwrap_err(), why);
        }
    }
}
