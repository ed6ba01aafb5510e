// The lines of a room. It follows the newest line unless the reader has scrolled up to read.
import { drawn, formsIn, linesIn, texts } from "./fragment.js";
import { tellTime } from "./times.js";

const NEAR_END = 80; // pixels: about one line, so that a nudge does not count as scrolling up
const BREATH = 300000; // ms of silence after which the same author is named again

export class Log {
  constructor(section, most, added) {
    this.log = section.querySelector(".log");
    this.lines = section.querySelector(".lines");
    this.button = section.querySelector(".newer");
    this.most = most;
    this.added = added;
    this.following = true;
    this.read = () => {};
    for (const line of this.lines.children) this.dress(line);
    this.log.addEventListener("scroll", () => this.look(), { passive: true });
    this.button.addEventListener("click", () => this.toEnd());
    new ResizeObserver(() => this.following && this.toEnd()).observe(this.log);
    this.toEnd();
  }

  line(key) {
    return document.getElementById(`line-${key}`);
  }

  get newest() {
    return [...this.lines.querySelectorAll("article.line")].at(-1) ?? null;
  }

  dress(line) {
    tellTime(line);
    this.added(line);
  }

  // A line that is there already is drawn anew in its place.
  take(html, { mine = false, changed = false } = {}) {
    const [line] = linesIn(html);
    if (!line) return null;
    const before = this.line(line.dataset.key);
    if (changed && !before) return null;
    const reactions = changed && before.querySelector(".reactions");
    if (reactions) line.querySelector(".said").append(reactions);
    if (before) before.replaceWith(line);
    else this.lines.append(line);
    line.classList.toggle("joined", this.continues(line));
    this.dress(line);
    while (this.lines.children.length > this.most) this.lines.firstElementChild.remove();
    if (!before) this.grown(mine);
    return before ? null : line;
  }

  continues(line) {
    const before = line.previousElementSibling;
    if (!before?.matches("article.line") || line.querySelector(".quoted")) return false;
    const after = new Date(line.dataset.at) - new Date(before.dataset.at);
    const same = before.dataset.author === line.dataset.author;
    const kind = (one) => ["pet", "person"].find((name) => one.classList.contains(name));
    return same && kind(line) && kind(line) === kind(before) && after >= 0 && after <= BREATH;
  }

  drop(key) {
    const line = this.line(key);
    const next = line?.nextElementSibling;
    line?.remove();
    if (next?.matches("article.line")) next.classList.toggle("joined", this.continues(next));
  }

  react(key, look, label) {
    const said = this.line(key)?.querySelector(".said");
    if (!said) return;
    said.querySelector(".reaction")?.remove();
    const svg = drawn(look);
    svg.setAttribute("class", "reaction");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", texts.reacted.replace("{}", label));
    said.append(svg);
    if (this.following) this.toEnd();
  }

  // What people put to a line, as it is now; the keyboard stays where it was.
  reactions(key, html) {
    const line = this.line(key);
    if (!line) return null;
    const before = line.querySelector(".reactions");
    const focused = before?.contains(document.activeElement) && document.activeElement.value;
    const [form] = formsIn(html);
    before?.remove();
    if (form) line.querySelector(".said").append(form);
    if (focused) (form?.querySelector(`[value="${focused}"]`) ?? line.querySelector(".more"))?.focus();
    if (this.following) this.toEnd();
    return line;
  }

  // What the server says that was said, in place of what is here.
  reload(html) {
    const known = new Set([...this.lines.querySelectorAll("article.line")].map((one) => one.id));
    const lines = linesIn(html);
    const fresh = lines.filter((one) => !known.has(one.id));
    this.lines.replaceChildren(...lines);
    for (const line of lines) this.dress(line);
    if (fresh.length || this.following) this.grown(false);
    return fresh;
  }

  // A mark before the first line that the reader has not seen.
  divide(lastRead) {
    const lines = [...this.lines.querySelectorAll("article.line")];
    const at = lines.findIndex((one) => one.dataset.key === lastRead);
    const unread = lines.slice(at + 1);
    if (!unread.some((one) => !one.classList.contains("mine"))) return;
    const mark = document.createElement("p");
    mark.className = "divider";
    mark.textContent = texts.since;
    unread[0].before(mark);
    unread[0].classList.remove("joined");
    mark.scrollIntoView({ block: "start" });
    this.look();
  }

  look() {
    const log = this.log;
    if (!log.clientHeight) return; // hidden behind the other tab: nobody scrolled
    this.following = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
    if (this.following) this.seen();
  }

  grown(own) {
    if (this.following || own) this.toEnd();
    else this.button.hidden = false;
  }

  toEnd() {
    this.log.scrollTop = this.log.scrollHeight;
    this.following = true;
    this.seen();
  }

  seen() {
    this.button.hidden = true;
    this.read();
  }
}
