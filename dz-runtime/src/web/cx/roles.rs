//! The macro of the generated `Role`, with one implementation for all applications.

/// Declares the roles: the enum, the mask of each role, and a type of each role for the request guard [`Role`](crate::Role).
#[doc(hidden)]
#[macro_export]
macro_rules! roles {
    ($module:ident: $($variant:ident $mask:ident $name:literal $title:literal = $bit:literal;)*) => {
        /// The roles of the declaration.
        ///
        /// As a request guard it is the first role that the caller has, in the order of the declaration. Other callers get 401 or 403.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role {
            $(#[doc = $title] $variant,)*
        }

        impl Role {
            /// The name of the persona.
            pub const fn as_str(self) -> &'static ::core::primitive::str {
                match self { $(Role::$variant => $name,)* }
            }
        }

        impl ::core::fmt::Display for Role {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::DeclaredRole for Role {
            const ALL: &'static [Self] = &[$(Role::$variant,)*];

            fn name(self) -> &'static ::core::primitive::str {
                self.as_str()
            }

            fn mask(self) -> ::core::primitive::u64 {
                match self { $(Role::$variant => $module::$mask,)* }
            }
        }

        #[$crate::reexport::rocket::async_trait]
        impl<'r> $crate::reexport::rocket::request::FromRequest<'r> for Role {
            type Error = $crate::Error;

            async fn from_request(
                request: &'r $crate::reexport::rocket::Request<'_>,
            ) -> $crate::reexport::rocket::request::Outcome<Self, $crate::Error> {
                $crate::resolve_role(request).await
            }
        }

        /// The roles, each as a bit of a mask, and as a type for the request guard `dz::Role`.
        #[allow(dead_code)]
        pub mod $module {
            $(
                #[doc = $title]
                pub const $mask: ::core::primitive::u64 = 1 << $bit;

                #[doc = $title]
                #[derive(Debug)]
                pub enum $variant {}

                impl $crate::RoleName for $variant {
                    const NAME: &'static ::core::primitive::str = $name;
                }
            )*
        }
    };
}
