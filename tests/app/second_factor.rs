//! The second factor, notifications of sign-ins, and breached passwords.

use dz::{
    MailKind,
    serde_json::{Value, json},
};
use sha1::{Digest, Sha1};

use crate::{
    accounts::{Site, on_own_sites},
    client::{Answer, Client, MANAGER, SURVEYOR},
};

on_own_sites! {
    a_second_factor_is_required_and_its_codes_are_single_use, json!({});
    recovery_codes_are_single_use, json!({});
    guessing_codes_is_throttled_and_reported, json!({});
    a_role_can_require_a_second_factor, json!({ "second_factor": ["manager"] });
    the_second_factor_cannot_be_bypassed, json!({});
    only_the_session_that_began_can_register_a_device, json!({});
    an_administrator_removes_a_lost_device, json!({});
    the_command_line_removes_a_lost_device, json!({});
    unusual_sign_ins_are_reported, json!({});
    leaked_passwords_are_refused, json!({ "registration": true, "breached_passwords": write_breached_passwords() });
    secrets_are_encrypted_at_rest_and_keys_rotate, json!({});
}

/// The TOTP code of a secret at a time (RFC 6238), computed independently of dz.
fn code(secret: &str, at: i64) -> String {
    let (mut bits, mut count, mut key) = (0_u32, 0, Vec::new());
    for letter in secret.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'2'..=b'7' => letter - b'2' + 26,
            other => panic!("no letter of a secret: {other}"),
        };
        bits = bits << 5 | u32::from(value);
        count += 5;
        if count >= 8 {
            count -= 8;
            key.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    // HMAC, RFC 2104: the key is shorter than a block.
    let padded = |pad: u8| -> Vec<u8> { (0..64).map(|at| key.get(at).copied().unwrap_or(0) ^ pad).collect() };
    let inner = Sha1::new().chain_update(padded(0x36)).chain_update((at / 30).to_be_bytes()).finalize();
    let tag = Sha1::new().chain_update(padded(0x5C)).chain_update(inner).finalize();
    let from = usize::from(tag[19] & 15);
    let number = u32::from_be_bytes([tag[from], tag[from + 1], tag[from + 2], tag[from + 3]]) & 0x7FFF_FFFF;
    format!("{:06}", number % 1_000_000)
}

impl Site {
    fn code(&self, secret: &str) -> String {
        code(secret, self.clock.now().timestamp())
    }

    /// Sets up a device for a signed-in user; returns the secret and the recovery codes. The code is used.
    #[track_caller]
    fn set_up(&self, client: &Client, password: &str) -> (String, Vec<String>) {
        let begun = client.send("POST", "/auth/factor/begin", &json!({ "current": password })).ok(200).json();
        let secret = begun["secret"].as_str().expect("a secret").to_owned();
        let done = client.send("POST", "/auth/factor/confirm", &json!({ "code": self.code(&secret) })).ok(200).json();
        let codes = done["recovery_codes"].as_array().expect("codes");
        (secret, codes.iter().map(|code| code.as_str().expect("a code").to_owned()).collect())
    }

    fn sign_in(&self, who: (&str, &str), code: Option<&str>) -> Answer {
        let mut body = json!({ "email": who.0, "password": who.1 });
        if let Some(code) = code {
            body["code"] = json!(code);
        }
        Client::new(&self.base).send("POST", "/auth/login", &body)
    }

    /// Advances the clock to the next TOTP period.
    fn next_code(&self) {
        self.clock.advance(chrono::TimeDelta::seconds(30));
    }
}

fn a_second_factor_is_required_and_its_codes_are_single_use(site: Site) {
    let (client, other) = (Client::signed_in(&site.base, SURVEYOR), Client::signed_in(&site.base, SURVEYOR));
    client.get("/app/-/account").ok(200).shows(&["/app/-/factor"]);
    client.get("/app/-/factor").ok(200).shows(&[">Not set up<", "name=\"current\""]);
    client.send("POST", "/auth/factor/begin", &json!({ "current": "not it" })).problem(422, "VALIDATION");
    client.send("POST", "/auth/factor/begin", &json!({})).problem(422, "VALIDATION");
    let begun = client.send("POST", "/auth/factor/begin", &json!({ "current": SURVEYOR.1 })).ok(200).json();
    let secret = begun["secret"].as_str().expect("a secret").to_owned();
    assert!(
        begun["address"].as_str().is_some_and(|it| it.starts_with("otpauth://totp/Fieldwork:tomas%40fieldwork.example?secret=")),
        "{begun}"
    );
    client.get("/app/-/factor").ok(200).shows(&["<svg", &secret[..4], "autocomplete=\"one-time-code\""]);
    // No code is required before the device is confirmed.
    assert_eq!(site.sign_in(SURVEYOR, None).status, 200);
    client.send("POST", "/auth/factor/confirm", &json!({ "code": "000000" })).problem(422, "VALIDATION");
    let page = client.form("/auth/factor/confirm", &[("code", &site.code(&secret))]).ok(200);
    page.shows(&["Recovery codes"]);
    assert_eq!(page.body.matches("<li><code>").count(), 8);
    assert_eq!(site.mail(SURVEYOR.0).kind, MailKind::SecondFactor);
    client.get("/auth/me").ok(200);
    other.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    client.get("/app/-/factor").ok(200).shows(&[">Set up<", "8 recovery codes are left"]);
    client.send("POST", "/auth/factor/begin", &json!({ "current": SURVEYOR.1 })).problem(409, "CONFLICT");

    // Programs send the code with the password.
    let asked = site.sign_in(SURVEYOR, None).problem(401, "SECOND_FACTOR");
    assert!(asked["detail"].as_str().is_some_and(|it| it.contains("`code`")), "{asked}");
    site.sign_in(SURVEYOR, Some(&site.code(&secret))).problem(401, "SECOND_FACTOR");
    site.next_code();
    site.sign_in((SURVEYOR.0, "not it"), Some(&site.code(&secret))).problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(site.sign_in(SURVEYOR, Some(&site.code(&secret))).status, 200);
    site.sign_in(SURVEYOR, Some(&site.code(&secret))).problem(401, "SECOND_FACTOR");

    // Browsers get a page for the code.
    site.next_code();
    let mut browser = Client::new(&site.base);
    let answer = browser.form("/auth/login", &[("email", SURVEYOR.0), ("password", SURVEYOR.1), ("next", "/app/-/account")]).ok(303);
    assert_eq!(answer.header("location"), Some("/auth/code"));
    assert!(answer.cookies().iter().all(|it| !it.starts_with("dz_session=")), "{:?}", answer.cookies());
    browser.keep(&answer);
    browser.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    browser.get("/auth/code").ok(200).shows(&["name=\"code\""]);
    browser.form("/auth/code", &[("code", "123456")]).ok(401).shows(&["is wrong, expired or already used"]);
    // This address has many failures and is delayed.
    site.passes(1);
    let done = browser.form("/auth/code", &[("code", &site.code(&secret))]).ok(303);
    assert_eq!(done.header("location"), Some("/app/-/account"));
    assert!(done.cookies().iter().any(|it| it.starts_with("dz_session=") && it.len() > 20), "{:?}", done.cookies());
    // The pending sign-in has expired, and another browser has none.
    site.next_code();
    for client in [&browser, &Client::new(&site.base)] {
        let answer = client.form("/auth/code", &[("code", &site.code(&secret))]).ok(303);
        assert_eq!((answer.header("location"), answer.cookies().len()), (Some("/login"), 0));
    }
}

fn recovery_codes_are_single_use(site: Site) {
    let (surveyor, manager) = (Client::signed_in(&site.base, SURVEYOR), Client::signed_in(&site.base, MANAGER));
    let (secret, codes) = site.set_up(&surveyor, SURVEYOR.1);
    let (_, theirs) = site.set_up(&manager, MANAGER.1);
    let all: std::collections::BTreeSet<&String> = codes.iter().chain(&theirs).collect();
    assert_eq!((codes.len(), all.len()), (8, 16));
    assert!(codes.iter().all(|code| code.len() == 27), "{codes:?}");
    site.sign_in(SURVEYOR, Some(&theirs[0])).problem(401, "SECOND_FACTOR");
    // Separators are ignored.
    assert_eq!(site.sign_in(SURVEYOR, Some(&codes[0].to_uppercase().replace('-', " "))).status, 200);
    site.sign_in(SURVEYOR, Some(&codes[0])).problem(401, "SECOND_FACTOR");
    surveyor.get("/app/-/factor").ok(200).shows(&["7 recovery codes are left"]);
    // Removing the second factor requires the password and a code.
    site.next_code();
    let remove = |body: Value| surveyor.send("POST", "/auth/factor/remove", &body);
    remove(json!({ "code": site.code(&secret) })).problem(422, "VALIDATION");
    remove(json!({ "current": SURVEYOR.1 })).problem(422, "VALIDATION");
    remove(json!({ "current": SURVEYOR.1, "code": "000000" })).problem(422, "VALIDATION");
    remove(json!({ "current": SURVEYOR.1, "code": site.code(&secret) })).ok(204);
    assert_eq!(site.sign_in(SURVEYOR, None).status, 200);
    surveyor.get("/app/-/factor").ok(200).shows(&[">Not set up<"]);
}

fn guessing_codes_is_throttled_and_reported(site: Site) {
    let client = Client::signed_in(&site.base, SURVEYOR);
    let (secret, _) = site.set_up(&client, SURVEYOR.1);
    assert_eq!(site.mail(SURVEYOR.0).kind, MailKind::SecondFactor);
    site.next_code();
    let mut tries = 0;
    for _ in 0..10 {
        loop {
            tries += 1;
            match site.sign_in(SURVEYOR, Some("000000")).status {
                401 => break,
                429 => site.clock.advance(chrono::TimeDelta::seconds(10)),
                other => panic!("{other}"),
            }
        }
    }
    assert!(tries >= 14, "{tries} tries for ten codes");
    // The correct code is delayed too, and the owner is notified.
    site.sign_in(SURVEYOR, Some(&site.code(&secret))).problem(429, "RATE_LIMIT");
    let mail = site.mail(SURVEYOR.0);
    assert_eq!((mail.kind, mail.text.contains("10 attempts failed")), (MailKind::FailedSignIns, true), "{}", mail.text);
    site.passes(1);
    assert_eq!(site.sign_in(SURVEYOR, Some(&site.code(&secret))).status, 200);
}

fn a_role_can_require_a_second_factor(site: Site) {
    let manager = Client::signed_in(&site.base, MANAGER);
    let refused = manager.get("/api/tasks").problem(403, "SECOND_FACTOR");
    assert!(refused["detail"].as_str().is_some_and(|it| it.contains("/app/-/factor")), "{refused}");
    manager.send("POST", "/api/companies", &json!({ "name": "Not yet" })).problem(403, "SECOND_FACTOR");
    for page in ["/app", "/app/task_list", "/app/-/account"] {
        assert_eq!(manager.get(page).ok(303).header("location"), Some("/app/-/factor?failed=required"), "{page}");
    }
    // Also an administrator, who could remove the devices of others.
    site.grant(MANAGER.0, "admin");
    manager.send("POST", "/auth/factor/reset", &json!({ "email": SURVEYOR.0 })).problem(403, "SECOND_FACTOR");
    manager.get("/auth/me").ok(200);
    manager.get("/app/-/factor?failed=required").ok(200).shows(&["Your role requires a second factor"]);
    site.set_up(&manager, MANAGER.1);
    manager.get("/api/tasks").ok(200);
    manager.get("/app/task_list").ok(200);
    Client::signed_in(&site.base, SURVEYOR).get("/api/tasks").ok(200);
}

fn the_second_factor_cannot_be_bypassed(site: Site) {
    let client = Client::signed_in(&site.base, SURVEYOR);
    site.set_up(&client, SURVEYOR.1);
    let nobody = Client::new(&site.base);
    assert_eq!(site.mail(SURVEYOR.0).kind, MailKind::SecondFactor);
    // A new password by mail does not sign in, and does not replace the second factor.
    nobody.send("POST", "/auth/forgot", &json!({ "email": SURVEYOR.0 })).ok(204);
    let mail = site.mail(SURVEYOR.0);
    nobody.send("POST", "/auth/reset", &json!({ "token": mail.token, "password": "a whole new phrase" })).ok(204);
    site.sign_in((SURVEYOR.0, "a whole new phrase"), None).problem(401, "SECOND_FACTOR");
    // A pending sign-in is not a session.
    let mut browser = Client::new(&site.base);
    browser.keep(&browser.form("/auth/login", &[("email", SURVEYOR.0), ("password", "a whole new phrase")]).ok(303));
    let step = browser.cookie.clone().expect("a step").replacen("dz_step", "dz_session", 1);
    browser.cookie = Some(step);
    browser.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    for what in ["begin", "confirm", "remove", "reset"] {
        nobody.send("POST", &format!("/auth/factor/{what}"), &json!({})).problem(401, "AUTHENTICATION_REQUIRED");
    }
    let step = Client::new(&site.base).form("/auth/login", &[("email", SURVEYOR.0), ("password", "a whole new phrase")]).ok(303);
    let mut late = Client::new(&site.base);
    late.keep(&step);
    site.passes(11);
    assert_eq!(late.get("/auth/code").ok(303).header("location"), Some("/login"));
}

/// Another open session of the account cannot complete a set-up.
fn only_the_session_that_began_can_register_a_device(site: Site) {
    let (owner, thief) = (Client::signed_in(&site.base, SURVEYOR), Client::signed_in(&site.base, SURVEYOR));
    let begun = owner.send("POST", "/auth/factor/begin", &json!({ "current": SURVEYOR.1 })).ok(200).json();
    let secret = begun["secret"].as_str().expect("a secret").to_owned();
    let shown: String = secret.chars().take(4).collect();
    owner.get("/app/-/factor").ok(200).shows(&[&shown]);
    thief.get("/app/-/factor").ok(200).lacks(&[&shown]);
    let now = site.clock.now().timestamp();
    let confirm = |client: &Client| client.send("POST", "/auth/factor/confirm", &json!({ "code": code(&secret, now) }));
    confirm(&thief).problem(422, "VALIDATION");
    owner.get("/auth/me").ok(200);
    confirm(&owner).ok(200);
    thief.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
}

fn an_administrator_removes_a_lost_device(site: Site) {
    let (client, manager) = (Client::signed_in(&site.base, SURVEYOR), Client::signed_in(&site.base, MANAGER));
    site.set_up(&client, SURVEYOR.1);
    let reset = |client: &Client, email: &str| client.send("POST", "/auth/factor/reset", &json!({ "email": email }));
    reset(&client, SURVEYOR.0).problem(403, "FORBIDDEN");
    reset(&manager, SURVEYOR.0).problem(403, "FORBIDDEN");
    site.sign_in(SURVEYOR, None).problem(401, "SECOND_FACTOR");
    site.grant(MANAGER.0, "admin");
    reset(&manager, "nobody@fieldwork.example").problem(404, "NOT_FOUND");
    reset(&manager, SURVEYOR.0).ok(204);
    client.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(site.sign_in(SURVEYOR, None).status, 200);
    manager.get("/admin/audit?action=second_factor").ok(200).shows(&["set up", "reset"]);
}

/// The command line of the application, with a mailer that prints mails.
#[test]
#[ignore = "a test runs it in a process of its own"]
fn program() {
    crate::server::obey(crate::fieldwork::fieldwork().mailer(|mail| {
        println!("mail to {}: {:?}", mail.to, mail.kind);
        Ok(())
    }));
}

fn the_command_line_removes_a_lost_device(site: Site) {
    let run = |email: &str| {
        let output = site.command("second_factor::program", &["user", "forget-factor", email]).output().expect("the program runs");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.success(), said)
    };
    let (done, said) = run("nobody@fieldwork.example");
    assert!(!done && said.contains("no account nobody@fieldwork.example"), "{said}");
    let client = Client::signed_in(&site.base, SURVEYOR);
    let (done, said) = run(SURVEYOR.0);
    assert!(!done && said.contains("has no second factor") && !said.contains("mail to"), "{said}");
    client.get("/auth/me").ok(200);
    site.set_up(&client, SURVEYOR.1);
    site.sign_in(SURVEYOR, None).problem(401, "SECOND_FACTOR");
    let (done, said) = run("TOMAS@fieldwork.example");
    assert!(done && said.contains("mail to tomas@fieldwork.example: SecondFactor"), "{said}");
    // All sessions of the account end, and a code is no longer required.
    client.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(site.sign_in(SURVEYOR, None).status, 200);
    let (done, said) = run(SURVEYOR.0);
    assert!(!done && said.contains("has no second factor"), "{said}");
    site.grant(MANAGER.0, "admin");
    let manager = Client::signed_in(&site.base, MANAGER);
    manager.get("/admin/audit?action=second_factor").ok(200).shows(&["reset by the command line"]);
}

fn unusual_sign_ins_are_reported(site: Site) {
    let firefox = ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0");
    let safari = ("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1");
    let body = json!({ "email": SURVEYOR.0, "password": SURVEYOR.1 }).to_string();
    let sign_in = |agent| {
        let headers = [("Content-Type", "application/json"), agent];
        Client::new(&site.base).request("POST", "/auth/login", &headers, body.as_bytes()).ok(200);
    };
    let told = |words: &str| {
        let mail = site.mail(SURVEYOR.0);
        assert_eq!(mail.kind, MailKind::SignIn);
        assert!(mail.text.contains(words) && mail.text.contains("/auth/forgot"), "{}", mail.text);
    };
    // The first device is not reported; another one is, once.
    sign_in(firefox);
    sign_in(safari);
    told("Safari on iPhone: a device that the account did not use before");
    sign_in(safari);
    sign_in(firefox);
    site.passes(91 * 24 * 60);
    sign_in(firefox);
    told("for the first time in months");
    for _ in 0..3 {
        site.sign_in((SURVEYOR.0, "not it"), None).problem(401, "AUTHENTICATION_REQUIRED");
    }
    sign_in(firefox);
    told("after 3 failed attempts");
    // The owner is notified of ten failures, if there is one.
    for email in [SURVEYOR.0, "nobody@fieldwork.example"] {
        for _ in 0..10 {
            while site.sign_in((email, "not it"), None).status == 429 {
                site.passes(1);
            }
        }
    }
    assert_eq!(site.mail(SURVEYOR.0).kind, MailKind::FailedSignIns);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let left: Vec<String> = site.mails.lock().expect("mails").iter().map(|mail| format!("{:?} to {}", mail.kind, mail.to)).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A file with one password among other hashes.
fn write_breached_passwords() -> String {
    let path = std::env::temp_dir().join(format!("dz-known-{}", std::process::id()));
    let lines = [
        "0000000000000000000000000000000000000001:9",
        "FCC017D0CB3C1B3FD564B8E6377B317505DFEC41:2",
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF:1",
    ];
    std::fs::write(&path, lines.map(|line| format!("{line}\r\n")).concat()).expect("a file");
    path.display().to_string()
}

fn leaked_passwords_are_refused(site: Site) {
    let known = "a horse of many colours";
    let nobody = Client::new(&site.base);
    let refused = |answer: Answer, field: &str| {
        let problem = answer.problem(422, "VALIDATION");
        assert!(problem["field_errors"][field].to_string().contains("in a list of leaked passwords"), "{problem}");
    };
    refused(nobody.send("POST", "/auth/register", &json!({ "email": "zoe@example.com", "name": "Zoe", "password": known })), "password");
    let tomas = Client::signed_in(&site.base, SURVEYOR);
    refused(tomas.send("POST", "/auth/password", &json!({ "current": SURVEYOR.1, "new": known })), "new");
    nobody.send("POST", "/auth/forgot", &json!({ "email": SURVEYOR.0 })).ok(204);
    let mail = site.mail(SURVEYOR.0);
    refused(nobody.send("POST", "/auth/reset", &json!({ "token": mail.token, "password": known })), "password");
    nobody.send("POST", "/auth/reset", &json!({ "token": mail.token, "password": "a horse of one colour" })).ok(204);
}

/// The stored second factors.
fn load_factors(site: &Site) -> Vec<String> {
    use diesel::{Connection as _, QueryableByName, RunQueryDsl as _, sql_query, sql_types::Text};
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Text)]
        secret: String,
    }
    let query = sql_query("SELECT secret FROM dz_factors ORDER BY account");
    let (engine, url) = site.database();
    let rows: Vec<Row> = match engine {
        dz::Engine::Sqlite => query.load(&mut diesel::SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("a file")),
        dz::Engine::Postgres => query.load(&mut diesel::PgConnection::establish(url).expect("a server")),
    }
    .expect("rows");
    rows.into_iter().map(|row| row.secret).collect()
}

fn secrets_are_encrypted_at_rest_and_keys_rotate(site: Site) {
    const OLD: &str = "2025:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const NEW: &str = "2026:Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";
    let again = |site: &Site, keys: &[&str]| {
        let (engine, url) = site.database();
        let next = Site::with_database(crate::fieldwork::fieldwork(), engine, url.to_owned(), json!({ "secrets": keys }));
        next.clock.advance(site.clock.now() - next.clock.now() + chrono::TimeDelta::seconds(60));
        next
    };
    // Without a key a secret is stored in plain text; the next start with a key encrypts it.
    let client = Client::signed_in(&site.base, SURVEYOR);
    let (first, _) = site.set_up(&client, SURVEYOR.1);
    assert_eq!(load_factors(&site), std::slice::from_ref(&first));
    let old = again(&site, &[OLD]);
    let client = Client::signed_in(&old.base, MANAGER);
    let (second, _) = old.set_up(&client, MANAGER.1);
    let kept = load_factors(&old);
    assert!(kept.iter().all(|secret| secret.starts_with("dz1.2025.") && !secret.contains(&first) && !secret.contains(&second)), "{kept:?}");
    assert_eq!(old.sign_in(SURVEYOR, Some(&old.code(&first))).status, 200);
    // The first key encrypts: the next start encrypts again with the new key, and then the old one can be removed.
    let new = again(&old, &[NEW, OLD]);
    let kept = load_factors(&new);
    assert!(kept.iter().all(|secret| secret.starts_with("dz1.2026.")), "{kept:?}");
    let alone = again(&new, &[NEW]);
    assert_eq!(alone.sign_in(SURVEYOR, Some(&alone.code(&first))).status, 200);
    assert_eq!(alone.sign_in(MANAGER, Some(&alone.code(&second))).status, 200);
    // A start without a required key names it.
    let (engine, url) = alone.database();
    for keys in [json!([]), json!([OLD])] {
        let figment = crate::server::figment(1).merge(("dz.secrets", keys));
        let refused = crate::fieldwork::fieldwork().engine(engine).database_url(url.to_owned()).figment(figment).rocket();
        let error = refused.expect_err("a refusal").to_string();
        assert!(error.contains("the key `2026`"), "{error}");
    }
}
