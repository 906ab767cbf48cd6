// A table is one stop of the Tab key; within it the arrows go from link to link, Home and End to the first and the last.
"use strict";

const stopsOf = (table) => [...table.querySelectorAll("a[href], button, summary")].filter((each) => each.checkVisibility?.() ?? true);
const rove = (table, own) => {
  const stops = stopsOf(table);
  if (stops.length < 2) return;
  const chosen = own ?? stops.find((each) => each.getAttribute("tabindex") === "0") ?? stops[0];
  for (const each of stops) each.tabIndex = each === chosen ? 0 : -1;
  table.closest(".wide")?.removeAttribute("tabindex");
};
const roveAll = (where) => where.querySelectorAll("table").forEach((table) => rove(table));
document.addEventListener("arrived", (event) => roveAll(event.target));
document.addEventListener("keydown", (event) => {
  const [own, table] = [event.target, event.target.closest("table")];
  const stops = table && !event.ctrlKey && !event.metaKey && !event.altKey ? stopsOf(table) : [];
  const at = stops.indexOf(own);
  if (at < 0) return;
  const column = (each) => each.closest("tr") !== own.closest("tr") && each.closest("td, th").cellIndex === own.closest("td, th").cellIndex;
  const next = {
    ArrowRight: () => stops[at + 1], ArrowLeft: () => stops[at - 1], Home: () => stops[0], End: () => stops.at(-1),
    ArrowDown: () => stops.slice(at).find(column), ArrowUp: () => stops.slice(0, at).findLast(column),
  }[event.key]?.();
  if (!next) return;
  event.preventDefault();
  rove(table, next);
  next.focus();
});
roveAll(document);
