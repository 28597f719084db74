//! Words and dotted paths: special words, fields, segments, `current_user.…`, `this.…`.

use super::{Position, Typed, Typer, type_of};
use crate::{
    Diagnostic, Near, Span,
    cursor::Name,
    diagnostic::{near_word, nearest},
    dialect,
    model::{EntityId, Expr, Field, FieldId, FieldType, Path, Type},
    suggestion::{Replacement, same},
    syntax::expr as written,
};

impl Typer<'_, '_> {
    pub(super) fn path(&mut self, path: &[Name], span: Span, expected: Option<&Type>) -> Typed {
        let [first, rest @ ..] = path else { return None };
        if rest.is_empty()
            && let Some(Type::Enum(id)) = expected
        {
            let is_value = self.it.enums[id.0].values.iter().any(|value| value.name == first.text);
            let is_field = self.scope.is_some_and(|scope| self.it.field_names[scope.0].contains_key(&first.text));
            if is_value || !is_field {
                if is_value && is_field {
                    self.it.out.push(
                        Diagnostic::warning(
                            "ambiguous-word",
                            span,
                            format!("`{}` is a value here, though a field has that name too", first.text),
                        )
                        .help(format!("quote it to make the meaning plain: \"{}\"", first.text))
                        .replace(span, same(format!("\"{}\"", first.text))),
                    );
                }
                let id = *id;
                return self.enum_value(id, &first.text, span).map(|value| (value, Type::Enum(id)));
            }
        }
        match (first.text.as_str(), rest.is_empty()) {
            ("true", true) => Some((Expr::Bool(true), Type::Bool)),
            ("false", true) => Some((Expr::Bool(false), Type::Bool)),
            // A condition on a stored row must not depend on the time or on the caller.
            ("today" | "now" | "current_user", _) if matches!(self.position, Position::Invariant | Position::Index) => {
                self.not_allowed(first.span, &format!("`{}`", first.text))
            }
            ("current_user", _) if self.position == Position::Computed => self.not_allowed(first.span, "`current_user`"),
            ("today", true) => Some((Expr::Today, Type::Date)),
            ("now", true) => Some((Expr::Now, Type::DateTime)),
            ("current_user", _) if self.position == Position::Process => self.not_allowed(first.span, "`current_user`"),
            ("authenticated", true) if self.position == Position::Access => Some((Expr::SignedIn, Type::Bool)),
            ("anonymous", true) if self.position == Position::Access => {
                self.names_anonymous = true;
                Some((Expr::Anyone, Type::Bool))
            }
            ("current_user", _) if matches!(self.position, Position::Metric | Position::Demo | Position::Value) => {
                self.not_allowed(first.span, "`current_user`")
            }
            ("context", _) if self.position == Position::Step => self.context(first, rest),
            ("current_user", true) => Some((Expr::CurrentUser, Type::Ref(self.it.account))),
            ("current_user", false) => self.current_user(rest),
            ("this", _) => self.this(first, rest),
            _ if self.position == Position::Metric => self.metric_name(path, span),
            _ if self.position == Position::Process => self.process_data(path, span),
            _ if self.position == Position::Step => self.not_in_step(first),
            _ => self.name_in_scope(path, span, expected),
        }
    }

    /// Resolves a path that begins with a field of the entity in scope.
    fn name_in_scope(&mut self, path: &[Name], span: Span, expected: Option<&Type>) -> Typed {
        let [first, rest @ ..] = path else { return None };
        let Some(scope) = self.scope else {
            if self.default_of.is_some_and(|entity| self.names(entity, &first.text)) {
                return self.field_in_default(first, expected);
            }
            if let (Some(expected @ Type::Text), true) = (expected, rest.is_empty()) {
                let report = Diagnostic::error("not-allowed-here", span, format!("`{}` is not a text: it has no quotes", first.text));
                let word = written::Expr { kind: written::ExprKind::Path(path.to_vec()), span };
                let report = self.instead(report, &word, expected);
                self.it.out.push(report);
                return None;
            }
            return self.no_literal(path, span);
        };
        if rest.is_empty() && matches!(first.text.as_str(), "authenticated" | "anonymous" | "this") && !self.names(scope, &first.text) {
            return self.not_allowed(span, &format!("`{}`", first.text));
        }
        if let (true, Some(Type::Bool), Some(near)) = (rest.is_empty(), expected, self.truth(scope, first)) {
            let found = Diagnostic::error("unknown-field", span, format!("`{}` has no field `{}`", self.scope_name(scope), first.text));
            self.it.out.push(found.help(format!("did you mean `{near}`?")).replace(span, near));
            return None;
        }
        let path = self.resolve(scope, path)?;
        self.typed_path(path, span)
    }

    /// Reports a field of the row in a default.
    fn field_in_default<T>(&mut self, name: &Name, expected: Option<&Type>) -> Option<T> {
        let text = if expected == Some(&Type::Text) { format!("; for the text itself, write \"{}\"", name.text) } else { String::new() };
        let help = format!("for a value from other fields, write `computed` and its expression in place of the type and the default{text}");
        let message = format!("`{}` is a field, and a default cannot read other fields", name.text);
        self.it.out.push(Diagnostic::error("not-allowed-here", name.span, message).help(help));
        None
    }

    /// A misspelt `true` or `false`, unless the name of a bool field is nearer.
    fn truth(&self, scope: EntityId, name: &Name) -> Option<Near<'static>> {
        const TRUTHS: [&str; 2] = ["true", "false"];
        if self.names(scope, &name.text) || self.it.unreadable.has_field(scope, &name.text) {
            return None;
        }
        let flags = self.it.entities[scope.0].fields.iter().filter(|field| !field.secret && field.ty == FieldType::Bool);
        let near = near_word(&name.text, flags.map(|field| field.name.as_str()).chain(TRUTHS))?;
        TRUTHS.contains(&&*near).then(|| near.into_owned())
    }

    /// Reports a name in a position that allows only literals and a few words.
    fn no_literal<T>(&mut self, path: &[Name], span: Span) -> Option<T> {
        let first = path.first()?;
        let words = ["today", "now", "current_user", "true", "false", "null"];
        match near_word(&first.text, words) {
            Some(near) => {
                let found = Diagnostic::error("not-allowed-here", first.span, format!("`{}` is not a value", first.text));
                self.it.out.push(found.help(format!("did you mean `{near}`?")).replace(first.span, near));
                None
            }
            None => self.not_allowed(span, &format!("the name `{}`", first.text)),
        }
    }

    /// True for a field of the row in scope.
    fn names(&self, scope: EntityId, name: &str) -> bool {
        self.it.field_names[scope.0].contains_key(name)
    }

    pub(in crate::lower) fn typed_path(&mut self, path: Path, span: Span) -> Typed {
        let field = self.end(&path);
        if !super::super::computed::ensure(self.it, field.0, field.1) {
            return None;
        }
        let end = &self.it.entities[field.0.0].fields[field.1.0];
        let ty = end.ty;
        if self.position == Position::Index {
            // The condition of an index can only read one row.
            if !path.hops.is_empty() {
                return self.not_allowed(span, "a field of another row");
            }
            if end.computed.is_some() {
                return self.not_allowed(span, "a computed field");
            }
        }
        if !ty.is_stored() {
            let name = self.it.entities[field.0.0].fields[field.1.0].name.clone();
            self.it.out.push(
                Diagnostic::error("not-allowed-here", span, format!("`{name}` is a relation and has no value of its own"))
                    .help(format!("use `any({name} where …)` or `count({name})`")),
            );
            return None;
        }
        Some((Expr::Path(path), type_of(ty)))
    }

    /// The entity and the field at the end of a path.
    pub fn end(&self, path: &Path) -> (EntityId, FieldId) {
        path.end(&self.it.entities)
    }

    /// Resolves a path from `scope`; every segment except the last must be a ref.
    pub fn resolve(&mut self, scope: EntityId, path: &[Name]) -> Option<Path> {
        let mut entity = scope;
        let mut hops = Vec::new();
        for (at, name) in path.iter().enumerate() {
            let Some(field) = self.it.field_names[entity.0].get(&name.text).copied() else {
                return self.unknown_field(entity, name);
            };
            let ty = self.it.entities[entity.0].fields[field].ty;
            if self.it.entities[entity.0].fields[field].secret {
                return self.unknown_field(entity, name);
            }
            self.it.field_used(name.span, entity, field);
            if at + 1 == path.len() {
                return Some(Path { from: scope, hops, field: FieldId(field) });
            }
            let Some(target) = ty.target() else {
                let next = &path[at + 1].text;
                let found = Diagnostic::error(
                    "hop-through-non-ref",
                    name.span,
                    format!("`{}` is not a reference, so it has no `{next}`", name.text),
                );
                let so_far: Vec<&str> = path[..=at].iter().map(|name| name.text.as_str()).collect();
                let so_far = so_far.join(".");
                self.it.out.push(found.help(if ty.children().is_some() {
                    format!("use `any({so_far} where …)` or `count({so_far})`")
                } else if super::call::is_function(next) {
                    format!("write `{next}({so_far})`")
                } else {
                    "only `ref` and `belongs_to` fields can be followed".to_owned()
                }));
                return None;
            };
            hops.push(FieldId(field));
            entity = target;
        }
        None
    }

    pub(in crate::lower) fn unknown_field<T>(&mut self, entity: EntityId, name: &Name) -> Option<T> {
        if self.it.unreadable.has_field(entity, &name.text) {
            return None;
        }
        if let Some(row) = dialect::word("value", &name.text).filter(|_| self.scope == Some(entity)) {
            let found =
                Diagnostic::error("unknown-field", name.span, format!("`{}` is neither a value nor a field", name.text)).help(row.help());
            self.it.out.push(match row.replacement() {
                Some(ours) => found.replace(name.span, ours),
                None => found,
            });
            return None;
        }
        let meant = self.find_other_meaning(entity, name).map(Replacement::from);
        let Some(meant) = meant.or_else(|| self.special(entity, name).map(Replacement::from)) else {
            self.it.unknown_field("unknown-field", entity, name, |_| true);
            return None;
        };
        let scope = self.scope_name(entity);
        let found = Diagnostic::error("unknown-field", name.span, format!("`{scope}` has no field `{}`", name.text));
        self.it.out.push(found.help(format!("did you mean `{}`?", meant.text())).replace(name.span, meant));
        None
    }

    /// The special word of which a name is a misspelling, if no field is as near.
    fn special(&self, entity: EntityId, name: &Name) -> Option<Near<'static>> {
        let mut words = vec!["true", "false", "null", "today", "now", "current_user"];
        if self.position == Position::Access {
            words.extend(["authenticated", "anonymous"]);
        }
        words.extend(self.outer.map(|_| "this"));
        let fields = self.it.entities[entity.0].fields.iter().map(|field| field.name.as_str());
        let near = near_word(&name.text, fields.chain(words.iter().copied()))?;
        (words.contains(&&*near) && self.scope == Some(entity)).then(|| near.into_owned())
    }

    /// The meaning of an unknown word elsewhere: a persona, or a value of the only enum that has it.
    fn find_other_meaning(&self, entity: EntityId, name: &Name) -> Option<String> {
        if self.scope != Some(entity) {
            return None;
        }
        if self.it.roles.contains_key(&name.text) && self.it.roles_declared {
            return Some(format!("role({})", name.text));
        }
        let holds = |field: &&Field| {
            let values = field.ty.enumeration().map(|id| &self.it.enums[id.0].values);
            values.is_some_and(|values| values.iter().any(|value| value.name == name.text))
        };
        let mut fields = self.it.entities[entity.0].fields.iter().filter(|field| !field.secret).filter(holds);
        match (fields.next(), fields.next()) {
            (Some(one), None) => Some(format!("{} = {}", one.name, name.text)),
            _ => None,
        }
    }

    fn current_user(&mut self, rest: &[Name]) -> Typed {
        let account = self.it.account;
        let own_roles = self.it.field_names[account.0].contains_key("roles");
        if rest.len() == 1 && rest[0].text == "roles" && !own_roles {
            return Some((Expr::CurrentUserRoles, Type::List(Box::new(Type::Text))));
        }
        let known = self.it.field_names[account.0].contains_key(&rest[0].text);
        if let (1, "tenant", false, Some(tenant)) = (rest.len(), rest[0].text.as_str(), known, self.it.tenant) {
            return Some((Expr::CurrentTenant, Type::Ref(tenant)));
        }
        if let ("tenant", false, Some(_)) = (rest[0].text.as_str(), known, self.it.tenant) {
            let found =
                Diagnostic::error("hop-through-non-ref", rest[0].span, "`current_user.tenant` is a key, whose fields are not known here");
            self.it.out.push(found.help("compare `current_user.tenant` itself with a reference to the tenant"));
            return None;
        }
        if !known {
            if self.it.unreadable.has_field(account, &rest[0].text) {
                return None;
            }
            let fields = self.it.entities[account.0].fields.iter().filter(|field| !field.secret).map(|field| field.name.clone());
            let known: Vec<String> = fields.chain(["roles".to_owned()]).collect();
            let message = format!("an account has no field `{}`", rest[0].text);
            self.it.unknown_among("user-field-unknown", message, rest[0].span, &rest[0].text, &known, "");
            return None;
        }
        let path = self.resolve(account, rest)?;
        let (entity, field) = self.end(&path);
        if !super::super::computed::ensure(self.it, entity, field) {
            return None;
        }
        let ty = self.it.entities[entity.0].fields[field.0].ty;
        if !ty.is_stored() {
            return self.not_allowed(rest[rest.len() - 1].span, "a relation of the account");
        }
        Some((Expr::CurrentUserPath(path), type_of(ty)))
    }

    /// Reports a name in a step, which has values of the context and no row.
    fn not_in_step(&mut self, name: &Name) -> Typed {
        let found = Diagnostic::error("unknown-context", name.span, format!("`{}` is not a name that a step knows", name.text));
        let values = self.it.context.iter().map(|value| value.name.as_str());
        let repair = match nearest(&name.text, values) {
            Some(near) => Some(format!("context.{near}").into()),
            None => near_word(&name.text, ["context", "current_user", "today", "now", "null", "true", "false"]).map(Replacement::from),
        };
        self.it.out.push(match repair {
            Some(near) => found.help(format!("did you mean `{}`?", near.text())).replace(name.span, near),
            None => found.help("a step reads `context.…` and `current_user.…`; write texts in quotes"),
        });
        None
    }

    /// `context.name.…`
    fn context(&mut self, word: &Name, rest: &[Name]) -> Typed {
        let [first, rest @ ..] = rest else {
            let found = Diagnostic::error("unknown-context", word.span, "`context` alone is not a value");
            self.it.out.push(found.help("name one of its values, such as `context.order`"));
            return None;
        };
        let at = self.it.context_value(first)?;
        let ty = self.it.context[at].ty.clone();
        if rest.is_empty() {
            return Some((Expr::Context(at, None), ty));
        }
        let Type::Ref(entity) = ty else {
            let found =
                Diagnostic::error("hop-through-non-ref", first.span, format!("`{}` is not a reference, so it has no fields", first.text));
            self.it.out.push(found.help("only values of a `ref` type can be followed"));
            return None;
        };
        let path = self.resolve(entity, rest)?;
        let (owner, field) = self.end(&path);
        if !super::super::computed::ensure(self.it, owner, field) {
            return None;
        }
        let ty = self.it.entities[owner.0].fields[field.0].ty;
        if !ty.is_stored() {
            return self.not_allowed(rest[rest.len() - 1].span, "a relation");
        }
        Some((Expr::Context(at, Some(path)), type_of(ty)))
    }

    fn this(&mut self, word: &Name, rest: &[Name]) -> Typed {
        let Some(outer) = self.outer else {
            return self.not_allowed(word.span, "`this`");
        };
        if rest.is_empty() {
            return Some((Expr::This(None), Type::Ref(outer)));
        }
        let path = self.resolve(outer, rest)?;
        let (entity, field) = self.end(&path);
        if !super::super::computed::ensure(self.it, entity, field) {
            return None;
        }
        let ty = type_of(self.it.entities[entity.0].fields[field.0].ty);
        Some((Expr::This(Some(path)), ty))
    }
}
