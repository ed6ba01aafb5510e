// Times in the zone and the language of the reader; the server writes them in the pet's zone.
const language = document.documentElement.lang || undefined;
const clock = { hour: "2-digit", minute: "2-digit" };
const short = new Intl.DateTimeFormat(language, clock);
const long = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", ...clock });
const full = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" });

export function tellTime(line) {
  const time = line.querySelector("time");
  if (!time) return;
  const at = new Date(time.dateTime);
  const today = at.toDateString() === new Date().toDateString();
  time.textContent = (today ? short : long).format(at);
  time.title = full.format(at);
}
