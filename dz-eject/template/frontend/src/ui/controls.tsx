import { useId, useState } from "react";
import type { StoredFile } from "../api/kinds";
import type { FieldInfo, ReferenceInfo } from "./fields";
import { FileControl } from "./files";
import { useChoices, useLabel } from "./references";

interface ControlProps {
  field: FieldInfo;
  /** What the row has in the field. */
  stored: unknown;
  text: string;
  messages: readonly string[];
  onChange: (text: string) => void;
  /** Called when the control begins or ends to send something. */
  onBusy: (isBusy: boolean) => void;
}

/** A labelled control with the messages about its value. */
export function FieldControl(props: ControlProps) {
  const id = useId();
  const { field, messages } = props;
  const wrong = messages.length > 0;
  return (
    <div className="field">
      <label htmlFor={id}>
        {field.title}
        {field.required ? <abbr title="required"> *</abbr> : null}
      </label>
      <Control {...props} id={id} />
      {wrong ? (
        <p id={`${id}-message`} className="wrong">
          {messages.join(", ")}
        </p>
      ) : null}
    </div>
  );
}

const TYPES: Readonly<Record<string, string>> = {
  date: "date",
  timestamp: "datetime-local",
  email: "email",
  url: "url",
};

const MODES = { number: "numeric", decimal: "decimal", money: "decimal" } as const;

function Control(props: ControlProps & { id: string }) {
  const { field, stored, text, messages, onChange, onBusy, id } = props;
  const { control } = field;
  const about = {
    id,
    name: field.name,
    "aria-invalid": messages.length > 0,
    "aria-describedby": messages.length > 0 ? `${id}-message` : undefined,
  };
  switch (control.kind) {
    case "area":
    case "json":
      return (
        <textarea {...about} rows={4} value={text} onChange={(it) => onChange(it.target.value)} />
      );
    case "bool":
      return (
        <input
          {...about}
          type="checkbox"
          checked={text === "true"}
          onChange={(it) => onChange(String(it.target.checked))}
        />
      );
    case "choice":
      return (
        <select {...about} value={text} onChange={(it) => onChange(it.target.value)}>
          <option value="">–</option>
          {Object.entries(control.titles).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      );
    case "reference":
      return <Picker to={control} about={about} text={text} onChange={onChange} />;
    case "file": {
      const file = (stored ?? null) as StoredFile | null;
      return <FileControl to={control} stored={file} {...{ about, text, onChange, onBusy }} />;
    }
    case "text":
    case "email":
    case "url":
    case "date":
    case "timestamp":
    case "number":
    case "decimal":
    case "money": {
      const mode = control.kind in MODES ? MODES[control.kind as keyof typeof MODES] : undefined;
      return (
        <input
          {...about}
          type={TYPES[control.kind] ?? "text"}
          step={control.kind === "timestamp" ? 1 : undefined}
          inputMode={mode}
          value={text}
          onChange={(it) => onChange(it.target.value)}
        />
      );
    }
  }
}

interface PickerProps {
  to: ReferenceInfo;
  about: { id: string; name: string };
  text: string;
  onChange: (text: string) => void;
}

/** A list of the rows that the caller may read. More rows than a page are found by a part of their label. */
function Picker({ to, about, text, onChange }: PickerProps) {
  const [words, setWords] = useState("");
  const found = useChoices(to, words);
  const chosen = useLabel(to, text);
  const choices = found.data?.choices ?? [];
  const isListed = text === "" || choices.some((it) => it.id === text);
  const isLong = words !== "" || (found.data !== undefined && found.data.total > choices.length);
  return (
    <>
      {isLong && to.label !== null ? (
        <input
          type="search"
          aria-label="Find"
          value={words}
          onChange={(it) => setWords(it.target.value)}
        />
      ) : null}
      <select {...about} value={text} onChange={(it) => onChange(it.target.value)}>
        <option value="">–</option>
        {isListed ? null : <option value={text}>{chosen ?? text}</option>}
        {choices.map((it) => (
          <option key={it.id} value={it.id}>
            {it.text}
          </option>
        ))}
      </select>
    </>
  );
}
