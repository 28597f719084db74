/** The fields of rows: how each is shown and entered, and what the controls of a form contain. */
import { Unreadable } from "../api/kinds";

/** How a field is shown and entered. */
export type Control =
  | { kind: "text" | "area" | "email" | "url" | "decimal" | "number" | "json" }
  | { kind: "bool" | "date" | "timestamp" }
  | { kind: "choice"; titles: Readonly<Record<string, string>> }
  | { kind: "money"; currency: string | null }
  | ({ kind: "reference" } & ReferenceInfo)
  | ({ kind: "file" } & FileInfo);

/** Where the files of a field are sent. */
export interface FileInfo {
  path: string;
  /** The most bytes of a file, if the field has a limit of its own. */
  limit: number | null;
}

/** The rows that a field can name. */
export interface ReferenceInfo {
  table: string;
  /** The name of the field with their key. */
  key: string;
  /** True if the key is a number. */
  isNumber?: boolean;
  /** The name of the field with their label. */
  label: string | null;
}

/** A field of a row. */
export interface FieldInfo {
  name: string;
  title: string;
  control: Control;
  required?: boolean;
  /** The text that its control has in the form of a new row: the default. */
  initial?: string;
  /** True if the lists of the API can be sorted by it. */
  sortable?: boolean;
}

/** The texts of the controls of a form, by the names of their fields. */
export type Draft = Readonly<Record<string, string>>;

/** The members of a row, by their names. */
export function members(row: object): Readonly<Record<string, unknown>> {
  return { ...row };
}

/** What the control of a field contains for a value. */
export function draftText(control: Control, value: unknown): string {
  if (value === null || value === undefined) {
    return "";
  }
  switch (control.kind) {
    case "json":
      return JSON.stringify(value, null, 2);
    case "timestamp":
      return localTime(String(value));
    case "file":
      return String(members(value as object)["id"]);
    case "money": {
      const { amount, currency } = members(value as object);
      return control.currency === null ? `${amount} ${currency}` : String(amount);
    }
    default:
      return String(value);
  }
}

/** The value that the text of a control means. */
export function readText(control: Control, text: string): unknown {
  if (control.kind === "bool") {
    return text === "true";
  }
  const trimmed = text.trim();
  if (trimmed === "") {
    return null;
  }
  switch (control.kind) {
    case "number": {
      const value = Number(trimmed);
      return Number.isNaN(value) ? trimmed : value;
    }
    case "json":
      try {
        return JSON.parse(trimmed);
      } catch {
        return new Unreadable(text);
      }
    case "timestamp": {
      const time = new Date(trimmed);
      return Number.isNaN(time.getTime()) ? trimmed : time.toISOString();
    }
    case "money": {
      const [amount = "", currency = ""] = trimmed.split(/\s+/);
      return { amount, currency: control.currency ?? currency.toUpperCase() };
    }
    case "reference":
      return control.isNumber === true ? Number(trimmed) : trimmed;
    case "decimal":
    case "email":
      return trimmed;
    default:
      return text;
  }
}

/** The draft of a form over a row, or over the defaults of a new one. */
export function draftOf(fields: readonly FieldInfo[], row: object | null): Draft {
  const values = row === null ? null : members(row);
  const text = (it: FieldInfo) =>
    values === null ? (it.initial ?? "") : draftText(it.control, values[it.name]);
  return Object.fromEntries(fields.map((it) => [it.name, text(it)]));
}

/** The values of the controls that differ from `before`: an untouched control changes nothing. */
export function changes(
  fields: readonly FieldInfo[],
  before: Draft,
  draft: Draft,
): Record<string, unknown> {
  const touched = fields.filter((it) => draft[it.name] !== before[it.name]);
  return Object.fromEntries(
    touched.map((it) => [it.name, readText(it.control, draft[it.name] ?? "")]),
  );
}

/** A time of the API as a control for times of this device contains it. */
function localTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    return text;
  }
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
