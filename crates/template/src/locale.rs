//! How languages and countries write dates: the short forms of Unicode CLDR, as strftime patterns.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A language tag and a time zone, as the library's settings name them.
#[derive(Debug, Clone)]
pub struct Locale {
    pub tag: String,
    pub zone: TimeZone,
}

impl Default for Locale {
    /// What mod-template-engine takes without settings.
    fn default() -> Self {
        Locale { tag: "en-US".to_owned(), zone: TimeZone::UTC }
    }
}

/// The three ways to write an instant that names of tokens ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `dueDate`
    Date,
    /// `dueDateTime`
    DateTime,
    /// `dueDetailedDateTime`
    Detailed,
}

/// The tag, date, time, what stands between them; the long date with `{}` for the month's name, and what follows it.
type DateForm = [&'static str; 6];

/// The longest tag that a locale begins with applies; the first one where none does.
static FORMS: &[DateForm] = &[
    ["en", "%-m/%-d/%y", "%-I:%M %p", ", ", "{} %-d, %Y", " at "],
    ["en-GB", "%d/%m/%Y", "%H:%M", ", ", "%-d {} %Y", " at "],
    ["en-AU", "%-d/%-m/%y", "%-I:%M %P", ", ", "%-d {} %Y", " at "],
    ["en-CA", "%Y-%m-%d", "%-I:%M %P", ", ", "{} %-d, %Y", " at "],
    ["en-SE", "%Y-%m-%d", "%H:%M", ", ", "%-d {} %Y", " at "],
    ["ar", "%-d/%-m/%Y", "%-I:%M %P", ", ", "%Y-%m-%d", " "],
    ["ca", "%-d/%-m/%y", "%-H:%M", " ", "%-d {} %Y", ", "],
    ["cs", "%d.%m.%y", "%-H:%M", " ", "%-d. %-m. %Y", " "],
    ["da", "%d.%m.%Y", "%H.%M", " ", "%-d. {} %Y", " kl. "],
    ["de", "%d.%m.%y", "%H:%M", ", ", "%-d. {} %Y", " um "],
    ["es", "%-d/%-m/%y", "%-H:%M", ", ", "%-d de {} de %Y", ", "],
    ["es-419", "%d/%m/%y", "%H:%M", " ", "%-d de {} de %Y", ", "],
    ["fr", "%d/%m/%Y", "%H:%M", " ", "%-d {} %Y", " à "],
    ["fr-CA", "%Y-%m-%d", "%H h %M", " ", "%-d {} %Y", " à "],
    ["he", "%-d.%-m.%Y", "%-H:%M", ", ", "%Y-%m-%d", " "],
    ["hi", "%-d/%-m/%y", "%-I:%M %P", ", ", "%Y-%m-%d", " "],
    ["hu", "%Y. %m. %d.", "%-H:%M", " ", "%Y. %m. %d.", " "],
    ["it", "%d/%m/%y", "%H:%M", ", ", "%-d {} %Y", " "],
    ["ja", "%Y/%m/%d", "%-H:%M", " ", "%Y年%-m月%-d日", " "],
    ["ko", "%y. %-m. %-d.", "%H:%M", " ", "%Y년 %-m월 %-d일", " "],
    ["nb", "%d.%m.%Y", "%H:%M", ", ", "%-d. {} %Y", " kl. "],
    ["nn", "%d.%m.%Y", "%H:%M", ", ", "%-d. {} %Y", " kl. "],
    ["pl", "%-d.%m.%Y", "%H:%M", ", ", "%Y-%m-%d", " "],
    ["pt", "%d/%m/%Y", "%H:%M", " ", "%-d de {} de %Y", " às "],
    ["pt-PT", "%d/%m/%y", "%H:%M", ", ", "%-d de {} de %Y", " às "],
    ["ru", "%d.%m.%Y", "%H:%M", ", ", "%d.%m.%Y", ", "],
    ["sv", "%Y-%m-%d", "%H:%M", " ", "%-d {} %Y", " kl. "],
    ["ur", "%-d/%-m/%y", "%-I:%M %P", ", ", "%Y-%m-%d", " "],
    ["zh", "%Y/%-m/%-d", "%H:%M", " ", "%Y年%-m月%-d日", " "],
];

/// The names of the months, as a long date has them.
static MONTHS: &[(&str, &str)] = &[
    (
        "en",
        "January, February, March, April, May, June, July, August, September, October, November, December",
    ),
    (
        "ca",
        "de gener, de febrer, de març, d’abril, de maig, de juny, de juliol, d’agost, de setembre, d’octubre, de novembre, de desembre",
    ),
    ("da", "januar, februar, marts, april, maj, juni, juli, august, september, oktober, november, december"),
    ("de", "Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember"),
    (
        "es",
        "enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre",
    ),
    ("fr", "janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre, décembre"),
    (
        "it",
        "gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre, novembre, dicembre",
    ),
    ("nb", NORWEGIAN),
    ("nn", NORWEGIAN),
    (
        "pt",
        "janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro, novembro, dezembro",
    ),
    (
        "sv",
        "januari, februari, mars, april, maj, juni, juli, augusti, september, oktober, november, december",
    ),
];

/// Bokmål and Nynorsk spell the months alike.
const NORWEGIAN: &str =
    "januar, februar, mars, april, mai, juni, juli, august, september, oktober, november, desember";

/// Whether a tag is another one, or that one with a country or script.
fn tag_starts_with(tag: &str, with: &str) -> bool {
    let tag = tag.replace('_', "-");
    tag.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
        && matches!(tag.as_bytes().get(with.len()), None | Some(b'-'))
}

impl Locale {
    /// Day and minute, in the short form: `3/2/26, 11:30 PM`.
    pub fn date_time(&self, at: Timestamp) -> String {
        self.write(at, Style::DateTime)
    }

    pub(crate) fn write(&self, at: Timestamp, style: Style) -> String {
        let best = FORMS
            .iter()
            .filter(|[tag, ..]| tag_starts_with(&self.tag, tag))
            .max_by_key(|[tag, ..]| tag.len());
        let [tag, date, time, between, long, before_time] = best.unwrap_or(&FORMS[0]);
        let local = at.to_zoned(self.zone.clone());
        let written = |pattern: &str| local.strftime(pattern).to_string();
        match style {
            Style::Date => written(date),
            Style::DateTime => format!("{}{between}{}", written(date), written(time)),
            Style::Detailed => {
                let months = MONTHS.iter().find(|(language, _)| tag_starts_with(tag, language));
                let which = usize::try_from(local.month() - 1).unwrap_or_default();
                let month = months.and_then(|(_, names)| names.split(", ").nth(which));
                let date = written(long).replace("{}", month.unwrap_or_default());
                format!("{date}{before_time}{}", written(time))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_the_locale_does() {
        let at: Timestamp = "2026-03-02T22:05:00Z".parse().unwrap();
        for (tag, zone, style, text) in [
            ("en-US", "UTC", Style::Date, "3/2/26"),
            ("en-US", "America/New_York", Style::DateTime, "3/2/26, 5:05 PM"),
            ("en-US", "UTC", Style::Detailed, "March 2, 2026 at 10:05 PM"),
            ("en-GB", "UTC", Style::DateTime, "02/03/2026, 22:05"),
            ("de-DE", "Europe/Berlin", Style::Date, "02.03.26"),
            ("de-DE", "Europe/Berlin", Style::DateTime, "02.03.26, 23:05"),
            ("de", "Asia/Tokyo", Style::Detailed, "3. März 2026 um 07:05"),
            ("fr-FR", "UTC", Style::DateTime, "02/03/2026 22:05"),
            ("es-419", "UTC", Style::Date, "02/03/26"),
            ("es-ES-u-nu-latn", "UTC", Style::Date, "2/3/26"),
            ("sv-SE", "UTC", Style::Detailed, "2 mars 2026 kl. 22:05"),
            ("ca-ES", "UTC", Style::Detailed, "2 de març 2026, 22:05"),
            ("nb-NO", "UTC", Style::Detailed, "2. mars 2026 kl. 22:05"),
            ("nn-NO", "UTC", Style::Detailed, "2. mars 2026 kl. 22:05"),
            ("ja-JP", "UTC", Style::Detailed, "2026年3月2日 22:05"),
            ("tlh", "UTC", Style::Date, "3/2/26"),
        ] {
            let locale = Locale { tag: tag.to_owned(), zone: TimeZone::get(zone).unwrap() };
            assert_eq!(locale.write(at, style), text, "{tag} {style:?}");
        }
    }

    #[test]
    fn every_language_has_twelve_months() {
        for (tag, names) in MONTHS {
            assert_eq!(names.split(", ").count(), 12, "{tag}");
        }
    }
}
