// A block is one stop of the Tab key; within it the arrows go from link to link, Home and End to the first and the last.
"use strict";

const BLOCKS = "table, .opened, article, .links, .aptdb-map";
const isStop = (each) => each.checkVisibility?.() ?? true;
const stopsOf = (block) =>
  [...block.querySelectorAll("a[href], button, summary")].filter((each) => each.closest(BLOCKS) === block && isStop(each));
const rove = (block, own) => {
  const stops = stopsOf(block);
  if (stops.length < 2) return;
  const chosen = own ?? stops.find((each) => each.getAttribute("tabindex") === "0") ?? stops[0];
  for (const each of stops) each.setAttribute("tabindex", each === chosen ? 0 : -1);
  block.closest(".wide, .picture")?.removeAttribute("tabindex");
};
const roveAll = (where) => where.querySelectorAll(BLOCKS).forEach((block) => rove(block));
document.addEventListener("arrived", (event) => roveAll(event.target));
document.addEventListener("keydown", (event) => {
  const [own, block] = [event.target, event.target.closest(BLOCKS)];
  const stops = block && !event.ctrlKey && !event.metaKey && !event.altKey ? stopsOf(block) : [];
  const at = stops.indexOf(own);
  if (at < 0) return;
  const [row, inCell] = [(each) => each.closest("tr"), (each) => [...each.parentNode.querySelectorAll("button")].indexOf(each)];
  const column = (each) => `${each.closest("td, th")?.cellIndex} ${inCell(each)}`;
  const isBelow = (each) => (row(own) ? row(each) !== row(own) && column(each) === column(own) : each !== own);
  const next = {
    ArrowRight: () => stops[at + 1], ArrowLeft: () => stops[at - 1], Home: () => stops[0], End: () => stops.at(-1),
    ArrowDown: () => stops.slice(at).find(isBelow), ArrowUp: () => stops.slice(0, at).findLast(isBelow),
  }[event.key]?.();
  if (!next) return;
  event.preventDefault();
  rove(block, next);
  next.focus();
});
roveAll(document);
