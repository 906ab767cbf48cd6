// Opens a hit of a concordance below its line, over the whole width: its text and its tree.
"use strict";

const rowOf = (link) => {
  const cell = element("td", { colSpan: link.closest("tr").cells.length });
  const row = element("tr", { className: "opened" }, cell);
  link.closest("tr").after(row);
  return { row, cell };
};
const open = async (link) => {
  const { row, cell } = rowOf(link);
  link.setAttribute("aria-expanded", "true");
  cell.innerHTML = "<p class='note'>…</p>";
  try {
    const answers = await Promise.all(link.dataset.opens.split(" ").map((each) => fetch(each)));
    const texts = await Promise.all(answers.map((each) => each.text()));
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
