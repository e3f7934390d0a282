// The page about the service, drawn from its OpenAPI description.

import { byId, el, show } from "./dom.js";
import { themes } from "./keep.js";

const SAMPLES = {
  "POST /v1/parse": { words: ["untestably", "cats"], n: 2 },
  "POST /v1/view": { word: "untestably", n: 2 },
};

/** A schema in a few words: "list of Reading", "integer, 1 to 20". */
function kind(schema = {}) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(kind).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((item) => JSON.stringify(item)).join(" or ");
  if (schema.type === "array") {
    const most = schema.maxItems ? `, at most ${schema.maxItems.toLocaleString("en")}` : "";
    return `list of ${kind(schema.items)}${most}`;
  }
  const limits = [];
  if (schema.minimum !== undefined) limits.push(`${schema.minimum} to ${schema.maximum}`);
  if (schema.maxLength) limits.push(`at most ${schema.maxLength} characters`);
  if (schema.default !== undefined && schema.default !== "") limits.push(`otherwise ${schema.default}`);
  return [schema.type ?? "anything", ...limits].join(", ");
}

function rows(pairs) {
  return el("dl", { class: "rows" }, ...pairs.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
}

function sample(method, path) {
  const where = `${location.origin}${path.replace("{word}", "untestably")}`;
  const body = SAMPLES[`${method} ${path}`];
  const data = body ? ` -H 'content-type: application/json' -d '${JSON.stringify(body)}'` : "";
  return el("pre", { class: "try", tabindex: "0" }, el("code", {}, `curl '${where}'${data}`));
}

function operation(method, path, described) {
  const parameters = (described.parameters ?? []).map((item) =>
    [item.name, [item.description, kind(item.schema)].filter(Boolean).join(" ")]);
  const body = described.requestBody?.content?.["application/json"]?.schema;
  if (body) parameters.push(["body", kind(body)]);
  const answers = Object.entries(described.responses).map(([status, answer]) => {
    const schema = answer.content?.["application/json"]?.schema;
    return [status, status === "200" ? kind(schema) : answer.description];
  });
  return el("section", { class: "card operation" },
    el("h2", {}, el("span", { class: "method" }, method), path),
    el("p", {}, described.description ?? described.summary ?? ""),
    sample(method, path),
    parameters.length ? el("h3", {}, "Takes") : null, parameters.length ? rows(parameters) : null,
    el("h3", {}, "Answers"), rows(answers));
}

function schema(name, described) {
  const fields = Object.entries(described.properties ?? {}).map(([field, type]) =>
    [field, kind(type)]);
  return el("section", { class: "card schema" }, el("h3", {}, name),
    el("p", {}, described.description ?? ""), rows(fields));
}

async function start() {
  themes(byId("theme"));
  try {
    const found = await (await fetch("/openapi.json")).json();
    const all = Object.entries(found.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => operation(method.toUpperCase(), path, described)));
    show(byId("operations"), ...all);
    const schemas = Object.entries(found.components.schemas).filter(([name]) => !/Validation/.test(name));
    show(byId("schemas"), ...schemas.map(([name, described]) => schema(name, described)));
  } catch {
    byId("notice").hidden = false;
    byId("notice").textContent = "The description does not load. Is the service still running?";
  }
}

start();
