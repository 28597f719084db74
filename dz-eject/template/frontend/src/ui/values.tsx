import { address } from "../router";
import type { StoredFile } from "../api/kinds";
import { members } from "./fields";
import type { Control, ReferenceInfo } from "./fields";
import { FileLink } from "./files";
import { useLabel } from "./references";

interface ValueProps {
  control: Control;
  value: unknown;
  /** True where there is space for images. */
  preview?: boolean;
}

/** The value of a field. */
export function Value({ control, value, preview = false }: ValueProps) {
  if (value === null || value === undefined || value === "") {
    return <span className="none">–</span>;
  }
  switch (control.kind) {
    case "bool":
      return <>{value === true ? "Yes" : "No"}</>;
    case "choice":
      return <span className="badge">{control.titles[String(value)] ?? String(value)}</span>;
    case "timestamp":
      return <time dateTime={String(value)}>{new Date(String(value)).toLocaleString()}</time>;
    case "url":
      return (
        <a href={String(value)} rel="noreferrer">
          {String(value)}
        </a>
      );
    case "email":
      return <a href={`mailto:${String(value)}`}>{String(value)}</a>;
    case "json":
      return <code>{JSON.stringify(value)}</code>;
    case "money": {
      const { amount, currency } = members(value as object);
      return <>{`${amount} ${currency}`}</>;
    }
    case "file":
      return <FileLink file={value as StoredFile} preview={preview} />;
    case "reference":
      return <Reference to={control} id={String(value)} />;
    default:
      return <>{String(value)}</>;
  }
}

function Reference({ to, id }: { to: ReferenceInfo; id: string }) {
  const text = useLabel(to, id);
  return text === null ? <span>{id.slice(0, 8)}</span> : <a href={address(to.table, id)}>{text}</a>;
}
