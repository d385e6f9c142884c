//! Ids of modules, `mod-users-19.3.1`: a product and a semantic version, with Okapi 5.3.0's order of versions.

use std::cmp::Ordering;

/// A module's id, taken apart. The version may be missing where a product alone is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleId<'a> {
    pub id: &'a str,
    pub product: &'a str,
    version: Option<Version<'a>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Version<'a> {
    numbers: Vec<&'a str>,
    pre_release: Vec<&'a str>,
    metadata: Option<&'a str>,
}

/// In which part two module ids differ. `compare` returns the number with a sign, as Okapi does.
const BY_PRODUCT: i32 = 5;
const BY_MAJOR: i32 = 4;
const BY_PATCH: i32 = 2;

impl<'a> ModuleId<'a> {
    /// `None` for a version that is not a semantic one. The version begins at the first hyphen before a digit.
    pub fn read(id: &'a str) -> Option<ModuleId<'a>> {
        let at = id.as_bytes().windows(2).position(|pair| pair[0] == b'-' && pair[1].is_ascii_digit());
        match at {
            None => Some(ModuleId { id, product: id, version: None }),
            Some(at) => {
                Some(ModuleId { id, product: &id[..at], version: Some(Version::read(&id[at + 1..])?) })
            }
        }
    }

    /// The product and the text of the version.
    pub fn split(id: &str) -> Option<(&str, &str)> {
        let at = id.as_bytes().windows(2).position(|pair| pair[0] == b'-' && pair[1].is_ascii_digit())?;
        Some((&id[..at], &id[at + 1..]))
    }

    pub fn has_version(&self) -> bool {
        self.version.is_some()
    }

    /// Whether it is a version that FOLIO builds between releases of a user interface, such as `10.1.1000123`.
    pub fn is_npm_snapshot(&self) -> bool {
        let last = |version: &Version<'_>| version.numbers.len() == 3 && version.numbers[2].len() >= 5;
        self.version.as_ref().is_some_and(last)
    }

    pub fn is_pre_release(&self) -> bool {
        self.version.as_ref().is_some_and(|version| !version.pre_release.is_empty())
    }

    /// Whether the id begins as another one: the product is the same, and a version may be given in part.
    pub fn begins_as(&self, start: &ModuleId<'_>) -> bool {
        match (&self.version, &start.version) {
            _ if self.product != start.product => false,
            (None, _) => false,
            (Some(_), None) => true,
            (Some(own), Some(start)) => own.begins_as(start),
        }
    }

    /// Zero for equal ids; otherwise by how much they differ (5: products, 4: major version, 3: minor version, 2: patch, 1: what
    /// comes after), negative if this one is the lesser.
    pub fn compare(&self, other: &ModuleId<'_>) -> i32 {
        match self.product.cmp(other.product) {
            Ordering::Greater => BY_PRODUCT,
            Ordering::Less => -BY_PRODUCT,
            Ordering::Equal => match (&self.version, &other.version) {
                (Some(own), Some(other)) => own.compare(other),
                (Some(_), None) => BY_MAJOR,
                (None, Some(_)) => -BY_MAJOR,
                (None, None) => 0,
            },
        }
    }
}

/// The newest of these ids that is of the same product, or the id itself.
pub fn latest<'a>(id: &'a str, among: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(mut newest) = ModuleId::read(id) else { return id };
    for other in among.filter_map(ModuleId::read) {
        if other.product == newest.product && other.compare(&newest) > 0 {
            newest = other;
        }
    }
    newest.id
}

/// The order of two ids. Those that cannot be read come last.
pub fn compare_ids(one: &str, other: &str) -> Ordering {
    match (ModuleId::read(one), ModuleId::read(other)) {
        (Some(one), Some(other)) => one.compare(&other).cmp(&0),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

impl<'a> Version<'a> {
    fn read(text: &'a str) -> Option<Version<'a>> {
        let (text, metadata) = match text.split_once('+') {
            Some((text, metadata)) => (text, Some(metadata)),
            None => (text, None),
        };
        let (numbers, rest) = match text.split_once('-') {
            Some((numbers, rest)) => (numbers, rest.split('.').collect()),
            None => (text, Vec::new()),
        };
        let numbers: Vec<&str> = numbers.split('.').collect();
        let is_number = |part: &&str| (1..=18).contains(&part.len()) && is_digits(part);
        let is_graphic = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_graphic());
        let readable = numbers.iter().all(is_number)
            && rest.iter().all(is_graphic)
            && metadata.is_none_or(|metadata| metadata.bytes().all(|byte| byte.is_ascii_graphic()));
        readable.then_some(Version { numbers, pre_release: rest, metadata })
    }

    fn begins_as(&self, start: &Version<'_>) -> bool {
        let equal = |(one, other): (&&str, &&str)| compare_parts(one, other) == Ordering::Equal;
        if !self.numbers.iter().zip(&start.numbers).all(equal) || self.numbers.len() < start.numbers.len() {
            return false;
        }
        if self.numbers.len() > start.numbers.len() {
            return true;
        }
        if !self.pre_release.iter().zip(&start.pre_release).all(equal)
            || self.pre_release.len() < start.pre_release.len()
        {
            return false;
        }
        self.pre_release.len() > start.pre_release.len()
            || start.metadata.is_none_or(|metadata| self.metadata == Some(metadata))
    }

    fn compare(&self, other: &Version<'_>) -> i32 {
        let signed = |order: Ordering, level: i32| match order {
            Ordering::Greater => level,
            Ordering::Less => -level,
            Ordering::Equal => 0,
        };
        let mut level = BY_MAJOR;
        for (one, other) in self.numbers.iter().zip(&other.numbers) {
            match compare_parts(one, other) {
                Ordering::Equal => level = (level - 1).max(BY_PATCH),
                order => return signed(order, level),
            }
        }
        match self.numbers.len().cmp(&other.numbers.len()) {
            Ordering::Equal => {}
            order => return signed(order, level),
        }
        // A release comes after its pre-releases.
        match self.pre_release.is_empty().cmp(&other.pre_release.is_empty()) {
            Ordering::Equal => {}
            order => return signed(order, 1),
        }
        let parts = self.pre_release.iter().zip(&other.pre_release);
        let first =
            parts.map(|(one, other)| compare_parts(one, other)).find(|order| *order != Ordering::Equal);
        let order = first
            .unwrap_or_else(|| self.pre_release.len().cmp(&other.pre_release.len()))
            .then_with(|| self.metadata.cmp(&other.metadata));
        signed(order, 1)
    }
}

fn is_digits(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Numbers by their value, and before words.
fn compare_parts(one: &str, other: &str) -> Ordering {
    match (is_digits(one), is_digits(other)) {
        (true, true) => {
            let [one, other] = [one, other].map(|part| part.trim_start_matches('0'));
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        }
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => one.cmp(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(id: &str) -> ModuleId<'_> {
        ModuleId::read(id).unwrap()
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let ids = [
            "a-9.9.9",
            "a-10.1.0-rc.1",
            "a-10.1.0-rc.1+1",
            "a-10.1.0",
            "a-10.1.1000123",
            "a-11.0.0",
            "b-1.0.0",
        ];
        for pair in ids.windows(2) {
            assert_eq!(compare_ids(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
        assert_eq!(read("a-1.0.0").compare(&read("a-1.0.1")), -2);
        assert_eq!(read("a-1.2.0").compare(&read("a-1.1.0")), 3);
        assert_eq!(read("a-1.2.0").compare(&read("b-1.2.0")), -5);
        assert_eq!(latest("a", ids.into_iter()), "a-11.0.0");
        assert_eq!(latest("c", ids.into_iter()), "c");
    }

    #[test]
    fn an_id_may_be_given_in_part() {
        let id = read("folio_plugin-find-user-7.1.2-rc.1");
        assert_eq!(id.product, "folio_plugin-find-user");
        for (start, begins) in [
            ("folio_plugin-find-user", true),
            ("folio_plugin-find-user-7", true),
            ("folio_plugin-find-user-7.1", true),
            ("folio_plugin-find-user-7.1.2", true),
            ("folio_plugin-find-user-7.1.2-rc.1", true),
            ("folio_plugin-find-user-7.1.20", false),
            ("folio_plugin-find", false),
        ] {
            assert_eq!(id.begins_as(&read(start)), begins, "{start}");
        }
    }

    #[test]
    fn kinds_of_versions_are_told_apart() {
        assert!(read("a-1.0.0-SNAPSHOT.1").is_pre_release() && !read("a-1.0.0").is_pre_release());
        assert!(read("folio_a-1.0.1000001").is_npm_snapshot() && !read("folio_a-1.0.1000").is_npm_snapshot());
        assert_eq!(ModuleId::read("a-1..2"), None);
        assert_eq!(ModuleId::read("a-1.0.0-"), None);
    }
}
