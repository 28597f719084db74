//! The difference between two schemas: the steps with their risk, and the scripts of both directions.

use super::{
    Column, ColumnType, Engine, EngineSql, Schema, Table, convert, framework::DELETED_AT, lock::Lock, partitions::Partition, postgres,
    renaming, sql, sqlite, tenant, timer::Timer, unfilled,
};

/// The risk of a step for a database in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Existing data does not change.
    Safe,
    /// Existing rows get a value.
    Backfill,
    /// The database does not change, but existing rows transition earlier.
    Behavioural,
    /// A table is read or written completely while other statements wait.
    Locking,
    /// Stored data is lost, or the migration fails on rows that do not fit.
    Destructive,
}

impl Class {
    /// The name of the class in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Safe => "safe",
            Class::Backfill => "backfill",
            Class::Behavioural => "behavioural",
            Class::Locking => "locking",
            Class::Destructive => "destructive",
        }
    }
}

/// One change of a migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its risk.
    pub class: Class,
    /// The change, as the end of the sentence "this migration …".
    pub what: String,
    /// Its lock on PostgreSQL.
    pub lock: Lock,
}

/// Adds a step.
type Add<'a> = &'a mut dyn FnMut(Class, Lock, String);

/// Statements to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The statements.
    pub sql: String,
    /// False if the script begins and ends its transaction itself, which a rebuild of a table on SQLite requires.
    pub in_transaction: bool,
}

/// A migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// The changes, in the order of the statements.
    pub steps: Vec<Step>,
    /// From the old schema to the new one.
    pub up: Script,
    /// From the new schema to the old one.
    pub down: Script,
}

/// The migration from `old` to `new`, or `None` if they are equal.
///
/// A column or table counts as renamed if its `was` names one that exists.
pub fn migration(old: &Schema, new: &Schema, engine: Engine) -> Option<Migration> {
    let new = &with_currencies(old, new);
    let renaming = renaming::rename_objects(old, new, engine);
    let named = &renaming.schema;
    let there = Changes::new(named, new, engine);
    let mut steps = there.steps(engine);
    let in_place = |what: &&str| Step { class: Class::Safe, what: (*what).to_owned(), lock: Lock::Brief };
    steps.splice(0..0, renaming.what.iter().map(in_place));
    if steps.is_empty() {
        return None;
    }
    let (source, target) = (without_former_names(new), reverse_target(named, new));
    let back = Changes::new(&source, &target, engine);
    // Both directions share the setting.
    let in_transaction = engine == Engine::Postgres || !(sqlite::needs_frame(&there) || sqlite::needs_frame(&back));
    let filled = unfilled::with_placeholders(named, new, engine);
    let mut up = script(renaming.there, &Changes::new(named, &filled, engine), Vec::new(), new, engine, in_transaction);
    up.sql.insert_str(0, &there.due_lines());
    let down = script(Vec::new(), &back, renaming.back, old, engine, in_transaction);
    Some(Migration { steps, up, down })
}

/// Joins the statements of `before`, `changes` and `after`.
fn script(before: Vec<String>, changes: &Changes<'_>, after: Vec<String>, target: &Schema, engine: Engine, in_transaction: bool) -> Script {
    let mut statements = before;
    statements.extend(match engine {
        Engine::Sqlite => sqlite::statements(changes),
        Engine::Postgres => postgres::statements(changes),
    });
    statements.extend(after);
    if target.table("dz_meta").is_some() {
        // Any tool may apply the script, so it also records the schema that the database then has.
        statements.push(format!(
            "INSERT INTO dz_meta (key, value) VALUES ('schema', '{}') ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            target.fingerprint(engine)
        ));
    }
    let mut sql: String = statements.into_iter().map(|statement| statement + ";\n").collect();
    let fenced = |table: &Table| engine == Engine::Postgres && table.extras.iter().any(tenant::is_policy);
    if changes.shared.iter().any(|shared| fenced(shared.old) || fenced(shared.new)) {
        // The script changes rows of all tenants.
        sql.insert_str(0, tenant::EVERYWHERE);
    }
    if in_transaction { Script { sql, in_transaction } } else { Script { sql: sqlite::add_frame(&sql), in_transaction } }
}

/// `new`, in which existing rows get the currency that all amounts of a column had.
pub(super) fn with_currencies(old: &Schema, new: &Schema) -> Schema {
    let mut schema = new.clone();
    for (target, table) in schema.tables.iter_mut().zip(&new.tables) {
        let Some(before) = former_table(table, old) else { continue };
        for currency in &mut target.columns {
            let Some(amount) = currency.amount.as_deref().and_then(|amount| table.column(amount)) else { continue };
            let Some(held) = former_column(amount, table, before) else { continue };
            let Some(code) = held.currency.as_deref().map(sql::literal) else { continue };
            // SQLite copies rows to the new table from the old one; PostgreSQL has renamed the column before.
            let of = |name: &str| format!("CASE WHEN {} IS NOT NULL THEN {code} END", sql::quoted(name));
            currency.fill = Some(EngineSql { sqlite: of(&held.name), postgres: of(&amount.name) });
        }
    }
    schema
}

/// `schema` without former names, as the start of the reverse migration.
fn without_former_names(schema: &Schema) -> Schema {
    let mut schema = schema.clone();
    for table in &mut schema.tables {
        table.was = None;
        table.columns.iter_mut().for_each(|column| column.was = None);
    }
    schema
}

/// `old` as the target of the reverse migration: former names are those of `new`, and required values are replaced by placeholders of
/// their type, because the stored ones are lost.
fn reverse_target(old: &Schema, new: &Schema) -> Schema {
    let mut back = without_former_names(old);
    for table in &mut back.tables {
        let renamed = new.tables.iter().find(|it| former_table(it, old).is_some_and(|former| former.name == table.name));
        if let Some(later) = renamed {
            table.was = Some(later.name.clone());
            for column in &later.columns {
                let before = former_column(column, later, old.table(&table.name).unwrap_or(table)).map(|it| it.name.clone());
                if let Some(own) = table.columns.iter_mut().find(|own| Some(&own.name) == before.as_ref()) {
                    own.was = Some(column.name.clone());
                }
            }
        }
        let referring: Vec<String> = table.references.iter().flat_map(|it| it.columns.clone()).collect();
        for column in table.columns.iter_mut().filter(|column| column.required && column.fill.is_none()) {
            if !referring.contains(&column.name) {
                column.fill = Some(convert::placeholder_value(column));
            }
        }
    }
    back
}

/// The former table of `table`.
fn former_table<'s>(table: &Table, old: &'s Schema) -> Option<&'s Table> {
    let by_name = old.table(&table.name);
    by_name
        .or_else(|| table.was.as_deref().and_then(|was| old.tables.iter().find(|it| it.name == was || it.entity.as_deref() == Some(was))))
}

/// The former column of `column`.
fn former_column<'s>(column: &Column, table: &Table, old: &'s Table) -> Option<&'s Column> {
    let free = |was: &&str| table.column(was).is_none();
    old.column(&column.name).or_else(|| column.was.as_deref().filter(free).and_then(|was| old.column(was)))
}

/// All differences.
pub(super) struct Changes<'s> {
    /// New tables.
    pub created: Vec<&'s Table>,
    /// Dropped tables, including those that are created again with another key.
    pub dropped: Vec<&'s Table>,
    /// Tables in both schemas, changed or not.
    pub shared: Vec<SharedTable<'s>>,
}

/// A timed transition, before and after.
struct ChangedTimer<'s> {
    table: &'s Table,
    before: &'s Timer,
    now: &'s Timer,
}

/// A table in both schemas.
pub(super) struct SharedTable<'s> {
    /// Before the migration.
    pub old: &'s Table,
    /// After the migration.
    pub new: &'s Table,
    /// Each column after the migration, with its former column.
    pub columns: Vec<(&'s Column, Option<&'s Column>)>,
    /// Dropped columns, including those that are created again with another type.
    pub lost: Vec<&'s Column>,
}

impl<'s> Changes<'s> {
    pub(super) fn new(old: &'s Schema, new: &'s Schema, engine: Engine) -> Changes<'s> {
        let mut changes = Changes { created: Vec::new(), dropped: Vec::new(), shared: Vec::new() };
        let mut taken: Vec<&str> = Vec::new();
        for table in &new.tables {
            // An existing table cannot be the former name of another one.
            let before = former_table(table, old).filter(|it| it.name == table.name || new.table(&it.name).is_none());
            let before = before.filter(|it| !taken.contains(&it.name.as_str()));
            let shared = before.and_then(|before| SharedTable::compare(before, table, engine));
            match shared {
                Some(shared) => {
                    taken.push(&shared.old.name);
                    changes.shared.push(shared);
                }
                None => changes.created.push(table),
            }
        }
        changes.dropped = old.tables.iter().filter(|table| !taken.contains(&table.name.as_str())).collect();
        changes
    }

    pub(super) fn steps(&self, engine: Engine) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut add = |class, lock, what: String| steps.push(Step { class, what, lock });
        for table in &self.created {
            add(Class::Safe, Lock::Nothing, format!("creates the table `{}`", table.name));
        }
        for table in &self.dropped {
            let again = self.created.iter().any(|it| it.name == table.name);
            let why = if again { ", which is created again with another key," } else { "" };
            add(Class::Destructive, Lock::Brief, format!("drops the table `{}`{why} with its rows", table.name));
        }
        for shared in &self.shared {
            shared.steps(engine, &mut add);
        }
        steps.extend(self.timer_steps());
        steps
    }

    /// The timed transitions whose delay changes.
    pub(super) fn timer_steps(&self) -> Vec<Step> {
        let step = |ChangedTimer { table, before, now }: ChangedTimer<'_>| {
            let (class, what) = if now.is_shorter_than(before) { (Class::Behavioural, "sooner") } else { (Class::Safe, "later") };
            let (from, to) = (&now.from, &now.to);
            let (after, formerly) = (now.delay_text(), before.delay_text());
            let what =
                format!("changes the state of rows of `{}` {what} from `{from}` to `{to}`: after {after}, not {formerly}", table.name);
            Step { class, what, lock: Lock::Nothing }
        };
        self.timers().filter(|it| it.before != it.now).map(step).collect()
    }

    /// The lines from which the application counts the rows that become due.
    pub(super) fn due_lines(&self) -> String {
        self.timers().filter(|it| it.now.is_shorter_than(it.before)).map(|it| it.now.line(it.before, it.table)).collect()
    }

    /// The timed transitions, before and after.
    fn timers(&self) -> impl Iterator<Item = ChangedTimer<'s>> {
        let same = |before: &Timer, now: &Timer| (&before.from, &before.to) == (&now.from, &now.to);
        let of = move |shared: &SharedTable<'s>| {
            let (old, table) = (shared.old, shared.new);
            table.timers.iter().filter_map(move |now| {
                let before = old.timers.iter().find(|before| same(before, now))?;
                Some(ChangedTimer { table, before, now })
            })
        };
        self.shared.iter().flat_map(of)
    }
}

impl<'s> SharedTable<'s> {
    /// True if the engine divides the table in another way afterwards.
    pub(super) fn changes_partition(&self, engine: Engine) -> bool {
        let renamed = |partition: &Partition| match partition {
            Partition::Month(column) => Partition::Month(self.name_afterwards(column)),
            Partition::Hash { column, count } => Partition::Hash { column: self.name_afterwards(column), count: *count },
        };
        engine == Engine::Postgres && self.old.partition.as_ref().map(renamed) != self.new.partition
    }

    /// The name of a column after the migration.
    fn name_afterwards(&self, column: &str) -> String {
        let after = self.columns.iter().find(|(_, before)| before.is_some_and(|it| it.name == column));
        after.map_or_else(|| column.to_owned(), |(column, _)| column.name.clone())
    }

    /// Returns `None` if the table must be created again, because its rows cannot keep their keys.
    fn compare(old: &'s Table, new: &'s Table, engine: Engine) -> Option<SharedTable<'s>> {
        let mut columns = Vec::new();
        let mut used: Vec<&str> = Vec::new();
        for column in &new.columns {
            let before = former_column(column, new, old).filter(|it| !used.contains(&it.name.as_str()));
            let before = before.filter(|it| convert::value(it, column, engine).is_some());
            used.extend(before.map(|it| it.name.as_str()));
            columns.push((column, before));
        }
        let primary: Vec<Option<&str>> = new
            .primary
            .iter()
            .map(|key| columns.iter().find(|(column, _)| column.name == *key).and_then(|(_, before)| before.map(|it| it.name.as_str())))
            .collect();
        if primary != old.primary.iter().map(|key| Some(key.as_str())).collect::<Vec<_>>() {
            return None;
        }
        let counted = |(column, before): &(&Column, Option<&Column>)| before.is_none_or(|before| before.counted == column.counted);
        if !columns.iter().all(counted) {
            return None;
        }
        let lost = old.columns.iter().filter(|column| !used.contains(&column.name.as_str())).collect();
        Some(SharedTable { old, new, columns, lost })
    }

    /// True if the table is renamed.
    pub fn is_renamed(&self) -> bool {
        self.old.name != self.new.name
    }

    fn steps(&self, engine: Engine, add: Add<'_>) {
        let name = &self.new.name;
        if self.is_renamed() {
            add(Class::Locking, Lock::Brief, format!("renames the table `{}` to `{name}`", self.old.name));
        }
        for column in &self.lost {
            let again = self.new.column(&column.name).is_some();
            let what = if again { ", whose type cannot be converted to the new one," } else { "" };
            let shows = if column.name == DELETED_AT { ", and deleted rows are rows again" } else { "" };
            add(Class::Destructive, Lock::Brief, format!("drops the column `{name}.{}`{what} with its values{shows}", column.name));
        }
        for (column, before) in &self.columns {
            match before {
                None => self.add_column_steps(column, add),
                Some(before) => self.change_column_steps(before, column, engine, add),
            }
        }
        self.add_constraint_steps(engine, add);
    }

    fn add_column_steps(&self, column: &Column, add: Add<'_>) {
        let at = format!("`{}.{}`", self.new.name, column.name);
        let amounts = column
            .amount
            .as_ref()
            .is_some_and(|amount| self.columns.iter().any(|(other, before)| other.name == *amount && before.is_some()));
        match (column.required, &column.fill) {
            (_, None) if amounts => add(
                Class::Destructive,
                Lock::Fill,
                format!("adds the column {at}, which existing amounts need as their currency: name it in up.sql"),
            ),
            (false, None) => add(Class::Safe, Lock::Brief, format!("adds the column {at}")),
            (_, Some(_)) => add(Class::Backfill, Lock::Fill, format!("adds the column {at} with a value in every row")),
            (true, None) => {
                add(Class::Destructive, Lock::Fill, format!("adds the required column {at}, for which existing rows have no value"))
            }
        }
    }

    fn change_column_steps(&self, before: &Column, column: &Column, engine: Engine, add: Add<'_>) {
        let at = format!("`{}.{}`", self.new.name, column.name);
        if before.name != column.name {
            add(Class::Safe, Lock::Brief, format!("renames the column `{}.{}` to `{}`", self.new.name, before.name, column.name));
        }
        if before.ty != column.ty {
            let fits = convert::value(before, column, engine).is_some_and(|value| value.fits);
            match (fits, before.ty, column.ty) {
                (true, ColumnType::Text(_), ColumnType::Text(_)) if engine == Engine::Postgres => {
                    add(Class::Safe, Lock::Brief, format!("widens the column {at}"));
                }
                (true, ..) => add(Class::Locking, Lock::Rewrite, format!("changes the type of the column {at}; every value fits")),
                (false, ..) => {
                    add(Class::Destructive, Lock::Rewrite, format!("narrows the column {at}: values that do not fit are cut or lost"))
                }
            }
        }
        if let (Some(held), Some(now)) = (&before.currency, &column.currency)
            && held != now
        {
            add(Class::Destructive, Lock::Nothing, format!("reads the amounts in {at} as {now}, not {held}: it does not exchange them"));
        }
        if before.values != column.values {
            let gone: Vec<String> = before.values.iter().filter(|it| !column.values.contains(it)).map(|it| format!("`{it}`")).collect();
            if column.values.is_empty() {
                add(Class::Safe, Lock::Brief, format!("allows any value in {at}"));
            } else if !gone.is_empty() {
                add(
                    Class::Destructive,
                    Lock::Check,
                    format!("removes {} from the values of {at}: rows with them lose the value", gone.join(", ")),
                );
            } else if before.values.is_empty() {
                add(Class::Destructive, Lock::Check, format!("restricts {at} to a list: other values are lost"));
            } else {
                add(Class::Locking, Lock::Check, format!("adds values to {at}"));
            }
        }
        match (before.required, column.required, &column.fill) {
            (false, true, Some(_)) => add(Class::Backfill, Lock::Fill, format!("makes {at} required, and sets a value where it is null")),
            (false, true, None) => {
                add(Class::Destructive, Lock::Check, format!("makes {at} required, without a value for rows in which it is null"));
            }
            (true, false, _) => add(Class::Safe, Lock::Brief, format!("makes {at} optional")),
            _ => {}
        }
        if before.default != column.default {
            add(Class::Safe, Lock::Brief, format!("changes the default in the database for {at}"));
        }
    }

    /// Checks, references, indexes and extras.
    fn add_constraint_steps(&self, engine: Engine, add: Add<'_>) {
        let name = &self.new.name;
        let new_names = |columns: &[String]| -> Vec<String> { columns.iter().map(|column| self.name_afterwards(column)).collect() };
        if self.old.checks != self.new.checks {
            add(Class::Locking, Lock::Check, format!("changes the checks of `{name}`; it fails if a row violates one"));
        }
        let before: Vec<Vec<String>> = self.old.references.iter().map(|it| new_names(&it.columns)).collect();
        let after: Vec<Vec<String>> = self.new.references.iter().map(|it| it.columns.clone()).collect();
        for columns in after.iter().filter(|it| !before.contains(it)) {
            add(
                Class::Locking,
                Lock::Reference,
                format!("adds the foreign key of `{name}.{}`; it fails if a row refers to no existing row", columns.join(", ")),
            );
        }
        for columns in before.iter().filter(|it| !after.contains(it)) {
            if columns.iter().all(|column| self.new.column(column).is_some()) {
                add(Class::Safe, Lock::Brief, format!("drops the foreign key of `{name}.{}`", columns.join(", ")));
            }
        }
        for reference in &self.new.references {
            let same = self.old.references.iter().find(|it| new_names(&it.columns) == reference.columns);
            if same.is_some_and(|same| {
                same.targets != reference.targets || same.on_delete != reference.on_delete || same.table != reference.table
            }) {
                add(Class::Locking, Lock::Reference, format!("changes the foreign key of `{name}.{}`", reference.columns.join(", ")));
            }
        }
        let among =
            |index: &super::Index| index.rows.as_ref().map_or_else(String::new, |rows| format!(" where `{}`", rows.for_engine(engine)));
        for index in self.new.indexes.iter().filter(|it| !self.old.indexes.contains(it)) {
            let columns: Vec<&str> = index.parts.iter().map(|part| part.column.as_str()).collect();
            match index.unique {
                true => {
                    add(
                        Class::Locking,
                        Lock::Build,
                        format!(
                            "makes `{}` of `{name}` unique{}; it fails if two rows have equal values",
                            columns.join(", "),
                            among(index)
                        ),
                    );
                }
                false => add(Class::Locking, Lock::Build, format!("indexes `{name}` by `{}`{}", columns.join(", "), among(index))),
            }
        }
        for index in self.old.indexes.iter().filter(|it| !self.new.indexes.contains(it)) {
            let columns: Vec<&str> = index.parts.iter().map(|part| part.column.as_str()).collect();
            let what = if index.unique { "drops the uniqueness of" } else { "drops the index of" };
            add(Class::Safe, Lock::Brief, format!("{what} `{}` of `{name}`{}", columns.join(", "), among(index)));
        }
        let of_engine = |table: &Table| table.extras.iter().filter(|it| it.engine == engine).cloned().collect::<Vec<_>>();
        if of_engine(self.old) != of_engine(self.new) {
            add(Class::Locking, Lock::Brief, format!("changes triggers or policies of `{name}`"));
        }
        if self.changes_partition(engine) {
            add(Class::Locking, Lock::Rewrite, Partition::step(self.new.partition.as_ref(), name));
        }
    }
}
