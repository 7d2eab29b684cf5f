"use strict";
const cards = [...document.querySelectorAll(".card")];
const at = (id) => document.getElementById(id);
let texts, current;

function follow() {
  const id = location.hash.slice(1).replace(/^in-/, "");
  const card = at(id), place = at("in-" + id), pane = document.querySelector(".scroll");
  if (!card || !card.classList.contains("card")) return;
  if (!visible(card)) {
    at("show-all").checked = true;
    find("");
  }
  current = card;
  card.scrollIntoView({ block: location.hash.startsWith("#in-") ? "nearest" : "start" });
  if (!place || !pane || pane.scrollHeight <= pane.clientHeight) return;
  const gap = place.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  pane.scrollTop += gap - pane.clientHeight / 3;
}

// By class alone: asking the layout about a thousand cards that are out of sight would lay them all out.
function visible(card) {
  const show = document.querySelector("input[name=show]:checked").id.slice(5);
  const group = card.parentElement;
  if (card.classList.contains("unfound")) return false;
  if (show === "all") return true;
  return show === "look" ? !group.classList.contains("fine") : card.classList.contains(show);
}

function step(by) {
  const shown = cards.filter((card) => card === current || visible(card));
  const next = shown[Math.min(shown.length - 1, Math.max(0, shown.indexOf(current) + by))];
  if (next && next !== current) { location.hash = next.id; next.focus({ preventScroll: true }); }
}

function find(words) {
  at("find").value = words;
  texts ??= cards.map((card) => card.textContent.toLowerCase());
  const wanted = words.toLowerCase().trim();
  cards.forEach((card, number) => card.classList.toggle("unfound", !texts[number].includes(wanted)));
  for (const group of document.querySelectorAll(".group"))
    group.classList.toggle("unfound", !group.querySelector(".card:not(.unfound)"));
}

function comment(card) {
  const line = (part) => (card.querySelector(part)?.textContent ?? "").replace(/\s+/g, " ").trim();
  const told = ["header > .why", "p", ".to-do", "blockquote mark"].map(line);
  return "> " + line("h3") + "\n\n" + [...new Set(told)].filter(Boolean).join("\n");
}

document.querySelector(".scripted")?.removeAttribute("hidden");
at("find")?.addEventListener("input", (event) => find(event.target.value));
at("copy")?.addEventListener("click", async () => {
  const card = current ?? cards.find(visible);
  try {
    await navigator.clipboard.writeText(comment(card));
    at("said").textContent = card.id + " is copied";
  } catch {
    at("said").textContent = "the browser does not let a file copy";
  }
});
addEventListener("hashchange", follow);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=search]")) return;
  if (event.key === "j") step(1);
  if (event.key === "k") step(-1);
});
follow();
