//! Numbers inside text, written so that text order is number order: each is led by the count of its whole digits.

#[derive(Clone, Copy, PartialEq)]
enum State {
    Start,
    Word,
    Gap,
    Number,
}

/// Appends `text` in capitals, its runs of letters and its numbers apart from each other, punctuation as gaps.
pub(super) fn append(key: &mut String, text: &str) {
    let mut number = String::new();
    let mut state = State::Start;
    for c in text.chars() {
        let next = match (state, c) {
            (_, 'A'..='Z' | 'a'..='z') => State::Word,
            (_, '0'..='9') | (State::Number, '.') => State::Number,
            (State::Start, _) => State::Start,
            _ => State::Gap,
        };
        if state == State::Number && next != State::Number {
            append_number(key, &number);
            number.clear();
        }
        match (state, next) {
            (_, State::Word) => key.push(c.to_ascii_uppercase()),
            (State::Word, State::Number) => {
                key.push(' ');
                number.push(c);
            }
            (_, State::Number) => number.push(c),
            (State::Word | State::Number, State::Gap) => key.push(' '),
            _ => {}
        }
        state = next;
    }
    if state == State::Number {
        append_number(key, &number);
    }
}

/// Appends a number of digits and points without its leading zeroes.
pub(super) fn append_number(key: &mut String, number: &str) {
    let zeroes = number.chars().take_while(|c| *c == '0').count();
    let whole = number.chars().take_while(char::is_ascii_digit).count();
    key.push_str(&(whole - zeroes).to_string());
    key.push_str(&number[zeroes..]);
}
