// The code of a login link stands behind `#`, which is sent nowhere until the button is pressed.
const fill = () => {
  const box = document.querySelector("[data-code-form] input[name=code]");
  const code = decoded(location.hash.slice(1));
  if (!box || !code) return;
  box.value = code;
  history.replaceState(null, "", location.pathname + location.search);
  box.form.querySelector("button").focus();
};

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

fill();
addEventListener("hashchange", fill);
