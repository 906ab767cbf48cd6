// Opens a hit of a concordance below its line, over the whole width: its text and its tree.
"use strict";

const rowOf = (link) => {
  const row = document.createElement("tr");
  const cell = document.createElement("td");
  row.className = "opened";
  cell.colSpan = link.closest("tr").cells.length;
  row.append(cell);
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
    const whole = document.createElement("p");
    const there = document.createElement("a");
    there.href = link.href;
    there.textContent = "The page of this sentence";
    whole.append(there);
    cell.innerHTML = texts.join("");
    cell.append(whole);
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
