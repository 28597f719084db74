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
        pub struct Note in notes by id: Uuid, from NewNote, with NoteChanges {
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
        /// Changes to a row of `notes`; what is `None` stays.
        pub struct NoteChanges in notes {
            1 title: String = "Title";
        }
    }
    /// What dz knows of `Note`.
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
                    ..FieldDef::new("title", "Title", Kind::Str(80u32))
                },
            ],
            mark: "N",
            label: LabelDef::new(&[], 1u16, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("read")
                },
            ],
            ..EntityDef::new(0u16, "Note", "Note", "Notes", "notes", 0u16)
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
        pub struct User in users by id: Uuid, from NewUser, with UserChanges {
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
        /// Changes to a row of `users`; what is `None` stays.
        pub struct UserChanges in users {
            1 email: String = "Email";
            2 name: Option<String> = "Name";
            4 email_verified: bool = "Email verified";
            8 is_active: bool = "Is active";
            9 last_login: Option<DateTime<Utc>> = "Last login";
            10 auth_provider: UserAuthProvider = "Auth provider";
            11 auth_provider_id: Option<String> = "Auth provider id";
        }
    }
    /// What dz knows of `User`.
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
                FieldDef::new("name", "Name", Kind::Str(120u32)),
                FieldDef {
                    secret: true,
                    ..FieldDef::new("password_hash", "Password hash", Kind::Str(255u32))
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
            mark: "U",
            label: LabelDef::new(&[], 2u16, false),
            account: true,
            ..EntityDef::new(1u16, "User", "User", "Users", "users", 0u16)
        }
    };
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
        hue: 262u16,
        engine: ::dz::__private::engine(Some("sqlite")),
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
