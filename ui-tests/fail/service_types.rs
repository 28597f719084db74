//! Implementations of services with wrong values, and a type that implements none.

dz::dz! {
    entity Repair:
      id: uuid pk
      title: str(80) required
      permit:
        read: true

    service quote:
      input:
        hours: int required
      output:
        fee: decimal(8, 2) required
        note: str
      stub: rust

    service ping:
      stub: rust
}

struct Prices;

impl services::Quote for Prices {
    fn call(&self, _: &dz::ServiceCx, input: services::QuoteInput) -> dz::Result<services::QuoteOutput> {
        let hours: String = input.hours;
        let fee = hours.parse().unwrap_or_default();
        Ok(services::QuoteOutput { fee })
    }
}

impl services::Ping for Prices {
    fn call(&self, _: &dz::ServiceCx, input: services::PingInput) -> dz::Result<services::PingOutput> {
        Ok(services::PingOutput { text: input.text })
    }
}

struct Idle;

fn main() {
    let _ = app().service(Idle);
}
