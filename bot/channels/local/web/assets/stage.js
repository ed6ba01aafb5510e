// The two rooms: side by side on a wide screen, behind two tabs on a narrow one.
const KEPT = "eko.room"; // which room was open last, for a reload of this tab

export default {
  template: `
    <div class="stage" :data-open="open">
      <div class="tabs" role="tablist" @keydown.left="turn(-1)" @keydown.right="turn(1)">
        <button v-for="room in rooms" :key="room.id" :ref="'tab-' + room.id" type="button" role="tab" :id="'tab-' + room.id"
          :aria-controls="'room-' + room.id" :aria-selected="open === room.id" :tabindex="open === room.id ? 0 : -1"
          @click="show(room.id)">{{ room.label }}<span v-if="unread[room.id]" class="unread" role="img" :aria-label="newerLabel"></span></button>
      </div>
      <section v-for="room in rooms" :key="room.id" class="room" :class="room.id" :id="'room-' + room.id" :aria-label="room.label">
        <slot :name="room.id"></slot>
      </section>
    </div>`,
  props: { rooms: Array, newerLabel: String },
  data: () => ({ open: "private", unread: {} }),
  mounted() {
    const kept = sessionStorage.getItem(KEPT);
    if (this.rooms.some((room) => room.id === kept)) this.open = kept;
  },
  methods: {
    show(id) {
      this.open = id;
      this.unread[id] = false;
      sessionStorage.setItem(KEPT, id);
    },
    turn(step) {
      const at = this.rooms.findIndex((room) => room.id === this.open);
      const next = this.rooms[(at + step + this.rooms.length) % this.rooms.length].id;
      this.show(next);
      this.$refs["tab-" + next][0].focus();
    },
    arrived(id) {
      if (id !== this.open) this.unread[id] = true;
    },
  },
};
