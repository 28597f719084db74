//! Amounts that pass through a process: from a row to a service, to another process, to an output, and back to a row.

use dz::{Result, ServiceCx, serde_json::json, testing::TestApp};

dz::dz! {
    app gifts "Gifts"

    persona clerk "Clerk"

    entity Gift "Gift":
      id: uuid pk
      giver: str(60) required
      amount: money(EUR) required
      receipt: str(120)
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)

    entity Entry "Entry":
      id: uuid pk
      amount: money(EUR) required
      permit:
        list: role(clerk)
        read: role(clerk)

    service write_receipt:
      input:
        amount: money(EUR) required
        double: money(EUR) required
      output:
        text: str(120) required
      stub: rust

    process thanking:
      trigger: entity Gift created
      input:
        amount: money(EUR) required
      output:
        given: money(EUR) = trigger.entity.amount
      steps:
        - step write:
          service: write_receipt
          inputs:
            trigger.entity.amount -> amount
            input.amount * 2 -> double
        - step check:
          subprocess: checking
          inputs: trigger.entity.amount -> amount
        - step store:
          effects:
            - update trigger.entity:
              receipt: write.text

    process checking:
      trigger: manual role(clerk)
      input:
        amount: money(EUR) required
      steps:
        - step large:
          condition: input.amount > 10
          on_true: complete
          on_false: fail

    process noting:
      trigger: process thanking completed
      input:
        given: money(EUR) required
      steps:
        - step store:
          effects:
            - create Entry:
              amount: input.given
}

struct Receipts;

impl services::WriteReceipt for Receipts {
    fn call(&self, _: &ServiceCx, input: services::WriteReceiptInput) -> Result<services::WriteReceiptOutput> {
        Ok(services::WriteReceiptOutput { text: format!("{} and {}", input.amount, input.double) })
    }
}

#[test]
fn an_amount_keeps_its_currency_through_a_process() {
    let app = TestApp::new(app().service(Receipts));
    let clerk = app.as_role(Role::Clerk);
    let amount = json!({ "amount": "12.50", "currency": "EUR" });
    let gift = clerk.post("/api/gifts", json!({ "giver": "Ann", "amount": amount }));
    let address = format!("/api/gifts/{}", gift.assert_status(201).member("id").as_str().expect("an id"));
    for _ in 0..10 {
        app.run_due();
    }
    assert_eq!(clerk.get(&address).assert_status(200).member("receipt"), "12.50 and 25.00");
    let entries = clerk.get("/api/entries").assert_status(200).member("items").clone();
    assert_eq!(entries[0]["amount"], amount, "{entries}");
}
