// Makes a pattern of the words and arcs of a sentence that are chosen.

const builder = document.querySelector(".builder");
const words = JSON.parse(builder.dataset.words).map((each) => ({ ...each, keys: Object.fromEntries(each.keys) }));
const [field, said, replaced, rows] = ["#pattern", ".said", ".replaced", ".chosen"].map((each) => builder.querySelector(each));
const drawn = (kind, at) => document.querySelector(`.picture g.${kind}[data-at="${at}"]`);
const nodes = new Map(); // by place, the keys of each chosen word that its node has
const edges = new Set(); // the places of words whose arc is chosen
let inOrder = false;
let drafted = ""; // the pattern of what is chosen
let asked = 0;

const chosen = () => [...nodes.keys()].sort((a, b) => a - b);
const nameOf = (at) => {
  const own = (words[at].keys.upos ?? "X").replace(/\W/g, "_");
  const alike = chosen().filter((each) => words[each].keys.upos === words[at].keys.upos);
  return alike.length > 1 ? `${own}${alike.indexOf(at) + 1}` : own;
};
const formOf = (at) => words[at].keys.form ?? "_";
const written = (key, text) => (/^[a-z]\w*$/i.test(text) && !["form", "lemma"].includes(key) ? text : `"${text.replace(/[\\"]/g, "\\$&")}"`);
const write = () => {
  const places = chosen();
  const parts = places.map((at) => `${nameOf(at)} [${Object.keys(words[at].keys).filter((key) => nodes.get(at).has(key)).map((key) => `${key}=${written(key, words[at].keys[key])}`).join(", ")}]`);
  parts.push(...[...edges].map((at) => `${nameOf(words[at].head)} -[${words[at].relation}]-> ${nameOf(at)}`));
  if (inOrder) parts.push(...places.slice(1).map((at, before) => `${nameOf(places[before])} << ${nameOf(at)}`));
  return parts.length ? `pattern { ${parts.join("; ")} }` : "";
};
const count = async () => {
  const [pattern, number] = [field.value.trim(), ++asked];
  said.textContent = pattern ? "…" : "nothing is chosen yet";
  if (!pattern) return;
  const address = (more) => `${builder.getAttribute("action")}?${new URLSearchParams({ q: pattern, ...more })}`;
  const answer = await documentAt(address({ rows: 1 })).catch(() => null);
  if (number !== asked) return;
  const found = answer?.querySelector(".facts li, .refusal");
  const text = answer ? found?.textContent : "no answer from the server; it may have ended";
  said.replaceChildren(found?.matches("li") ? element("a", { href: address({}) }, text) : text ?? "");
};
const ticked = (text, checked, turn) => {
  const box = element("input", { type: "checkbox", checked, onchange: () => { turn(box.checked); show(false); } });
  return element("label", {}, box, ` ${text}`);
};
const show = (isNew = true) => {
  words.forEach((_, at) => {
    drawn("token", at)?.setAttribute("aria-pressed", String(nodes.has(at)));
    drawn("arc", at)?.setAttribute("aria-pressed", String(edges.has(at)));
  });
  if (isNew) {
    rows.replaceChildren(...chosen().map((at) => {
      const boxes = Object.entries(words[at].keys).map(([key, value]) => ticked(`${key} ${value}`, nodes.get(at).has(key), (isOn) => {
        nodes.get(at)[isOn ? "add" : "delete"](key);
      }));
      return element("fieldset", {}, element("legend", {}, `${nameOf(at)}: ${formOf(at)}`), ...boxes);
    }));
    if (nodes.size > 1) rows.append(ticked("in this order", inOrder, (isOn) => { inOrder = isOn; }));
  }
  const typed = field.value;
  if (typed.trim() && typed !== drafted) {
    const undo = button("Bring it back", () => { field.value = typed; replaced.replaceChildren(); count(); });
    replaced.replaceChildren("What was typed is replaced by what is chosen. ", undo);
  }
  field.value = drafted = write();
  count();
};
const add = (at) => nodes.has(at) || nodes.set(at, new Set([words[at].keys.upos ? "upos" : "form"]));
const choose = (kind, at) => {
  if (kind === "arc" && !edges.delete(at)) {
    [at, words[at].head].forEach(add);
    edges.add(at);
  } else if (kind === "token" && !nodes.delete(at)) add(at);
  [...edges].filter((each) => !nodes.has(each) || !nodes.has(words[each].head)).forEach((each) => edges.delete(each));
  show();
};
document.querySelectorAll(".picture g[data-at]").forEach((group) => {
  const [kind, at] = [group.getAttribute("class"), Number(group.dataset.at)];
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "0");
  group.setAttribute("aria-label", kind === "arc" ? `${words[at].relation} of ${formOf(words[at].head)}: ${formOf(at)}` : formOf(at));
  group.addEventListener("click", () => choose(kind, at));
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(kind, at);
  });
});
document.querySelector(".picture svg")?.setAttribute("role", "group"); // what is in an image is no button
field.addEventListener("change", count);
show();
