//! Parses the verb and the arguments of a harvester's request, and checks them against what each verb allows. Pure.

use super::errors::{Code, ProtocolError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    GetRecord,
    Identify,
    ListIdentifiers,
    ListMetadataFormats,
    ListRecords,
    ListSets,
}

/// The arguments of the protocol, in the order in which they are checked.
const NAMES: [&str; 6] = ["identifier", "metadataPrefix", "from", "until", "set", "resumptionToken"];

/// Parameters by which clients of the edge module send their API key. They are no arguments of the protocol.
const EDGE_PARAMETERS: [&str; 2] = ["apikey", "apiKeyPath"];

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    given: Vec<(&'static str, String)>,
}

impl Arguments {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The arguments as they were sent, which the answer repeats.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

impl Verb {
    const ALL: [(Verb, &'static str, &'static str); 6] = [
        (Verb::GetRecord, "GetRecord", "GET_RECORD"),
        (Verb::Identify, "Identify", "IDENTIFY"),
        (Verb::ListIdentifiers, "ListIdentifiers", "LIST_IDENTIFIERS"),
        (Verb::ListMetadataFormats, "ListMetadataFormats", "LIST_METADATA_FORMATS"),
        (Verb::ListRecords, "ListRecords", "LIST_RECORDS"),
        (Verb::ListSets, "ListSets", "LIST_SETS"),
    ];

    fn from_name(name: &str) -> Option<Verb> {
        Verb::ALL.iter().find(|(_, known, _)| *known == name).map(|(verb, ..)| *verb)
    }

    pub(super) fn name(self) -> &'static str {
        Verb::ALL[self as usize].1
    }

    /// The verb's name in FOLIO's error messages.
    pub(super) fn message_name(self) -> &'static str {
        Verb::ALL[self as usize].2
    }

    fn required(self) -> &'static [&'static str] {
        match self {
            Verb::GetRecord => &["identifier", "metadataPrefix"],
            Verb::ListIdentifiers | Verb::ListRecords => &["metadataPrefix"],
            Verb::Identify | Verb::ListMetadataFormats | Verb::ListSets => &[],
        }
    }

    fn optional(self) -> &'static [&'static str] {
        match self {
            Verb::ListIdentifiers | Verb::ListRecords => &["from", "until", "set", "resumptionToken"],
            Verb::ListMetadataFormats => &["identifier"],
            Verb::ListSets => &["resumptionToken"],
            Verb::GetRecord | Verb::Identify => &[],
        }
    }

    fn takes(self, name: &str) -> bool {
        self.required().contains(&name) || self.optional().contains(&name)
    }
}

/// The verb, its arguments, and the errors in them. An argument with an empty value counts as missing.
pub(super) fn read(query: &[(String, String)]) -> (Option<Verb>, Arguments, Vec<ProtocolError>) {
    let told = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let verb = told("verb").filter(|verb| !verb.is_empty());
    let Some(known) = verb.and_then(Verb::from_name) else {
        let message = format!("Bad verb. Verb '{}' is not implemented", verb.unwrap_or("empty"));
        return (None, Arguments::default(), vec![Code::BadVerb.with_message(message)]);
    };
    let value = |name: &'static str| Some((name, told(name).filter(|value| !value.is_empty())?.to_owned()));
    let arguments = Arguments { given: NAMES.into_iter().filter_map(value).collect() };
    let errors = check_arguments(known, &arguments, query);
    (Some(known), arguments, errors)
}

fn check_arguments(verb: Verb, arguments: &Arguments, query: &[(String, String)]) -> Vec<ProtocolError> {
    let mut errors = Vec::new();
    let resumed = arguments.get("resumptionToken").is_some() && verb.takes("resumptionToken");
    let missing: Vec<&str> =
        verb.required().iter().copied().filter(|name| !resumed && arguments.get(name).is_none()).collect();
    if !missing.is_empty() {
        let message = format!("Missing required parameters: {}", missing.join(","));
        errors.push(Code::BadArgument.with_message(message));
    }
    if resumed && arguments.given.len() > 1 {
        errors.push(Code::BadArgument.with_message(format!(
            "Verb '{}', argument 'resumptionToken' is exclusive, no others maybe specified with it.",
            verb.message_name()
        )));
    }
    for (at, (name, value)) in query.iter().enumerate() {
        let known = name == "verb" || EDGE_PARAMETERS.contains(&name.as_str()) || verb.takes(name);
        let is_empty_one = value.is_empty() && NAMES.contains(&name.as_str());
        if !known && !is_empty_one {
            let message = format!("Verb '{}', illegal argument: {name}", verb.message_name());
            errors.push(Code::BadArgument.with_message(message));
        } else if query[..at].iter().any(|(earlier, _)| earlier == name) {
            let message = format!("Verb '{}', repeated argument: {name}", verb.message_name());
            errors.push(Code::BadArgument.with_message(message));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_a_verb_does_not_take_or_lacks_are_named() {
        let cases: &[(&str, &[&str])] = &[
            ("", &["Bad verb. Verb 'empty' is not implemented"]),
            ("verb=", &["Bad verb. Verb 'empty' is not implemented"]),
            ("verb=junk", &["Bad verb. Verb 'junk' is not implemented"]),
            ("verb=Identify", &[]),
            ("verb=Identify&apikey=k", &[]),
            ("verb=Identify&set=", &[]),
            ("verb=Identify&set=all", &["Verb 'IDENTIFY', illegal argument: set"]),
            ("verb=Identify&other=1", &["Verb 'IDENTIFY', illegal argument: other"]),
            ("verb=Identify&verb=Identify", &["Verb 'IDENTIFY', repeated argument: verb"]),
            ("verb=GetRecord", &["Missing required parameters: identifier,metadataPrefix"]),
            ("verb=GetRecord&identifier=i", &["Missing required parameters: metadataPrefix"]),
            ("verb=ListRecords&metadataPrefix=oai_dc&from=f&until=u&set=all", &[]),
            ("verb=ListRecords&resumptionToken=t", &[]),
            (
                "verb=ListRecords&resumptionToken=t&metadataPrefix=oai_dc",
                &[
                    "Verb 'LIST_RECORDS', argument 'resumptionToken' is exclusive, no others maybe specified with it.",
                ],
            ),
            ("verb=ListIdentifiers&set=all", &["Missing required parameters: metadataPrefix"]),
            ("verb=ListMetadataFormats&identifier=i", &[]),
            ("verb=ListSets&resumptionToken=t", &[]),
        ];
        for (query, expected) in cases {
            let pairs: Vec<(String, String)> = query
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            let messages: Vec<String> = read(&pairs).2.into_iter().map(|error| error.message).collect();
            assert_eq!(messages, *expected, "{query}");
        }
    }

    #[test]
    fn every_verb_has_its_own_name() {
        for (verb, name, _) in Verb::ALL {
            assert_eq!((verb.name(), Verb::from_name(name)), (name, Some(verb)));
        }
    }
}
