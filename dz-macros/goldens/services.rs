/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::dz::__private::table! {
        repairs(id) {
            id -> Uuid,
            title -> Text,
            size -> Text,
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
/// The named enums.
pub mod enums {
    ::dz::__private::enumeration! {
        /// The values of `Size`.
        pub enum Size("Size", ordered = false) {
            Small = "small", "Small";
            Large = "large", "Large";
        }
    }
    ::dz::__private::enumeration! {
        /// The values of `QuoteOutputEffort`.
        pub enum QuoteOutputEffort("QuoteOutputEffort", ordered = false) {
            Small = "small", "Small";
            Large = "large", "Large";
        }
    }
}
/// Repair.
pub mod repair {
    use ::dz::Uuid;
    ::dz::__private::row! {
        /// A row of `repairs`.
        pub struct Repair in repairs by id: Uuid as Uuid, from NewRepair, with RepairChanges {
            0 id: Uuid = "Id";
            1 title: String = "Title";
            2 size: super::enums::Size = "Size";
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `repairs`; what is `None` gets its default.
        pub struct NewRepair of Repair in repairs {
            1 title: String = "Title";
        } or default {
            0 id: Uuid = "Id";
            2 size: super::enums::Size = "Size";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `repairs`; what is `None` or `Keep` stays.
        pub struct RepairChanges of Repair in repairs {
            1 title: Option<String> = "Title";
            2 size: Option<super::enums::Size> = "Size";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 0;
    /// The positions of the fields of `Repair` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const TITLE: u16 = 1;
        pub const SIZE: u16 = 2;
    }
    /// The description of `Repair`.
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
                FieldDef {
                    required: true,
                    default: Some(
                        Expr::EnumValue(
                            super::enums::Size::DEF,
                            super::enums::Size::Small as u16,
                        ),
                    ),
                    ..FieldDef::new("size", "Size", Kind::Enum(super::enums::Size::DEF))
                },
            ],
            mark: "R",
            label: LabelDef::new(&[], super::repair::fields::TITLE, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("read")
                },
            ],
            ..EntityDef::new(
                super::repair::POSITION,
                "Repair",
                "Repair",
                "Repairs",
                "repairs",
                super::repair::fields::ID,
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
        entities: &[&super::repair::ENTITY, &super::user::ENTITY],
        account: super::user::POSITION,
        surfaces: &[],
        workspaces: &[],
        services: &[
            ServiceDef {
                name: "quote",
                title: "Quote",
                input: &[
                    ValueDef::one(FieldDef {
                        required: true,
                        ..FieldDef::new(
                            "repair",
                            "Repair",
                            Kind::Ref(super::repair::POSITION),
                        )
                    }),
                    ValueDef {
                        lists: 1,
                        printable: false,
                        ..ValueDef::one(
                            FieldDef::new(
                                "discounts",
                                "Discounts",
                                Kind::Decimal {
                                    precision: 4,
                                    scale: 2,
                                },
                            ),
                        )
                    },
                    ValueDef::one(FieldDef {
                        default: Some(Expr::Today),
                        ..FieldDef::new("day", "Day", Kind::Date)
                    }),
                    ValueDef::one(FieldDef {
                        default: Some(Expr::Text("none")),
                        ..FieldDef::new("note", "Note", Kind::Text)
                    }),
                    ValueDef::one(FieldDef {
                        default: Some(Expr::Bool(false)),
                        ..FieldDef::new("express", "Express", Kind::Bool)
                    }),
                ],
                output: &[
                    ValueDef::one(FieldDef {
                        required: true,
                        currency: Some("EUR"),
                        ..FieldDef::new(
                            "fee",
                            "Fee",
                            Kind::Decimal {
                                precision: 18,
                                scale: 2,
                            },
                        )
                    }),
                    ValueDef::one(FieldDef {
                        required: true,
                        ..FieldDef::new(
                            "effort",
                            "Effort",
                            Kind::Enum(super::enums::QuoteOutputEffort::DEF),
                        )
                    }),
                    ValueDef::one(
                        FieldDef::new(
                            "size",
                            "Size",
                            Kind::Enum(super::enums::Size::DEF),
                        ),
                    ),
                    ValueDef::one(FieldDef::new("at", "At", Kind::DateTime)),
                ],
                guarantees: &["The fee is never below zero"],
                stub: Some(StubLanguage::Rust),
                external: None,
            },
            ServiceDef {
                name: "ping",
                title: "Ping",
                input: &[],
                output: &[],
                guarantees: &[],
                stub: None,
                external: None,
            },
        ],
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
/// The services: for each one the trait of its implementation, and the structs of its input and output.
pub mod services {
    /// Quote
    ///
    /// - The fee is never below zero
    pub trait Quote: ::core::marker::Send + ::core::marker::Sync + 'static {
        /// Runs an attempt. It blocks, and holds no database connection. An error and a panic are failed attempts.
        ///
        /// # Errors
        /// Any error.
        fn call(
            &self,
            cx: &::dz::ServiceCx,
            input: QuoteInput,
        ) -> ::dz::Result<QuoteOutput>;
    }
    ::dz::__private::values! {
        /// The input of `quote`.
        pub struct QuoteInput(super :: __dz_app :: APP, super :: __dz_app :: APP . services [0] . input) {
            /// Repair
            repair_id: ::dz::Uuid = 0,
            /// Discounts
            discounts: ::std::vec::Vec<:: dz::Decimal> = 1, /// Day
            day: ::core::option::Option<:: dz::NaiveDate> = 2, /// Note
            note: ::core::option::Option<:: std::string::String> = 3, /// Express
            express: ::core::option::Option<:: core::primitive::bool> = 4,
        }
    }
    ::dz::__private::values! {
        /// The output of `quote`.
        pub struct QuoteOutput(super :: __dz_app :: APP, super :: __dz_app :: APP . services [0] . output) {
            /// Fee
            fee: ::dz::Decimal = 0,
            /// Effort
            effort: super::enums::QuoteOutputEffort = 1,
            /// Size
            size: ::core::option::Option<super::enums::Size> = 2,
            /// At
            at: ::core::option::Option<:: dz::DateTime<:: dz::Utc>> = 3,
        }
    }
    impl ::dz::Service for dyn Quote {
        type Input = QuoteInput;
        type Output = QuoteOutput;
        fn def() -> &'static ::dz::__private::def::ServiceDef {
            &super::__dz_app::APP.services[0]
        }
    }
    impl<T: Quote> super::ImplementsService<dyn Quote> for T {
        fn add_to(self, app: ::dz::App) -> ::dz::App {
            app.implement::<dyn Quote>(move |cx, input| Quote::call(&self, cx, input))
        }
    }
    /// Ping
    pub trait Ping: ::core::marker::Send + ::core::marker::Sync + 'static {
        /// Runs an attempt. It blocks, and holds no database connection. An error and a panic are failed attempts.
        ///
        /// # Errors
        /// Any error.
        fn call(
            &self,
            cx: &::dz::ServiceCx,
            input: PingInput,
        ) -> ::dz::Result<PingOutput>;
    }
    ::dz::__private::values! {
        /// The input of `ping`.
        pub struct PingInput(super :: __dz_app :: APP, super :: __dz_app :: APP . services [1] . input) {

        }
    }
    ::dz::__private::values! {
        /// The output of `ping`.
        pub struct PingOutput(super :: __dz_app :: APP, super :: __dz_app :: APP . services [1] . output) {

        }
    }
    impl ::dz::Service for dyn Ping {
        type Input = PingInput;
        type Output = PingOutput;
        fn def() -> &'static ::dz::__private::def::ServiceDef {
            &super::__dz_app::APP.services[1]
        }
    }
    impl<T: Ping> super::ImplementsService<dyn Ping> for T {
        fn add_to(self, app: ::dz::App) -> ::dz::App {
            app.implement::<dyn Ping>(move |cx, input| Ping::call(&self, cx, input))
        }
    }
}
/// A type that implements the trait of the service `S`, which is a `dyn` type such as `dyn services::Quote`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` implements no service of the declaration",
    note = "implement the trait of a service in the module `services`"
)]
pub trait ImplementsService<S: ?::core::marker::Sized> {
    /// Adds the implementation to the application.
    fn add_to(self, app: ::dz::App) -> ::dz::App;
}
/// Adds implementations of services to the application.
pub trait AppServices {
    /// Adds the implementation of the service whose trait the type implements. The application starts only if each service has
    /// one implementation.
    #[must_use]
    fn service<S: ?::core::marker::Sized>(
        self,
        implementation: impl ImplementsService<S>,
    ) -> Self;
}
impl AppServices for ::dz::App {
    fn service<S: ?::core::marker::Sized>(
        self,
        implementation: impl ImplementsService<S>,
    ) -> Self {
        implementation.add_to(self)
    }
}
