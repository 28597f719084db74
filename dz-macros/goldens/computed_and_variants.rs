/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::dz::__private::table! {
        orders(id) {
            id -> Uuid,
            number -> BigInt,
            due -> Nullable<Date>,
        }
    }
    ::dz::__private::table! {
        lines(id) {
            id -> Uuid,
            order -> Uuid,
            name -> Text,
            price -> Decimal<8, 2>,
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
    ::diesel::joinable!(lines -> orders(order));
    ::dz::__private::allow_tables_together! {
        lines, orders;
    }
}
/// Order.
pub mod order {
    use ::dz::{Decimal, NaiveDate, Uuid};
    ::dz::__private::row! {
        /// A row of `orders`.
        pub struct Order in orders by id: Uuid as Uuid, from NewOrder, with OrderChanges {
            0 id: Uuid = "Id";
            1 number: i64 = "Number";
            2 due: Option<NaiveDate> = "Due";
        }
    }
    impl Order {
        /// Lines: rows that the caller may list.
        pub fn lines(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Vec<super::line::Line>> {
            ::dz::__private::typed_rows::children(tx, self, super::line::fields::ORDER)
        }
        /// Total, computed now.
        pub fn total(&self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Option<Decimal>> {
            ::dz::__private::typed_rows::computed(tx, self, super::order::fields::TOTAL)
        }
        /// Late, computed now.
        pub fn late(&self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Option<bool>> {
            ::dz::__private::typed_rows::computed(tx, self, super::order::fields::LATE)
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `orders`; what is `None` gets its default.
        pub struct NewOrder of Order in orders {
            1 number: i64 = "Number";
        } or default {
            0 id: Uuid = "Id";
            2 due: NaiveDate = "Due";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `orders`; what is `None` or `Keep` stays.
        pub struct OrderChanges of Order in orders {
            1 number: Option<i64> = "Number";
            2 due: ::dz::Change<NaiveDate> = "Due";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 0;
    /// The positions of the fields of `Order` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const NUMBER: u16 = 1;
        pub const DUE: u16 = 2;
        pub const LINES: u16 = 3;
        pub const TOTAL: u16 = 4;
        pub const LATE: u16 = 5;
    }
    /// The description of `Order`.
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
                    ..FieldDef::new("number", "Number", Kind::Int)
                },
                FieldDef::new("due", "Due", Kind::Date),
                FieldDef::new(
                    "lines",
                    "Lines",
                    Kind::HasMany {
                        via: FieldAt::new(
                            super::line::POSITION,
                            super::line::fields::ORDER,
                        ),
                    },
                ),
                FieldDef {
                    computed: Some(
                        &Expr::Aggregate {
                            kind: Aggregate::Sum,
                            relation: FieldAt::new(
                                super::order::POSITION,
                                super::order::fields::LINES,
                            ),
                            value: Some(
                                Path::to_field(
                                    super::line::POSITION,
                                    super::line::fields::PRICE,
                                ),
                            ),
                            condition: None,
                        },
                    ),
                    ..FieldDef::new(
                        "total",
                        "Total",
                        Kind::Decimal {
                            precision: 28,
                            scale: 2,
                        },
                    )
                },
                FieldDef {
                    computed: Some(
                        &Expr::Compare(
                            Comparison::Gt,
                            &Expr::Call(
                                Function::DaysSince,
                                &[
                                    Expr::Path(
                                        Path::to_field(
                                            super::order::POSITION,
                                            super::order::fields::DUE,
                                        ),
                                    ),
                                ],
                                Type::Int,
                            ),
                            &Expr::Int(0),
                        ),
                    ),
                    ..FieldDef::new("late", "Late", Kind::Bool)
                },
            ],
            mark: "O",
            label: LabelDef::new(&[], super::order::fields::NUMBER, true),
            rules: &[
                ActionRule {
                    permit: Some(
                        Expr::Role(super::roles::CLERK | super::roles::MANAGER),
                    ),
                    ..ActionRule::new("list")
                },
                ActionRule {
                    permit: Some(
                        Expr::Role(super::roles::CLERK | super::roles::MANAGER),
                    ),
                    ..ActionRule::new("read")
                },
                ActionRule {
                    permit: Some(
                        Expr::Role(super::roles::CLERK | super::roles::MANAGER),
                    ),
                    ..ActionRule::new("update")
                },
            ],
            ..EntityDef::new(
                super::order::POSITION,
                "Order",
                "Order",
                "Orders",
                "orders",
                super::order::fields::ID,
            )
        }
    };
}
/// Line.
pub mod line {
    use ::dz::{Decimal, Uuid};
    ::dz::__private::row! {
        /// A row of `lines`.
        pub struct Line in lines by id: Uuid as Uuid, from NewLine, with LineChanges {
            0 id: Uuid = "Id";
            1 order_id: Uuid = "Order";
            2 name: String = "Name";
            3 price: Decimal = "Price";
        }
    }
    impl Line {
        /// Order: the row, if the reference is set and the caller may read the row.
        pub fn order(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::order::Order>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.order_id),
            )
        }
        /// Order: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_orders(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<::std::collections::HashMap<Uuid, super::order::Order>> {
            let keys = rows.iter().map(|row| ::core::clone::Clone::clone(&row.order_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::order::Order| ::core::clone::Clone::clone(&row.id),
            )
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `lines`; what is `None` gets its default.
        pub struct NewLine of Line in lines {
            1 order_id: Uuid = "Order";
            2 name: String = "Name";
        } or default {
            0 id: Uuid = "Id";
            3 price: Decimal = "Price";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `lines`; what is `None` or `Keep` stays.
        pub struct LineChanges of Line in lines {
            1 order_id: Option<Uuid> = "Order";
            2 name: Option<String> = "Name";
            3 price: Option<Decimal> = "Price";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 1;
    /// The positions of the fields of `Line` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const ORDER: u16 = 1;
        pub const NAME: u16 = 2;
        pub const PRICE: u16 = 3;
    }
    /// The description of `Line`.
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
                    ..FieldDef::new("order", "Order", Kind::Ref(super::order::POSITION))
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new("name", "Name", Kind::Str(80))
                },
                FieldDef {
                    required: true,
                    default: Some(Expr::Int(0)),
                    ..FieldDef::new(
                        "price",
                        "Price",
                        Kind::Decimal {
                            precision: 8,
                            scale: 2,
                        },
                    )
                },
            ],
            mark: "L",
            label: LabelDef::new(&[], super::line::fields::NAME, false),
            rules: &[
                ActionRule {
                    permit: Some(
                        Expr::Role(super::roles::CLERK | super::roles::MANAGER),
                    ),
                    ..ActionRule::new("list")
                },
                ActionRule {
                    permit: Some(
                        Expr::Role(super::roles::CLERK | super::roles::MANAGER),
                    ),
                    ..ActionRule::new("read")
                },
            ],
            ..EntityDef::new(
                super::line::POSITION,
                "Line",
                "Line",
                "Lines",
                "lines",
                super::line::fields::ID,
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
    pub const POSITION: u16 = 2;
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
    roles: Clerk CLERK "clerk" "Clerk" = 0;
    Manager MANAGER "manager" "Manager" = 1;
    Admin ADMIN "admin" "Admin" = 2;
    TenantAdmin TENANT_ADMIN "tenant_admin" "Tenant admin" = 3;
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
                name: "clerk",
                title: "Clerk",
                declared: true,
                start: None,
            },
            RoleDef {
                name: "manager",
                title: "Manager",
                declared: true,
                start: None,
            },
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
        entities: &[&super::order::ENTITY, &super::line::ENTITY, &super::user::ENTITY],
        account: super::user::POSITION,
        surfaces: &[
            &SurfaceDef {
                sections: &[
                    SectionDef {
                        name: "main",
                        title: None,
                        note: None,
                        body: SectionBody::Fields(
                            &[
                                ColumnDef::new(
                                    Path::to_field(
                                        super::order::POSITION,
                                        super::order::fields::NUMBER,
                                    ),
                                    "Number",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::order::POSITION,
                                        super::order::fields::DUE,
                                    ),
                                    "Due",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::order::POSITION,
                                        super::order::fields::TOTAL,
                                    ),
                                    "Total",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::order::POSITION,
                                        super::order::fields::LATE,
                                    ),
                                    "Late",
                                ),
                            ],
                        ),
                    },
                ],
                ux: ListUx {
                    sort: &[
                        SortDef {
                            path: Path::to_field(
                                super::order::POSITION,
                                super::order::fields::DUE,
                            ),
                            descending: false,
                        },
                    ],
                    filter: &[
                        Path::to_field(super::order::POSITION, super::order::fields::DUE),
                    ],
                    search: &[],
                    empty: None,
                },
                variants: &[
                    VariantDef {
                        scope: Some(
                            Expr::Compare(
                                Comparison::Ne,
                                &Expr::Path(
                                    Path::to_field(
                                        super::order::POSITION,
                                        super::order::fields::DUE,
                                    ),
                                ),
                                &Expr::Null,
                            ),
                        ),
                        hide: &[
                            Path::to_field(
                                super::order::POSITION,
                                super::order::fields::TOTAL,
                            ),
                        ],
                        ..VariantDef::new(super::roles::CLERK)
                    },
                    VariantDef {
                        purpose: Some("What is late"),
                        ..VariantDef::new(super::roles::MANAGER)
                    },
                ],
                ..SurfaceDef::new("orders", "Orders", super::order::POSITION, Mode::List)
            },
        ],
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
