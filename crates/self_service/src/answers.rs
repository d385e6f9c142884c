//! The answers to the messages of machines.

mod block;
mod check_in;
mod check_out;
mod end_session;
mod fee_paid;
mod hold;
mod item;
mod loans;
mod patron;
mod refusal;
mod renew;
mod standing;
mod status;

use octavo_kernel::Outcome;
use octavo_sip2::Message;

pub(crate) use refusal::refusal;
pub(crate) use status::{before_log_in, status};

use crate::configuration::{Settings, message_name};
use crate::desk::Desk;
use crate::times;

/// Answers a message of a machine that is logged in. A refusal by the library is returned as a fault.
pub(crate) async fn answer(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    match asked.kind.code {
        "01" => block::block(desk, asked).await,
        "09" => check_in::check_in(desk, asked).await,
        "11" => check_out::check_out(desk, asked).await,
        "15" => hold::hold(desk, asked).await,
        "17" => item::information(desk, asked).await,
        "19" => Ok(item::update(desk, asked)),
        "23" => patron::status(desk, asked).await,
        "25" => patron::enable(desk, asked).await,
        "29" => renew::renew(desk, asked).await,
        "35" => end_session::end_session(desk, asked).await,
        "37" => fee_paid::fee_paid(desk, asked).await,
        "63" => patron::information(desk, asked).await,
        "65" => renew::renew_all(desk, asked).await,
        _ => Err(crate::desk::refused("The library system does not know this message")),
    }
}

impl Desk<'_> {
    /// The time of the answer.
    pub(crate) fn date(&self) -> String {
        times::format_time(self.now, &self.settings().zone)
    }
}

/// Adds the texts that the library has configured to be shown and printed with this kind of answer.
pub(crate) fn with_texts(answer: Message, settings: &Settings, print_width: usize) -> Message {
    let name = message_name(answer.kind.code);
    let text = |texts: &std::collections::HashMap<String, String>| texts.get(name).cloned();
    let mut answer = answer;
    if let Some(text) = text(&settings.terminal.screen_messages) {
        answer = answer.with_lines("AF", &text, octavo_sip2::MAX_FIELD_CHARACTERS);
    }
    if let Some(text) = text(&settings.terminal.print_lines) {
        answer = answer.with_lines("AG", &text, print_width);
    }
    answer
}

/// `Y` or `N`.
fn yes_or_no(yes: bool) -> &'static str {
    if yes { "Y" } else { "N" }
}

/// A count in four digits.
fn four_digits(count: usize) -> String {
    format!("{:04}", count.min(9999))
}
