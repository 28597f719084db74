import { useState } from "react";
import type { ReactNode } from "react";
import type { Transition } from "../api/rows";
import { useSession } from "../api/session";
import { address } from "../router";
import { members } from "./fields";
import type { FieldInfo } from "./fields";
import { Message } from "./messages";
import { Value } from "./values";

interface RowDetailProps {
  title: string;
  table: string;
  id: string;
  fields: readonly FieldInfo[];
  row: object;
  error: Error | null;
  canEdit: boolean;
  /** Deletes the row; null if no caller can. */
  onDelete: (() => void) | null;
  children?: ReactNode;
}

/** The fields of a row, with what a caller can do with it. */
export function RowDetail(props: RowDetailProps) {
  const values = members(props.row);
  return (
    <article>
      <div className="heading">
        <h1>{props.title}</h1>
        {props.canEdit ? (
          <a className="button" href={address(props.table, props.id, "edit")}>
            Edit
          </a>
        ) : null}
        {props.onDelete ? <Delete onDelete={props.onDelete} /> : null}
      </div>
      <Message error={props.error} />
      <dl>
        {props.fields.map((field) => (
          <div key={field.name}>
            <dt>{field.title}</dt>
            <dd>
              <Value control={field.control} value={values[field.name]} preview />
            </dd>
          </div>
        ))}
      </dl>
      {props.children}
    </article>
  );
}

/** A deletion needs a second click. */
function Delete({ onDelete }: { onDelete: () => void }) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <button type="button" onClick={() => setAsked(true)}>
        Delete
      </button>
    );
  }
  return (
    <>
      <button type="button" className="danger" onClick={onDelete}>
        Delete this row
      </button>
      <button type="button" onClick={() => setAsked(false)}>
        Keep it
      </button>
    </>
  );
}

interface TransitionsProps<State> {
  transitions: readonly Transition<State>[];
  state: State | null;
  isChanging: boolean;
  onChange: (state: State) => void;
}

/** Buttons for the transitions that the state has and the roles of the caller allow. */
export function Transitions<State extends string>(props: TransitionsProps<State>) {
  const roles = useSession().data?.roles ?? [];
  const possible = props.transitions.filter(
    (it) => it.from === props.state && (it.roles.length === 0 || it.roles.some((role) => roles.includes(role))),
  );
  if (possible.length === 0) {
    return null;
  }
  return (
    <p className="actions" role="group" aria-label="Transitions">
      {possible.map((it) => (
        <button
          key={it.to}
          type="button"
          disabled={props.isChanging}
          onClick={() => props.onChange(it.to)}
        >
          {it.title}
        </button>
      ))}
    </p>
  );
}
