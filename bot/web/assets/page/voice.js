// A voice note: one press begins it, the next one sends it. It goes nowhere before that.
import { texts } from "./fragment.js";

const BITS = 24000; // a second: speech needs no more, and a form takes no more
const KINDS = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];
const LONGEST = Math.min(Number(texts.voiceSeconds), 280); // seconds: as much as a form takes

export class Recorder {
  constructor(button, told) {
    this.button = button;
    this.told = told;
    this.recording = null;
    this.button.hidden = !(navigator.mediaDevices && window.MediaRecorder);
    this.button.addEventListener("click", () => (this.recording ? this.end() : this.begin()));
  }

  async begin() {
    const kind = KINDS.find((one) => MediaRecorder.isTypeSupported(one));
    let heard;
    this.button.disabled = true; // until the browser has asked
    try {
      heard = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      return this.told({ note: texts.noMicrophone });
    } finally {
      this.button.disabled = false;
    }
    const pieces = [];
    const recording = new MediaRecorder(heard, { mimeType: kind, audioBitsPerSecond: BITS });
    recording.addEventListener("dataavailable", (event) => pieces.push(event.data));
    recording.addEventListener("stop", () => {
      heard.getTracks().forEach((track) => track.stop());
      if (this.recording !== recording) return; // it was dropped
      this.show(null);
      this.told({ sound: new Blob(pieces, { type: recording.mimeType }) });
    });
    recording.start();
    this.told({ listens: true });
    this.show(recording);
    this.timer = setTimeout(() => this.end(), LONGEST * 1000);
  }

  end() {
    this.recording?.stop();
  }

  drop() {
    const dropped = this.recording;
    this.show(null);
    dropped?.stop();
  }

  show(recording) {
    clearTimeout(this.timer);
    this.recording = recording;
    this.button.setAttribute("aria-pressed", String(recording !== null));
  }
}
