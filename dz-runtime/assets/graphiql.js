// Starts GraphiQL with the session of the browser.
const fetcher = async (request, options) => {
  const headers = { "Content-Type": "application/json", ...(options && options.headers) };
  const response = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify(request) });
  return response.json();
};
ReactDOM.createRoot(document.getElementById("graphiql")).render(React.createElement(GraphiQL, { fetcher }));
