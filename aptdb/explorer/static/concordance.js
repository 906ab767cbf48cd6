// Opens a hit of a concordance below its line, over the whole width: its text and its tree.
"use strict";

const open = async (link) => {
  const cell = element("td", { colSpan: link.closest("tr").cells.length, innerHTML: "<p class='note'>…</p>" });
  const row = element("tr", { className: "opened" }, cell);
  link.closest("tr").after(row);
  link.setAttribute("aria-expanded", "true");
  try {
    const texts = await Promise.all(link.dataset.opens.split(" ").map(async (each) => (await fetch(each)).text()));
    cell.innerHTML = texts.join("");
    cell.append(element("p", {}, element("a", { href: link.href }, "The page of this sentence")));
  } catch {
    row.remove();
    window.location.href = link.href;
  }
};
document.querySelectorAll("a[data-opens]").forEach((link) => {
  link.setAttribute("aria-expanded", "false");
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const next = link.closest("tr").nextElementSibling;
    if (next?.classList.contains("opened")) {
      next.remove();
      link.setAttribute("aria-expanded", "false");
    } else {
      open(link);
    }
  });
});
