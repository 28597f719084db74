import { z } from "zod";

/** The body of a refusal (RFC 9457). */
const problemDocument = z.object({
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  field_errors: z.record(z.string(), z.array(z.string())).optional(),
  request_id: z.string().optional(),
});

/** The messages of each field. */
export type FieldErrors = Record<string, string[]>;

/** A refusal or a failure of a request. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    /** The status of the response; 0 if there was none. */
    readonly status: number,
    /** What programs recognise the problem by. */
    readonly code: string,
    detail: string,
    readonly fieldErrors: FieldErrors = {},
    readonly requestId: string | null = null,
  ) {
    super(detail);
  }

  /** True if the row has changed since it was read. */
  get isConflict(): boolean {
    return this.status === 412;
  }
}

/** The problem that a response describes. */
export async function readProblem(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const parsed = problemDocument.safeParse(body);
  if (!parsed.success) {
    const detail = "The server does not answer as expected; try again later";
    return new Problem(response.status, "UNREADABLE", detail);
  }
  const { status, code, detail, field_errors, request_id } = parsed.data;
  return new Problem(status, code, detail, field_errors, request_id ?? null);
}
