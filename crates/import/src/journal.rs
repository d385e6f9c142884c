//! What the log of an import job says: one entry for each record and each entity that the job tried to make or change.

use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    Instance,
    Holdings,
    Item,
    Authority,
    Order,
    Invoice,
    MarcBibliographic,
    MarcHoldings,
    MarcAuthority,
    Edifact,
    PoLine,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Create,
    Update,
    Delete,
    Modify,
    Match,
    NonMatch,
    Parse,
}

/// A journal record of mod-source-record-manager. Its status is `ERROR` if it has an error text, else `COMPLETED`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// The source record's id.
    pub source: Uuid,
    /// The position of the record in its file, from 0.
    pub order: i32,
    pub entity: Entity,
    pub action: Action,
    pub error: Option<String>,
    pub entity_id: Option<Uuid>,
    pub entity_hrid: Option<String>,
    pub title: Option<String>,
    pub instance: Option<Uuid>,
    pub holdings: Option<Uuid>,
    pub permanent_location: Option<Uuid>,
}

impl Entity {
    pub const fn name(self) -> &'static str {
        match self {
            Entity::Instance => "INSTANCE",
            Entity::Holdings => "HOLDINGS",
            Entity::Item => "ITEM",
            Entity::Authority => "AUTHORITY",
            Entity::Order => "ORDER",
            Entity::Invoice => "INVOICE",
            Entity::MarcBibliographic => "MARC_BIBLIOGRAPHIC",
            Entity::MarcHoldings => "MARC_HOLDINGS",
            Entity::MarcAuthority => "MARC_AUTHORITY",
            Entity::Edifact => "EDIFACT",
            Entity::PoLine => "PO_LINE",
        }
    }
}

impl Action {
    pub const fn name(self) -> &'static str {
        match self {
            Action::Create => "CREATE",
            Action::Update => "UPDATE",
            Action::Delete => "DELETE",
            Action::Modify => "MODIFY",
            Action::Match => "MATCH",
            Action::NonMatch => "NON_MATCH",
            Action::Parse => "PARSE",
        }
    }
}

impl JournalEntry {
    pub fn new(source: Uuid, order: i32, entity: Entity, action: Action) -> JournalEntry {
        JournalEntry {
            source,
            order,
            entity,
            action,
            error: None,
            entity_id: None,
            entity_hrid: None,
            title: None,
            instance: None,
            holdings: None,
            permanent_location: None,
        }
    }
}

impl Entity {
    pub fn from_name(name: &str) -> Option<Entity> {
        let all = [
            Entity::Instance,
            Entity::Holdings,
            Entity::Item,
            Entity::Authority,
            Entity::Order,
            Entity::Invoice,
            Entity::MarcBibliographic,
            Entity::MarcHoldings,
            Entity::MarcAuthority,
            Entity::Edifact,
            Entity::PoLine,
        ];
        all.into_iter().find(|entity| entity.name() == name)
    }

    pub const fn is_marc(self) -> bool {
        matches!(self, Entity::MarcBibliographic | Entity::MarcHoldings | Entity::MarcAuthority)
    }
}
