dz::include_dsl!("several.dsl", template = "pages", database = "mysql");

fn main() {
    let _ = app();
}
