//! The application's keys, and personas.

use dz_dsl_file::model::Proficiency;
use expect_test::expect;

use super::{check, check_alone, read};

#[test]
fn every_key_is_understood() {
    let text = "app shop \"Shop\":\n  description: \"Sells\"\n  default_locale: de_CH\n  timezone: \"Europe/Zurich\"\n  currency: CHF\n  theme: teal\n  multi_tenant: true\n  registration: false\n  slogan: \"Buy\"\npersona clerk \"Clerk\":\n  description: \"Sells\"\n  goals: [speed, \"few clicks\"]\n  proficiency: expert\n  default_workspace: home\n  default_route: \"/app/home\"\nworkspace home:\n  purpose: \"x\"\nentity Firm:\n  id: uuid pk\n  archetype: tenant\n";
    let analysis = read(text);
    let places: Vec<&str> = analysis.diagnostics.iter().map(|it| analysis.files.text(it.span)).collect();
    let model = analysis.model.expect("a model");
    let app = &model.app;
    assert_eq!(
        (app.locale.as_str(), app.currency.as_ref().map(|it| it.code()), app.multi_tenant, app.registration),
        ("de-CH", Some("CHF"), true, Some(false))
    );
    assert_eq!(app.extra, [("slogan".to_owned(), "Buy".to_owned())]);
    assert_eq!(app.span.map(|span| analysis.files.text(span)), Some("shop"));
    let clerk = &model.personas[0];
    assert_eq!(clerk.proficiency, Some(Proficiency::Expert));
    assert_eq!(
        clerk.default_workspace.map(|it| (model.workspaces[it.it.0].name.as_str(), analysis.files.text(it.span))),
        Some(("home", "home"))
    );
    assert_eq!(clerk.default_route.as_ref().map(|it| it.it.as_str()), Some("/app/home"));
    assert_eq!(places, ["clerk", "home"]);
}

#[test]
fn values_of_the_application_are_checked() {
    check(
        "app shop:\n  default_locale: english\n  timezone: \"Europe/Zurch\"\n  currency: chf\n  currncy: 1\n  theme: 400\n  multi_tenant: yes\n  registration: flase\n  theme: 4\napp other\n",
        expect![[r#"
            2:19 error[unknown-value]: `english` is not a language tag
                write a language, and a region where it matters: `en`, `de-CH`
            3:13 error[unknown-value]: unknown time zone `Europe/Zurch`
                did you mean "Europe/Zurich"?
                "\"Europe/Zurch\"" -> "\"Europe/Zurich\""
            4:13 error[unknown-value]: `chf` is not a currency
                write `CHF`
                "chf" -> "CHF"
            5:3 warning[similar-key]: `currncy` is kept without effect
                did you mean `currency`?
                "currncy" -> "currency"
            6:10 error[unknown-value]: `400` is not a theme
                write a hue from 0 to 359, or one of `blue`, `teal`, `green`, `amber`, `red`, `violet`, `pink`
            7:17 error[unknown-value]: `multi_tenant` is true or false, not `yes`
                write `multi_tenant: true` or `multi_tenant: false`
            8:17 error[unknown-value]: `registration` is true or false, not `flase`
                did you mean `false`?
                "flase" -> "false"
            9:3 error[duplicate-key]: `theme` is already set
                keep one of the two lines
            10:5 error[duplicate-name]: the application is declared twice
                keep one of the two"#]],
    );
    check(
        "app shop:\n  currency: francs\n  default_locale: zh-Hant-TW\n",
        expect![[r#"
            2:13 error[unknown-value]: `francs` is not a currency
                write its code of three letters, such as `EUR`"#]],
    );
}

#[test]
fn personas_have_a_start_page() {
    check_alone(
        "persona a:\n  proficiency: novise\n  default_workspace: hom\n  default_route: \"app/home\"\npersona b:\n  proficiency: 3\n  default_workspace: elsewhere\n  default_route: /app/home\npersona c:\n  default_workspace: \"home\"\n  default_route: \"https://example.com\"\n  defalt_route: \"/\"\nworkspace home:\n  purpose: \"x\"\n",
        expect![[r#"
            2:16 error[unknown-value]: `novise` is not a proficiency
                did you mean `novice`?
                "novise" -> "novice"
            3:22 error[unknown-workspace]: unknown workspace `hom`
                did you mean `home`?
                "hom" -> "home"
            4:18 error[bad-route]: `app/home` is not an address inside the application
                addresses begin with one `/`, such as "/app/tasks"
                "\"app/home\"" -> "\"/app/home\""
            6:16 error[unexpected-token]: expected `novice`, `intermediate` or `expert`, but found `3`
            7:22 error[unknown-workspace]: unknown workspace `elsewhere`
                known ones are `home`; or declare `workspace elsewhere:`
            8:18 error[unexpected-token]: expected the address of a page in quotes, such as `"/app/tasks"`, but found `/`
            10:22 error[unexpected-token]: expected a workspace, but found a string
            11:18 error[bad-route]: `https://example.com` is not an address inside the application
                addresses begin with one `/`, such as "/app/tasks"
            12:3 error[unknown-key]: `persona` has no key `defalt_route`
                did you mean `default_route`? The keys are `description`, `goals`, `proficiency`, `default_workspace`, `default_route`
                "defalt_route" -> "default_route""#]],
    );
    check_alone(
        "persona a:\n  default_route: \"/app/hom?x=1\"\npersona b:\n  default_route: \"/app/-/inbox\"\npersona c:\n  default_route: \"/anything\"\npersona d:\n  default_route: \"/app\"\npersona e:\n  default_workspace: home\nworkspace home:\n  purpose: \"x\"\n",
        expect![[r#"
            1:1 warning[empty-app]: the application declares no entity
                add `entity NAME:` with at least `id: uuid pk`
            1:9 lint[unused-persona]: no rule mentions the persona `a`
                use it: `role(a)`
            2:18 warning[unknown-route]: there is no surface or workspace `hom`
                did you mean `/app/home`?
                "\"/app/hom?x=1\"" -> "\"/app/home?x=1\""
            3:9 lint[unused-persona]: no rule mentions the persona `b`
                use it: `role(b)`
            5:9 lint[unused-persona]: no rule mentions the persona `c`
                use it: `role(c)`
            7:9 lint[unused-persona]: no rule mentions the persona `d`
                use it: `role(d)`
            9:9 lint[unused-persona]: no rule mentions the persona `e`
                use it: `role(e)`
            11:11 lint[dead-workspace]: workspace `home` shows nothing: it has no region
                add a region with a `source:` whose rows one of its callers is permitted to list"#]],
    );
    check_alone(
        "persona a:\n  default_workspace: home\n",
        expect![[r#"
            2:22 error[unknown-workspace]: unknown workspace `home`
                declare `workspace home:`"#]],
    );
}
