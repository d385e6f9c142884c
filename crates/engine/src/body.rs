//! The body of a request.

use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use octavo_kernel::{Fault, Outcome};
use serde_json::Value;

use crate::Incoming;
use crate::notation::{self, Notation};

#[derive(Debug, Default)]
pub struct Body {
    bytes: Vec<u8>,
    /// The parsed JSON, if the body was parsed before the module asked for it.
    parsed: Mutex<Option<serde_json::Result<Value>>>,
    /// The body itself, for a call that reads it piece by piece.
    incoming: Mutex<Option<Incoming>>,
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Body {
        Body { bytes, ..Body::default() }
    }
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Body {
    /// A body whose JSON is parsed here, so that a large body can be parsed on a thread that answers no other request.
    pub fn read_ahead(bytes: Vec<u8>, notation: Notation) -> Body {
        let value = notation::parse_json(notation, &bytes);
        Body { bytes, parsed: Mutex::new(Some(value)), ..Body::default() }
    }

    /// A body that the call reads while it comes: see [`crate::Call::streamed`].
    pub fn incoming(incoming: Incoming) -> Body {
        Body { incoming: Mutex::new(Some(incoming)), ..Body::default() }
    }

    /// A copy of the body; `None` if the call reads the body while it arrives.
    pub(crate) fn duplicate(&self) -> Option<Body> {
        let incoming = self.incoming.lock().unwrap_or_else(PoisonError::into_inner);
        incoming.is_none().then(|| Body::from(self.bytes.clone()))
    }

    /// The body piece by piece. It can be taken once.
    pub fn take_pieces(&self) -> Incoming {
        let incoming = self.incoming.lock().unwrap_or_else(PoisonError::into_inner).take();
        incoming.unwrap_or_else(|| Incoming::from_bytes(self.bytes.clone()))
    }

    /// The body as JSON, or 400 with the place of the mistake.
    pub(crate) fn json(&self, notation: Notation) -> Outcome<Value> {
        let ahead = self.parsed.lock().unwrap_or_else(PoisonError::into_inner).take();
        ahead
            .unwrap_or_else(|| notation::parse_json(notation, &self.bytes))
            .map_err(|error| Fault::bad_request(format!("The body is not JSON: {error}")))
    }
}
