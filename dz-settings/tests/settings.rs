//! What a declaration of settings reads, refuses and documents.

use std::{collections::BTreeMap, time::Duration};

use dz_settings::{Place, Problem, Settings, Table, Value, kind};

dz_settings::settings! {
    /// A shop.
    #[derive(Debug, PartialEq)]
    pub struct Shop {
        /// The largest number of lines
        /// in an order.
        lines: u32 as kind::whole_of("lines", 1..=500), default 100, variable "SHOP_LINES";
        /// Whether the shop is open.
        open: bool as kind::boolean(), default true, variable "SHOP_OPEN";
        /// How long a basket is kept.
        basket: Duration as kind::seconds(), default Duration::from_secs(60), variable "SHOP_BASKET";
        /// The colour of the pages.
        colour: char as kind::choice(&[("red", 'r'), ("green", 'g'), ("blue", 'b')]), default 'g';
        /// The names of the shop.
        names: Vec<String> as kind::list_or_one("names", kind::text()), default Vec::new(), variable "SHOP_NAMES";
        /// The suppliers.
        suppliers: BTreeMap<String, Supplier> as kind::by_name("suppliers", check_name, kind::table()), default BTreeMap::new();
    }
}

dz_settings::settings! {
    /// A supplier.
    #[derive(Debug, PartialEq)]
    pub struct Supplier {
        /// The address.
        address: String as kind::text();
        /// The password at the supplier.
        password: Option<String> as kind::optional(kind::secret(kind::text())), default None, variable "SUPPLIER_<NAME>_PASSWORD";
    }
}

fn check_name(name: &str, place: &Place<'_>) -> Result<(), Problem> {
    if name.starts_with('-') { Err(place.reject_key(name, &["a name without a dash"])) } else { Ok(()) }
}

fn table<const N: usize>(values: [(&str, Value); N]) -> Value {
    Value::Table(values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn read_with<const N: usize>(values: [(&str, Value); N], variables: &[(&str, &str)]) -> Result<Shop, String> {
    let Value::Table(values) = table(values) else { unreachable!("a table") };
    let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
    Shop::read(Table::new("shop", values, &variable)).map_err(|problem| problem.sentence(|_, _| None))
}

fn read<const N: usize>(values: [(&str, Value); N]) -> Result<Shop, String> {
    read_with(values, &[])
}

#[track_caller]
fn refused<const N: usize>(values: [(&str, Value); N], sentence: &str) {
    assert_eq!(read(values).unwrap_err(), sentence);
}

#[test]
fn keys_have_defaults() {
    let shop = read([]).unwrap();
    assert_eq!((shop.lines, shop.open, shop.basket.as_secs(), shop.colour), (100, true, 60, 'g'));
    assert_eq!(shop, Shop::defaults());
    assert_eq!(read([("colour", text("red"))]).unwrap().colour, 'r');
    assert_eq!(read([("names", text("a"))]).unwrap().names, ["a"]);
    assert_eq!(read([("names", Value::List(vec![text("a"), text("b")]))]).unwrap().names, ["a", "b"]);
}

#[test]
fn variables_take_precedence_and_are_read_as_their_kind() {
    let shop = read_with(
        [("lines", Value::Whole(3)), ("open", Value::Bool(true))],
        &[("SHOP_LINES", "1_0"), ("SHOP_OPEN", "false"), ("SHOP_BASKET", "5"), ("SHOP_NAMES", "a, b")],
    )
    .unwrap();
    assert_eq!((shop.lines, shop.open, shop.basket.as_secs(), shop.names), (10, false, 5, vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(read_with([("lines", Value::Whole(3))], &[("SHOP_LINES", "")]).unwrap().lines, 3, "an empty variable is not set");
    let wrong = |name: &str, text: &str| read_with([], &[(name, text)]).unwrap_err();
    assert_eq!(wrong("SHOP_LINES", "many"), "`SHOP_LINES` is `\"many\"`; write a whole number of lines from 1 to 500");
    assert_eq!(wrong("SHOP_OPEN", "yes"), "`SHOP_OPEN` is `\"yes\"`; write `true` or `false`");
    assert_eq!(wrong("SHOP_BASKET", "0"), "`SHOP_BASKET` is `0`; write a whole number of seconds, at least 1");
}

#[test]
fn wrong_values_and_unknown_keys_are_refused() {
    refused([("line", Value::Whole(3))], "unknown key `shop.line`; known ones are lines, open, basket, colour, names, suppliers");
    refused([("lines", Value::Whole(0))], "`shop.lines` is `0`; write a whole number of lines from 1 to 500");
    refused([("lines", Value::Whole(i128::MAX))], &format!("`shop.lines` is `{}`; write a whole number of lines from 1 to 500", i128::MAX));
    refused([("open", text("a\nb"))], "`shop.open` is `\"a\\nb\"`; write `true` or `false`");
    refused([("colour", text("pink"))], "`shop.colour` is `\"pink\"`; write `red`, `green` or `blue`");
    refused([("names", Value::Whole(3))], "`shop.names` is `3`; write a text or a list of names");
    refused([("names", Value::List(vec![text("a"), Value::Bool(true)]))], "`shop.names` is `true`; write a text");
    let long = "x".repeat(1_000);
    assert!(read([("colour", text(&long))]).unwrap_err().len() < 200);
}

#[test]
fn tables_have_paths_required_keys_and_secrets() {
    let supplier = |values| [("suppliers", table([("acme-north", values)]))];
    let good = read(supplier(table([("address", text("x")), ("password", text("hush"))]))).unwrap();
    assert_eq!(good.suppliers["acme-north"].password.as_deref(), Some("hush"));
    let variables = [("SUPPLIER_ACME_NORTH_PASSWORD", "other")];
    let good = read_with(supplier(table([("address", text("x"))])), &variables).unwrap();
    assert_eq!(good.suppliers["acme-north"].password.as_deref(), Some("other"));
    refused(supplier(table([])), "`shop.suppliers.acme-north` needs `address`, a text");
    refused(supplier(table([("adress", text("x"))])), "unknown key `shop.suppliers.acme-north.adress`; known ones are address, password");
    refused(
        supplier(table([("address", text("x")), ("password", Value::List(vec![text("hush")]))])),
        "`shop.suppliers.acme-north.password` has a wrong value; write a text",
    );
    refused(supplier(text("x")), "`shop.suppliers.acme-north` is `\"x\"`; write a table");
    refused([("suppliers", table([("-x", table([]))]))], "unknown key `shop.suppliers.-x`; known ones are a name without a dash");
}

#[test]
fn a_key_can_be_replaced() {
    let mut shop = Shop::defaults();
    let none = |_: &str| None;
    let place = Place::new("", &none);
    shop.set(&place, "lines", Value::Whole(7)).unwrap();
    assert_eq!(shop.lines, 7);
    assert!(matches!(shop.set(&place, "line", Value::Whole(7)), Err(Problem::UnknownKey { key, .. }) if key == "line"));
    assert!(matches!(shop.set(&place, "lines", Value::Whole(0)), Err(Problem::WrongValue { place, .. }) if place == "lines"));
}

#[test]
fn the_reference_describes_each_key() {
    let keys = Shop::keys();
    let described: Vec<String> = keys
        .iter()
        .map(|key| format!("{}: {} = {}. {}", key.name, key.accepted, key.default.as_deref().unwrap_or("required"), key.documentation))
        .collect();
    assert_eq!(
        described,
        [
            "lines: a whole number of lines from 1 to 500 = 100. The largest number of lines in an order.",
            "open: `true` or `false` = `true`. Whether the shop is open.",
            "basket: a whole number of seconds, at least 1 = 60. How long a basket is kept.",
            "colour: `red`, `green` or `blue` = `green`. The colour of the pages.",
            "names: a text or a list of names = none. The names of the shop.",
            "suppliers: a table of suppliers = none. The suppliers.",
        ]
    );
    let supplier = &keys[5].keys;
    assert_eq!((supplier[0].default.as_deref(), supplier[1].variable), (None, Some("SUPPLIER_<NAME>_PASSWORD")));
}
