//! The same queries over the same tables, declared with diesel's macro and with dz's, are the same SQL.

use diesel::{debug_query, dsl::count_star, prelude::*};

mod ours {
    crate::table! {
        authors (id) {
            id -> crate::sql_types::BigInt,
            name -> crate::sql_types::Text,
            #[sql_name = "type"]
            type_ -> crate::sql_types::Text,
        }
    }

    crate::table! {
        #[sql_name = "all books"]
        books (id) {
            id -> crate::sql_types::BigInt,
            author -> crate::sql_types::BigInt,
            editor -> crate::sql_types::Nullable<crate::sql_types::BigInt>,
            pages -> crate::sql_types::BigInt,
            price -> crate::sql_types::Nullable<crate::sql_types::Decimal<8, 2>>,
        }
    }

    crate::table! {
        loans (id) {
            id -> crate::sql_types::BigInt,
            book -> crate::sql_types::BigInt,
            on -> crate::sql_types::Text,
            out -> crate::sql_types::Text,
            source -> crate::sql_types::Text,
            column -> crate::sql_types::Text,
            described -> crate::sql_types::Text,
        }
    }

    diesel::joinable!(books -> authors (author));
    diesel::joinable!(loans -> books (book));
    crate::allow_tables_together! {
        books, authors;
        loans, books;
        loans, authors;
    }
}

mod theirs {
    diesel::table! {
        authors (id) {
            id -> BigInt,
            name -> Text,
            #[sql_name = "type"]
            type_ -> Text,
        }
    }

    diesel::table! {
        use crate::sql_types::{BigInt, Decimal, Nullable};

        #[sql_name = "all books"]
        books (id) {
            id -> BigInt,
            author -> BigInt,
            editor -> Nullable<BigInt>,
            pages -> BigInt,
            price -> Nullable<Decimal<8, 2>>,
        }
    }

    diesel::table! {
        loans (id) {
            id -> BigInt,
            book -> BigInt,
            on -> Text,
            out -> Text,
            source -> Text,
            column -> Text,
            described -> Text,
        }
    }

    diesel::joinable!(books -> authors (author));
    diesel::joinable!(loans -> books (book));
    diesel::allow_tables_to_appear_in_same_query!(books, authors, loans);
    diesel::allow_columns_to_appear_in_same_group_by_clause!(books::pages, authors::name);
}

/// Rows with diesel's own derives.
macro_rules! rows {
    ($schema:ident) => {
        #[derive(Debug, Queryable, Selectable, Identifiable)]
        #[diesel(table_name = super::$schema::authors)]
        pub struct Author {
            pub id: i64,
            pub name: String,
            pub type_: String,
        }

        #[derive(Debug, Queryable, Selectable, Identifiable, Associations, Insertable, AsChangeset)]
        #[diesel(table_name = super::$schema::books, belongs_to(Author, foreign_key = author))]
        pub struct Book {
            pub id: i64,
            pub author: i64,
            pub editor: Option<i64>,
            pub pages: i64,
        }
    };
}

mod our_rows {
    use diesel::prelude::*;

    rows!(ours);
}

mod their_rows {
    use diesel::prelude::*;

    rows!(theirs);
}

/// The SQL of typical queries.
macro_rules! queries {
    ($schema:ident, $rows:ident, $backend:ty) => {{
        use $rows::{Author, Book};
        use $schema::{authors, books, loans};

        macro_rules! sql {
            ($query:expr) => {
                debug_query::<$backend, _>(&$query).to_string()
            };
        }
        let editor = diesel::alias!(authors as editor);
        let book = || Book { id: 1, author: 2, editor: None, pages: 3 };
        let author = Author { id: 7, name: String::new(), type_: String::new() };
        let second = diesel::alias!(books as second);
        vec![
            sql!(books::table),
            sql!(books::table.select(Book::as_select()).find(4_i64)),
            sql!(books::table.filter(books::pages.gt(3_i64).and(books::editor.is_null())).order((books::pages.desc(), books::id))),
            sql!(books::table.select(books::pages + books::id).filter((books::pages * 2_i64).ne(books::pages - 1_i64))),
            sql!(books::table.inner_join(authors::table).select((books::id, authors::name, authors::type_))),
            sql!(authors::table.left_join(books::table).select((authors::name, books::pages.nullable()))),
            sql!(books::table.left_join(authors::table).select((books::all_columns, authors::all_columns.nullable()))),
            sql!(loans::table.inner_join(books::table.inner_join(authors::table)).select((loans::id, authors::name))),
            sql!(loans::table.left_join(books::table.left_join(authors::table)).select((loans::id, authors::name.nullable()))),
            sql!(books::table.filter(books::pages.gt(1_i64)).inner_join(authors::table).select(count_star()).into_boxed::<$backend>()),
            sql!(
                books::table
                    .inner_join(editor.on(books::editor.eq(editor.field(authors::id).nullable())))
                    .select((books::id, editor.field(authors::name)))
            ),
            sql!(
                books::table
                    .inner_join(second.on(books::id.eq(second.field(books::author))))
                    .select((books::pages, second.field(books::pages)))
            ),
            sql!(books::table.group_by(books::author).select((books::author, diesel::dsl::max(books::pages)))),
            sql!(books::table.group_by(books::id).select(books::all_columns)),
            sql!(books::table.inner_join(authors::table).group_by((books::pages, authors::name)).select((
                books::pages,
                authors::name,
                count_star()
            ))),
            sql!(books::table.filter(diesel::dsl::exists(authors::table.filter(authors::id.eq(books::author))))),
            sql!(books::table.filter(books::author.eq_any(authors::table.select(authors::id)))),
            sql!(Book::belonging_to(&author)),
            sql!(books::table.count()),
            sql!(diesel::insert_into(books::table).values(book())),
            sql!(diesel::insert_into(books::table).values((books::id.eq(1_i64), books::pages.eq(2_i64))).returning(books::id)),
            sql!(books::table.select((books::id, books::author)).insert_into(loans::table).into_columns((loans::id, loans::book))),
            sql!(diesel::update(books::table).set(books::pages.eq(books::pages + 1_i64))),
            sql!(diesel::update(books::table.find(1_i64)).set(book())),
            sql!(diesel::update(&book()).set(books::editor.eq(None::<i64>))),
            sql!(diesel::delete(books::table.filter(books::dsl::price.is_null()))),
        ]
    }};
}

#[cfg(feature = "sqlite")]
#[test]
fn sqlite_queries_equal_those_of_diesels_tables() {
    assert_eq!(queries!(ours, our_rows, diesel::sqlite::Sqlite), queries!(theirs, their_rows, diesel::sqlite::Sqlite));
}

#[cfg(feature = "postgres")]
#[test]
fn postgres_queries_equal_those_of_diesels_tables() {
    use diesel::dsl::OnlyDsl as _;

    assert_eq!(queries!(ours, our_rows, diesel::pg::Pg), queries!(theirs, their_rows, diesel::pg::Pg));
    let ours = debug_query::<diesel::pg::Pg, _>(&ours::books::table.only().select(ours::books::pages)).to_string();
    let theirs = debug_query::<diesel::pg::Pg, _>(&theirs::books::table.only().select(theirs::books::pages)).to_string();
    assert_eq!(ours, theirs);
    let ours = debug_query::<diesel::pg::Pg, _>(&ours::books::table.distinct_on(ours::books::pages)).to_string();
    let theirs = debug_query::<diesel::pg::Pg, _>(&theirs::books::table.distinct_on(theirs::books::pages)).to_string();
    assert_eq!(ours, theirs);
}

#[test]
fn names_in_the_database_can_differ() {
    use diesel::Column as _;

    assert_eq!(ours::authors::type_::NAME, "type");
    assert_eq!(format!("{:?}", ours::authors::all_columns), "(id, name, type)");
    assert_eq!(format!("{:?}", ours::authors::star), "*");
}
