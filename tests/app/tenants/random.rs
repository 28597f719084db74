//! Random requests by random members of three tenants to all kinds of addresses: no request reads or changes a row of another tenant.
//!
//! A run prints its seed; `DZ_SEED` repeats it, `DZ_STEPS` makes it longer.

use super::*;

#[test]
fn no_caller_reaches_another_tenant_on_sqlite() {
    run(Engine::Sqlite);
}

#[test]
fn no_caller_reaches_another_tenant_on_postgres() {
    run(Engine::Postgres);
}

const NAMES: [&str; 3] = ["North", "South", "West"];
/// Words in the titles of a tenant, which no request to another one contains.
const MARKS: [&[&str]; 3] = [&["zz-north", "Northern hen"], &["zz-south", "Southern goat"], &["zz-west", "Western mule"]];

/// Administrators of the tenants, who read all rows and change nothing.
const LOOKERS: [(&str, &str); 3] =
    [("ned@vets.example", "looks at the north"), ("sol@vets.example", "looks at the south"), ("wim@vets.example", "looks at the west")];

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

/// The rows of a tenant, as its members see them.
#[derive(Debug, Clone, PartialEq, Default)]
struct Seen {
    visits: Value,
    rooms: Value,
    office: Value,
    members: Value,
}

struct World {
    dice: Dice,
    /// A client in each tenant that only reads.
    lookers: Vec<Client>,
    /// Clients that write, with their tenants.
    actors: Vec<(Client, usize)>,
    seen: Vec<Seen>,
    count: usize,
}

fn env(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn run(engine: Engine) {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |it| it.as_nanos() as u64);
    let seed = env("DZ_SEED").unwrap_or(time);
    println!("DZ_SEED={seed}");
    let base = server::serve(practices(), engine, server::fenced_url(engine, "random"));
    let lookers: Vec<Client> = LOOKERS.iter().map(|who| Client::signed_in(&base, *who)).collect();
    let actors = vec![
        (Client::signed_in(&base, ANN), 0),
        (working(&base, BO, "North"), 0),
        (working(&base, PAM, "North"), 0),
        (Client::signed_in(&base, SUE), 1),
        (working(&base, BO, "South"), 1),
        (Client::signed_in(&base, WES), 2),
        (Client::signed_in(&base, PAM), 2),
    ];
    let mut world = World { dice: Dice(seed), lookers, actors, seen: vec![Seen::default(); 3], count: 0 };
    for tenant in 0..3 {
        world.seen[tenant] = world.look(tenant);
    }
    for step in 0..env("DZ_STEPS").unwrap_or(220) {
        world.step(step);
    }
}

impl World {
    fn look(&self, tenant: usize) -> Seen {
        let client = &self.lookers[tenant];
        let all = |path: &str| client.get(&format!("/api/{path}?page_size=100&sort=id")).ok(200).json()["items"].clone();
        Seen { visits: all("visits"), rooms: all("rooms"), office: all("offices"), members: all("members") }
    }

    /// The key of a row of any tenant, with its tenant.
    fn any(&mut self, of: fn(&Seen) -> &Value) -> (String, usize) {
        let tenant = self.dice.below(3);
        let rows = of(&self.seen[tenant]).as_array().cloned().unwrap_or_default();
        let key = if rows.is_empty() { String::new() } else { self.dice.one(&rows)["id"].as_str().unwrap_or_default().to_owned() };
        (if key.is_empty() { "00000000-0000-7000-8000-000000000000".to_owned() } else { key }, tenant)
    }

    fn visit(&mut self) -> (String, usize) {
        self.any(|seen| &seen.visits)
    }

    fn room(&mut self) -> (String, usize) {
        self.any(|seen| &seen.rooms)
    }

    fn step(&mut self, step: u64) {
        let at = self.dice.below(self.actors.len());
        let own = self.actors[at].1;
        self.count += 1;
        let title = format!("{} {}", MARKS[own][0], self.count);
        let (said, answers) = self.act(at, own, &title);
        for (status, body) in answers {
            assert!(status < 500, "step {step}, {said}: {status} {body}");
            for other in (0..3).filter(|other| *other != own) {
                for mark in MARKS[other] {
                    assert!(!body.contains(mark), "step {step}, {said} shows `{mark}` in {}: {body}", NAMES[own]);
                }
            }
        }
        for other in (0..3).filter(|other| *other != own) {
            assert_eq!(self.look(other), self.seen[other], "step {step}, {said} in {} changed {}", NAMES[own], NAMES[other]);
        }
        self.seen[own] = self.look(own);
    }

    /// Sends one request; returns the request and the response.
    fn act(&mut self, at: usize, own: usize, title: &str) -> (String, Vec<(u16, String)>) {
        let (visit, whose) = self.visit();
        let (room, whose_room) = self.room();
        let (second, _) = self.visit();
        let tenants: Vec<String> =
            (0..3).map(|tenant| self.seen[tenant].rooms[0]["practice"].as_str().unwrap_or_default().to_owned()).collect();
        let foreign = tenants[self.dice.below(3)].clone();
        let kind = self.dice.below(24);
        let sort = *self.dice.one(&["title", "-title", "room.name", "-fee", "vet.name,title", "practice"]);
        let search = *self.dice.one(&["zz", "hen", "goat", "mule", "one", ""]);
        let (client, _) = &self.actors[at];
        let mut answers = Vec::new();
        let mut said = |what: String, answer: crate::client::Answer, expected: &[u16]| {
            assert!(expected.is_empty() || expected.contains(&answer.status), "{what}: {} {}", answer.status, answer.body);
            answers.push((answer.status, answer.body));
            what
        };
        let gone: &[u16] = if whose == own { &[] } else { &[403, 404] };
        let path = format!("/api/visits/{visit}");
        let what = match kind {
            0 => said(format!("list by {sort}"), client.get(&format!("/api/visits?sort={sort}&expand=room,vet")), &[200]),
            1 => said(format!("search {search}"), client.get(&format!("/api/visits?search={search}&page_size=5")), &[200]),
            2 => {
                said("filters".into(), client.get(&format!("/api/visits?room={room}&practice__in={foreign}&room.name__contains=z")), &[200])
            }
            3 => said("csv".into(), client.get("/api/visits?format=csv"), &[200]),
            4 => said(format!("read {visit}"), client.get(&format!("{path}?expand=room,vet,practice")), gone),
            5 => {
                let body = json!({ "title": title, "room": room });
                let expected: &[u16] = if whose_room == own { &[] } else { &[422] };
                said(format!("create in {room}"), client.send("POST", "/api/visits", &body), expected)
            }
            6 => {
                let expected: &[u16] = if foreign == tenants[own] { &[201, 403] } else { &[422] };
                said(
                    format!("create for {foreign}"),
                    client.send("POST", "/api/visits", &json!({ "title": title, "practice": foreign })),
                    expected,
                )
            }
            7 => said(format!("change {visit}"), client.send("PATCH", &path, &json!({ "title": title, "room": null })), gone),
            8 => said(format!("hand {visit} over"), client.send("PATCH", &path, &json!({ "practice": foreign })), gone),
            9 => said(format!("replace {visit}"), client.send("PUT", &path, &json!({ "title": title })), gone),
            10 => said(format!("delete {visit}"), client.delete(&path), gone),
            11 => said(format!("restore {visit}"), client.send("POST", &format!("{path}/actions/restore"), &json!({})), &[200, 403, 404]),
            12 => said(format!("move {visit}"), client.send("POST", &format!("{path}/transitions/running"), &json!({})), gone),
            13 => said(format!("remind {visit}"), client.send("POST", &format!("{path}/actions/remind"), &json!({})), gone),
            14 => {
                let body = json!({ "action": "update", "ids": [visit, second], "set": { "title": title } });
                said("bulk by keys".into(), client.send("POST", "/api/visits/bulk", &body), &[200, 403])
            }
            15 => {
                let body = json!({ "action": "update", "query": "sort=title", "set": { "fee": "3.00" } });
                said("bulk by query".into(), client.send("POST", "/api/visits/bulk", &body), &[200, 403])
            }
            16 => {
                let file = format!("id,title\n{visit},{title}\n,{title} new\n");
                let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
                said("import".into(), client.request("POST", "/api/visits/import", &headers, file.as_bytes()), &[200, 403, 422])
            }
            17 => {
                let what = said("pages".into(), client.get("/app/visit_list?page_size=100"), &[200]);
                for page in
                    [format!("/app/visit_view/{visit}"), format!("/app/visit_edit/{visit}"), format!("/app/visit_view/{visit}/delete")]
                {
                    said(page.clone(), client.get(&page), if whose == own { &[] } else { &[403, 404] });
                }
                what
            }
            18 => said(
                format!("room page {room}"),
                client.get(&format!("/app/room_view/{room}")),
                if whose_room == own { &[] } else { &[404] },
            ),
            19 => {
                let form = [("title", title), ("state", "planned"), ("room", &room), ("version", "1")];
                said(
                    format!("form {visit}"),
                    client.form(&format!("/app/visit_edit/{visit}"), &form),
                    if whose == own { &[] } else { &[403, 404] },
                )
            }
            20 => said(
                "form delete".into(),
                client.form(&format!("/app/visit_view/{visit}/delete"), &[]),
                if whose == own { &[] } else { &[403, 404] },
            ),
            21 => {
                let what = said("pickers".into(), client.exchange("/app/-/pick/rooms?room.q=z&id=room"), &[200]);
                said("people".into(), client.exchange("/app/-/pick/people?vet.q=&id=vet"), &[200]);
                what
            }
            22 => {
                let what = said("make a room".into(), client.send("POST", "/api/rooms", &json!({ "name": title })), &[201, 403]);
                said(
                    format!("drop {room}"),
                    client.delete(&format!("/api/rooms/{room}")),
                    if whose_room == own { &[] } else { &[403, 404] },
                );
                what
            }
            _ => {
                let what = said("typed".into(), client.get("/typed/titles"), &[200]);
                said(
                    "typed write".into(),
                    client.request("POST", &format!("/typed/plan?practice={foreign}"), &[("Sec-Fetch-Site", "same-origin")], b""),
                    &[],
                );
                said("office".into(), client.get("/settings/office"), &[]);
                what
            }
        };
        (what, answers)
    }
}
