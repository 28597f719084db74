import { useState } from "react";
import type { FormEvent } from "react";
import type { z } from "zod";
import { Problem } from "../api/problem";
import type { FieldErrors } from "../api/problem";
import { FieldControl } from "./controls";
import { changes, draftOf, members } from "./fields";
import type { FieldInfo } from "./fields";
import { Message } from "./messages";

interface RowFormProps<Values> {
  title: string;
  fields: readonly FieldInfo[];
  schema: z.ZodType<Values>;
  /** The row that is changed; null for a new one. */
  row: object | null;
  error: Error | null;
  isSaving: boolean;
  /** The address of the page to which a caller returns without saving. */
  back: string;
  onSave: (values: Values) => void;
}

/** A form over the fields of a row. What the schema refuses is not sent. */
export function RowForm<Values>(props: RowFormProps<Values>) {
  const { fields, schema, row, error } = props;
  const [before] = useState(() => draftOf(fields, row));
  const [draft, setDraft] = useState(before);
  const [refused, setRefused] = useState<FieldErrors>({});
  const [busy, setBusy] = useState(0);
  const answered = error instanceof Problem ? error.fieldErrors : {};

  function submit(event: FormEvent) {
    event.preventDefault();
    const values = changes(fields, before, draft);
    const missing = row === null ? fields.filter((it) => it.required && !(it.name in values)) : [];
    const parsed = schema.safeParse(values);
    const errors: FieldErrors = Object.fromEntries(missing.map((it) => [it.name, ["is required"]]));
    for (const issue of parsed.error?.issues ?? []) {
      const name = String(issue.path[0]);
      errors[name] = [...new Set([...(errors[name] ?? []), issue.message])];
    }
    setRefused(errors);
    if (parsed.success && missing.length === 0) {
      props.onSave(parsed.data);
    }
  }

  return (
    <form className="row-form" onSubmit={submit} noValidate>
      <h1>{props.title}</h1>
      <Message error={error} />
      {fields.map((field) => (
        <FieldControl
          key={field.name}
          field={field}
          stored={row === null ? null : members(row)[field.name]}
          text={draft[field.name] ?? ""}
          messages={refused[field.name] ?? answered[field.name] ?? []}
          onChange={(text) => setDraft((draft) => ({ ...draft, [field.name]: text }))}
          onBusy={(isBusy) => setBusy((count) => count + (isBusy ? 1 : -1))}
        />
      ))}
      <p className="actions">
        <button type="submit" disabled={props.isSaving || busy > 0}>
          Save
        </button>
        <a href={props.back}>Cancel</a>
      </p>
    </form>
  );
}
