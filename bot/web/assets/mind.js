// What moves on the first page and beside a digest; without it these pages work by reload.

// The nodes of a fragment that this server has rendered: scripts in it do not run.
function nodesOf(html) {
  return new DOMParser().parseFromString(html, "text/html").body.childNodes;
}

// An element with `data-fill` is filled with the fragment at that address.
for (const place of document.querySelectorAll("[data-fill]")) {
  fetch(place.dataset.fill)
    .then((answer) => (answer.ok && !answer.redirected ? answer.text() : Promise.reject()))
    .then((html) => place.replaceChildren(...nodesOf(html)))
    .catch(() => {}); // its link stays
}

// An element with `data-events` shows the fragments of a stream, until what they tell of is done.
const place = document.querySelector("[data-events]");
if (place) {
  const stream = new EventSource(place.dataset.events);
  stream.addEventListener("progress", (event) => place.replaceChildren(...nodesOf(event.data)));
  stream.addEventListener("done", () => {
    stream.close();
    location.replace(location.pathname);
  });
}

// An element with `data-countdown` says how long it is until that moment.
const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
function countDown() {
  for (const one of document.querySelectorAll("[data-countdown]")) {
    const minutes = Math.round((Date.parse(one.dataset.countdown) - Date.now()) / 60000);
    one.hidden = minutes < 0;
    one.textContent = minutes < 90 ? words.format(minutes, "minute") : words.format(Math.round(minutes / 60), "hour");
  }
}
countDown();
setInterval(countDown, 30000);

// On a phone a drawing is wider than its place: the node in the middle comes first.
for (const drawing of document.querySelectorAll("svg.graph")) {
  const place = drawing.parentElement;
  place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
}
