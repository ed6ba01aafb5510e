// The slider beside the day of "as of": without this the day is typed or picked.

const slider = document.getElementById("days");
const day = document.getElementById("as-of");

const today = () => new Date(`${slider.dataset.today}T12:00:00Z`);
const inDays = (ms) => Math.round(ms / 86_400_000);

if (slider && day) {
  const far = Number(slider.max);
  if (day.value) {
    const ago = inDays(today() - new Date(`${day.value}T12:00:00Z`));
    slider.value = String(far - Math.min(far, Math.max(0, ago)));
  }
  slider.closest("label").hidden = false;
  slider.addEventListener("input", () => {
    const ago = far - Number(slider.value);
    const then = new Date(today().getTime() - ago * 86_400_000);
    day.value = ago ? then.toISOString().slice(0, 10) : "";
  });
  slider.addEventListener("change", () => day.form.requestSubmit());
}
