// Sentences are copied with their source, or kept for the page of the clipboard, by this browser alone.
"use strict";

const MOST_LINES = 2000;
const shelfOfLines = `${store}: lines`;
const isOfSite = document.body.dataset.words; // a site has no page of the clipboard
// Of each its word, the text before its keyword, the keyword, the text after it, its source, its page.
const lines = () => recall(shelfOfLines, []);
const isKept = (line) => lines().some((each) => String(each) === String(line));
const keepLines = (now) => {
  remember(shelfOfLines, now.slice(-MOST_LINES));
  countLines();
};
const toggle = (line) => keepLines(isKept(line) ? lines().filter((each) => String(each) !== String(line)) : [...lines(), line]);
const word = document.querySelector("h1")?.textContent.trim();
const lineOf = (row) => {
  const nodes = [...row.querySelector(".whole").childNodes];
  const [at, end] = ["findIndex", "findLastIndex"].map((find) => nodes[find]((each) => each.className === "keyword"));
  const texts = [nodes.slice(0, at), nodes.slice(at, end + 1), nodes.slice(end + 1)].map((part) => part.map((each) => each.textContent).join(""));
  return [word, ...texts, row.dataset.source, row.querySelector("a[href^='/sentence']")?.getAttribute("href")];
};
const equip = (row) => {
  const [line, cell] = [lineOf(row), row.insertCell()];
  const quote = button("Copy", () => copy(quote, `${line.slice(1, 4).join("").trim()} (${line[4]})`));
  const keep = button("", () => { toggle(line); show(); });
  const show = () => {
    keep.textContent = isKept(line) ? "Kept" : "Keep";
    keep.setAttribute("aria-pressed", String(isKept(line)));
  };
  show();
  cell.className = "line-tools";
  [quote.title, keep.title] = ["copy the sentence with its source", "keep the sentence on the clipboard of this browser"];
  cell.append(...(navigator.clipboard ? [quote] : []), ...(isOfSite ? [] : [keep]));
};
const equipAll = (where) => where.querySelectorAll("tbody tr[data-source]").forEach(equip);
document.addEventListener("arrived", (event) => equipAll(event.target));
const countLines = () => {
  const [nav, many] = [document.querySelector("header nav"), lines().length];
  nav.querySelector(".clipboard")?.remove();
  if (many && !isOfSite) nav.insertAdjacentHTML("beforeend", ` <a class="clipboard" href="/clipboard">Clipboard (${many})</a>`);
};

// The page of the clipboard: a table, and the same as files.
const asMarkdown = () => lines().map((line, at, all) => {
  const [word, before, keyword, after, source] = line.map((text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#]/g, "\\$&"));
  return `${line[0] === all[at - 1]?.[0] ? "" : `\n## ${word}\n\n`}- ${before}**${keyword}**${after} (${source})\n`;
}).join("").trimStart();
const shelfTable = document.querySelector("table.kept");
const fillShelf = () => {
  const rows = lines().map((line) => {
    const cells = ["word", "before", "keyword", "after"].map((className, at) => element("td", { className }, line[at].trim()));
    const source = element("td", { className: "place" }, line[5] ? element("a", { href: line[5] }, line[4]) : line[4]);
    const remove = button("Remove", () => { toggle(line); fillShelf(); });
    return element("tr", {}, ...cells, source, element("td", { className: "line-tools" }, remove));
  });
  shelfTable.tBodies[0].replaceChildren(...rows);
  document.querySelector("#kept-lines").hidden = !rows.length;
};
if (shelfTable) {
  const files = Object.entries(FORMATS).map(([name, [ending, type]]) =>
    button(name, () => save(`sentences.${ending}`, written([shelfTable], name), type)));
  const asText = button("Markdown", () => save("sentences.md", asMarkdown(), "text/markdown"));
  const none = button("Remove all", () => { if (window.confirm("Remove all sentences?")) { keepLines([]); fillShelf(); } });
  shelfTable.parentNode.after(element("div", { className: "tools files" }, ...files, asText, none));
  fillShelf();
}
equipAll(document);
countLines();
