// One stream for all tabs of a browser: they are told what it tells, each from where it is.
import { Source } from "./source.js";

const MOST_KEPT = 200; // events for tabs that are just opening

const ports = new Set();
const kept = [];
const latest = new Map(); // of who is here, and whether there is a connection
let source = null;
let start = "";

function tell(message) {
  if (message.kind === "here" || message.kind === "lost" || message.kind === "beat") latest.set(message.kind === "here" ? "here" : "state", message);
  if (message.kind === "reload") {
    kept.length = 0;
    start = message.position;
  } else if (message.position && message.kind !== "writing" && message.kind !== "here" && message.kind !== "beat") {
    kept.push(message);
    if (kept.length > MOST_KEPT) start = kept.shift().position;
  }
  for (const port of ports) port.postMessage(message);
}

function parts(position) {
  const at = position.lastIndexOf("-");
  return [position.slice(0, at), Number(position.slice(at + 1))];
}

function join(port, since) {
  ports.add(port);
  if (!source) {
    start = since;
    source = new Source(since, tell);
    return;
  }
  const [process, number] = parts(since);
  const [current, first] = parts(start);
  if (process !== current || number < first) port.postMessage({ kind: "reload" });
  else for (const one of kept) if (parts(one.position)[1] > number) port.postMessage(one);
  for (const one of latest.values()) port.postMessage(one);
}

addEventListener("connect", (event) => {
  const port = event.ports[0];
  port.addEventListener("message", ({ data }) => (data.bye ? ports.delete(port) : join(port, data.since)));
  port.start();
});
