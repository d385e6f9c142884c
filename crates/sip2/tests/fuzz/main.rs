//! Damaged messages: nothing panics, time is bounded, what is cut into lines does not depend on how it arrived, and what is read can be
//! written and is then read the same.

use octavo_fuzz::Fuzzer;
use octavo_sip2::{Encoding, ErrorDetection, Lines, Message, Misread, Moment, Terminator, Wire};

const MAX_MESSAGE_BYTES: usize = 512;

const MESSAGES: Fuzzer = Fuzzer {
    seeds: include_str!("seeds.txt"),
    words: &[
        b"\r",
        b"\n",
        b"\r\n",
        b"|",
        b"||",
        b"#~",
        b"AY1AZ",
        b"AZFEF5",
        b"AA",
        b"AB",
        b"AO",
        b"CN",
        b"    ",
        b"   Z",
        b"19960212    100239",
        b"11YN",
        b"63001",
        b"Y         ",
        b"97",
        b"99",
        b"\x81",
        b"\xC3\xBC",
        b"\xFF",
        b"\0",
    ],
    check,
};

pub(crate) fn check(input: &[u8]) -> String {
    let mut outcome = String::new();
    for terminator in ["\r", "#~"] {
        let terminator = Terminator::new(terminator).unwrap();
        let cut = cut_into_messages(input, &terminator, input.len().max(1));
        assert_eq!(
            cut,
            self::cut_into_messages(input, &terminator, 1),
            "the same in whatever pieces it arrives"
        );
        for line in &cut.0 {
            for encoding in [Encoding::Ascii, Encoding::Utf8, Encoding::Latin1, Encoding::Cp850] {
                let wire = Wire { encoding, terminator: terminator.clone(), ..Wire::default() };
                outcome += &read(line, &wire);
            }
        }
        outcome += if cut.1 { "!" } else { "." };
    }
    outcome
}

/// The messages, and whether one was too long.
fn cut_into_messages(input: &[u8], terminator: &Terminator, piece: usize) -> (Vec<Vec<u8>>, bool) {
    let mut lines = Lines::new(terminator.clone(), MAX_MESSAGE_BYTES);
    let mut cut = Vec::new();
    let mut rest = input;
    while !rest.is_empty() {
        assert!(lines.free_bytes() > 0, "what is whole was taken");
        let (now, later) = rest.split_at(piece.min(lines.free_bytes()).min(rest.len()));
        lines.add(now);
        rest = later;
        loop {
            match lines.take_message() {
                Ok(Some(line)) => cut.push(line),
                Ok(None) => break,
                Err(_) => return (cut, true),
            }
        }
    }
    (cut, false)
}

fn read(line: &[u8], wire: &Wire) -> String {
    let mut read = match Message::read(line, wire) {
        Ok(read) => read,
        Err(why) => return format!("{why:?} "),
    };
    read.sequence = Some(7);
    let _ = Moment::read(read.fixed("date"));
    let checked = Wire { error_detection: ErrorDetection::Required, ..wire.clone() };
    let once = write_and_read_again(&read, &checked).unwrap();
    let twice = write_and_read_again(&once, &checked).unwrap();
    assert_eq!(once, twice);
    format!("{} {} ", once.kind.code, once.fixed("date").trim().len())
}

fn write_and_read_again(message: &Message, wire: &Wire) -> Result<Message, Misread> {
    let mut lines = Lines::new(wire.terminator.clone(), 1 << 20);
    lines.add(&message.write(wire, true));
    let line = lines.take_message().unwrap().expect("a whole message");
    assert_eq!(lines.take_message(), Ok(None), "one message");
    Message::read(&line, wire)
}

#[test]
fn damaged_messages_are_read_or_refused() {
    MESSAGES.run_briefly(4_000);
}

#[test]
#[ignore = "runs for as long as it is told to"]
fn fuzz_sip2() {
    MESSAGES.run_at_length();
}
