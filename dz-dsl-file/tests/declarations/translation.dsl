app glossary "Glossary of a translation bureau":
  multi_tenant: false
persona lexicographer
persona translator "Translator"
entity Language:
  id: str(2) pk
  name: str(30) required unique
  rtl: bool = false
  permit:
    list: true
    read: true
entity Concept:
  id: uuid pk
  domain_name: str(40)
  definition: text required
  terms: has_many Term cascade
  languages: computed count(terms)
  complete: computed languages >= 5 and all(terms where status = approved)
  permit:
    list: role(lexicographer, translator)
    read: role(lexicographer, translator)
    create: role(lexicographer)
    update: role(lexicographer)
    delete: role(lexicographer) and count(terms) = 0
entity Term "Term":
  id: uuid pk
  concept: belongs_to Concept required
  language: ref Language required
  text: str(200) required searchable
  gender: enum[m, f, n] optional
  note: str(400)
  source: url
  proposed_by: ref User = current_user
  status: enum[proposed, approved, deprecated] = proposed
  transitions:
    proposed -> approved "Approve": role(lexicographer)
      guard: proposed_by != current_user
    approved -> deprecated: role(lexicographer)
    proposed -> deprecated: auto after 90 days or manual
    final: approved, deprecated
  permit:
    list: authenticated
    read: authenticated
    create: role(translator, lexicographer)
    update: role(lexicographer) or proposed_by = current_user
    transition: role(lexicographer)
    vote: role(translator)
  unique concept, language, text
  invariant: trim(text) = text and text != ""
    message: "No blanks around a term"
    code: BLANKS
surface term_list "Terms":
  uses entity Term
  mode: list
  section main:
    field text
    field language.name
    field status
    field source format: link
  ux:
    sort: text asc
    filter: status, language
    search: text, note
    for translator:
      scope: status = approved or proposed_by = current_user
      action_primary: term_new
surface term_new "Propose a term":
  uses entity Term
  mode: create
  section main:
    field concept
    field language widget=picker
    field text
    field gender widget=radio
    field source
surface concept_view "Concept":
  uses entity Concept
  mode: view
  section main:
    field definition
    field complete
  section terms "Terms":
    uses entity Term
    filter: concept = this and status != deprecated
    field text
    field language.name "Language"
workspace desk:
  new_terms "Proposed":
    source: Term
    filter: status = proposed
    sort: text asc
    action: term_list
  by_language:
    source: Term
    display: pivot
    group_by: [language, status]
