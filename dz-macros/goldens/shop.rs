/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::dz::__private::table! {
        products(id) {
            id -> Uuid,
            name -> Text,
            size -> Text,
            price -> Decimal<8, 2>,
            cost -> Nullable<Decimal<18, 4>>,
            cost_currency -> Nullable<Text>,
        }
    }
    ::dz::__private::table! {
        orders(id) {
            id -> Uuid,
            product -> Uuid,
            buyer -> Uuid,
            state -> Text,
            note -> Nullable<Text>,
            placed_on -> Date,
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
    ::diesel::joinable!(orders -> products(product));
    ::diesel::joinable!(orders -> users(buyer));
    ::dz::__private::allow_tables_together! {
        orders, products;
        orders, users;
    }
}
/// The named enums.
pub mod enums {
    ::dz::__private::enumeration! {
        /// Size
        pub enum Size("Size", ordered = true) {
            Small = "small", "Small";
            Large = "large", "Large";
        }
    }
}
/// Product: What the shelves hold
pub mod product {
    use ::dz::{Decimal, Uuid};
    ::dz::__private::row! {
        /// A row of `products`.
        pub struct Product in products by id: Uuid as Uuid, from NewProduct, with ProductChanges {
            0 id: Uuid = "Id";
            1 name: String = "Name";
            2 size: super::enums::Size = "Size";
            3 price: Decimal = "Price";
            4 cost: Option<Decimal> = "Cost";
            5 cost_currency: Option<String> = "Cost currency";
        }
    }
    impl Product {
        /// Orders: rows that the caller may list.
        pub fn orders(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Vec<super::order::Order>> {
            ::dz::__private::typed_rows::children(
                tx,
                self,
                super::order::fields::PRODUCT,
            )
        }
        /// Ordered, computed now.
        pub fn ordered(&self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Option<i64>> {
            ::dz::__private::typed_rows::computed(
                tx,
                self,
                super::product::fields::ORDERED,
            )
        }
        /// Dear, computed now.
        pub fn dear(&self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Option<bool>> {
            ::dz::__private::typed_rows::computed(tx, self, super::product::fields::DEAR)
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `products`; what is `None` gets its default.
        pub struct NewProduct of Product in products {
            1 name: String = "Name";
        } or default {
            0 id: Uuid = "Id";
            2 size: super::enums::Size = "Size";
            3 price: Decimal = "Price";
            4 cost: Decimal = "Cost";
            5 cost_currency: String = "Cost currency";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `products`; what is `None` or `Keep` stays.
        pub struct ProductChanges of Product in products {
            1 name: Option<String> = "Name";
            2 size: Option<super::enums::Size> = "Size";
            3 price: Option<Decimal> = "Price";
            4 cost: ::dz::Change<Decimal> = "Cost";
            5 cost_currency: ::dz::Change<String> = "Cost currency";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 0;
    /// The positions of the fields of `Product` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const NAME: u16 = 1;
        pub const SIZE: u16 = 2;
        pub const PRICE: u16 = 3;
        pub const COST: u16 = 4;
        pub const COST_CURRENCY: u16 = 5;
        pub const ORDERS: u16 = 6;
        pub const ORDERED: u16 = 7;
        pub const DEAR: u16 = 8;
    }
    /// The description of `Product`.
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
                    searchable: true,
                    ..FieldDef::new("name", "Name", Kind::Str(80))
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
                FieldDef {
                    currency_in: Some(super::product::fields::COST_CURRENCY),
                    ..FieldDef::new(
                        "cost",
                        "Cost",
                        Kind::Decimal {
                            precision: 18,
                            scale: 4,
                        },
                    )
                },
                FieldDef::new(
                    "cost_currency",
                    "Cost currency",
                    Kind::Currency {
                        amount: super::product::fields::COST,
                    },
                ),
                FieldDef::new(
                    "orders",
                    "Orders",
                    Kind::HasMany {
                        via: FieldAt::new(
                            super::order::POSITION,
                            super::order::fields::PRODUCT,
                        ),
                    },
                ),
                FieldDef {
                    computed: Some(
                        &Expr::Aggregate {
                            kind: Aggregate::Count,
                            relation: FieldAt::new(
                                super::product::POSITION,
                                super::product::fields::ORDERS,
                            ),
                            value: None,
                            condition: Some(
                                &Expr::Compare(
                                    Comparison::Eq,
                                    &Expr::Path(
                                        Path::to_field(
                                            super::order::POSITION,
                                            super::order::fields::STATE,
                                        ),
                                    ),
                                    &Expr::EnumValue(
                                        super::order::OrderState::DEF,
                                        super::order::OrderState::Paid as u16,
                                    ),
                                ),
                            ),
                        },
                    ),
                    ..FieldDef::new("ordered", "Ordered", Kind::Int)
                },
                FieldDef {
                    computed: Some(
                        &Expr::Compare(
                            Comparison::Gt,
                            &Expr::Path(
                                Path::to_field(
                                    super::product::POSITION,
                                    super::product::fields::PRICE,
                                ),
                            ),
                            &Expr::Int(100),
                        ),
                    ),
                    ..FieldDef::new("dear", "Dear", Kind::Bool)
                },
            ],
            mark: "P",
            intent: Some("What the shelves hold"),
            label: LabelDef::new(&[], super::product::fields::NAME, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::Anyone),
                    ..ActionRule::new("read")
                },
                ActionRule {
                    permit: Some(Expr::Role(super::roles::CLERK)),
                    ..ActionRule::new("restock")
                },
            ],
            ..EntityDef::new(
                super::product::POSITION,
                "Product",
                "Product",
                "Products",
                "products",
                super::product::fields::ID,
            )
        }
    };
}
/// Order.
pub mod order {
    use ::dz::{NaiveDate, Uuid};
    ::dz::__private::enumeration! {
        /// The values of `OrderState`.
        pub enum OrderState("OrderState", ordered = false) {
            Open = "open", "Open";
            Paid = "paid", "Paid";
            SentOff = "sent off", "Sent off";
        }
    }
    ::dz::__private::row! {
        /// A row of `orders`.
        pub struct Order in orders by id: Uuid as Uuid, from NewOrder, with OrderChanges {
            0 id: Uuid = "Id";
            1 product_id: Uuid = "Product";
            2 buyer_id: Uuid = "Buyer";
            3 state: OrderState = "State";
            4 note: Option<String> = "Note";
            5 placed_on: NaiveDate = "Placed on";
        }
    }
    impl Order {
        /// Product: the row, if the reference is set and the caller may read the row.
        pub fn product(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::product::Product>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.product_id),
            )
        }
        /// Product: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_products(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<::std::collections::HashMap<Uuid, super::product::Product>> {
            let keys = rows
                .iter()
                .map(|row| ::core::clone::Clone::clone(&row.product_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::product::Product| ::core::clone::Clone::clone(&row.id),
            )
        }
        /// Buyer: the row, if the reference is set and the caller may read the row.
        pub fn buyer(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::user::User>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.buyer_id),
            )
        }
        /// Buyer: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_buyers(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<::std::collections::HashMap<Uuid, super::user::User>> {
            let keys = rows.iter().map(|row| ::core::clone::Clone::clone(&row.buyer_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::user::User| ::core::clone::Clone::clone(&row.id),
            )
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `orders`; what is `None` gets its default.
        pub struct NewOrder of Order in orders {
            1 product_id: Uuid = "Product";
        } or default {
            0 id: Uuid = "Id";
            2 buyer_id: Uuid = "Buyer";
            3 state: OrderState = "State";
            4 note: String = "Note";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `orders`; what is `None` or `Keep` stays.
        pub struct OrderChanges of Order in orders {
            1 product_id: Option<Uuid> = "Product";
            2 buyer_id: Option<Uuid> = "Buyer";
            3 state: Option<OrderState> = "State";
            4 note: ::dz::Change<String> = "Note";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 1;
    /// The positions of the fields of `Order` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const PRODUCT: u16 = 1;
        pub const BUYER: u16 = 2;
        pub const STATE: u16 = 3;
        pub const NOTE: u16 = 4;
        pub const PLACED_ON: u16 = 5;
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
                    ..FieldDef::new(
                        "product",
                        "Product",
                        Kind::Ref(super::product::POSITION),
                    )
                },
                FieldDef {
                    required: true,
                    default: Some(Expr::CurrentUser),
                    ..FieldDef::new("buyer", "Buyer", Kind::Ref(super::user::POSITION))
                },
                FieldDef {
                    required: true,
                    default: Some(
                        Expr::EnumValue(
                            super::order::OrderState::DEF,
                            super::order::OrderState::Open as u16,
                        ),
                    ),
                    ..FieldDef::new(
                        "state",
                        "State",
                        Kind::Enum(super::order::OrderState::DEF),
                    )
                },
                FieldDef::new("note", "Note", Kind::Text),
                FieldDef {
                    required: true,
                    auto: Auto::Add,
                    ..FieldDef::new("placed_on", "Placed on", Kind::Date)
                },
            ],
            mark: "O",
            label: LabelDef::new(&[], super::order::fields::PLACED_ON, true),
            rules: &[
                ActionRule {
                    permit: Some(
                        Expr::And(
                            &[
                                Expr::SignedIn,
                                Expr::Or(
                                    &[
                                        Expr::Role(super::roles::CLERK),
                                        Expr::Compare(
                                            Comparison::Eq,
                                            &Expr::Path(
                                                Path::to_field(
                                                    super::order::POSITION,
                                                    super::order::fields::BUYER,
                                                ),
                                            ),
                                            &Expr::CurrentUser,
                                        ),
                                    ],
                                ),
                            ],
                        ),
                    ),
                    ..ActionRule::new("read")
                },
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("create")
                },
                ActionRule {
                    permit: Some(
                        Expr::And(
                            &[
                                Expr::SignedIn,
                                Expr::And(
                                    &[
                                        Expr::Role(super::roles::CLERK),
                                        Expr::Compare(
                                            Comparison::Ne,
                                            &Expr::Path(
                                                Path::to_field(
                                                    super::order::POSITION,
                                                    super::order::fields::STATE,
                                                ),
                                            ),
                                            &Expr::EnumValue(
                                                super::order::OrderState::DEF,
                                                super::order::OrderState::SentOff as u16,
                                            ),
                                        ),
                                    ],
                                ),
                            ],
                        ),
                    ),
                    forbid: Some(
                        Expr::Compare(
                            Comparison::Eq,
                            &Expr::Path(
                                Path::to_field(
                                    super::order::POSITION,
                                    super::order::fields::BUYER,
                                ),
                            ),
                            &Expr::CurrentUser,
                        ),
                    ),
                    ..ActionRule::new("update")
                },
            ],
            indexes: &[
                IndexDef {
                    columns: &[
                        IndexColumn {
                            field: super::order::fields::STATE,
                            descending: false,
                        },
                        IndexColumn {
                            field: super::order::fields::PLACED_ON,
                            descending: true,
                        },
                    ],
                    unique: false,
                    rows: None,
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
    Buyer BUYER "buyer" "Buyer" = 1;
    Admin ADMIN "admin" "Admin" = 2;
    TenantAdmin TENANT_ADMIN "tenant_admin" "Tenant admin" = 3;
}
mod __dz_app {
    use ::dz::__private::def::*;
    const _: () = ::dz::__private::VERSION_0_1_0;
    pub(super) static APP: AppDef = AppDef {
        name: "shop",
        title: "Corner shop",
        description: None,
        timezone: "Europe/Lisbon",
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
                name: "buyer",
                title: "Buyer",
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
        entities: &[
            &super::product::ENTITY,
            &super::order::ENTITY,
            &super::user::ENTITY,
        ],
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
                                    Path::new(
                                        super::order::POSITION,
                                        &[super::order::fields::PRODUCT],
                                        super::product::fields::NAME,
                                    ),
                                    "Product",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::order::POSITION,
                                        super::order::fields::STATE,
                                    ),
                                    "State",
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
                                super::order::fields::PLACED_ON,
                            ),
                            descending: true,
                        },
                    ],
                    filter: &[
                        Path::to_field(
                            super::order::POSITION,
                            super::order::fields::STATE,
                        ),
                    ],
                    search: &[
                        Path::to_field(
                            super::order::POSITION,
                            super::order::fields::NOTE,
                        ),
                    ],
                    empty: Some("Nothing ordered."),
                },
                variants: &[
                    VariantDef {
                        scope: Some(
                            Expr::Compare(
                                Comparison::Ne,
                                &Expr::Path(
                                    Path::to_field(
                                        super::order::POSITION,
                                        super::order::fields::STATE,
                                    ),
                                ),
                                &Expr::EnumValue(
                                    super::order::OrderState::DEF,
                                    super::order::OrderState::SentOff as u16,
                                ),
                            ),
                        ),
                        purpose: Some("To be paid and sent"),
                        hide: &[
                            Path::to_field(
                                super::order::POSITION,
                                super::order::fields::NOTE,
                            ),
                        ],
                        primary: Some(PrimaryButtonDef {
                            surface: 1,
                            via: Some(super::order::fields::PRODUCT),
                        }),
                        ..VariantDef::new(super::roles::CLERK)
                    },
                ],
                ..SurfaceDef::new(
                    "order_list",
                    "Orders",
                    super::order::POSITION,
                    Mode::List,
                )
            },
            &SurfaceDef {
                sections: &[
                    SectionDef {
                        name: "facts",
                        title: Some("Facts"),
                        note: None,
                        body: SectionBody::Fields(
                            &[
                                ColumnDef {
                                    help: Some("As printed on the label"),
                                    ..ColumnDef::new(
                                        Path::to_field(
                                            super::product::POSITION,
                                            super::product::fields::NAME,
                                        ),
                                        "Name",
                                    )
                                },
                                ColumnDef::new(
                                    Path::to_field(
                                        super::product::POSITION,
                                        super::product::fields::PRICE,
                                    ),
                                    "Price",
                                ),
                            ],
                        ),
                    },
                    SectionDef {
                        name: "orders",
                        title: Some("Its orders"),
                        note: None,
                        body: SectionBody::Nested(NestedList {
                            entity: super::order::POSITION,
                            via: Via::Ref(
                                FieldAt::new(
                                    super::order::POSITION,
                                    super::order::fields::PRODUCT,
                                ),
                            ),
                            filter: Some(
                                Expr::Compare(
                                    Comparison::Eq,
                                    &Expr::Path(
                                        Path::to_field(
                                            super::order::POSITION,
                                            super::order::fields::STATE,
                                        ),
                                    ),
                                    &Expr::EnumValue(
                                        super::order::OrderState::DEF,
                                        super::order::OrderState::Open as u16,
                                    ),
                                ),
                            ),
                            columns: &[
                                ColumnDef::new(
                                    Path::to_field(
                                        super::order::POSITION,
                                        super::order::fields::STATE,
                                    ),
                                    "State",
                                ),
                            ],
                        }),
                    },
                ],
                ..SurfaceDef::new(
                    "product_view",
                    "Product",
                    super::product::POSITION,
                    Mode::View,
                )
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
/// Corner shop: the application, ready to be extended and started.
pub fn app() -> ::dz::App {
    ::dz::App::new(&__dz_app::APP)
}
