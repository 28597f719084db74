//! The languages of an application, and the language of a request.

#[cfg(debug_assertions)]
mod edits;
mod translate;

#[cfg(test)]
mod tests;

use std::sync::{PoisonError, RwLock};

use dz_vocabulary::text_key::{CATALOGUES, FRAMEWORK_PREFIX};

#[cfg(debug_assertions)]
pub(crate) use edits::Edits;

use crate::{
    def::AppDef,
    texts::{self, Texts},
};

/// The largest number of languages of a request that are considered.
const MOST_WANTED: usize = 16;

/// A language of the application.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Language {
    /// The tag, such as `de` or `pt-BR`.
    pub tag: &'static str,
    /// The texts; `None` for the English texts of the code.
    pub texts: Option<&'static Texts>,
    /// The description of the application with the titles of the language.
    pub app: &'static AppDef,
}

/// The languages of an application: that of the declaration, the configured one, and those with a file in `locales/`.
#[derive(Debug)]
pub(crate) struct Languages {
    /// The default language is the first. Only edits of the declaration during its development replace them.
    all: RwLock<Vec<Language>>,
}

impl Language {
    /// Its name in the language itself, or its tag.
    pub fn name(self) -> &'static str {
        match (self.texts.and_then(|texts| texts.find("dz-language-name")), primary(self.tag)) {
            (Some(name), _) => name,
            (None, "en") => texts::with(None, || say!("dz-language-name", "English")),
            (None, _) => self.tag,
        }
    }
}

impl Languages {
    /// The languages of an application; `configured` is the default language, if it is not that of the declaration.
    pub fn new(app: &'static AppDef, configured: Option<&str>) -> Languages {
        let configured = configured.filter(|tag| !tag.is_empty()).map(|tag| &*tag.to_owned().leak());
        let default = configured.unwrap_or(app.locale);
        let mut tags = vec![default];
        for tag in [app.locale].into_iter().chain(app.languages.files.iter().map(|(tag, _)| *tag)) {
            if !tags.iter().any(|known| is_same(known, tag)) {
                tags.push(tag);
            }
        }
        Languages { all: RwLock::new(tags.into_iter().map(|tag| load(app, tag, None)).collect()) }
    }

    /// Shows the declaration with these edits from now on.
    #[cfg(debug_assertions)]
    pub fn take_over(&self, app: &'static AppDef, edits: &Edits) {
        let edited = edits.edit_lists(app);
        let all = self.all().into_iter().map(|language| load(edited, language.tag, Some(edits.texts()))).collect();
        *self.all.write().unwrap_or_else(PoisonError::into_inner) = all;
    }

    /// All languages, the default language first.
    pub fn all(&self) -> Vec<Language> {
        self.all.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The language with this tag.
    pub fn find(&self, tag: &str) -> Option<Language> {
        self.all.read().unwrap_or_else(PoisonError::into_inner).iter().find(|language| is_same(language.tag, tag)).copied()
    }

    /// The language for the header `Accept-Language`, or the default language.
    pub fn choose(&self, accepted: Option<&str>) -> Option<Language> {
        let (default, is_only) = {
            let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
            (all.first().copied(), all.len() < 2)
        };
        if is_only {
            return default;
        }
        let wanted = accepted.map(wanted).unwrap_or_default();
        wanted.iter().find_map(|tag| self.find(tag).or_else(|| self.find_near(tag))).or(default)
    }

    /// The language with the same first part: `de` for `de-AT`, and `pt-BR` for `pt`.
    fn find_near(&self, tag: &str) -> Option<Language> {
        let primary = primary(tag);
        let near = |language: &&Language| primary.eq_ignore_ascii_case(self::primary(language.tag));
        self.find(primary).or_else(|| self.all.read().unwrap_or_else(PoisonError::into_inner).iter().find(near).copied())
    }
}

/// The tags of the header `Accept-Language`, the most wanted first, without those that are refused.
fn wanted(header: &str) -> Vec<&str> {
    let mut all: Vec<(f32, &str)> = Vec::new();
    for part in header.split(',').take(MOST_WANTED) {
        let (tag, parameters) = part.split_once(';').unwrap_or((part, ""));
        let weight = parameters.trim().strip_prefix("q=").map_or(Some(1.0), |text| text.trim().parse::<f32>().ok());
        if let Some(weight) = weight.filter(|weight| *weight > 0.0) {
            all.push((weight, tag.trim()));
        }
    }
    // Tags with equal weight stay in their order.
    all.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    all.into_iter().map(|(_, tag)| tag).collect()
}

fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}

fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one.chars().zip(other.chars()).all(|(a, b)| a.eq_ignore_ascii_case(&b) || (a == '_' && b == '-') || (a == '-' && b == '_'))
}

/// A language of the application; `edited` has the texts of the declaration that were edited since the build.
fn load(app: &'static AppDef, tag: &'static str, edited: Option<&str>) -> Language {
    let file = app.languages.files.iter().find(|(of, _)| is_same(of, tag)).map(|(_, text)| *text);
    // The English texts are in the code, where they cost nothing.
    let own = CATALOGUES.iter().find(|(of, _)| *of != "en" && of.eq_ignore_ascii_case(primary(tag))).map(|(_, text)| *text);
    // An edited text is shown in a language that has no translation of it.
    let catalogues: Vec<&str> = own.into_iter().chain(edited).chain(file).collect();
    let is_plain = catalogues.is_empty();
    let texts = (!is_plain).then(|| &*Box::leak(Box::new(Texts::new(tag, &catalogues))));
    let find = |key: &str| texts.and_then(|texts| texts.find(key)).filter(|_| !key.starts_with(FRAMEWORK_PREFIX));
    let is_own = is_same(tag, app.locale) && file.is_none() && edited.is_none();
    Language { tag, texts, app: if is_own { app } else { translate::translate(app, tag, &find) } }
}
