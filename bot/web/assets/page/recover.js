// The code of a recovery link stands behind `#`, which is sent nowhere until the button is pressed.
const code = decodeURIComponent(location.hash.slice(1));
if (code) document.querySelector("input[name=code]").value = code;
history.replaceState(null, "", location.pathname);
