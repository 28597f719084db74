/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::dz::__private::table! {
        products(id) { id -> ::dz::sql_types::Uuid, name -> ::dz::sql_types::Text, size
        -> ::dz::sql_types::Text, price -> ::dz::sql_types::Decimal < 8, 2 >, }
    }
    ::dz::__private::table! {
        orders(id) { id -> ::dz::sql_types::Uuid, product -> ::dz::sql_types::Uuid, buyer
        -> ::dz::sql_types::Uuid, state -> ::dz::sql_types::Text, note ->
        ::diesel::sql_types::Nullable < ::dz::sql_types::Text >, placed_on ->
        ::dz::sql_types::Date, }
    }
    ::dz::__private::table! {
        users(id) { id -> ::dz::sql_types::Uuid, email -> ::dz::sql_types::Text, name ->
        ::diesel::sql_types::Nullable < ::dz::sql_types::Text >, email_verified ->
        ::dz::sql_types::Bool, is_active -> ::dz::sql_types::Bool, last_login ->
        ::diesel::sql_types::Nullable < ::dz::sql_types::DateTime >, auth_provider ->
        ::dz::sql_types::Text, auth_provider_id -> ::diesel::sql_types::Nullable <
        ::dz::sql_types::Text >, created_at -> ::dz::sql_types::DateTime, }
    }
    ::diesel::joinable!(orders -> products(product));
    ::diesel::joinable!(orders -> users(buyer));
    ::dz::__private::tables_stand_together! {
        orders, products; orders, users;
    }
}
/// The enumerations that are declared on their own.
pub mod enums {
    ::dz::__private::enumeration! {
        #[doc = " Size"] pub enum Size("Size", ordered = true) { Small = "small",
        "Small"; Large = "large", "Large"; }
    }
}
/// Product: What the shelves hold
pub mod product {
    /// A row of `products`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::diesel::Queryable,
        ::diesel::Selectable,
        ::diesel::Identifiable,
        ::dz::__private::serde::Serialize,
    )]
    #[diesel(table_name = super::schema::products, primary_key(id))]
    #[serde(crate = "::dz::__private::serde")]
    pub struct Product {
        /// Id.
        pub id: ::dz::Uuid,
        /// Name.
        pub name: ::std::string::String,
        /// Size.
        pub size: super::enums::Size,
        /// Price.
        pub price: ::dz::Decimal,
    }
    impl Product {
        /// The row with this key, when the caller may read it; else 404.
        pub fn find(tx: &mut ::dz::Tx<'_>, id: ::dz::Uuid) -> ::dz::Result<Self> {
            ::dz::__private::entity::find(tx, id)
        }
        /// Changes the row as the access rules allow; gives the row as it is then.
        pub fn update(
            &self,
            tx: &mut ::dz::Tx<'_>,
            changes: ProductChanges,
        ) -> ::dz::Result<Self> {
            ::dz::__private::entity::update(tx, self, changes)
        }
        /// Orders: rows that the caller may list.
        pub fn orders(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<::std::vec::Vec<super::order::Order>> {
            ::dz::__private::entity::children(tx, self, 1u16)
        }
        /// Ordered, computed now.
        pub fn ordered(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<::core::option::Option<::core::primitive::i64>> {
            ::dz::__private::entity::computed(tx, self, 5u16)
        }
        /// Dear, computed now.
        pub fn dear(
            &self,
            tx: &mut ::dz::Tx<'_>,
        ) -> ::dz::Result<::core::option::Option<::core::primitive::bool>> {
            ::dz::__private::entity::computed(tx, self, 6u16)
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
            ::diesel::dsl::Filter<super::schema::products::table, ::dz::RowCondition>,
        >,
    > {
        ::dz::__private::scoped(tx, super::schema::products::table, &ENTITY, action)
    }
    impl ::dz::Entity for Product {
        type New = NewProduct;
        type Changes = ProductChanges;
        const DEF: &'static ::dz::__private::def::EntityDef = &ENTITY;
        fn from_row(mut row: ::dz::__private::Row) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(Product {
                id: row.take(0u16)?,
                name: row.take(1u16)?,
                size: row.take(2u16)?,
                price: row.take(3u16)?,
            })
        }
        fn key(&self) -> ::dz::Value {
            ::dz::__private::IntoValue::into_value(::core::clone::Clone::clone(&self.id))
        }
    }
    /// A new row of `products`; what is `None` gets its default.
    #[derive(Debug, Clone, PartialEq)]
    pub struct NewProduct {
        /// Id.
        pub id: ::core::option::Option<::dz::Uuid>,
        /// Name.
        pub name: ::std::string::String,
        /// Size.
        pub size: ::core::option::Option<super::enums::Size>,
        /// Price.
        pub price: ::core::option::Option<::dz::Decimal>,
    }
    impl NewProduct {
        /// With what is required; everything else gets its default.
        #[allow(clippy::too_many_arguments)]
        pub fn new(name: impl ::core::convert::Into<::std::string::String>) -> Self {
            let name = name.into();
            NewProduct {
                id: ::core::option::Option::None,
                name,
                size: ::core::option::Option::None,
                price: ::core::option::Option::None,
            }
        }
        /// Makes the row as the access rules allow.
        pub fn create(self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Product> {
            ::dz::__private::entity::create(tx, self)
        }
    }
    impl ::dz::Draft for NewProduct {
        fn into_given(self) -> ::dz::__private::Given {
            let mut given = ::dz::__private::Given::default();
            given.maybe(0u16, self.id);
            given.set(1u16, self.name);
            given.maybe(2u16, self.size);
            given.maybe(3u16, self.price);
            given
        }
        #[allow(unused_mut)]
        fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(NewProduct {
                id: given.optional(0u16)?,
                name: given.required(1u16)?,
                size: given.optional(2u16)?,
                price: given.optional(3u16)?,
            })
        }
    }
    impl ::diesel::Insertable<super::schema::products::table> for NewProduct {
        type Values = <(
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::products::id,
                    ::dz::sql_types::Sql<::dz::Uuid>,
                >,
            >,
            ::diesel::dsl::Eq<
                super::schema::products::name,
                ::dz::sql_types::Sql<::std::string::String>,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::products::size,
                    ::dz::sql_types::Sql<super::enums::Size>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::products::price,
                    ::dz::sql_types::Sql<::dz::Decimal>,
                >,
            >,
        ) as ::diesel::Insertable<super::schema::products::table>>::Values;
        fn values(self) -> Self::Values {
            ::diesel::Insertable::<
                super::schema::products::table,
            >::values((
                self
                    .id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::products::id,
                        ::dz::sql_types::Sql(value),
                    )),
                ::diesel::ExpressionMethods::eq(
                    super::schema::products::name,
                    ::dz::sql_types::Sql(self.name),
                ),
                self
                    .size
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::products::size,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .price
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::products::price,
                        ::dz::sql_types::Sql(value),
                    )),
            ))
        }
    }
    /// Changes to a row of `products`; what is `None` stays.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct ProductChanges {
        /// Name.
        pub name: ::core::option::Option<::std::string::String>,
        /// Size.
        pub size: ::core::option::Option<super::enums::Size>,
        /// Price.
        pub price: ::core::option::Option<::dz::Decimal>,
    }
    impl ::dz::Draft for ProductChanges {
        fn into_given(self) -> ::dz::__private::Given {
            let mut given = ::dz::__private::Given::default();
            given.maybe(1u16, self.name);
            given.maybe(2u16, self.size);
            given.maybe(3u16, self.price);
            given
        }
        #[allow(unused_mut, unused_variables)]
        fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(ProductChanges {
                name: given.optional(1u16)?,
                size: given.optional(2u16)?,
                price: given.optional(3u16)?,
            })
        }
    }
    impl ::diesel::AsChangeset for ProductChanges {
        type Target = super::schema::products::table;
        type Changeset = <(
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::products::name,
                    ::dz::sql_types::Sql<::std::string::String>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::products::size,
                    ::dz::sql_types::Sql<super::enums::Size>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::products::price,
                    ::dz::sql_types::Sql<::dz::Decimal>,
                >,
            >,
        ) as ::diesel::AsChangeset>::Changeset;
        fn as_changeset(self) -> Self::Changeset {
            ::diesel::AsChangeset::as_changeset((
                self
                    .name
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::products::name,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .size
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::products::size,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .price
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::products::price,
                        ::dz::sql_types::Sql(value),
                    )),
            ))
        }
    }
    /// What dz knows of `Product`.
    pub static ENTITY: ::dz::__private::def::EntityDef = {
        use ::dz::__private::def::*;
        EntityDef {
            ix: 0u16,
            name: "Product",
            title: "Product",
            title_plural: "Products",
            table: "products",
            intent: ::core::option::Option::Some("What the shelves hold"),
            fields: &[
                FieldDef {
                    required: true,
                    ..FieldDef::new("id", "Id", Kind::Uuid)
                },
                FieldDef {
                    required: true,
                    unique: true,
                    searchable: true,
                    ..FieldDef::new("name", "Name", Kind::Str(80u32))
                },
                FieldDef {
                    required: true,
                    default: ::core::option::Option::Some(
                        Expr::EnumValue(super::enums::Size::DEF, 0u16),
                    ),
                    ..FieldDef::new("size", "Size", Kind::Enum(super::enums::Size::DEF))
                },
                FieldDef {
                    required: true,
                    default: ::core::option::Option::Some(Expr::Int(0i64)),
                    ..FieldDef::new(
                        "price",
                        "Price",
                        Kind::Decimal {
                            precision: 8u8,
                            scale: 2u8,
                        },
                    )
                },
                FieldDef::new(
                    "orders",
                    "Orders",
                    Kind::HasMany {
                        entity: 1u16,
                        via: 1u16,
                    },
                ),
                FieldDef {
                    computed: ::core::option::Option::Some(
                        &Expr::Aggregate {
                            kind: Aggregate::Count,
                            relation: 4u16,
                            value: ::core::option::Option::None,
                            condition: ::core::option::Option::Some(
                                &Expr::Compare(
                                    Cmp::Eq,
                                    &Expr::Path(Path {
                                        from: 1u16,
                                        hops: &[],
                                        field: 3u16,
                                    }),
                                    &Expr::EnumValue(super::order::OrderState::DEF, 1u16),
                                ),
                            ),
                        },
                    ),
                    ..FieldDef::new("ordered", "Ordered", Kind::Int)
                },
                FieldDef {
                    computed: ::core::option::Option::Some(
                        &Expr::Compare(
                            Cmp::Gt,
                            &Expr::Path(Path {
                                from: 0u16,
                                hops: &[],
                                field: 3u16,
                            }),
                            &Expr::Int(100i64),
                        ),
                    ),
                    ..FieldDef::new("dear", "Dear", Kind::Bool)
                },
            ],
            pk: 0u16,
            label: ::core::option::Option::Some(1u16),
            rules: &[
                ActionRule {
                    action: "read",
                    permit: ::core::option::Option::Some(Expr::Anyone),
                    scope: ::core::option::Option::None,
                    forbid: ::core::option::Option::None,
                },
                ActionRule {
                    action: "write",
                    permit: ::core::option::Option::Some(Expr::Role(1u64)),
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
/// Order.
pub mod order {
    ::dz::__private::enumeration! {
        #[doc = " The values of `OrderState`."] pub enum OrderState("OrderState", ordered
        = false) { Open = "open", "Open"; Paid = "paid", "Paid"; SentOff = "sent off",
        "Sent off"; }
    }
    /// A row of `orders`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::diesel::Queryable,
        ::diesel::Selectable,
        ::diesel::Identifiable,
        ::dz::__private::serde::Serialize,
    )]
    #[diesel(table_name = super::schema::orders, primary_key(id))]
    #[serde(crate = "::dz::__private::serde")]
    pub struct Order {
        /// Id.
        pub id: ::dz::Uuid,
        /// Product.
        #[diesel(column_name = product)]
        #[serde(rename = "product")]
        pub product_id: ::dz::Uuid,
        /// Buyer.
        #[diesel(column_name = buyer)]
        #[serde(rename = "buyer")]
        pub buyer_id: ::dz::Uuid,
        /// State.
        pub state: super::order::OrderState,
        /// Note.
        pub note: ::core::option::Option<::std::string::String>,
        /// Placed on.
        pub placed_on: ::dz::NaiveDate,
    }
    impl Order {
        /// The row with this key, when the caller may read it; else 404.
        pub fn find(tx: &mut ::dz::Tx<'_>, id: ::dz::Uuid) -> ::dz::Result<Self> {
            ::dz::__private::entity::find(tx, id)
        }
        /// Changes the row as the access rules allow; gives the row as it is then.
        pub fn update(
            &self,
            tx: &mut ::dz::Tx<'_>,
            changes: OrderChanges,
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
            ::diesel::dsl::Filter<super::schema::orders::table, ::dz::RowCondition>,
        >,
    > {
        ::dz::__private::scoped(tx, super::schema::orders::table, &ENTITY, action)
    }
    impl ::dz::Entity for Order {
        type New = NewOrder;
        type Changes = OrderChanges;
        const DEF: &'static ::dz::__private::def::EntityDef = &ENTITY;
        fn from_row(mut row: ::dz::__private::Row) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(Order {
                id: row.take(0u16)?,
                product_id: row.take(1u16)?,
                buyer_id: row.take(2u16)?,
                state: row.take(3u16)?,
                note: row.take(4u16)?,
                placed_on: row.take(5u16)?,
            })
        }
        fn key(&self) -> ::dz::Value {
            ::dz::__private::IntoValue::into_value(::core::clone::Clone::clone(&self.id))
        }
    }
    /// A new row of `orders`; what is `None` gets its default.
    #[derive(Debug, Clone, PartialEq)]
    pub struct NewOrder {
        /// Id.
        pub id: ::core::option::Option<::dz::Uuid>,
        /// Product.
        pub product_id: ::dz::Uuid,
        /// Buyer.
        pub buyer_id: ::core::option::Option<::dz::Uuid>,
        /// State.
        pub state: ::core::option::Option<super::order::OrderState>,
        /// Note.
        pub note: ::core::option::Option<::std::string::String>,
    }
    impl NewOrder {
        /// With what is required; everything else gets its default.
        #[allow(clippy::too_many_arguments)]
        pub fn new(product_id: impl ::core::convert::Into<::dz::Uuid>) -> Self {
            let product_id = product_id.into();
            NewOrder {
                id: ::core::option::Option::None,
                product_id,
                buyer_id: ::core::option::Option::None,
                state: ::core::option::Option::None,
                note: ::core::option::Option::None,
            }
        }
        /// Makes the row as the access rules allow.
        pub fn create(self, tx: &mut ::dz::Tx<'_>) -> ::dz::Result<Order> {
            ::dz::__private::entity::create(tx, self)
        }
    }
    impl ::dz::Draft for NewOrder {
        fn into_given(self) -> ::dz::__private::Given {
            let mut given = ::dz::__private::Given::default();
            given.maybe(0u16, self.id);
            given.set(1u16, self.product_id);
            given.maybe(2u16, self.buyer_id);
            given.maybe(3u16, self.state);
            given.maybe(4u16, self.note);
            given
        }
        #[allow(unused_mut)]
        fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(NewOrder {
                id: given.optional(0u16)?,
                product_id: given.required(1u16)?,
                buyer_id: given.optional(2u16)?,
                state: given.optional(3u16)?,
                note: given.optional(4u16)?,
            })
        }
    }
    impl ::diesel::Insertable<super::schema::orders::table> for NewOrder {
        type Values = <(
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::orders::id,
                    ::dz::sql_types::Sql<::dz::Uuid>,
                >,
            >,
            ::diesel::dsl::Eq<
                super::schema::orders::product,
                ::dz::sql_types::Sql<::dz::Uuid>,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::orders::buyer,
                    ::dz::sql_types::Sql<::dz::Uuid>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::orders::state,
                    ::dz::sql_types::Sql<super::order::OrderState>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::orders::note,
                    ::dz::sql_types::Sql<::core::option::Option<::std::string::String>>,
                >,
            >,
        ) as ::diesel::Insertable<super::schema::orders::table>>::Values;
        fn values(self) -> Self::Values {
            ::diesel::Insertable::<
                super::schema::orders::table,
            >::values((
                self
                    .id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::orders::id,
                        ::dz::sql_types::Sql(value),
                    )),
                ::diesel::ExpressionMethods::eq(
                    super::schema::orders::product,
                    ::dz::sql_types::Sql(self.product_id),
                ),
                self
                    .buyer_id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::orders::buyer,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .state
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::orders::state,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .note
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::orders::note,
                        ::dz::sql_types::Sql(::core::option::Option::Some(value)),
                    )),
            ))
        }
    }
    /// Changes to a row of `orders`; what is `None` stays.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct OrderChanges {
        /// Product.
        pub product_id: ::core::option::Option<::dz::Uuid>,
        /// Buyer.
        pub buyer_id: ::core::option::Option<::dz::Uuid>,
        /// State.
        pub state: ::core::option::Option<super::order::OrderState>,
        /// Note.
        pub note: ::core::option::Option<::core::option::Option<::std::string::String>>,
    }
    impl ::dz::Draft for OrderChanges {
        fn into_given(self) -> ::dz::__private::Given {
            let mut given = ::dz::__private::Given::default();
            given.maybe(1u16, self.product_id);
            given.maybe(2u16, self.buyer_id);
            given.maybe(3u16, self.state);
            given.maybe(4u16, self.note);
            given
        }
        #[allow(unused_mut, unused_variables)]
        fn from_given(mut given: ::dz::__private::Given) -> ::dz::Result<Self> {
            ::core::result::Result::Ok(OrderChanges {
                product_id: given.optional(1u16)?,
                buyer_id: given.optional(2u16)?,
                state: given.optional(3u16)?,
                note: given.optional(4u16)?,
            })
        }
    }
    impl ::diesel::AsChangeset for OrderChanges {
        type Target = super::schema::orders::table;
        type Changeset = <(
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::orders::product,
                    ::dz::sql_types::Sql<::dz::Uuid>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::orders::buyer,
                    ::dz::sql_types::Sql<::dz::Uuid>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::orders::state,
                    ::dz::sql_types::Sql<super::order::OrderState>,
                >,
            >,
            ::core::option::Option<
                ::diesel::dsl::Eq<
                    super::schema::orders::note,
                    ::dz::sql_types::Sql<::core::option::Option<::std::string::String>>,
                >,
            >,
        ) as ::diesel::AsChangeset>::Changeset;
        fn as_changeset(self) -> Self::Changeset {
            ::diesel::AsChangeset::as_changeset((
                self
                    .product_id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::orders::product,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .buyer_id
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::orders::buyer,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .state
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::orders::state,
                        ::dz::sql_types::Sql(value),
                    )),
                self
                    .note
                    .map(|value| ::diesel::ExpressionMethods::eq(
                        super::schema::orders::note,
                        ::dz::sql_types::Sql(value),
                    )),
            ))
        }
    }
    /// What dz knows of `Order`.
    pub static ENTITY: ::dz::__private::def::EntityDef = {
        use ::dz::__private::def::*;
        EntityDef {
            ix: 1u16,
            name: "Order",
            title: "Order",
            title_plural: "Orders",
            table: "orders",
            intent: ::core::option::Option::None,
            fields: &[
                FieldDef {
                    required: true,
                    ..FieldDef::new("id", "Id", Kind::Uuid)
                },
                FieldDef {
                    required: true,
                    ..FieldDef::new("product", "Product", Kind::Ref(0u16))
                },
                FieldDef {
                    required: true,
                    default: ::core::option::Option::Some(Expr::CurrentUser),
                    ..FieldDef::new("buyer", "Buyer", Kind::Ref(2u16))
                },
                FieldDef {
                    required: true,
                    default: ::core::option::Option::Some(
                        Expr::EnumValue(super::order::OrderState::DEF, 0u16),
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
            pk: 0u16,
            label: ::core::option::Option::None,
            rules: &[
                ActionRule {
                    action: "read",
                    permit: ::core::option::Option::Some(
                        Expr::And(
                            &[
                                Expr::SignedIn,
                                Expr::Or(
                                    &[
                                        Expr::Role(1u64),
                                        Expr::Compare(
                                            Cmp::Eq,
                                            &Expr::Path(Path {
                                                from: 1u16,
                                                hops: &[],
                                                field: 2u16,
                                            }),
                                            &Expr::CurrentUser,
                                        ),
                                    ],
                                ),
                            ],
                        ),
                    ),
                    scope: ::core::option::Option::None,
                    forbid: ::core::option::Option::None,
                },
                ActionRule {
                    action: "create",
                    permit: ::core::option::Option::Some(Expr::SignedIn),
                    scope: ::core::option::Option::None,
                    forbid: ::core::option::Option::None,
                },
                ActionRule {
                    action: "update",
                    permit: ::core::option::Option::Some(
                        Expr::And(
                            &[
                                Expr::SignedIn,
                                Expr::And(
                                    &[
                                        Expr::Role(1u64),
                                        Expr::Compare(
                                            Cmp::Ne,
                                            &Expr::Path(Path {
                                                from: 1u16,
                                                hops: &[],
                                                field: 3u16,
                                            }),
                                            &Expr::EnumValue(super::order::OrderState::DEF, 2u16),
                                        ),
                                    ],
                                ),
                            ],
                        ),
                    ),
                    scope: ::core::option::Option::None,
                    forbid: ::core::option::Option::Some(
                        Expr::Compare(
                            Cmp::Eq,
                            &Expr::Path(Path {
                                from: 1u16,
                                hops: &[],
                                field: 2u16,
                            }),
                            &Expr::CurrentUser,
                        ),
                    ),
                },
            ],
            indexes: &[
                IndexDef {
                    columns: &[
                        IndexColumn {
                            field: 3u16,
                            descending: false,
                        },
                        IndexColumn {
                            field: 5u16,
                            descending: true,
                        },
                    ],
                    unique: false,
                },
            ],
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
            ix: 2u16,
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
        name: "shop",
        title: "Corner shop",
        description: ::core::option::Option::None,
        timezone: "Europe/Lisbon",
        locale: "en",
        hue: 262u16,
        engine: ::dz::__private::engine(::core::option::Option::Some("sqlite")),
        roles: &[
            RoleDef {
                name: "clerk",
                title: "Clerk",
                declared: true,
            },
            RoleDef {
                name: "buyer",
                title: "Buyer",
                declared: true,
            },
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
        entities: &[
            &super::product::ENTITY,
            &super::order::ENTITY,
            &super::user::ENTITY,
        ],
        account: 2u16,
        surfaces: &[
            &SurfaceDef {
                name: "order_list",
                title: "Orders",
                entity: 1u16,
                mode: Mode::List,
                purpose: ::core::option::Option::None,
                sections: &[
                    SectionDef {
                        name: "main",
                        title: ::core::option::Option::None,
                        note: ::core::option::Option::None,
                        body: SectionBody::Fields(
                            &[
                                ColumnDef {
                                    path: Path {
                                        from: 1u16,
                                        hops: &[1u16],
                                        field: 1u16,
                                    },
                                    label: "Product",
                                    help: ::core::option::Option::None,
                                    read_only: false,
                                },
                                ColumnDef {
                                    path: Path {
                                        from: 1u16,
                                        hops: &[],
                                        field: 3u16,
                                    },
                                    label: "State",
                                    help: ::core::option::Option::None,
                                    read_only: false,
                                },
                            ],
                        ),
                    },
                ],
                related: &[],
                ux: ListUx {
                    sort: &[
                        SortDef {
                            path: Path {
                                from: 1u16,
                                hops: &[],
                                field: 5u16,
                            },
                            descending: true,
                        },
                    ],
                    filter: &[
                        Path {
                            from: 1u16,
                            hops: &[],
                            field: 3u16,
                        },
                    ],
                    search: &[
                        Path {
                            from: 1u16,
                            hops: &[],
                            field: 4u16,
                        },
                    ],
                    empty: ::core::option::Option::Some("Nothing ordered."),
                },
                templates: Templates::DEFAULT,
                place: PlaceDef::DEFAULT,
            },
            &SurfaceDef {
                name: "product_view",
                title: "Product",
                entity: 0u16,
                mode: Mode::View,
                purpose: ::core::option::Option::None,
                sections: &[
                    SectionDef {
                        name: "facts",
                        title: ::core::option::Option::Some("Facts"),
                        note: ::core::option::Option::None,
                        body: SectionBody::Fields(
                            &[
                                ColumnDef {
                                    path: Path {
                                        from: 0u16,
                                        hops: &[],
                                        field: 1u16,
                                    },
                                    label: "Name",
                                    help: ::core::option::Option::Some(
                                        "As printed on the label",
                                    ),
                                    read_only: false,
                                },
                                ColumnDef {
                                    path: Path {
                                        from: 0u16,
                                        hops: &[],
                                        field: 3u16,
                                    },
                                    label: "Price",
                                    help: ::core::option::Option::None,
                                    read_only: false,
                                },
                            ],
                        ),
                    },
                    SectionDef {
                        name: "orders",
                        title: ::core::option::Option::Some("Its orders"),
                        note: ::core::option::Option::None,
                        body: SectionBody::Nested(NestedList {
                            entity: 1u16,
                            via: Via::Ref(1u16),
                            filter: ::core::option::Option::Some(
                                Expr::Compare(
                                    Cmp::Eq,
                                    &Expr::Path(Path {
                                        from: 1u16,
                                        hops: &[],
                                        field: 3u16,
                                    }),
                                    &Expr::EnumValue(super::order::OrderState::DEF, 0u16),
                                ),
                            ),
                            columns: &[
                                ColumnDef {
                                    path: Path {
                                        from: 1u16,
                                        hops: &[],
                                        field: 3u16,
                                    },
                                    label: "State",
                                    help: ::core::option::Option::None,
                                    read_only: false,
                                },
                            ],
                        }),
                    },
                ],
                related: &[],
                ux: ListUx {
                    sort: &[],
                    filter: &[],
                    search: &[],
                    empty: ::core::option::Option::None,
                },
                templates: Templates::DEFAULT,
                place: PlaceDef::DEFAULT,
            },
        ],
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
/// Corner shop: the application, ready to be extended and started.
pub fn app() -> ::dz::App {
    ::dz::App::new(&__dz_app::APP)
}
