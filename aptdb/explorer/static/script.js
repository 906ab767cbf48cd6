// What pages do beyond HTML: complete what is typed, and bring their pieces when they are seen.
"use strict";

const PAUSE = 120; // milliseconds after a key until completion asks
let lists = 0;
const element = (tag, given, ...inside) => {
  const made = Object.assign(document.createElement(tag), given);
  made.append(...inside);
  return made;
};

const button = (textContent, onclick) => element("button", { type: "button", textContent, onclick });
const copy = async (from, text) => {
  await navigator.clipboard.writeText(text);
  from.textContent = "Copied";
  setTimeout(() => { from.textContent = "Copy"; }, 2000);
};
const documentAt = async (address) => new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");

// What this browser keeps, if it keeps anything.
const recall = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};
const remember = (name, value) => {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // it keeps nothing
  }
};

// Pieces: those that are yet to be made are fetched when they come near the window.
const coming = new Map(); // of each section that is fetched for the first time
const once = (section) => {
  if (!coming.has(section)) coming.set(section, bring(section));
  return coming.get(section);
};
const bring = async (section, from = section.dataset.from) => {
  const inside = section.querySelector(".inside");
  const before = inside.innerHTML;
  if (section.hasAttribute("data-from")) inside.innerHTML = "<p class='note'>…</p>";
  inside.classList.add("waits");
  section.removeAttribute("data-from");
  try {
    const answer = await fetch(from);
    inside.innerHTML = await answer.text();
    arrive(inside);
    document.querySelector("#status").textContent = `${section.querySelector("h2").textContent}: shown`;
  } catch {
    inside.innerHTML = before;
  }
  inside.classList.remove("waits");
  section.removeAttribute("aria-busy");
};
const pending = [...document.querySelectorAll("section[data-from]")];
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries.filter((each) => each.isIntersecting && each.target.dataset.from)) {
    seen.unobserve(entry.target);
    once(entry.target);
  }
}, { rootMargin: "400px" });
pending.forEach((section) => seen.observe(section));

// Back to a page that the browser did not keep: all its pieces are fetched before the place is looked for.
const place = () => ({ ...history.state, place: window.scrollY });
window.addEventListener("pagehide", () => history.replaceState(place(), ""));
const back = performance.getEntriesByType("navigation")[0]?.type === "back_forward" && history.state?.place;
if (back) {
  const wanted = history.state.place;
  history.scrollRestoration = "manual";
  Promise.all(pending.map(once)).then(() => window.scrollTo(0, wanted));
}

// Tables: what is sorted, filtered or longer comes in place of what is there; the address says the same.
const keep = (address, piece) => {
  const [now, given] = [new URL(window.location.href), new URL(address, window.location.href).searchParams];
  if (now.pathname.split("/").length > 2) return history.replaceState(place(), "", address);
  for (const name of [...now.searchParams.keys()]) if (name.startsWith(`${piece}.`)) now.searchParams.delete(name);
  for (const [name, value] of given) if (name.startsWith(`${piece}.`) && value) now.searchParams.set(name, value);
  return history.replaceState(place(), "", now);
};
const turn = async (element, address) => {
  const section = element.closest("section");
  const named = element.getAttribute("href") && element.closest("th")?.cellIndex;
  const caption = element.closest("table")?.caption?.textContent;
  keep(address, section.id);
  await bring(section, `/piece${address}`);
  const tables = [...section.querySelectorAll("table")];
  const table = tables.find((each) => each.caption?.textContent === caption) ?? tables[0];
  (table?.rows[0]?.cells[named ?? -1]?.querySelector("a") ?? section.querySelector(".tools a, .tools summary"))?.focus();
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("section a.turn");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  turn(link, link.getAttribute("href"));
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  for (const field of form.elements) if (form.method === "get" && field.name && !field.value) field.disabled = true;
  setTimeout(() => { for (const field of form.elements) field.disabled = false; });
  if (!form.matches("section form.turn")) return;
  event.preventDefault();
  turn(form, `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`);
});
document.addEventListener("click", async (event) => {
  const from = event.target.closest("[data-copy]");
  if (!from) return;
  await copy(from, await (await fetch(from.dataset.copy)).text());
  document.querySelector("#status").textContent = "Copied";
});
// A query that runs is asked after without a new page, which would take the focus from what is being typed.
const follow = async (running) => {
  const main = (await documentAt(running.dataset.again).catch(() => null))?.querySelector("main");
  const still = main?.querySelector("[data-again]");
  if (still) {
    running.replaceChildren(...still.childNodes);
    follow(running);
  } else if (main) {
    document.querySelector("main").replaceWith(main);
    arrive(main);
  }
};

// A concordance that is wider than its place opens at its keywords, also where it is written from the right.
const toKeyword = (table) => {
  const [around, keyword] = [table.closest(".wide"), table.querySelector(".keyword")];
  if (!keyword || around.scrollWidth <= around.clientWidth) return;
  const [outer, inner] = [around, keyword].map((each) => each.getBoundingClientRect());
  around.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
};
const arrive = (where) => {
  where.querySelectorAll(".concordance").forEach(toKeyword);
  where.querySelectorAll("[data-again]").forEach(follow);
  where.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = !navigator.clipboard; });
  where.querySelectorAll("[data-complete]").forEach((field) => new Completion(field));
  where.dispatchEvent(new Event("arrived", { bubbles: true }));
};

// Meanings: what a title says is also shown where the keyboard is.
let tip = null;
document.addEventListener("focusin", (event) => {
  tip?.remove();
  const titled = event.target.matches("a[title]:focus-visible") ? event.target : null;
  if (!titled) return;
  tip = element("div", { className: "tipped", ariaHidden: "true" }, titled.title);
  document.body.append(tip);
  const box = titled.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 4)) + window.scrollX}px`;
  tip.style.top = `${box.bottom + window.scrollY + 4}px`;
});

// The part of the page that one reads is marked in its contents.
const contents = document.querySelector(".contents");
if (contents) {
  const marks = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const reading = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) marks.get(target.id)?.setAttribute("aria-current", "true");
      else marks.get(target.id)?.removeAttribute("aria-current");
    }
  }, { rootMargin: "-20% 0px -60% 0px" });
  document.querySelectorAll(".pieces > section").forEach((section) => reading.observe(section));
}

// What was looked at last, and bookmarks: in this browser alone.
const SEEN = 20;
const store = `aptdb: ${document.querySelector("header .home")?.textContent}`;
const stored = () => {
  const { seen = [], marks = [] } = recall(store, {});
  const ours = (list) => list.filter(([, href]) => /^\/(lexeme|phrase)\?/.test(href));
  return { seen: ours(seen), marks: ours(marks) };
};
const put = (now) => remember(store, now);
const kept = document.querySelector("h1[data-kept]");
if (kept) {
  const own = [kept.textContent, kept.dataset.kept];
  const without = (list) => list.filter(([, href]) => href !== own[1]);
  const now = stored();
  put({ ...now, seen: [own, ...without(now.seen)].slice(0, SEEN) });
  const mark = element("button", { className: "bookmark", ariaLabel: "Bookmark" });
  const draw = () => {
    const isKept = stored().marks.some(([, href]) => href === own[1]);
    mark.textContent = isKept ? "★" : "☆";
    mark.title = isKept ? "remove the bookmark" : "bookmark, in this browser";
    mark.setAttribute("aria-pressed", String(isKept));
  };
  mark.addEventListener("click", () => {
    const { seen, marks } = stored();
    const others = without(marks);
    put({ seen, marks: others.length < marks.length ? others : [own, ...marks] });
    draw();
  });
  draw();
  kept.after(mark);
}
const shelf = document.querySelector(".seen");
const fill = () => {
  const { seen, marks } = stored();
  shelf.replaceChildren();
  for (const [name, list] of [["Bookmarks", marks], ["Seen last", seen]]) {
    if (!list.length) continue;
    const links = list.map(([text, href]) => element("li", {}, element("a", { href }, text)));
    const [title, listed] = [element("span", { className: "name" }, name), element("ul", { className: "links" }, ...links)];
    shelf.append(element("nav", { className: "group", ariaLabel: name }, title, listed));
  }
  shelf.hidden = !shelf.children.length;
  if (!seen.length) return;
  shelf.append(element("button", { onclick: () => { put({ ...stored(), seen: [] }); fill(); } }, "Forget what was seen"));
};
if (shelf) fill();

// Keys.
const KEYS = [
  ["/", "go to the search"], ["← → ↑ ↓", "go from link to link in a table or list"], ["?", "show these keys"], ["Esc", "close what is open"],
  ["↓ ↑ Enter", "choose from suggestions; Enter opens the chosen one"],
  ["Ctrl+Enter", "ask, in the SQL box"], ["Ctrl+Space", "complete a name, in the SQL box"],
];
const help = () => {
  let dialog = document.querySelector("dialog.keys");
  if (!dialog) {
    const list = KEYS.flatMap(([keys, what]) => {
      const signs = keys.split(" ").flatMap((each) => [element("kbd", {}, each), " "]);
      return [element("dt", {}, ...signs), element("dd", {}, what)];
    });
    const close = element("form", { method: "dialog" }, element("button", {}, "Close"));
    dialog = element("dialog", { className: "keys" }, element("h2", {}, "Keys"), element("dl", {}, ...list), close);
    document.body.append(dialog);
  }
  dialog.showModal();
};
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    document.querySelector("#search").select();
  } else if (event.key === "?" && !document.querySelector("dialog[open]")) {
    help();
  }
});

// Completion: a list below a field, by the pattern of a combobox.
// Letters are lowered one by one, as in lexicons: toLowerCase makes a ς of a last Σ, and two letters of İ.
const lowered = (text) => Array.from(text.replaceAll("İ", "i"), (each) => each.toLowerCase()).join("");
const begins = (words, typed) => {
  const lower = lowered(typed);
  const found = [];
  for (const [value, tokens] of words) {
    if (lowered(value).startsWith(lower)) found.push({ value, means: tokens.toLocaleString("en") });
    if (found.length === 12) break;
  }
  return found;
};
let everyWord = null;
const wordsOfSite = () => {
  everyWord ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = document.body.dataset.words;
    script.onload = () => resolve(window.aptdbWords);
    script.onerror = () => resolve([]);
    document.head.append(script);
  });
  return everyWord;
};
const namesOfSql = [];
const complete = async (field, typed) => {
  if (document.body.dataset.words) return begins(await wordsOfSite(), typed);
  const kind = field.dataset.complete;
  if (kind !== "sql") {
    const answer = await fetch(`/complete?${new URLSearchParams({ q: typed })}`);
    return answer.ok ? answer.json() : [];
  }
  if (!namesOfSql.length) {
    const answer = await fetch("/complete?kind=sql");
    if (answer.ok) namesOfSql.push(...await answer.json());
  }
  return namesOfSql.filter((each) => each.value.startsWith(typed.toLowerCase()) && each.value !== typed).slice(0, 12);
};

class Completion {
  constructor(field) {
    this.field = field;
    this.isSql = field.dataset.complete === "sql";
    const given = { className: "options", id: `options-${++lists}`, role: "listbox", hidden: true, ariaLabel: "Suggestions" };
    this.list = element("ul", given);
    field.after(this.list);
    if (!this.isSql) Object.assign(field, { role: "combobox", ariaExpanded: "false" });
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.list.id);
    this.chosen = -1;
    this.asked = 0;
    field.addEventListener("input", () => this.later());
    field.addEventListener("keydown", (event) => this.key(event));
    field.addEventListener("blur", () => this.close());
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest("li");
      if (option) this.take([...this.list.children].indexOf(option));
    });
  }

  typed() {
    if (!this.isSql) return this.field.value;
    return this.field.value.slice(0, this.field.selectionStart).match(/[a-z_]*$/i)[0];
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), PAUSE);
  }

  async open(atOnce = false) {
    const typed = this.typed();
    if (!atOnce && typed.length < (this.isSql ? 3 : 1)) {
      this.close();
      return;
    }
    const number = ++this.asked;
    const found = await complete(this.field, typed).catch(() => []); // without completion a field is still a field
    if (number !== this.asked || document.activeElement !== this.field) return;
    this.values = found.map((each) => each.value);
    this.list.replaceChildren(...found.map(({ value, means }, place) => {
      const given = { role: "option", id: `${this.list.id}-${place}`, ariaSelected: "false" };
      return element("li", given, element("bdi", {}, value), element("span", { className: "means" }, means));
    }));
    this.chosen = -1;
    this.show(found.length > 0);
  }

  show(isOpen) {
    this.list.hidden = !isOpen;
    if (!this.isSql) this.field.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) this.field.removeAttribute("aria-activedescendant");
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.show(false);
  }

  choose(place) {
    const options = [...this.list.children];
    if (!options.length) return;
    this.chosen = (place + options.length) % options.length;
    options.forEach((each, at) => each.setAttribute("aria-selected", String(at === this.chosen)));
    options[this.chosen].scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", options[this.chosen].id);
  }

  take(place) {
    const value = this.values[place];
    if (this.isSql) {
      const end = this.field.selectionStart;
      this.field.setRangeText(value, end - this.typed().length, end, "end");
    } else {
      this.field.value = value;
    }
    this.close();
    if (value.endsWith(" ")) this.later();
    else if (this.field.matches("#search, .beside input")) this.field.form.requestSubmit();
  }

  key(event) {
    const isTaking = this.chosen >= 0 && (event.key === "Enter" || (event.key === "Tab" && this.isSql));
    let act = null;
    if (event.key === "Enter" && this.isSql && (event.ctrlKey || event.metaKey)) act = () => this.field.form.requestSubmit();
    else if (event.key === " " && event.ctrlKey) act = () => this.open(true);
    else if (this.list.hidden) return;
    else if (event.key === "ArrowDown") act = () => this.choose(this.chosen + 1);
    else if (event.key === "ArrowUp") act = () => this.choose(this.chosen < 0 ? -1 : this.chosen - 1);
    else if (isTaking) act = () => this.take(this.chosen);
    else if (event.key === "Escape") act = () => this.close();
    else return;
    event.preventDefault();
    act();
  }
}

arrive(document);

// On a site of files a search leads to the page of the lexeme, or of the most frequent one that begins so.
if (document.body.dataset.words) {
  document.querySelector(".search").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = event.target.elements.q;
    const typed = field.value.trim();
    const words = await wordsOfSite();
    const found = words.find(([value]) => value === typed) ?? words.find(([value]) => value.split("/")[0] === typed)
      ?? words.find(([value]) => lowered(value).startsWith(lowered(typed)));
    if (typed && found) {
      window.location.href = new URL(found[2], new URL(document.body.dataset.home, window.location.href)).href;
    } else {
      const none = document.querySelector("header .none") ?? element("p", { className: "none note", role: "alert" });
      none.textContent = `No page of this site is about “${typed}”.${/\s|\[/.test(typed) ? " It has pages of single words; aptdb serve has phrases." : ""}`;
      document.querySelector("header").append(none);
      field.select();
    }
  });
}
