//! What FOLIO's default rules for bibliographic records say (marc_bib_rules.json of mod-source-record-manager 3.8.5), read anew as
//! tables: which subfields of which field become what.

/// What is done to a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Clean {
    /// One mark `;:,/+=` or blank at the end goes.
    EndMark,
    Trim,
    /// A full stop at the end goes.
    FullStop,
    /// A full stop or comma at the end goes, but not that of an initial.
    Name,
    Without(&'static str),
}
use Clean::{EndMark, FullStop, Name, Trim, Without};

/// How subfields become values.
#[derive(Debug, Clone, Copy)]
pub(super) enum ValueRule {
    /// One value of all of them.
    Whole,
    /// One value of each, with those of these codes that follow it, up to the next of its own code or of a code that ends it.
    Each { with: &'static str, until: &'static str },
    /// One value of each, with those of these codes; FOLIO joins them with blanks, and then cuts the text at its blanks into as many values.
    SplitAtBlanks { with: &'static str },
}
use ValueRule::{Each, SplitAtBlanks, Whole};

const EACH_SUBFIELD: ValueRule = Each { with: "", until: "" };
const WITH_B: ValueRule = Each { with: "b", until: "" };
const WITH_Q: ValueRule = Each { with: "q", until: "" };

/// Values that have a type.
pub(super) struct TypedValueRule {
    pub tag: &'static str,
    /// First indicators for which it holds; all if there are none.
    pub first_indicators: &'static str,
    pub subfields: &'static str,
    pub value_rule: ValueRule,
    pub cleaning: &'static [Clean],
    pub kind: &'static str,
}

const fn typed(
    tag: &'static str,
    first: &'static str,
    subfields: &'static str,
    take: ValueRule,
    clean: &'static [Clean],
    kind: &'static str,
) -> TypedValueRule {
    TypedValueRule { tag, first_indicators: first, subfields, value_rule: take, cleaning: clean, kind }
}

const OTHERS: &str = " 03456789";

pub(super) const IDENTIFIERS: &[TypedValueRule] = &[
    typed("010", "", "a", EACH_SUBFIELD, &[Trim], "LCCN"),
    typed("019", "", "a", EACH_SUBFIELD, &[Trim], "Cancelled system control number"),
    typed("020", "", "a", Each { with: "cq", until: "z" }, &[EndMark, Trim], "ISBN"),
    typed("020", "", "z", Each { with: "qc", until: "a" }, &[EndMark, Trim], "Invalid ISBN"),
    typed("022", "", "a", EACH_SUBFIELD, &[Trim], "ISSN"),
    typed("022", "", "yzm", EACH_SUBFIELD, &[Trim], "Invalid ISSN"),
    typed("022", "", "l", EACH_SUBFIELD, &[Trim], "Linking ISSN"),
    typed("024", OTHERS, "acdqz2", Whole, &[Trim], "Other standard identifier"),
    typed("024", "2", "a", SplitAtBlanks { with: "q" }, &[Trim], "ISMN"),
    typed("024", "2", "z", WITH_Q, &[Trim], "Invalid ISMN"),
    typed("024", "1", "a", SplitAtBlanks { with: "q" }, &[Trim], "UPC"),
    typed("024", "1", "z", WITH_Q, &[Trim], "Invalid UPC"),
    typed("028", "", "abq", Whole, &[Trim], "Publisher or distributor number"),
    // `OCLC` if the value says so: see `is_oclc`.
    typed("035", "", "a", EACH_SUBFIELD, &[], "System control number"),
    typed("035", "", "z", EACH_SUBFIELD, &[Trim], "Cancelled system control number"),
    typed("074", "", "a", EACH_SUBFIELD, &[EndMark, Trim], "GPO item number"),
    typed("074", "", "z", EACH_SUBFIELD, &[EndMark, Trim], "Cancelled GPO item number"),
];

/// Whether a system control number is one of OCLC.
pub(super) fn is_oclc(number: &str) -> bool {
    ["(OCoLC)", "ocm", "ocn", "on"].iter().any(|begin| number.starts_with(begin))
}

pub(super) const CLASSIFICATIONS: &[TypedValueRule] = &[
    typed("050", "", "a", WITH_B, &[], "LC"),
    typed("060", "", "a", WITH_B, &[], "NLM"),
    typed("080", "", "ab", Whole, &[], "UDC"),
    typed("082", "", "a", WITH_B, &[Without("/")], "Dewey"),
    typed("086", "", "az", EACH_SUBFIELD, &[], "GDC"),
    typed("090", "", "a", WITH_B, &[], "LC"),
];

pub(super) const OTHER_TITLES: &[TypedValueRule] = &[
    typed("130", "", "anpdfghklmorst", Whole, &[EndMark, Trim], "Uniform title"),
    typed("240", "", "anpdfghklmors", Whole, &[EndMark, Trim], "Uniform title"),
    typed("246", "", "anpbfgh5", Whole, &[EndMark, Trim], "Variant title"),
    typed("247", "", "anpbfghx", Whole, &[EndMark, Trim], "Former title"),
];

/// Lists of texts: the list, fields, subfields.
pub(super) const TEXTS: &[(&str, &str, &str, &[Clean])] = &[
    ("editions", "250", "ab", &[EndMark, Trim]),
    ("physicalDescriptions", "300", "abcefg3", &[]),
    ("publicationFrequency", "310 321", "ab", &[FullStop]),
    ("publicationRange", "362", "az", &[FullStop]),
];

pub(super) const SERIES: &[(&str, &str)] = &[
    ("800", "abcdefghjklmnopqrstuvwx35"),
    ("810", "abcdefghklmnoprstuvwx35"),
    ("811", "acdefghjklnpqstuvwx35"),
    ("830", "adfghklmnoprstvwx35"),
];

/// Fields, subfields of the name, subfields that are joined to it with a blank (all others with `--`, after it).
pub(super) const SUBJECTS: &[(&str, &str, &str)] = &[
    ("600", "abcdefghjklmnopqrstu", "vxyz"),
    ("610", "abcdefghklmnoprstu", "vxyz"),
    ("611", "acdefghjklnpqstu", "vxyz"),
    ("630", "adefghklmnoprst", "vxyz"),
    ("647", "", "acdgxyzv"),
    ("648", "", "axyzv"),
    ("650", "", "abcdegvxyz"),
    ("651", "", "aegvxyz"),
    // $b and $c follow what is before them with a blank.
    ("655", "bc", "avxyz"),
];

/// Fields, the name's subfields, the kind of name, the subfield with the relator's term.
pub(super) const CONTRIBUTORS: &[(&str, &str, &str, &str)] = &[
    ("100 700", "abcdfgjklnpqtu", "Personal name", "e"),
    ("110 710", "abcdfgklnptu", "Corporate name", "e"),
    ("111 711", "abcdfgklnptu", "Meeting name", "j"),
];

pub(super) const NAMES: &[Clean] = &[Name];

/// Fields, subfields, and the type of the note.
pub(super) const NOTES: &[(&str, &str, &str)] = &[
    ("255", "abcdefg", "Cartographic Mathematical Data"),
    ("500", "a35", "General note"),
    ("501", "a5", "With note"),
    ("502", "abcdgo", "Dissertation note"),
    ("504", "ab", "Bibliography note"),
    ("505", "agrtu", "Formatted Contents Note"),
    ("506", "abcdefu235", "Restrictions on Access note"),
    ("507", "ab", "Scale note for graphic material"),
    ("508", "a", "Creation / Production Credits note"),
    ("510", "abcux3", "Citation / References note"),
    ("511", "a", "Participant or Performer note"),
    ("513", "ab", "Type of report and period covered note"),
    ("514", "abcdefghijkmuz", "Data quality note"),
    ("515", "a", "Numbering peculiarities note"),
    ("516", "a", "Type of computer file or data note"),
    ("518", "adop23", "Date / time and place of an event note"),
    ("520", "abcu23", "Summary"),
    ("521", "ab3", "Target Audience note"),
    ("522", "a", "Geographic Coverage note"),
    ("524", "a23", "Preferred Citation of Described Materials note"),
    ("525", "a", "Supplement note"),
    ("526", "abcd5xz", "Study Program Information note"),
    ("530", "abcdu3", "Additional Physical Form Available note"),
    ("532", "a", "Accessibility note"),
    ("533", "abcdefmn35", "Reproduction note"),
    ("534", "abcefklmnoptxz3", "Original Version note"),
    ("535", "abcdg3", "Location of Originals / Duplicates note"),
    ("536", "abcdefgh", "Funding Information Note"),
    ("538", "au35", "System Details note"),
    ("540", "abcdu35", "Terms Governing Use and Reproduction note"),
    ("541", "abcdefhno35", "Immediate Source of Acquisition note"),
    ("542", "abcdefghijklmnopqrsu3", "Information related to Copyright Status"),
    ("544", "abcden3", "Location of Other Archival Materials note"),
    ("545", "abu", "Biographical or Historical Data"),
    ("546", "ab3", "Language note"),
    ("547", "a", "Former Title Complexity note"),
    ("550", "a", "Issuing Body note"),
    ("552", "abcdefghijklmnopuz", "Entity and Attribute Information note"),
    ("555", "abcdu3", "Cumulative Index / Finding Aides notes"),
    ("556", "az", "Information About Documentation note"),
    ("561", "au35", "Ownership and Custodial History note"),
    ("562", "abcde35", "Copy and Version Identification note"),
    ("563", "au35", "Binding Information note"),
    ("565", "abcde3", "Case File Characteristics note"),
    ("567", "ab2", "Methodology note"),
    ("580", "a", "Linking Entry Complexity note"),
    ("581", "az3", "Publications About Described Materials note"),
    ("583", "abcdefhijklnouxz235", "Action note"),
    ("584", "ab35", "Accumulation and Frequency of Use note"),
    ("585", "a35", "Exhibitions note"),
    ("586", "a3", "Awards note"),
    ("588", "a5", "Source of Description note"),
    ("590", "a", "Local notes"),
];

/// Notes whose first indicator 0 says that they are for staff.
pub(super) const PRIVATE: &str = "541 542 561 583 590";
