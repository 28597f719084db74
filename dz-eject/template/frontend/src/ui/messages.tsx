import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "../api/problem";

/** What went wrong, if something did. */
export function Message({ error }: { error: Error | null }) {
  if (error === null) {
    return null;
  }
  const id = error instanceof Problem ? error.requestId : null;
  return (
    <p className="message" role="alert">
      {error.message}
      {id === null ? null : <small> (request {id})</small>}
    </p>
  );
}

/** Shown while a response is expected. */
export function Waiting() {
  return <p role="status">Loading…</p>;
}

/** What `children` writes about a response, once it is there. */
export function Loaded<T>({
  result,
  children,
}: {
  result: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}) {
  if (result.data !== undefined) {
    return (
      <>
        <Message error={result.error} />
        {children(result.data)}
      </>
    );
  }
  return result.isError ? <Message error={result.error} /> : <Waiting />;
}
