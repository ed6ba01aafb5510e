// Says who is writing, for as long as that is repeated. Its height never changes.
export default {
  template: `
    <div class="writing" role="status" :class="{ on }">
      <template v-if="on"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span> <bdi>{{ text }}</bdi></template>
    </div>`,
  props: { text: String, beat: Number, lasts: Number },
  data: () => ({ on: false }),
  watch: {
    beat(now) {
      clearTimeout(this.timer);
      this.on = now > 0;
      if (this.on) this.timer = setTimeout(() => (this.on = false), this.lasts * 1000);
    },
  },
  beforeUnmount() {
    clearTimeout(this.timer);
  },
};
