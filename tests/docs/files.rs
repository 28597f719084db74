//! The code that docs/files.md shows.

use dz::Cx;

dz::dz! {
    app shop "Shop"

    entity Invoice "Invoice":
      id: uuid pk
      number: str(20) required
      scan: file(20MB) required
      note: file
      permit:
        list: authenticated
        read: authenticated
        create: authenticated
}

async fn store(cx: &Cx, bytes: &[u8]) -> dz::Result<Vec<u8>> {
    let file = cx.keep_file::<invoice::Invoice>("scan", "march.pdf", bytes).await?;
    let invoice = cx.run(move |tx| invoice::NewInvoice::new("7", file.clone()).create(tx)).await?;
    let (_, stored) = cx.file(&invoice, "scan").await?;
    Ok(stored)
}

#[rocket::get("/round-trip")]
async fn round_trip(cx: Cx) -> dz::Result<Vec<u8>> {
    store(&cx, b"%PDF-1.7").await
}

#[test]
fn the_route_is_mounted() {
    drop(app().mount("/", rocket::routes![round_trip]));
}
