//! Databases for tests, one for each application.

use std::sync::atomic::{AtomicU32, Ordering};

/// The address of a new SQLite database.
pub fn sqlite(of: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("dz-services-{of}-{}-{}", NEXT.fetch_add(1, Ordering::Relaxed), std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    format!("sqlite://{}", folder.join("app.db").display())
}
