"use strict";
// The page of `gate serve`. Every text is set as text, never as markup; nothing is loaded but from this server.

const WORDS = {
  supported: "✓ supported", weakly_supported: "~ weakly supported", unsupported: "✗ unsupported", unchecked: "? unchecked",
  pass: "✓ pass", review: "! review", block: "✗ block", error: "✗ failed",
};
const LABELS = ["supported", "weakly_supported", "unsupported"];
const AGAIN_MS = 700;
const MOST_ANSWER = 5500000;
const at = id => document.getElementById(id);
let generation = 0; // of what is shown: answers to an earlier question are dropped

function made(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("aria-") || key === "scope" || key === "role") node.setAttribute(key, value);
    else node[key] = value;
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
const badge = status => made("span", { className: `badge ${status}`, textContent: WORDS[status] ?? status });

class Trouble extends Error {}

async function asked(path, options = {}) {
  const headers = { ...options.headers };
  const token = sessionStorage.getItem("token");
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers, cache: "no-store" });
  } catch {
    throw new Trouble("The server does not answer. Is it still running?");
  }
  if (answer.status === 401) {
    sessionStorage.removeItem("token");
    show("token");
    throw new Trouble(token ? "That is not the token." : "");
  }
  if (!answer.ok) {
    const found = await answer.json().catch(() => ({}));
    throw new Trouble([said(found), found.hint].filter(Boolean).join(" — ") || `The server answers ${answer.status}.`);
  }
  return answer;
}

function said(found) {
  if (typeof found.message === "string") return found.message;
  if (Array.isArray(found.detail)) return found.detail.map(one => one.msg ?? one.type).join("; ");
  return "";
}

const read = async (path, options) => (await asked(path, options)).json();
const sent = (path, value) =>
  read(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });

function trouble(error) {
  if (!(error instanceof Trouble)) console.error(error);
  const text = error instanceof Trouble ? error.message : "Something went wrong in this page.";
  at("trouble").textContent = text;
  at("trouble").hidden = !text;
}

function calm() { at("trouble").hidden = true; }

function guarded(work) {
  return async event => {
    event?.preventDefault();
    calm();
    try { await work(event); } catch (error) { trouble(error); }
  };
}

// ---- parts

function show(part) {
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== `${part}-part`;
  const group = { run: "runs", comparison: "runs", review: "reviews" }[part] ?? part;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${group}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const title = at(`${part}-title`).textContent;
  document.title = `${title} · LLM Reliability Gate`;
}

const PARTS = { check: showCheck, runs: showRuns, corpora: showCorpora, run: showRun, comparison: showComparison, reviews: showReviews, review: showReview };

async function go() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  if (name === "main") return;
  const part = Object.hasOwn(PARTS, name) ? name : "check";
  calm();
  generation += 1;
  show(part);
  try { await PARTS[part](rest.map(decodeURIComponent), generation); } catch (error) { trouble(error); }
}

// ---- check

async function corporaInto(select, chosen) {
  const found = await read("/app/corpora");
  const before = chosen || select.value || found.default;
  select.replaceChildren(...found.corpora.map(one =>
    made("option", { value: one.name, textContent: one.passages === undefined ? one.name : `${one.name} (${many(one.passages, "passage")})` })));
  if (!found.corpora.length) select.append(made("option", { value: "", textContent: "none yet" }));
  if (found.corpora.some(one => one.name === before)) select.value = before;
  return found.corpora;
}

async function showCheck() { await corporaInto(at("corpus")); }

async function useFile(file) {
  if (file.size > MOST_ANSWER) throw new Trouble("The file is too large for one answer.");
  at("answer").value = await file.text();
  at("name").value = file.name.replace(/[^\p{L}\p{N}_ .()-]/gu, "-").slice(0, 190) || "answer";
}

function requested() {
  const text = at("answer").value;
  if (!text.trim()) { at("answer").focus(); throw new Trouble("There is no answer to check: paste one, or drop a file."); }
  const body = { name: at("name").value.trim() || "answer" };
  if (at("corpus").value) body.search = { index: at("corpus").value };
  const transcript = parsed(text);
  if (!transcript) return { ...body, text };
  if (!at("corpus").value) body.against = "contexts"; // those that the record brings
  return { ...body, transcript, name: body.name.replace(/\.json$/i, "") || "answer" };
}

function parsed(text) {
  if (!text.trimStart().startsWith("{")) return null;
  try { return JSON.parse(text); } catch { return null; }
}

async function check(event) {
  const button = event.submitter ?? at("check-form").querySelector("button.main");
  const body = requested();
  button.disabled = true;
  try {
    const started = await sent("/v1/checks", body);
    location.hash = `#run/${started.id}`;
  } finally { button.disabled = false; }
}

// ---- a run

const pause = ms => new Promise(done => setTimeout(done, ms));

async function showRun([id], mine) {
  at("claims").replaceChildren();
  at("run-reasons").replaceChildren();
  at("run-actions").replaceChildren();
  at("run-state").textContent = "Waiting for the run …";
  let seen = 0, wait = 0;
  for (;;) {
    const began = performance.now();
    const found = await read(`/app/runs/${id}/progress?seen=${seen}&wait=${wait}`);
    if (mine !== generation) return;
    if (found.waits) { location.replace(`#review/${id}`); return; }
    if (found.status !== "RUNNING") break;
    for (const one of found.events) at("claims").append(liveClaim(one));
    seen = found.seen;
    wait = 10;
    at("run-state").textContent = found.total ? `${seen} of ${found.total} claims have a verdict.` : "Reading the answer …";
    at("run-progress").hidden = !found.total;
    at("run-progress").max = found.total || 1;
    at("run-progress").value = seen;
    if (performance.now() - began < AGAIN_MS) await pause(AGAIN_MS / 2);
  }
  const run = await read(`/app/runs/${id}`);
  if (mine === generation) showEnded(run);
}

function liveClaim(one) {
  return made("li", {}, badge(one.status), made("p", { dir: "auto", textContent: one.text }));
}

function showEnded(run) {
  at("run-progress").hidden = true;
  const cut = run.error === "CutOffError";
  at("run-state").replaceChildren(badge(run.outcome ?? "error"), ` ${run.name}`,
    run.claims.length ? `, ${many(run.claims.length, "claim")} against ${run.corpus}` : "", run.cause ? `: ${run.cause}` : "");
  at("run-reasons").replaceChildren(...run.reasons.map(text => made("li", { textContent: text })));
  const report = made("a", { className: "button", href: `/v1/checks/${run.id}/report`, target: "_blank", rel: "noopener", textContent: "Open the report" });
  report.addEventListener("click", openReport(run.id));
  const again = made("button", { type: "button", textContent: cut ? "Start it again" : "Check again" });
  again.addEventListener("click", guarded(async () => {
    location.hash = `#run/${(await read(`/v1/checks/${run.id}/rerun`, { method: "POST" })).id}`;
  }));
  const gone = made("button", { type: "button", textContent: "Delete" });
  gone.addEventListener("click", guarded(async () => {
    if (!confirm("Delete this run, its report and the labels given?")) return;
    await asked(`/v1/checks/${run.id}`, { method: "DELETE" });
    location.hash = "#runs";
  }));
  at("run-actions").replaceChildren(...(cut ? [again, gone] : [report, again, gone]));
  const order = ["unsupported", "unchecked", "weakly_supported", "supported"];
  const sorted = [...run.claims].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  at("claims").replaceChildren(...sorted.map(one => endedClaim(run, one)));
}

// A browser sends no token with a link: where there is one, the report is opened by a word that is good once.
function openReport(id) {
  return async event => {
    if (!sessionStorage.getItem("token")) return;
    event.preventDefault();
    const opened = window.open("about:blank");
    try {
      const { ticket } = await read(`/app/ticket?run=${id}`, { method: "POST" });
      opened.opener = null;
      opened.location = `/v1/checks/${id}/report?ticket=${ticket}`;
    } catch (error) { opened?.close(); trouble(error); }
  };
}

function endedClaim(run, claim) {
  const item = claimSeen(claim);
  item.append(marks(run, claim));
  return item;
}

function claimSeen(claim) {
  return made("li", {}, badge(claim.status), made("p", { dir: "auto", textContent: claim.text }),
    claim.quote ? made("p", {}, made("q", { dir: "auto", textContent: claim.quote })) : null,
    claim.justification ? made("p", { className: "why", dir: "auto", textContent: claim.justification }) : null);
}

function marks(run, claim) {
  const row = made("div", { className: "row marks", role: "group", "aria-label": `Is the verdict on ${claim.claim_id} right?` });
  const mine = [...LABELS].sort((a, b) => (b === claim.status) - (a === claim.status));
  const choices = mine.map(label => {
    const text = label === claim.status ? "Right" : `Wrong: ${WORDS[label].slice(2)}`;
    const button = made("button", { type: "button", textContent: text });
    button.addEventListener("click", guarded(async () => {
      const taken = run.marks[claim.claim_id] === label;
      const found = await sent(`/app/runs/${run.id}/marks`, { claim_id: claim.claim_id, label: taken ? "" : label });
      run.marks = found.marks;
      press();
    }));
    return [label, button];
  });
  const press = () => choices.forEach(([label, button]) => button.setAttribute("aria-pressed", run.marks[claim.claim_id] === label));
  press();
  row.append(...choices.map(([, button]) => button));
  return row;
}

// ---- reviews

const until = one => new Date(one.until).toLocaleString();

async function showReviews(_, mine) {
  const found = await read("/v1/reviews");
  if (mine !== generation) return;
  at("reviews-state").textContent = found.reviews.length ? `${many(found.reviews.length, "answer")} waiting for a person.` : "Nothing waits.";
  at("reviews").replaceChildren(...found.reviews.map(one => made("li", {},
    made("p", {}, made("a", { href: `#review/${one.id}`, textContent: one.id }), `${one.assignee ? ` for ${one.assignee},` : ""} until ${until(one)}`),
    ...one.reasons.map(reason => made("p", { className: "why", textContent: reason.message })))));
}

async function showReview([id], mine) {
  for (const part of ["review-reasons", "review-actions", "reviewed"]) at(part).replaceChildren();
  at("review-form").hidden = true;
  const [review, run, me] = await Promise.all([read(`/v1/reviews/${id}`), read(`/app/runs/${id}`), read("/app/me")]);
  if (mine !== generation) return;
  at("reviewer-named").hidden = Boolean(me.name);
  at("reviewer").required = !me.name;
  const said = review.decisions.map(one => `${one.reviewer}: ${one.outcome}${one.comment ? ` – ${one.comment}` : ""}`);
  at("review-reasons").replaceChildren(...[...review.reasons.map(one => one.message), ...said].map(text => made("li", { textContent: text })));
  const report = made("a", { className: "button", href: `/v1/checks/${id}/report`, target: "_blank", rel: "noopener", textContent: "Open the report" });
  report.addEventListener("click", openReport(id));
  const after = made("a", { className: "button", href: `#run/${id}`, textContent: "The run" });
  const waits = review.state === "waiting";
  at("review-actions").replaceChildren(report, ...(waits ? [] : [after]));
  at("review-state").replaceChildren(badge(review.outcome ?? "review"), waits
    ? ` waits until ${until(review)}${review.four_eyes ? "; two people must agree before it passes" : ""}`
    : review.state === "timed_out" ? " nobody decided in time" : " decided");
  at("review-form").hidden = !waits;
  const given = {};
  at("review-form").onsubmit = guarded(async event => {
    const value = { outcome: event.submitter?.value ?? "block", comment: at("comment").value, reviewer: me.name ? "" : at("reviewer").value, marks: given };
    await sent(`/v1/reviews/${id}/decide`, value);
    at("comment").value = "";
    await showReview([id], mine);
  });
  at("reviewed").replaceChildren(...run.claims.map(claim => reviewedClaim(claim, given, waits)));
}

// What is pressed here is sent with the decision, and not before.
function reviewedClaim(claim, given, waits) {
  const item = claimSeen(claim);
  if (!waits) return item;
  const row = made("div", { className: "row marks", role: "group", "aria-label": `Is the verdict on ${claim.claim_id} right?` });
  const buttons = [...LABELS].sort((a, b) => (b === claim.status) - (a === claim.status)).map(label => {
    const button = made("button", { type: "button", textContent: label === claim.status ? "Right" : `Wrong: ${WORDS[label].slice(2)}`, "aria-pressed": "false" });
    button.addEventListener("click", () => {
      const taken = given[claim.claim_id] === label;
      if (taken) delete given[claim.claim_id]; else given[claim.claim_id] = label;
      for (const one of buttons) one.setAttribute("aria-pressed", one === button && !taken);
    });
    return button;
  });
  row.append(...buttons);
  item.append(row);
  return item;
}

// ---- runs

const ended = run => run.status !== "RUNNING";

function runRow(run) {
  const box = made("input", { type: "checkbox", name: "run", value: run.id, "aria-label": `Compare ${run.name}`, disabled: run.claims === null });
  const when = new Date(run.started);
  const outcome = !ended(run) ? made("span", { className: "badge running", textContent: "… running" })
    : run.error === "CutOffError" ? made("span", { className: "badge error", textContent: "✗ cut off" }) : badge(run.outcome ?? "error");
  return made("tr", {}, made("td", {}, box), made("td", {}, made("a", { href: `#run/${run.id}`, textContent: run.name, dir: "auto" })),
    made("td", {}, outcome), made("td", { className: "number", textContent: run.claims ?? "" }),
    made("td", { className: "soft", textContent: run.corpus }),
    made("td", { className: "soft", textContent: when.toLocaleString() }));
}

async function showRuns() {
  at("runs").replaceChildren();
  await moreRuns();
}

async function moreRuns() {
  const found = await read(`/app/runs?offset=${at("runs").childElementCount}`);
  at("runs").append(...found.runs.map(runRow));
  at("more-runs").hidden = !found.more;
  if (!at("runs").childElementCount) at("runs").append(made("tr", {}, made("td", { colSpan: 6, textContent: "No runs yet." })));
}

async function compare() {
  const chosen = [...document.querySelectorAll("#runs input:checked")].map(box => box.value);
  if (chosen.length !== 2) throw new Trouble(`Choose two runs; ${chosen.length} ${chosen.length === 1 ? "is" : "are"} chosen.`);
  location.hash = `#comparison/${chosen[1]}/${chosen[0]}`; // the earlier one first
}

async function saveLabels() {
  const text = await (await asked("/app/labels.jsonl")).text();
  if (!text) throw new Trouble("No claim was given a label yet.");
  const link = made("a", { href: URL.createObjectURL(new Blob([text])), download: "labels.jsonl" });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function showComparison([first, second], mine) {
  at("comparison").replaceChildren();
  const found = await read(`/app/comparison?first=${encodeURIComponent(first ?? "")}&second=${encodeURIComponent(second ?? "")}`);
  if (mine !== generation) return;
  const side = (title, one) => made("p", {}, made("strong", { textContent: `${title}: ` }),
    made("a", { href: `#run/${one.id}`, textContent: one.name, dir: "auto" }), " ", badge(one.outcome),
    ` against ${one.corpus ?? "its contexts"}, ${counted(one.counts)}`);
  const list = (title, claims) => claims.length ? [made("h2", { textContent: `${title} (${claims.length})` }),
    made("ul", { className: "plain found" }, ...claims.map(one => made("li", {},
      ...(one.before && one.before !== one.status ? [badge(one.before), " → "] : []), badge(one.status), made("p", { dir: "auto", textContent: one.text }),
      ...(one.text_before ? [made("p", { className: "note", dir: "auto", textContent: `It said: ${one.text_before}` })] : []),
      ...one.why.map(why => made("p", { className: "note", dir: "auto", textContent: why })))))] : [];
  at("comparison").append(side("First", found.first), side("Second", found.second),
    ...found.causes.map(cause => made("p", { className: "note", textContent: cause })),
    ...list("Changed", found.changed), ...list("Reworded", found.reworded), ...list("Only in the second", found.new), ...list("Only in the first", found.gone),
    made("p", { className: "note", textContent: `${found.same} ${found.same === 1 ? "claim is as it was" : "claims are as they were"}.` }));
}

const counted = counts => Object.entries(counts).filter(([, count]) => count).map(([status, count]) => `${count} ${WORDS[status].slice(2)}`).join(", ") || "no claims";

// ---- corpora

let shown = 0;

async function showCorpora([name], mine) {
  const corpora = await corporaInto(at("searched"), name);
  if (mine !== generation) return;
  if (!at("into").value) at("into").value = at("searched").value || "documents";
  at("adding").open ||= !corpora.length;
  if (corpora.length) await search();
  else { at("passages").replaceChildren(); at("found").textContent = "No corpus yet: add documents below."; }
}

async function search() {
  shown = 0;
  at("passages").replaceChildren();
  await morePassages();
}

async function morePassages() {
  const name = at("searched").value, question = at("question").value.trim();
  if (!name) throw new Trouble("There is no corpus yet: add documents below.");
  const found = await read(`/app/corpora/${encodeURIComponent(name)}/passages?q=${encodeURIComponent(question)}&offset=${shown}`);
  shown += found.passages.length;
  at("passages").append(...found.passages.map(passage));
  at("more-passages").hidden = !found.more;
  at("found").textContent = !shown ? `Nothing in ${name} shares a word with that.`
    : question ? `${many(shown, "passage")}, best first.` : `${many(shown, "passage")} of ${name}, as kept.`;
}

function passage(one) {
  const title = [one.title, one.section].filter(Boolean).join(" › ") || one.id;
  const heading = /^https?:\/\//i.test(one.url ?? "") ? made("a", { href: one.url, rel: "noopener noreferrer", target: "_blank", textContent: title }) : title;
  return made("li", {}, made("p", { dir: "auto" }, made("strong", {}, heading)), made("p", { className: "text", dir: "auto", textContent: one.content }),
    made("p", { className: "note", textContent: one.id }));
}

async function add(files) {
  const into = at("into").value.trim();
  if (!into) { at("into").focus(); throw new Trouble("Name the corpus that the documents go into."); }
  at("added").replaceChildren();
  at("adding").open = true;
  for (const file of files) {
    const line = made("li", { textContent: `${file.name}: being read …` });
    at("added").append(line);
    try {
      const found = await read(`/app/corpora/${encodeURIComponent(into)}/documents/${encodeURIComponent(file.webkitRelativePath || file.name)}`,
        { method: "PUT", headers: { "Content-Type": "application/octet-stream" }, body: file });
      line.textContent = [`${file.name}: ${many(found.indexed, "passage")} added, ${found.unchanged} unchanged`, ...found.problems].join("; ");
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      line.textContent = `${file.name}: ${error.message}`;
    }
  }
  await corporaInto(at("searched"), into);
  at("corpus").replaceChildren(made("option", { value: into }));
  await search();
}

// ---- what is pressed, chosen and dropped

function droppable(node, use) {
  node.addEventListener("dragover", event => { event.preventDefault(); node.classList.add("over"); });
  node.addEventListener("dragleave", () => node.classList.remove("over"));
  node.addEventListener("drop", guarded(async event => {
    node.classList.remove("over");
    const files = [...event.dataTransfer.files];
    if (files.length) await use(files);
  }));
}

at("token-form").addEventListener("submit", guarded(async () => {
  sessionStorage.setItem("token", at("token").value.trim());
  at("token").value = "";
  await go();
}));
at("check-form").addEventListener("submit", guarded(check));
at("answer-file").addEventListener("change", guarded(() => useFile(at("answer-file").files[0])));
at("compare-form").addEventListener("submit", guarded(compare));
at("more-runs").addEventListener("click", guarded(moreRuns));
at("labels").addEventListener("click", guarded(saveLabels));
at("search-form").addEventListener("submit", guarded(search));
at("searched").addEventListener("change", guarded(() => { at("into").value = at("searched").value; return search(); }));
at("more-passages").addEventListener("click", guarded(morePassages));
at("add-form").addEventListener("submit", guarded(() => add([...at("documents").files])));
droppable(at("answer"), files => useFile(files[0]));
droppable(at("corpora-part"), add);
addEventListener("hashchange", () => { go(); at("main").focus(); });
go();
