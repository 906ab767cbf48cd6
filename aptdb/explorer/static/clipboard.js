// Sentences are copied with their source, or kept for the page of the clipboard, by this browser alone.
"use strict";

const MOST_LINES = 2000;
const shelfOfLines = `${store}: lines`;
const lines = () => { // of each its word, the text before its keyword, the keyword, the text after it, and its source
  try {
    return JSON.parse(localStorage.getItem(shelfOfLines)) ?? [];
  } catch {
    return [];
  }
};
const isSame = (line) => (other) => String(line) === String(other);
const toggle = (line) => {
  const [all, others] = [lines(), lines().filter((each) => !isSame(line)(each))];
  try {
    localStorage.setItem(shelfOfLines, JSON.stringify((others.length < all.length ? others : [...all, line]).slice(-MOST_LINES)));
  } catch {
    // a browser that keeps nothing
  }
  countLines();
};
const lineOf = (row) => {
  const nodes = [...row.querySelector(".whole")?.childNodes ?? row.querySelectorAll(".before, .keyword, .after")];
  const at = nodes.findIndex((each) => each.className === "keyword");
  const texts = [nodes.slice(0, at), [nodes[at]], nodes.slice(at + 1)].map((part) => part.map((each) => each.textContent).join(""));
  return [document.querySelector("h1").textContent.trim(), ...texts, row.dataset.source];
};
const equip = (row) => {
  const [line, cell, keep, copy] = [lineOf(row), row.insertCell(), button("", () => { toggle(line); show(); }), button("Copy", async () => {
    await navigator.clipboard.writeText(`${line.slice(1, 4).join("").trim()} (${line[4]})`);
    copy.textContent = "Copied";
  })];
  const show = () => {
    const isKept = lines().some(isSame(line));
    keep.textContent = isKept ? "Kept" : "Keep";
    keep.setAttribute("aria-pressed", String(isKept));
  };
  show();
  cell.className = "line-tools";
  [copy.title, keep.title] = ["copy the sentence with its source", "keep the sentence on the clipboard of this browser"];
  if (navigator.clipboard) cell.append(copy);
  if (!document.body.dataset.words) cell.append(keep); // a site has no page of the clipboard
};
const equipAll = (where) => where.querySelectorAll("tbody tr[data-source]").forEach(equip);
document.addEventListener("arrived", (event) => equipAll(event.target));
const countLines = () => {
  const [nav, many] = [document.querySelector("header nav"), lines().length];
  const link = nav.querySelector(".clipboard") ?? document.createElement("a");
  [link.className, link.href, link.textContent] = ["clipboard", "/clipboard", `Clipboard (${many})`];
  if (many && !document.body.dataset.words) nav.append(" ", link);
  else link.remove();
};

// The page of the clipboard: a table, and the same as Markdown.
const asMarkdown = () => {
  let last = "";
  return lines().map((line) => {
    const [word, before, keyword, after, source] = line.map((text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#]/g, "\\$&"));
    const head = word === last ? "" : `\n## ${word}\n\n`;
    last = word;
    return `${head}- ${before}**${keyword}**${after} (${source})\n`;
  }).join("").trimStart();
};
const shelfPage = document.querySelector("#kept-lines .inside");
if (shelfPage && lines().length) {
  const table = shelfPage.querySelector("table");
  for (const line of lines()) {
    const row = table.tBodies[0].insertRow();
    for (const text of line) row.insertCell().textContent = text.trim();
    row.insertCell().append(button("Remove", () => { toggle(line); row.remove(); }));
    row.lastChild.className = "line-tools";
  }
  table.parentNode.hidden = false;
  offerFiles(shelfPage);
  shelfPage.querySelector(".tools").append(button("Markdown", () => save("sentences.md", asMarkdown(), "text/markdown")));
}
equipAll(document);
countLines();
