// Says who is writing, for as long as that is repeated. Its height never changes.
export class Writing {
  constructor(element) {
    this.element = element;
    this.words = element.querySelector("bdi");
  }

  show(author, text, seconds) {
    this.author = author;
    this.words.textContent = text;
    this.element.classList.add("on");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.clear(), seconds * 1000);
  }

  clearFor(author) {
    if (this.author === author) this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.author = null;
    this.words.textContent = "";
    this.element.classList.remove("on");
  }
}
