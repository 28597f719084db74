//! `dz import-schema`

use std::{fs, process::Output};

use crate::folder::{Folder, out, says};

/// A shop for music, with the spelling of a schema that was written for another server.
const MUSIC: &str = "
CREATE TABLE [Artist] ([ArtistId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId]));
CREATE TABLE [Album] (
  [AlbumId] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [Title] NVARCHAR(160) NOT NULL, [ArtistId] INTEGER NOT NULL,
  FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId]);
CREATE TABLE [MediaType] ([MediaTypeId] INTEGER PRIMARY KEY, [Name] NVARCHAR(120) NOT NULL UNIQUE);
CREATE TABLE [Track] (
  [TrackId] INTEGER NOT NULL PRIMARY KEY, [Name] NVARCHAR(200) NOT NULL,
  [AlbumId] INTEGER REFERENCES [Album] ([AlbumId]) ON DELETE CASCADE,
  [MediaTypeId] INTEGER NOT NULL REFERENCES [MediaType], [Composer] NVARCHAR(220) DEFAULT 'unknown',
  [Milliseconds] INTEGER NOT NULL CHECK (Milliseconds > 0), [Bytes] INTEGER CHECK ([Bytes] >= 0 AND Bytes < 1000000000000),
  [UnitPrice] NUMERIC(10,2) NOT NULL DEFAULT 0.99, [Cover] BLOB, [Added] DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- CHECK (this is a comment)
  [Rating] TEXT NOT NULL DEFAULT 'not rated' CHECK (Rating IN ('not rated', 'good', 'poor')),
  [Explicit] INTEGER NOT NULL DEFAULT 0 CHECK ([Explicit] IN (0, 1)), [Note] TEXT CHECK (length(Note) <= 500),
  [Seconds] INTEGER GENERATED ALWAYS AS (Milliseconds / 1000) VIRTUAL,
  CHECK (Composer IS NULL OR Composer <> Name), CHECK (Name LIKE '%_%'));
CREATE UNIQUE INDEX track_by_name ON Track (Name, AlbumId);
CREATE UNIQUE INDEX one_cover ON Track (AlbumId) WHERE Composer <> 'x' AND Rating = 'good';
CREATE INDEX newest ON Track (Added DESC, Name);
CREATE INDEX folded ON Track (lower(Name));
CREATE TABLE [Playlist] ([PlaylistId] INTEGER PRIMARY KEY, [Name] TEXT);
CREATE TABLE [PlaylistTrack] (
  [PlaylistId] INTEGER NOT NULL REFERENCES [Playlist] ([PlaylistId]) ON DELETE CASCADE, [TrackId] INTEGER NOT NULL REFERENCES [Track] ([TrackId]),
  PRIMARY KEY ([PlaylistId], [TrackId]));
CREATE TABLE [Employee] (
  [EmployeeId] INTEGER PRIMARY KEY, [ReportsTo] INTEGER REFERENCES [Employee] ([EmployeeId]) ON DELETE SET NULL, [Hired On] DATE);
CREATE TABLE log (line, permit TEXT, \"index\" INTEGER);
CREATE VIEW totals AS SELECT count(*) FROM Track;
CREATE TRIGGER note_track AFTER INSERT ON Track BEGIN SELECT 1; END;
";

/// The fields of an entity of [`MUSIC`] as they are declared, without the access rules.
const TRACK: &str = "\
entity Track \"Track\":
  was: Track
  # not imported: the check `Name LIKE '%_%'`: `LIKE` has no counterpart
  track_id: int pk was: TrackId
  name: str(200) required was: Name
  album: ref Album cascade was: AlbumId
  media_type: ref MediaType required was: MediaTypeId
  composer: str(220) optional = \"unknown\" was: Composer
  milliseconds: int required was: Milliseconds
  bytes: int was: Bytes
  unit_price: decimal(10, 2) required = 0.99 was: UnitPrice
  # not imported: the column `Cover`: dz has no binary fields; a `file` holds an uploaded file
  # not imported: part of the column `Added`: `DATETIME` has no time zone; the values are read as UTC
  added: datetime required = now was: Added
  rating: enum[\"not rated\", good, poor] required = \"not rated\" was: Rating
  explicit: bool required = false was: Explicit
  note: str(500) was: Note
  # not imported: the column `Seconds`, which the database computes; `computed` declares such a field
  # not imported: the index `folded`: an index has fields, and no expressions
  unique name, album
  index added desc, name
  unique album where composer != null and composer != \"x\" and rating = \"good\"
  invariant: milliseconds > 0
  invariant: bytes = null or bytes >= 0
  invariant: bytes = null or bytes < 1000000000000
  invariant: composer = null or composer != name
  # not imported: the trigger `note_track`; a hook in Rust can do its work
  permit:
    list: role(admin)
    read: role(admin)
    create: role(admin)
    update: role(admin)
    delete: role(admin)
";

fn sqlite(name: &str, sql: &str) -> Folder {
    let folder = Folder::new(name, &[]);
    let conn = rusqlite::Connection::open(folder.0.join("music.db")).expect("a database");
    conn.execute_batch(sql).expect("tables");
    folder
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The declaration that a command wrote, which validates and is formatted.
#[track_caller]
fn validated(folder: &Folder, output: &Output) -> String {
    says(output, 0, &[]);
    let text = out(output);
    says(&folder.dz_with(&["validate", "-"], &text), 0, &["0 errors, 0 warnings"]);
    says(&folder.dz_with(&["fmt", "--check", "-"], &text), 0, &["0 of 1 file would change"]);
    text
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn an_sqlite_database_becomes_a_declaration() {
    let folder = sqlite("import-sqlite", MUSIC);
    let output = folder.dz(&["import-schema", "sqlite://music.db"]);
    let text = validated(&folder, &output);
    let track = text.split("\n\n").find(|part| part.starts_with("entity Track ")).expect("the entity").to_owned() + "\n";
    assert_eq!(track, TRACK);
    has(
        &text,
        &[
            "app music \"Music\"\n",
            "# not imported: the view `totals`\n",
            "entity Artist \"Artist\":\n  was: Artist\n  artist_id: int pk was: ArtistId\n",
        ],
    );
    has(&text, &["  artist: ref Artist required was: ArtistId\n", "  name: str(120) required unique was: Name\n"]);
    // A connecting table has a key of its own, and its pairs stay unique.
    has(&text, &["  # not imported: the primary key of `PlaylistId`, `TrackId`: a key has one column; `id` is new\n  id: uuid pk\n"]);
    has(&text, &["  playlist: ref Playlist cascade required was: PlaylistId\n", "  unique playlist, track\n"]);
    has(&text, &["  reports_to: ref Employee was: ReportsTo\n", "  # The column is named \"Hired On\".\n  hired_on: date\n"]);
    // Words of the language are names of fields.
    has(&text, &["entity Log \"Log\":\n", "the table has no primary key; `id` is new", "  permit: text\n", "  index: int\n"]);
    has(
        &err(&output),
        &["read 8 tables with 31 columns; 10 parts are not in the declaration:\n", "  Track: the column `Cover`: dz has no binary fields"],
    );
    // Every part that the errors name is in the file, and the other way round.
    assert_eq!(text.matches("# not imported: ").count(), err(&output).lines().count() - 1);
}

#[test]
fn the_declaration_goes_to_a_new_file() {
    let folder = sqlite("import-file", "CREATE TABLE orders (id INTEGER PRIMARY KEY, title VARCHAR(20) NOT NULL)");
    let output = folder.dz(&["import-schema", "sqlite://music.db", "-o", "app.dsl", "--name", "shop"]);
    says(&output, 0, &["read 1 table with 2 columns; everything is in the declaration"]);
    assert_eq!(out(&output), "");
    let text = folder.read("app.dsl");
    assert!(
        text.starts_with("app shop \"Shop\"\n\nentity Order \"Order\":\n  id: int pk\n  title: str(20) required\n  permit:\n"),
        "{text}"
    );
    says(&folder.dz(&["import-schema", "sqlite://music.db", "-o", "app.dsl"]), 1, &["app.dsl exists"]);
    assert_eq!(folder.read("app.dsl"), text);
}

#[test]
fn a_database_of_dz_gives_its_declaration_back() {
    let declared = "app shop \"Shop\"\n\nentity Maker \"Maker\":\n  id: uuid pk\n  name: str(40) required unique\n  state: enum[open, \"on hold\"] required = open\n  \
                    country: str(2)\n  founded: int required\n  permit:\n    list: role(admin)\n    read: role(admin)\n    create: role(admin)\n    update: role(admin)\n    delete: role(admin)\n";
    let folder = Folder::new("import-dz", &[("app.dsl", declared)]);
    says(&folder.dz(&["migrate", "diff", "--database", "sqlite"]), 0, &[]);
    let migration = fs::read_dir(folder.0.join("migrations")).unwrap().map(|it| it.unwrap().path()).find(|path| path.is_dir()).unwrap();
    let sql = fs::read_to_string(migration.join("up.sql")).unwrap();
    rusqlite::Connection::open(folder.0.join("shop.db")).unwrap().execute_batch(&sql).unwrap();
    let output = folder.dz(&["import-schema", "sqlite://shop.db"]);
    let text = validated(&folder, &output);
    has(
        &text,
        &[
            "  name: str(40) required unique\n",
            "  state: enum[open, \"on hold\"] required",
            "  country: str(2)\n",
            "  founded: int required\n",
        ],
    );
    assert!(!text.contains("dz_"), "{text}");
}

/// A database with what only PostgreSQL has.
const HOTEL: &str = "
CREATE TYPE room_kind AS ENUM ('single', 'double room', 'suite');
CREATE DOMAIN short_text AS varchar(30) NOT NULL;
CREATE TABLE users (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), email varchar(254) NOT NULL UNIQUE, password_hash text, name text NOT NULL);
CREATE TABLE rooms (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number short_text UNIQUE, kind room_kind NOT NULL DEFAULT 'single', price numeric(8,2) NOT NULL,
  tags text[] NOT NULL DEFAULT '{}', size real, open_at time, options jsonb NOT NULL DEFAULT '{}'::jsonb,
  status text NOT NULL DEFAULT 'free' CHECK (status IN ('free', 'taken')), grade varchar(10) CHECK (grade = 'a' OR grade = 'b'),
  CHECK (price > 0 AND price < 10000), CHECK (char_length(status) < 12), CHECK (size BETWEEN 5 AND 200), CHECK (number ~ '^[0-9]+$'));
COMMENT ON TABLE rooms IS 'A \"room\" of the hotel';
CREATE TABLE bookings (
  id serial PRIMARY KEY, room_id bigint NOT NULL REFERENCES rooms ON DELETE RESTRICT, guest_id uuid REFERENCES users (id) ON DELETE SET NULL,
  room_number varchar(30) REFERENCES rooms (number), arrives date NOT NULL DEFAULT CURRENT_DATE, leaves date NOT NULL, booked_at timestamptz NOT NULL DEFAULT now(),
  cancelled boolean NOT NULL DEFAULT false, amount money, nights integer GENERATED ALWAYS AS (leaves - arrives) STORED,
  CONSTRAINT stays CHECK (leaves > arrives), UNIQUE (room_id, arrives));
CREATE INDEX ON bookings (guest_id);
CREATE INDEX open_bookings ON bookings (arrives DESC) WHERE NOT cancelled;
CREATE TABLE booking_details (booking_id integer PRIMARY KEY REFERENCES bookings ON DELETE CASCADE, note text);
CREATE MATERIALIZED VIEW figures AS SELECT count(*) FROM bookings;
CREATE TABLE measures (day date NOT NULL, value float8) PARTITION BY RANGE (day);
CREATE TABLE measures_2026 PARTITION OF measures FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE SCHEMA archive;
CREATE TABLE archive.notes (id int PRIMARY KEY, room bigint REFERENCES public.rooms);
";

/// A database of its own on the server of the tests, which is dropped afterwards.
struct Server {
    url: String,
    database: String,
}

impl Server {
    fn new(sql: &str) -> Server {
        let server =
            std::env::var("DZ_TEST_POSTGRES").expect("set DZ_TEST_POSTGRES to the address of a PostgreSQL server, or run ./test.sh");
        let database = format!("dz_import_{}", std::process::id());
        let mut client = pg_client::Client::connect(&server, pg_client::NoTls).expect("the server answers");
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {database}")).expect("dropped");
        client.batch_execute(&format!("CREATE DATABASE {database}")).expect("a database");
        let (base, _) = server.rsplit_once('/').expect("an address with a database");
        let url = format!("{base}/{database}");
        pg_client::Client::connect(&url, pg_client::NoTls).expect("the database answers").batch_execute(sql).expect("tables");
        Server { url, database }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let server = std::env::var("DZ_TEST_POSTGRES").expect("the address of the server");
        if let Ok(mut client) = pg_client::Client::connect(&server, pg_client::NoTls) {
            let _ = client.batch_execute(&format!("DROP DATABASE {}", self.database));
        }
    }
}

#[test]
fn a_postgresql_database_becomes_a_declaration() {
    let server = Server::new(HOTEL);
    let folder = Folder::new("import-postgres", &[]);
    let output = folder.dz(&["import-schema", &server.url, "--name", "hotel"]);
    let text = validated(&folder, &output);
    has(&text, &["enum RoomKind:\n  single\n  \"double room\"\n  suite\n", "  intent: \"A \\\"room\\\" of the hotel\"\n"]);
    has(
        &text,
        &["entity Room \"Room\":\n", "  id: int pk\n", "  number: str(30) required unique\n", "  kind: RoomKind required = single\n"],
    );
    has(&text, &["  price: decimal(8, 2) required\n", "  tags: json required = []\n", "  options: json required = {}\n"]);
    has(&text, &["  status: enum[free, taken] required = free\n", "  grade: enum[a, b]\n", "  size: float\n", "  open_at: text\n"]);
    has(&text, &["  invariant: price > 0\n", "  invariant: price < 10000\n", "  invariant: size = null or size >= 5\n"]);
    has(&text, &["`~` has no counterpart", "dz has no type for `time without time zone`, which becomes text"]);
    has(
        &text,
        &[
            "entity User \"User\":\n  id: uuid pk\n  email: str(254) required unique\n",
            "the column `password_hash`: dz stores it itself for each account",
        ],
    );
    has(&text, &["  room: ref Room required was: room_id\n", "  guest: ref User was: guest_id\n", "  arrives: date required = today\n"]);
    has(&text, &["the foreign key of `room_number`: it refers to `number`, and a ref to the key", "  room_number: str(30)\n"]);
    has(&text, &["  booked_at: datetime required = now\n", "  cancelled: bool required = false\n", "  amount: decimal(18, 2)\n"]);
    has(&text, &["  unique room, arrives\n", "  index arrives desc where not cancelled\n", "  invariant: leaves > arrives\n"]);
    has(
        &text,
        &[
            "  booking: ref Booking cascade required unique was: booking_id\n",
            "# not imported: the materialized view `figures`",
            "entity Measure \"Measure\":\n",
        ],
    );
    assert!(!text.contains("2026") && !text.contains("Note \""), "{text}");
    // An index on a ref is inferred.
    assert!(!text.contains("index guest"), "{text}");
    let archive = validated(&folder, &folder.dz(&["import-schema", &server.url, "--schema", "archive"]));
    has(&archive, &["entity Note \"Note\":\n", "the foreign key of `room`: the table `public.rooms` is not imported", "  room: int\n"]);
    says(&folder.dz(&["import-schema", &server.url, "--schema", "nowhere"]), 1, &["the database has no schema `nowhere`"]);
}

#[test]
fn a_database_that_cannot_be_read_is_named() {
    let folder = Folder::new("import-refused", &[("text.db", "this is not a database, and it is long enough to be read as one")]);
    says(&folder.dz(&["import-schema", "sqlite://nothing.db"]), 1, &["nothing.db cannot be opened"]);
    assert!(!folder.0.join("nothing.db").exists());
    says(&folder.dz(&["import-schema", "sqlite://text.db"]), 1, &["text.db cannot be read"]);
    says(&folder.dz(&["import-schema", "mysql://localhost/shop"]), 1, &["begins with `sqlite://` or `postgres://`"]);
    let output = folder.dz(&["import-schema", "postgres://ann:secret@127.0.0.1:1/shop"]);
    says(&output, 1, &["the database cannot be reached"]);
    assert!(!err(&output).contains("secret"));
    fs::write(folder.0.join("empty.db"), "").expect("a file");
    says(&folder.dz(&["import-schema", "sqlite://empty.db"]), 1, &["the database has no tables"]);
}
