// What moves on every page of the dashboard; without it everything works by reload.

// A form with `data-confirm` asks before it is sent.
document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});

// A form with `data-auto` is sent when one of its fields changes.
document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-auto]");
  if (form) form.requestSubmit();
});

// An <output data-of="id"> shows the value of the slider with that id.
document.addEventListener("input", (event) => {
  for (const output of document.querySelectorAll(`output[data-of="${event.target.id}"]`)) {
    output.textContent = event.target.value;
  }
});

// On a narrow screen the menu is a strip: it begins where one is.
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
