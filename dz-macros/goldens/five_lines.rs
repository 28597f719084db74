/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::dz::__private::table! {
        notes(id) {
            id -> Uuid,
            title -> Text,
        }
    }
    ::dz::__private::table! {
        users(id) {
            id -> Uuid,
            email -> Text,
            name -> Nullable<Text>,
            email_verified -> Bool,
            is_active -> Bool,
            last_login -> Nullable<DateTime>,
            auth_provider -> Text,
            auth_provider_id -> Nullable<Text>,
            created_at -> DateTime,
        }
    }
}
/// Note.
pub mod note {
    use ::dz::Uuid;
    ::dz::__private::row! {
        /// A row of `notes`.
        pub struct Note in notes by id: Uuid as Uuid, from NewNote, with NoteChanges {
            0 id: Uuid = "Id";
            1 title: String = "Title";
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `notes`; what is `None` gets its default.
        pub struct NewNote of Note in notes {
            1 title: String = "Title";
        } or default {
            0 id: Uuid = "Id";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `notes`; what is `None` or `Keep` stays.
        pub struct NoteChanges of Note in notes {
            1 title: Option<String> = "Title";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 0;
    /// The positions of the fields of `Note` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const TITLE: u16 = 1;
    }
    /// The description of `Note`.
    pub static ENTITY: ::dz::__private::def::EntityDef = {
        use ::dz::__private::def::*;
        EntityDef {
            fields: &[
                FieldDef {
                    required: true,
                    ..FieldDef::new("id", "Id", Kind::Uuid)
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new("title", "Title", Kind::Str(80))
                },
            ],
            mark: "N",
            label: LabelDef::new(&[], super::note::fields::TITLE, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("read")
                },
            ],
            ..EntityDef::new(
                super::note::POSITION,
                "Note",
                "Note",
                "Notes",
                "notes",
                super::note::fields::ID,
            )
        }
    };
}
/// User.
pub mod user {
    use ::dz::{DateTime, Utc, Uuid};
    ::dz::__private::enumeration! {
        /// The values of `UserAuthProvider`.
        pub enum UserAuthProvider("UserAuthProvider", ordered = false) {
            Local = "local", "Local";
            Google = "google", "Google";
            Microsoft = "microsoft", "Microsoft";
            Github = "github", "GitHub";
        }
    }
    ::dz::__private::row! {
        /// A row of `users`.
        pub struct User in users by id: Uuid as Uuid, from NewUser, with UserChanges {
            0 id: Uuid = "Id";
            1 email: String = "Email";
            2 name: Option<String> = "Name";
            4 email_verified: bool = "Email verified";
            8 is_active: bool = "Is active";
            9 last_login: Option<DateTime<Utc>> = "Last login";
            10 auth_provider: UserAuthProvider = "Auth provider";
            11 auth_provider_id: Option<String> = "Auth provider id";
            12 created_at: DateTime<Utc> = "Created at";
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `users`; what is `None` gets its default.
        pub struct NewUser of User in users {
            1 email: String = "Email";
        } or default {
            0 id: Uuid = "Id";
            2 name: String = "Name";
            4 email_verified: bool = "Email verified";
            8 is_active: bool = "Is active";
            9 last_login: DateTime<Utc> = "Last login";
            10 auth_provider: UserAuthProvider = "Auth provider";
            11 auth_provider_id: String = "Auth provider id";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `users`; what is `None` or `Keep` stays.
        pub struct UserChanges of User in users {
            1 email: Option<String> = "Email";
            2 name: ::dz::Change<String> = "Name";
            4 email_verified: Option<bool> = "Email verified";
            8 is_active: Option<bool> = "Is active";
            9 last_login: ::dz::Change<DateTime<Utc>> = "Last login";
            10 auth_provider: Option<UserAuthProvider> = "Auth provider";
            11 auth_provider_id: ::dz::Change<String> = "Auth provider id";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 1;
    /// The positions of the fields of `User` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const EMAIL: u16 = 1;
        pub const NAME: u16 = 2;
        pub const PASSWORD_HASH: u16 = 3;
        pub const EMAIL_VERIFIED: u16 = 4;
        pub const EMAIL_VERIFY_TOKEN: u16 = 5;
        pub const PASSWORD_RESET_TOKEN: u16 = 6;
        pub const PASSWORD_RESET_EXPIRES: u16 = 7;
        pub const IS_ACTIVE: u16 = 8;
        pub const LAST_LOGIN: u16 = 9;
        pub const AUTH_PROVIDER: u16 = 10;
        pub const AUTH_PROVIDER_ID: u16 = 11;
        pub const CREATED_AT: u16 = 12;
    }
    /// The description of `User`.
    pub static ENTITY: ::dz::__private::def::EntityDef = {
        use ::dz::__private::def::*;
        EntityDef {
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
                FieldDef::new("name", "Name", Kind::Str(120)),
                FieldDef {
                    secret: true,
                    ..FieldDef::new("password_hash", "Password hash", Kind::Str(255))
                },
                FieldDef {
                    required: true,
                    identity: true,
                    default: Some(Expr::Bool(false)),
                    ..FieldDef::new("email_verified", "Email verified", Kind::Bool)
                },
                FieldDef {
                    secret: true,
                    ..FieldDef::new(
                        "email_verify_token",
                        "Email verify token",
                        Kind::Str(100),
                    )
                },
                FieldDef {
                    secret: true,
                    ..FieldDef::new(
                        "password_reset_token",
                        "Password reset token",
                        Kind::Str(100),
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
                    default: Some(Expr::Bool(true)),
                    ..FieldDef::new("is_active", "Is active", Kind::Bool)
                },
                FieldDef {
                    identity: true,
                    ..FieldDef::new("last_login", "Last login", Kind::DateTime)
                },
                FieldDef {
                    required: true,
                    identity: true,
                    default: Some(
                        Expr::EnumValue(
                            super::user::UserAuthProvider::DEF,
                            super::user::UserAuthProvider::Local as u16,
                        ),
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
                        Kind::Str(255),
                    )
                },
                FieldDef {
                    required: true,
                    auto: Auto::Add,
                    ..FieldDef::new("created_at", "Created at", Kind::DateTime)
                },
            ],
            mark: "U",
            label: LabelDef::new(&[], super::user::fields::NAME, false),
            account: true,
            ..EntityDef::new(
                super::user::POSITION,
                "User",
                "User",
                "Users",
                "users",
                super::user::fields::ID,
            )
        }
    };
}
::dz::__private::roles! {
    roles: Admin ADMIN "admin" "Admin" = 0;
    TenantAdmin TENANT_ADMIN "tenant_admin" "Tenant admin" = 1;
}
mod __dz_app {
    use ::dz::__private::def::*;
    const _: () = ::dz::__private::VERSION_0_1_0;
    pub(super) static APP: AppDef = AppDef {
        name: "app",
        title: "Application",
        description: None,
        timezone: "UTC",
        locale: "en",
        languages: LanguagesDef::new(&[]),
        hue: 262,
        theme: ThemeDef::DEFAULT,
        engine: ::dz::__private::engine(Some("sqlite")),
        roles: &[
            RoleDef {
                name: "admin",
                title: "Admin",
                declared: false,
                start: None,
            },
            RoleDef {
                name: "tenant_admin",
                title: "Tenant admin",
                declared: false,
                start: None,
            },
        ],
        entities: &[&super::note::ENTITY, &super::user::ENTITY],
        account: super::user::POSITION,
        surfaces: &[],
        workspaces: &[],
        services: &[],
        processes: &[],
        llm: LlmDef::NONE,
        schedules: &[],
        experiences: &[],
        demo: &[],
        scenarios: &[],
        registration: None,
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
