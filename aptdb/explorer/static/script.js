// What pages do beyond HTML: complete what is typed, and bring their pieces when they are seen.
"use strict";

const PAUSE = 120; // milliseconds after a key until completion asks
let lists = 0;

// Pieces: those that are yet to be made are fetched when they come near the window.
const pending = document.querySelectorAll("section[data-from]");
const bring = async (section) => {
  const inside = section.querySelector(".inside");
  const link = inside.innerHTML;
  inside.innerHTML = "<p class='note'>…</p>";
  try {
    const answer = await fetch(section.dataset.from);
    inside.innerHTML = await answer.text();
    document.querySelector("#status").textContent = `${section.querySelector("h2").textContent}: shown`;
  } catch {
    inside.innerHTML = link;
  }
  section.removeAttribute("aria-busy");
};
if (pending.length) {
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((each) => each.isIntersecting)) {
      seen.unobserve(entry.target);
      bring(entry.target);
    }
  }, { rootMargin: "400px" });
  pending.forEach((section) => seen.observe(section));
}

// Completion: a list below a field, by the pattern of a combobox.
const begins = (words, typed) => {
  const lower = typed.toLowerCase();
  const found = [];
  for (const [value, tokens] of words) {
    if (value.toLowerCase().startsWith(lower)) found.push({ value, means: tokens.toLocaleString("en") });
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
    this.list = document.createElement("ul");
    this.list.className = "options";
    this.list.id = `options-${++lists}`;
    this.list.role = "listbox";
    this.list.hidden = true;
    this.list.setAttribute("aria-label", "Suggestions");
    field.after(this.list);
    if (!this.isSql) field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.list.id);
    if (!this.isSql) field.setAttribute("aria-expanded", "false");
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
    if (!atOnce && typed.length < (this.isSql ? 3 : 1)) return this.close();
    const number = ++this.asked;
    let found = [];
    try {
      found = await complete(this.field, typed);
    } catch {
      // without completion a field is still a field
    }
    if (number !== this.asked || document.activeElement !== this.field) return undefined;
    this.values = found.map((each) => each.value);
    this.list.replaceChildren(...found.map(({ value, means }, place) => {
      const option = document.createElement("li");
      option.role = "option";
      option.id = `${this.list.id}-${place}`;
      option.setAttribute("aria-selected", "false");
      const [name, meaning] = [document.createElement("bdi"), document.createElement("span")];
      name.textContent = value;
      meaning.textContent = means;
      meaning.className = "means";
      option.append(name, meaning);
      return option;
    }));
    this.chosen = -1;
    this.show(found.length > 0);
    return undefined;
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
    const options = this.list.children;
    if (!options.length) return;
    if (this.chosen >= 0) options[this.chosen].setAttribute("aria-selected", "false");
    this.chosen = (place + options.length) % options.length;
    const option = options[this.chosen];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", option.id);
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
  }

  key(event) {
    const isOpen = !this.list.hidden;
    if (event.key === "Enter" && this.isSql && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.field.form.requestSubmit();
    } else if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.open(true);
    } else if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.choose(event.key === "ArrowDown" ? this.chosen + 1 : this.chosen < 0 ? -1 : this.chosen - 1);
    } else if (isOpen && this.chosen >= 0 && (event.key === "Enter" || (event.key === "Tab" && this.isSql))) {
      event.preventDefault();
      this.take(this.chosen);
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault();
      this.close();
    }
  }
}

document.querySelectorAll("[data-complete]").forEach((field) => new Completion(field));

// On a site of files a search leads to the page of the lexeme, or of the most frequent one that begins so.
if (document.body.dataset.words) {
  document.querySelector(".search").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = event.target.elements.q;
    const typed = field.value.trim();
    const words = await wordsOfSite();
    const found = words.find(([value]) => value === typed) ?? words.find(([value]) => value.split("/")[0] === typed)
      ?? words.find(([value]) => value.toLowerCase().startsWith(typed.toLowerCase()));
    if (typed && found) {
      window.location.href = new URL(found[2], new URL(document.body.dataset.home, window.location.href)).href;
    } else {
      field.setCustomValidity("No page of this site is about that.");
      field.reportValidity();
      field.addEventListener("input", () => field.setCustomValidity(""), { once: true });
    }
  });
}
