// The page: follows what happens in both rooms. Without it everything works by reload.
import { Notifier } from "./notify.js";
import { Room } from "./room.js";
import { follow } from "./stream.js";
import { Tabs } from "./tabs.js";

const POLL = 5000; // ms between two looks where the stream is silent

document.documentElement.classList.add("js");

const stage = document.querySelector(".stage");
const lost = document.getElementById("popup");
const here = stage.querySelector(".here");
const me = document.querySelector(".me");
const notifier = new Notifier(document.querySelector(".notify"));
const rooms = {};
let polling = null;

const tabs = new Tabs(stage, (name) => rooms[name]?.opened());

for (const section of stage.querySelectorAll(".room")) {
  const room = new Room(section, {
    pet: document.querySelector(".top h1").textContent,
    most: Number(stage.dataset.lines),
    reader: stage.dataset.reader,
    arrived: (one, line, author) => {
      tabs.arrived(one.name);
      notifier.tell(line, author);
    },
  });
  rooms[room.name] = room;
}

function readAnew() {
  for (const room of Object.values(rooms)) room.reload();
}

function showHere({ names, more }) {
  here.replaceChildren();
  if (!names.length) {
    here.textContent = here.dataset.nobody;
    return;
  }
  here.append(here.dataset.label, " ");
  names.forEach((name, at) => {
    const one = document.createElement("bdi");
    one.textContent = name;
    here.append(at ? ", " : "", one);
  });
  if (more) here.append(" ", more);
}

function poll(on) {
  if (on) polling ??= setInterval(readAnew, POLL);
  else if (polling) polling = clearInterval(polling) ?? null;
}

function tell({ kind, data }) {
  lost.hidden = kind !== "lost";
  document.documentElement.classList.toggle("live", kind !== "lost" && kind !== "silent");
  poll(kind === "silent");
  if (kind === "silent" || kind === "reload") readAnew();
  else if (kind === "here") showHere(data);
  else if (data?.room) rooms[data.room]?.take(kind, data);
}

document.addEventListener("visibilitychange", () => {
  for (const room of Object.values(rooms)) room.remember();
});

follow(stage.dataset.position, `${stage.dataset.reader} ${me.textContent}`, tell);
