// The two rooms: side by side on a wide screen, behind two tabs on a narrow one.
const KEPT = "eko.room"; // which room was open last, for a reload of this tab

export class Tabs {
  constructor(stage, opened) {
    this.stage = stage;
    this.opened = opened;
    const list = stage.querySelector(".tabs");
    list.setAttribute("role", "tablist");
    this.tabs = [...list.querySelectorAll("a")];
    for (const tab of this.tabs) {
      tab.setAttribute("role", "tab");
      tab.addEventListener("click", (event) => {
        event.preventDefault();
        this.show(this.room(tab));
      });
      tab.addEventListener("keydown", (event) => this.key(event));
    }
    const kept = sessionStorage.getItem(KEPT);
    this.show(this.tabs.some((tab) => this.room(tab) === kept) ? kept : stage.dataset.open);
  }

  room(tab) {
    return tab.id.replace("tab-", "");
  }

  get open() {
    return this.stage.dataset.open;
  }

  show(room) {
    this.stage.dataset.open = room;
    sessionStorage.setItem(KEPT, room);
    for (const tab of this.tabs) {
      const selected = this.room(tab) === room;
      tab.setAttribute("aria-selected", String(selected));
      tab.removeAttribute("aria-current");
      tab.tabIndex = selected ? 0 : -1;
      if (selected) tab.querySelector(".unread").hidden = true;
    }
    this.opened(room);
  }

  key(event) {
    if (event.key === " ") event.target.click();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step && event.key !== " ") return;
    event.preventDefault();
    if (!step) return;
    const at = this.tabs.findIndex((tab) => this.room(tab) === this.open);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.show(this.room(next));
    next.focus();
  }

  arrived(room) {
    if (room === this.open) return;
    document.querySelector(`#tab-${room} .unread`).hidden = false;
  }
}
