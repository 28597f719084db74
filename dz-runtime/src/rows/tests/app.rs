//! A small application with every kind of rule, and helpers for tests.

use chrono::{DateTime, TimeZone, Utc};

pub(crate) use super::world::{World, worlds};
use crate::{
    Caller, Error, Result, Value,
    def::*,
    rows::{Counting, Query},
};

pub(crate) const TEAM: EntityIx = 0;
pub(crate) const USER: EntityIx = 1;
pub(crate) const TASK: EntityIx = 2;
pub(crate) const NOTE: EntityIx = 3;
pub(crate) const BILL: EntityIx = 4;

pub(crate) const STAFF: u64 = 1;
pub(crate) const LEAD: u64 = 2;

/// Fields of a user.
pub(crate) mod user {
    pub(crate) const EMAIL: u16 = 1;
    pub(crate) const NAME: u16 = 2;
    pub(crate) const ACTIVE: u16 = 4;
    pub(crate) const TEAM: u16 = 6;
    pub(crate) const SALARY: u16 = 7;
}

/// Fields of a task.
pub(crate) mod task {
    pub(crate) const TITLE: u16 = 1;
    pub(crate) const STATUS: u16 = 2;
    pub(crate) const OWNER: u16 = 3;
    pub(crate) const TEAM: u16 = 4;
    pub(crate) const CODE: u16 = 5;
    pub(crate) const HOURS: u16 = 6;
    pub(crate) const REMARK: u16 = 7;
    pub(crate) const CREATED: u16 = 8;
    pub(crate) const CHANGED: u16 = 9;
    pub(crate) const PARENT: u16 = 10;
    pub(crate) const POINTS: u16 = 11;
    /// Computed from the remark, and sensitive too.
    pub(crate) const HINT: u16 = 13;
    /// A sensitive ref.
    pub(crate) const REVIEWER: u16 = 14;
    /// Computed from the remark, directly and through another computed field, and not sensitive: the language refuses such fields.
    pub(crate) const LEAK: u16 = 15;
    pub(crate) const LEAK_AGAIN: u16 = 16;
    /// Computed from the title.
    pub(crate) const HEADING: u16 = 17;
}

/// Fields of a bill.
pub(crate) mod bill {
    /// Computed from a name behind a sensitive ref, and not sensitive: the language refuses such a field.
    pub(crate) const REVIEWED_BY: u16 = 2;
}

pub(crate) static STATUS: EnumDef = EnumDef {
    name: "TaskStatus",
    values: &[
        EnumValueDef { name: "open", title: "Open" },
        EnumValueDef { name: "active", title: "Active" },
        EnumValueDef { name: "closed", title: "Closed" },
    ],
    ordered: true,
};

const fn field(name: &'static str, kind: Kind) -> FieldDef {
    FieldDef::new(name, name, kind)
}

const fn required(field: FieldDef) -> FieldDef {
    FieldDef { required: true, ..field }
}

const fn identity(field: FieldDef) -> FieldDef {
    FieldDef { identity: true, ..field }
}

const fn on_delete(field: FieldDef, on_delete: OnDelete) -> FieldDef {
    FieldDef { on_delete, ..field }
}

const fn permit(action: &'static str, permit: Expr) -> ActionRule {
    ActionRule { action, permit: Some(permit), scope: None, forbid: None }
}

pub(crate) const fn own(entity: EntityIx, field: FieldIx) -> Path {
    Path::to_field(entity, field)
}

const LEADS: Expr = Expr::And(&[Expr::SignedIn, Expr::Role(LEAD)]);
const MY_TASK: Expr = Expr::Compare(Comparison::Eq, &Expr::Path(own(TASK, task::OWNER)), &Expr::CurrentUser);
const MY_TEAM: Expr = Expr::Compare(Comparison::Eq, &Expr::Path(own(TASK, task::TEAM)), &Expr::CurrentUserPath(own(USER, user::TEAM)));
const MYSELF: Expr = Expr::Compare(Comparison::Eq, &Expr::Path(own(USER, 0)), &Expr::CurrentUser);
const MINE_OR_LEAD: Expr = Expr::And(&[Expr::SignedIn, Expr::Or(&[Expr::Role(LEAD), MY_TASK])]);
const SEEN: Expr = Expr::And(&[Expr::SignedIn, Expr::Or(&[Expr::Role(LEAD), MY_TASK, MY_TEAM])]);

static TEAM_DEF: EntityDef = EntityDef {
    ix: TEAM,
    name: "Team",
    title: "Team",
    title_plural: "Teams",
    mark: "T",
    table: "teams",
    fields: &[required(field("id", Kind::Uuid)), FieldDef { unique: true, ..required(field("name", Kind::Str(40))) }],
    label: LabelDef::from_field(1),
    rules: &[
        permit("list", LEADS),
        permit(
            "read",
            Expr::And(&[
                Expr::SignedIn,
                Expr::Or(&[
                    Expr::Role(LEAD),
                    Expr::Compare(Comparison::Eq, &Expr::Path(own(TEAM, 0)), &Expr::CurrentUserPath(own(USER, user::TEAM))),
                ]),
            ]),
        ),
        permit("delete", LEADS),
    ],
    ..EntityDef::EMPTY
};

static USER_DEF: EntityDef = EntityDef {
    ix: USER,
    name: "User",
    title: "User",
    title_plural: "Users",
    mark: "U",
    table: "users",
    fields: &[
        required(field("id", Kind::Uuid)),
        FieldDef { unique: true, ..required(field("email", Kind::Email)) },
        field("name", Kind::Str(120)),
        FieldDef { secret: true, ..field("password_hash", Kind::Str(255)) },
        FieldDef { default: Some(Expr::Bool(true)), ..identity(required(field("is_active", Kind::Bool))) },
        FieldDef { identity: true, ..field("last_login", Kind::DateTime) },
        field("team", Kind::Ref(TEAM)),
        FieldDef { sensitive: true, ..field("salary", Kind::Int) },
        identity(field("role", Kind::Str(20))),
        FieldDef { default: Some(Expr::Bool(false)), ..identity(required(field("email_verified", Kind::Bool))) },
        FieldDef { secret: true, ..field("email_verify_token", Kind::Str(100)) },
        FieldDef { secret: true, ..field("password_reset_token", Kind::Str(100)) },
        FieldDef { secret: true, ..field("password_reset_expires", Kind::DateTime) },
    ],
    label: LabelDef::from_field(user::NAME),
    rules: &[
        permit("list", LEADS),
        permit("read", Expr::And(&[Expr::SignedIn, Expr::Or(&[Expr::Role(LEAD), MYSELF])])),
        permit("create", LEADS),
        permit("update", Expr::And(&[Expr::SignedIn, Expr::Or(&[Expr::Role(LEAD), MYSELF])])),
        permit("delete", LEADS),
    ],
    account: true,
    ..EntityDef::EMPTY
};

const TASK_FIELDS: &[FieldDef] = &[
    required(field("id", Kind::Uuid)),
    required(field("title", Kind::Str(20))),
    FieldDef { default: Some(Expr::EnumValue(&STATUS, 0)), ..required(field("status", Kind::Enum(&STATUS))) },
    on_delete(field("owner", Kind::Ref(USER)), OnDelete::Nullify),
    on_delete(field("team", Kind::Ref(TEAM)), OnDelete::Restrict),
    FieldDef { unique: true, ..field("code", Kind::Str(10)) },
    field("hours", Kind::Decimal { precision: 6, scale: 2 }),
    FieldDef { sensitive: true, ..field("remark", Kind::Text) },
    FieldDef { auto: Auto::Add, ..required(field("created_at", Kind::DateTime)) },
    FieldDef { auto: Auto::Update, ..required(field("changed_at", Kind::DateTime)) },
    on_delete(field("parent", Kind::Ref(TASK)), OnDelete::Cascade),
    field("points", Kind::Int),
    field("notes", Kind::HasMany { via: FieldAt::new(NOTE, 1) }),
    FieldDef { sensitive: true, computed: Some(&HINT), ..field("hint", Kind::Text) },
    FieldDef { sensitive: true, ..on_delete(field("reviewer", Kind::Ref(USER)), OnDelete::Nullify) },
    FieldDef { computed: Some(&HINT), ..field("leak", Kind::Text) },
    FieldDef { computed: Some(&Expr::Path(own(TASK, task::LEAK))), ..field("leak_again", Kind::Text) },
    FieldDef { computed: Some(&Expr::Path(own(TASK, task::TITLE))), ..field("heading", Kind::Text) },
];

/// A computed field that uses a sensitive one.
static HINT: Expr = Expr::Call(Function::Concat, &[Expr::Text("x: "), Expr::Path(own(TASK, task::REMARK))], Type::Text);

static TASK_RULES: &[ActionRule] = &[
    permit("list", SEEN),
    permit("read", SEEN),
    permit("create", MINE_OR_LEAD),
    ActionRule {
        action: "update",
        permit: Some(MINE_OR_LEAD),
        scope: None,
        forbid: Some(Expr::Compare(Comparison::Eq, &Expr::Path(own(TASK, task::STATUS)), &Expr::EnumValue(&STATUS, 2))),
    },
    permit("delete", MINE_OR_LEAD),
];

const fn task_def(rules: &'static [ActionRule]) -> EntityDef {
    EntityDef {
        ix: TASK,
        name: "Task",
        title: "Task",
        title_plural: "Tasks",
        mark: "T",
        table: "tasks",
        fields: TASK_FIELDS,
        label: LabelDef::from_field(task::TITLE),
        rules,
        ..EntityDef::EMPTY
    }
}

static TASK_DEF: EntityDef = task_def(TASK_RULES);

static NOTE_DEF: EntityDef = EntityDef {
    ix: NOTE,
    name: "Note",
    title: "Note",
    title_plural: "Notes",
    mark: "N",
    table: "notes",
    fields: &[
        required(field("id", Kind::Int)),
        on_delete(required(field("task", Kind::Ref(TASK))), OnDelete::Cascade),
        required(field("body", Kind::Text)),
        required(field("locked", Kind::Bool)),
    ],
    label: LabelDef::from_field(2),
    rules: &[
        permit("list", Expr::SignedIn),
        permit("read", Expr::SignedIn),
        permit("create", Expr::SignedIn),
        ActionRule { action: "delete", permit: Some(Expr::SignedIn), scope: None, forbid: Some(Expr::Path(own(NOTE, 3))) },
    ],
    ..EntityDef::EMPTY
};

static BILL_DEF: EntityDef = EntityDef {
    ix: BILL,
    name: "Bill",
    title: "Bill",
    title_plural: "Bills",
    mark: "B",
    table: "bills",
    fields: &[
        required(field("id", Kind::Uuid)),
        on_delete(required(field("task", Kind::Ref(TASK))), OnDelete::Restrict),
        FieldDef { computed: Some(&Expr::Path(Path::new(BILL, &[1, task::REVIEWER], user::NAME))), ..field("reviewed_by", Kind::Text) },
    ],
    label: LabelDef::new(&[], 0, true),
    rules: &[permit("list", LEADS), permit("read", LEADS), permit("create", Expr::SignedIn)],
    ..EntityDef::EMPTY
};

const ROLES: &[RoleDef] = &[
    RoleDef { name: "staff", title: "Staff", declared: true, start: None },
    RoleDef { name: "lead", title: "Lead", declared: true, start: None },
    RoleDef { name: "admin", title: "Admin", declared: false, start: None },
];

const fn app(entities: &'static [&'static EntityDef], demo: &'static [DemoRow]) -> AppDef {
    AppDef {
        name: "sample",
        title: "Sample",
        timezone: "Europe/Berlin",
        hue: 150,
        roles: ROLES,
        entities,
        account: USER,
        demo,
        ..AppDef::EMPTY
    }
}

static ENTITIES: [&EntityDef; 5] = [&TEAM_DEF, &USER_DEF, &TASK_DEF, &NOTE_DEF, &BILL_DEF];

pub(crate) static APP: AppDef = app(
    &ENTITIES,
    &[
        DemoRow { entity: TEAM, values: &[(1, DemoValue::Literal(Expr::Text("Blue")))], account: None },
        DemoRow {
            entity: USER,
            values: &[
                (user::EMAIL, DemoValue::Literal(Expr::Text("Ann@Example.com"))),
                (user::NAME, DemoValue::Literal(Expr::Text("Ann"))),
                (user::TEAM, DemoValue::Row(0)),
            ],
            account: Some(DemoAccount { password: Some("moss-and-fern"), roles: STAFF | LEAD }),
        },
        DemoRow {
            entity: TASK,
            values: &[
                (task::TITLE, DemoValue::Literal(Expr::Text("Paint"))),
                (task::OWNER, DemoValue::Row(1)),
                (task::HOURS, DemoValue::Literal(Expr::Int(3))),
                (task::STATUS, DemoValue::Literal(Expr::EnumValue(&STATUS, 1))),
            ],
            account: None,
        },
    ],
);

/// The application with other demo rows.
pub(crate) fn with_demo(demo: Vec<DemoRow>) -> &'static AppDef {
    Box::leak(Box::new(app(&ENTITIES, Box::leak(demo.into_boxed_slice()))))
}

/// The application with other rules for tasks.
pub(crate) fn with_task_rules(rules: Vec<ActionRule>) -> &'static AppDef {
    let task: &'static EntityDef = Box::leak(Box::new(task_def(Box::leak(rules.into_boxed_slice()))));
    let entities: Vec<&'static EntityDef> = vec![&TEAM_DEF, &USER_DEF, task, &NOTE_DEF, &BILL_DEF];
    Box::leak(Box::new(app(Box::leak(entities.into_boxed_slice()), &[])))
}

pub(crate) fn now() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 3, 12, 8, 0, 0).unwrap()
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// The result of a call as a short text, for comparisons.
pub(crate) fn result_text<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(error) => error_text(&error),
    }
}

pub(crate) fn error_text(error: &Error) -> String {
    let fields: Vec<_> = error.field_errors.iter().map(|(field, messages)| format!("{field}: {}", messages.join(", "))).collect();
    let internal = error.internal.as_deref().map(|internal| format!(" ({internal})")).unwrap_or_default();
    format!("{} {}{internal} [{}]", error.status, error.code, fields.join("; "))
}

/// All rows, in pages of a hundred.
pub(crate) fn all() -> Query {
    Query { limit: 100, count: Counting::Exact, ..Query::default() }
}

pub(crate) fn id(caller: &Caller) -> Value {
    caller.account.as_ref().map(|account| account.id.clone()).unwrap_or_default()
}

pub(crate) fn string(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => format!("{other:?}"),
    }
}
