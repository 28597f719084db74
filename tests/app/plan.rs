//! `plan --check`: statements that read whole tables are reported on both engines, and a missing index makes the command fail.

use diesel::{Connection, RunQueryDsl, connection::SimpleConnection, pg::PgConnection, sql_query, sqlite::SqliteConnection};
use dz::{Engine, Plan};

use crate::{server, vets};

dz::dz! {
    app depository "Depository"

    persona keeper "Keeper"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Box "Box":
      id: uuid pk
      label: str(60) required searchable
      shelf: str(20) required
      keeper: ref User
      weight: int = 1
      status: enum[here, lent, lost] = here
      transitions:
        here -> lent: role(keeper)
        lent -> lost: auto after 30 days
        lost -> here: role(keeper)
      permit:
        list: role(keeper) or keeper = current_user
        read: role(keeper) or keeper = current_user
        create: role(keeper)
        update: role(keeper)
        delete: role(keeper)
      index shelf
      index label

    surface box_list "Boxes":
      uses entity Box
      mode: list
      section main:
        field label
        field keeper
        field shelf
      ux:
        sort: label asc
        filter: shelf, status
        search: label
}

/// Lists whose rule is an equality, with filters by a state and by a flag with `no_index`.
mod teams {
    dz::dz! {
        app teams "Teams"

        persona member "Member"

        entity User "Person":
          id: uuid pk
          name: str(60) required
          team: ref Team

        entity Team "Team":
          id: uuid pk
          name: str(60) required
          permit:
            list: true
            read: true

        entity Ticket "Ticket":
          id: uuid pk
          title: str(60) required
          team: ref Team required
          status: enum[open, doing, done] = open
          urgent: bool = false
          due: date
          created_at: datetime auto_add
          no_index urgent
          permit:
            list: team = current_user.team
            read: team = current_user.team

        surface ticket_list "Tickets":
          uses entity Ticket
          mode: list
          ux:
            sort: created_at desc
            filter: status, urgent, due

        // The second list uses the index of the first one, which contains the rows that are not deleted.
        entity Crate "Crate":
          id: uuid pk
          label: str(60) required
          size: enum[small, large] = small
          arrived_on: date
          soft_delete
          permit:
            list: true
            read: true

        surface crate_list "Crates":
          uses entity Crate
          mode: list
          ux:
            sort: arrived_on desc
            filter: size

        surface shelf_list "Crates on shelves":
          uses entity Crate
          mode: list
          ux:
            filter: size
    }
}

fn indexes_of_shelves(engine: Engine, url: &str) -> Vec<String> {
    #[derive(diesel::QueryableByName)]
    struct Named {
        #[diesel(sql_type = diesel::sql_types::Text)]
        name: String,
    }
    let found: Vec<Named> = match engine {
        Engine::Sqlite => sql_query("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'boxes' AND name LIKE '%shelf%'")
            .load(&mut SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("a file")),
        Engine::Postgres => {
            sql_query("SELECT indexname::text AS name FROM pg_indexes WHERE tablename = 'boxes' AND indexname LIKE '%shelf%'")
                .load(&mut PgConnection::establish(url).expect("a server"))
        }
    }
    .expect("indexes");
    found.into_iter().map(|found| found.name).collect()
}

fn run(engine: Engine, url: &str, sql: &str) {
    match engine {
        Engine::Sqlite => {
            SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("a file").batch_execute(sql).expect("it runs");
        }
        Engine::Postgres => PgConnection::establish(url).expect("a server").batch_execute(sql).expect("it runs"),
    }
}

fn read_plans(app: dz::App, engine: Engine, url: &str) -> Plan {
    app.engine(engine).database_url(url.to_owned()).figment(server::figment(1)).plan().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_missing_index_is_found_on_sqlite() {
    a_missing_index_is_found(Engine::Sqlite);
}

#[test]
fn a_missing_index_is_found_on_postgres() {
    a_missing_index_is_found(Engine::Postgres);
}

fn a_missing_index_is_found(engine: Engine) {
    let url = server::new_url(engine, "plan");
    let plan = read_plans(app(), engine, &url);
    assert!(plan.is_fine(), "{engine:?}\n{plan}");
    assert!(plan.statements > 20, "{plan}");
    // Counts and searches are listed with their reason.
    let shown = plan.to_string();
    assert!(shown.contains("as expected: a search inside texts") && shown.ends_with("than it needs"), "{shown}");
    let mut indexes = indexes_of_shelves(engine, &url);
    indexes.sort();
    // One for the keeper, who sees all boxes, and one for users who see their own.
    assert_eq!(indexes, ["boxes_keeper_shelf_label_idx", "boxes_shelf_idx"]);
    for index in indexes {
        run(engine, &url, &format!("DROP INDEX {index}"));
    }
    let plan = read_plans(app(), engine, &url);
    let found: Vec<&str> = plan.findings().map(|it| it.request.as_str()).collect();
    assert!(!found.is_empty() && found.iter().all(|asked| asked.contains("shelf=x")), "{engine:?} {found:?}\n{plan}");
    assert!(plan.to_string().contains("reads a whole table: "), "{plan}");
}

#[test]
fn the_examples_read_no_whole_table() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        for (name, url, app) in [
            ("tasks", server::new_url(engine, "plan_tasks"), crate::fieldwork::fieldwork()),
            ("clinic", server::fenced_url(engine, "plan_clinic"), vets::clinic()),
        ] {
            let plan = read_plans(app, engine, &url);
            assert!(plan.is_fine(), "{name} {engine:?}\n{plan}");
        }
    }
}

#[test]
fn a_filter_that_reads_many_rows_is_reported_on_sqlite() {
    check_filter_of_many_rows_is_reported(Engine::Sqlite);
}

#[test]
fn a_filter_that_reads_many_rows_is_reported_on_postgres() {
    check_filter_of_many_rows_is_reported(Engine::Postgres);
}

fn check_filter_of_many_rows_is_reported(engine: Engine) {
    let url = server::new_url(engine, "plan_teams");
    let plan = read_plans(teams::app(), engine, &url);
    assert!(plan.is_fine(), "{engine:?}\n{plan}");
    let told = plan.to_string();
    for words in [
        "index tickets_team_created_at_idx\n",
        "index tickets_team_status_created_at_idx\n  finds the rows of the list `ticket_list` by its filter `status`\n",
        "index tickets_team_due_idx\n",
    ] {
        assert!(told.contains(words), "{words:?} is not in\n{told}");
    }
    // The refused index does not exist, and that is not a finding.
    assert!(!told.contains("urgent_"), "{told}");
    assert!(told.contains("as expected: the declaration refuses an index"), "{told}");
    run(engine, &url, "DROP INDEX tickets_team_status_created_at_idx");
    let plan = read_plans(teams::app(), engine, &url);
    let found: Vec<_> = plan.findings().collect();
    assert!(!found.is_empty() && found.iter().all(|it| it.request.contains("status=") && !it.whole), "{engine:?}\n{plan}");
    assert!(plan.to_string().contains("reads many rows for each that it returns: "), "{plan}");
}
