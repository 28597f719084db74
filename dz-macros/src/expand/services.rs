//! Services: a trait, and the structs of its input and output, in the module `services`; and `app().service(…)`.

use dz_dsl_file::{
    emit::services as rust,
    model::{Adapter, AuthKind, Model, Service, SpecForm, StubLanguage},
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{expr, names, positions, signature};

/// The description of a service.
pub(super) fn describe(model: &Model, it: &Service) -> TokenStream {
    let Service { name, title, guarantees, .. } = it;
    let (input, output) = (signature::describe(model, &it.input), signature::describe(model, &it.output));
    let stub = expr::option(it.stub.map(|language| match language {
        StubLanguage::Python => quote!(StubLanguage::Python { package: ::core::env!("CARGO_MANIFEST_DIR") }),
        StubLanguage::Rust => quote!(StubLanguage::Rust),
    }));
    let external = expr::option(it.adapter.as_ref().map(external));
    quote! {
        ServiceDef {
            name: #name,
            title: #title,
            input: #input,
            output: #output,
            guarantees: &[#(#guarantees,)*],
            stub: #stub,
            external: #external,
        }
    }
}

fn external(it: &Adapter) -> TokenStream {
    let spec = it.spec.as_ref().filter(|spec| spec.form == SpecForm::Url).map(|spec| &spec.text);
    let spec = expr::option(spec.map(|address| quote!(#address)));
    let auth = expr::vocabulary(it.auth.as_ref().map_or(AuthKind::None, |auth| auth.kind));
    let options = it.auth.iter().flat_map(|auth| &auth.options).map(|(name, value)| quote!((#name, #value)));
    let owner = expr::option(it.owner.as_ref().map(|owner| quote!(#owner)));
    quote!(ExternalDef { spec: #spec, auth: #auth, options: &[#(#options),*], owner: #owner })
}

/// The module of the services, and the trait with the method of the application; nothing without services.
pub(super) fn expand(model: &Model) -> TokenStream {
    if model.services.is_empty() {
        return TokenStream::new();
    }
    let module = names::ident(rust::MODULE);
    let services = model.services.iter().enumerate().map(|(at, it)| expand_service(model, at, it));
    quote! {
        /// The services: for each one the trait of its implementation, and the structs of its input and output.
        pub mod #module {
            #(#services)*
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
            fn service<S: ?::core::marker::Sized>(self, implementation: impl ImplementsService<S>) -> Self;
        }

        impl AppServices for ::dz::App {
            fn service<S: ?::core::marker::Sized>(self, implementation: impl ImplementsService<S>) -> Self {
                implementation.add_to(self)
            }
        }
    }
}

fn expand_service(model: &Model, at: usize, it: &Service) -> TokenStream {
    let [name, input, output] = [rust::trait_name(it), rust::input_name(it), rust::output_name(it)];
    let [trait_name, input_name, output_name] = [&name, &input, &output].map(|name| names::ident(name));
    let method = format_ident!("{}", rust::METHOD);
    let at = positions::index(at);
    let def = quote!(super::__dz_app::APP.services[#at]);
    let inputs = signature::declare_struct(model, &input, &format!(" The input of `{}`.", it.name), &it.input, &quote!(#def.input));
    let outputs = signature::declare_struct(model, &output, &format!(" The output of `{}`.", it.name), &it.output, &quote!(#def.output));
    let mut doc = vec![format!(" {}", it.title)];
    if !it.guarantees.is_empty() {
        doc.push(String::new());
        doc.extend(it.guarantees.iter().map(|sentence| format!(" - {sentence}")));
    }
    quote! {
        #(#[doc = #doc])*
        pub trait #trait_name: ::core::marker::Send + ::core::marker::Sync + 'static {
            /// Runs an attempt. It blocks, and holds no database connection. An error and a panic are failed attempts.
            ///
            /// # Errors
            /// Any error.
            fn #method(&self, cx: &::dz::ServiceCx, input: #input_name) -> ::dz::Result<#output_name>;
        }

        #inputs

        #outputs

        impl ::dz::Service for dyn #trait_name {
            type Input = #input_name;
            type Output = #output_name;

            fn def() -> &'static ::dz::__private::def::ServiceDef {
                &#def
            }
        }

        impl<T: #trait_name> super::ImplementsService<dyn #trait_name> for T {
            fn add_to(self, app: ::dz::App) -> ::dz::App {
                app.implement::<dyn #trait_name>(move |cx, input| #trait_name::#method(&self, cx, input))
            }
        }
    }
}
