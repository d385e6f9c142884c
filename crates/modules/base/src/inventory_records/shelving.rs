//! The key by which items stand on the shelf: text that sorts as call numbers of its kind do.
//!
//! Library of Congress, National Library of Medicine (which is built alike), Dewey and SuDoc call numbers have keys of
//! their own; all others sort as they are written. Pure. The keys are those of marc4j 2.9.5, which
//! mod-inventory-storage 27.1.3 uses, and that module's own for SuDoc: clients compare and store them.

mod dewey;
mod lc;
mod sortable;
mod sudoc;

const DEWEY: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";
const LIBRARY_OF_CONGRESS: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
const LIBRARY_OF_MEDICINE: &str = "054d460d-d6b9-4469-9e37-7a78a2266655";
const SUDOC: &str = "fc388041-6cd0-4806-8a74-ebe3b9ab4c6e";

/// The ids of the types that have keys of their own, with mod-search's names of them, in the order in which it tries them for a call
/// number whose type is not known.
pub const ORDERED_CALL_NUMBERS: [(&str, &str); 4] =
    [("NLM", LIBRARY_OF_MEDICINE), ("LC", LIBRARY_OF_CONGRESS), ("DEWEY", DEWEY), ("SUDOC", SUDOC)];

/// The parts of an item's effective call number that decide where it stands.
#[derive(Debug, Default)]
pub(super) struct CallNumber<'a> {
    pub(super) kind: Option<&'a str>,
    pub(super) number: &'a str,
    /// Volume, enumeration, chronology, copy number.
    pub(super) parts: [Option<&'a str>; 4],
    pub(super) suffix: Option<&'a str>,
}

/// `None` where there is no call number.
pub(super) fn shelving_order(call_number: &CallNumber<'_>) -> Option<String> {
    if call_number.number.trim().is_empty() {
        return None;
    }
    let parts = call_number.parts.iter().flatten();
    let words = std::iter::once(&call_number.number).chain(parts);
    let words: Vec<&str> = words.map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    let whole = words.join(" ");
    let key = match call_number.kind {
        Some(DEWEY) => dewey::key(&whole),
        Some(LIBRARY_OF_CONGRESS | LIBRARY_OF_MEDICINE) => lc::key(&whole),
        Some(SUDOC) => sudoc::key(&whole),
        _ => whole,
    };
    let suffix = call_number.suffix.map(str::trim).filter(|suffix| !suffix.is_empty());
    Some(match suffix {
        Some(suffix) => format!("{} {suffix}", key.trim()),
        None => key.trim().to_owned(),
    })
}

/// The key of a call number that somebody looks for on the shelf, as those of a type are sorted.
#[must_use]
pub fn shelving_key(call_number_type: &str, number: &str) -> Option<String> {
    shelving_order(&CallNumber { kind: Some(call_number_type), number, ..CallNumber::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key; number; volume, enumeration, chronology, copy; suffix. Keys as FOLIO makes them.
    type Case = (&'static str, &'static str, [&'static str; 4], &'static str);

    fn check(kind: Option<&str>, cases: &[Case]) {
        for (key, number, parts, suffix) in cases {
            let parts = parts.map(|part| Some(part).filter(|part| !part.is_empty()));
            let suffix = Some(*suffix).filter(|suffix| !suffix.is_empty());
            let order = shelving_order(&CallNumber { kind, number, parts, suffix });
            assert_eq!(order.as_deref(), Some(*key), "{number}");
        }
    }

    const NONE: [&str; 4] = [""; 4];

    #[test]
    fn library_of_congress() {
        check(
            Some(LIBRARY_OF_CONGRESS),
            &[
                ("PN 12 A6", "PN2 .A6", NONE, ""),
                ("PN 12 A6 V 13 NO 12 41999", "PN2 .A6", ["v. 3", "no. 2", "1999", ""], ""),
                ("PN 12 A6 41999", "PN2 .A6 1999", NONE, ""),
                ("PN 12 A6 41999 CD", "PN2 .A6 1999", NONE, "CD"),
                ("PN 12 A6 41999 12", "PN2 .A6 1999", ["", "", "", "2"], ""),
                ("PN 12 A69 41922 12", "PN2 .A69", ["", "", "1922", "2"], ""),
                ("PN 12 A69 NO 12", "PN2 .A69", ["", "no. 2", "", ""], ""),
                ("PN 12 A69 V 11 NO 11 +", "PN2 .A69", ["v.1", "no. 1", "", ""], "+"),
                ("PR 49199.3 41920 L33 41475 A6", "PR9199.3 1920 .L33 1475 .A6", NONE, ""),
                ("PQ 42678 K26 P54", "PQ2678.K26 P54", NONE, ""),
                ("PQ 48550.21 R57 V5 41992", "PQ8550.21.R57 V5 1992", NONE, ""),
                ("PR 3919 L33 41990", "PR919 .L33 1990", NONE, ""),
                ("PR 49199.48 B3", "PR9199.48 .B3", NONE, ""),
                ("47307 I5 S5", "7307.I5 S5", NONE, ""),
                ("RR 3718", "RR 718", NONE, ""),
            ],
        );
    }

    #[test]
    fn library_of_medicine() {
        check(
            Some(LIBRARY_OF_MEDICINE),
            &[
                ("QS 211 G A1 E53 42005 42005", "QS 11 .GA1 E53 2005", ["", "", "2005", ""], ""),
                ("WB 3102.5 B62 42018 42018", "WB 102.5 B62 2018", ["", "", "2018", ""], ""),
                ("N 47307 I5 S5", "N7307.I5 S5", NONE, ""),
            ],
        );
    }

    #[test]
    fn dewey() {
        check(
            Some(DEWEY),
            &[
                ("3341.7", "341.7", NONE, ""),
                ("3341.7 258 221", "341.7/58 / 21", NONE, ""),
                ("3394.1 O41 B", "394.1 O41b", NONE, ""),
                ("3621.56 W91 M V 13 NO 12 41999", "621.56 W91m", ["v.3", "no. 2", "1999", ""], ""),
                ("221 E23", "21 E23", NONE, ""),
                ("11", "00001", NONE, ""),
                ("3325 D A 41908 FREETOWN MAP", "325-d A-1908 (Freetown) Map", NONE, ""),
                ("45001 MICROFILM", "5001 Microfilm", NONE, ""),
                ("19 A2 C 6444218 MUSIC CD", "9A2 C0444218 Music CD", NONE, ""),
                ("N 47307.I 15 S 15", "N7307.I5 S5", NONE, ""),
            ],
        );
    }

    #[test]
    fn sudoc() {
        check(
            Some(SUDOC),
            &[
                (
                    "T 222 219 12  !V 288 !3989  !STUDENT  !SPANISH",
                    "T22.19/2:V88/989/student/spanish",
                    NONE,
                    "",
                ),
                ("!47307  !I 15  !S 15", "7307.I5 S5", NONE, ""),
                ("D 13 !3186", "D 3.186", NONE, ""),
                ("D 13 !3186 17 13", "D 3.186/7-3", NONE, ""),
                ("Y 13  !M 258 12", "Y3.M58/2", NONE, ""),
                ("C 255 !3309 12 210", "C 55.309/2-10", NONE, ""),
                ("EP 11 223 291 244", "EP 1.23:91-44", NONE, ""),
                ("EP 11 223  !A 262  !A 11 235", "EP 1.23:A 62 A 1.35", NONE, ""),
                ("T 222 219 12  !V 288  !TEST !3989", "T22.19/2:V88/test/989", NONE, ""),
            ],
        );
    }

    #[test]
    fn others_stand_as_they_are_written() {
        check(
            None,
            &[
                ("GROUP Smith", "GROUP Smith", NONE, ""),
                ("free text v.1", " free text", ["v.1", "", "", ""], ""),
            ],
        );
        assert_eq!(shelving_order(&CallNumber { number: "  ", ..CallNumber::default() }), None);
    }

    #[test]
    fn no_text_stops_the_keys() {
        for text in [
            "", ".", "/", ":", "a", "Z", "é1.", "0", "0.", ".a", " .b", "T1.", "T1.a/", "1.2.3", "A1A1 A",
            "🎉1",
        ] {
            for kind in [DEWEY, LIBRARY_OF_CONGRESS, SUDOC] {
                let number = format!("{text}x{text}");
                shelving_order(&CallNumber { kind: Some(kind), number: &number, ..CallNumber::default() });
                shelving_order(&CallNumber { kind: Some(kind), number: text, ..CallNumber::default() });
            }
        }
    }
}
