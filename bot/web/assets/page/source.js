// The stream of events of one reader. It comes back by itself, from the last event it has seen.
const KINDS = ["line", "changed", "gone", "reacted", "writing", "here", "reload", "beat"];
const SILENCE = 40000; // ms: the server gives a sign of life every 15 s
const LONGEST_WAIT = 15000; // ms between two tries where the server refuses

export class Source {
  constructor(since, tell) {
    this.since = since;
    this.tell = tell;
    this.wait = 1500;
    this.open();
    setInterval(() => this.look(), 5000);
  }

  open() {
    this.heardAt = Date.now();
    const source = new EventSource(`/events?since=${encodeURIComponent(this.since)}`);
    this.source = source;
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => this.take(kind, event));
    }
    source.addEventListener("error", () => this.failed(source));
  }

  take(kind, event) {
    this.heardAt = Date.now();
    this.wait = 1500;
    if (event.lastEventId) this.since = event.lastEventId;
    this.tell({ kind, data: JSON.parse(event.data), position: event.lastEventId });
  }

  // The browser tries again where the connection was cut, and gives up where it was refused.
  failed(source) {
    this.tell({ kind: "lost" });
    if (source !== this.source || source.readyState !== EventSource.CLOSED) return;
    this.source = null;
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  // A proxy may hold everything back, and a sleeping machine may not notice that all is gone.
  look() {
    if (!this.source || Date.now() - this.heardAt < SILENCE) return;
    this.source.close();
    this.tell({ kind: "silent" });
    this.open();
  }
}
