//! Who may read `/metrics`.

use crate::clients::Client;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Programs on this machine. Not those for whom a proxy on this machine asks: it names them in a header.
    Loopback,
    Anyone,
    /// The page does not exist.
    Nobody,
}

impl Readers {
    pub(super) fn admit(self, client: &Client) -> bool {
        match self {
            Readers::Anyone => true,
            Readers::Nobody => false,
            Readers::Loopback => client.is_local,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_only_programs_on_this_machine_are_let_in() {
        let [here, elsewhere] = [true, false].map(|is_local| Client {
            address: [127, 0, 0, 1].into(),
            is_local,
            is_encrypted: None,
        });
        for (readers, expected) in [
            (Readers::Loopback, [true, false]),
            (Readers::Anyone, [true, true]),
            (Readers::Nobody, [false, false]),
        ] {
            assert_eq!([&here, &elsewhere].map(|client| readers.admit(client)), expected, "{readers:?}");
        }
    }
}
