/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::diesel::table! {
        notes(id) { id -> ::dz::sql_types::Uuid, title -> ::dz::sql_types::Text, }
    }
    ::diesel::table! {
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
        openapi: OPENAPI,
        registration: ::core::option::Option::None,
        access: "{\n  \"callers\": [\"anonymous\", \"authenticated\", \"admin\", \"tenant_admin\"],\n  \"rules\": [\n    {\n      \"entity\": \"Note\", \"action\": \"read\",\n      \"permit\": [\"authenticated\"], \"forbid\": [], \"scope\": [],\n      \"callers\": {\n        \"anonymous\": false,\n        \"authenticated\": true,\n        \"admin\": true,\n        \"tenant_admin\": true\n      }\n    }\n  ]\n}\n",
        schema: Schemas::new(
            SchemaDef {
                sql: "CREATE TABLE \"notes\" (\n  \"id\" BLOB NOT NULL PRIMARY KEY CONSTRAINT \"notes(id) check\" CHECK (length(\"id\") = 16),\n  \"title\" TEXT NOT NULL CONSTRAINT \"notes(title) check\" CHECK (length(\"title\") <= 80),\n  \"dz_version\" INTEGER NOT NULL DEFAULT 1\n) STRICT;\nCREATE TABLE \"users\" (\n  \"id\" BLOB NOT NULL PRIMARY KEY CONSTRAINT \"users(id) check\" CHECK (length(\"id\") = 16),\n  \"email\" TEXT NOT NULL CONSTRAINT \"users(email) check\" CHECK (length(\"email\") <= 254),\n  \"name\" TEXT CONSTRAINT \"users(name) check\" CHECK (length(\"name\") <= 120),\n  \"password_hash\" TEXT CONSTRAINT \"users(password_hash) check\" CHECK (length(\"password_hash\") <= 255),\n  \"email_verified\" INTEGER NOT NULL CONSTRAINT \"users(email_verified) check\" CHECK (\"email_verified\" IN (0, 1)),\n  \"email_verify_token\" TEXT CONSTRAINT \"users(email_verify_token) check\" CHECK (length(\"email_verify_token\") <= 100),\n  \"password_reset_token\" TEXT CONSTRAINT \"users(password_reset_token) check\" CHECK (length(\"password_reset_token\") <= 100),\n  \"password_reset_expires\" TEXT,\n  \"is_active\" INTEGER NOT NULL CONSTRAINT \"users(is_active) check\" CHECK (\"is_active\" IN (0, 1)),\n  \"last_login\" TEXT,\n  \"auth_provider\" TEXT NOT NULL CONSTRAINT \"users(auth_provider) check\" CHECK (\"auth_provider\" IN ('local', 'google', 'microsoft', 'github')),\n  \"auth_provider_id\" TEXT CONSTRAINT \"users(auth_provider_id) check\" CHECK (length(\"auth_provider_id\") <= 255),\n  \"created_at\" TEXT NOT NULL,\n  \"dz_version\" INTEGER NOT NULL DEFAULT 1\n) STRICT;\nCREATE TABLE \"dz_outbox\" (\n  \"seq\" INTEGER NOT NULL PRIMARY KEY,\n  \"id\" BLOB NOT NULL CONSTRAINT \"dz_outbox(id) check\" CHECK (length(\"id\") = 16),\n  \"subscriber\" TEXT NOT NULL,\n  \"event\" TEXT NOT NULL,\n  \"entity\" TEXT NOT NULL,\n  \"row_id\" TEXT NOT NULL,\n  \"payload\" TEXT NOT NULL,\n  \"attempts\" INTEGER NOT NULL,\n  \"created_at\" TEXT NOT NULL,\n  \"retry_at\" TEXT NOT NULL,\n  \"error\" TEXT NOT NULL\n) STRICT;\nCREATE TABLE \"dz_dead_letters\" (\n  \"id\" BLOB NOT NULL CONSTRAINT \"dz_dead_letters(id) check\" CHECK (length(\"id\") = 16),\n  \"subscriber\" TEXT NOT NULL,\n  \"event\" TEXT NOT NULL,\n  \"entity\" TEXT NOT NULL,\n  \"row_id\" TEXT NOT NULL,\n  \"payload\" TEXT NOT NULL,\n  \"attempts\" INTEGER NOT NULL,\n  \"created_at\" TEXT NOT NULL,\n  \"died_at\" TEXT NOT NULL,\n  \"error\" TEXT NOT NULL,\n  PRIMARY KEY (\"id\", \"subscriber\")\n) STRICT;\nCREATE TABLE \"dz_held\" (\n  \"entity\" TEXT NOT NULL,\n  \"row_id\" TEXT NOT NULL,\n  \"state\" TEXT NOT NULL,\n  \"since\" TEXT NOT NULL,\n  \"attempts\" INTEGER NOT NULL,\n  \"retry_at\" TEXT NOT NULL,\n  PRIMARY KEY (\"entity\", \"row_id\", \"state\")\n) STRICT;\nCREATE TABLE \"dz_meta\" (\n  \"key\" TEXT NOT NULL PRIMARY KEY,\n  \"value\" TEXT NOT NULL\n) STRICT;\nCREATE TABLE \"dz_roles\" (\n  \"account\" BLOB NOT NULL CONSTRAINT \"dz_roles(account) check\" CHECK (length(\"account\") = 16),\n  \"role\" TEXT NOT NULL,\n  PRIMARY KEY (\"account\", \"role\"),\n  CONSTRAINT \"dz_roles(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE\n) STRICT;\nCREATE TABLE \"dz_sessions\" (\n  \"token_hash\" TEXT NOT NULL PRIMARY KEY,\n  \"id\" BLOB NOT NULL CONSTRAINT \"dz_sessions(id) check\" CHECK (length(\"id\") = 16),\n  \"account\" BLOB NOT NULL CONSTRAINT \"dz_sessions(account) check\" CHECK (length(\"account\") = 16),\n  \"device\" TEXT NOT NULL,\n  \"created_at\" TEXT NOT NULL,\n  \"seen_at\" TEXT NOT NULL,\n  \"expires_at\" TEXT NOT NULL,\n  CONSTRAINT \"dz_sessions(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE\n) STRICT;\nCREATE TABLE \"dz_tokens\" (\n  \"token_hash\" TEXT NOT NULL PRIMARY KEY,\n  \"id\" BLOB NOT NULL CONSTRAINT \"dz_tokens(id) check\" CHECK (length(\"id\") = 16),\n  \"account\" BLOB NOT NULL CONSTRAINT \"dz_tokens(account) check\" CHECK (length(\"account\") = 16),\n  \"scope\" TEXT NOT NULL,\n  \"roles\" TEXT,\n  \"created_at\" TEXT NOT NULL,\n  \"seen_at\" TEXT NOT NULL,\n  \"expires_at\" TEXT NOT NULL,\n  CONSTRAINT \"dz_tokens(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE\n) STRICT;\nCREATE TABLE \"dz_idempotency\" (\n  \"scope\" TEXT NOT NULL PRIMARY KEY,\n  \"body\" TEXT NOT NULL,\n  \"status\" INTEGER NOT NULL,\n  \"row_key\" TEXT NOT NULL,\n  \"answer\" TEXT NOT NULL,\n  \"expires_at\" TEXT NOT NULL\n) STRICT;\nCREATE TABLE \"dz_audit_log\" (\n  \"id\" BLOB NOT NULL PRIMARY KEY CONSTRAINT \"dz_audit_log(id) check\" CHECK (length(\"id\") = 16),\n  \"at\" TEXT NOT NULL,\n  \"account\" BLOB CONSTRAINT \"dz_audit_log(account) check\" CHECK (length(\"account\") = 16),\n  \"action\" TEXT NOT NULL,\n  \"entity\" TEXT NOT NULL,\n  \"row_id\" TEXT,\n  \"decision\" TEXT NOT NULL,\n  \"rule\" TEXT NOT NULL,\n  \"changes\" TEXT CONSTRAINT \"dz_audit_log(changes) check\" CHECK (json_valid(\"changes\")),\n  \"times\" INTEGER NOT NULL,\n  \"request_id\" TEXT NOT NULL\n) STRICT;\nCREATE TABLE \"dz_audit_horizon\" (\n  \"kept_from\" TEXT NOT NULL PRIMARY KEY\n) STRICT;\nCREATE UNIQUE INDEX \"users(email)\" ON \"users\" (\"email\");\nCREATE INDEX \"users[email_verify_token]\" ON \"users\" (\"email_verify_token\");\nCREATE INDEX \"users[password_reset_token]\" ON \"users\" (\"password_reset_token\");\nCREATE INDEX \"dz_outbox[retry_at]\" ON \"dz_outbox\" (\"retry_at\");\nCREATE INDEX \"dz_outbox[subscriber, entity, row_id, seq]\" ON \"dz_outbox\" (\"subscriber\", \"entity\", \"row_id\", \"seq\");\nCREATE INDEX \"dz_sessions[account]\" ON \"dz_sessions\" (\"account\");\nCREATE INDEX \"dz_tokens[account]\" ON \"dz_tokens\" (\"account\");\nCREATE INDEX \"dz_idempotency[expires_at]\" ON \"dz_idempotency\" (\"expires_at\");\nCREATE INDEX \"dz_audit_log[at]\" ON \"dz_audit_log\" (\"at\");\nCREATE INDEX \"dz_audit_log[entity, row_id]\" ON \"dz_audit_log\" (\"entity\", \"row_id\");\nCREATE TRIGGER \"dz_audit_log unchanged\" BEFORE UPDATE ON \"dz_audit_log\" BEGIN SELECT RAISE(ABORT, 'records of the audit log do not change'); END;\nCREATE TRIGGER \"dz_audit_log kept\" BEFORE DELETE ON \"dz_audit_log\" WHEN NOT EXISTS (SELECT 1 FROM \"dz_audit_horizon\" WHERE OLD.\"at\" < \"kept_from\") BEGIN SELECT RAISE(ABORT, 'records of the audit log are kept'); END;\n",
                columns: "notes\tid\tBLOB\t!\nnotes\ttitle\tTEXT\t!\nnotes\tdz_version\tINTEGER\t!\nusers\tid\tBLOB\t!\nusers\temail\tTEXT\t!\nusers\tname\tTEXT\t\nusers\tpassword_hash\tTEXT\t\nusers\temail_verified\tINTEGER\t!\nusers\temail_verify_token\tTEXT\t\nusers\tpassword_reset_token\tTEXT\t\nusers\tpassword_reset_expires\tTEXT\t\nusers\tis_active\tINTEGER\t!\nusers\tlast_login\tTEXT\t\nusers\tauth_provider\tTEXT\t!\nusers\tauth_provider_id\tTEXT\t\nusers\tcreated_at\tTEXT\t!\nusers\tdz_version\tINTEGER\t!\ndz_outbox\tseq\tINTEGER\t!\ndz_outbox\tid\tBLOB\t!\ndz_outbox\tsubscriber\tTEXT\t!\ndz_outbox\tevent\tTEXT\t!\ndz_outbox\tentity\tTEXT\t!\ndz_outbox\trow_id\tTEXT\t!\ndz_outbox\tpayload\tTEXT\t!\ndz_outbox\tattempts\tINTEGER\t!\ndz_outbox\tcreated_at\tTEXT\t!\ndz_outbox\tretry_at\tTEXT\t!\ndz_outbox\terror\tTEXT\t!\ndz_dead_letters\tid\tBLOB\t!\ndz_dead_letters\tsubscriber\tTEXT\t!\ndz_dead_letters\tevent\tTEXT\t!\ndz_dead_letters\tentity\tTEXT\t!\ndz_dead_letters\trow_id\tTEXT\t!\ndz_dead_letters\tpayload\tTEXT\t!\ndz_dead_letters\tattempts\tINTEGER\t!\ndz_dead_letters\tcreated_at\tTEXT\t!\ndz_dead_letters\tdied_at\tTEXT\t!\ndz_dead_letters\terror\tTEXT\t!\ndz_held\tentity\tTEXT\t!\ndz_held\trow_id\tTEXT\t!\ndz_held\tstate\tTEXT\t!\ndz_held\tsince\tTEXT\t!\ndz_held\tattempts\tINTEGER\t!\ndz_held\tretry_at\tTEXT\t!\ndz_meta\tkey\tTEXT\t!\ndz_meta\tvalue\tTEXT\t!\ndz_roles\taccount\tBLOB\t!\ndz_roles\trole\tTEXT\t!\ndz_sessions\ttoken_hash\tTEXT\t!\ndz_sessions\tid\tBLOB\t!\ndz_sessions\taccount\tBLOB\t!\ndz_sessions\tdevice\tTEXT\t!\ndz_sessions\tcreated_at\tTEXT\t!\ndz_sessions\tseen_at\tTEXT\t!\ndz_sessions\texpires_at\tTEXT\t!\ndz_tokens\ttoken_hash\tTEXT\t!\ndz_tokens\tid\tBLOB\t!\ndz_tokens\taccount\tBLOB\t!\ndz_tokens\tscope\tTEXT\t!\ndz_tokens\troles\tTEXT\t\ndz_tokens\tcreated_at\tTEXT\t!\ndz_tokens\tseen_at\tTEXT\t!\ndz_tokens\texpires_at\tTEXT\t!\ndz_idempotency\tscope\tTEXT\t!\ndz_idempotency\tbody\tTEXT\t!\ndz_idempotency\tstatus\tINTEGER\t!\ndz_idempotency\trow_key\tTEXT\t!\ndz_idempotency\tanswer\tTEXT\t!\ndz_idempotency\texpires_at\tTEXT\t!\ndz_audit_log\tid\tBLOB\t!\ndz_audit_log\tat\tTEXT\t!\ndz_audit_log\taccount\tBLOB\t\ndz_audit_log\taction\tTEXT\t!\ndz_audit_log\tentity\tTEXT\t!\ndz_audit_log\trow_id\tTEXT\t\ndz_audit_log\tdecision\tTEXT\t!\ndz_audit_log\trule\tTEXT\t!\ndz_audit_log\tchanges\tTEXT\t\ndz_audit_log\ttimes\tINTEGER\t!\ndz_audit_log\trequest_id\tTEXT\t!\ndz_audit_horizon\tkept_from\tTEXT\t!\n",
                fingerprint: "34378a35b10559e1a9ff3ae74eed8272",
            },
            SchemaDef {
                sql: "CREATE TABLE \"notes\" (\n  \"id\" uuid NOT NULL PRIMARY KEY,\n  \"title\" character varying(80) COLLATE \"C\" NOT NULL,\n  \"dz_version\" bigint NOT NULL DEFAULT 1\n);\nCREATE TABLE \"users\" (\n  \"id\" uuid NOT NULL PRIMARY KEY,\n  \"email\" character varying(254) COLLATE \"C\" NOT NULL,\n  \"name\" character varying(120) COLLATE \"C\",\n  \"password_hash\" character varying(255) COLLATE \"C\",\n  \"email_verified\" boolean NOT NULL,\n  \"email_verify_token\" character varying(100) COLLATE \"C\",\n  \"password_reset_token\" character varying(100) COLLATE \"C\",\n  \"password_reset_expires\" timestamp with time zone,\n  \"is_active\" boolean NOT NULL,\n  \"last_login\" timestamp with time zone,\n  \"auth_provider\" text COLLATE \"C\" NOT NULL CONSTRAINT \"users(auth_provider) check\" CHECK (\"auth_provider\" IN ('local', 'google', 'microsoft', 'github')),\n  \"auth_provider_id\" character varying(255) COLLATE \"C\",\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"dz_version\" bigint NOT NULL DEFAULT 1\n);\nCREATE TABLE \"dz_outbox\" (\n  \"seq\" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,\n  \"id\" uuid NOT NULL,\n  \"subscriber\" text COLLATE \"C\" NOT NULL,\n  \"event\" text COLLATE \"C\" NOT NULL,\n  \"entity\" text COLLATE \"C\" NOT NULL,\n  \"row_id\" text COLLATE \"C\" NOT NULL,\n  \"payload\" text COLLATE \"C\" NOT NULL,\n  \"attempts\" bigint NOT NULL,\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"retry_at\" timestamp with time zone NOT NULL,\n  \"error\" text COLLATE \"C\" NOT NULL\n);\nCREATE TABLE \"dz_dead_letters\" (\n  \"id\" uuid NOT NULL,\n  \"subscriber\" text COLLATE \"C\" NOT NULL,\n  \"event\" text COLLATE \"C\" NOT NULL,\n  \"entity\" text COLLATE \"C\" NOT NULL,\n  \"row_id\" text COLLATE \"C\" NOT NULL,\n  \"payload\" text COLLATE \"C\" NOT NULL,\n  \"attempts\" bigint NOT NULL,\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"died_at\" timestamp with time zone NOT NULL,\n  \"error\" text COLLATE \"C\" NOT NULL,\n  PRIMARY KEY (\"id\", \"subscriber\")\n);\nCREATE TABLE \"dz_held\" (\n  \"entity\" text COLLATE \"C\" NOT NULL,\n  \"row_id\" text COLLATE \"C\" NOT NULL,\n  \"state\" text COLLATE \"C\" NOT NULL,\n  \"since\" timestamp with time zone NOT NULL,\n  \"attempts\" bigint NOT NULL,\n  \"retry_at\" timestamp with time zone NOT NULL,\n  PRIMARY KEY (\"entity\", \"row_id\", \"state\")\n);\nCREATE TABLE \"dz_meta\" (\n  \"key\" text COLLATE \"C\" NOT NULL PRIMARY KEY,\n  \"value\" text COLLATE \"C\" NOT NULL\n);\nCREATE TABLE \"dz_roles\" (\n  \"account\" uuid NOT NULL,\n  \"role\" text COLLATE \"C\" NOT NULL,\n  PRIMARY KEY (\"account\", \"role\")\n);\nCREATE TABLE \"dz_sessions\" (\n  \"token_hash\" text COLLATE \"C\" NOT NULL PRIMARY KEY,\n  \"id\" uuid NOT NULL,\n  \"account\" uuid NOT NULL,\n  \"device\" text COLLATE \"C\" NOT NULL,\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"seen_at\" timestamp with time zone NOT NULL,\n  \"expires_at\" timestamp with time zone NOT NULL\n);\nCREATE TABLE \"dz_tokens\" (\n  \"token_hash\" text COLLATE \"C\" NOT NULL PRIMARY KEY,\n  \"id\" uuid NOT NULL,\n  \"account\" uuid NOT NULL,\n  \"scope\" text COLLATE \"C\" NOT NULL,\n  \"roles\" text COLLATE \"C\",\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"seen_at\" timestamp with time zone NOT NULL,\n  \"expires_at\" timestamp with time zone NOT NULL\n);\nCREATE TABLE \"dz_idempotency\" (\n  \"scope\" text COLLATE \"C\" NOT NULL PRIMARY KEY,\n  \"body\" text COLLATE \"C\" NOT NULL,\n  \"status\" bigint NOT NULL,\n  \"row_key\" text COLLATE \"C\" NOT NULL,\n  \"answer\" text COLLATE \"C\" NOT NULL,\n  \"expires_at\" timestamp with time zone NOT NULL\n);\nCREATE TABLE \"dz_audit_log\" (\n  \"id\" uuid NOT NULL PRIMARY KEY,\n  \"at\" timestamp with time zone NOT NULL,\n  \"account\" uuid,\n  \"action\" text COLLATE \"C\" NOT NULL,\n  \"entity\" text COLLATE \"C\" NOT NULL,\n  \"row_id\" text COLLATE \"C\",\n  \"decision\" text COLLATE \"C\" NOT NULL,\n  \"rule\" text COLLATE \"C\" NOT NULL,\n  \"changes\" jsonb,\n  \"times\" bigint NOT NULL,\n  \"request_id\" text COLLATE \"C\" NOT NULL\n);\nCREATE TABLE \"dz_audit_horizon\" (\n  \"kept_from\" timestamp with time zone NOT NULL PRIMARY KEY\n);\nCREATE UNIQUE INDEX \"users(email)\" ON \"users\" (\"email\");\nALTER TABLE \"dz_roles\" ADD CONSTRAINT \"dz_roles(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE;\nALTER TABLE \"dz_sessions\" ADD CONSTRAINT \"dz_sessions(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE;\nALTER TABLE \"dz_tokens\" ADD CONSTRAINT \"dz_tokens(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE;\nCREATE INDEX \"users[email_verify_token]\" ON \"users\" (\"email_verify_token\");\nCREATE INDEX \"users[password_reset_token]\" ON \"users\" (\"password_reset_token\");\nCREATE INDEX \"dz_outbox[retry_at]\" ON \"dz_outbox\" (\"retry_at\");\nCREATE INDEX \"dz_outbox[subscriber, entity, row_id, seq]\" ON \"dz_outbox\" (\"subscriber\", \"entity\", \"row_id\", \"seq\");\nCREATE INDEX \"dz_sessions[account]\" ON \"dz_sessions\" (\"account\");\nCREATE INDEX \"dz_tokens[account]\" ON \"dz_tokens\" (\"account\");\nCREATE INDEX \"dz_idempotency[expires_at]\" ON \"dz_idempotency\" (\"expires_at\");\nCREATE INDEX \"dz_audit_log[at]\" ON \"dz_audit_log\" (\"at\");\nCREATE INDEX \"dz_audit_log[entity, row_id]\" ON \"dz_audit_log\" (\"entity\", \"row_id\");\nCREATE FUNCTION \"dz_audit_log_guard\"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF TG_OP = 'DELETE' THEN IF EXISTS (SELECT 1 FROM \"dz_audit_horizon\" WHERE OLD.\"at\" < \"kept_from\") THEN RETURN OLD; END IF; END IF; RAISE EXCEPTION 'records of the audit log are kept as they are'; END $$;\nCREATE TRIGGER \"dz_audit_log unchanged\" BEFORE UPDATE OR DELETE ON \"dz_audit_log\" FOR EACH ROW EXECUTE FUNCTION \"dz_audit_log_guard\"();\nCREATE TRIGGER \"dz_audit_log kept\" BEFORE TRUNCATE ON \"dz_audit_log\" FOR EACH STATEMENT EXECUTE FUNCTION \"dz_audit_log_guard\"();\n",
                columns: "notes\tid\tuuid\t!\nnotes\ttitle\tcharacter varying(80)\t!\nnotes\tdz_version\tbigint\t!\nusers\tid\tuuid\t!\nusers\temail\tcharacter varying(254)\t!\nusers\tname\tcharacter varying(120)\t\nusers\tpassword_hash\tcharacter varying(255)\t\nusers\temail_verified\tboolean\t!\nusers\temail_verify_token\tcharacter varying(100)\t\nusers\tpassword_reset_token\tcharacter varying(100)\t\nusers\tpassword_reset_expires\ttimestamp with time zone\t\nusers\tis_active\tboolean\t!\nusers\tlast_login\ttimestamp with time zone\t\nusers\tauth_provider\ttext\t!\nusers\tauth_provider_id\tcharacter varying(255)\t\nusers\tcreated_at\ttimestamp with time zone\t!\nusers\tdz_version\tbigint\t!\ndz_outbox\tseq\tbigint\t!\ndz_outbox\tid\tuuid\t!\ndz_outbox\tsubscriber\ttext\t!\ndz_outbox\tevent\ttext\t!\ndz_outbox\tentity\ttext\t!\ndz_outbox\trow_id\ttext\t!\ndz_outbox\tpayload\ttext\t!\ndz_outbox\tattempts\tbigint\t!\ndz_outbox\tcreated_at\ttimestamp with time zone\t!\ndz_outbox\tretry_at\ttimestamp with time zone\t!\ndz_outbox\terror\ttext\t!\ndz_dead_letters\tid\tuuid\t!\ndz_dead_letters\tsubscriber\ttext\t!\ndz_dead_letters\tevent\ttext\t!\ndz_dead_letters\tentity\ttext\t!\ndz_dead_letters\trow_id\ttext\t!\ndz_dead_letters\tpayload\ttext\t!\ndz_dead_letters\tattempts\tbigint\t!\ndz_dead_letters\tcreated_at\ttimestamp with time zone\t!\ndz_dead_letters\tdied_at\ttimestamp with time zone\t!\ndz_dead_letters\terror\ttext\t!\ndz_held\tentity\ttext\t!\ndz_held\trow_id\ttext\t!\ndz_held\tstate\ttext\t!\ndz_held\tsince\ttimestamp with time zone\t!\ndz_held\tattempts\tbigint\t!\ndz_held\tretry_at\ttimestamp with time zone\t!\ndz_meta\tkey\ttext\t!\ndz_meta\tvalue\ttext\t!\ndz_roles\taccount\tuuid\t!\ndz_roles\trole\ttext\t!\ndz_sessions\ttoken_hash\ttext\t!\ndz_sessions\tid\tuuid\t!\ndz_sessions\taccount\tuuid\t!\ndz_sessions\tdevice\ttext\t!\ndz_sessions\tcreated_at\ttimestamp with time zone\t!\ndz_sessions\tseen_at\ttimestamp with time zone\t!\ndz_sessions\texpires_at\ttimestamp with time zone\t!\ndz_tokens\ttoken_hash\ttext\t!\ndz_tokens\tid\tuuid\t!\ndz_tokens\taccount\tuuid\t!\ndz_tokens\tscope\ttext\t!\ndz_tokens\troles\ttext\t\ndz_tokens\tcreated_at\ttimestamp with time zone\t!\ndz_tokens\tseen_at\ttimestamp with time zone\t!\ndz_tokens\texpires_at\ttimestamp with time zone\t!\ndz_idempotency\tscope\ttext\t!\ndz_idempotency\tbody\ttext\t!\ndz_idempotency\tstatus\tbigint\t!\ndz_idempotency\trow_key\ttext\t!\ndz_idempotency\tanswer\ttext\t!\ndz_idempotency\texpires_at\ttimestamp with time zone\t!\ndz_audit_log\tid\tuuid\t!\ndz_audit_log\tat\ttimestamp with time zone\t!\ndz_audit_log\taccount\tuuid\t\ndz_audit_log\taction\ttext\t!\ndz_audit_log\tentity\ttext\t!\ndz_audit_log\trow_id\ttext\t\ndz_audit_log\tdecision\ttext\t!\ndz_audit_log\trule\ttext\t!\ndz_audit_log\tchanges\tjsonb\t\ndz_audit_log\ttimes\tbigint\t!\ndz_audit_log\trequest_id\ttext\t!\ndz_audit_horizon\tkept_from\ttimestamp with time zone\t!\n",
                fingerprint: "382c4635d73ae14e893630512cc81fbf",
            },
        ),
    };
    const OPENAPI: &str = "{…}";
}
/// Application: the application, ready to be extended and started.
pub fn app() -> ::dz::App {
    ::dz::App::new(&__dz_app::APP)
}
