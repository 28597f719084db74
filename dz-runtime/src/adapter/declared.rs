//! The configuration of an adapter that the declaration of a service gives: its address and its credentials.

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::AdapterConfig;
use crate::{
    Error, Result, Service,
    def::{AuthKind, ExternalDef, ServiceDef},
};

impl AdapterConfig {
    /// The configuration of a service of another system, as `spec` and `auth_profile` of its declaration define it.
    ///
    /// The base URL is the folder of the description of the service, `https://carrier.example.com/v1` for the description
    /// `https://carrier.example.com/v1/openapi.json`. Credentials are read from environment variables; their names begin with the name
    /// of the service in upper case, such as `CARRIER_TOKEN`, unless an option of `auth_profile` names the variable.
    ///
    /// # Errors
    /// 500 that names a variable without a value, or a service that is not of another system.
    pub fn declared<S: Service + ?Sized>() -> Result<AdapterConfig> {
        from_declaration(S::def(), &|name| std::env::var(name).ok())
    }
}

fn from_declaration(service: &ServiceDef, variable: &dyn Fn(&str) -> Option<String>) -> Result<AdapterConfig> {
    let Some(external) = &service.external else {
        return Err(error(format!("the service `{}` has no `spec`, `auth_profile` or `owner`", service.name)));
    };
    let mut config = AdapterConfig::new(external.spec.map(base_url).unwrap_or_default());
    let read = |option: &str, suffix: &str| {
        let name = find_option(external, option).map_or_else(|| format!("{}_{suffix}", prefix(service.name)), str::to_owned);
        variable(&name).filter(|value| !value.is_empty()).ok_or_else(|| error(format!("`{}` needs the variable `{name}`", service.name)))
    };
    let mut authorize = |value: String| config.headers.insert("Authorization".to_owned(), value);
    match external.auth {
        AuthKind::None => {}
        AuthKind::Basic => {
            let pair = format!("{}:{}", read("user_env", "USER")?, read("password_env", "PASSWORD")?);
            authorize(format!("Basic {}", BASE64_STANDARD.encode(pair)));
        }
        AuthKind::Bearer | AuthKind::JwtStatic | AuthKind::Oauth2Client | AuthKind::Oauth2Legacy | AuthKind::Oauth2Pkce => {
            authorize(format!("Bearer {}", read("token_env", "TOKEN")?));
        }
        AuthKind::ApiKeyHeader => {
            let header = find_option(external, "header").unwrap_or("X-Api-Key");
            config.headers.insert(header.to_owned(), read("key_env", "KEY")?);
        }
        AuthKind::ApiKeyQuery => {
            let parameter = find_option(external, "param").unwrap_or("api_key");
            config.query.insert(parameter.to_owned(), read("key_env", "KEY")?);
        }
    }
    Ok(config)
}

fn error(text: String) -> Error {
    Error::new(500, "CONFIGURATION", text)
}

fn find_option(external: &ExternalDef, wanted: &str) -> Option<&'static str> {
    external.options.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value)
}

/// The beginning of the names of variables: `parcel_carrier` has `PARCEL_CARRIER`.
fn prefix(name: &str) -> String {
    name.to_uppercase().replace(|c: char| !c.is_alphanumeric(), "_")
}

/// The folder of the address of a description; an address without a path is the base URL itself.
fn base_url(spec: &str) -> String {
    let (start, rest) = spec.split_at(spec.find("://").map_or(0, |at| at + 3));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    match rest.rsplit_once('/') {
        Some((folder, _)) => format!("{start}{folder}"),
        None => format!("{start}{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn service(auth: AuthKind, options: &'static [(&'static str, &'static str)]) -> ServiceDef {
        let spec = Some("https://carrier.example.com/v1/openapi.json");
        let external = Some(ExternalDef { spec, auth, options, owner: Some("Carrier Ltd") });
        ServiceDef { name: "carrier", title: "Carrier", input: &[], output: &[], guarantees: &[], stub: None, external }
    }

    fn variable(name: &str) -> Option<String> {
        matches!(name, "CARRIER_TOKEN" | "CARRIER_USER" | "CARRIER_PASSWORD" | "OTHER").then(|| name.to_lowercase())
    }

    #[test]
    fn a_declaration_gives_the_address_and_the_credentials() {
        let authorization = |it: &ServiceDef| from_declaration(it, &variable).unwrap().headers.remove("Authorization");
        assert_eq!(authorization(&service(AuthKind::None, &[])), None);
        assert_eq!(authorization(&service(AuthKind::Bearer, &[])).as_deref(), Some("Bearer carrier_token"));
        assert_eq!(authorization(&service(AuthKind::Oauth2Client, &[("token_env", "OTHER")])).as_deref(), Some("Bearer other"));
        let basic = BASE64_STANDARD.encode("carrier_user:carrier_password");
        assert_eq!(authorization(&service(AuthKind::Basic, &[])), Some(format!("Basic {basic}")));
        let config = from_declaration(&service(AuthKind::ApiKeyQuery, &[("param", "k"), ("key_env", "OTHER")]), &variable).unwrap();
        assert_eq!((config.base_url.as_str(), config.query["k"].as_str()), ("https://carrier.example.com/v1", "other"));
        let missing = from_declaration(&service(AuthKind::ApiKeyHeader, &[]), &variable).unwrap_err();
        assert_eq!((missing.status, missing.detail.as_str()), (500, "`carrier` needs the variable `CARRIER_KEY`"));
    }

    #[test]
    fn the_base_url_is_the_folder_of_the_description() {
        for (spec, expected) in [
            ("https://a.example", "https://a.example"),
            ("https://a.example/openapi.json", "https://a.example"),
            ("http://a.example/v2/spec?x=/y", "http://a.example/v2"),
        ] {
            assert_eq!(base_url(spec), expected);
        }
    }
}
