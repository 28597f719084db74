//! Tenants whose entity gets another name.

use dz_dsl_file::emit::schema::{Engine, diff};
use expect_test::expect;

use crate::schema;

const BEFORE: &str = "
entity Org:
  id: uuid pk
  name: str(80) required
  archetype: tenant
entity Member:
  id: uuid pk
  archetype: user_membership
entity Task:
  id: uuid pk
  title: str(80) required
  unique title
  permit:
    read: true
";

#[test]
fn rows_keep_their_tenant_when_its_entity_is_renamed() {
    let (old, new) = (schema(BEFORE), schema(&BEFORE.replace("entity Org:\n", "entity Firm:\n  was: Org\n")));
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let migration = diff::migration(&old, &new, engine).expect("a difference");
        let steps: Vec<String> = migration.steps.iter().map(|step| format!("{}: {}\n", step.class.as_str(), step.what)).collect();
        assert!(steps.iter().all(|step| !step.contains("drops the column") && !step.contains("adds")), "{steps:#?}");
        for table in ["tasks", "members"] {
            assert!(steps.contains(&format!("safe: renames the column `{table}.org` to `firm`\n")), "{steps:#?}");
        }
        if engine == Engine::Postgres {
            expect![[r#"
                locking: renames the table `orgs` to `firms`
                safe: renames the column `members.org` to `firm`
                locking: changes the foreign key of `members.firm`
                locking: makes `firm, user` of `members` unique; it fails if two rows have equal values
                locking: indexes `members` by `firm, invited_at, id`
                locking: indexes `members` by `firm, invited_by`
                safe: drops the uniqueness of `org, user` of `members`
                safe: drops the index of `org, invited_at, id` of `members`
                safe: drops the index of `org, invited_by` of `members`
                locking: changes triggers or policies of `members`
                safe: renames the column `tasks.org` to `firm`
                locking: changes the foreign key of `tasks.firm`
                locking: makes `firm, title` of `tasks` unique; it fails if two rows have equal values
                safe: drops the uniqueness of `org, title` of `tasks`
                locking: changes triggers or policies of `tasks`
                locking: changes the foreign key of `dz_invitations.tenant`
            "#]]
            .assert_eq(&steps.concat());
        }
    }
    // A former name of a table names no field.
    assert!(schema(&BEFORE.replace("entity Org:\n", "entity Firm:\n  was: orgs\n")).sql(Engine::Sqlite).contains("\"firm\""));
}
