//! The application: its declaration, and the Rust beside it.

use dz::{
    Cx, Decimal, Error, Id, JobCx, Result, SystemCx, Tx,
    access::{List, Read},
    askama::Template,
    page::{Badge, Table, Tone},
};
use rocket::response::content::RawHtml;
use schema::{order_lines, orders, products};

dz::include_dsl!("app.dsl", keys = "typed");

use day_report::{DayReport, NewDayReport};
use order::{Order, OrderChanges, OrderStatus};
use order_line::OrderLine;
use product::{Product, ProductChanges};

dz::action_input! {
    /// The payment of an order.
    pub struct Payment {
        card: String = "Card",
    }
}

/// The company that charges cards; this stub only refuses the card 0000.
pub struct Payments;

impl Payments {
    fn charge(&self, card: &str, order: Id<Order>, amount: Decimal) -> Result<String> {
        match card {
            "0000" => Err(Error::validation("card", "was refused")),
            card => Ok(format!("{}-{amount}-{}", card.len(), order.raw().simple()).chars().take(40).collect()),
        }
    }
}

/// The application with stock, payments, a report of each day, a page and a command.
pub fn shop() -> dz::App {
    app()
        .manage(Payments)
        .after_create::<OrderLine>(take_from_stock)
        .typed_action::<Order, Payment, ()>("pay", pay)
        .every("0 23 * * *", "report of the day", |cx: &JobCx| cx.run(write_report).map(drop))
        .command("restock", "adds to the stock: restock CODE NUMBER", restock)
        .page("Stock", "/stock", [Role::Clerk, Role::Manager])
        .mount("/", rocket::routes![stock])
}

/// The stock is one less for each ordered item; the invariant of the product refuses a line that is too long.
fn take_from_stock(tx: &mut Tx<'_>, line: &OrderLine) -> Result<()> {
    let product = Product::find(tx, line.product_id)?;
    let changes = ProductChanges { stock: Some(product.stock - line.quantity), ..Default::default() };
    product.update(tx, changes).map(drop)
}

/// The price of an order.
fn total(tx: &mut Tx<'_>, order: Id<Order>) -> Result<Decimal> {
    let lines = order_line::scoped(tx, Read)?.filter(order_lines::order.eq(order));
    let lines: Vec<(OrderLine, Product)> = tx.load(lines.inner_join(product::scoped(tx, Read)?))?;
    Ok(lines.iter().map(|(line, product)| product.price * Decimal::from(line.quantity)).sum())
}

/// Charges the card, and stores the receipt with the new state.
fn pay(tx: &mut Tx<'_>, order: Order, payment: Payment) -> Result<()> {
    let amount = total(tx, order.id)?;
    let receipt = tx.state::<Payments>()?.charge(&payment.card, order.id, amount)?;
    order.transition_with(tx, OrderStatus::Paid, OrderChanges { receipt: receipt.into(), ..Default::default() }).map(drop)
}

/// Writes the report of today, or writes it again.
fn write_report(tx: &mut Tx<'_>) -> Result<DayReport> {
    let today = tx.caller().today;
    let mut revenue = Decimal::ZERO;
    let paid = order::scoped(tx, List)?.filter(orders::status.eq_any([OrderStatus::Paid, OrderStatus::Shipped]));
    let paid: Vec<Order> = tx.load(paid)?;
    let paid: Vec<&Order> = paid.iter().filter(|order| order.placed_at.date_naive() == today).collect();
    for order in &paid {
        revenue += total(tx, order.id)?;
    }
    NewDayReport::new(today, paid.len() as i64, revenue).upsert(tx, schema::day_reports::day)
}

fn restock(cx: &SystemCx, words: &[String]) -> Result<()> {
    let [code, number] = words else { return Err(Error::bad_request("restock needs a code and a number")) };
    let number: i64 = number.parse().map_err(|_| Error::bad_request(format!("`{number}` is not a number")))?;
    let code = code.clone();
    let stock = cx.run(move |tx| {
        let product: Option<Product> = tx.first(product::scoped(tx, Read)?.filter(products::code.eq(code.clone())))?;
        let product = product.ok_or_else(|| Error::bad_request(format!("no product has the code `{code}`")))?;
        product.update(tx, ProductChanges { stock: Some(product.stock + number), ..Default::default() })
    })?;
    println!("{} of {} in stock", stock.stock, stock.name);
    Ok(())
}

#[derive(Template)]
#[template(source = "<header class=\"dz-head\"><h1>Stock</h1></header>{{ table }}", ext = "html", askama = dz::askama)]
struct StockPage {
    table: Table,
}

/// The products with the number of items in open orders.
#[rocket::get("/stock")]
async fn stock(cx: Cx, _role: Role) -> Result<RawHtml<String>> {
    let rows = cx.read(|tx| {
        let open = order_line::scoped(tx, Read)?
            .inner_join(order::scoped(tx, Read)?.filter(orders::status.eq(OrderStatus::Open)))
            .group_by(order_lines::product)
            .select((order_lines::product, order_lines::quantity.sum()));
        let open: Vec<(Id<Product>, Option<i64>)> = tx.load(open)?;
        let products: Vec<Product> = tx.load(product::scoped(tx, List)?.order(products::name))?;
        let ordered = |product: &Product| open.iter().find(|(id, _)| *id == product.id).and_then(|(_, items)| *items);
        Ok(products.into_iter().map(|product| (ordered(&product).unwrap_or_default(), product)).collect::<Vec<_>>())
    });
    let mut table = Table::new("Products", ["Product", "In stock", "In open orders", "State"]).empty("No products yet");
    for (ordered, product) in rows.await? {
        let state = if product.stock < 5 { Badge::new("Order more", Tone::Amber) } else { Badge::new("Enough", Tone::Green) };
        table = table.row([product.name.into(), product.stock.into(), ordered.into(), state.into()]);
    }
    cx.page("Stock", StockPage { table }).await
}
