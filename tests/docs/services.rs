//! The code in docs/services.md.

use dz::{Decimal, Result, ServiceCx, rocket::figment::Figment, serde_json::json};

dz::dz! {
    app workshop "Workshop"

    entity Repair "Repair":
      id: uuid pk
      title: str(80) required
      permit:
        read: true

    service quote "Quote":
      input:
        repair: ref Repair required
        hours: int = 2
      output:
        fee: decimal(8, 2) required
      guarantees:
        - "The fee is never below zero"
      stub: rust
}

struct Prices {
    hour: Decimal,
}

impl services::Quote for Prices {
    fn call(&self, cx: &ServiceCx, input: services::QuoteInput) -> Result<services::QuoteOutput> {
        let repair = cx.system().read(|tx| repair::Repair::find(tx, input.repair_id))?;
        let hours = if repair.title.contains("urgent") { 1 } else { input.hours.unwrap_or_default() };
        Ok(services::QuoteOutput { fee: self.hour * Decimal::from(hours) })
    }
}

fn workshop() -> dz::App {
    app().service(Prices { hour: Decimal::from(40) }).guarantee::<dyn services::Quote>(1, |_, output| output.fee >= Decimal::ZERO)
}

#[test]
fn the_example_answers() {
    let folder = std::env::temp_dir().join(format!("dz-docs-services-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let figment = Figment::from(dz::rocket::Config::debug_default());
    let database = format!("sqlite://{}", folder.join("workshop.db").display());
    let cx = workshop().engine(dz::Engine::Sqlite).database_url(database).figment(figment).system_cx().expect("an application");
    let repair = cx.run(|tx| repair::NewRepair { id: None, title: "chain".to_owned() }.create(tx)).expect("a row");
    let input = dz::serde_json::from_value(json!({ "repair": repair.id })).expect("an input");
    let output = cx.call::<dyn services::Quote>("first", input).expect("a quote");
    assert_eq!(output.fee, Decimal::from(80));
    let input = services::QuoteInput { repair_id: repair.id, hours: Some(-1) };
    assert_eq!(cx.call::<dyn services::Quote>("second", input).expect_err("a failure").code, "GUARANTEE");
}
