// Tables that no server sorts: those of a site, and of pages that are made at once. They are sorted and saved here.
"use strict";

const FORMATS = { CSV: ["csv", "text/csv"], TSV: ["tsv", "text/tab-separated-values"], JSON: ["json", "application/json"] };
const NUMBER = /^-?[\d,]+(\.\d+)?$/;
const valueOf = (cell) => {
  const text = cell.querySelector("a[title]")?.title ?? cell.textContent.trim();
  if (cell.querySelector(".pos")?.textContent === "NULL" && text === "NULL") return null;
  return cell.classList.contains("number") && NUMBER.test(text) ? Number(text.replaceAll(",", "")) : text;
};
const nameOf = (head) => (head.querySelector("button") ?? head).firstChild?.textContent.trim() ?? "";
const rowsOf = (table) => [...table.tBodies[0].rows].filter((row) => !row.matches(".foot"));
const compared = (a, b) => {
  if (a === null || b === null || a === "" || b === "") return null; // what has no value comes last, either way
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
};

const sorted = (table, place) => {
  const heads = [...table.tHead.rows[0].cells];
  const head = heads[place];
  const first = head.classList.contains("number") ? "descending" : "ascending";
  const other = first === "ascending" ? "descending" : "ascending";
  const order = head.getAttribute("aria-sort") === first ? other : first;
  heads.forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", order);
  const turn = order === "ascending" ? 1 : -1;
  const keyed = rowsOf(table).map((row) => [valueOf(row.cells[place]), row]);
  const isEmpty = ([value]) => value === null || value === "";
  keyed.sort((a, b) => isEmpty(a) - isEmpty(b) || turn * (compared(a[0], b[0]) ?? 0));
  table.tBodies[0].prepend(...keyed.map(([, row]) => row));
};

// All tables of a piece as one list of rows: captions tell them apart.
const contentOf = (tables) => {
  const several = tables.length > 1;
  const names = [...(several ? ["table"] : []), ...[...tables[0].tHead.rows[0].cells].map(nameOf)];
  const rows = tables.flatMap((table) =>
    [...table.tBodies[0].rows].map((row) => [...(several ? [table.caption?.textContent.trim() ?? ""] : []), ...[...row.cells].filter((cell) => !cell.matches(".line-tools")).map(valueOf)]));
  return [names, rows];
};
const quoted = (value) => {
  const text = value === null ? "" : String(value);
  return /["\n\r,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const written = (tables, format) => {
  const [names, rows] = contentOf(tables);
  if (format === "JSON") {
    return JSON.stringify(rows.map((row) => Object.fromEntries(row.map((value, place) => [names[place], value]))), null, 1);
  }
  const line = format === "CSV" ? (row) => row.map(quoted).join(",") : (row) => row.map((value) => String(value ?? "").replace(/[\t\r\n]/g, " ")).join("\t");
  return [names, ...rows].map(line).join("\r\n") + "\r\n";
};
const save = (name, text, type) => {
  const href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  element("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
};

const sortable = (table) => {
  for (const head of table.tHead.rows[0].cells) {
    if (!head.textContent.trim()) continue;
    const made = button("", () => sorted(table, head.cellIndex));
    made.className = "sorts";
    made.append(...head.childNodes);
    head.append(made);
  }
};
document.querySelectorAll("main .inside, main details.more").forEach((inside) => {
  if (inside.querySelector(".tools, [data-from]") || inside.closest("section[data-from]")) return;
  const own = [...inside.querySelectorAll("table:not(.concordance):not([data-fixed])")].filter((table) => table.tHead && table.tBodies[0]?.rows.length > 1);
  if (!own.length || own.some((table) => table.querySelector("th button"))) return;
  own.forEach(sortable);
  const bar = element("div", { className: "tools files" });
  const title = inside.closest("section")?.querySelector("h2")?.textContent ?? "table";
  const file = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  const hasFiles = inside.querySelector("a[href^='/concordance.csv']"); // of all rows, made by the server
  for (const [name, [ending, type]] of hasFiles ? [] : Object.entries(FORMATS)) {
    bar.append(button(name, () => save(`${file}.${ending}`, written(own, name), type)));
  }
  if (navigator.clipboard) {
    bar.append(button("Copy", (event) => copy(event.target, written(own, "TSV"))));
  }
  const tables = [...inside.querySelectorAll(".wide")];
  (tables.at(-1)?.closest(".blocks, .tables, details.more:not(main > details)") ?? tables.at(-1))?.after(bar);
});
