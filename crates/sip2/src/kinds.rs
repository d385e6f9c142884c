//! The messages: code, fixed fields with their widths in characters, and the variable fields that they name.
//!
//! A message may have further variable fields; they are read like all others.

/// Who sends a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// The self-check machine, gate or sorter: "SC" in the standard.
    Terminal,
    /// The library's system: "ACS" in the standard.
    Library,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    pub code: &'static str,
    pub name: &'static str,
    pub sender: Sender,
    /// The code of the message that answers it.
    pub answer: Option<&'static str>,
    /// Names and widths, in order.
    pub fixed: &'static [(&'static str, usize)],
    /// Codes of the variable fields, in the order of the standard.
    pub fields: &'static [&'static str],
}

/// The kind of message with this code that comes from this side.
pub fn kind(code: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.code == code)
}

macro_rules! kinds {
    ($($code:literal $name:literal $sender:ident $(=> $answer:literal)?: [$($fixed:ident $width:literal),*] [$($field:ident)*];)+) => {
        /// All messages.
        pub static KINDS: &[Kind] = &[$(Kind {
            code: $code,
            name: $name,
            sender: Sender::$sender,
            answer: kinds!(@answer $($answer)?),
            fixed: &[$((stringify!($fixed), $width)),*],
            fields: &[$(stringify!($field)),*],
        }),+];
    };
    (@answer) => { None };
    (@answer $answer:literal) => { Some($answer) };
}

kinds! {
    "01" "block patron" Terminal => "24": [card_retained 1, date 18] [AO AL AA AC];
    "09" "checkin" Terminal => "10": [no_block 1, date 18, return_date 18] [AP AO AB AC CH BI];
    "10" "checkin response" Library: [ok 1, resensitize 1, magnetic_media 1, alert 1, date 18]
        [AO AB AQ AJ CL AA CK CH AF AG CS CV CT];
    "11" "checkout" Terminal => "12": [renewal_policy 1, no_block 1, date 18, no_block_due_date 18]
        [AO AA AB AC CH AD BO BI];
    "12" "checkout response" Library: [ok 1, renewal_ok 1, magnetic_media 1, desensitize 1, date 18]
        [AO AA AB AJ AH BT CI BH BV CK CH BK AF AG];
    "15" "hold" Terminal => "16": [mode 1, date 18] [BW BS BY AO AA AD AB AJ AC BO];
    "16" "hold response" Library: [ok 1, available 1, date 18] [BW BR BS AO AA AB AJ AF AG];
    "17" "item information" Terminal => "18": [date 18] [AO AB AC];
    "18" "item information response" Library: [circulation_status 2, security_marker 2, fee_type 2, date 18]
        [CF AH CJ CM AB AJ BG BH BV CK AQ AP CH AF AG CS CT];
    "19" "item status update" Terminal => "20": [date 18] [AO AB AC CH];
    "20" "item status update response" Library: [ok 1, date 18] [AB AJ CH AF AG];
    "23" "patron status request" Terminal => "24": [language 3, date 18] [AO AA AC AD];
    "24" "patron status response" Library: [patron_status 14, language 3, date 18] [AO AA AE BL CQ BH BV AF AG];
    "25" "patron enable" Terminal => "26": [date 18] [AO AA AC AD];
    "26" "patron enable response" Library: [patron_status 14, language 3, date 18] [AO AA AE BL CQ AF AG];
    "29" "renew" Terminal => "30": [third_party 1, no_block 1, date 18, no_block_due_date 18]
        [AO AA AD AB AJ AC CH BO];
    "30" "renew response" Library: [ok 1, renewal_ok 1, magnetic_media 1, desensitize 1, date 18]
        [AO AA AB AJ AH BT CI BH BV CK CH BK AF AG];
    "35" "end patron session" Terminal => "36": [date 18] [AO AA AC AD];
    "36" "end session response" Library: [ended 1, date 18] [AO AA AF AG];
    "37" "fee paid" Terminal => "38": [date 18, fee_type 2, payment_type 2, currency 3] [BV AO AA AC AD CG BK];
    "38" "fee paid response" Library: [accepted 1, date 18] [AO AA BK AF AG CG FA FC FE FG];
    "63" "patron information" Terminal => "64": [language 3, date 18, summary 10] [AO AA AC AD BP BQ];
    "64" "patron information response" Library:
        [patron_status 14, language 3, date 18, holds 4, overdues 4, charged 4, fines 4, recalls 4, unavailable_holds 4]
        [AO AA AE BZ CA CB BL CQ BH BV CC AS AT AU AV BU CD CG FA FB FC FD FE FF BD BE BF AF AG FU FV];
    "65" "renew all" Terminal => "66": [date 18] [AO AA AD AC BO];
    "66" "renew all response" Library: [ok 1, renewed 4, unrenewed 4, date 18] [AO BM BN AF AG];
    "93" "login" Terminal => "94": [user_algorithm 1, password_algorithm 1] [CN CO CP];
    "94" "login response" Library: [ok 1] [];
    "96" "request SC resend" Library: [] [];
    "97" "request ACS resend" Terminal: [] [];
    "98" "ACS status" Library:
        [online 1, checkin_ok 1, checkout_ok 1, renewal_policy 1, status_update_ok 1, offline_ok 1, timeout 3, retries 3, date 18, version 4]
        [AO AM BX AN AF AG];
    "99" "SC status" Terminal => "98": [status 1, max_print_width 3, version 4] [];
}

impl Kind {
    pub(crate) fn width(&self) -> usize {
        self.fixed.iter().map(|(_, width)| width).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_of_a_terminal_has_an_answer_of_the_librarys() {
        for kind in KINDS.iter().filter(|kind| kind.sender == Sender::Terminal && kind.code != "97") {
            let answer = kind.answer.and_then(super::kind).unwrap();
            assert_eq!(answer.sender, Sender::Library, "{}", kind.code);
        }
        let mut codes: Vec<_> = KINDS.iter().map(|kind| kind.code).collect();
        codes.dedup();
        assert!(codes.is_sorted() && codes.len() == KINDS.len());
    }

    #[test]
    fn widths_are_the_standards() {
        for (code, width) in [
            ("99", 8),
            ("98", 34),
            ("11", 38),
            ("12", 22),
            ("09", 37),
            ("63", 31),
            ("64", 59),
            ("37", 25),
            ("18", 24),
        ] {
            assert_eq!(kind(code).unwrap().width(), width, "{code}");
        }
    }
}
