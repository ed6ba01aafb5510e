// What can be typed behind a slash: a list that narrows while one types, for keyboard and pointer.
import { optionsIn } from "./fragment.js";

let known = null;

function commands() {
  known ??= fetch("/commands")
    .then((answer) => (answer.ok ? answer.text() : ""))
    .catch(() => "");
  return known;
}

export class Menu {
  constructor(composer) {
    this.composer = composer;
    this.box = composer.box;
    this.list = composer.form.querySelector(".choices");
    this.at = -1;
    this.box.setAttribute("aria-autocomplete", "list");
    this.box.setAttribute("aria-controls", this.list.id);
    this.box.addEventListener("input", () => this.narrow());
    this.box.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.box.addEventListener("keydown", (event) => this.key(event), { capture: true });
    this.list.addEventListener("pointerdown", (event) => {
      const option = event.target.closest("[role=option]");
      event.preventDefault();
      if (option) this.choose(option);
    });
  }

  async narrow() {
    const typed = this.box.value;
    if (!/^\/[^\s]*$/.test(typed)) return this.close();
    const options = optionsIn(await commands());
    if (this.box.value !== typed) return;
    const fitting = options.filter((one) => one.dataset.line.startsWith(typed.toLowerCase()));
    const rest = options.filter((one) => !fitting.includes(one) && one.dataset.line.includes(typed.slice(1).toLowerCase()));
    const shown = typed === "/" ? options : [...fitting, ...rest];
    for (const one of shown) one.id = `${this.list.id}-${one.id}`;
    this.list.replaceChildren(...shown);
    this.list.hidden = shown.length === 0;
    this.mark(shown.length ? 0 : -1);
  }

  key(event) {
    if (this.list.hidden || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = this.list.children[this.at];
    if (step) this.mark((this.at + step + this.list.children.length) % this.list.children.length);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab" && option) this.choose(option);
    else if (event.key === "Enter" && !event.shiftKey && option && this.box.value !== option.dataset.line.trim()) this.choose(option);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  mark(at) {
    this.at = at;
    [...this.list.children].forEach((one, index) => one.setAttribute("aria-selected", String(index === at)));
    const option = this.list.children[at];
    if (option) this.box.setAttribute("aria-activedescendant", option.id);
    else this.box.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  choose(option) {
    this.box.value = option.dataset.line;
    this.close();
    this.composer.changed();
    this.box.focus();
  }

  close() {
    this.list.hidden = true;
    this.list.replaceChildren();
    this.mark(-1);
  }
}
