//! A description of an application with the titles of another language.
//!
//! The copy has the names, positions, rules and expressions of the original, so that pages, messages and SQL of a request work with either.

use dz_vocabulary::text_key as key;

use crate::def::{
    ActionDef, AppDef, AttentionDef, ColumnDef, EntityDef, EnumDef, EnumValueDef, ExperienceDef, FieldDef, FigureDef, InvariantDef, Kind,
    LanguagesDef, ListUx, MetricDef, NestedList, Path, RegionDef, RelatedDef, RoleDef, SectionBody, SectionDef, StatesDef, StepDef,
    SurfaceDef, TransitionDef, VariantDef, WorkspaceDef, WorkspaceVariantDef,
};

/// The text of a key in the language; `None` if there is none.
pub(super) type Find<'f> = &'f dyn Fn(&str) -> Option<&'static str>;

struct Translator<'f> {
    app: &'static AppDef,
    find: Find<'f>,
}

/// The copy of `app` with the texts that `find` knows; `tag` is its language. Copies live as long as the process.
pub(super) fn translate(app: &'static AppDef, tag: &'static str, find: Find<'_>) -> &'static AppDef {
    let translator = Translator { app, find };
    let entities: Vec<&'static EntityDef> = app.entities.iter().map(|entity| leak(translator.entity(entity))).collect();
    let surfaces: Vec<&'static SurfaceDef> = app.surfaces.iter().map(|surface| leak(translator.surface(surface))).collect();
    leak(AppDef {
        title: translator.text(key::APP, app.title),
        locale: tag,
        languages: LanguagesDef { original: Some(app), ..app.languages },
        roles: list(app.roles, |role| RoleDef { title: translator.text(&key::role(role.name), role.title), ..role.clone() }),
        entities: entities.leak(),
        surfaces: surfaces.leak(),
        workspaces: list(app.workspaces, |it| translator.workspace(it)),
        experiences: list(app.experiences, |it| translator.experience(it)),
        ..app.clone()
    })
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn list<T>(items: &'static [T], of: impl FnMut(&'static T) -> T) -> &'static [T] {
    items.iter().map(of).collect::<Vec<T>>().leak()
}

impl Translator<'_> {
    fn text(&self, key: &str, text: &'static str) -> &'static str {
        (self.find)(key).unwrap_or(text)
    }

    fn option(&self, key: &str, text: Option<&'static str>) -> Option<&'static str> {
        text.map(|text| self.text(key, text))
    }

    fn entity(&self, entity: &'static EntityDef) -> EntityDef {
        let fields = list(entity.fields, |field| FieldDef {
            title: self.text(&key::field(entity.name, field.name), field.title),
            kind: self.kind(field.kind),
            ..field.clone()
        });
        let invariants = entity
            .invariants
            .iter()
            .enumerate()
            .map(|(at, it)| InvariantDef { message: self.option(&key::invariant(entity.name, at + 1), it.message), ..it.clone() });
        EntityDef {
            title: self.text(&key::entity(entity.name), entity.title),
            title_plural: self.text(&key::plural(entity.name), entity.title_plural),
            fields,
            states: entity.states.map(|states| leak(self.states(entity, states))),
            invariants: invariants.collect::<Vec<_>>().leak(),
            ..entity.clone()
        }
    }

    fn kind(&self, kind: Kind) -> Kind {
        let Some(of) = kind.enumeration() else { return kind };
        let values = list(of.values, |value| EnumValueDef { title: self.text(&key::value(of.name, value.name), value.title), ..*value });
        Kind::Enum(leak(EnumDef { values, ..*of }))
    }

    fn states(&self, entity: &'static EntityDef, states: &'static StatesDef) -> StatesDef {
        let name = |at: u16| {
            let of = entity.field(states.field).kind.enumeration();
            of.and_then(|of| of.values.get(usize::from(at))).map_or("", |value| value.name)
        };
        let rows = states.rows.iter().enumerate().map(|(at, row)| {
            let first = states.transitions.iter().find(|(.., of)| usize::from(*of) == at);
            let key = first.map_or_else(String::new, |(from, to, _)| key::transition(entity.name, name(*from), name(*to)));
            TransitionDef {
                label: self.option(&key, row.label),
                message: self.option(&key::part(&key, "message"), row.message),
                ..row.clone()
            }
        });
        StatesDef { rows: rows.collect::<Vec<_>>().leak(), ..*states }
    }

    fn surface(&self, surface: &'static SurfaceDef) -> SurfaceDef {
        let own = key::surface(surface.name);
        let action = |it: &'static ActionDef| ActionDef { title: self.text(&key::action(surface.name, it.name), it.title), ..*it };
        let attention = surface
            .attention
            .iter()
            .enumerate()
            .map(|(at, it)| AttentionDef { message: self.text(&key::attention(surface.name, at + 1), it.message), ..it.clone() });
        SurfaceDef {
            title: self.text(&own, surface.title),
            purpose: self.option(&key::part(&own, "purpose"), surface.purpose),
            sections: list(surface.sections, |it| self.section(surface.name, it)),
            related: list(surface.related, |it| RelatedDef {
                title: self.text(&key::related(surface.name, it.name), it.title),
                lists: list(it.lists, |nested| self.nested(&key::related(surface.name, it.name), nested)),
                ..it.clone()
            }),
            clicks: list(surface.clicks, action),
            submits: list(surface.submits, action),
            ux: ListUx { empty: self.option(&key::part(&own, "empty"), surface.ux.empty), ..surface.ux.clone() },
            attention: attention.collect::<Vec<_>>().leak(),
            variants: list(surface.variants, |it| self.variant(surface.name, it)),
            ..surface.clone()
        }
    }

    fn section(&self, surface: &str, section: &'static SectionDef) -> SectionDef {
        let own = key::section(surface, section.name);
        let owner = key::surface(surface);
        SectionDef {
            title: self.option(&own, section.title),
            note: self.option(&key::part(&own, "note"), section.note),
            body: match &section.body {
                SectionBody::Fields(columns) => SectionBody::Fields(list(columns, |column| self.column(&owner, column))),
                SectionBody::Nested(nested) => SectionBody::Nested(self.nested(&own, nested)),
            },
            ..section.clone()
        }
    }

    fn nested(&self, owner: &str, nested: &'static NestedList) -> NestedList {
        NestedList { columns: list(nested.columns, |column| self.column(owner, column)), ..nested.clone() }
    }

    /// A label that is the title of its field is translated as the field, unless the surface has its own.
    fn column(&self, owner: &str, column: &'static ColumnDef) -> ColumnDef {
        let names = path_names(self.app, column.path);
        let (end, label) = (column.path.end(self.app), key::label(owner, &names));
        let field = end.field(self.app);
        let inherited = || if column.label == field.title { (self.find)(&key::field(end.entity(self.app).name, field.name)) } else { None };
        ColumnDef {
            label: (self.find)(&label).or_else(inherited).unwrap_or(column.label),
            help: self.option(&key::help(owner, &names), column.help),
            ..*column
        }
    }

    fn persona(&self, roles: u64) -> &'static str {
        self.app.roles.get(roles.trailing_zeros() as usize).map_or("", |role| role.name)
    }

    fn variant(&self, surface: &str, variant: &'static VariantDef) -> VariantDef {
        let own = key::variant(&key::surface(surface), self.persona(variant.roles));
        let metrics = variant.metrics.iter().enumerate();
        VariantDef {
            purpose: self.option(&key::part(&own, "purpose"), variant.purpose),
            empty: self.option(&key::part(&own, "empty"), variant.empty),
            show: list(variant.show, |column| self.column(&key::surface(surface), column)),
            metrics: metrics
                .map(|(at, it)| MetricDef { title: self.text(&key::metric(&own, at + 1), it.title), ..*it })
                .collect::<Vec<_>>()
                .leak(),
            ..variant.clone()
        }
    }

    fn workspace(&self, workspace: &'static WorkspaceDef) -> WorkspaceDef {
        let own = key::workspace(workspace.name);
        WorkspaceDef {
            title: self.text(&own, workspace.title),
            purpose: self.option(&key::part(&own, "purpose"), workspace.purpose),
            regions: list(workspace.regions, |region| self.region(region)),
            variants: list(workspace.variants, |it| WorkspaceVariantDef {
                purpose: self.option(&key::part(&key::variant(&own, self.persona(it.roles)), "purpose"), it.purpose),
                ..it.clone()
            }),
            ..workspace.clone()
        }
    }

    fn region(&self, region: &'static RegionDef) -> RegionDef {
        let own = key::region(region.id);
        let sources = list(region.sources, |source| crate::def::SourceDef {
            columns: list(source.columns, |column| self.column(&own, column)),
            ..source.clone()
        });
        RegionDef {
            title: self.text(&own, region.title),
            empty: self.option(&key::part(&own, "empty"), region.empty),
            sources,
            figures: list(region.figures, |it| FigureDef { title: self.text(&key::figure(region.id, it.name), it.title), ..it.clone() }),
            ..region.clone()
        }
    }

    fn experience(&self, experience: &'static ExperienceDef) -> ExperienceDef {
        let step = |it: &'static StepDef| StepDef { title: self.text(&key::step(experience.name, it.name), it.title), ..it.clone() };
        ExperienceDef {
            title: self.text(&key::experience(experience.name), experience.title),
            steps: list(experience.steps, step),
            ..experience.clone()
        }
    }
}

/// The names of the fields of a path.
fn path_names(app: &'static AppDef, path: Path) -> Vec<&'static str> {
    path.steps(app).iter().map(|step| step.field(app).name).collect()
}
