/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::dz::__private::table! {
        countries(code) {
            code -> Key<super::super::super::super::country::Country>,
            name -> Text,
        }
    }
    ::dz::__private::table! {
        ports(number) {
            number -> Key<super::super::super::super::port::Port>,
            name -> Text,
            country -> Key<super::super::super::super::country::Country>,
            home -> Nullable<Key<super::super::super::super::port::Port>>,
        }
    }
    ::dz::__private::table! {
        vessels(id) {
            id -> Key<super::super::super::super::vessel::Vessel>,
            name -> Text,
            port -> Nullable<Key<super::super::super::super::port::Port>>,
            master -> Key<super::super::super::super::user::User>,
        }
    }
    ::dz::__private::table! {
        licences(id) {
            id -> Key<super::super::super::super::licence::Licence>,
            vessel -> Key<super::super::super::super::vessel::Vessel>,
            issued_by -> Key<super::super::super::super::country::Country>,
        }
    }
    ::dz::__private::table! {
        users(id) {
            id -> Key<super::super::super::super::user::User>,
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
    ::diesel::joinable!(ports -> countries(country));
    ::diesel::joinable!(vessels -> ports(port));
    ::diesel::joinable!(vessels -> users(master));
    ::diesel::joinable!(licences -> vessels(vessel));
    ::diesel::joinable!(licences -> countries(issued_by));
    ::dz::__private::allow_tables_together! {
        ports, countries;
        vessels, ports;
        vessels, users;
        licences, vessels;
        licences, countries;
    }
}
/// Country.
pub mod country {
    ::dz::__private::row! {
        /// A row of `countries`.
        pub struct Country in countries by code: ::dz::Id<super::country::Country> as String, from NewCountry, with CountryChanges {
            0 code: ::dz::Id<super::country::Country> = "Code";
            1 name: String = "Name";
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `countries`; what is `None` gets its default.
        pub struct NewCountry of Country in countries {
            0 code: ::dz::Id<super::country::Country> = "Code";
            1 name: String = "Name";
        } or default {

        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `countries`; what is `None` or `Keep` stays.
        pub struct CountryChanges of Country in countries {
            1 name: Option<String> = "Name";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 0;
    /// The positions of the fields of `Country` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const CODE: u16 = 0;
        pub const NAME: u16 = 1;
    }
    /// The description of `Country`.
    pub static ENTITY: ::dz::__private::def::EntityDef = {
        use ::dz::__private::def::*;
        EntityDef {
            fields: &[
                FieldDef {
                    required: true,
                    ..FieldDef::new("code", "Code", Kind::Str(2))
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new("name", "Name", Kind::Str(80))
                },
            ],
            mark: "C",
            label: LabelDef::new(&[], super::country::fields::NAME, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("read")
                },
            ],
            ..EntityDef::new(
                super::country::POSITION,
                "Country",
                "Country",
                "Countries",
                "countries",
                super::country::fields::CODE,
            )
        }
    };
}
/// Port.
pub mod port {
    ::dz::__private::row! {
        /// A row of `ports`.
        pub struct Port in ports by number: ::dz::Id<super::port::Port> as i64, from NewPort, with PortChanges {
            0 number: ::dz::Id<super::port::Port> = "Number";
            1 name: String = "Name";
            2 country_id: ::dz::Id<super::country::Country> = "Country";
            3 home_id: Option<::dz::Id<super::port::Port>> = "Home";
        }
    }
    impl Port {
        /// Country: the row, if the reference is set and the caller may read the row.
        pub fn country(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::country::Country>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.country_id),
            )
        }
        /// Country: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_countries(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<
            ::std::collections::HashMap<
                ::dz::Id<super::country::Country>,
                super::country::Country,
            >,
        > {
            let keys = rows
                .iter()
                .map(|row| ::core::clone::Clone::clone(&row.country_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::country::Country| ::core::clone::Clone::clone(&row.code),
            )
        }
        /// Home: the row, if the reference is set and the caller may read the row.
        pub fn home(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::port::Port>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.home_id),
            )
        }
        /// Home: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_homes(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<
            ::std::collections::HashMap<::dz::Id<super::port::Port>, super::port::Port>,
        > {
            let keys = rows.iter().map(|row| ::core::clone::Clone::clone(&row.home_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::port::Port| ::core::clone::Clone::clone(&row.number),
            )
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `ports`; what is `None` gets its default.
        pub struct NewPort of Port in ports {
            1 name: String = "Name";
            2 country_id: ::dz::Id<super::country::Country> = "Country";
        } or default {
            0 number: ::dz::Id<super::port::Port> = "Number";
            3 home_id: ::dz::Id<super::port::Port> = "Home";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `ports`; what is `None` or `Keep` stays.
        pub struct PortChanges of Port in ports {
            1 name: Option<String> = "Name";
            2 country_id: Option<::dz::Id<super::country::Country>> = "Country";
            3 home_id: ::dz::Change<::dz::Id<super::port::Port>> = "Home";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 1;
    /// The positions of the fields of `Port` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const NUMBER: u16 = 0;
        pub const NAME: u16 = 1;
        pub const COUNTRY: u16 = 2;
        pub const HOME: u16 = 3;
    }
    /// The description of `Port`.
    pub static ENTITY: ::dz::__private::def::EntityDef = {
        use ::dz::__private::def::*;
        EntityDef {
            fields: &[
                FieldDef {
                    required: true,
                    ..FieldDef::new("number", "Number", Kind::Int)
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new("name", "Name", Kind::Str(60))
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new(
                        "country",
                        "Country",
                        Kind::Ref(super::country::POSITION),
                    )
                },
                FieldDef {
                    on_delete: OnDelete::Nullify,
                    ..FieldDef::new("home", "Home", Kind::Ref(super::port::POSITION))
                },
            ],
            mark: "P",
            label: LabelDef::new(&[], super::port::fields::NAME, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("read")
                },
            ],
            ..EntityDef::new(
                super::port::POSITION,
                "Port",
                "Port",
                "Ports",
                "ports",
                super::port::fields::NUMBER,
            )
        }
    };
}
/// Vessel.
pub mod vessel {
    use ::dz::Uuid;
    ::dz::__private::row! {
        /// A row of `vessels`.
        pub struct Vessel in vessels by id: ::dz::Id<super::vessel::Vessel> as Uuid, from NewVessel, with VesselChanges {
            0 id: ::dz::Id<super::vessel::Vessel> = "Id";
            1 name: String = "Name";
            2 port_id: Option<::dz::Id<super::port::Port>> = "Port";
            3 master_id: ::dz::Id<super::user::User> = "Master";
        }
    }
    impl Vessel {
        /// Restores the soft-deleted row with this key, as the access rules allow; returns the restored row.
        pub fn restore(
            tx: &mut ::dz::Tx<'_>,
            id: ::dz::Id<super::vessel::Vessel>,
        ) -> ::dz::Result<Self> {
            ::dz::__private::typed_rows::restore(tx, id)
        }
        /// Port: the row, if the reference is set and the caller may read the row.
        pub fn port(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::port::Port>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.port_id),
            )
        }
        /// Port: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_ports(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<
            ::std::collections::HashMap<::dz::Id<super::port::Port>, super::port::Port>,
        > {
            let keys = rows.iter().map(|row| ::core::clone::Clone::clone(&row.port_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::port::Port| ::core::clone::Clone::clone(&row.number),
            )
        }
        /// Master: the row, if the reference is set and the caller may read the row.
        pub fn master(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::user::User>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.master_id),
            )
        }
        /// Master: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_masters(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<
            ::std::collections::HashMap<::dz::Id<super::user::User>, super::user::User>,
        > {
            let keys = rows
                .iter()
                .map(|row| ::core::clone::Clone::clone(&row.master_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::user::User| ::core::clone::Clone::clone(&row.id),
            )
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `vessels`; what is `None` gets its default.
        pub struct NewVessel of Vessel in vessels {
            1 name: String = "Name";
        } or default {
            0 id: ::dz::Id<super::vessel::Vessel> = "Id";
            2 port_id: ::dz::Id<super::port::Port> = "Port";
            3 master_id: ::dz::Id<super::user::User> = "Master";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `vessels`; what is `None` or `Keep` stays.
        pub struct VesselChanges of Vessel in vessels {
            1 name: Option<String> = "Name";
            2 port_id: ::dz::Change<::dz::Id<super::port::Port>> = "Port";
            3 master_id: Option<::dz::Id<super::user::User>> = "Master";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 2;
    /// The positions of the fields of `Vessel` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const NAME: u16 = 1;
        pub const PORT: u16 = 2;
        pub const MASTER: u16 = 3;
    }
    /// The description of `Vessel`.
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
                    ..FieldDef::new("name", "Name", Kind::Str(80))
                },
                FieldDef {
                    on_delete: OnDelete::Nullify,
                    ..FieldDef::new("port", "Port", Kind::Ref(super::port::POSITION))
                },
                FieldDef {
                    required: true,
                    default: Some(Expr::CurrentUser),
                    ..FieldDef::new("master", "Master", Kind::Ref(super::user::POSITION))
                },
            ],
            mark: "V",
            label: LabelDef::new(&[], super::vessel::fields::NAME, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("read")
                },
                ActionRule {
                    permit: Some(
                        Expr::And(
                            &[
                                Expr::SignedIn,
                                Expr::Compare(
                                    Comparison::Eq,
                                    &Expr::Path(
                                        Path::to_field(
                                            super::vessel::POSITION,
                                            super::vessel::fields::MASTER,
                                        ),
                                    ),
                                    &Expr::CurrentUser,
                                ),
                            ],
                        ),
                    ),
                    ..ActionRule::new("update")
                },
            ],
            soft_delete: true,
            ..EntityDef::new(
                super::vessel::POSITION,
                "Vessel",
                "Vessel",
                "Vessels",
                "vessels",
                super::vessel::fields::ID,
            )
        }
    };
}
/// Licence.
pub mod licence {
    use ::dz::Uuid;
    ::dz::__private::row! {
        /// A row of `licences`.
        pub struct Licence in licences by id: ::dz::Id<super::licence::Licence> as Uuid, from NewLicence, with LicenceChanges {
            0 id: ::dz::Id<super::licence::Licence> = "Id";
            1 vessel_id: ::dz::Id<super::vessel::Vessel> = "Vessel";
            2 issued_by_id: ::dz::Id<super::country::Country> = "Issued by";
        }
    }
    impl Licence {
        /// Vessel: the row, if the reference is set and the caller may read the row.
        pub fn vessel(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::vessel::Vessel>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.vessel_id),
            )
        }
        /// Vessel: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_vessels(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<
            ::std::collections::HashMap<
                ::dz::Id<super::vessel::Vessel>,
                super::vessel::Vessel,
            >,
        > {
            let keys = rows
                .iter()
                .map(|row| ::core::clone::Clone::clone(&row.vessel_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::vessel::Vessel| ::core::clone::Clone::clone(&row.id),
            )
        }
        /// Issued by: the row, if the reference is set and the caller may read the row.
        pub fn issued_by(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::country::Country>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.issued_by_id),
            )
        }
        /// Issued by: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_issued_bies(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<
            ::std::collections::HashMap<
                ::dz::Id<super::country::Country>,
                super::country::Country,
            >,
        > {
            let keys = rows
                .iter()
                .map(|row| ::core::clone::Clone::clone(&row.issued_by_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::country::Country| ::core::clone::Clone::clone(&row.code),
            )
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `licences`; what is `None` gets its default.
        pub struct NewLicence of Licence in licences {
            1 vessel_id: ::dz::Id<super::vessel::Vessel> = "Vessel";
            2 issued_by_id: ::dz::Id<super::country::Country> = "Issued by";
        } or default {
            0 id: ::dz::Id<super::licence::Licence> = "Id";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `licences`; what is `None` or `Keep` stays.
        pub struct LicenceChanges of Licence in licences {
            1 vessel_id: Option<::dz::Id<super::vessel::Vessel>> = "Vessel";
            2 issued_by_id: Option<::dz::Id<super::country::Country>> = "Issued by";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 3;
    /// The positions of the fields of `Licence` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const VESSEL: u16 = 1;
        pub const ISSUED_BY: u16 = 2;
    }
    /// The description of `Licence`.
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
                    ..FieldDef::new(
                        "vessel",
                        "Vessel",
                        Kind::Ref(super::vessel::POSITION),
                    )
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new(
                        "issued_by",
                        "Issued by",
                        Kind::Ref(super::country::POSITION),
                    )
                },
            ],
            mark: "L",
            rules: &[
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("read")
                },
            ],
            ..EntityDef::new(
                super::licence::POSITION,
                "Licence",
                "Licence",
                "Licences",
                "licences",
                super::licence::fields::ID,
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
        pub struct User in users by id: ::dz::Id<super::user::User> as Uuid, from NewUser, with UserChanges {
            0 id: ::dz::Id<super::user::User> = "Id";
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
            0 id: ::dz::Id<super::user::User> = "Id";
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
    pub const POSITION: u16 = 4;
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
        entities: &[
            &super::country::ENTITY,
            &super::port::ENTITY,
            &super::vessel::ENTITY,
            &super::licence::ENTITY,
            &super::user::ENTITY,
        ],
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
