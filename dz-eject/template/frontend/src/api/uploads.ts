/** Uploads: a file is sent first, and then a row names it by its key. */
import { z } from "zod";
import { parse } from "./client";
import { Problem, readProblem } from "./problem";

const upload = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  type: z.string(),
});

/** A file that no row uses yet. */
export type Upload = z.infer<typeof upload>;

async function read(request: XMLHttpRequest): Promise<Upload> {
  const response = new Response(request.responseText, { status: request.status });
  if (!response.ok) {
    throw await readProblem(response);
  }
  return parse(response, upload);
}

/**
 * Sends a file. `onProgress` gets the part that is sent, from 0 to 1.
 *
 * `fetch` does not report how much of a body is sent, so this is an `XMLHttpRequest`.
 */
export function sendFile(
  path: string,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) {
        onProgress(event.loaded / event.total);
      }
    };
    request.onerror = () =>
      reject(new Problem(0, "OFFLINE", "The server cannot be reached; check the connection"));
    request.onabort = () => reject(new DOMException("The upload was stopped", "AbortError"));
    request.onload = () => read(request).then(resolve, reject);
    signal.addEventListener("abort", () => request.abort());
    const body = new FormData();
    body.set("file", file);
    request.send(body);
  });
}
