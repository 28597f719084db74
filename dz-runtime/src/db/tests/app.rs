//! A small application with a field of every kind.

use chrono::{TimeZone, Utc};

use crate::{Caller, Value, def::*};

pub(super) const PERSON: EntityIx = 0;
pub(super) const ITEM: EntityIx = 1;

pub(super) static LEVEL: EnumDef = EnumDef {
    name: "ItemLevel",
    values: &[
        EnumValueDef { name: "low", title: "Low" },
        EnumValueDef { name: "it's high", title: "High" },
        EnumValueDef { name: "a top", title: "Top" },
    ],
    ordered: true,
};

const fn field(name: &'static str, kind: Kind) -> FieldDef {
    FieldDef::new(name, name, kind)
}

const fn required(field: FieldDef) -> FieldDef {
    FieldDef { required: true, ..field }
}

const fn unique(field: FieldDef) -> FieldDef {
    FieldDef { unique: true, ..field }
}

/// Fields of a person.
pub(super) mod person {
    pub(in super::super) const EMAIL: u16 = 1;
    pub(in super::super) const NAME: u16 = 2;
    pub(in super::super) const BOSS: u16 = 3;
    pub(in super::super) const ITEMS: u16 = 4;
}

/// Fields of an item.
pub(super) mod item {
    pub(in super::super) const TEXT: u16 = 1;
    pub(in super::super) const N: u16 = 2;
    pub(in super::super) const F: u16 = 3;
    pub(in super::super) const PRICE: u16 = 4;
    pub(in super::super) const BIG: u16 = 5;
    pub(in super::super) const FLAG: u16 = 6;
    pub(in super::super) const DAY: u16 = 7;
    pub(in super::super) const AT: u16 = 8;
    pub(in super::super) const LEVEL: u16 = 9;
    pub(in super::super) const OWNER: u16 = 11;
    pub(in super::super) const OTHER: u16 = 12;
}

static PERSON_DEF: EntityDef = EntityDef {
    ix: PERSON,
    name: "Person",
    title: "Person",
    title_plural: "People",
    mark: "P",
    table: "people",
    fields: &[
        required(field("id", Kind::Uuid)),
        unique(required(field("email", Kind::Email))),
        field("name", Kind::Str(10)),
        field("boss", Kind::Ref(PERSON)),
        field("items", Kind::HasMany { via: FieldAt::new(ITEM, item::OWNER) }),
    ],
    label: LabelDef::new(&[], 0, true),
    account: true,
    ..EntityDef::EMPTY
};

static ITEM_DEF: EntityDef = EntityDef {
    ix: ITEM,
    name: "Item",
    title: "Item",
    title_plural: "Items",
    mark: "I",
    table: "items",
    fields: &[
        required(field("id", Kind::Int)),
        field("text", Kind::Text),
        field("n", Kind::Int),
        field("f", Kind::Float),
        field("price", Kind::Decimal { precision: 10, scale: 2 }),
        field("big", Kind::Decimal { precision: 28, scale: 10 }),
        field("flag", Kind::Bool),
        field("day", Kind::Date),
        field("at", Kind::DateTime),
        field("level", Kind::Enum(&LEVEL)),
        field("data", Kind::Json),
        field("owner", Kind::Ref(PERSON)),
        field("other", Kind::Text),
    ],
    label: LabelDef::new(&[], 0, true),
    indexes: &[IndexDef {
        columns: &[IndexColumn { field: item::N, descending: false }, IndexColumn { field: item::DAY, descending: false }],
        unique: true,
        rows: None,
    }],
    ..EntityDef::EMPTY
};

pub(super) static APP: AppDef = AppDef {
    name: "trial",
    title: "Trial",
    timezone: "Asia/Tokyo",
    hue: 0,
    roles: &[RoleDef { name: "clerk", title: "Clerk", declared: true, start: None }],
    entities: &[&PERSON_DEF, &ITEM_DEF],
    account: PERSON,
    surfaces: &[&SurfaceDef {
        name: "items",
        title: "Items",
        entity: ITEM,
        mode: Mode::List,
        purpose: None,
        sections: &[],
        related: &[],
        clicks: &[],
        submits: &[],
        ux: ListUx {
            sort: &[
                SortDef { path: Path::to_field(ITEM, item::TEXT), descending: true },
                SortDef { path: Path::to_field(ITEM, item::LEVEL), descending: false },
            ],
            filter: &[],
            search: &[],
            empty: None,
        },
        templates: Templates::DEFAULT,
        place: crate::def::PlaceDef::DEFAULT,
        attention: &[],
        priority: crate::def::Priority::Medium,
        variants: &[],
    }],
    ..AppDef::EMPTY
};

/// An anonymous caller on 1 March 2024, at night in Tokyo.
pub(super) fn anonymous() -> Caller {
    let now = Utc.with_ymd_and_hms(2024, 2, 29, 16, 30, 0).unwrap();
    Caller { today: "2024-03-01".parse().unwrap(), ..Caller::anonymous(&APP, now, "") }
}

/// A person with this key.
pub(super) fn signed_in(id: uuid::Uuid) -> Caller {
    let account = crate::Account {
        id: Value::Uuid(id),
        email: "ada@example.com".into(),
        label: "Ada".into(),
        values: vec![Value::Uuid(id), Value::Text("ada@example.com".into()), Value::Null, Value::Null, Value::Null],
        path_values: Vec::new(),
    };
    Caller { account: Some(account), roles: 1, ..anonymous() }
}
