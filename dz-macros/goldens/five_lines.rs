/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::dz::__private::table! {
        notes(id) { id -> ::dz::sql_types::Uuid, title -> ::dz::sql_types::Text, }
    }
    ::dz::__private::table! {
        users(id) { id -> ::dz::sql_types::Uuid, email -> ::dz::sql_types::Text, name ->
        ::diesel::sql_types::Nullable < ::dz::sql_types::Text >, email_verified ->
        ::dz::sql_types::Bool, is_active -> ::dz::sql_types::Bool, last_login ->
        ::diesel::sql_types::Nullable < ::dz::sql_types::DateTime >, auth_provider ->
        ::dz::sql_types::Text, auth_provider_id -> ::diesel::sql_types::Nullable <
        ::dz::sql_types::Text >, created_at -> ::dz::sql_types::DateTime, }
    }
}
/// Note.
pub mod note {
    /// A row of `notes`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::diesel::Queryable,
        ::diesel::Selectable,
        ::diesel::Identifiable,
        ::dz::__private::serde::Serialize,
    )]
    #[diesel(table_name = super::schema::notes, primary_key(id))]
    #[serde(crate = "::dz::__private::serde")]
    pub struct Note {
        /// Id.
        pub id: ::dz::Uuid,
        /// Title.
        pub title: ::std::string::String,
    }
    impl Note {
        /// The row with this key, when the caller may read it; else 404.
        pub fn find(tx: &mut ::dz::Tx<'_>, id: ::dz::Uuid) -> ::dz::Result<Self> {
            ::dz::__private::entity::find(tx, id)
        }
        /// Changes the row as the access rules allow; gives the row as it is then.
        pub fn update(
            &self,
            tx: &mut ::dz::Tx<'_>,
            changes: NoteChanges,
        ) -> ::dz::Result<Self> {
            ::dz::__private::entity::update(tx, self, changes)
        }
        /// Removes the row as the access rules allow.
        pub fn delete(self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<()> {
            ::dz::__private::entity::delete(tx, self)
        }
    }
    /// A diesel query over the rows for which the caller may do `action`.
    pub fn scoped<A: ::dz::access::Action>(
        tx: &::dz::Tx<'_>,
        action: A,
    ) -> ::dz::Result<
        ::dz::Scoped<
            ::diesel::dsl::Filter<super::schema::notes::table, ::dz::RowCondition>,
        >,
    > {
        ::dz::__private::scoped(tx, super::schema::notes::table, &ENTITY, action)
    }
    impl ::dz::Entity for Note {
        type New = NewNote;
        type Changes = NoteChanges;
        const DEF: &'static ::dz::__private::def::EntityDef = &ENTITY;
        fn from_row(mut row: ::dz::__private::Row) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(Note {
                id: row.take(0u16)?,
                title: row.take(1u16)?,
            })
        }
        fn key(&self) -> ::dz::Value {
            ::dz::__private::IntoValue::into_value(::core::clone::Clone::clone(&self.id))
        }
    }
    /// A new row of `notes`; what is `None` gets its default.
    #[derive(Debug, Clone, PartialEq)]
    pub struct NewNote {
        /// Id.
        pub id: ::core::option::Option<::dz::Uuid>,
        /// Title.
        pub title: ::std::string::String,
    }
    impl NewNote {
        /// With what is required; everything else gets its default.
        #[allow(clippy::too_many_arguments)]
        pub fn new(title: impl ::core::convert::Into<::std::string::String>) -> Self {
            let title = title.into();
            NewNote {
                id: ::core::option::Option::None,
                title,
            }
        }
        /// Makes the row as the access rules allow.
        pub fn create(self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Note> {
            ::dz::__private::entity::create(tx, self)
        }
    }
    impl ::dz::Draft for NewNote {
        fn into_given(self) -> ::dz::__private::Given {
            let mut given = ::dz::__private::Given::default();
            given.maybe(0u16, self.id);
            given.set(1u16, self.title);
            given
        }
        #[allow(unused_mut)]
        fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(NewNote {
                id: given.optional(0u16)?,
                title: given.required(1u16)?,
            })
        }
    }
    impl ::diesel::Insertable<super::schema::notes::table> for NewNote {
        type Values = <(
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::notes::id,
                    ::dz::sql_types::Sql<::dz::Uuid>,
                >,
            >,
            ::diesel::dsl::Eq<
                super::schema::notes::title,
                ::dz::sql_types::Sql<::std::string::String>,
            >,
        ) as ::diesel::Insertable<super::schema::notes::table>>::Values;
        fn values(self) -> Self::Values {
            ::diesel::Insertable::<
                super::schema::notes::table,
            >::values((
                self
                    .id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::notes::id,
                        ::dz::sql_types::Sql(value),
                    )),
                ::diesel::ExpressionMethods::eq(
                    super::schema::notes::title,
                    ::dz::sql_types::Sql(self.title),
                ),
            ))
        }
    }
    /// Changes to a row of `notes`; what is `None` stays.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct NoteChanges {
        /// Title.
        pub title: ::core::option::Option<::std::string::String>,
    }
    impl ::dz::Draft for NoteChanges {
        fn into_given(self) -> ::dz::__private::Given {
            let mut given = ::dz::__private::Given::default();
            given.maybe(1u16, self.title);
            given
        }
        #[allow(unused_mut, unused_variables)]
        fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(NoteChanges {
                title: given.optional(1u16)?,
            })
        }
    }
    impl ::diesel::AsChangeset for NoteChanges {
        type Target = super::schema::notes::table;
        type Changeset = <(
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::notes::title,
                    ::dz::sql_types::Sql<::std::string::String>,
                >,
            >,
        ) as ::diesel::AsChangeset>::Changeset;
        fn as_changeset(self) -> Self::Changeset {
            ::diesel::AsChangeset::as_changeset((
                self
                    .title
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::notes::title,
                        ::dz::sql_types::Sql(value),
                    )),
            ))
        }
    }
    /// What dz knows of `Note`.
    pub static ENTITY: ::dz::__private::def::EntityDef = {
        use ::dz::__private::def::*;
        EntityDef {
            ix: 0u16,
            name: "Note",
            title: "Note",
            title_plural: "Notes",
            table: "notes",
            intent: ::core::option::Option::None,
            fields: &[
                FieldDef {
                    required: true,
                    ..FieldDef::new("id", "Id", Kind::Uuid)
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new("title", "Title", Kind::Str(80u32))
                },
            ],
            pk: 0u16,
            label: ::core::option::Option::Some(1u16),
            rules: &[
                ActionRule {
                    action: "read",
                    permit: ::core::option::Option::Some(Expr::SignedIn),
                    scope: ::core::option::Option::None,
                    forbid: ::core::option::Option::None,
                },
            ],
            indexes: &[],
            states: ::core::option::Option::None,
            audits: &[],
            invariants: &[],
            temporal: ::core::option::Option::None,
            soft_delete: false,
            account: false,
            tenancy: TenancyDef::NONE,
        }
    };
}
/// User.
pub mod user {
    ::dz::__private::enumeration! {
        #[doc = " The values of `UserAuthProvider`."] pub enum
        UserAuthProvider("UserAuthProvider", ordered = false) { Local = "local", "Local";
        Google = "google", "Google"; Microsoft = "microsoft", "Microsoft"; Github =
        "github", "GitHub"; }
    }
    /// A row of `users`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::diesel::Queryable,
        ::diesel::Selectable,
        ::diesel::Identifiable,
        ::dz::__private::serde::Serialize,
    )]
    #[diesel(table_name = super::schema::users, primary_key(id))]
    #[serde(crate = "::dz::__private::serde")]
    pub struct User {
        /// Id.
        pub id: ::dz::Uuid,
        /// Email.
        pub email: ::std::string::String,
        /// Name.
        pub name: ::core::option::Option<::std::string::String>,
        /// Email verified.
        pub email_verified: ::core::primitive::bool,
        /// Is active.
        pub is_active: ::core::primitive::bool,
        /// Last login.
        pub last_login: ::core::option::Option<::dz::DateTime<::dz::Utc>>,
        /// Auth provider.
        pub auth_provider: super::user::UserAuthProvider,
        /// Auth provider id.
        pub auth_provider_id: ::core::option::Option<::std::string::String>,
        /// Created at.
        pub created_at: ::dz::DateTime<::dz::Utc>,
    }
    impl User {
        /// The row with this key, when the caller may read it; else 404.
        pub fn find(tx: &mut ::dz::Tx<'_>, id: ::dz::Uuid) -> ::dz::Result<Self> {
            ::dz::__private::entity::find(tx, id)
        }
        /// Changes the row as the access rules allow; gives the row as it is then.
        pub fn update(
            &self,
            tx: &mut ::dz::Tx<'_>,
            changes: UserChanges,
        ) -> ::dz::Result<Self> {
            ::dz::__private::entity::update(tx, self, changes)
        }
        /// Removes the row as the access rules allow.
        pub fn delete(self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<()> {
            ::dz::__private::entity::delete(tx, self)
        }
    }
    /// A diesel query over the rows for which the caller may do `action`.
    pub fn scoped<A: ::dz::access::Action>(
        tx: &::dz::Tx<'_>,
        action: A,
    ) -> ::dz::Result<
        ::dz::Scoped<
            ::diesel::dsl::Filter<super::schema::users::table, ::dz::RowCondition>,
        >,
    > {
        ::dz::__private::scoped(tx, super::schema::users::table, &ENTITY, action)
    }
    impl ::dz::Entity for User {
        type New = NewUser;
        type Changes = UserChanges;
        const DEF: &'static ::dz::__private::def::EntityDef = &ENTITY;
        fn from_row(mut row: ::dz::__private::Row) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(User {
                id: row.take(0u16)?,
                email: row.take(1u16)?,
                name: row.take(2u16)?,
                email_verified: row.take(4u16)?,
                is_active: row.take(8u16)?,
                last_login: row.take(9u16)?,
                auth_provider: row.take(10u16)?,
                auth_provider_id: row.take(11u16)?,
                created_at: row.take(12u16)?,
            })
        }
        fn key(&self) -> ::dz::Value {
            ::dz::__private::IntoValue::into_value(::core::clone::Clone::clone(&self.id))
        }
    }
    /// A new row of `users`; what is `None` gets its default.
    #[derive(Debug, Clone, PartialEq)]
    pub struct NewUser {
        /// Id.
        pub id: ::core::option::Option<::dz::Uuid>,
        /// Email.
        pub email: ::std::string::String,
        /// Name.
        pub name: ::core::option::Option<::std::string::String>,
        /// Email verified.
        pub email_verified: ::core::option::Option<::core::primitive::bool>,
        /// Is active.
        pub is_active: ::core::option::Option<::core::primitive::bool>,
        /// Last login.
        pub last_login: ::core::option::Option<::dz::DateTime<::dz::Utc>>,
        /// Auth provider.
        pub auth_provider: ::core::option::Option<super::user::UserAuthProvider>,
        /// Auth provider id.
        pub auth_provider_id: ::core::option::Option<::std::string::String>,
    }
    impl NewUser {
        /// With what is required; everything else gets its default.
        #[allow(clippy::too_many_arguments)]
        pub fn new(email: impl ::core::convert::Into<::std::string::String>) -> Self {
            let email = email.into();
            NewUser {
                id: ::core::option::Option::None,
                email,
                name: ::core::option::Option::None,
                email_verified: ::core::option::Option::None,
                is_active: ::core::option::Option::None,
                last_login: ::core::option::Option::None,
                auth_provider: ::core::option::Option::None,
                auth_provider_id: ::core::option::Option::None,
            }
        }
        /// Makes the row as the access rules allow.
        pub fn create(self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<User> {
            ::dz::__private::entity::create(tx, self)
        }
    }
    impl ::dz::Draft for NewUser {
        fn into_given(self) -> ::dz::__private::Given {
            let mut given = ::dz::__private::Given::default();
            given.maybe(0u16, self.id);
            given.set(1u16, self.email);
            given.maybe(2u16, self.name);
            given.maybe(4u16, self.email_verified);
            given.maybe(8u16, self.is_active);
            given.maybe(9u16, self.last_login);
            given.maybe(10u16, self.auth_provider);
            given.maybe(11u16, self.auth_provider_id);
            given
        }
        #[allow(unused_mut)]
        fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(NewUser {
                id: given.optional(0u16)?,
                email: given.required(1u16)?,
                name: given.optional(2u16)?,
                email_verified: given.optional(4u16)?,
                is_active: given.optional(8u16)?,
                last_login: given.optional(9u16)?,
                auth_provider: given.optional(10u16)?,
                auth_provider_id: given.optional(11u16)?,
            })
        }
    }
    impl ::diesel::Insertable<super::schema::users::table> for NewUser {
        type Values = <(
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::id,
                    ::dz::sql_types::Sql<::dz::Uuid>,
                >,
            >,
            ::diesel::dsl::Eq<
                super::schema::users::email,
                ::dz::sql_types::Sql<::std::string::String>,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::name,
                    ::dz::sql_types::Sql<::core::option::Option<::std::string::String>>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::email_verified,
                    ::dz::sql_types::Sql<::core::primitive::bool>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::is_active,
                    ::dz::sql_types::Sql<::core::primitive::bool>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::last_login,
                    ::dz::sql_types::Sql<
                        ::core::option::Option<::dz::DateTime<::dz::Utc>>,
                    >,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::auth_provider,
                    ::dz::sql_types::Sql<super::user::UserAuthProvider>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::auth_provider_id,
                    ::dz::sql_types::Sql<::core::option::Option<::std::string::String>>,
                >,
            >,
        ) as ::diesel::Insertable<super::schema::users::table>>::Values;
        fn values(self) -> Self::Values {
            ::diesel::Insertable::<
                super::schema::users::table,
            >::values((
                self
                    .id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::id,
                        ::dz::sql_types::Sql(value),
                    )),
                ::diesel::ExpressionMethods::eq(
                    super::schema::users::email,
                    ::dz::sql_types::Sql(self.email),
                ),
                self
                    .name
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::name,
                        ::dz::sql_types::Sql(::core::option::Option::Some(value)),
                    )),
                self
                    .email_verified
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::email_verified,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .is_active
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::is_active,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .last_login
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::last_login,
                        ::dz::sql_types::Sql(::core::option::Option::Some(value)),
                    )),
                self
                    .auth_provider
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::auth_provider,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .auth_provider_id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::auth_provider_id,
                        ::dz::sql_types::Sql(::core::option::Option::Some(value)),
                    )),
            ))
        }
    }
    /// Changes to a row of `users`; what is `None` stays.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct UserChanges {
        /// Email.
        pub email: ::core::option::Option<::std::string::String>,
        /// Name.
        pub name: ::core::option::Option<::core::option::Option<::std::string::String>>,
        /// Email verified.
        pub email_verified: ::core::option::Option<::core::primitive::bool>,
        /// Is active.
        pub is_active: ::core::option::Option<::core::primitive::bool>,
        /// Last login.
        pub last_login: ::core::option::Option<
            ::core::option::Option<::dz::DateTime<::dz::Utc>>,
        >,
        /// Auth provider.
        pub auth_provider: ::core::option::Option<super::user::UserAuthProvider>,
        /// Auth provider id.
        pub auth_provider_id: ::core::option::Option<
            ::core::option::Option<::std::string::String>,
        >,
    }
    impl ::dz::Draft for UserChanges {
        fn into_given(self) -> ::dz::__private::Given {
            let mut given = ::dz::__private::Given::default();
            given.maybe(1u16, self.email);
            given.maybe(2u16, self.name);
            given.maybe(4u16, self.email_verified);
            given.maybe(8u16, self.is_active);
            given.maybe(9u16, self.last_login);
            given.maybe(10u16, self.auth_provider);
            given.maybe(11u16, self.auth_provider_id);
            given
        }
        #[allow(unused_mut, unused_variables)]
        fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(UserChanges {
                email: given.optional(1u16)?,
                name: given.optional(2u16)?,
                email_verified: given.optional(4u16)?,
                is_active: given.optional(8u16)?,
                last_login: given.optional(9u16)?,
                auth_provider: given.optional(10u16)?,
                auth_provider_id: given.optional(11u16)?,
            })
        }
    }
    impl ::diesel::AsChangeset for UserChanges {
        type Target = super::schema::users::table;
        type Changeset = <(
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::email,
                    ::dz::sql_types::Sql<::std::string::String>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::name,
                    ::dz::sql_types::Sql<::core::option::Option<::std::string::String>>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::email_verified,
                    ::dz::sql_types::Sql<::core::primitive::bool>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::is_active,
                    ::dz::sql_types::Sql<::core::primitive::bool>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::last_login,
                    ::dz::sql_types::Sql<
                        ::core::option::Option<::dz::DateTime<::dz::Utc>>,
                    >,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::auth_provider,
                    ::dz::sql_types::Sql<super::user::UserAuthProvider>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::users::auth_provider_id,
                    ::dz::sql_types::Sql<::core::option::Option<::std::string::String>>,
                >,
            >,
        ) as ::diesel::AsChangeset>::Changeset;
        fn as_changeset(self) -> Self::Changeset {
            ::diesel::AsChangeset::as_changeset((
                self
                    .email
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::email,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .name
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::name,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .email_verified
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::email_verified,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .is_active
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::is_active,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .last_login
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::last_login,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .auth_provider
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::auth_provider,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .auth_provider_id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::users::auth_provider_id,
                        ::dz::sql_types::Sql(value),
                    )),
            ))
        }
    }
    /// What dz knows of `User`.
    pub static ENTITY: ::dz::__private::def::EntityDef = {
        use ::dz::__private::def::*;
        EntityDef {
            ix: 1u16,
            name: "User",
            title: "User",
            title_plural: "Users",
            table: "users",
            intent: ::core::option::Option::None,
            fields: &[
                FieldDef {
                    required: true,
                    ..FieldDef::new("id", "Id", Kind::Uuid)
                },
                FieldDef {
                    required: true,
                    unique: true,
                    ..FieldDef::new("email", "Email", Kind::Email)
                },
                FieldDef::new("name", "Name", Kind::Str(120u32)),
                FieldDef {
                    secret: true,
                    ..FieldDef::new("password_hash", "Password hash", Kind::Str(255u32))
                },
                FieldDef {
                    required: true,
                    identity: true,
                    default: ::core::option::Option::Some(Expr::Bool(false)),
                    ..FieldDef::new("email_verified", "Email verified", Kind::Bool)
                },
                FieldDef {
                    secret: true,
                    ..FieldDef::new(
                        "email_verify_token",
                        "Email verify token",
                        Kind::Str(100u32),
                    )
                },
                FieldDef {
                    secret: true,
                    ..FieldDef::new(
                        "password_reset_token",
                        "Password reset token",
                        Kind::Str(100u32),
                    )
                },
                FieldDef {
                    secret: true,
                    ..FieldDef::new(
                        "password_reset_expires",
                        "Password reset expires",
                        Kind::DateTime,
                    )
                },
                FieldDef {
                    required: true,
                    identity: true,
                    default: ::core::option::Option::Some(Expr::Bool(true)),
                    ..FieldDef::new("is_active", "Is active", Kind::Bool)
                },
                FieldDef {
                    identity: true,
                    ..FieldDef::new("last_login", "Last login", Kind::DateTime)
                },
                FieldDef {
                    required: true,
                    identity: true,
                    default: ::core::option::Option::Some(
                        Expr::EnumValue(super::user::UserAuthProvider::DEF, 0u16),
                    ),
                    ..FieldDef::new(
                        "auth_provider",
                        "Auth provider",
                        Kind::Enum(super::user::UserAuthProvider::DEF),
                    )
                },
                FieldDef {
                    identity: true,
                    ..FieldDef::new(
                        "auth_provider_id",
                        "Auth provider id",
                        Kind::Str(255u32),
                    )
                },
                FieldDef {
                    required: true,
                    auto: Auto::Add,
                    ..FieldDef::new("created_at", "Created at", Kind::DateTime)
                },
            ],
            pk: 0u16,
            label: ::core::option::Option::Some(2u16),
            rules: &[],
            indexes: &[],
            states: ::core::option::Option::None,
            audits: &[],
            invariants: &[],
            temporal: ::core::option::Option::None,
            soft_delete: false,
            account: true,
            tenancy: TenancyDef::NONE,
        }
    };
}
mod __dz_app {
    use ::dz::__private::def::*;
    const _: () = ::dz::__private::VERSION_0_1_0;
    pub(super) static APP: AppDef = AppDef {
        name: "app",
        title: "Application",
        description: ::core::option::Option::None,
        timezone: "UTC",
        locale: "en",
        hue: 262u16,
        engine: ::dz::__private::engine(::core::option::Option::Some("sqlite")),
        roles: &[
            RoleDef {
                name: "admin",
                title: "Admin",
                declared: false,
            },
            RoleDef {
                name: "tenant_admin",
                title: "Tenant admin",
                declared: false,
            },
        ],
        entities: &[&super::note::ENTITY, &super::user::ENTITY],
        account: 1u16,
        surfaces: &[],
        demo: &[],
        openapi: super::__dz_documents::OPENAPI,
        registration: ::core::option::Option::None,
        access: super::__dz_documents::ACCESS,
        schema: Schemas::new(
            super::__dz_documents::SQLITE,
            super::__dz_documents::POSTGRES,
        ),
    };
}
/// Application: the application, ready to be extended and started.
pub fn app() -> ::dz::App {
    ::dz::App::new(&__dz_app::APP)
}
