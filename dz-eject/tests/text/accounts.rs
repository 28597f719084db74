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
}

#[test]
fn the_own_fields_of_an_account_give_roles_but_not_the_rights_of_an_administrator() {
    let own = PLAIN.replace("  permit:", "  role: enum[boss, hand] = hand\n  roles: json\n  permit:");
    let caller = source(&eject(&own), "caller");
    let collected = "let own_roles = [account.role.as_str().to_owned()] .into_iter() \
                     .chain(account.roles.as_ref().map(names_in).unwrap_or_default()) .collect();";
    assert!(unspaced(&caller).contains(&unspaced(collected)), "{caller}");
    assert!(caller.contains("let is_admin = roles.iter().any(|role| role == \"admin\"); let roles: Vec<String>"));
    assert!(caller.contains("pub fn is_system_admin(&self) -> bool { self.is_admin }"));
    assert!(!source(&eject(PLAIN), "caller").contains("own_roles"));
}

#[test]
fn the_list_of_settings_stores_their_row() {
    let settings =
        "\nentity Options \"Options\":\n  archetype: settings\n  id: uuid pk\n  title: str(20) = \"x\"\n  permit:\n    list: true\n";
    let routes = source(&eject(&format!("{PLAIN}{settings}")), "routes/options");
    assert!(routes.contains("access::ask(caller, Action::List)?; ensure_row(connection, caller)?;"), "{routes}");
    assert_eq!(routes.matches("fn ensure_row(").count(), 1);
}

#[test]
fn a_removed_member_has_no_invitation() {
    let tree = eject(TENANTS);
    assert!(source(&tree, "routes/member").contains("tenancy::forget_invitation(connection, member.practice, member.user)?;"));
    assert!(source(&tree, "tenancy").contains("pub fn forget_invitation("));
    assert!(!source(&tree, "routes/practice").contains("forget_invitation"));
}

fn unspaced(text: &str) -> String {
    text.split_whitespace().collect()
}
