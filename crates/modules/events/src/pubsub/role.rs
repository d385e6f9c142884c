//! The role of a module for the events of a type: publisher or subscriber.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Publisher,
    Subscriber,
}

impl Role {
    pub(super) fn read(text: &str) -> Option<Role> {
        [Role::Publisher, Role::Subscriber].into_iter().find(|role| role.as_str() == text)
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Role::Publisher => "PUBLISHER",
            Role::Subscriber => "SUBSCRIBER",
        }
    }
}
