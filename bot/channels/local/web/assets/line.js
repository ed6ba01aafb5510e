// One message of a room. Everything a person wrote goes through {{ }} and is text, never markup.
export default {
  template: `
    <article class="line" :class="[kind, { mine, joined }]">
      <svg v-if="kind === 'pet'" class="avatar" viewBox="0 0 120 120" aria-hidden="true">
        <use href="#pet-body"></use><use :href="'#look-' + look"></use>
      </svg>
      <span v-else-if="kind === 'person'" class="avatar" :style="{ '--hue': hue }" aria-hidden="true">{{ initial }}</span>
      <div class="said">
        <div class="by"><bdi class="author">{{ label }}</bdi> <time :datetime="at" :title="fullMoment">{{ moment }}</time></div>
        <div class="words" dir="auto">{{ text }}</div>
      </div>
    </article>`,
  props: {
    kind: String,
    label: String,
    text: String,
    at: String,
    look: { type: String, default: "neutral" },
    hue: Number,
    initial: String,
    mine: Boolean,
    joined: Boolean,
  },
  computed: {
    fullMoment() {
      return this.formatted({ dateStyle: "full", timeStyle: "short" });
    },
    moment() {
      const today = new Date(this.at).toDateString() === new Date().toDateString();
      const clock = { hour: "2-digit", minute: "2-digit" };
      return this.formatted(today ? clock : { day: "numeric", month: "short", ...clock });
    },
  },
  methods: {
    formatted(options) {
      return new Intl.DateTimeFormat(document.documentElement.lang || undefined, options).format(new Date(this.at));
    },
  },
};
