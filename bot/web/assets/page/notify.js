// Tells of news while nobody looks at the page, where a person asked for it by the button.
const WISHED = "eko.notify";

export class Notifier {
  constructor(button) {
    this.button = button;
    if (!("Notification" in globalThis)) return;
    button.hidden = false;
    button.addEventListener("click", () => this.turn());
    this.draw();
  }

  get on() {
    return localStorage.getItem(WISHED) === "yes" && Notification.permission === "granted";
  }

  async turn() {
    if (this.on) localStorage.removeItem(WISHED);
    else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(WISHED, "yes");
    else this.button.title = this.button.dataset.refused;
    this.draw();
  }

  draw() {
    const label = this.on ? this.button.dataset.on : this.button.dataset.off;
    this.button.setAttribute("aria-label", label);
    this.button.setAttribute("aria-pressed", String(this.on));
    if (Notification.permission !== "denied") this.button.title = label;
  }

  // The same line in several tabs is one notification, by its tag.
  tell(line, author) {
    if (!document.hidden || !("Notification" in globalThis) || !this.on) return;
    const body = line.querySelector(".words").textContent.slice(0, 200);
    const shown = new Notification(author, { body, tag: line.dataset.key, icon: "/assets/icon.svg" });
    shown.addEventListener("click", () => {
      focus();
      shown.close();
    });
  }
}
