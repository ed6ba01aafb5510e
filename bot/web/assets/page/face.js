// The pet itself: it shows one look at a time, and looks thoughtful while the pet writes.
export class Face {
  constructor(element, pet) {
    this.element = element;
    this.pet = pet;
    this.look = element.dataset.look;
  }

  show(look, label) {
    this.look = look;
    this.element.setAttribute("aria-label", `${this.pet}: ${label}`);
    this.rest();
  }

  write(seconds) {
    this.element.dataset.look = "thinking";
    this.element.classList.add("busy");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(), seconds * 1000);
  }

  rest() {
    clearTimeout(this.timer);
    this.element.dataset.look = this.look;
    this.element.classList.remove("busy");
  }
}
