// The pet itself: every look is drawn once, and CSS fades from one to the other.
const LOOKS = ["neutral", "happy", "curious", "thinking", "surprised", "sad", "love", "sleepy"];
const PATIENCE = 10000; // ms: a pet that says nothing for longer has stopped writing

export default {
  template: `
    <div class="pet" :data-look="busy ? 'thinking' : look" :class="{ busy }" role="img" :aria-label="label">
      <svg viewBox="0 0 120 120" aria-hidden="true" focusable="false">
        <ellipse class="shadow" cx="60" cy="114" rx="32" ry="4"></ellipse>
        <g class="bob"><g class="tilt">
          <use href="#pet-body"></use>
          <use v-for="one in looks" :key="one" class="look" :class="one" :href="'#look-' + one"></use>
        </g></g>
      </svg>
    </div>`,
  props: { look: String, label: String, beat: Number },
  data: () => ({ busy: false, looks: LOOKS }),
  watch: {
    beat(now) {
      clearTimeout(this.timer);
      this.busy = now > 0;
      if (this.busy) this.timer = setTimeout(() => (this.busy = false), PATIENCE);
    },
  },
  beforeUnmount() {
    clearTimeout(this.timer);
  },
};
