import { useEffect, useRef, useState } from "react";
import type { StoredFile } from "../api/kinds";
import { Problem } from "../api/problem";
import { sendFile } from "../api/uploads";
import type { Upload } from "../api/uploads";
import type { FileInfo } from "./fields";

/** The images that the backend lets browsers show. */
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** A number of bytes for people. */
export function sizeText(bytes: number): string {
  const units: [string, number][] = [
    ["GB", 1e9],
    ["MB", 1e6],
    ["KB", 1e3],
  ];
  const [name, unit] = units.find(([, unit]) => bytes >= unit) ?? ["bytes", 1];
  return `${Math.floor((bytes / unit) * 10) / 10} ${name}`;
}

/** A link to a file of a row; with `preview` an image is shown. */
export function FileLink({ file, preview = false }: { file: StoredFile; preview?: boolean }) {
  return (
    <span className="file">
      {preview && IMAGES.includes(file.type) ? <img src={file.url} alt="" /> : null}
      <span>
        <a href={file.url} target="_blank" rel="noreferrer">
          {file.name}
        </a>{" "}
        <small>{sizeText(file.size)}</small>
      </span>
    </span>
  );
}

interface FileControlProps {
  to: FileInfo;
  about: { id: string; name: string };
  /** The file of the row that the form changes. */
  stored: StoredFile | null;
  /** The key of the file that the row gets; empty for none. */
  text: string;
  onChange: (text: string) => void;
  onBusy: (isBusy: boolean) => void;
}

/** A control that uploads the chosen file at once, so that the form sends its key only. */
export function FileControl(props: FileControlProps) {
  const { to, about, stored, text, onChange, onBusy } = props;
  const [sent, setSent] = useState<{ upload: Upload; preview: string | null } | null>(null);
  const [part, setPart] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  useEffect(
    () => () => {
      if (sent?.preview) {
        URL.revokeObjectURL(sent.preview);
      }
    },
    [sent],
  );

  async function choose(file: File) {
    setError(null);
    if (to.limit !== null && file.size > to.limit) {
      setError(`may have at most ${sizeText(to.limit)}`);
      return;
    }
    const controller = new AbortController();
    stop.current = controller;
    setPart(0);
    onBusy(true);
    try {
      const upload = await sendFile(to.path, file, setPart, controller.signal);
      const preview = IMAGES.includes(upload.type) ? URL.createObjectURL(file) : null;
      setSent({ upload, preview });
      onChange(upload.id);
    } catch (reason) {
      if (!controller.signal.aborted) {
        const messages = reason instanceof Problem ? Object.values(reason.fieldErrors).flat() : [];
        setError(messages.join(", ") || (reason instanceof Error ? reason.message : String(reason)));
      }
    } finally {
      setPart(null);
      onBusy(false);
    }
  }

  return (
    <div className="file-control">
      {sent !== null && sent.upload.id === text ? (
        <span className="file">
          {sent.preview === null ? null : <img src={sent.preview} alt="" />}
          <span>
            {sent.upload.name} <small>{sizeText(sent.upload.size)}</small>
          </span>
        </span>
      ) : null}
      {stored !== null && stored.id === text ? <FileLink file={stored} preview /> : null}
      <input
        {...about}
        type="file"
        disabled={part !== null}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) {
            void choose(file);
          }
        }}
      />
      {to.limit === null ? null : <small>At most {sizeText(to.limit)}.</small>}
      {part === null ? null : (
        <span className="progress">
          <progress max={1} value={part} aria-label="Upload" />
          <button type="button" onClick={() => stop.current?.abort()}>
            Stop
          </button>
        </span>
      )}
      {text === "" || part !== null ? null : (
        <button type="button" onClick={() => onChange("")}>
          Remove the file
        </button>
      )}
      {error === null ? null : (
        <p className="wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
