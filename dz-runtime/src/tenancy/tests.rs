//! The tenant filter and row-level security, each tested without the other.

use chrono::{TimeZone, Utc};
use diesel::connection::{Connection, SimpleConnection};

use crate::{
    Account, Caller, Engine, Membership, Result, Tx, Value,
    access::{Create, Delete, List, Read, Update},
    caller::testing::without_filter,
    db::{BindKind, Database, DatabaseConfig, Statement, row_security, schema, testing},
    def::*,
    rows,
};

const FIRM: EntityIx = 0;
const USER: EntityIx = 1;
const MEMBER: EntityIx = 2;
const NOTE: EntityIx = 3;

const fn required(name: &'static str, kind: Kind) -> FieldDef {
    FieldDef { required: true, ..FieldDef::new(name, name, kind) }
}

const fn key() -> FieldDef {
    required("id", Kind::Uuid)
}

const ANYBODY: [ActionRule; 5] = {
    const fn rule(action: &'static str) -> ActionRule {
        ActionRule { action, permit: Some(Expr::SignedIn), scope: None, forbid: None }
    }
    [rule("list"), rule("read"), rule("create"), rule("update"), rule("delete")]
};

const fn entity(ix: EntityIx, name: &'static str, table: &'static str, fields: &'static [FieldDef], tenancy: TenancyDef) -> EntityDef {
    EntityDef {
        ix,
        name,
        title: name,
        title_plural: table,
        mark: "",
        table,
        fields,
        label: LabelDef::from_field(1),
        rules: &ANYBODY,
        tenancy,
        ..EntityDef::EMPTY
    }
}

static FIRM_DEF: EntityDef = entity(
    FIRM,
    "Firm",
    "firms",
    &[key(), required("name", Kind::Str(40))],
    TenancyDef { archetype: Some(Archetype::Tenant), tenant: None, system_roles: true },
);
static USER_DEF: EntityDef = EntityDef {
    account: true,
    ..entity(
        USER,
        "User",
        "users",
        &[key(), required("email", Kind::Email), FieldDef::new("name", "Name", Kind::Str(40)), required("is_active", Kind::Bool)],
        TenancyDef { archetype: Some(Archetype::User), tenant: None, system_roles: true },
    )
};
static MEMBER_DEF: EntityDef = entity(
    MEMBER,
    "Member",
    "members",
    &[
        key(),
        required("user", Kind::Ref(USER)),
        FieldDef::new("personas", "Personas", Kind::Json),
        FieldDef::new("is_primary", "Primary", Kind::Bool),
        FieldDef::new("accepted_at", "Accepted", Kind::DateTime),
        required("firm", Kind::Ref(FIRM)),
    ],
    TenancyDef { archetype: Some(Archetype::UserMembership), tenant: Some(5), system_roles: false },
);
static NOTE_DEF: EntityDef = entity(
    NOTE,
    "Note",
    "notes",
    &[key(), required("text", Kind::Str(40)), required("firm", Kind::Ref(FIRM))],
    TenancyDef { archetype: None, tenant: Some(2), system_roles: false },
);
static APP: AppDef = AppDef {
    name: "firms",
    title: "Firms",
    engine: Engine::Postgres,
    entities: &[&FIRM_DEF, &USER_DEF, &MEMBER_DEF, &NOTE_DEF],
    account: USER,
    roles: &[RoleDef { name: "vet", title: "Vet", declared: true, start: None }],
    ..AppDef::EMPTY
};

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn now() -> chrono::DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 3, 12, 8, 0, 0).unwrap()
}

/// Two firms with a note each.
struct World {
    firms: [Value; 2],
    notes: [Value; 2],
}

impl World {
    fn new(db: &Database) -> World {
        let made = db.write(&mut |conn| {
            schema::prepare(conn, &APP)?;
            let mut tx = Tx::system(conn, &APP, Default::default(), now());
            let mut made = |entity: EntityIx, given: Vec<(FieldIx, Value)>| {
                let grant = tx.ask::<Create>(APP.entity(entity))?;
                Ok::<_, crate::Error>(rows::create(&mut tx, &grant, given)?.0)
            };
            let firms = [made(FIRM, vec![(1, text("A"))])?, made(FIRM, vec![(1, text("B"))])?];
            let note = |made: &mut dyn FnMut(EntityIx, Vec<(FieldIx, Value)>) -> Result<Value>, at: usize| {
                made(NOTE, vec![(1, text(["of A", "of B"][at])), (2, firms[at].clone())])
            };
            let notes = [note(&mut made, 0)?, note(&mut made, 1)?];
            Ok(World { firms, notes })
        });
        made.expect("two firms")
    }

    /// A member of a firm.
    fn caller(&self, firm: usize) -> Caller {
        let id = Value::Uuid(uuid::Uuid::now_v7());
        let account =
            Account { id, email: "x@example.com".into(), label: "X".into(), values: vec![Value::Null; 4], path_values: Vec::new() };
        let membership = Membership { tenant: self.firms[firm].clone(), name: String::new(), roles: 0, primary: false };
        Caller { account: Some(account), membership: Some(membership), ..Caller::anonymous(&APP, now(), "") }
    }
}

fn list(tx: &mut Tx<'_>) -> Result<Vec<Value>> {
    let grant = tx.ask::<List>(&NOTE_DEF)?;
    let page = rows::list(tx, &grant, &rows::Query { limit: 50, count: rows::Counting::Exact, ..Default::default() })?;
    Ok(page.rows.iter().map(|row| row.value(1).clone()).collect())
}

/// The attempts of a member of the first firm on the note of the second: list it, read it, change it, delete it, and create a copy.
fn reached(db: &Database, world: &World) -> [bool; 5] {
    let foreign = &world.notes[1];
    let run = |work: &dyn Fn(&mut Tx<'_>) -> Result<bool>| {
        let mut reached = false;
        // Each attempt is rolled back, so that all attempts find the same rows.
        let _ = db.write(&mut |conn| {
            let mut tx = Tx::new(conn, &APP, Default::default(), world.caller(0));
            reached = work(&mut tx).unwrap_or(false);
            Err::<(), _>(crate::Error::internal("undone"))
        });
        reached
    };
    [
        run(&|tx| Ok(list(tx)?.contains(&text("of B")))),
        run(&|tx| {
            let grant = tx.ask::<Read>(&NOTE_DEF)?;
            rows::read(tx, &grant, foreign, &[]).map(|_| true)
        }),
        run(&|tx| {
            let grant = tx.ask::<Update>(&NOTE_DEF)?;
            rows::update(tx, &grant, foreign, vec![(1, text("taken"))], None).map(|_| true)
        }),
        run(&|tx| {
            let grant = tx.ask::<Delete>(&NOTE_DEF)?;
            rows::delete(tx, &grant, foreign, None).map(|()| true)
        }),
        run(&|tx| {
            let grant = tx.ask::<Create>(&NOTE_DEF)?;
            rows::create(tx, &grant, vec![(1, text("put there")), (2, world.firms[1].clone())]).map(|_| true)
        }),
    ]
}

/// A role to which policies apply, with a database of its own.
pub(crate) fn of_a_role(server: &testing::Server) -> String {
    let url = server.url();
    let (host, name) = url.rsplit_once('/').expect("a database");
    let role = format!("{name}_role");
    let mut conn = diesel::pg::PgConnection::establish(&url).expect("the server answers");
    let made =
        format!("CREATE ROLE \"{role}\" LOGIN; ALTER DATABASE \"{name}\" OWNER TO \"{role}\"; GRANT ALL ON SCHEMA public TO \"{role}\"");
    conn.batch_execute(&made).expect("a role");
    let (_, host) = host.rsplit_once('@').expect("an address with a role");
    format!("postgres://{role}@{host}/{name}")
}

fn open(engine: Engine, url: String) -> Database {
    Database::open(engine, &DatabaseConfig { url, size: 2, row_security: true, idle: DatabaseConfig::IDLE }).expect("a database")
}

#[test]
fn the_filter_separates_tenants_without_policies() {
    let file = testing::File::new();
    let db = open(Engine::Sqlite, file.url());
    let world = World::new(&db);
    assert_eq!(reached(&db, &world), [false; 5]);
    // The excluded rows exist and would be found without the policy.
    assert_eq!(without_filter(|| reached(&db, &world)), [true; 5]);
}

#[test]
fn the_policies_separate_tenants_without_the_filter() {
    let server = testing::Server::new();
    let db = open(Engine::Postgres, of_a_role(&server));
    let world = World::new(&db);
    assert_eq!(without_filter(|| reached(&db, &world)), [false; 5]);
    let own = db.write(&mut |conn| {
        let caller = world.caller(1);
        without_filter(|| list(&mut Tx::new(conn, &APP, Default::default(), caller)))
    });
    assert_eq!(own.expect("a list"), [text("of B")], "what is one's own is there");
    // The same as a role that bypasses policies.
    let above = open(Engine::Postgres, server.url());
    assert_eq!(without_filter(|| reached(&above, &world)), [true; 5]);
    assert!(db.read(&mut |conn| row_security::check(conn, &APP)).is_ok());
    let refused = above.read(&mut |conn| row_security::check(conn, &APP)).expect_err("a superuser is refused");
    assert!(refused.detail.contains("row-level security") && refused.detail.contains("DATABASE_URL"), "{}", refused.detail);
}

#[test]
fn without_settings_no_row_of_a_tenant_is_visible() {
    let server = testing::Server::new();
    let url = of_a_role(&server);
    let db = open(Engine::Postgres, url.clone());
    World::new(&db);
    let count = |db: &Database, said: Option<&str>| {
        let counted = db.write(&mut |conn| {
            if let Some(said) = said {
                conn.batch(&format!("SELECT set_config('dz.tenant', '{said}', true)"))?;
            }
            let mut select = Statement::new();
            select.push("SELECT count(*) FROM notes");
            conn.rows(&select, &[BindKind::Int])
        });
        counted.expect("a number")[0][0].clone()
    };
    // Another program than the application.
    let other = Database::open(Engine::Postgres, &DatabaseConfig { url, size: 1, row_security: false, idle: DatabaseConfig::IDLE })
        .expect("a database");
    assert_eq!(count(&other, None), Value::Int(0));
    assert_eq!(count(&other, Some("=nobody")), Value::Int(0));
    assert_eq!(count(&other, Some("*")), Value::Int(2));
    assert_eq!(count(&other, None), Value::Int(0), "what was said is over with its transaction");
    // A rollback also reverts the settings.
    let seen = db.write(&mut |conn| {
        let mut tx = Tx::system(conn, &APP, Default::default(), now());
        let before = list(&mut tx)?.len();
        let _ = tx.savepoint(|tx| {
            let nobody = Caller { account: None, ..Caller::anonymous(&APP, now(), "") };
            tx.for_caller(nobody, |tx| tx.conn.apply_session_settings())?;
            Err::<(), _>(crate::Error::internal("undone"))
        });
        Ok((before, list(&mut tx)?.len()))
    });
    assert_eq!(seen.expect("lists"), (2, 2));
}

#[test]
fn another_account_gets_all_roles_of_a_membership() {
    let [own, other, firm] = [(); 3].map(|()| Value::Uuid(uuid::Uuid::now_v7()));
    let membership = Membership { tenant: firm.clone(), name: String::new(), roles: 0, primary: false };
    let admin = Caller { tenant_admin: true, membership: Some(membership), ..Caller::anonymous(&APP, now(), "") };
    let row = |account: &Value| {
        let personas = Value::Json(serde_json::json!(["vet"]));
        vec![Value::Uuid(uuid::Uuid::nil()), account.clone(), personas, Value::Bool(false), Value::Null, firm.clone()]
    };
    let change = |to: &Value| super::check_tenant(&APP, &MEMBER_DEF, Some(&row(&other)), &row(to), &admin);
    assert!(change(&other).is_ok(), "the roles are kept");
    assert_eq!(change(&own).expect_err("a role that the caller lacks").status, 422);
}
