// Starts GraphiQL with the session of the browser.
const send = (request, headers) => fetch("/graphql", { method: "POST", headers, body: JSON.stringify(request) });

const isSubscription = (request, options) => {
  const all = options?.documentAST?.definitions ?? [];
  const isChosen = (it) => it.kind === "OperationDefinition" && (!request.operationName || it.name?.value === request.operationName);
  return all.filter(isChosen).some((it) => it.operation === "subscription");
};

// The results of a subscription, from its server-sent events.
async function* follow(request, headers) {
  const response = await send(request, { ...headers, Accept: "text/event-stream" });
  if (!response.ok) {
    yield await response.json();
    return;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) {
        const data = /^data: (.+)$/m.exec(event);
        if (data) yield JSON.parse(data[1]);
      }
    }
  } finally {
    await reader.cancel();
  }
}

const fetcher = async (request, options) => {
  const headers = { "Content-Type": "application/json", ...options?.headers };
  return isSubscription(request, options) ? follow(request, headers) : (await send(request, headers)).json();
};
ReactDOM.createRoot(document.getElementById("graphiql")).render(React.createElement(GraphiQL, { fetcher }));
