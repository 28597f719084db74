//! The public API of `dz` is the committed list; CONTRIBUTING.md says what a change of the list means for the version.

use std::{fs, path::Path};

use dz_public_api::public_api;
use expect_test::expect_file;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent).expect("the root")
}

#[test]
fn the_public_api_is_the_committed_one() {
    let found = public_api(root());
    for (path, signature) in [
        ("// dz::App\n", "pub fn before_create<E: Entity>("),
        ("// dz::page::Table\n", "pub fn row("),
        ("// dz::testing::TestApp if feature = \"testing\"\n", "pub fn "),
        ("// dz::access::actions!\n", "List = \"list\""),
        ("// dz::FromValue\n", "Int i64 ;"),
        ("// dz::alias\n", "macro alias"),
        ("// dz::Uuid\n", "use uuid::Uuid"),
    ] {
        let block = found.split("\n\n").find(|block| block.contains(path) || format!("{block}\n").contains(path));
        let block = block.unwrap_or_else(|| panic!("{path} is not in the list"));
        let rest = &found[found.find(block).unwrap_or_default()..];
        assert!(rest.contains(signature), "{path}: {rest:.2000}");
    }
    assert!(!found.contains("__private"), "code of the macros is no public API");
    expect_file!["../dz.txt"].assert_eq(&found);
}

/// A small facade with a crate behind it, which names everything that the list distinguishes.
fn workspace(name: &str, files: &[(&str, &str)]) -> String {
    let folder = std::env::temp_dir().join(format!("dz-public-api-{name}-{}", std::process::id()));
    for (path, text) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    let found = public_api(&folder);
    fs::remove_dir_all(&folder).expect("the folder is removed");
    found
}

#[test]
fn private_parts_are_left_out_and_each_public_change_is_seen() {
    let inner = "pub struct Shelf { pub name: String, secret: u8 }\n\
                 impl Shelf {\n    /// Opens it.\n    pub fn open(&self, wide: bool) -> u8 { let it = self.secret; it }\n    fn shut(&self) {}\n    \
                 #[doc(hidden)]\n    pub fn generated(&self) {}\n}\n\
                 impl Clone for Shelf { fn clone(&self) -> Shelf { todo!() } }\n\
                 impl Internal for Shelf {}\npub trait Internal {}\n\
                 pub trait Kind { const NAME: &'static str; fn wide(&self) -> bool { true } }\n\
                 impl<T: Clone> Kind for Vec<T> { const NAME: &'static str = \"list\"; }\n\
                 pub struct Unreachable;\n#[cfg(test)]\nmod tests { pub struct InTests; }\n";
    let list = |inner: &str| {
        workspace(
            "parts",
            &[
                ("src/lib.rs", "#[cfg(feature = \"shelves\")]\npub use dz_runtime::{Kind, shelf::Shelf as Board};\n"),
                ("dz-runtime/src/lib.rs", "pub mod shelf;\npub use shelf::Kind;\n"),
                ("dz-runtime/src/shelf.rs", inner),
            ],
        )
    };
    let found = list(inner);
    expect_test::expect![[r#"
        // dz
        mod

        // dz::Board if feature = "shelves"
        pub struct Shelf {
            pub name: String,
            private_fields: _,
        }
        impl Clone for Shelf {}
        impl Shelf {
            pub fn open(&self, wide: bool) -> u8 {}
        }

        // dz::Kind if feature = "shelves"
        pub trait Kind {
            const NAME: &'static str;
            fn wide(&self) -> bool {}
        }
        impl<T: Clone> Kind for Vec<T> {}
    "#]]
    .assert_eq(&found);
    for (before, after) in [
        ("wide: bool) -> u8", "wide: bool, high: bool) -> u8"),
        ("pub name: String", "name: String"),
        ("impl Clone for Shelf { fn clone(&self) -> Shelf { todo!() } }", ""),
        ("fn wide(&self) -> bool { true }", "fn wide(&self) -> bool;"),
        ("impl<T: Clone> Kind for Vec<T>", "impl<T: Copy> Kind for Vec<T>"),
    ] {
        assert!(inner.contains(before), "{before}");
        assert_ne!(list(&inner.replace(before, after)), found, "{before} is replaced by {after}");
    }
    for (before, after) in
        [("let it = self.secret; it", "self.secret"), ("secret: u8", "hidden: u8"), ("fn shut(&self) {}", ""), ("Opens it", "Opens")]
    {
        assert!(inner.contains(before), "{before}");
        assert_eq!(list(&inner.replace(before, after)), found, "{before} is replaced by {after}");
    }
}
