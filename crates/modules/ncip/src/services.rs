//! The services that a message may ask for.

mod accept_item;
mod cancel_request;
mod check_in;
mod check_out;
mod items;
mod look_up_user;
mod patron;
mod request_item;

use std::future::Future;
use std::pin::Pin;

use octavo_kernel::Xml;

use crate::library::Library;
use crate::message::Message;
use crate::problem::{Failure, NO_AGENCY, Problem, UNKNOWN_USER};

pub(crate) struct Service {
    /// The element of the message.
    pub(crate) name: &'static str,
    /// `ProblemType` of the problems of this service.
    problem_type: &'static str,
    /// `ProblemElement` where the message lacks something.
    input_problem: &'static str,
    pub(crate) perform: for<'a> fn(&'a Library<'_>, &'a Message) -> Performing<'a>,
}

/// The work of a service. It returns the XML inside of the answer's element.
type Performing<'a> = Pin<Box<dyn Future<Output = Result<Xml, Failure>> + Send + 'a>>;

const LOOK_UP_USER: &str = "Lookup User Failed";
const CHECK_OUT: &str = "Problem performing checkout";
const CHECK_IN: &str = "Problem performing check in";
const CANCEL: &str = "Problem performing CancelRequestItem";

static SERVICES: &[Service] = &[
    Service {
        name: "LookupUser",
        problem_type: LOOK_UP_USER,
        input_problem: "Problem occurred validating user id",
        perform: |library, message| Box::pin(look_up_user::perform(library, message)),
    },
    Service {
        name: "AcceptItem",
        problem_type: "Problem performing AcceptItem",
        input_problem: "Problem occurred validating input (user id, item id or pickup location)",
        perform: |library, message| Box::pin(accept_item::perform(library, message)),
    },
    Service {
        name: "CheckOutItem",
        problem_type: CHECK_OUT,
        input_problem: CHECK_OUT,
        perform: |library, message| Box::pin(check_out::perform(library, message)),
    },
    Service {
        name: "CheckInItem",
        problem_type: CHECK_IN,
        input_problem: CHECK_IN,
        perform: |library, message| Box::pin(check_in::perform(library, message)),
    },
    Service {
        name: "RequestItem",
        problem_type: "Problem performing RequestItem",
        input_problem: "Problem occurred validating input (user id or item id)",
        perform: |library, message| Box::pin(request_item::perform(library, message)),
    },
    Service {
        name: "CancelRequestItem",
        problem_type: CANCEL,
        input_problem: CANCEL,
        perform: |library, message| Box::pin(cancel_request::perform(library, message)),
    },
];

pub(crate) fn find(name: &str) -> Option<&'static Service> {
    SERVICES.iter().find(|service| service.name == name)
}

impl Service {
    /// The problem in the wording of mod-ncip, which differs for the look-up of users and for check-ins.
    pub(crate) fn problem(&self, failure: Failure) -> Problem {
        let problem = |kind: &'static str, element: &'static str, value: &str, detail: &str| Problem {
            kind,
            element,
            value: value.to_owned(),
            detail: detail.to_owned(),
        };
        let looks_up = self.name == "LookupUser";
        match failure {
            Failure::Input(what) if looks_up => problem(self.input_problem, self.input_problem, what, what),
            Failure::Input(what) if self.name == "CheckInItem" => {
                problem(self.problem_type, self.input_problem, what, self.problem_type)
            }
            Failure::Input(what) => problem(self.problem_type, self.input_problem, what, what),
            Failure::NoAgency => problem(self.problem_type, "Agency ID", NO_AGENCY, ""),
            Failure::UnknownUser if looks_up => problem("", "Userid", UNKNOWN_USER, ""),
            Failure::UnknownUser => problem(self.problem_type, "--", self.problem_type, UNKNOWN_USER),
            Failure::Doing(why) if looks_up => {
                problem("", "General Error", &format!("{}: {why}", self.problem_type), "")
            }
            Failure::Doing(why) => problem(self.problem_type, "--", self.problem_type, &why),
        }
    }
}

/// The path of a part of a message, with a name for what it says.
const USER: &[&str] = &["UserId", "UserIdentifierValue"];
const ITEM: &[&str] = &["ItemId", "ItemIdentifierValue"];
const REQUEST: &[&str] = &["RequestId", "RequestIdentifierValue"];
const PICKUP: &[&str] = &["PickupLocation"];

/// The agency that sent a message.
fn sender(message: &Message) -> Result<&str, Failure> {
    message.text(&["InitiationHeader", "FromAgencyId", "AgencyId"]).ok_or(Failure::NoAgency)
}

/// The agency that sent a message; where the header does not say it, the agency whose number the request has.
fn sender_or_requester(message: &Message) -> Result<&str, Failure> {
    sender(message).or_else(|none| message.text(&["RequestId", "AgencyId"]).ok_or(none))
}

/// The barcode of the item.
fn item_barcode(message: &Message) -> Result<&str, Failure> {
    const LONGEST: usize = 100;
    let barcode = message.text(ITEM).ok_or(Failure::Input("Item id missing"))?;
    let is_plain =
        |letter: char| letter.is_ascii_alphanumeric() || letter.is_whitespace() || ".-_".contains(letter);
    match barcode.len() <= LONGEST && barcode.chars().all(is_plain) {
        true => Ok(barcode),
        false => Err(Failure::Input("Item id is invalid")),
    }
}

/// The number by which the message names the patron.
fn user_number(message: &Message) -> Result<&str, Failure> {
    message.text(USER).ok_or(Failure::Input("User id missing"))
}
