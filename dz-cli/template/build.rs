//! Builds again after a change of the declaration, a template or a migration.

fn main() {
    println!("cargo::rerun-if-changed=app.dsl");
    for folder in ["migrations", "templates"] {
        if std::path::Path::new(folder).is_dir() {
            println!("cargo::rerun-if-changed={folder}");
        }
    }
}
