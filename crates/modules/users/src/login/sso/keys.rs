//! The public keys of an issuer: a JSON Web Key Set (RFC 7517, 7518, 8037), and whether one of them has signed a text. Pure.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};
use serde_json::Value;

/// The allowed algorithms of signatures: those with a private key that only the issuer has. Algorithms with a secret that both sides know,
/// and unsigned tokens, are not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    EdDsa,
}

impl Algorithm {
    pub(super) fn from_name(name: &str) -> Option<Algorithm> {
        Some(match name {
            "RS256" => Algorithm::Rs256,
            "RS384" => Algorithm::Rs384,
            "RS512" => Algorithm::Rs512,
            "PS256" => Algorithm::Ps256,
            "PS384" => Algorithm::Ps384,
            "PS512" => Algorithm::Ps512,
            "ES256" => Algorithm::Es256,
            "ES384" => Algorithm::Es384,
            "EdDSA" => Algorithm::EdDsa,
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Key {
    id: Option<String>,
    /// The only algorithm for which the key may be used, if the issuer names one.
    only_algorithm: Option<Algorithm>,
    public: Public,
}

#[derive(Debug, Clone, PartialEq)]
enum Public {
    Rsa { modulus: Vec<u8>, exponent: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// Those keys of an issuer whose kind this server supports.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Keys(Vec<Key>);

/// The most keys that are kept of an issuer.
const MAX_KEYS: usize = 64;

impl Keys {
    /// Reads a key set. Keys of other kinds, and those for encryption, are left out.
    pub(super) fn read(set: &Value) -> Keys {
        let keys = set["keys"].as_array().map_or(&[][..], Vec::as_slice);
        Keys(keys.iter().filter_map(Key::read).take(MAX_KEYS).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is a key that can have signed with this algorithm under this id; without an id, any can.
    pub(super) fn has_key_for(&self, id: Option<&str>, algorithm: Algorithm) -> bool {
        self.matching_keys(id, algorithm).next().is_some()
    }

    pub(super) fn verify(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
        signed: &[u8],
        signature: &[u8],
    ) -> bool {
        self.matching_keys(id, algorithm).any(|key| key.public.verifies(algorithm, signed, signature))
    }

    fn matching_keys(&self, id: Option<&str>, algorithm: Algorithm) -> impl Iterator<Item = &Key> {
        self.0.iter().filter(move |key| {
            id.is_none_or(|id| key.id.as_deref() == Some(id))
                && key.only_algorithm.is_none_or(|only| only == algorithm)
                && key.public.is_for(algorithm)
        })
    }
}

impl Key {
    fn read(key: &Value) -> Option<Key> {
        let bytes = |member: &str| BASE64.decode(key[member].as_str()?.trim_end_matches('=')).ok();
        if key["use"].as_str().is_some_and(|used| used != "sig") {
            return None;
        }
        let point = |length: usize| {
            let (x, y) = (bytes("x")?, bytes("y")?);
            // An uncompressed point, as SEC 1 writes it.
            (x.len() == length && y.len() == length).then(|| [&[4][..], &x, &y].concat())
        };
        let public = match (key["kty"].as_str()?, key["crv"].as_str()) {
            ("RSA", _) => Public::Rsa { modulus: bytes("n")?, exponent: bytes("e")? },
            ("EC", Some("P-256")) => Public::P256(point(32)?),
            ("EC", Some("P-384")) => Public::P384(point(48)?),
            ("OKP", Some("Ed25519")) => Public::Ed25519(bytes("x")?),
            _ => return None,
        };
        let only = match key["alg"].as_str() {
            None => None,
            Some(name) => Some(Algorithm::from_name(name)?),
        };
        Some(Key { id: key["kid"].as_str().map(str::to_owned), only_algorithm: only, public })
    }
}

impl Public {
    fn is_for(&self, algorithm: Algorithm) -> bool {
        use Algorithm::{EdDsa, Es256, Es384};
        match self {
            Public::Rsa { .. } => !matches!(algorithm, Es256 | Es384 | EdDsa),
            Public::P256(_) => algorithm == Es256,
            Public::P384(_) => algorithm == Es384,
            Public::Ed25519(_) => algorithm == EdDsa,
        }
    }

    fn verifies(&self, algorithm: Algorithm, signed: &[u8], signature: &[u8]) -> bool {
        let by = |kind: &'static dyn VerificationAlgorithm, key: &[u8]| {
            UnparsedPublicKey::new(kind, key).verify(signed, signature).is_ok()
        };
        match self {
            Public::Rsa { modulus, exponent } => rsa(algorithm).is_some_and(|kind| {
                let key = RsaPublicKeyComponents { n: trimmed(modulus), e: trimmed(exponent) };
                key.verify(kind, signed, signature).is_ok()
            }),
            Public::P256(point) => by(&ECDSA_P256_SHA256_FIXED, point),
            Public::P384(point) => by(&ECDSA_P384_SHA384_FIXED, point),
            Public::Ed25519(key) => by(&ED25519, key),
        }
    }
}

/// Without zeros before the first figure, which some issuers write and the verification takes for a malformed number.
fn trimmed(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    &number[zeros..]
}

fn rsa(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    Some(match algorithm {
        Algorithm::Rs256 => &RSA_PKCS1_2048_8192_SHA256,
        Algorithm::Rs384 => &RSA_PKCS1_2048_8192_SHA384,
        Algorithm::Rs512 => &RSA_PKCS1_2048_8192_SHA512,
        Algorithm::Ps256 => &RSA_PSS_2048_8192_SHA256,
        Algorithm::Ps384 => &RSA_PSS_2048_8192_SHA384,
        Algorithm::Ps512 => &RSA_PSS_2048_8192_SHA512,
        Algorithm::Es256 | Algorithm::Es384 | Algorithm::EdDsa => return None,
    })
}
