import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { FileControl, FileLink, sizeText } from "./files";

const stored = {
  id: "0190b5f0-0000-7000-8000-000000000000",
  name: "plan.pdf",
  size: 1_500,
  type: "application/pdf",
  url: "/files/plans/1/plan",
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Answers uploads with this status and body, and returns the addresses. */
function answer(status: number, body: unknown): string[] {
  const sent: string[] = [];
  class Request {
    upload: { onprogress?: (event: object) => void } = {};
    status = status;
    responseText = JSON.stringify(body);
    onload = () => {};
    open(_method: string, path: string) {
      sent.push(path);
    }
    setRequestHeader() {}
    abort() {}
    send() {
      this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 });
      setTimeout(() => this.onload());
    }
  }
  vi.stubGlobal("XMLHttpRequest", Request);
  return sent;
}

function show(text: string) {
  const onChange = vi.fn();
  const onBusy = vi.fn();
  const to = { path: "/files/plans/plan", limit: 2_000 };
  const about = { id: "plan", name: "plan" };
  const { container } = render(
    <FileControl {...{ to, about, stored, text, onChange, onBusy }} />,
  );
  const choose = (size: number) => {
    const file = new File(["x".repeat(size)], "new.txt");
    fireEvent.change(container.querySelector("input")!, { target: { files: [file] } });
  };
  return { choose, onChange, onBusy };
}

test("sizes have units", () => {
  expect([0, 999, 1_500, 20_000_000].map(sizeText)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.5 KB",
    "20 MB",
  ]);
});

test("a link leads to the file", () => {
  render(<FileLink file={stored} />);
  expect(screen.getByRole("link", { name: "plan.pdf" }).getAttribute("href")).toBe(stored.url);
});

test("a chosen file is uploaded, and the row gets its key", async () => {
  const sent = answer(201, { id: "new", name: "new.txt", size: 5, type: "text/plain" });
  const { choose, onChange, onBusy } = show(stored.id);
  choose(5);
  await screen.findByRole("progressbar");
  await waitFor(() => expect(onChange).toHaveBeenCalledWith("new"));
  expect(sent).toEqual(["/files/plans/plan"]);
  await waitFor(() => expect(onBusy.mock.calls).toEqual([[true], [false]]));
});

test("a refusal is shown at the control", async () => {
  answer(403, { status: 403, code: "FORBIDDEN", detail: "You may not do this" });
  const { choose, onChange } = show("");
  choose(5);
  expect((await screen.findByRole("alert")).textContent).toBe("You may not do this");
  expect(onChange).not.toHaveBeenCalled();
});

test("a file that is too large is not sent", async () => {
  const sent = answer(201, {});
  const { choose } = show("");
  choose(2_001);
  expect((await screen.findByRole("alert")).textContent).toBe("may have at most 2 KB");
  expect(sent).toEqual([]);
});

test("a file can be removed", () => {
  const { onChange } = show(stored.id);
  fireEvent.click(screen.getByRole("button", { name: "Remove the file" }));
  expect(onChange).toHaveBeenCalledWith("");
});
