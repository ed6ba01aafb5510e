// The box people write in. Enter sends and Shift+Enter breaks the line, never while an input
// method is composing. What could not be sent is put back.
import { texts } from "./fragment.js";
import { shrunk } from "./picture.js";
import { Recorder } from "./voice.js";

const TYPING_EVERY = 1000; // ms: below the quiet window that gathers messages into one turn
const LIMIT = Number(texts.limit);

export class Composer {
  constructor(section) {
    this.room = section.dataset.room;
    this.form = section.querySelector(".composer");
    this.box = this.form.elements.words;
    this.note = this.form.querySelector(".note");
    this.about = this.form.querySelector(".about");
    this.button = this.form.querySelector(".box button[type=submit]");
    this.file = this.form.elements.picture ?? null;
    this.typedAt = 0;
    this.editing = null;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("input", () => this.changed());
    this.about.querySelector(".stop").addEventListener("click", () => this.stop());
    this.file?.addEventListener("change", () => this.chosen());
    const record = this.form.querySelector(".record");
    this.recorder = record ? new Recorder(record, (sound) => this.recorded(sound)) : null;
    this.fit();
  }

  key(event) {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === "Escape" && !this.about.hidden) return this.stop();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.send();
  }

  get over() {
    return this.box.value.length > LIMIT && [...this.box.value].length > LIMIT;
  }

  get picture() {
    return this.file?.files[0] ?? null;
  }

  changed() {
    this.fit();
    if (this.over) this.note.textContent = texts.tooLong;
    else if (this.note.textContent) this.note.textContent = "";
    const now = Date.now();
    if (this.editing || !this.box.value.trim() || now - this.typedAt < TYPING_EVERY) return;
    this.typedAt = now;
    fetch(`/rooms/${this.room}/typing`, { method: "POST" }).catch(() => {});
  }

  // What the recorder tells: that it listens, a sound to send, or what is wrong.
  recorded({ listens, sound, note }) {
    if (listens) {
      this.say(texts.recording);
      return this.box.focus();
    }
    if (!this.editing) this.about.hidden = true;
    if (note) this.note.textContent = note;
    if (sound) this.send(sound);
  }

  async send(voice = null) {
    const words = this.box.value;
    if (this.over || !(words.trim() || this.picture || voice)) return;
    const form = new FormData();
    form.set("words", words);
    const editing = this.editing;
    if (!editing) form.set("zone", Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
    const replies = this.form.elements.reply_to.value;
    if (!editing && replies) form.set("reply_to", replies);
    if (voice && !editing) form.set("voice", voice);
    const file = this.picture;
    this.clear();
    try {
      if (file && !editing) form.set("picture", await shrunk(file, Number(texts.pictureBytes)), file.name);
    } catch {
      return this.giveBack(words, texts.pictureNot);
    }
    const address = editing ? `messages/${encodeURIComponent(editing)}` : "say";
    const note = await post(`/rooms/${this.room}/${address}`, form);
    if (note) this.giveBack(words, note);
  }

  // A line that a button stands for: sent at once, or begun for the person to end.
  write(line, sent) {
    const words = this.box.value;
    this.stop();
    this.box.value = line;
    if (sent) this.send();
    if (sent) this.box.value = words;
    this.fit();
    this.box.focus();
  }

  clear() {
    this.stop();
    this.box.value = "";
    this.note.textContent = "";
    this.typedAt = 0;
    if (this.file) this.file.value = "";
    this.fit();
  }

  giveBack(words, note) {
    this.note.textContent = note;
    if (!this.box.value) this.box.value = words;
    this.fit();
  }

  chosen() {
    const file = this.picture;
    if (file) this.say(texts.picture.replace("{}", file.name));
    else this.stop();
    this.fit();
    this.box.focus();
  }

  reply(key, author) {
    this.stop();
    this.form.elements.reply_to.value = key;
    this.say(texts.replying.replace("{}", author));
    this.box.focus();
  }

  edit(key, words) {
    this.stop();
    this.editing = key;
    this.box.value = words;
    this.say(texts.editing);
    this.fit();
    this.box.focus();
  }

  say(sentence) {
    this.about.querySelector("span").textContent = sentence;
    this.about.hidden = false;
  }

  stop() {
    this.recorder?.drop();
    if (this.editing) this.box.value = "";
    this.editing = null;
    this.form.elements.reply_to.value = "";
    if (this.file) this.file.value = "";
    this.about.hidden = true;
    this.fit();
  }

  fit() {
    this.button.disabled = this.over || !(this.box.value.trim() || this.picture);
    this.box.setAttribute("aria-invalid", String(this.over));
    this.box.style.height = "auto";
    this.box.style.height = `${this.box.scrollHeight}px`;
  }
}

// Send a form; what is wrong with it, or nothing.
export async function post(address, form) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      body: form,
      headers: { accept: "application/json" },
    });
    if (answer.ok) return "";
    const told = await answer.json().catch(() => ({}));
    return typeof told.detail === "string" ? told.detail : texts.notSent;
  } catch {
    return texts.notSent;
  }
}
