/// The tables, for queries of your own.
#[allow(missing_docs, non_snake_case)]
pub mod schema {
    ::diesel::table! {
        products(id) { id -> ::dz::sql_types::Uuid, name -> ::dz::sql_types::Text, size
        -> ::dz::sql_types::Text, price -> ::dz::sql_types::Decimal < 8, 2 >, }
    }
    ::diesel::table! {
        orders(id) { id -> ::dz::sql_types::Uuid, product -> ::dz::sql_types::Uuid, buyer
        -> ::dz::sql_types::Uuid, state -> ::dz::sql_types::Text, note ->
        ::diesel::sql_types::Nullable < ::dz::sql_types::Text >, placed_on ->
        ::dz::sql_types::Date, }
    }
    ::diesel::table! {
        users(id) { id -> ::dz::sql_types::Uuid, email -> ::dz::sql_types::Text, name ->
        ::diesel::sql_types::Nullable < ::dz::sql_types::Text >, email_verified ->
        ::dz::sql_types::Bool, is_active -> ::dz::sql_types::Bool, last_login ->
        ::diesel::sql_types::Nullable < ::dz::sql_types::DateTime >, auth_provider ->
        ::dz::sql_types::Text, auth_provider_id -> ::diesel::sql_types::Nullable <
        ::dz::sql_types::Text >, created_at -> ::dz::sql_types::DateTime, }
    }
    ::diesel::joinable!(orders -> products(product));
    ::diesel::allow_tables_to_appear_in_same_query!(orders, products);
    ::diesel::joinable!(orders -> users(buyer));
    ::diesel::allow_tables_to_appear_in_same_query!(orders, users);
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
            },
        ],
        demo: &[],
        openapi: OPENAPI,
        registration: ::core::option::Option::None,
        access: "{\n  \"callers\": [\"anonymous\", \"authenticated\", \"clerk\", \"buyer\", \"admin\", \"tenant_admin\"],\n  \"rules\": [\n    {\n      \"entity\": \"Product\", \"action\": \"read\",\n      \"permit\": [\"anonymous\"], \"forbid\": [], \"scope\": [],\n      \"callers\": {\n        \"anonymous\": true,\n        \"authenticated\": true,\n        \"clerk\": true,\n        \"buyer\": true,\n        \"admin\": true,\n        \"tenant_admin\": true\n      }\n    },\n    {\n      \"entity\": \"Product\", \"action\": \"write\",\n      \"permit\": [\"role(clerk)\"], \"forbid\": [], \"scope\": [],\n      \"callers\": {\n        \"anonymous\": false,\n        \"authenticated\": false,\n        \"clerk\": true,\n        \"buyer\": false,\n        \"admin\": false,\n        \"tenant_admin\": false\n      }\n    },\n    {\n      \"entity\": \"Order\", \"action\": \"read\",\n      \"permit\": [\"role(clerk) or buyer = current_user\"], \"forbid\": [], \"scope\": [],\n      \"callers\": {\n        \"anonymous\": false,\n        \"authenticated\": \"buyer = current_user\",\n        \"clerk\": true,\n        \"buyer\": \"buyer = current_user\",\n        \"admin\": \"buyer = current_user\",\n        \"tenant_admin\": \"buyer = current_user\"\n      }\n    },\n    {\n      \"entity\": \"Order\", \"action\": \"create\",\n      \"permit\": [\"authenticated\"], \"forbid\": [], \"scope\": [],\n      \"callers\": {\n        \"anonymous\": false,\n        \"authenticated\": true,\n        \"clerk\": true,\n        \"buyer\": true,\n        \"admin\": true,\n        \"tenant_admin\": true\n      }\n    },\n    {\n      \"entity\": \"Order\", \"action\": \"update\",\n      \"permit\": [\"role(clerk) and state != \\\"sent off\\\"\"], \"forbid\": [\"buyer = current_user\"], \"scope\": [],\n      \"callers\": {\n        \"anonymous\": false,\n        \"authenticated\": false,\n        \"clerk\": \"state != \\\"sent off\\\" and not buyer = current_user\",\n        \"buyer\": false,\n        \"admin\": false,\n        \"tenant_admin\": false\n      }\n    }\n  ]\n}\n",
        schema: Schemas::new(
            SchemaDef {
                sql: "CREATE TABLE \"products\" (\n  \"id\" BLOB NOT NULL PRIMARY KEY CONSTRAINT \"products(id) check\" CHECK (length(\"id\") = 16),\n  \"name\" TEXT NOT NULL CONSTRAINT \"products(name) check\" CHECK (length(\"name\") <= 80),\n  \"size\" TEXT NOT NULL CONSTRAINT \"products(size) check\" CHECK (\"size\" IN ('small', 'large')),\n  \"price\" INTEGER NOT NULL,\n  \"dz_version\" INTEGER NOT NULL DEFAULT 1\n) STRICT;\nCREATE TABLE \"orders\" (\n  \"id\" BLOB NOT NULL PRIMARY KEY CONSTRAINT \"orders(id) check\" CHECK (length(\"id\") = 16),\n  \"product\" BLOB NOT NULL CONSTRAINT \"orders(product) check\" CHECK (length(\"product\") = 16),\n  \"buyer\" BLOB NOT NULL CONSTRAINT \"orders(buyer) check\" CHECK (length(\"buyer\") = 16),\n  \"state\" TEXT NOT NULL CONSTRAINT \"orders(state) check\" CHECK (\"state\" IN ('open', 'paid', 'sent off')),\n  \"note\" TEXT,\n  \"placed_on\" TEXT NOT NULL,\n  \"dz_version\" INTEGER NOT NULL DEFAULT 1,\n  CONSTRAINT \"orders(buyer) reference\" FOREIGN KEY (\"buyer\") REFERENCES \"users\" (\"id\") ON DELETE RESTRICT,\n  CONSTRAINT \"orders(product) reference\" FOREIGN KEY (\"product\") REFERENCES \"products\" (\"id\") ON DELETE RESTRICT\n) STRICT;\nCREATE TABLE \"users\" (\n  \"id\" BLOB NOT NULL PRIMARY KEY CONSTRAINT \"users(id) check\" CHECK (length(\"id\") = 16),\n  \"email\" TEXT NOT NULL CONSTRAINT \"users(email) check\" CHECK (length(\"email\") <= 254),\n  \"name\" TEXT CONSTRAINT \"users(name) check\" CHECK (length(\"name\") <= 120),\n  \"password_hash\" TEXT CONSTRAINT \"users(password_hash) check\" CHECK (length(\"password_hash\") <= 255),\n  \"email_verified\" INTEGER NOT NULL CONSTRAINT \"users(email_verified) check\" CHECK (\"email_verified\" IN (0, 1)),\n  \"email_verify_token\" TEXT CONSTRAINT \"users(email_verify_token) check\" CHECK (length(\"email_verify_token\") <= 100),\n  \"password_reset_token\" TEXT CONSTRAINT \"users(password_reset_token) check\" CHECK (length(\"password_reset_token\") <= 100),\n  \"password_reset_expires\" TEXT,\n  \"is_active\" INTEGER NOT NULL CONSTRAINT \"users(is_active) check\" CHECK (\"is_active\" IN (0, 1)),\n  \"last_login\" TEXT,\n  \"auth_provider\" TEXT NOT NULL CONSTRAINT \"users(auth_provider) check\" CHECK (\"auth_provider\" IN ('local', 'google', 'microsoft', 'github')),\n  \"auth_provider_id\" TEXT CONSTRAINT \"users(auth_provider_id) check\" CHECK (length(\"auth_provider_id\") <= 255),\n  \"created_at\" TEXT NOT NULL,\n  \"dz_version\" INTEGER NOT NULL DEFAULT 1\n) STRICT;\nCREATE TABLE \"dz_outbox\" (\n  \"seq\" INTEGER NOT NULL PRIMARY KEY,\n  \"id\" BLOB NOT NULL CONSTRAINT \"dz_outbox(id) check\" CHECK (length(\"id\") = 16),\n  \"subscriber\" TEXT NOT NULL,\n  \"event\" TEXT NOT NULL,\n  \"entity\" TEXT NOT NULL,\n  \"row_id\" TEXT NOT NULL,\n  \"payload\" TEXT NOT NULL,\n  \"attempts\" INTEGER NOT NULL,\n  \"created_at\" TEXT NOT NULL,\n  \"retry_at\" TEXT NOT NULL,\n  \"error\" TEXT NOT NULL\n) STRICT;\nCREATE TABLE \"dz_dead_letters\" (\n  \"id\" BLOB NOT NULL CONSTRAINT \"dz_dead_letters(id) check\" CHECK (length(\"id\") = 16),\n  \"subscriber\" TEXT NOT NULL,\n  \"event\" TEXT NOT NULL,\n  \"entity\" TEXT NOT NULL,\n  \"row_id\" TEXT NOT NULL,\n  \"payload\" TEXT NOT NULL,\n  \"attempts\" INTEGER NOT NULL,\n  \"created_at\" TEXT NOT NULL,\n  \"died_at\" TEXT NOT NULL,\n  \"error\" TEXT NOT NULL,\n  PRIMARY KEY (\"id\", \"subscriber\")\n) STRICT;\nCREATE TABLE \"dz_held\" (\n  \"entity\" TEXT NOT NULL,\n  \"row_id\" TEXT NOT NULL,\n  \"state\" TEXT NOT NULL,\n  \"since\" TEXT NOT NULL,\n  \"attempts\" INTEGER NOT NULL,\n  \"retry_at\" TEXT NOT NULL,\n  PRIMARY KEY (\"entity\", \"row_id\", \"state\")\n) STRICT;\nCREATE TABLE \"dz_meta\" (\n  \"key\" TEXT NOT NULL PRIMARY KEY,\n  \"value\" TEXT NOT NULL\n) STRICT;\nCREATE TABLE \"dz_roles\" (\n  \"account\" BLOB NOT NULL CONSTRAINT \"dz_roles(account) check\" CHECK (length(\"account\") = 16),\n  \"role\" TEXT NOT NULL,\n  PRIMARY KEY (\"account\", \"role\"),\n  CONSTRAINT \"dz_roles(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE\n) STRICT;\nCREATE TABLE \"dz_sessions\" (\n  \"token_hash\" TEXT NOT NULL PRIMARY KEY,\n  \"id\" BLOB NOT NULL CONSTRAINT \"dz_sessions(id) check\" CHECK (length(\"id\") = 16),\n  \"account\" BLOB NOT NULL CONSTRAINT \"dz_sessions(account) check\" CHECK (length(\"account\") = 16),\n  \"device\" TEXT NOT NULL,\n  \"created_at\" TEXT NOT NULL,\n  \"seen_at\" TEXT NOT NULL,\n  \"expires_at\" TEXT NOT NULL,\n  CONSTRAINT \"dz_sessions(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE\n) STRICT;\nCREATE TABLE \"dz_tokens\" (\n  \"token_hash\" TEXT NOT NULL PRIMARY KEY,\n  \"id\" BLOB NOT NULL CONSTRAINT \"dz_tokens(id) check\" CHECK (length(\"id\") = 16),\n  \"account\" BLOB NOT NULL CONSTRAINT \"dz_tokens(account) check\" CHECK (length(\"account\") = 16),\n  \"scope\" TEXT NOT NULL,\n  \"roles\" TEXT,\n  \"created_at\" TEXT NOT NULL,\n  \"seen_at\" TEXT NOT NULL,\n  \"expires_at\" TEXT NOT NULL,\n  CONSTRAINT \"dz_tokens(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE\n) STRICT;\nCREATE TABLE \"dz_idempotency\" (\n  \"scope\" TEXT NOT NULL PRIMARY KEY,\n  \"body\" TEXT NOT NULL,\n  \"status\" INTEGER NOT NULL,\n  \"row_key\" TEXT NOT NULL,\n  \"answer\" TEXT NOT NULL,\n  \"expires_at\" TEXT NOT NULL\n) STRICT;\nCREATE TABLE \"dz_audit_log\" (\n  \"id\" BLOB NOT NULL PRIMARY KEY CONSTRAINT \"dz_audit_log(id) check\" CHECK (length(\"id\") = 16),\n  \"at\" TEXT NOT NULL,\n  \"account\" BLOB CONSTRAINT \"dz_audit_log(account) check\" CHECK (length(\"account\") = 16),\n  \"action\" TEXT NOT NULL,\n  \"entity\" TEXT NOT NULL,\n  \"row_id\" TEXT,\n  \"decision\" TEXT NOT NULL,\n  \"rule\" TEXT NOT NULL,\n  \"changes\" TEXT CONSTRAINT \"dz_audit_log(changes) check\" CHECK (json_valid(\"changes\")),\n  \"times\" INTEGER NOT NULL,\n  \"request_id\" TEXT NOT NULL\n) STRICT;\nCREATE TABLE \"dz_audit_horizon\" (\n  \"kept_from\" TEXT NOT NULL PRIMARY KEY\n) STRICT;\nCREATE UNIQUE INDEX \"products(name)\" ON \"products\" (\"name\");\nCREATE UNIQUE INDEX \"users(email)\" ON \"users\" (\"email\");\nCREATE INDEX \"orders[buyer, placed_on list desc, id]\" ON \"orders\" (\"buyer\", \"placed_on\" DESC, \"id\");\nCREATE INDEX \"orders[placed_on list desc, id]\" ON \"orders\" (\"placed_on\" DESC, \"id\");\nCREATE INDEX \"orders[product]\" ON \"orders\" (\"product\");\nCREATE INDEX \"orders[state, placed_on desc]\" ON \"orders\" (\"state\", \"placed_on\" DESC);\nCREATE INDEX \"users[email_verify_token]\" ON \"users\" (\"email_verify_token\");\nCREATE INDEX \"users[password_reset_token]\" ON \"users\" (\"password_reset_token\");\nCREATE INDEX \"dz_outbox[retry_at]\" ON \"dz_outbox\" (\"retry_at\");\nCREATE INDEX \"dz_outbox[subscriber, entity, row_id, seq]\" ON \"dz_outbox\" (\"subscriber\", \"entity\", \"row_id\", \"seq\");\nCREATE INDEX \"dz_sessions[account]\" ON \"dz_sessions\" (\"account\");\nCREATE INDEX \"dz_tokens[account]\" ON \"dz_tokens\" (\"account\");\nCREATE INDEX \"dz_idempotency[expires_at]\" ON \"dz_idempotency\" (\"expires_at\");\nCREATE INDEX \"dz_audit_log[at]\" ON \"dz_audit_log\" (\"at\");\nCREATE INDEX \"dz_audit_log[entity, row_id]\" ON \"dz_audit_log\" (\"entity\", \"row_id\");\nCREATE TRIGGER \"dz_audit_log unchanged\" BEFORE UPDATE ON \"dz_audit_log\" BEGIN SELECT RAISE(ABORT, 'records of the audit log do not change'); END;\nCREATE TRIGGER \"dz_audit_log kept\" BEFORE DELETE ON \"dz_audit_log\" WHEN NOT EXISTS (SELECT 1 FROM \"dz_audit_horizon\" WHERE OLD.\"at\" < \"kept_from\") BEGIN SELECT RAISE(ABORT, 'records of the audit log are kept'); END;\n",
                columns: "products\tid\tBLOB\t!\nproducts\tname\tTEXT\t!\nproducts\tsize\tTEXT\t!\nproducts\tprice\tINTEGER\t!\nproducts\tdz_version\tINTEGER\t!\norders\tid\tBLOB\t!\norders\tproduct\tBLOB\t!\norders\tbuyer\tBLOB\t!\norders\tstate\tTEXT\t!\norders\tnote\tTEXT\t\norders\tplaced_on\tTEXT\t!\norders\tdz_version\tINTEGER\t!\nusers\tid\tBLOB\t!\nusers\temail\tTEXT\t!\nusers\tname\tTEXT\t\nusers\tpassword_hash\tTEXT\t\nusers\temail_verified\tINTEGER\t!\nusers\temail_verify_token\tTEXT\t\nusers\tpassword_reset_token\tTEXT\t\nusers\tpassword_reset_expires\tTEXT\t\nusers\tis_active\tINTEGER\t!\nusers\tlast_login\tTEXT\t\nusers\tauth_provider\tTEXT\t!\nusers\tauth_provider_id\tTEXT\t\nusers\tcreated_at\tTEXT\t!\nusers\tdz_version\tINTEGER\t!\ndz_outbox\tseq\tINTEGER\t!\ndz_outbox\tid\tBLOB\t!\ndz_outbox\tsubscriber\tTEXT\t!\ndz_outbox\tevent\tTEXT\t!\ndz_outbox\tentity\tTEXT\t!\ndz_outbox\trow_id\tTEXT\t!\ndz_outbox\tpayload\tTEXT\t!\ndz_outbox\tattempts\tINTEGER\t!\ndz_outbox\tcreated_at\tTEXT\t!\ndz_outbox\tretry_at\tTEXT\t!\ndz_outbox\terror\tTEXT\t!\ndz_dead_letters\tid\tBLOB\t!\ndz_dead_letters\tsubscriber\tTEXT\t!\ndz_dead_letters\tevent\tTEXT\t!\ndz_dead_letters\tentity\tTEXT\t!\ndz_dead_letters\trow_id\tTEXT\t!\ndz_dead_letters\tpayload\tTEXT\t!\ndz_dead_letters\tattempts\tINTEGER\t!\ndz_dead_letters\tcreated_at\tTEXT\t!\ndz_dead_letters\tdied_at\tTEXT\t!\ndz_dead_letters\terror\tTEXT\t!\ndz_held\tentity\tTEXT\t!\ndz_held\trow_id\tTEXT\t!\ndz_held\tstate\tTEXT\t!\ndz_held\tsince\tTEXT\t!\ndz_held\tattempts\tINTEGER\t!\ndz_held\tretry_at\tTEXT\t!\ndz_meta\tkey\tTEXT\t!\ndz_meta\tvalue\tTEXT\t!\ndz_roles\taccount\tBLOB\t!\ndz_roles\trole\tTEXT\t!\ndz_sessions\ttoken_hash\tTEXT\t!\ndz_sessions\tid\tBLOB\t!\ndz_sessions\taccount\tBLOB\t!\ndz_sessions\tdevice\tTEXT\t!\ndz_sessions\tcreated_at\tTEXT\t!\ndz_sessions\tseen_at\tTEXT\t!\ndz_sessions\texpires_at\tTEXT\t!\ndz_tokens\ttoken_hash\tTEXT\t!\ndz_tokens\tid\tBLOB\t!\ndz_tokens\taccount\tBLOB\t!\ndz_tokens\tscope\tTEXT\t!\ndz_tokens\troles\tTEXT\t\ndz_tokens\tcreated_at\tTEXT\t!\ndz_tokens\tseen_at\tTEXT\t!\ndz_tokens\texpires_at\tTEXT\t!\ndz_idempotency\tscope\tTEXT\t!\ndz_idempotency\tbody\tTEXT\t!\ndz_idempotency\tstatus\tINTEGER\t!\ndz_idempotency\trow_key\tTEXT\t!\ndz_idempotency\tanswer\tTEXT\t!\ndz_idempotency\texpires_at\tTEXT\t!\ndz_audit_log\tid\tBLOB\t!\ndz_audit_log\tat\tTEXT\t!\ndz_audit_log\taccount\tBLOB\t\ndz_audit_log\taction\tTEXT\t!\ndz_audit_log\tentity\tTEXT\t!\ndz_audit_log\trow_id\tTEXT\t\ndz_audit_log\tdecision\tTEXT\t!\ndz_audit_log\trule\tTEXT\t!\ndz_audit_log\tchanges\tTEXT\t\ndz_audit_log\ttimes\tINTEGER\t!\ndz_audit_log\trequest_id\tTEXT\t!\ndz_audit_horizon\tkept_from\tTEXT\t!\n",
                fingerprint: "ad42ca2885fe91976b8bbd65afebd5a2",
            },
            SchemaDef {
                sql: "CREATE TABLE \"products\" (\n  \"id\" uuid NOT NULL PRIMARY KEY,\n  \"name\" character varying(80) COLLATE \"C\" NOT NULL,\n  \"size\" text COLLATE \"C\" NOT NULL CONSTRAINT \"products(size) check\" CHECK (\"size\" IN ('small', 'large')),\n  \"price\" numeric(8,2) NOT NULL,\n  \"dz_version\" bigint NOT NULL DEFAULT 1\n);\nCREATE TABLE \"orders\" (\n  \"id\" uuid NOT NULL PRIMARY KEY,\n  \"product\" uuid NOT NULL,\n  \"buyer\" uuid NOT NULL,\n  \"state\" text COLLATE \"C\" NOT NULL CONSTRAINT \"orders(state) check\" CHECK (\"state\" IN ('open', 'paid', 'sent off')),\n  \"note\" text COLLATE \"C\",\n  \"placed_on\" date NOT NULL,\n  \"dz_version\" bigint NOT NULL DEFAULT 1\n);\nCREATE TABLE \"users\" (\n  \"id\" uuid NOT NULL PRIMARY KEY,\n  \"email\" character varying(254) COLLATE \"C\" NOT NULL,\n  \"name\" character varying(120) COLLATE \"C\",\n  \"password_hash\" character varying(255) COLLATE \"C\",\n  \"email_verified\" boolean NOT NULL,\n  \"email_verify_token\" character varying(100) COLLATE \"C\",\n  \"password_reset_token\" character varying(100) COLLATE \"C\",\n  \"password_reset_expires\" timestamp with time zone,\n  \"is_active\" boolean NOT NULL,\n  \"last_login\" timestamp with time zone,\n  \"auth_provider\" text COLLATE \"C\" NOT NULL CONSTRAINT \"users(auth_provider) check\" CHECK (\"auth_provider\" IN ('local', 'google', 'microsoft', 'github')),\n  \"auth_provider_id\" character varying(255) COLLATE \"C\",\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"dz_version\" bigint NOT NULL DEFAULT 1\n);\nCREATE TABLE \"dz_outbox\" (\n  \"seq\" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,\n  \"id\" uuid NOT NULL,\n  \"subscriber\" text COLLATE \"C\" NOT NULL,\n  \"event\" text COLLATE \"C\" NOT NULL,\n  \"entity\" text COLLATE \"C\" NOT NULL,\n  \"row_id\" text COLLATE \"C\" NOT NULL,\n  \"payload\" text COLLATE \"C\" NOT NULL,\n  \"attempts\" bigint NOT NULL,\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"retry_at\" timestamp with time zone NOT NULL,\n  \"error\" text COLLATE \"C\" NOT NULL\n);\nCREATE TABLE \"dz_dead_letters\" (\n  \"id\" uuid NOT NULL,\n  \"subscriber\" text COLLATE \"C\" NOT NULL,\n  \"event\" text COLLATE \"C\" NOT NULL,\n  \"entity\" text COLLATE \"C\" NOT NULL,\n  \"row_id\" text COLLATE \"C\" NOT NULL,\n  \"payload\" text COLLATE \"C\" NOT NULL,\n  \"attempts\" bigint NOT NULL,\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"died_at\" timestamp with time zone NOT NULL,\n  \"error\" text COLLATE \"C\" NOT NULL,\n  PRIMARY KEY (\"id\", \"subscriber\")\n);\nCREATE TABLE \"dz_held\" (\n  \"entity\" text COLLATE \"C\" NOT NULL,\n  \"row_id\" text COLLATE \"C\" NOT NULL,\n  \"state\" text COLLATE \"C\" NOT NULL,\n  \"since\" timestamp with time zone NOT NULL,\n  \"attempts\" bigint NOT NULL,\n  \"retry_at\" timestamp with time zone NOT NULL,\n  PRIMARY KEY (\"entity\", \"row_id\", \"state\")\n);\nCREATE TABLE \"dz_meta\" (\n  \"key\" text COLLATE \"C\" NOT NULL PRIMARY KEY,\n  \"value\" text COLLATE \"C\" NOT NULL\n);\nCREATE TABLE \"dz_roles\" (\n  \"account\" uuid NOT NULL,\n  \"role\" text COLLATE \"C\" NOT NULL,\n  PRIMARY KEY (\"account\", \"role\")\n);\nCREATE TABLE \"dz_sessions\" (\n  \"token_hash\" text COLLATE \"C\" NOT NULL PRIMARY KEY,\n  \"id\" uuid NOT NULL,\n  \"account\" uuid NOT NULL,\n  \"device\" text COLLATE \"C\" NOT NULL,\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"seen_at\" timestamp with time zone NOT NULL,\n  \"expires_at\" timestamp with time zone NOT NULL\n);\nCREATE TABLE \"dz_tokens\" (\n  \"token_hash\" text COLLATE \"C\" NOT NULL PRIMARY KEY,\n  \"id\" uuid NOT NULL,\n  \"account\" uuid NOT NULL,\n  \"scope\" text COLLATE \"C\" NOT NULL,\n  \"roles\" text COLLATE \"C\",\n  \"created_at\" timestamp with time zone NOT NULL,\n  \"seen_at\" timestamp with time zone NOT NULL,\n  \"expires_at\" timestamp with time zone NOT NULL\n);\nCREATE TABLE \"dz_idempotency\" (\n  \"scope\" text COLLATE \"C\" NOT NULL PRIMARY KEY,\n  \"body\" text COLLATE \"C\" NOT NULL,\n  \"status\" bigint NOT NULL,\n  \"row_key\" text COLLATE \"C\" NOT NULL,\n  \"answer\" text COLLATE \"C\" NOT NULL,\n  \"expires_at\" timestamp with time zone NOT NULL\n);\nCREATE TABLE \"dz_audit_log\" (\n  \"id\" uuid NOT NULL PRIMARY KEY,\n  \"at\" timestamp with time zone NOT NULL,\n  \"account\" uuid,\n  \"action\" text COLLATE \"C\" NOT NULL,\n  \"entity\" text COLLATE \"C\" NOT NULL,\n  \"row_id\" text COLLATE \"C\",\n  \"decision\" text COLLATE \"C\" NOT NULL,\n  \"rule\" text COLLATE \"C\" NOT NULL,\n  \"changes\" jsonb,\n  \"times\" bigint NOT NULL,\n  \"request_id\" text COLLATE \"C\" NOT NULL\n);\nCREATE TABLE \"dz_audit_horizon\" (\n  \"kept_from\" timestamp with time zone NOT NULL PRIMARY KEY\n);\nCREATE UNIQUE INDEX \"products(name)\" ON \"products\" (\"name\");\nCREATE UNIQUE INDEX \"users(email)\" ON \"users\" (\"email\");\nALTER TABLE \"orders\" ADD CONSTRAINT \"orders(buyer) reference\" FOREIGN KEY (\"buyer\") REFERENCES \"users\" (\"id\") ON DELETE RESTRICT;\nALTER TABLE \"orders\" ADD CONSTRAINT \"orders(product) reference\" FOREIGN KEY (\"product\") REFERENCES \"products\" (\"id\") ON DELETE RESTRICT;\nALTER TABLE \"dz_roles\" ADD CONSTRAINT \"dz_roles(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE;\nALTER TABLE \"dz_sessions\" ADD CONSTRAINT \"dz_sessions(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE;\nALTER TABLE \"dz_tokens\" ADD CONSTRAINT \"dz_tokens(account) reference\" FOREIGN KEY (\"account\") REFERENCES \"users\" (\"id\") ON DELETE CASCADE;\nCREATE INDEX \"orders[buyer, placed_on list desc, id]\" ON \"orders\" (\"buyer\", \"placed_on\" DESC NULLS LAST, \"id\");\nCREATE INDEX \"orders[placed_on list desc, id]\" ON \"orders\" (\"placed_on\" DESC NULLS LAST, \"id\");\nCREATE INDEX \"orders[product]\" ON \"orders\" (\"product\");\nCREATE INDEX \"orders[state, placed_on desc]\" ON \"orders\" (\"state\", \"placed_on\" DESC);\nCREATE INDEX \"users[email_verify_token]\" ON \"users\" (\"email_verify_token\");\nCREATE INDEX \"users[password_reset_token]\" ON \"users\" (\"password_reset_token\");\nCREATE INDEX \"dz_outbox[retry_at]\" ON \"dz_outbox\" (\"retry_at\");\nCREATE INDEX \"dz_outbox[subscriber, entity, row_id, seq]\" ON \"dz_outbox\" (\"subscriber\", \"entity\", \"row_id\", \"seq\");\nCREATE INDEX \"dz_sessions[account]\" ON \"dz_sessions\" (\"account\");\nCREATE INDEX \"dz_tokens[account]\" ON \"dz_tokens\" (\"account\");\nCREATE INDEX \"dz_idempotency[expires_at]\" ON \"dz_idempotency\" (\"expires_at\");\nCREATE INDEX \"dz_audit_log[at]\" ON \"dz_audit_log\" (\"at\");\nCREATE INDEX \"dz_audit_log[entity, row_id]\" ON \"dz_audit_log\" (\"entity\", \"row_id\");\nCREATE FUNCTION \"dz_audit_log_guard\"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF TG_OP = 'DELETE' THEN IF EXISTS (SELECT 1 FROM \"dz_audit_horizon\" WHERE OLD.\"at\" < \"kept_from\") THEN RETURN OLD; END IF; END IF; RAISE EXCEPTION 'records of the audit log are kept as they are'; END $$;\nCREATE TRIGGER \"dz_audit_log unchanged\" BEFORE UPDATE OR DELETE ON \"dz_audit_log\" FOR EACH ROW EXECUTE FUNCTION \"dz_audit_log_guard\"();\nCREATE TRIGGER \"dz_audit_log kept\" BEFORE TRUNCATE ON \"dz_audit_log\" FOR EACH STATEMENT EXECUTE FUNCTION \"dz_audit_log_guard\"();\n",
                columns: "products\tid\tuuid\t!\nproducts\tname\tcharacter varying(80)\t!\nproducts\tsize\ttext\t!\nproducts\tprice\tnumeric(8,2)\t!\nproducts\tdz_version\tbigint\t!\norders\tid\tuuid\t!\norders\tproduct\tuuid\t!\norders\tbuyer\tuuid\t!\norders\tstate\ttext\t!\norders\tnote\ttext\t\norders\tplaced_on\tdate\t!\norders\tdz_version\tbigint\t!\nusers\tid\tuuid\t!\nusers\temail\tcharacter varying(254)\t!\nusers\tname\tcharacter varying(120)\t\nusers\tpassword_hash\tcharacter varying(255)\t\nusers\temail_verified\tboolean\t!\nusers\temail_verify_token\tcharacter varying(100)\t\nusers\tpassword_reset_token\tcharacter varying(100)\t\nusers\tpassword_reset_expires\ttimestamp with time zone\t\nusers\tis_active\tboolean\t!\nusers\tlast_login\ttimestamp with time zone\t\nusers\tauth_provider\ttext\t!\nusers\tauth_provider_id\tcharacter varying(255)\t\nusers\tcreated_at\ttimestamp with time zone\t!\nusers\tdz_version\tbigint\t!\ndz_outbox\tseq\tbigint\t!\ndz_outbox\tid\tuuid\t!\ndz_outbox\tsubscriber\ttext\t!\ndz_outbox\tevent\ttext\t!\ndz_outbox\tentity\ttext\t!\ndz_outbox\trow_id\ttext\t!\ndz_outbox\tpayload\ttext\t!\ndz_outbox\tattempts\tbigint\t!\ndz_outbox\tcreated_at\ttimestamp with time zone\t!\ndz_outbox\tretry_at\ttimestamp with time zone\t!\ndz_outbox\terror\ttext\t!\ndz_dead_letters\tid\tuuid\t!\ndz_dead_letters\tsubscriber\ttext\t!\ndz_dead_letters\tevent\ttext\t!\ndz_dead_letters\tentity\ttext\t!\ndz_dead_letters\trow_id\ttext\t!\ndz_dead_letters\tpayload\ttext\t!\ndz_dead_letters\tattempts\tbigint\t!\ndz_dead_letters\tcreated_at\ttimestamp with time zone\t!\ndz_dead_letters\tdied_at\ttimestamp with time zone\t!\ndz_dead_letters\terror\ttext\t!\ndz_held\tentity\ttext\t!\ndz_held\trow_id\ttext\t!\ndz_held\tstate\ttext\t!\ndz_held\tsince\ttimestamp with time zone\t!\ndz_held\tattempts\tbigint\t!\ndz_held\tretry_at\ttimestamp with time zone\t!\ndz_meta\tkey\ttext\t!\ndz_meta\tvalue\ttext\t!\ndz_roles\taccount\tuuid\t!\ndz_roles\trole\ttext\t!\ndz_sessions\ttoken_hash\ttext\t!\ndz_sessions\tid\tuuid\t!\ndz_sessions\taccount\tuuid\t!\ndz_sessions\tdevice\ttext\t!\ndz_sessions\tcreated_at\ttimestamp with time zone\t!\ndz_sessions\tseen_at\ttimestamp with time zone\t!\ndz_sessions\texpires_at\ttimestamp with time zone\t!\ndz_tokens\ttoken_hash\ttext\t!\ndz_tokens\tid\tuuid\t!\ndz_tokens\taccount\tuuid\t!\ndz_tokens\tscope\ttext\t!\ndz_tokens\troles\ttext\t\ndz_tokens\tcreated_at\ttimestamp with time zone\t!\ndz_tokens\tseen_at\ttimestamp with time zone\t!\ndz_tokens\texpires_at\ttimestamp with time zone\t!\ndz_idempotency\tscope\ttext\t!\ndz_idempotency\tbody\ttext\t!\ndz_idempotency\tstatus\tbigint\t!\ndz_idempotency\trow_key\ttext\t!\ndz_idempotency\tanswer\ttext\t!\ndz_idempotency\texpires_at\ttimestamp with time zone\t!\ndz_audit_log\tid\tuuid\t!\ndz_audit_log\tat\ttimestamp with time zone\t!\ndz_audit_log\taccount\tuuid\t\ndz_audit_log\taction\ttext\t!\ndz_audit_log\tentity\ttext\t!\ndz_audit_log\trow_id\ttext\t\ndz_audit_log\tdecision\ttext\t!\ndz_audit_log\trule\ttext\t!\ndz_audit_log\tchanges\tjsonb\t\ndz_audit_log\ttimes\tbigint\t!\ndz_audit_log\trequest_id\ttext\t!\ndz_audit_horizon\tkept_from\ttimestamp with time zone\t!\n",
                fingerprint: "159d0600bd0170bfda58c0851a61ece6",
            },
        ),
    };
    const OPENAPI: &str = "{…}";
}
/// Corner shop: the application, ready to be extended and started.
pub fn app() -> ::dz::App {
    ::dz::App::new(&__dz_app::APP)
}
