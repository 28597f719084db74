//! Random declarations, and random changes of them.

use std::fmt::Write;

/// Names of entities, and of fields.
const ENTITIES: [&str; 4] = ["Ant", "Bee", "Cow", "Dog"];
const FIELDS: [&str; 7] = ["alpha", "beta", "gamma", "delta", "order", "eta", "theta"];

/// Pseudo-random numbers, equal for equal seeds.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }

    fn chance(&mut self, in_a_hundred: usize) -> bool {
        self.next(100) < in_a_hundred
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Entity {
    name: &'static str,
    was: Option<&'static str>,
    key: &'static str,
    fields: Vec<Field>,
    lines: Vec<&'static str>,
    states: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Field {
    name: &'static str,
    was: Option<&'static str>,
    ty: usize,
    /// The entity that it refers to.
    target: &'static str,
    required: bool,
    unique: bool,
    indexed: bool,
    preset: bool,
}

/// Types, each with a default.
const TYPES: [(&str, &str); 16] = [
    ("str(10)", "\"it's\""),
    ("str(40)", "\"a\""),
    ("text", "\"\""),
    ("int", "-3"),
    ("float", "1.5"),
    ("decimal(8,2)", "2.50"),
    ("decimal(12,4)", "0.0001"),
    ("decimal(28,4)", "-12.5"),
    ("bool", "true"),
    ("date", "today"),
    ("datetime", "now"),
    ("json", "{}"),
    ("enum[red, green, \"it's blue\"]", "green"),
    ("enum[red, green]", "red"),
    ("email", "\"a@b.example\""),
    ("uuid", "\"018f4e6a-0000-7000-8000-000000000000\""),
];

/// Two declarations: the second is a change of the first, or largely independent of it.
pub(super) fn pair(seed: u64) -> (String, String) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51ed);
    let old = application(&mut dice);
    let mut new = if dice.chance(15) { application(&mut dice) } else { old.clone() };
    for _ in 0..1 + dice.next(6) {
        change(&mut dice, &mut new);
    }
    let old: Vec<Entity> = old.into_iter().map(forgetful).collect();
    (text(&old), text(&new))
}

fn forgetful(mut entity: Entity) -> Entity {
    entity.was = None;
    entity.fields.iter_mut().for_each(|field| field.was = None);
    entity
}

fn application(dice: &mut Dice) -> Vec<Entity> {
    let mut entities: Vec<Entity> = Vec::new();
    for name in ENTITIES {
        if dice.chance(60) || entities.is_empty() {
            entities.push(entity(dice, name));
        }
    }
    entities
}

fn entity(dice: &mut Dice, name: &'static str) -> Entity {
    let key = ["id: uuid pk", "id: int pk", "code: str(20) pk"][dice.next(3)];
    let mut fields: Vec<Field> = Vec::new();
    for name in FIELDS {
        if dice.chance(45) {
            fields.push(field(dice, name));
        }
    }
    Entity { name, was: None, key, fields, lines: Vec::new(), states: dice.chance(20) }
}

fn field(dice: &mut Dice, name: &'static str) -> Field {
    Field {
        name,
        was: None,
        // The last one is a reference.
        ty: dice.next(TYPES.len() + 3).min(TYPES.len()),
        target: ENTITIES[dice.next(ENTITIES.len())],
        required: dice.chance(35),
        unique: dice.chance(15),
        indexed: dice.chance(20),
        preset: dice.chance(40),
    }
}

fn change(dice: &mut Dice, entities: &mut Vec<Entity>) {
    let (kind, at) = (dice.next(12), dice.next(entities.len()));
    let free = ENTITIES.into_iter().find(|name| entities.iter().all(|it| it.name != *name && it.was != Some(*name)));
    match (kind, free) {
        (0, Some(name)) => entities.push(entity(dice, name)),
        (1, _) if entities.len() > 1 => drop(entities.remove(at)),
        (2, Some(name)) if entities[at].was.is_none() => {
            let was = entities[at].name;
            entities[at].was = Some(was);
            entities[at].name = name;
            for field in entities.iter_mut().flat_map(|it| &mut it.fields).filter(|it| it.target == was) {
                field.target = name;
            }
        }
        (3, _) => entities[at].states = !entities[at].states,
        (4, _) => entities[at].key = ["id: uuid pk", "id: int pk", "code: str(20) pk", "key: uuid pk was: id"][dice.next(4)],
        (5, _) => match entities[at].lines.pop() {
            Some(_) => {}
            None => {
                let lines = [
                    "invariant: created_on != null",
                    "index created_on desc",
                    "unique created_on, note",
                    "unique created_on where note != null",
                    "index note where created_on > \"2026-01-01\" or note in [\"a\", \"b\"]",
                ];
                entities[at].lines.push(lines[dice.next(lines.len())])
            }
        },
        _ => change_field(dice, &mut entities[at]),
    }
}

fn change_field(dice: &mut Dice, entity: &mut Entity) {
    let free = FIELDS.into_iter().find(|name| entity.fields.iter().all(|it| it.name != *name && it.was != Some(*name)));
    if let (Some(name), true) = (free, entity.fields.is_empty() || dice.chance(25)) {
        return entity.fields.push(field(dice, name));
    }
    if entity.fields.is_empty() {
        return;
    }
    let at = dice.next(entity.fields.len());
    match (dice.next(6), free) {
        (0, _) => drop(entity.fields.remove(at)),
        (1, Some(name)) if entity.fields[at].was.is_none() => {
            entity.fields[at].was = Some(entity.fields[at].name);
            entity.fields[at].name = name;
        }
        (2, _) => entity.fields[at].ty = dice.next(TYPES.len() + 2).min(TYPES.len()),
        (3, _) => entity.fields[at].required = !entity.fields[at].required,
        (4, _) => entity.fields[at].unique = !entity.fields[at].unique,
        _ => entity.fields[at].indexed = !entity.fields[at].indexed,
    }
}

fn text(entities: &[Entity]) -> String {
    let mut out = String::from("app trial \"Trial\"\n");
    for entity in entities {
        write!(out, "\nentity {}:\n", entity.name).unwrap();
        if let Some(was) = entity.was {
            writeln!(out, "  was: {was}").unwrap();
        }
        writeln!(out, "  {}\n  created_on: date\n  note: str(5) searchable", entity.key).unwrap();
        for field in &entity.fields {
            let known = entities.iter().any(|it| it.name == field.target);
            let (ty, preset) = match TYPES.get(field.ty) {
                Some((ty, preset)) => ((*ty).to_owned(), Some(preset)),
                None if known => (format!("ref {}", field.target), None),
                None => ("int".to_owned(), None),
            };
            write!(out, "  {}: {ty}", field.name).unwrap();
            // A row with a required reference to itself could not be created.
            let needs = field.required && !(ty.starts_with("ref"));
            for (word, on) in
                [(" required", needs), (" optional", !needs), (" unique", field.unique && ty != "json"), (" indexed", field.indexed)]
            {
                out.push_str(if on { word } else { "" });
            }
            if let Some(was) = field.was {
                write!(out, " was: {was}").unwrap();
            }
            match preset {
                Some(preset) if field.preset => writeln!(out, " = {preset}").unwrap(),
                _ => out.push('\n'),
            }
        }
        for line in &entity.lines {
            writeln!(out, "  {line}").unwrap();
        }
        if entity.states {
            out.push_str("  stage: enum[open, shut] = open\n  transitions:\n    open -> shut\n    shut -> open\n");
        }
        out.push_str("  permit:\n    list: true\n    read: true\n");
        let table = entity.name.to_lowercase();
        write!(out, "\nsurface {table}_list:\n  uses entity {}\n  mode: list\n  ux:\n    sort: note asc\n    search: note\n", entity.name)
            .unwrap();
    }
    out
}
