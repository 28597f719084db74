use crate::{eject, source};

const PLAIN: &str = "
entity User \"User\":
  archetype: user
  id: uuid pk
  permit:
    update: id = current_user
";

const TENANTS: &str = "
app clinic \"Clinic\":
  multi_tenant: true

entity Practice \"Practice\":
  archetype: tenant
  id: uuid pk
  name: str(80) required

entity User \"User\":
  archetype: user
  id: uuid pk

entity Member \"Member\":
  archetype: user_membership
  id: uuid pk
  permit:
    delete: role(admin)
";

#[test]
fn only_members_of_the_tenant_can_be_referenced_as_accounts() {
    let access = source(&eject(TENANTS), "access/user");
    let condition = r#"if_known(caller.tenant(), |tenant| Sql::new(format!("{row}.is_active AND EXISTS (SELECT 1 FROM members AS dz_m WHERE dz_m.\"user\" = {row}.id AND dz_m.accepted_at IS NOT NULL AND dz_m.practice = ?)"), [Value::Id(Some(tenant))]))"#;
    assert!(access.contains(condition), "{access}");
    assert!(source(&eject(PLAIN), "access/user").contains(r#"let active = Sql::text(format!("{row}.is_active"));"#));
}

#[test]
fn a_disabled_account_loses_its_links_sessions_and_tokens() {
    let tree = eject(PLAIN);
    let routes = source(&tree, "routes/user");
    let (stored, ended) =
        (routes.find(".set(&row).execute(connection)?; end_former_access(connection, before, &row)?;"), "end_former_access");
    assert!(stored.is_some(), "{routes}");
    assert_eq!(routes.matches(ended).count(), 2);
    assert!(routes.contains("let is_disabled = !row.is_active;"));
    let recovery = source(&tree, "auth/recovery");
    assert!(recovery.contains(".filter(accounts::email.eq(&account.email)) .filter(accounts::is_active.eq(true));"));
    assert_eq!(recovery.matches(".filter(accounts::is_active.eq(true).or(accounts::email_verify_token.is_not_null()))").count(), 3);
    assert!(source(&tree, "auth").contains("pub fn end_access"));
}

#[test]
fn another_address_needs_a_recent_sign_in_and_is_not_confirmed() {
    let routes = source(&eject(PLAIN), "routes/user");
    assert!(routes.contains("if row != *before { change_address(caller, before, &mut row)?;"), "{routes}");
    assert!(routes.contains("row.email_verified &= !before.email_verified;"));
    let optional = PLAIN.replace("  permit:", "  is_active: bool = true\n  email_verified: bool = false\n  permit:");
    let routes = source(&eject(&optional), "routes/user");
    let required = routes.contains("row.email_verified &= !before.email_verified;") && routes.contains("= !row.is_active;");
    let nullable = routes.contains("row.email_verified = Some(false);") && routes.contains("= row.is_active == Some(false);");
    let is_nullable = source(&eject(&optional), "models/user").contains("is_active: Option<bool>");
    assert!(if is_nullable { nullable } else { required }, "{routes}");
}
