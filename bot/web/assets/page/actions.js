// What can be done with a line: reply to it; change it or take it back where it is one's own.
import { texts } from "./fragment.js";
import { post } from "./composer.js";

const template = document.getElementById("words");

// Each line has one button. The keyboard reaches that of the newest, and by arrows the others.
export function dressed(line, room) {
  line.querySelector(":scope > a.more")?.remove(); // the way without script
  reacting(line, room);
  line.querySelector(".kept")?.addEventListener("click", ({ target }) => {
    if (target.dataset.line) room.composer.write(target.dataset.line, "sent" in target.dataset);
  });
  if (line.classList.contains("system") || line.querySelector(":scope > .more")) return;
  if (line.dataset.key.startsWith("command:")) return; // nothing is kept of it
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more";
  button.tabIndex = -1;
  button.textContent = "⋯";
  button.setAttribute("aria-label", template.content.querySelector(".acts").getAttribute("aria-label"));
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => toggle(line, room, button));
  line.append(button);
}

// The emoji that are there are buttons of a form, which is sent without a reload.
export function reacting(line, room) {
  line.querySelector(".reactions")?.addEventListener("submit", (event) => {
    event.preventDefault();
    react(line, room, event.submitter.value);
  });
}

async function react(line, room, emoji) {
  const form = new FormData();
  form.set("emoji", emoji);
  const note = await post(`${address(line, room)}/reactions`, form);
  if (note) room.composer.giveBack("", note);
}

export function keyboard(log) {
  const buttons = () => [...log.querySelectorAll(".more")];
  log.addEventListener("focusin", () => buttons().forEach((one, at, all) => (one.tabIndex = at === all.length - 1 ? 0 : -1)));
  log.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return closed(log)?.focus();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = buttons();
    const at = all.indexOf(document.activeElement);
    if (!step || at < 0 || !all[at + step]) return;
    event.preventDefault();
    all[at + step].focus();
    all[at + step].scrollIntoView({ block: "nearest" });
  });
}

function closed(log) {
  const acts = log.querySelector(".acts");
  const button = acts?.closest("article").querySelector(".more");
  button?.setAttribute("aria-expanded", "false");
  acts?.remove();
  return button;
}

function toggle(line, room, button) {
  const was = closed(room.log.log);
  if (was === button) return;
  const acts = template.content.querySelector(".acts").cloneNode(true);
  if (!line.classList.contains("mine")) acts.querySelectorAll(".for-mine").forEach((one) => one.remove());
  acts.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-act]");
    if (!chosen) return;
    closed(room.log.log);
    button.focus();
    DONE[chosen.dataset.act](line, room, chosen.value);
  });
  line.append(acts);
  button.setAttribute("aria-expanded", "true");
  acts.querySelector("button").focus();
}

const DONE = {
  react,
  reply: (line, room) => room.composer.reply(line.dataset.key, line.dataset.author),
  edit: async (line, room) => {
    const answer = await fetch(address(line, room)).catch(() => null);
    if (answer?.ok) room.composer.edit(line.dataset.key, await answer.text());
    else room.composer.giveBack("", texts.gone);
  },
  delete: async (line, room) => {
    if (!confirm(texts.sure)) return;
    const note = await post(address(line, room), new FormData());
    if (note) room.composer.giveBack("", note);
  },
};

function address(line, room) {
  return `/rooms/${room.name}/messages/${encodeURIComponent(line.dataset.key)}`;
}
