//! Words and dotted paths: special words, fields, hops, `current_user.…`, `this.…`.

use super::{Position, Typed, Typer, type_of};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::nearest,
    model::{EntityId, Expr, FieldId, FieldType, Path, Type},
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
                        .help("quote it to make the meaning plain"),
                    );
                }
                let id = *id;
                return self.enum_value(id, &first.text, span).map(|value| (value, Type::Enum(id)));
            }
        }
        match (first.text.as_str(), rest.is_empty()) {
            ("true", true) => Some((Expr::Bool(true), Type::Bool)),
            ("false", true) => Some((Expr::Bool(false), Type::Bool)),
            // What holds for a stored row must not depend on when it is looked at, nor by whom.
            ("today" | "now" | "current_user", _) if self.position == Position::Invariant => {
                self.not_allowed(first.span, &format!("`{}`", first.text))
            }
            ("current_user", _) if self.position == Position::Computed => self.not_allowed(first.span, "`current_user`"),
            ("today", true) => Some((Expr::Today, Type::Date)),
            ("now", true) => Some((Expr::Now, Type::DateTime)),
            ("authenticated", true) if self.position == Position::Access => Some((Expr::SignedIn, Type::Bool)),
            ("anonymous", true) if self.position == Position::Access => {
                self.names_anonymous = true;
                Some((Expr::Anyone, Type::Bool))
            }
            ("current_user", _) if self.position == Position::Metric => self.not_allowed(first.span, "`current_user`"),
            ("current_user", true) => Some((Expr::CurrentUser, Type::Ref(self.it.account))),
            ("current_user", false) => self.current_user(rest),
            ("this", _) => self.this(first, rest),
            _ if self.position == Position::Metric => self.metric_name(path, span),
            _ => {
                let Some(scope) = self.scope else {
                    return self.not_allowed(span, &format!("the name `{}`", first.text));
                };
                let path = self.resolve(scope, path)?;
                self.typed_path(path, span)
            }
        }
    }

    fn typed_path(&mut self, path: Path, span: Span) -> Typed {
        let field = self.end(&path);
        if !super::super::computed::ensure(self.it, field.0, field.1) {
            return None;
        }
        let ty = self.it.entities[field.0.0].fields[field.1.0].ty;
        if !ty.is_stored() {
            let name = self.it.entities[field.0.0].fields[field.1.0].name.clone();
            self.it.out.push(
                Diagnostic::error("not-allowed-here", span, format!("`{name}` is a relation and has no value of its own"))
                    .help(format!("ask `any({name} where …)` or `count({name})`")),
            );
            return None;
        }
        Some((Expr::Path(path), type_of(ty)))
    }

    /// Entity and field at the end of a path.
    pub fn end(&self, path: &Path) -> (EntityId, FieldId) {
        let mut entity = path.from;
        for hop in &path.hops {
            if let FieldType::Ref(target) = self.it.entities[entity.0].fields[hop.0].ty {
                entity = target;
            }
        }
        (entity, path.field)
    }

    /// Resolves a path from `scope`; every part but the last must be a ref.
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
            if at + 1 == path.len() {
                return Some(Path { from: scope, hops, field: FieldId(field) });
            }
            let FieldType::Ref(target) = ty else {
                let next = &path[at + 1].text;
                self.it.out.push(
                    Diagnostic::error("hop-through-non-ref", name.span, format!("`{}` is no reference, so it has no `{next}`", name.text))
                        .help("only `ref` and `belongs_to` fields can be followed"),
                );
                return None;
            };
            hops.push(FieldId(field));
            entity = target;
        }
        None
    }

    fn unknown_field<T>(&mut self, entity: EntityId, name: &Name) -> Option<T> {
        let known = self.it.entities[entity.0].fields.iter().filter(|field| !field.secret).map(|field| field.name.as_str());
        let near = nearest(&name.text, known).map(str::to_owned);
        let scope = self.scope_name(entity);
        let mut found = Diagnostic::error("unknown-field", name.span, format!("`{scope}` has no field `{}`", name.text));
        if let Some(near) = near {
            found = found.help(format!("did you mean `{near}`?")).replace(name.span, near);
        }
        self.it.out.push(found);
        None
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
        if !known {
            let fields = self.it.entities[account.0].fields.iter().filter(|field| !field.secret).map(|field| field.name.as_str());
            let near = nearest(&rest[0].text, fields.chain(["roles"])).map(str::to_owned);
            self.it.unknown("user-field-unknown", "account field", rest[0].span, &rest[0].text, near);
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
