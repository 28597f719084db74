/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::dz::__private::table! {
        practices(id) {
            id -> Uuid,
            name -> Text,
        }
    }
    ::dz::__private::table! {
        staff(id) {
            id -> Uuid,
            user -> Uuid,
            personas -> Json,
            is_primary -> Bool,
            invited_by -> Nullable<Uuid>,
            invited_at -> DateTime,
            accepted_at -> Nullable<DateTime>,
            practice -> Uuid,
        }
    }
    ::dz::__private::table! {
        visits(id) {
            id -> Uuid,
            patient -> Text,
            vet -> Nullable<Uuid>,
            findings -> Nullable<Text>,
            status -> Text,
            practice -> Uuid,
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
    ::diesel::joinable!(staff -> practices(practice));
    ::diesel::joinable!(visits -> users(vet));
    ::diesel::joinable!(visits -> practices(practice));
    ::dz::__private::allow_tables_together! {
        staff, users;
        staff, practices;
        visits, users;
        visits, practices;
    }
}
/// Practice.
pub mod practice {
    use ::dz::Uuid;
    ::dz::__private::row! {
        /// A row of `practices`.
        pub struct Practice in practices by id: Uuid as Uuid, from NewPractice, with PracticeChanges {
            0 id: Uuid = "Id";
            1 name: String = "Name";
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `practices`; what is `None` gets its default.
        pub struct NewPractice of Practice in practices {
            1 name: String = "Name";
        } or default {
            0 id: Uuid = "Id";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `practices`; what is `None` or `Keep` stays.
        pub struct PracticeChanges of Practice in practices {
            1 name: Option<String> = "Name";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 0;
    /// The positions of the fields of `Practice` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const NAME: u16 = 1;
    }
    /// The description of `Practice`.
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
            ],
            mark: "P",
            label: LabelDef::new(&[], super::practice::fields::NAME, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("list")
                },
                ActionRule {
                    permit: Some(Expr::SignedIn),
                    ..ActionRule::new("read")
                },
            ],
            tenancy: TenancyDef {
                archetype: Some(Archetype::Tenant),
                tenant: None,
                system_roles: true,
            },
            ..EntityDef::new(
                super::practice::POSITION,
                "Practice",
                "Practice",
                "Practices",
                "practices",
                super::practice::fields::ID,
            )
        }
    };
}
/// Staff member.
pub mod staff {
    use ::dz::{DateTime, Json, Utc, Uuid};
    ::dz::__private::row! {
        /// A row of `staff`.
        pub struct Staff in staff by id: Uuid as Uuid, from NewStaff, with StaffChanges {
            0 id: Uuid = "Id";
            1 user_id: Uuid = "User";
            2 personas: Json = "Personas";
            3 is_primary: bool = "Is primary";
            4 invited_by_id: Option<Uuid> = "Invited by";
            5 invited_at: DateTime<Utc> = "Invited at";
            6 accepted_at: Option<DateTime<Utc>> = "Accepted at";
            7 practice_id: Uuid = "Practice";
        }
    }
    impl Staff {
        /// User: the row, if the reference is set and the caller may read the row.
        pub fn user(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::user::User>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.user_id),
            )
        }
        /// User: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_users(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<::std::collections::HashMap<Uuid, super::user::User>> {
            let keys = rows.iter().map(|row| ::core::clone::Clone::clone(&row.user_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::user::User| ::core::clone::Clone::clone(&row.id),
            )
        }
        /// Invited by: the row, if the reference is set and the caller may read the row.
        pub fn invited_by(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::user::User>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.invited_by_id),
            )
        }
        /// Invited by: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_invited_bies(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<::std::collections::HashMap<Uuid, super::user::User>> {
            let keys = rows
                .iter()
                .map(|row| ::core::clone::Clone::clone(&row.invited_by_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::user::User| ::core::clone::Clone::clone(&row.id),
            )
        }
        /// Practice: the row, if the reference is set and the caller may read the row.
        pub fn practice(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::practice::Practice>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.practice_id),
            )
        }
        /// Practice: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_practices(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<::std::collections::HashMap<Uuid, super::practice::Practice>> {
            let keys = rows
                .iter()
                .map(|row| ::core::clone::Clone::clone(&row.practice_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::practice::Practice| ::core::clone::Clone::clone(&row.id),
            )
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `staff`; what is `None` gets its default.
        pub struct NewStaff of Staff in staff {
            1 user_id: Uuid = "User";
        } or default {
            0 id: Uuid = "Id";
            2 personas: Json = "Personas";
            3 is_primary: bool = "Is primary";
            4 invited_by_id: Uuid = "Invited by";
            6 accepted_at: DateTime<Utc> = "Accepted at";
            7 practice_id: Uuid = "Practice";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `staff`; what is `None` or `Keep` stays.
        pub struct StaffChanges of Staff in staff {
            1 user_id: Option<Uuid> = "User";
            2 personas: Option<Json> = "Personas";
            3 is_primary: Option<bool> = "Is primary";
            4 invited_by_id: ::dz::Change<Uuid> = "Invited by";
            6 accepted_at: ::dz::Change<DateTime<Utc>> = "Accepted at";
            7 practice_id: Option<Uuid> = "Practice";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 1;
    /// The positions of the fields of `Staff` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const USER: u16 = 1;
        pub const PERSONAS: u16 = 2;
        pub const IS_PRIMARY: u16 = 3;
        pub const INVITED_BY: u16 = 4;
        pub const INVITED_AT: u16 = 5;
        pub const ACCEPTED_AT: u16 = 6;
        pub const PRACTICE: u16 = 7;
    }
    /// The description of `Staff`.
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
                    ..FieldDef::new("user", "User", Kind::Ref(super::user::POSITION))
                },
                FieldDef {
                    required: true,
                    identity: true,
                    default: Some(Expr::Typed(Type::Json, "[]")),
                    ..FieldDef::new("personas", "Personas", Kind::Json)
                },
                FieldDef {
                    required: true,
                    identity: true,
                    default: Some(Expr::Bool(false)),
                    ..FieldDef::new("is_primary", "Is primary", Kind::Bool)
                },
                FieldDef {
                    identity: true,
                    on_delete: OnDelete::Nullify,
                    ..FieldDef::new(
                        "invited_by",
                        "Invited by",
                        Kind::Ref(super::user::POSITION),
                    )
                },
                FieldDef {
                    required: true,
                    auto: Auto::Add,
                    ..FieldDef::new("invited_at", "Invited at", Kind::DateTime)
                },
                FieldDef::new("accepted_at", "Accepted at", Kind::DateTime),
                FieldDef {
                    required: true,
                    ..FieldDef::new(
                        "practice",
                        "Practice",
                        Kind::Ref(super::practice::POSITION),
                    )
                },
            ],
            mark: "S",
            label: LabelDef::new(&[], super::staff::fields::INVITED_AT, true),
            rules: &[
                ActionRule {
                    permit: Some(Expr::Role(super::roles::ADMIN)),
                    ..ActionRule::new("list")
                },
                ActionRule {
                    permit: Some(Expr::Role(super::roles::ADMIN)),
                    ..ActionRule::new("read")
                },
                ActionRule {
                    permit: Some(Expr::Role(super::roles::ADMIN)),
                    ..ActionRule::new("create")
                },
                ActionRule {
                    permit: Some(Expr::Role(super::roles::ADMIN)),
                    ..ActionRule::new("update")
                },
                ActionRule {
                    permit: Some(Expr::Role(super::roles::ADMIN)),
                    ..ActionRule::new("delete")
                },
            ],
            indexes: &[
                IndexDef {
                    columns: &[
                        IndexColumn {
                            field: super::staff::fields::PRACTICE,
                            descending: false,
                        },
                        IndexColumn {
                            field: super::staff::fields::USER,
                            descending: false,
                        },
                    ],
                    unique: true,
                    rows: None,
                },
            ],
            tenancy: TenancyDef {
                archetype: Some(Archetype::UserMembership),
                tenant: Some(super::staff::fields::PRACTICE),
                system_roles: true,
            },
            ..EntityDef::new(
                super::staff::POSITION,
                "Staff",
                "Staff member",
                "Staff members",
                "staff",
                super::staff::fields::ID,
            )
        }
    };
}
/// Visit.
pub mod visit {
    use ::dz::Uuid;
    ::dz::__private::enumeration! {
        /// The values of `VisitStatus`.
        pub enum VisitStatus("VisitStatus", ordered = false) {
            Booked = "booked", "Booked";
            Seen = "seen", "Seen";
            Billed = "billed", "Billed";
            Missed = "missed", "Missed";
        }
    }
    impl super::visit::VisitStatus {
        /// The states to which the declaration has a transition from this one. Roles and guards are checked when a transition is made.
        pub fn successors(self) -> &'static [super::visit::VisitStatus] {
            let self_ = self;
            match self_ {
                super::visit::VisitStatus::Booked => {
                    &[super::visit::VisitStatus::Seen, super::visit::VisitStatus::Missed]
                }
                super::visit::VisitStatus::Seen => &[super::visit::VisitStatus::Billed],
                super::visit::VisitStatus::Billed => &[],
                super::visit::VisitStatus::Missed => &[],
            }
        }
        /// True if the declaration has a transition from this state to the other.
        pub fn can_become(
            self,
            other: super::visit::VisitStatus,
        ) -> ::core::primitive::bool {
            self.successors().contains(&other)
        }
    }
    ::dz::__private::row! {
        /// A row of `visits`.
        pub struct Visit in visits by id: Uuid as Uuid, from NewVisit, with VisitChanges {
            0 id: Uuid = "Id";
            1 patient: String = "Patient";
            2 vet_id: Option<Uuid> = "Vet";
            3 findings: Option<String> = "Findings";
            4 status: VisitStatus = "Status";
            5 practice_id: Uuid = "Practice";
        }
    }
    impl Visit {
        /// Makes a transition to another state, as the declaration and the access rules allow; returns the row after it.
        pub fn transition(
            &self,
            tx: &mut ::dz::Tx<'_>,
            to: VisitStatus,
        ) -> ::dz::Result<Self> {
            ::dz::__private::typed_rows::transition(tx, self, to)
        }
        /// Makes a transition and changes fields in the same write, with the access rule of the transition.
        pub fn transition_with(
            &self,
            tx: &mut ::dz::Tx<'_>,
            to: VisitStatus,
            changes: VisitChanges,
        ) -> ::dz::Result<Self> {
            ::dz::__private::typed_rows::transition_with(tx, self, to, changes)
        }
        /// Restores the soft-deleted row with this key, as the access rules allow; returns the restored row.
        pub fn restore(tx: &mut ::dz::Tx<'_>, id: Uuid) -> ::dz::Result<Self> {
            ::dz::__private::typed_rows::restore(tx, id)
        }
        /// Vet: the row, if the reference is set and the caller may read the row.
        pub fn vet(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::user::User>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.vet_id),
            )
        }
        /// Vet: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_vets(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<::std::collections::HashMap<Uuid, super::user::User>> {
            let keys = rows.iter().map(|row| ::core::clone::Clone::clone(&row.vet_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::user::User| ::core::clone::Clone::clone(&row.id),
            )
        }
        /// Practice: the row, if the reference is set and the caller may read the row.
        pub fn practice(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<Option<super::practice::Practice>> {
            ::dz::__private::typed_rows::reference(
                tx,
                ::core::clone::Clone::clone(&self.practice_id),
            )
        }
        /// Practice: the rows of many rows by key, in one statement, as far as the caller may read them.
        pub fn load_practices(
            tx: &mut ::dz::Tx<'_>,
            rows: &[Self],
        ) -> ::dz::Result<::std::collections::HashMap<Uuid, super::practice::Practice>> {
            let keys = rows
                .iter()
                .map(|row| ::core::clone::Clone::clone(&row.practice_id));
            ::dz::__private::typed_rows::references(
                tx,
                keys,
                |row: &super::practice::Practice| ::core::clone::Clone::clone(&row.id),
            )
        }
    }
    ::dz::__private::new_row! {
        /// A new row of `visits`; what is `None` gets its default.
        pub struct NewVisit of Visit in visits {
            1 patient: String = "Patient";
        } or default {
            0 id: Uuid = "Id";
            2 vet_id: Uuid = "Vet";
            3 findings: String = "Findings";
            4 status: VisitStatus = "Status";
            5 practice_id: Uuid = "Practice";
        }
    }
    ::dz::__private::changes! {
        /// Changes to a row of `visits`; what is `None` or `Keep` stays.
        pub struct VisitChanges of Visit in visits {
            1 patient: Option<String> = "Patient";
            2 vet_id: ::dz::Change<Uuid> = "Vet";
            3 findings: ::dz::Change<String> = "Findings";
            4 status: Option<VisitStatus> = "Status";
            5 practice_id: Option<Uuid> = "Practice";
        }
    }
    /// The position of the entity in the description of the application.
    #[allow(dead_code)]
    pub const POSITION: u16 = 2;
    /// The positions of the fields of `Visit` in its description.
    #[allow(missing_docs, dead_code)]
    pub mod fields {
        pub const ID: u16 = 0;
        pub const PATIENT: u16 = 1;
        pub const VET: u16 = 2;
        pub const FINDINGS: u16 = 3;
        pub const STATUS: u16 = 4;
        pub const PRACTICE: u16 = 5;
    }
    /// The description of `Visit`.
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
                    ..FieldDef::new("patient", "Patient", Kind::Str(80))
                },
                FieldDef {
                    on_delete: OnDelete::Nullify,
                    ..FieldDef::new("vet", "Vet", Kind::Ref(super::user::POSITION))
                },
                FieldDef::new("findings", "Findings", Kind::Text),
                FieldDef {
                    required: true,
                    default: Some(
                        Expr::EnumValue(
                            super::visit::VisitStatus::DEF,
                            super::visit::VisitStatus::Booked as u16,
                        ),
                    ),
                    stages: &[
                        Stage::Start,
                        Stage::Half,
                        Stage::Succeeded,
                        Stage::Failed,
                    ],
                    ..FieldDef::new(
                        "status",
                        "Status",
                        Kind::Enum(super::visit::VisitStatus::DEF),
                    )
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new(
                        "practice",
                        "Practice",
                        Kind::Ref(super::practice::POSITION),
                    )
                },
            ],
            mark: "V",
            label: LabelDef::new(&[], super::visit::fields::PATIENT, false),
            rules: &[
                ActionRule {
                    permit: Some(Expr::Role(super::roles::VET | super::roles::DESK)),
                    ..ActionRule::new("list")
                },
                ActionRule {
                    permit: Some(Expr::Role(super::roles::VET | super::roles::DESK)),
                    ..ActionRule::new("read")
                },
                ActionRule {
                    permit: Some(Expr::Role(super::roles::DESK)),
                    ..ActionRule::new("create")
                },
                ActionRule {
                    permit: Some(Expr::Role(super::roles::VET | super::roles::DESK)),
                    scope: Some(
                        Expr::Or(
                            &[
                                Expr::Compare(
                                    Comparison::Eq,
                                    &Expr::Path(
                                        Path::to_field(
                                            super::visit::POSITION,
                                            super::visit::fields::VET,
                                        ),
                                    ),
                                    &Expr::CurrentUser,
                                ),
                                Expr::Role(super::roles::DESK),
                            ],
                        ),
                    ),
                    ..ActionRule::new("update")
                },
            ],
            states: Some(
                &StatesDef {
                    field: super::visit::fields::STATUS,
                    initial: super::visit::VisitStatus::Booked as u16,
                    rows: &[
                        TransitionDef {
                            label: None,
                            roles: super::roles::VET,
                            requires: &[super::visit::fields::FINDINGS],
                            guard: None,
                            after: None,
                            manual: true,
                            message: None,
                        },
                        TransitionDef {
                            label: None,
                            roles: super::roles::DESK,
                            requires: &[],
                            guard: None,
                            after: None,
                            manual: true,
                            message: None,
                        },
                        TransitionDef {
                            label: None,
                            roles: 0,
                            requires: &[],
                            guard: None,
                            after: Some(Delay {
                                months: 0,
                                seconds: 172800,
                            }),
                            manual: false,
                            message: None,
                        },
                    ],
                    transitions: &[
                        (
                            super::visit::VisitStatus::Booked as u16,
                            super::visit::VisitStatus::Seen as u16,
                            0,
                        ),
                        (
                            super::visit::VisitStatus::Booked as u16,
                            super::visit::VisitStatus::Missed as u16,
                            2,
                        ),
                        (
                            super::visit::VisitStatus::Seen as u16,
                            super::visit::VisitStatus::Billed as u16,
                            1,
                        ),
                    ],
                },
            ),
            soft_delete: true,
            tenancy: TenancyDef {
                archetype: None,
                tenant: Some(super::visit::fields::PRACTICE),
                system_roles: false,
            },
            ..EntityDef::new(
                super::visit::POSITION,
                "Visit",
                "Visit",
                "Visits",
                "visits",
                super::visit::fields::ID,
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
    pub const POSITION: u16 = 3;
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
            tenancy: TenancyDef {
                archetype: None,
                tenant: None,
                system_roles: true,
            },
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
    roles: Vet VET "vet" "Vet" = 0;
    Desk DESK "desk" "Front desk" = 1;
    Admin ADMIN "admin" "Admin" = 2;
    TenantAdmin TENANT_ADMIN "tenant_admin" "Tenant admin" = 3;
}
mod __dz_app {
    use ::dz::__private::def::*;
    const _: () = ::dz::__private::VERSION_0_1_0;
    pub(super) static APP: AppDef = AppDef {
        name: "clinic",
        title: "Clinic",
        description: None,
        timezone: "UTC",
        locale: "en",
        languages: LanguagesDef::new(&[]),
        hue: 262,
        theme: ThemeDef::DEFAULT,
        engine: ::dz::__private::engine(Some("sqlite")),
        roles: &[
            RoleDef {
                name: "vet",
                title: "Vet",
                declared: true,
                start: None,
            },
            RoleDef {
                name: "desk",
                title: "Front desk",
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
            &super::practice::ENTITY,
            &super::staff::ENTITY,
            &super::visit::ENTITY,
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
                                    Path::to_field(
                                        super::practice::POSITION,
                                        super::practice::fields::NAME,
                                    ),
                                    "Name",
                                ),
                            ],
                        ),
                    },
                ],
                ux: ListUx {
                    sort: &[
                        SortDef {
                            path: Path::to_field(
                                super::practice::POSITION,
                                super::practice::fields::NAME,
                            ),
                            descending: false,
                        },
                    ],
                    filter: &[],
                    search: &[
                        Path::to_field(
                            super::practice::POSITION,
                            super::practice::fields::NAME,
                        ),
                    ],
                    empty: None,
                },
                place: PlaceDef {
                    route: Some("/admin/tenants"),
                    audience: Audience::SystemAdmin,
                },
                priority: Priority::Low,
                ..SurfaceDef::new(
                    "practice_admin",
                    "Practices",
                    super::practice::POSITION,
                    Mode::List,
                )
            },
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
                                        super::staff::POSITION,
                                        super::staff::fields::USER,
                                    ),
                                    "User",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::PERSONAS,
                                    ),
                                    "Personas",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::IS_PRIMARY,
                                    ),
                                    "Is primary",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::PRACTICE,
                                    ),
                                    "Practice",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::INVITED_BY,
                                    ),
                                    "Invited by",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::INVITED_AT,
                                    ),
                                    "Invited at",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::ACCEPTED_AT,
                                    ),
                                    "Accepted at",
                                ),
                            ],
                        ),
                    },
                ],
                ux: ListUx {
                    sort: &[
                        SortDef {
                            path: Path::to_field(
                                super::staff::POSITION,
                                super::staff::fields::INVITED_AT,
                            ),
                            descending: true,
                        },
                    ],
                    filter: &[
                        Path::to_field(
                            super::staff::POSITION,
                            super::staff::fields::USER,
                        ),
                    ],
                    search: &[],
                    empty: None,
                },
                place: PlaceDef {
                    route: None,
                    audience: Audience::SystemAdmin,
                },
                priority: Priority::Low,
                ..SurfaceDef::new(
                    "user_membership_list",
                    "Staff members",
                    super::staff::POSITION,
                    Mode::List,
                )
            },
            &SurfaceDef {
                sections: &[
                    SectionDef {
                        name: "main",
                        title: None,
                        note: None,
                        body: SectionBody::Fields(
                            &[
                                ColumnDef {
                                    read_only: true,
                                    ..ColumnDef::new(
                                        Path::to_field(
                                            super::staff::POSITION,
                                            super::staff::fields::USER,
                                        ),
                                        "User",
                                    )
                                },
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::PERSONAS,
                                    ),
                                    "Personas",
                                ),
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::IS_PRIMARY,
                                    ),
                                    "Is primary",
                                ),
                            ],
                        ),
                    },
                    SectionDef {
                        name: "invitation",
                        title: Some("Invitation"),
                        note: None,
                        body: SectionBody::Fields(
                            &[
                                ColumnDef {
                                    read_only: true,
                                    ..ColumnDef::new(
                                        Path::to_field(
                                            super::staff::POSITION,
                                            super::staff::fields::INVITED_BY,
                                        ),
                                        "Invited by",
                                    )
                                },
                                ColumnDef::new(
                                    Path::to_field(
                                        super::staff::POSITION,
                                        super::staff::fields::ACCEPTED_AT,
                                    ),
                                    "Accepted at",
                                ),
                            ],
                        ),
                    },
                ],
                place: PlaceDef {
                    route: None,
                    audience: Audience::SystemAdmin,
                },
                priority: Priority::Low,
                ..SurfaceDef::new(
                    "user_membership_edit",
                    "Edit staff member",
                    super::staff::POSITION,
                    Mode::Edit,
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
/// Clinic: the application, ready to be extended and started.
pub fn app() -> ::dz::App {
    ::dz::App::new(&__dz_app::APP)
}
