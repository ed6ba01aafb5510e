// The lines of a room. It follows the newest line unless the reader has scrolled up to read.
const NEAR_END = 80; // pixels: about one line, so that a nudge does not count as scrolling up

export default {
  template: `
    <div class="frame">
      <p class="empty">{{ empty }}</p>
      <div ref="log" class="log" role="log" :aria-label="label" tabindex="0" @scroll.passive="look"><slot></slot></div>
      <button v-if="newer" type="button" class="newer" @click="toEnd">{{ newerLabel }} <span aria-hidden="true">↓</span></button>
    </div>`,
  props: { label: String, empty: String, newerLabel: String },
  data: () => ({ newer: false, following: true }),
  mounted() {
    this.lines = new MutationObserver((changes) => this.grown(changes));
    this.lines.observe(this.$refs.log, { childList: true });
    this.size = new ResizeObserver(() => this.following && this.toEnd());
    this.size.observe(this.$refs.log);
    this.toEnd();
  },
  beforeUnmount() {
    this.lines.disconnect();
    this.size.disconnect();
  },
  methods: {
    look() {
      const log = this.$refs.log;
      if (!log.clientHeight) return; // hidden behind the other tab: nobody scrolled
      this.following = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
      if (this.following) this.newer = false;
    },
    grown(changes) {
      const added = changes.flatMap((change) => [...change.addedNodes]);
      const own = added.some((node) => node.classList?.contains("mine"));
      if (this.following || own) this.toEnd();
      else if (added.length) this.newer = true;
    },
    toEnd() {
      const log = this.$refs.log;
      log.scrollTop = log.scrollHeight;
      this.following = true;
      this.newer = false;
    },
  },
};
