//! A small application for tests of pages: managers see all tasks, members their own.

use crate::def::*;

pub(crate) const USER: EntityIx = 0;
pub(crate) const TASK: EntityIx = 1;
pub(crate) const NOTE: EntityIx = 2;

const MANAGER: u64 = 1;
const MEMBER: u64 = 2;

static STATUS: EnumDef = EnumDef {
    name: "TaskStatus",
    values: &[
        EnumValueDef { name: "open", title: "Open" },
        EnumValueDef { name: "doing", title: "In progress" },
        EnumValueDef { name: "done", title: "Done" },
    ],
    ordered: false,
};

const fn field(name: &'static str, title: &'static str, kind: Kind) -> FieldDef {
    FieldDef::new(name, title, kind)
}

const fn required(field: FieldDef) -> FieldDef {
    FieldDef { required: true, ..field }
}

const fn rule(action: &'static str, permit: Expr) -> ActionRule {
    ActionRule { action, permit: Some(permit), scope: None, forbid: None }
}

const OWNER: Expr = Expr::Path(Path::to_field(TASK, 3));
static OWN_OR_MANAGER: Expr = Expr::And(&[
    Expr::SignedIn,
    Expr::Or(&[Expr::Role(MANAGER), Expr::And(&[Expr::Role(MEMBER), Expr::Compare(Comparison::Eq, &OWNER, &Expr::CurrentUser)])]),
]);
static MANAGERS: Expr = Expr::And(&[Expr::SignedIn, Expr::Role(MANAGER)]);
static STAFF: Expr = Expr::And(&[Expr::SignedIn, Expr::Role(MANAGER | MEMBER)]);

pub(crate) static USER_DEF: EntityDef = EntityDef {
    ix: USER,
    name: "User",
    title: "User",
    title_plural: "Users",
    mark: "U",
    table: "users",
    fields: &[
        required(field("id", "Id", Kind::Uuid)),
        FieldDef { unique: true, ..required(field("email", "Email", Kind::Email)) },
        field("name", "Name", Kind::Str(120)),
    ],
    label: LabelDef::from_field(2),
    rules: &[rule("list", MANAGERS), rule("read", STAFF)],
    account: true,
    ..EntityDef::EMPTY
};

static TASK_DEF: EntityDef = EntityDef {
    ix: TASK,
    name: "Task",
    title: "Task",
    title_plural: "Tasks",
    mark: "T",
    table: "tasks",
    fields: &[
        required(field("id", "Id", Kind::Uuid)),
        required(field("title", "Title", Kind::Str(60))),
        FieldDef { default: Some(Expr::EnumValue(&STATUS, 0)), ..required(field("status", "Status", Kind::Enum(&STATUS))) },
        field("owner", "Owner", Kind::Ref(USER)),
        field("hours", "Hours", Kind::Decimal { precision: 6, scale: 2 }),
        field("due", "Due", Kind::DateTime),
        field("notes", "Notes", Kind::HasMany { via: FieldAt::new(NOTE, 1) }),
    ],
    label: LabelDef::from_field(1),
    rules: &[
        rule("list", OWN_OR_MANAGER),
        rule("read", OWN_OR_MANAGER),
        rule("create", MANAGERS),
        rule("update", OWN_OR_MANAGER),
        rule("delete", MANAGERS),
    ],
    ..EntityDef::EMPTY
};

static NOTE_DEF: EntityDef = EntityDef {
    ix: NOTE,
    name: "Note",
    title: "Note",
    title_plural: "Notes",
    mark: "N",
    table: "notes",
    fields: &[
        required(field("id", "Id", Kind::Uuid)),
        FieldDef { on_delete: OnDelete::Cascade, ..required(field("task", "Task", Kind::Ref(TASK))) },
        required(field("body", "Body", Kind::Text)),
    ],
    label: LabelDef::from_field(2),
    rules: &[rule("list", STAFF), rule("read", STAFF), rule("create", STAFF)],
    ..EntityDef::EMPTY
};

const fn column(path: Path, label: &'static str) -> ColumnDef {
    ColumnDef::new(path, label)
}

const fn own(field: FieldIx) -> Path {
    Path::to_field(TASK, field)
}

static FIELDS: [ColumnDef; 6] = [
    column(own(1), "Title"),
    column(own(2), "Status"),
    column(own(3), "Owner"),
    column(Path::new(TASK, &[3], 1), "Owner's address"),
    column(own(4), "Hours"),
    column(own(5), "Due"),
];

const fn surface(
    name: &'static str,
    title: &'static str,
    entity: EntityIx,
    mode: Mode,
    sections: &'static [SectionDef],
    ux: ListUx,
) -> SurfaceDef {
    SurfaceDef { sections, ux, ..SurfaceDef::new(name, title, entity, mode) }
}

const fn fields(columns: &'static [ColumnDef]) -> SectionDef {
    SectionDef { name: "main", title: None, note: None, body: SectionBody::Fields(columns) }
}

const NOTES: SectionDef = SectionDef {
    name: "notes",
    title: Some("Notes"),
    note: None,
    body: SectionBody::Nested(NestedList { entity: NOTE, via: Via::Ref(FieldAt::new(NOTE, 1)), filter: None, columns: &NOTE_COLUMNS }),
};

static NOTE_COLUMNS: [ColumnDef; 1] = [column(Path::to_field(NOTE, 2), "Body")];
static NOTE_BODY: [ColumnDef; 2] = [column(Path::to_field(NOTE, 1), "Task"), column(Path::to_field(NOTE, 2), "Body")];
static USER_NAME: [ColumnDef; 1] = [column(Path::to_field(USER, 2), "Name")];

/// The application.
pub(crate) static APP: AppDef = AppDef {
    name: "sample",
    title: "Sample",
    timezone: "Europe/Berlin",
    hue: 150,
    roles: &[
        RoleDef { name: "manager", title: "Manager", declared: true, start: None },
        RoleDef { name: "member", title: "Member", declared: true, start: None },
    ],
    entities: &[&USER_DEF, &TASK_DEF, &NOTE_DEF],
    account: USER,
    surfaces: &[
        &surface(
            "task_list",
            "Tasks",
            TASK,
            Mode::List,
            &[fields(&FIELDS)],
            ListUx {
                sort: &[SortDef { path: own(1), descending: false }],
                filter: &[own(2), own(3), own(4), own(5)],
                search: &[own(1)],
                empty: Some("No tasks yet. Plan the first one."),
            },
        ),
        &surface("task_view", "Task", TASK, Mode::View, &[fields(&FIELDS), NOTES], ListUx::DEFAULT),
        &surface("task_create", "New task", TASK, Mode::Create, &[fields(&FIELDS)], ListUx::DEFAULT),
        &surface("task_edit", "Edit task", TASK, Mode::Edit, &[fields(&FIELDS)], ListUx::DEFAULT),
        &surface("note_create", "New note", NOTE, Mode::Create, &[fields(&NOTE_BODY)], ListUx::DEFAULT),
        &surface("user_list", "Users", USER, Mode::List, &[fields(&USER_NAME)], ListUx::DEFAULT),
    ],
    ..AppDef::EMPTY
};
