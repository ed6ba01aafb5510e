// The box people write in. Enter sends and Shift+Enter breaks the line, never while an input
// method is composing. What could not be sent is put back.
const TYPING_EVERY = 1000; // ms: below the quiet window that gathers messages into one turn

export default {
  template: `
    <form class="composer" @submit.prevent="send">
      <p class="note" role="alert">{{ over ? tooLong : note }}</p>
      <div class="box">
        <textarea ref="box" v-model="words" rows="1" dir="auto" enterkeyhint="send" autocomplete="off"
          :placeholder="placeholder" :aria-label="label" :title="keys" :aria-invalid="over"
          @keydown.enter="enter" @input="changed"></textarea>
        <button type="submit" :disabled="!words.trim() || over" :aria-label="sendLabel" :title="sendLabel">
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 19V6M6 11.5 12 5.500l6 6" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>
        </button>
      </div>
    </form>`,
  props: { placeholder: String, label: String, sendLabel: String, keys: String, tooLong: String, limit: Number },
  emits: ["say", "typing"],
  data: () => ({ words: "", note: "" }),
  computed: {
    over() {
      return this.words.length > this.limit && [...this.words].length > this.limit;
    },
  },
  methods: {
    enter(event) {
      if (event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.send();
    },
    send() {
      if (!this.words.trim() || this.over) return;
      this.$emit("say", this.words);
      this.words = "";
      this.note = "";
      this.typedAt = 0;
      this.fit();
    },
    changed() {
      this.fit();
      const now = Date.now();
      if (!this.words.trim() || now - (this.typedAt || 0) < TYPING_EVERY) return;
      this.typedAt = now;
      this.$emit("typing");
    },
    give_back(words, note) {
      this.note = note;
      if (!this.words) this.words = words;
      this.fit();
    },
    fit() {
      this.$nextTick(() => {
        const box = this.$refs.box;
        box.style.height = "auto";
        box.style.height = box.scrollHeight + "px";
      });
    },
  },
};
