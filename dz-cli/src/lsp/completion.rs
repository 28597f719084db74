//! Completion: the words and names that are valid at a position, with documentation and snippets.

mod expression;
mod process;

use dz_dsl_file::{
    model::{Entity, EntityId, Field, Model},
    vocabulary::words_of,
};
use lsp_types::{CompletionItem, CompletionItemKind, CompletionParams, Documentation, InsertTextFormat, MarkupContent, MarkupKind};

use super::{
    context::{Context, head},
    failure::Failure,
    hover,
    names::{Declares, Names},
    state::State,
    words,
};
use expression::Position;

/// What can be written at a position.
pub fn answer(state: &State, params: CompletionParams) -> Result<Option<Vec<CompletionItem>>, Failure> {
    let at = params.text_document_position;
    let place = state.place(&at.text_document.uri)?;
    let Some(it) = place.at(state, at.position) else { return Ok(None) };
    let Some(context) = Context::at(it) else { return Ok(Some(Vec::new())) };
    let mut offer = Offer { names: it.unit.names(), snippets: knows_snippets(state), items: Vec::new() };
    offer.add_items(&context);
    Ok(Some(offer.items))
}

fn knows_snippets(state: &State) -> bool {
    let completion = state.client.text_document.as_ref().and_then(|it| it.completion.as_ref());
    completion.and_then(|it| it.completion_item.as_ref()).is_some_and(|it| it.snippet_support == Some(true))
}

/// The constructs with the lines that they need. A number is a place for input.
const SNIPPETS: &[(&str, &str)] = &[
    ("app", "app ${1:name} \"${2:Title}\""),
    ("persona", "persona ${1:name} \"${2:Title}\""),
    (
        "entity",
        "entity ${1:Name} \"${2:Title}\":\n  id: uuid pk\n  ${3:title}: str(80) required\n  permit:\n    list: role(${4:admin})\n    read: role(${4:admin})",
    ),
    ("enum", "enum ${1:Name}:\n  ${2:value}"),
    ("surface", "surface ${1:name} \"${2:Title}\":\n  uses entity ${3:Entity}\n  mode: ${4:list}"),
    ("workspace", "workspace ${1:name} \"${2:Title}\":\n  ${3:region}:\n    source: ${4:Entity}"),
    ("process", "process ${1:name} \"${2:Title}\":\n  trigger: manual\n  steps:\n    - step ${3:first}:\n      ${4:wait: 1h}"),
    ("permit", "permit:\n  list: ${1:authenticated}\n  read: ${1:authenticated}"),
    ("invariant", "invariant: ${1:condition}\n  message: \"${2:What must hold}\""),
    ("str", "str(${1:80})"),
    ("decimal", "decimal(${1:8}, ${2:2})"),
    ("enum_type", "enum[${1:first}, ${2:second}]"),
];

/// The keys whose value is one word of a place of the vocabulary: the construct, the key, the place.
const VALUES: &[(&str, &str, &str)] = &[
    ("app", "theme", "theme"),
    ("persona", "proficiency", "proficiency"),
    ("entity", "archetype", "kind of entity"),
    ("surface", "mode", "mode"),
    ("surface", "priority", "priority"),
    ("surface", "widget", "widget"),
    ("surface", "format", "format"),
    ("workspace", "display", "display"),
    ("service", "kind", "kind of service"),
    ("service", "stub", "stub"),
    ("process", "overlap", "overlap"),
    ("process", "on_any_failure", "on_any_failure"),
    ("process", "backoff", "backoff"),
    ("schedule", "overlap", "overlap"),
    ("llm_model", "provider", "provider"),
    ("llm_model", "tier", "tier"),
    ("story", "status", "status of a story"),
    ("story", "trigger", "trigger of a story"),
    ("experience", "kind", "kind of step"),
];

/// The blocks whose lines begin with words of a place: the construct, the block, the place.
const KEYS: &[(&str, &str, &str)] = &[
    ("app", "app", "app"),
    ("persona", "persona", "persona"),
    ("entity", "entity", "entity"),
    ("archetype", "archetype", "archetype"),
    ("entity", "permit", "action"),
    ("entity", "forbid", "action"),
    ("entity", "scope", "action"),
    ("entity", "access", "access"),
    ("entity", "transitions", "transitions"),
    ("entity", "invariant", "invariant"),
    ("entity", "graph_edge", "graph_edge"),
    ("entity", "graph_node", "graph_node"),
    ("entity", "temporal", "temporal"),
    ("surface", "surface", "surface"),
    ("surface", "section", "section"),
    ("surface", "action", "surface action"),
    ("surface", "related", "related"),
    ("surface", "ux", "ux"),
    ("surface", "attention", "attention"),
    ("surface", "for", "variant"),
    ("workspace", "workspace", "workspace"),
    ("workspace", "ux", "ux"),
    ("story", "story", "story"),
    ("experience", "experience", "experience"),
    ("experience", "step", "step of an experience"),
    ("scenario", "scenario", "scenario"),
    ("service", "service", "service"),
    ("process", "process", "process"),
    ("process", "trigger", "trigger of a process"),
    ("process", "step", "step of a process"),
    ("process", "parallel", "parallel"),
    ("process", "human_task", "human_task"),
    ("process", "retry", "retry"),
    ("process", "emits", "emits"),
    ("schedule", "schedule", "schedule"),
    ("llm_model", "llm_model", "llm_model"),
    ("llm_config", "llm_config", "llm_config"),
    ("llm_intent", "llm_intent", "llm_intent"),
];

/// The items of one completion.
struct Offer<'m> {
    names: Names<'m>,
    snippets: bool,
    items: Vec<CompletionItem>,
}

impl Offer<'_> {
    fn add_items(&mut self, context: &Context<'_>) {
        let before = context.before.trim_start_matches("- ");
        if context.around.is_empty() && before.is_empty() {
            return self.words("construct");
        }
        if before.is_empty() {
            return self.line_start(context);
        }
        let construct = if context.around.is_empty() { head(before) } else { context.construct() };
        if construct == "entity" || construct == "archetype" {
            return self.in_entity(context, before);
        }
        self.in_line(context, construct, before);
    }

    /// The first word of a line of a block.
    fn line_start(&mut self, context: &Context<'_>) {
        let (construct, block) = (context.construct(), context.block().trim_start_matches("- "));
        let place = KEYS.iter().find(|(of, name, _)| *of == construct && *name == block);
        match place {
            Some((_, _, place)) => self.words(place),
            None if construct == "workspace" && context.around.len() == 2 => self.words("region"),
            None => {}
        }
        if block == "transitions"
            && let Some(id) = context.entity(self.names.model())
        {
            self.states(id);
        }
    }

    /// Behind the first word of a line of an entity.
    fn in_entity(&mut self, context: &Context<'_>, before: &str) {
        let Some(id) = context.entity(self.names.model()) else {
            if context.around.len() == 1 {
                self.field_line(before, None);
            }
            return;
        };
        match (context.around.len(), context.block(), head(before)) {
            (0, ..) => {}
            (1, _, "extends") => self.declared(|it| matches!(it, Declares::Archetype(_))),
            (1, _, "archetype") => self.words("kind of entity"),
            (1, _, "invariant") => self.expression(Some(id), before, Position::Row),
            (1, _, "index" | "unique" | "no_index") if !before.contains(": ") => {
                self.fields(id, |field| field.is_stored() && !field.ty.is_file());
            }
            (1, _, "display_field" | "display") => self.fields(id, |field| field.ty.is_stored()),
            (1, ..) => self.field_line(before, Some(id)),
            (2, "permit" | "forbid" | "scope" | "access" | "audit", _) if before.contains(':') => {
                self.expression(Some(id), before, Position::Rule);
            }
            (2, "transitions", _) => self.transition(id, before),
            (2, "graph_edge" | "graph_node" | "temporal", key) if before.trim_end().ends_with(':') => self.graph(id, context.block(), key),
            (3, _, "for") => self.declared(|it| matches!(it, Declares::Persona(_))),
            (3, _, "guard") => self.expression(Some(id), before, Position::Guard),
            _ => {}
        }
    }

    /// The value of a key of a graph, or of a period of time.
    fn graph(&mut self, id: EntityId, block: &str, key: &str) {
        match (block, key) {
            ("graph_edge", "source" | "target") => self.fields(id, |field| field.ty.target().is_some()),
            ("graph_edge", "type") => self.fields(id, |field| field.ty.enumeration().is_some() || is_text(field)),
            ("graph_edge", "weight") => self.fields(id, |field| field.is_stored() && field.ty.is_number()),
            ("graph_edge", "directed" | "acyclic") => self.plain(&["true", "false"]),
            ("graph_node", "edges") => {
                let model = self.names.model();
                let ends = |of: &Entity| of.fields.iter().any(|field| field.ty.target() == Some(id));
                let edges: Vec<&str> =
                    model.entities.iter().filter(|it| it.edge.is_some() && ends(it)).map(|it| it.name.as_str()).collect();
                edges.into_iter().for_each(|name| self.item(name, CompletionItemKind::CLASS, None, None));
            }
            ("graph_node", "display") => self.fields(id, Field::has_value),
            ("temporal", _) => self.fields(id, |field| field.is_stored() && field.ty.is_time()),
            _ => {}
        }
    }

    /// A line that declares a field.
    fn field_line(&mut self, before: &str, id: Option<EntityId>) {
        let Some((_, after)) = before.split_once(':') else { return };
        let words: Vec<&str> = after.split_whitespace().collect();
        match words.last().copied() {
            None => {
                self.words("type");
                self.declared(|it| matches!(it, Declares::Enum(_)));
            }
            Some("ref" | "belongs_to" | "has_many" | "has_one" | "embeds") => self.declared(|it| matches!(it, Declares::Entity(_))),
            Some("via") => {
                let target = words.get(1).and_then(|name| self.names.model().entities.iter().position(|it| it.name == *name));
                if let Some(target) = target {
                    self.fields(EntityId(target), |field| field.ty.target().is_some());
                }
            }
            Some("was:") => {}
            Some("=") => self.default(words[0], before, id),
            Some(_) if words.contains(&"computed") => {
                if let Some(id) = id {
                    self.expression(Some(id), before, Position::Row);
                }
            }
            Some(_) => {
                self.words("modifier");
                if matches!(words[0], "ref" | "belongs_to" | "has_many" | "has_one") {
                    self.words("relation");
                }
            }
        }
    }

    /// The default of a field of a type.
    fn default(&mut self, ty: &str, before: &str, id: Option<EntityId>) {
        let model = self.names.model();
        match ty {
            "bool" => self.plain(&["true", "false"]),
            "date" => self.plain(&["today"]),
            "datetime" => self.plain(&["now"]),
            "ref" | "belongs_to" => self.plain(&["current_user"]),
            "json" => self.plain(&["[]", "{}"]),
            _ if ty.starts_with("enum[") => {
                let list = before.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
                list.split(',').map(str::trim).for_each(|value| self.item(value, CompletionItemKind::ENUM_MEMBER, None, None));
            }
            _ => {
                if let Some(at) = model.enums.iter().position(|it| it.owner.is_none() && it.name == ty) {
                    model.enums[at]
                        .values
                        .iter()
                        .for_each(|it| self.item(&it.name, CompletionItemKind::ENUM_MEMBER, Some(&it.title), None));
                } else if id.is_none() {
                    self.plain(&["null"]);
                }
            }
        }
    }

    /// The right side of a row of a state machine.
    fn transition(&mut self, id: EntityId, before: &str) {
        match before.trim_end() {
            it if it.ends_with("->") || it.ends_with(',') && !it.contains("->") => self.states(id),
            it if it.ends_with("role(") => self.declared(|it| matches!(it, Declares::Persona(_))),
            it if it.ends_with("requires") || it.contains("requires") && it.ends_with(',') => self.fields(id, |_| true),
            it if it.ends_with(':') => self.plain(&["role(", "requires", "auto after"]),
            _ => {}
        }
    }

    fn states(&mut self, id: EntityId) {
        let model = self.names.model();
        let entity = model.entity(id);
        let machine = entity.states.as_ref().map(|it| it.field.0);
        let field = machine.or_else(|| {
            entity.fields.iter().position(|it| it.ty.enumeration().is_some() && matches!(it.name.as_str(), "status" | "state"))
        });
        let Some(values) = field.and_then(|at| entity.fields[at].ty.enumeration()) else { return };
        model.enums[values.0].values.iter().for_each(|it| self.item(&it.name, CompletionItemKind::ENUM_MEMBER, Some(&it.title), None));
    }

    /// Behind the first word of a line of another construct.
    fn in_line(&mut self, context: &Context<'_>, construct: &str, before: &str) {
        let key = head(before);
        let after = before.trim_end();
        if let Some((_, _, place)) = VALUES.iter().find(|(of, name, _)| *of == construct && *name == key)
            && after.ends_with(':')
        {
            return self.words(place);
        }
        if (construct, context.block()) == ("workspace", "aggregate") && before.contains(':') {
            return self.expression(None, before, Position::Metric);
        }
        if self.flow_line(context, construct, before) {
            return;
        }
        let entity = context.entity(self.names.model());
        match (construct, key) {
            ("surface" | "experience" | "scenario", "uses") if after == "uses" => self.plain(&["entity"]),
            ("surface", "uses") if after == "uses entity" => self.declared(|it| matches!(it, Declares::Entity(_))),
            ("workspace", "source") if after.ends_with(':') => self.declared(|it| matches!(it, Declares::Entity(_))),
            ("surface" | "workspace", "search") if begins_item(after, key) => self.of_entity(entity, is_text),
            ("surface" | "workspace", "search") => {}
            ("surface" | "workspace", "sort" | "filter" | "show" | "hide" | "columns" | "field" | "group_by" | "date_field" | "title") => {
                match (key, construct) {
                    ("filter", "workspace") => self.of_rows(entity, before, Position::Filter),
                    ("filter", "surface") if context.block() == "section" => self.of_rows(entity, before, Position::Nested),
                    ("title", "surface") => {}
                    _ => entity.into_iter().for_each(|id| self.column(id, key, before)),
                }
            }
            ("surface" | "workspace", "when" | "scope") => self.of_rows(entity, before, Position::Filter),
            ("surface" | "workspace" | "experience", "access") if after.ends_with(':') => {
                self.plain(&["public", "authenticated", "persona("])
            }
            (_, "access") if after.ends_with('(') || after.ends_with(',') => self.declared(|it| matches!(it, Declares::Persona(_))),
            ("surface" | "workspace" | "scenario", "for" | "as") => self.declared(|it| matches!(it, Declares::Persona(_))),
            ("persona", "default_workspace") => self.declared(|it| matches!(it, Declares::Workspace(_))),
            ("workspace", "action") => self.declared(|it| matches!(it, Declares::Surface(_))),
            ("experience" | "process", "surface") => self.declared(|it| matches!(it, Declares::Surface(_))),
            ("process" | "schedule", "service") => self.declared(|it| matches!(it, Declares::Service(_))),
            ("process" | "schedule", "subprocess" | "process") => self.declared(|it| matches!(it, Declares::Process(_))),
            ("process", "llm_intent") => self.declared(|it| matches!(it, Declares::LlmIntent(_))),
            ("process" | "schedule", "implements") => self.declared(|it| matches!(it, Declares::Story(_))),
            ("story", "actor") => self.declared(|it| matches!(it, Declares::Persona(_))),
            ("story", "scope") => self.declared(|it| matches!(it, Declares::Entity(_))),
            _ => {}
        }
    }

    /// A field or a path in a list of them, and the words that can follow it.
    fn column(&mut self, id: EntityId, key: &str, before: &str) {
        let ordered = matches!(key, "sort" | "filter");
        let fits = |field: &Field| match ordered {
            true => field.has_value() && field.ty.incomparable().is_none() && !field.sensitive && !field.secret,
            false => field.has_value() || key == "show",
        };
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).map_or(0, |at| at + 1);
        if let Some(path) = before[start..].strip_suffix('.') {
            return follow(self.names.model(), id, path).into_iter().for_each(|target| self.fields(target, fits));
        }
        match (key, before.trim_end()) {
            (_, before) if begins_item(before, key) => self.fields(id, fits),
            ("sort", _) => self.plain(&["asc", "desc"]),
            ("field", before) if before.ends_with("widget=") => self.words("widget"),
            ("field", before) if before.ends_with("format:") => self.words("format"),
            ("field", before) if before.ends_with("when:") => self.expression(Some(id), before, Position::Filter),
            ("field", before) if !before.ends_with(':') => self.words("field"),
            (..) => {}
        }
    }

    fn of_entity(&mut self, entity: Option<EntityId>, fits: impl Fn(&Field) -> bool) {
        if let Some(id) = entity {
            self.fields(id, fits);
        }
    }

    /// A condition on rows.
    fn of_rows(&mut self, entity: Option<EntityId>, before: &str, position: Position) {
        if entity.is_some() {
            self.expression(entity, before, position);
        }
    }

    fn fields(&mut self, id: EntityId, fits: impl Fn(&Field) -> bool) {
        let model = self.names.model();
        for field in model.entity(id).fields.iter().filter(|it| !it.secret && fits(it)) {
            let detail = dz_knowledge::type_text(model, field.ty);
            self.item(&field.name, CompletionItemKind::FIELD, Some(&detail), Some(field.title.clone()));
        }
    }

    /// Declared names of some kinds.
    fn declared(&mut self, fits: impl Fn(Declares) -> bool) {
        let model = self.names.model();
        let found: Vec<(String, String, String, Declares)> = self
            .names
            .all
            .iter()
            .filter(|it| fits(it.declares))
            .map(|it| (it.name.to_owned(), it.title.to_owned(), hover::describe(model, it), it.declares))
            .collect();
        // The account entity and the roles that dz supplies have no place in a text.
        if fits(Declares::Entity(model.account)) && !model.entity(model.account).declared {
            self.item(&model.entity(model.account).name, CompletionItemKind::CLASS, Some("accounts"), None);
        }
        if fits(Declares::Persona(dz_dsl_file::model::RoleId(0))) {
            for persona in model.personas.iter().filter(|it| !it.declared) {
                self.item(&persona.name, CompletionItemKind::CONSTANT, Some(&persona.title), None);
            }
        }
        for (name, title, text, declares) in found {
            self.item(&name, kind(declares), Some(&title), Some(text));
        }
    }

    /// Words of a place of the vocabulary.
    fn words(&mut self, place: &str) {
        for word in words_of(place) {
            self.item(word, CompletionItemKind::KEYWORD, Some(place), words::describe(place, word));
        }
    }

    fn plain(&mut self, list: &[&str]) {
        list.iter().for_each(|word| self.item(word, CompletionItemKind::KEYWORD, None, words::describe_anywhere(word)));
    }

    fn item(&mut self, label: &str, kind: CompletionItemKind, detail: Option<&str>, text: Option<String>) {
        if self.items.iter().any(|it| it.label == label) {
            return;
        }
        let key = if (label, detail) == ("enum", Some("type")) { "enum_type" } else { label };
        let is_word = kind == CompletionItemKind::KEYWORD;
        let snippet = SNIPPETS.iter().find(|(word, _)| self.snippets && is_word && *word == key).map(|(_, text)| (*text).to_owned());
        self.items.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: detail.filter(|it| !it.is_empty()).map(str::to_owned),
            documentation: text.map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })),
            insert_text_format: snippet.as_ref().map(|_| InsertTextFormat::SNIPPET),
            insert_text: snippet,
            ..CompletionItem::default()
        });
    }
}

fn kind(declares: Declares) -> CompletionItemKind {
    match declares {
        Declares::Entity(_) => CompletionItemKind::CLASS,
        Declares::Enum(_) => CompletionItemKind::ENUM,
        Declares::Archetype(_) => CompletionItemKind::INTERFACE,
        Declares::Persona(_) => CompletionItemKind::CONSTANT,
        Declares::Service(_) | Declares::Process(_) | Declares::LlmIntent(_) => CompletionItemKind::FUNCTION,
        Declares::Field(..) => CompletionItemKind::FIELD,
        Declares::Value(..) => CompletionItemKind::ENUM_MEMBER,
        Declares::App | Declares::Surface(_) | Declares::Section(..) | Declares::Workspace(_) | Declares::Region(..) => {
            CompletionItemKind::MODULE
        }
        Declares::Step(..)
        | Declares::ExperienceStep(..)
        | Declares::Schedule(_)
        | Declares::LlmModel(_)
        | Declares::Story(_)
        | Declares::Experience(_)
        | Declares::Scenario(_)
        | Declares::Other => CompletionItemKind::VARIABLE,
    }
}

fn is_text(field: &Field) -> bool {
    field.is_stored() && field.ty.is_text() && !field.sensitive && !field.secret
}

/// True if the next word of a line is an item of its list.
fn begins_item(before: &str, key: &str) -> bool {
    before == key || before == format!("{key}:") || before.ends_with([',', '[', '('])
}

/// The entity at the end of a path of refs.
fn follow(model: &Model, id: EntityId, path: &str) -> Option<EntityId> {
    path.split('.').try_fold(id, |id, word| {
        if word == "current_user" {
            return Some(model.account);
        }
        model.entity(id).fields.iter().find(|it| it.name == word).and_then(|it| it.ty.target())
    })
}
