// One room on the page: its lines, its box, the pet's face and who writes in it.
import { dressed, keyboard, reacting } from "./actions.js";
import { Composer } from "./composer.js";
import { Face } from "./face.js";
import { Log } from "./log.js";
import { Menu } from "./menu.js";
import { Writing } from "./writing.js";

export class Room {
  constructor(section, { pet, most, reader, arrived }) {
    this.section = section;
    this.name = section.dataset.room;
    this.arrived = arrived;
    this.mark = `eko.read.${reader}.${this.name}`; // the last line its reader has seen
    this.face = new Face(section.querySelector(".head .pet"), pet);
    this.writing = new Writing(section.querySelector(".writing"));
    this.log = new Log(section, most, (line) => dressed(line, this));
    this.composer = new Composer(section);
    new Menu(this.composer);
    keyboard(this.log.log);
    const lastRead = localStorage.getItem(this.mark);
    if (lastRead) this.log.divide(lastRead);
    this.log.read = () => this.remember();
    this.remember();
  }

  // What is told of the room by the stream.
  take(kind, told) {
    if (kind === "line") this.line(told);
    else if (kind === "changed") this.log.take(told.html, { changed: true });
    else if (kind === "gone") this.log.drop(told.key);
    else if (kind === "reacted") this.reacted(told);
    else if (kind === "writing") this.write(told);
  }

  line(told) {
    const line = this.log.take(told.html, { mine: told.mine });
    this.writing.clearFor(told.author);
    if (told.look) this.face.show(told.look, told.label);
    if (told.answers) this.log.react(told.answers, told.look, told.label);
    if (line && !told.mine && told.kind !== "system") this.arrived(this, line, told.author);
  }

  reacted(told) {
    const line = this.log.reactions(told.key, told.html);
    if (line) reacting(line, this);
  }

  write(told) {
    this.writing.show(told.author, told.text, told.lasts);
    if (told.kind === "pet") this.face.write(told.lasts);
  }

  // Read the room anew, as after a gap that nobody can close.
  async reload() {
    const answer = await fetch(`/rooms/${this.name}/lines`).catch(() => null);
    if (!answer?.ok) return;
    for (const line of this.log.reload(await answer.text())) {
      if (!line.classList.contains("mine")) this.arrived(this, line, line.dataset.author);
    }
  }

  // The tab of the room was chosen: until then nothing of it had a size.
  opened() {
    this.composer.fit();
    if (this.log.following) this.log.toEnd();
  }

  remember() {
    const key = this.log.newest?.dataset.key;
    const seen = !document.hidden && this.section.offsetParent !== null && this.log.following;
    if (key && seen) localStorage.setItem(this.mark, key);
  }
}
